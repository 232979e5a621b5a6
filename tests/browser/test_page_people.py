"""What people at a table do besides moving: rematch, take-back, emotes, two at one screen."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.playing import Player
from browser.serving import OPEN, house, me

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.serving import Served
    from browser.windows import Open, Window


def seated(visit: Open, served: Served, game: str = "hexapawn") -> tuple[str, dict[int, str], Window, Window]:
    """A table of ann and bob, each at a window: two seats of kind `me` would be people at one screen."""
    table, tokens = served.table(game, me("ann"), OPEN)
    ann, bob = visit(), visit()
    ann.go(f"/#table={table}&token={tokens[0]}")
    status, taken = served.post(f"/api/tables/{table}/join", {"name": "bob"})
    assert status == 201, taken
    tokens[1] = taken["seats"][0]["token"]
    bob.go(f"/#table={table}&token={tokens[1]}")
    assert Player(ann, Random(1)).asked()
    return table, tokens, ann, bob


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize(("wish", "seat"), [("Rematch", "0"), ("Swap seats", "1")])
def test_a_rematch_is_one_click_for_each(visit: Open, served: Served, wish: str, seat: str) -> None:
    """Both browsers go to the new table, and a spectator is offered it."""
    table, tokens, ann, bob = seated(visit, served)
    eve = visit()
    eve.go(f"/#table={table}")
    eve.page.locator("[data-board]").wait_for()
    served.resign(table, tokens[1])
    expect(ann.page.locator("[data-result] h2")).to_have_text("You won")
    expect(bob.page.locator("[data-result] h2")).to_have_text("You lost")
    expect(eve.page.locator("[data-result] h2")).to_have_text("ann won")
    press(ann.page, wish)
    expect(ann.page.locator("[data-rematch]")).to_contain_text("Waiting for bob")
    expect(bob.page.locator("[data-rematch]")).to_contain_text("ann wants a rematch")
    bob.shoot(f"rematch-{seat}")
    press(bob.page, "Accept")
    for window in (ann, bob):
        expect(window.page.locator("main")).to_have_attribute("data-status", "running")
        assert table not in window.page.url
    expect(ann.page.locator("main")).to_have_attribute("data-me", seat)
    eve.page.get_by_role("link", name="Watch the next game").click()
    expect(eve.page.locator("main")).to_have_attribute("data-status", "running")
    first = (ann, bob)[int(seat)]
    Player(first, Random(2)).play(1)
    expect(eve.page.locator('[data-event="moved"]')).to_have_count(1)


def test_the_house_plays_again_at_once(visit: Open, served: Served) -> None:
    table, tokens = served.table("hexapawn", me("ann"), house())
    ann = visit()
    ann.go(f"/#table={table}&token={tokens[0]}")
    assert Player(ann, Random(3)).asked()
    served.resign(table, tokens[0])
    press(ann.page, "Rematch")
    expect(ann.page.locator("main")).to_have_attribute("data-status", "running")
    assert table not in ann.page.url


def test_a_move_is_taken_back_by_agreement(visit: Open, served: Served) -> None:
    """Declined first, then accepted; the position is the one of before."""
    _, _, ann, bob = seated(visit, served)
    before = ann.pieces()
    expect(ann.page.get_by_role("button", name="Take back")).to_be_hidden()
    Player(ann, Random(4)).play(1)
    assert Player(bob, Random(4)).asked()
    after = bob.pieces()
    for answer, pieces in (("Decline", after), ("Accept", before)):
        press(ann.page, "Take back")
        expect(ann.page.locator("[data-takeback]")).to_contain_text("You asked")
        expect(bob.page.locator("[data-takeback]")).to_contain_text("ann asks to take the last move back")
        press(bob.page, answer)
        expect(ann.page.locator("[data-takeback]")).to_be_hidden()
        expect(bob.page.locator("[data-takeback]")).to_be_hidden()
        assert ann.pieces() == bob.pieces() == pieces
        ann.page.wait_for_timeout(100)
    expect(ann.page.locator("main")).to_have_attribute("data-asked", "")
    Player(ann, Random(5)).play(1)


@pytest.mark.slow
def test_emotes_are_seen_and_can_be_muted(visit: Open, served: Served) -> None:
    """At the card of the seat, never over the board."""
    _, _, ann, bob = seated(visit, served)
    ann.page.get_by_text("Say", exact=True).click()
    press(ann.page, "Hello!")
    bubble = bob.page.locator('[data-seat="0"] [data-emote]')
    expect(bubble).to_have_text("Hello!")
    expect(bubble).to_be_visible()
    box, board = bubble.bounding_box(), bob.page.locator("[data-board]").bounding_box()
    assert box is not None
    assert board is not None
    assert box["y"] + box["height"] <= board["y"]
    bob.shoot("emote")
    expect(bubble).to_be_hidden()
    bob.page.get_by_text("Say", exact=True).click()
    bob.page.get_by_label("Show no words of others").check()
    ann.page.wait_for_timeout(2100)  # a seat may say something every two seconds
    ann.page.get_by_text("Say", exact=True).click()
    press(ann.page, "Oops!")
    expect(ann.page.locator('[data-seat="0"] [data-emote]')).to_have_text("Oops!")
    bob.page.wait_for_timeout(300)
    expect(bubble).to_have_text("Hello!")
    expect(bubble).to_be_hidden()


def test_spectators_are_counted(visit: Open, served: Served) -> None:
    table, _, ann, _ = seated(visit, served)
    watching = ann.page.locator("[data-watching]")
    expect(watching).to_be_hidden()
    eve = visit()
    eve.go(f"/#table={table}")
    expect(watching).to_have_text("1 watching")
    eve.go_away()
    expect(watching).to_be_hidden()


def test_two_people_at_one_screen(visit: Open, served: Served) -> None:
    """One window has both seats, and shows the one that is to move; they play to the end and once more."""
    table, tokens = served.table("hexapawn", me("ann"), me("bob"))
    both = visit()
    both.go()
    both.page.evaluate(
        "([table, seats]) => localStorage.setItem(`touchline.table.${table}`, JSON.stringify("
        "{token: seats[0].token, seat: 0, seats}))",
        [table, [{"seat": seat, "token": token} for seat, token in tokens.items()]],
    )
    page = both.go(f"/#table={table}")
    main = page.locator("main")
    for turn in range(4):
        expect(main).to_have_attribute("data-turn", str(turn))
        expect(main).to_have_attribute("data-me", str(turn % 2))
        expect(page.locator(".status")).to_have_text(f"{('ann', 'bob')[turn % 2]}, it is your turn")
        pawn = page.locator('[data-legal="next"]').first
        pawn.click()
        page.locator('[data-legal="next"]').first.click()
    expect(page.locator('[data-event="moved"]')).to_have_count(4)
    expect(page.locator(".seat .kind")).to_have_text(["you", "you"])
    both.shoot("one-screen")

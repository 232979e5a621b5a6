"""People play at the page: by mouse, by keyboard alone, against the house and against each other."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.playing import Player, by_keyboard, tab_to
from browser.serving import OPEN, SMALL, house, me

if TYPE_CHECKING:
    from browser.serving import Served
    from browser.windows import Open


@pytest.mark.parametrize("game", ["hexapawn", "fish", "labyrinth"])
def test_a_game_by_mouse(visit: Open, game: str) -> None:
    """Made in the dialog, played to the end, and the result is said."""
    ann = visit()
    page = ann.go()
    page.get_by_role("button", name="New table").click()
    dialog = page.get_by_role("dialog", name="New table")
    dialog.get_by_label("Game", exact=True).select_option(game)
    dialog.get_by_label("My name").fill("ann")
    dialog.get_by_text("Expert").click()
    dialog.get_by_label("House player for player 2").select_option("random")
    dialog.get_by_label("House players take at least").fill("0")
    for option, value in SMALL[game].items():
        dialog.get_by_label(option, exact=True).fill(str(value))
    ann.shoot(f"new-table-{game}")
    dialog.get_by_role("button", name="Make the table").click()
    player = Player(ann, Random(game))
    player.play(2)
    ann.shoot(f"table-{game}-running")
    player.play()
    expect(player.main).to_have_attribute("data-status", "finished")
    expect(page.locator("[data-result]")).to_contain_text("You ")
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    expect(page.locator("[data-legal]")).to_have_count(0)
    ann.shoot(f"table-{game}-finished")


@pytest.mark.slow
def test_a_game_by_keyboard_alone(visit: Open) -> None:
    """From the lobby to the end without touching the mouse."""
    ann = visit()
    page = ann.go()
    page.get_by_role("button", name="Play hexapawn").wait_for()
    page.locator("body").focus()
    tab_to(page, "[aria-label='Play Hexapawn']")
    page.keyboard.press("Enter")
    player = Player(ann, Random(7), by_keyboard)
    player.play()
    expect(player.main).to_have_attribute("data-status", "finished")
    tab_to(page, "a[href^='#record=']")
    page.keyboard.press("Enter")
    expect(page.locator('main[data-page="replay"]')).to_be_visible()


def test_two_browsers_against_each_other(visit: Open, served: Served) -> None:
    """One makes the table, the other comes by the link and takes the open seat."""
    table, tokens = served.table("hexapawn", me("ann"), OPEN)
    ann, bob = visit(), visit()
    ann.go(f"/#table={table}&token={tokens[0]}")
    expect(ann.page.locator("main")).to_have_attribute("data-status", "open")
    assert tokens[0] not in ann.page.url, "a token does not stay in the address"
    bob.go(f"/#table={table}")
    bob.page.get_by_label("Your name").fill("bob")
    ann.shoot("table-waiting")
    bob.page.get_by_role("button", name="Take a seat").click()
    players = [Player(ann, Random(1)), Player(bob, Random(2))]
    expect(bob.page.locator("main")).to_have_attribute("data-me", "1")
    while players[0].asked():
        players[0].move()
        if players[1].asked():
            players[1].move()
    results = {player.page.locator("[data-result] h2").inner_text() for player in players}
    assert results == {"You won", "You lost"}
    assert all(player.moves for player in players)


def test_who_reloads_goes_on(visit: Open, served: Served) -> None:
    """The seat is kept by the browser: after a reload, and in another window of the same browser."""
    table, tokens = served.table("fish", me("ann"), house())
    ann = visit()
    ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(3))
    player.play(3)
    assert player.asked()
    before = ann.pieces()
    ann.page.reload()
    assert player.asked()
    expect(player.main).to_have_attribute("data-me", "0")
    assert ann.pieces() == before
    player.play()
    expect(player.main).to_have_attribute("data-status", "finished")
    assert served.get(f"/api/tables/{table}")["table"]["result"]["expelled"] == []

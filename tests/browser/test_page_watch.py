"""Spectators follow a table live, and nobody is told what another seat must keep secret."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from browser.goals import STAR, about, starred, true_goals, whispered
from browser.playing import Player
from browser.serving import house, me

if TYPE_CHECKING:
    from browser.serving import Served
    from browser.windows import Open


def test_a_spectator_follows_the_table(visit: Open, served: Served) -> None:
    """From the lobby to a table that runs: the same board after every move, and nothing to do there."""
    table, tokens = served.table("fish", me("ann"), house())
    ann, eve = visit(), visit()
    ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(4))
    player.play(1)
    eve.go()
    eve.page.locator(f'[data-table="{table}"]').click()
    seen = eve.page.locator('main[data-page="table"]')
    while player.asked():
        player.move()
        player.asked()
        expect(seen).to_have_attribute("data-turn", player.main.get_attribute("data-turn") or "")
        assert eve.pieces() == ann.pieces()
        assert eve.page.locator("[data-legal], [data-asked]").count() == 0
    expect(seen).to_have_attribute("data-status", "finished")
    expect(eve.page.locator("[data-result]")).to_have_text(ann.page.locator("[data-result]").inner_text())
    for name in ("Resign", "Hint"):
        expect(eve.page.get_by_role("button", name=name)).not_to_be_visible()
    eve.shoot("watching-fish")


def test_no_browser_is_told_what_others_are_after(visit: Open, served: Served) -> None:
    """Everything that each browser received is searched for the goals of the other seats."""
    options = {"rows": 7, "cols": 7, "goals": 7}
    table, tokens = served.table("labyrinth", me("ann"), me("bob"), options=options)
    ann, bob, eve = windows = [visit(), visit(), visit()]
    for window, token in zip(windows, (*tokens.values(), ""), strict=True):
        window.go(f"/#table={table}" + (f"&token={token}" if token else ""))
    players = [Player(ann, Random(5)), Player(bob, Random(6))]
    for _ in range(4):  # nobody can find nine treasures in that time, and go home
        for player in players:
            assert player.asked()
            player.move()
    eve.go("/#")  # the lobby, with a picture of the table
    picture = eve.page.locator(f'[data-table="{table}"] img').first
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    eve.go(f"/#table={table}")
    eve.page.locator("main[data-turn]").wait_for()
    told = [[*window.received()] for window in windows]
    early = [[*about(table, window.lines())] for window in windows]
    for player in players:  # who passes with everybody else ends the game
        assert player.asked()
        player.move(["pass"])
    for window in windows:
        expect(window.page.locator('main[data-status="finished"]')).to_be_visible()

    ever, last, secrets = true_goals(served.record(table))
    for seat, window in enumerate(windows):
        own = {goal for goal in ever if goal[0] == seat}
        assert starred(early[seat]) == own, "its own goals, all of them, and no other"
        assert [*whispered(early[seat], ever - own)] == []
        assert "sent_on" not in {event["kind"] for line in early[seat] for event in line.get("events", ())}
        assert not [url for url, data in told[seat] if any(secret in data for secret in secrets)]
        assert last <= starred(window.lines()), "at the end nothing is hidden"
    pictures = [data for url, data in told[2] if f"/api/tables/{table}/svg" in url]
    assert pictures
    assert not any(STAR.search(picture) for picture in pictures)
    assert STAR.search(served.ask("GET", f"/api/tables/{table}/svg")[1]), "now that it is over it has stars"
    ann.shoot("table-labyrinth-goals-shown")

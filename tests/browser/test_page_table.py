"""What a table offers besides moving: trying out, handing over, letting programs in, saying why."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.playing import Player, by_mouse, spot, text_of
from browser.serving import house, me

if TYPE_CHECKING:
    from browser.serving import Served
    from browser.windows import Open, Window

BOT = Path(__file__).parents[2] / "examples" / "bots" / "first.py"


def drawn(window: Window) -> dict[str, str]:
    """Every spot in words, without what can be done with it."""
    words: dict[str, str] = window.page.locator("[data-spot]").evaluate_all(
        "spots => Object.fromEntries(spots.map(s => [s.dataset.spot, s.getAttribute('aria-label')]))"
    )
    said = (", can be picked", ", can be moved", ", picked", ", in the last move")
    for key, text in words.items():
        for part in said:
            text = text.replace(part, "")
        words[key] = text
    return words


def test_a_push_is_tried_out_before_it_is_made(visit: Open, served: Served) -> None:
    """Labyrinth: push, look where one could walk, turn the spare, take it back; nothing has happened yet."""
    table, tokens = served.table("labyrinth", me("ann"), house(), options={})
    ann = visit()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(13))
    assert player.asked()
    legal, before = ann.now["you"]["legal"], drawn(ann)
    pushes = [{keys[1] for keys in legal if keys[0] == turn} for turn in ("90", "180")]
    push = min(pushes[0] & pushes[1])
    for place, key in enumerate(("90", push), 1):
        by_mouse(page, key)
        expect(spot(page, key)).to_have_attribute("data-picked", str(place))
    reach = {text_of(keys[2]) for keys in legal if keys[:2] == ["90", push]}
    assert {key for key in ann.offered() if "," in key} == reach
    assert drawn(ann) != before, "the board shows what the push would make of it"
    ann.shoot("labyrinth-tried-out")
    page.get_by_role("button", name="Turn the spare right").click()
    expect(spot(page, "180")).to_have_attribute("data-picked", "1")
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-picked]")).to_have_count(0)
    assert drawn(ann) == before
    expect(player.main).to_have_attribute("data-turn", "0")
    player.move()


def test_a_seat_is_played_in_one_window(visit: Open, served: Served) -> None:
    """Who opens a seat elsewhere goes on there; the old window says so, and can have it back."""
    table, tokens = served.table("hexapawn", me("ann"), house())
    here, there = visit(), visit()
    here.go(f"/#table={table}&token={tokens[0]}")
    Player(here, Random(14)).asked()
    there.go(f"/#table={table}&token={tokens[0]}")
    Player(there, Random(14)).play(1)
    expect(here.page.locator("[data-connection]")).to_contain_text("another window")
    here.page.get_by_role("button", name="Play it here").click()
    expect(there.page.locator("[data-connection]")).to_contain_text("another window")
    Player(here, Random(15)).play()
    expect(here.page.locator("main")).to_have_attribute("data-status", "finished")


def test_a_program_comes_in_by_the_line(visit: Open) -> None:
    """The line that is shown for a remote seat works as it is, but for the name of the program."""
    ann = visit()
    page = ann.go()
    page.get_by_role("button", name="New table").click()
    dialog = page.get_by_role("dialog", name="New table")
    dialog.get_by_label("Game", exact=True).select_option("hexapawn")
    dialog.get_by_label("Player 2", exact=True).select_option("A program")
    dialog.get_by_role("button", name="Make the table").click()
    key, touchline, *words = shlex.split(page.locator("[data-join-line]").inner_text())
    name, _, secret = key.partition("=")
    assert (name, touchline, words[-1]) == ("TOUCHLINE_KEY", "touchline", "mybot.py")
    command = [sys.executable, "-m", "touchline", *words[:-1], str(BOT)]
    program = subprocess.Popen(
        command, env={**os.environ, name: secret}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        Player(ann, Random(16)).play()
        expect(page.locator("[data-result]")).to_contain_text("You ")
        said, _ = program.communicate(timeout=20)
        assert program.returncode == 0, said
    finally:
        program.kill()
        program.communicate()


def test_the_log_says_why_somebody_is_out(visit: Open, served: Served) -> None:
    table, tokens = served.table("hexapawn", me("ann"), house(), clock={"seconds": 0.2})
    ann = visit()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    expect(page.locator('[data-event="faulted"][data-fault]')).to_contain_text("took too long (0.2 s)")
    expect(page.locator('[data-event="expelled"]')).to_contain_text("ann")
    expect(page.locator('[data-seat="0"]')).to_have_attribute("data-status", "expelled")
    expect(page.locator("[data-result]")).to_contain_text("You lost")
    ann.shoot("table-expelled")


NO_LIVE_SENDING = "Object.defineProperty(WebSocket.prototype, 'readyState', { get: () => WebSocket.CLOSED })"
"""A script that makes every connection of a page look closed to those who want to send."""


@pytest.mark.parametrize("connected", [True, False])
def test_moves_go_over_the_open_connection(visit: Open, served: Served, connected: bool) -> None:
    """Or as requests while there is none."""
    table, tokens = served.table("hexapawn", me("ann"), house())
    ann = visit()
    if not connected:
        ann.page.add_init_script(NO_LIVE_SENDING)
    posts: list[str] = []
    ann.page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    ann.go(f"/#table={table}&token={tokens[0]}")
    Player(ann, Random(17)).play(2)
    moves = [url for url in posts if url.endswith("/move")]
    verdicts = [line for line in ann.lines() if line["type"] == "heard"]
    assert (len(moves), len(verdicts)) == ((0, 2) if connected else (2, 0))

"""The server is killed and started again under open windows: they go on without a reload."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from browser.playing import Player, spot, text_of
from browser.serving import house, me, restartable
from browser.windows import PHONE, window

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from browser.serving import Restartable
    from browser.windows import Open, Window

RELOADED = "window.sameDocument === undefined"
OFFLINE = ("WebSocket connection to", "net::ERR_", "does not load")
"""What Chromium says on the console while there is no server."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Restartable]:
    with restartable(tmp_path) as running:
        yield running


@pytest.fixture
def windows(browser: Browser, server: Restartable, shots: Path) -> Iterator[Open]:
    """Windows that may complain of a server that is away."""
    with ExitStack() as opened:

        def new(**looks: Any) -> Window:
            one = opened.enter_context(window(browser, server.served, shots, **looks))
            opened.callback(_forgive, one)
            return one

        yield new


def _forgive(one: Window) -> None:
    one.complaints = [said for said in one.complaints if not any(words in said for words in OFFLINE)]


def marked(one: Window) -> Window:
    """Mark the document, so that a reload would be noticed."""
    one.page.evaluate("window.sameDocument = true")
    return one


def banner(one: Window, name: str) -> Any:
    return one.page.locator(f"[data-{name}]")


def pick_first(one: Window) -> str:
    """Begin a move, and return the spot that is picked."""
    key = min(text_of(keys[0]) for keys in one.now["you"]["legal"] if len(keys) > 1)
    spot(one.page, key).click()
    expect(spot(one.page, key)).to_have_attribute("data-picked", "1")
    return key


@pytest.mark.slow
def test_a_window_goes_on_after_a_restart(windows: Open, server: Restartable) -> None:
    """With its seat, its board and a move half made; a quiet note says what happened."""
    table, tokens = server.served.table("hexapawn", me("ann"), house("greedy"))
    ann = windows()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(21))
    player.play(1)
    assert player.asked()
    marked(ann)
    pieces, picked = ann.pieces(), pick_first(ann)
    server.kill()
    expect(banner(ann, "connection")).to_have_text("Connection lost; trying again …")
    assert ann.pieces() == pieces
    ann.shoot("restart-lost")
    server.start()
    expect(banner(ann, "restarted")).to_have_text("The server restarted; going on.")
    ann.shoot("restart-going-on")
    expect(banner(ann, "connection")).to_be_hidden()
    expect(spot(page, picked)).to_have_attribute("data-picked", "1")
    assert ann.pieces() == pieces
    expect(page.locator('[data-event="resumed"]')).to_have_text("The server restarted; going on")
    page.get_by_role("button", name="Undo").click()
    player.play()
    expect(banner(ann, "restarted")).to_be_hidden()
    expect(page.locator("main")).to_have_attribute("data-status", "finished")
    assert not page.evaluate(RELOADED)


@pytest.mark.slow
def test_a_move_that_is_made_while_the_server_is_away(windows: Open, server: Restartable) -> None:
    """It is sent when the server is back."""
    table, tokens = server.served.table("hexapawn", me("ann"), house("greedy"))
    ann = windows()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    assert Player(ann, Random(22)).asked()
    keys = [text_of(key) for key in ann.now["you"]["legal"][0]]
    server.kill()
    expect(banner(ann, "connection")).to_be_visible()
    for key in keys:
        spot(page, key).click()
    server.start()
    expect(page.locator('[data-event="moved"]').last).to_contain_text("ann ")
    Player(ann, Random(22)).play()
    expect(page.locator("main")).to_have_attribute("data-status", "finished")


LOOKS: list[tuple[str, dict[str, Any]]] = [
    ("light", {"color_scheme": "light"}),
    ("dark", {"color_scheme": "dark"}),
    ("phone", {"viewport": PHONE}),
]


@pytest.mark.slow
def test_everybody_sees_who_is_missing(windows: Open, server: Restartable) -> None:
    """Until the last of them is back; picks are kept meanwhile, and the lobby comes back, too."""
    table, tokens = server.served.table("fish", me("ann"), me("bob"), clock={"seconds": 600})
    ann, bob = windows(color_scheme="light"), windows()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    bob.go(f"/#table={table}&token={tokens[1]}")
    assert Player(ann, Random(23)).asked()
    watching = [(name, windows(**looks)) for name, looks in LOOKS]
    for _, one in watching:
        one.go(f"/#table={table}")
        expect(one.page.locator("[data-board]")).to_be_visible()
    lobby = windows()
    lobby.go()
    expect(lobby.page.locator(f'[data-table="{table}"]')).to_be_visible()
    expect(lobby.page.get_by_role("button", name="Play fish")).to_be_visible()
    server.kill()
    bob.go_away()
    expect(banner(lobby, "connection")).to_be_visible()
    for name, one in watching:
        expect(banner(one, "connection")).to_be_visible()
        one.shoot(f"restart-lost-{name}")
    server.start()
    waiting = "The server restarted; waiting for bob to come back …"
    for name, one in [*watching, ("seat", ann)]:
        expect(banner(one, "restarted")).to_have_text(waiting)
        expect(one.page.locator(".status")).to_have_text("Waiting for bob to come back")
        expect(one.page.locator('[data-seat="1"]')).to_have_attribute("data-status", "away")
        one.shoot(f"restart-missing-{name}")
    expect(page.locator("main")).not_to_have_attribute("data-asked", "")
    expect(banner(lobby, "connection")).to_be_hidden()
    bob.go(f"/#table={table}&token={tokens[1]}")
    for name, one in [*watching, ("seat", ann)]:
        expect(banner(one, "restarted")).to_have_text("The server restarted; going on.")
        one.shoot(f"restart-back-{name}")
    Player(ann, Random(23)).play(1)

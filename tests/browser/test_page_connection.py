"""The page never lies about itself: lost connections, tables that are gone, workers that die."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.playing import Player
from browser.serving import OPEN, house, me, restartable
from browser.windows import window

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from browser.serving import Served
    from browser.windows import Open, Window

OFFLINE = ("WebSocket connection to", "net::ERR_")
"""What Chromium says on the console while there is no network."""


def forgive(one: Window) -> None:
    one.complaints = [said for said in one.complaints if not any(words in said for words in OFFLINE)]


@pytest.mark.slow
def test_a_network_that_drops_and_returns(visit: Open, served: Served) -> None:
    """The page says so at once, says when it is back, and what the server did not answer is gone with it."""
    table, tokens = served.table("hexapawn", me("ann"), house())
    ann = visit()
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    assert Player(ann, Random(1)).asked()
    page.context.set_offline(True)
    note = page.locator("[data-connection]")
    expect(note).to_contain_text("trying again")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.context.set_offline(False)
    expect(note).to_have_text("Connected again.")
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(note).to_be_hidden()
    expect(page.locator("main")).to_have_attribute("data-link", "live")
    Player(ann, Random(1)).play(1)
    forgive(ann)


@pytest.mark.slow
def test_a_table_that_is_gone(browser: Browser, shots: Path) -> None:
    """A server without records was started again: nothing of the table is live, and there is a way on."""
    with restartable(None) as server, window(browser, server.served, shots) as ann:
        table, tokens = server.served.table("hexapawn", me("ann"), house())
        page = ann.go(f"/#table={table}&token={tokens[0]}")
        assert Player(ann, Random(2)).asked()
        expect(page).to_have_title(re.compile("^● Your turn"))
        server.kill()
        expect(page.locator("[data-connection]")).to_be_visible()
        server.start()
        expect(page.locator("main")).to_have_attribute("data-status", "gone")
        expect(page.locator("[data-gone]")).to_contain_text("This table is gone")
        expect(page).not_to_have_title(re.compile("Your turn"))
        expect(page.locator("[data-connection]")).to_be_hidden()
        expect(page.locator("[data-legal]")).to_have_count(0)
        for name in ("Hint", "Resign", "Take back"):
            expect(page.get_by_role("button", name=name)).to_have_count(0)
        ann.shoot("table-gone")
        page.get_by_role("link", name="To the lobby").click()
        expect(page.locator('main[data-page="lobby"]')).to_be_visible()
        forgive(ann)


@pytest.mark.slow
def test_a_link_to_a_game_of_before_a_restart(browser: Browser, shots: Path, tmp_path: Path) -> None:
    """It says that the game is over, and leads to its record."""
    with restartable(tmp_path) as server, window(browser, server.served, shots) as ann:
        table, tokens = server.served.table("hexapawn", me("ann"), house())
        server.served.resign(table, tokens[0])
        server.served.table("hexapawn", me("ann"), OPEN)  # for its sake the server takes its old port
        record = server.served.get(f"/api/tables/{table}")["table"]["record"]
        server.kill()
        server.start()
        page = ann.go(f"/#table={table}")
        expect(page.locator("[data-gone]")).to_contain_text("This game is over, and its table was put away.")
        ann.shoot("table-of-before-a-restart")
        expect(page.get_by_role("link", name="Open what was recorded")).to_have_attribute(
            "href", f"#record={record}"
        )
        forgive(ann)


def workers_of(server: int) -> list[int]:
    """The processes that a server has started, as the system lists them."""
    lists = Path(f"/proc/{server}/task").glob("*/children")
    return [int(child) for listed in lists for child in listed.read_text().split()]


@pytest.mark.slow
def test_a_worker_that_dies_while_the_house_thinks(browser: Browser, shots: Path) -> None:
    """The move is thought out again elsewhere; the page shows no fault, and the game goes on."""
    with restartable(None) as server, window(browser, server.served, shots) as ann:
        slow = house("mcts", seconds=3.0)
        table, tokens = server.served.table("hexapawn", me("ann"), slow)
        page = ann.go(f"/#table={table}&token={tokens[0]}")
        player = Player(ann, Random(3))
        player.play(1)
        expect(page.locator('[data-seat="1"]')).to_have_attribute("data-status", "thinking")
        page.wait_for_timeout(500)
        killed = workers_of(server.pid)
        assert killed
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        assert player.asked()
        expect(page.locator("main")).to_have_attribute("data-status", "running")
        expect(page.locator("[data-fault]")).to_have_count(0)
        player.play(1)

"""The main path in Debian's Firefox: the lobby, a whole game by mouse, its end and its replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.conftest import missing
from browser.firefox import firefox, firefox_path
from browser.serving import house, me

if TYPE_CHECKING:
    from pathlib import Path

    from browser.firefox import FirefoxPage
    from browser.serving import Served

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
ASKED_OR_OVER = "main[data-asked], main[data-status=finished]"
PASS = '[data-legal="next"][data-spot="pass"]'
PICK = '[data-legal="next"]:not([data-spot="pass"])'


@pytest.fixture
def program() -> str:
    found = firefox_path()
    if found is None:
        missing("there is no Firefox: apt-get install firefox-esr")
    return found


def play(page: FirefoxPage) -> int:
    """Pick the first offered spot again and again until the match is over; return the number of moves."""
    moves = 0
    while True:
        page.wait_for(ASKED_OR_OVER)
        if page.evaluate("document.querySelector('main').dataset.status") == "finished":
            return moves
        turn = page.evaluate("document.querySelector('main').dataset.turn")
        there = f"main[data-turn='{turn}'][data-asked]"
        while page.evaluate(f'document.querySelector("{there} [data-legal=next]") !== null'):
            can_move = page.evaluate(f"document.querySelector('{PICK}') !== null")
            page.click(PICK if can_move else PASS)
        moves += 1
        page.wait_for(f"main:not([data-turn='{turn}']), main[data-status=finished]")


@pytest.mark.parametrize("game", ["hexapawn", "fish", "labyrinth"])
def test_a_whole_game_in_firefox(game: str, program: str, served: Served, tmp_path: Path) -> None:
    """Firefox shows the lobby, plays a game to its end without an error, and replays it."""
    table, tokens = served.table(game, me("Ann"), house("random"))
    with firefox(program, served.url, tmp_path) as page:
        page.go("/")
        page.wait_for('main[data-page="lobby"]')
        page.go(f"/#table={table}&token={tokens[0]}")
        assert play(page) > 0
        record = served.get(f"/api/tables/{table}")["table"]["record"]
        page.go(f"/#record={record}")
        page.wait_for('main[data-page="replay"] [data-spot]')
        page.shoot(tmp_path / "replay.png")

"""Draw the pictures of the full screen in docs/pictures: play some moves, and export the screen.

Run it with `.venv/bin/python scripts/_terminal_pictures.py` after a change of the screen, and look at them.
"""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline.cli._desk import adviser_of
from touchline.core import registry
from touchline.matches.fixture import fixture
from touchline.players.by_name import player
from touchline.records.match_log import MatchLog
from touchline.terminal.desk import ScreenDesk
from touchline.terminal.play_view import PlayView
from touchline.terminal.step_view import StepView

if TYPE_CHECKING:
    from textual.app import App
    from textual.pilot import Pilot

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)
"""The exported style loads fonts from elsewhere; a picture must stand on its own."""
SCENES = {
    "terminal-hexapawn": ("hexapawn", {"rows": 4, "cols": 4}, 1, ["right", "enter"]),
    "terminal-fish": (
        "fish",
        {},
        4,
        ["enter", "TURN", "down", "enter", "TURN", "right", "enter", "TURN", "h"],
    ),
    "terminal-labyrinth": ("labyrinth", {}, 4, ["2", "down", "right", "enter"]),
}


async def _settled(view: PlayView, pilot: Pilot[None]) -> None:
    while view.question is None or view.note.startswith("asking"):
        await pilot.pause(0.1)
    await pilot.pause(2)


async def _scene(name: str, game: str, options: dict[str, Any], seed: int, keys: list[str]) -> None:
    rules = registry.game(game, options)
    desk = ScreenDesk(rules, 1, adviser_of(game), lambda: f"see `touchline rules {game}`")

    def make(word: str, *given: Any, **more: Any) -> Any:
        return desk.person() if word == "human" else player(word, *given, **more)

    match = fixture(rules, ["human", "greedy"], make=make, names=["Ann", "greedy"])
    thread = threading.Thread(target=desk._play, args=(lambda: match.play(seed, [desk.see]),))
    assert isinstance(desk.view, PlayView)
    async with desk.view.run_test(size=(80, 24)) as pilot:
        thread.start()
        await _settled(desk.view, pilot)
        for key in keys:
            if key == "TURN":
                await _settled(desk.view, pilot)
            else:
                await pilot.press(key)
        await _settled(desk.view, pilot)
        _export(name, desk.view)
        desk._left.set()
        thread.join()


async def _stepping() -> None:
    rules = registry.game("fish")
    log = MatchLog(rules)
    fixture(rules, ["greedy", "random"]).play(4, [log.see])
    view = StepView(rules, log, at=12)
    async with view.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.5)
        _export("terminal-step", view)


def _export(name: str, view: App[None]) -> None:
    drawn = FONT.sub("", view.export_screenshot(title="touchline"))
    lines = "\n".join(line.rstrip() for line in drawn.splitlines())
    (PICTURES / f"{name}.svg").write_text(lines + "\n")


async def _all() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, (game, options, seed, keys) in SCENES.items():
        await _scene(name, game, options, seed, keys)
    await _stepping()


if __name__ == "__main__":
    asyncio.run(_all())

"""A match at the full screen without a terminal: Textual's pilot presses the keys."""

from __future__ import annotations

import threading
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.matches.fixture import fixture
from touchline.players.by_name import PERSON, player
from touchline.records.recording import Recording
from touchline.terminal.desk import ScreenDesk
from touchline.terminal.play_view import PlayView

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from touchline.matches.result import MatchResult

PATIENCE = 45
"""Seconds to wait for something, on a machine that does much else."""
SMALL = {"rows": 3, "cols": 3}


class Sitting:
    """A match that is played at a screen, in another thread."""

    def __init__(self, desk: ScreenDesk, pilot: Pilot[None]) -> None:
        self.desk, self.pilot = desk, pilot
        assert isinstance(desk.view, PlayView)
        self.view: PlayView = desk.view

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait until something holds."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, self.view.status().plain
            await self.pilot.pause(0.01)

    async def turn(self) -> None:
        """Wait until the person is asked, and the cursor is on a spot."""
        await self.until(lambda: self.view.question is not None and self.view.cursor is not None)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    @property
    def status(self) -> str:
        return self.view.status().plain

    @property
    def result(self) -> MatchResult | None:
        return self.desk._result


@asynccontextmanager
async def sitting(
    game: str = "hexapawn",
    words: tuple[str, ...] = (PERSON, "greedy"),
    *,
    options: dict[str, Any] | None = None,
    seconds: float | None = None,
    size: tuple[int, int] = (80, 24),
    record: Path | None = None,
    advise: Callable[[Any], str] = lambda view: "play the first one",
) -> AsyncIterator[Sitting]:
    """Seat people at a screen; the match begins at once."""
    rules = registry.game(game, SMALL if options is None else options)
    desk = ScreenDesk(rules, words.count(PERSON), advise, lambda: "see the book")

    def make(word: str, *given: Any, **more: Any) -> Any:
        return desk.person() if word == PERSON else player(word, *given, **more)

    match = fixture(rules, words, make=make, seconds=seconds)

    def play() -> MatchResult:
        return match.play(1, [desk.see], Recording(record, prompt=True))

    thread = threading.Thread(target=desk._play, args=(play,))
    async with desk.view.run_test(size=size) as pilot:
        thread.start()
        try:
            yield Sitting(desk, pilot)
        finally:
            desk._left.set()
            thread.join(PATIENCE)
    assert not thread.is_alive()

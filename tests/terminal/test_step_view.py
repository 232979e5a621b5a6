"""Stepping through a record at the full screen."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import touchline
from touchline.records.match_log import log_of
from touchline.terminal.step_view import StepView

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


class Lost:
    """Answers nonsense at its second turn."""

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[0] if turn < 2 else "where am I?"


def test_forwards_backwards_and_the_reason_of_a_fault(tmp_path: Path) -> None:
    """The board, the move and its spots follow the steps; a fault says why."""
    touchline.play("hexapawn", [Lost(), "random"], seed=1, record=tmp_path / "m.jsonl")
    log = log_of(touchline.read_record(tmp_path / "m.jsonl"))

    async def run() -> None:
        view = StepView(log.game, log)
        async with view.run_test(size=(80, 24)) as pilot:
            assert view.at == 0
            await pilot.press("right")
            assert view.shown()[0] == log.entries[1].state
            assert view.board.lights.marked == log.entries[1].keys == ((0, 0), (1, 0))
            assert "Lost (red): 0,0 → 1,0" in view.status().plain
            await pilot.press("left")
            assert view.at == 0
            fault = next(at for at, entry in enumerate(log.entries) if entry.fault)
            await pilot.press(*["right"] * fault)
            said = view.status().plain
            assert "fault: Lost (red) sent something that cannot be read and was removed: choose()" in said
            await pilot.press("end", "right")
            assert view.at == len(log.entries) - 1
            assert "random (blue) won" in view.status().plain
            await pilot.press("home", "pagedown")
            assert view.at == min(10, len(log.entries) - 1)

    asyncio.run(run())


def test_it_goes_on_by_itself(tmp_path: Path) -> None:
    """After Space, at the chosen pace, to the end."""
    touchline.play("hexapawn", ["random", "random"], seed=1, record=tmp_path / "m.jsonl")
    log = log_of(touchline.read_record(tmp_path / "m.jsonl"))

    async def run() -> None:
        view = StepView(log.game, log, at=len(log.entries) - 4)
        async with view.run_test() as pilot:
            await pilot.press("plus", "plus")
            while view.at < len(log.entries) - 1:
                await pilot.pause(0.02)

    asyncio.run(run())

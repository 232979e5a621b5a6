"""A player's coroutines are awaited, in this process, as a program, and where it joins a server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import touchline
from server.rooms import run
from touchline.bots.euclid import Euclid
from touchline.core import registry
from touchline.dialects.labyrinth_tasks import ByChoice
from touchline.drivers.event_loop import play
from touchline.drivers.match import agreed
from touchline.players.by_name import in_dialect
from touchline.players.coroutines import CoroutinePlayer

if TYPE_CHECKING:
    from pathlib import Path

MAZE = registry.game("labyrinth", {"rows": 3, "cols": 5})


class Thinks(ByChoice):
    """The note's player, whose tasks take a moment."""

    def __init__(self, ends: list[Any]) -> None:
        super().__init__(Euclid())
        self.ends = ends

    async def RequestMove(self, timeout: int) -> Any:  # noqa: N802, ASYNC109
        await asyncio.sleep(0.001)
        return super().RequestMove(timeout)

    async def NotifyGameOver(self, winner: Any) -> None:  # type: ignore[override]  # noqa: N802
        await asyncio.sleep(0)
        self.ends.append(winner["name"])


def test_in_this_process() -> None:
    """At a table, whose own loop runs meanwhile."""
    ends: list[Any] = []
    spec = agreed(MAZE, ["ann", "bob"], seed=1)
    player = in_dialect(Thinks(ends), "seed-003", MAZE, 1)
    result = run(play(spec, [player, Euclid()]))
    assert result.verdict == "finished"
    assert not result.faults
    assert result.outcome is not None
    assert ends == [spec.names[0 if 0 in result.outcome.winners else 1]]


PLAYER = """
import asyncio

class Passes:
    async def RequestMove(self, timeout):
        await asyncio.sleep(0.001)
        return None
"""


def test_as_a_program(tmp_path: Path) -> None:
    """A class with nothing but what it must have."""
    (tmp_path / "passes.py").write_text(PLAYER)
    word = f"seed-003+{tmp_path / 'passes.py'}"
    done = touchline("play", "labyrinth", word, word, "--seed", "1", "--rows", "3", "--cols", "5", "--strict")
    assert done.returncode == 0, done.stderr
    assert "everybody passed" in done.stdout


class Async:
    """Has all kinds of methods."""

    kind = "a player"

    async def fails(self) -> None:
        await asyncio.sleep(0)
        raise KeyError("no such move")

    def later(self) -> Any:
        return self.answer(7)

    async def answer(self, number: int) -> int:
        await asyncio.sleep(0)
        return number + 1


def test_what_is_awaited() -> None:
    """A coroutine function, and a method that returns a coroutine; attributes are the player's own."""
    player = CoroutinePlayer(Async())
    assert (player.answer(1), player.later(), player.kind) == (2, 8, "a player")
    with pytest.raises(KeyError):
        player.fails()
    player.kind = "another"
    assert player._player.kind == "another"
    assert not hasattr(player, "choose")

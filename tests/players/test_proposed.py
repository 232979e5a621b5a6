"""Seed 004 asks for a board in every way of playing, and the match is played on one that was proposed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from server.rooms import UNHURRIED, Last
from touchline.core import registry
from touchline.core.events import Begun
from touchline.drivers.lineup import Lineup
from touchline.drivers.match import agreed
from touchline.players.by_name import in_dialect
from touchline.players.process import Program

if TYPE_CHECKING:
    from touchline.core.events import Event

MAZE = registry.game("labyrinth", {"rows": 3, "cols": 5})
GEMS = ("ruby", "beryl", "zircon", "garnet", "jasper")


def board() -> Any:
    """A board of crossings, three by five."""
    pairs = [(one, other) for at, one in enumerate(GEMS) for other in GEMS[at:]]
    tiles = [{"pathways": ["UP", "DOWN", "LEFT", "RIGHT"], "gems": pair} for pair in pairs[:15]]
    return [tiles[start : start + 5] for start in range(0, 15, 5)]


class Proposes:
    """The note's player, which proposes a board and always passes."""

    def ProposeBoard(self, rows: int, columns: int) -> Any:  # noqa: N802
        assert (rows, columns) == (3, 5)
        return board()

    def TakeTurn(self, projection: Any) -> Any:  # noqa: N802
        return None


class Raises(Proposes):
    def ProposeBoard(self, rows: int, columns: int) -> Any:  # noqa: N802
        raise KeyError("no board")


PROGRAM = """
import json, sys
for line in sys.stdin:
    name, arguments = json.loads(line)
    answers = {{"ProposeBoard": {board}, "TakeTurn": None}}
    print(json.dumps(answers.get(name, "void")), flush=True)
"""


def played(*players: Any) -> tuple[Any, Any]:
    """Play a match of these, and return what was agreed and what came of it."""
    events: list[Event] = []
    words = ["seed-004+x" if not hasattr(player, "choose") else "x" for player in players]
    waiting = iter(players)
    lineup = Lineup(words, range(len(players)), lambda word, game, seed, seats: next(waiting))
    spec = agreed(MAZE, [f"p{seat}" for seat in range(len(players))], seed=1, limits=UNHURRIED)
    result = lineup.play(lineup.fill(spec), [events.append])
    assert isinstance(events[0], Begun)
    return events[0], result


def proposer(way: str) -> Any:
    if way == "here":
        return in_dialect(Proposes(), "seed-004", MAZE, 1)
    script = PROGRAM.format(board=msgspec.json.encode(board()).decode())
    return Program([sys.executable, "-c", script])


@pytest.mark.parametrize("way", ["here", "program"])
def test_the_board_is_the_proposed_one(way: str) -> None:
    """Beside a house player, which is not asked."""
    begun, result = played(proposer(way), Last())
    assert result.verdict == "finished"
    assert not result.faults
    assert [proposal is not None for proposal in begun.proposals] == [True, False]
    assert {*"".join(begun.proposals[0].connectors)} == {"┼"}


def test_who_fails_to_propose_does_not_sit_down() -> None:
    """It is refused for being gone, and the other is not harmed."""
    failing = in_dialect(Raises(), "seed-004", MAZE, 1)
    begun, result = played(failing, proposer("here"))
    assert [(one.seat, one.offence.value) for one in begun.refused] == [(0, "gone")]
    assert "KeyError" in begun.refused[0].why
    assert result.expelled == (0,)
    assert {fault.seat for fault in result.faults} == {0}

"""What the drivers hand to players, for `check_leaks`: both make rows of moves without asking the referee.

The bots of `play_now` and remote players on the event loop are asked on the fast lane, where the driver and
not the referee makes the view. The same moves are made in two worlds, as long as these look the same.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.events import Moved
from touchline.core.rules import IllegalMove
from touchline.drivers.event_loop import play
from touchline.drivers.match import agreed, play_now
from touchline.players.remote import Remote
from touchline.testing import virtual_time
from touchline.testing.game_check import CheckFailed
from touchline.testing.leak_worlds import alike, starting_with
from touchline.transports.shared.buffered import BufferedConnection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Event, Result
    from touchline.core.rules import Game, Seat, State
    from touchline.dialects.base import Dialect, Face
    from touchline.drivers.match import MatchSpec
    from touchline.testing.leak_matches import Script

NAMES = ("anna", "bert", "carla", "dora", "emil", "fred", "gina", "hugo", "ines", "jan")


def common_moves(script: Script, one: State, other: State, seat: Seat, most: int) -> list[Any]:
    """Return the moves that can be made while two worlds look the same to a seat."""
    moves: list[Any] = []
    while len(moves) < most:
        move = script.move(len(moves), one)
        try:
            other.check(move)
        except IllegalMove:
            break
        one, other = one.play(move), other.play(move)
        if not alike(one, other, seat):
            break
        moves.append(move)
    return moves


def check_honest(result: Result | None, where: str, turns: int | None = None) -> None:
    """Raise CheckFailed if a match without offences broke off: too little would be compared."""
    if result is None or result.faults or (turns is not None and result.turns != turns):
        raise CheckFailed(f"{where}: a match without offences broke off: {result}")


def _spec(game: Game, start: State, moves: Sequence[Any], seats: int) -> MatchSpec:
    """Return the terms of a match that ends, as void, after these moves."""
    return agreed(starting_with(game, start), NAMES[:seats], seed=1, nonce="1", turn_cap=len(moves))


class _Logging:
    """A bot that keeps what it is handed, and plays the moves of a script."""

    def __init__(self, moves: Sequence[Any], log: list[tuple[Seat, bytes]]) -> None:
        self._moves, self._log = moves, log

    def choose(self, view: Any, turn: int = 0) -> Any:
        self._log.append((view.to_move, msgspec.json.encode(view.position()) + repr(view).encode()))
        return self._moves[turn]


def handed_to_bots(game: Game, start: State, moves: Sequence[Any], seats: int) -> list[tuple[Seat, bytes]]:
    """Return what bots in this process are handed while they make these moves."""
    log: list[tuple[Seat, bytes]] = []
    result = play_now(_spec(game, start, moves, seats), [_Logging(moves, log) for _ in range(seats)])
    check_honest(result, "bots in this process", len(moves))
    return log


# -- on the event loop ----------------------------------------------------------------------------


class _Scripted:
    """A player that makes the next move of a script; it counts the moves that it observes."""

    def __init__(self, moves: Sequence[Any]) -> None:
        self._moves, self._made = moves, 0

    def choose(self, view: Any, turn: int = 0) -> Any:
        return self._moves[self._made]

    def see(self, event: Event) -> None:
        self._made += isinstance(event, Moved)


class _Wire(BufferedConnection):
    """A connection to a face on the same event loop, which keeps what is sent."""

    latency: Micros = 0
    where = "check_leaks"
    taken = True

    def __init__(self, seat: Seat, face: Face, log: list[tuple[Seat, bytes]]) -> None:
        super().__init__()
        self._seat, self._face, self._log = seat, face, log

    def send(self, frame: bytes) -> None:
        self._log.append((self._seat, frame))
        answers = self._face.hear(frame)
        asyncio.get_running_loop().call_soon(self.deliver, answers)

    def measure(self) -> None:
        """Do nothing: there is no network."""

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True


def sent_on_loop(
    kind: type[Dialect], game: Game, start: State, moves: Sequence[Any], seats: int
) -> list[tuple[Seat, bytes]]:
    """Return the frames that the event loop's driver sends to remote players who make these moves."""
    log: list[tuple[Seat, bytes]] = []
    player = _Scripted(moves)

    async def main() -> Result:
        players = [Remote(_Wire(seat, kind.face(player), log), kind(game)) for seat in range(seats)]
        return await play(_spec(game, start, moves, seats), players, [player.see])

    check_honest(virtual_time.run(main()), f"{kind.name} on the event loop", len(moves))
    return log

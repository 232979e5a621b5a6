"""Small tables for matches between honest players and others, and what a match at one of them left behind."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import encode
from touchline.drivers import event_loop
from touchline.drivers.match import MatchSpec, agreed
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.records.replay import Replay
from touchline.testing import virtual_time
from touchline.testing.rogues import Script, answer, seated
from touchline.testing.scripts import Read, Write

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.conduct import Conduct, Offence
    from touchline.core.events import Event, Result
    from touchline.core.rules import Game
    from touchline.drivers.match import Bot
    from touchline.players.base import Player

TABLES: dict[str, tuple[Game, int]] = {
    "hexapawn": (Hexapawn(rows=4, cols=4), 2),
    "fish": (Fish(rows=4, cols=4), 3),
    "labyrinth": (Labyrinth(rows=3, cols=5), 2),
}
"""A small board of every game, and how many sit at it."""


def tired() -> Script:
    """An honest player that makes the last legal move, which ends a game of Labyrinth soonest: it passes."""
    game = yield from seated()
    while True:
        said = yield Read()
        if said["type"] == "your_turn":
            view = game.restore(msgspec.convert(said["position"], game.Position))
            yield Write(answer(said["turn"], view.legal_moves()[-1]))


SECOND = Limits(set_up=micros(5), clock=Clock(per_move=micros(1)))


class Match(NamedTuple):
    """A match that was played."""

    result: Result
    events: list[Event]

    @property
    def record(self) -> bytes:
        return b"".join(encode(event) + b"\n" for event in self.events)

    def verify(self) -> None:
        Replay(self.record, "this match").verify()

    def offences(self, seat: int) -> list[Offence]:
        return [fault.offence for fault in self.result.faults if fault.seat == seat]

    def unharmed(self, seat: int) -> bool:
        """Nobody blames this seat for anything."""
        return not self.offences(seat) and seat not in self.result.expelled


def terms(
    game: Game, seats: int, conduct: Conduct = COURSE, limits: Limits = SECOND, **others: Any
) -> MatchSpec:
    names = [f"player {seat}" for seat in range(seats)]
    return agreed(game, names, 1, nonce="", conduct=conduct, limits=limits, **others)


def played(
    spec: MatchSpec,
    players: Sequence[Bot | Player],
    before: Callable[[virtual_time.VirtualLoop], None] | None = None,
) -> Match:
    """A match in virtual time; its record must prove itself, and no task may be left."""
    events: list[Event] = []

    async def whole() -> Result:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, virtual_time.VirtualLoop)
        if before is not None:
            before(loop)
        result = await event_loop.play(spec, players, [events.append])
        await asyncio.sleep(0)  # what was called off needs a moment to end
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        assert not left, "every task ends with the match"
        return result

    match = Match(virtual_time.run(whole()), events)
    match.verify()
    return match

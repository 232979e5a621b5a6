"""Matches in virtual time in which one seat sends mutants and all others are honest."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

from dialects.mutant_moments import Setting, boards, valid
from players.tables import Match
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Conduct, ladder
from touchline.drivers import event_loop
from touchline.drivers.match import agreed
from touchline.players.remote import Remote
from touchline.testing import virtual_time
from touchline.testing.hostile.player import DialectPlayer, Script, honest
from touchline.testing.mutants import NAMES, Mutants
from touchline.testing.scripts import Read, ScriptedConnection, Write

if TYPE_CHECKING:
    from touchline.core.events import Event

LENIENT = Conduct(
    name="lenient",
    illegal=ladder("retry 40", "random", counted="turn"),
    late=ladder("random"),
    gone=ladder("expel"),
    out_of_turn=ladder("retry 100", "random", counted="turn"),
)
"""Nobody is expelled for what it says while it plays: so it can say a lot."""
LIMITS = Limits(set_up=micros(20), clock=Clock(per_move=micros(1)))
DEEP_PIPE = 1 << 30
"""The one that sends mutants need not keep up with what it is told about them."""


class Quick(DialectPlayer):
    """A player that does not think twice about the same question."""

    _view: Any = None
    _move: Any = None

    def choose(self, view: Any, turn: int) -> Any:
        if view != self._view:
            self._view, self._move = view, super().choose(view, turn)
        return self._move


class Sender:
    """What the one does that sends mutants, and how many it has sent."""

    def __init__(self, setting: Setting, seed: str) -> None:
        self._rng, self._speaker = Random(seed), Quick(setting.dialect)
        self._mutants = Mutants(valid(setting).answers, seed)
        self.bold = self._rng.random() < 0.05
        """Whether it sends mutants before it sits, which costs it its seat."""
        self.sent = 0

    def script(self) -> Script:
        """Mostly mutants, in place of an answer and out of turn; now and then what is right."""
        answer, rng = b"", self._rng
        while True:
            frame = yield Read()
            answer = self._speaker.hear(frame) or (answer if b"rejectMove" in frame else b"")
            seated = self.bold or self._speaker.questions > 0
            if seated and rng.random() < (0.9 if answer else 0.1):
                for _ in range(rng.choice((1, 1, 1, 1, 2, 5))):
                    self.sent += 1
                    yield Write(self._mutants.of(answer.rstrip(b"\n")) if answer else next(self._mutants))
            else:
                for line in answer.splitlines():
                    yield Write(line)


class Messages(ScriptedConnection):
    """What is written at once is a message of its own, as on a WebSocket."""

    def _written(self, data: bytes) -> None:
        self.deliver([data])


class Stream(ScriptedConnection):
    """What is written are bytes of a stream, in which a line ends behind it."""

    def _written(self, data: bytes) -> None:
        super()._written(data + b"\n")


def played(setting: Setting, number: int, way: type[ScriptedConnection]) -> tuple[Match, int, int]:
    """A match, at which seat the mutants were sent, and how many of them."""
    game, seats = boards(setting.table)[0]
    module, rogue = registry.dialect(setting.dialect), number % seats
    sender = Sender(setting, f"{setting} {number} {way.__name__}")
    events: list[Event] = []

    async def whole() -> Match:
        framing = module.framing
        connections = [
            way(sender.script(), DEEP_PIPE, framing, bytes)
            if seat == rogue
            else ScriptedConnection(honest(DialectPlayer(setting.dialect)), framing=framing, decode=bytes)
            for seat in range(seats)
        ]
        players = [Remote(connection, module(game)) for connection in connections]
        spec = agreed(game, NAMES[:seats], number, conduct=LENIENT, limits=LIMITS)
        result = await event_loop.play(spec, players, [events.append])
        for connection in connections:
            connection.close()
        await asyncio.sleep(0)
        return Match(result, events)

    return virtual_time.run(whole()), rogue, sender.sent


def campaign(setting: Setting, count: int, first: int = 0, way: type[ScriptedConnection] = Messages) -> int:
    """Matches until so many mutants were sent: each ends, counts, and blames nobody but the sender."""
    sent, number, most = 0, first, first + 50 + count
    while sent < count:
        match, rogue, more = played(setting, number, way)
        assert match.result.verdict != "void", (number, match.result.reason)
        honest = [seat for seat in range(boards(setting.table)[0][1]) if seat != rogue]
        assert all(match.unharmed(seat) for seat in honest), (number, match.result.faults)
        assert not set(honest) & set(match.result.resigned)
        if number % 10 == 0:
            match.verify()
        sent, number = sent + more, number + 1
        assert number < most, "hardly anything is sent"
    return number - first

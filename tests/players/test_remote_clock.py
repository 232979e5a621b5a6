"""The clock of a remote player: not reading, hanging up and coming back neither stop nor reset it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.events import Event, Faulted, Moved, encode
from touchline.drivers.event_loop import AsyncMatch
from touchline.drivers.match import agreed
from touchline.games.hexapawn import Hexapawn
from touchline.players.remote import CLOCK_LIMIT, WRITE_LIMIT, Remote
from touchline.records.replay import Replay
from touchline.testing import virtual_time
from touchline.transports.shared.buffered import BufferedConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from touchline.core.events import Result

GAME = Hexapawn(rows=3, cols=3)
THINKING = 10.0
"""Seconds for a move."""


class Line(BufferedConnection):
    """A connection whose other side reads, or does not."""

    latency = 0
    where = "here"

    def __init__(self, *, reads: bool = True) -> None:
        super().__init__()
        self.taken = reads
        self.sent: list[Any] = []

    def send(self, frame: bytes) -> None:
        self.sent.append(msgspec.json.decode(frame))

    def measure(self) -> None:
        """There is no wire."""

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True

    def say(self, value: object) -> None:
        self.deliver([msgspec.json.encode(value)])

    def hang_up(self) -> None:
        self.fail("lost", "hung up")


def act(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a legal answer to `your_turn`."""
    view = GAME.restore(msgspec.convert(asked["position"], GAME.Position))
    return {"type": "act", "turn": asked["turn"], "move": msgspec.to_builtins(view.legal_moves()[0])}


class Asked:
    """A match whose first seat is asked for a move over a connection that it does not read."""

    def __init__(self) -> None:
        self.line, self.other = Line(), Line()
        self.remote = Remote(self.line, registry.dialect("native")(GAME), patience=600)
        opponent = Remote(self.other, registry.dialect("native")(GAME))
        self.events: list[Event] = []
        limits = Limits(set_up=micros(60), clock=Clock(micros(THINKING)))
        spec = agreed(GAME, ["ann", "bob"], 1, conduct=COURSE, limits=limits)
        self.over: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.match = AsyncMatch(spec, [self.remote, opponent], [self.events.append], self.over.set_result)
        self.match.open()
        self.other.say({"type": "ready"})
        self.line.taken = False
        self.line.say({"type": "ready"})

    def come_back(self, *, reads: bool = False) -> Line:
        self.line = Line(reads=reads)
        self.remote.come_back(self.line)
        return self.line


async def never_returns(asked: Asked) -> None:
    """Hang up unread, and stay away."""
    await asyncio.sleep(1)
    asked.line.hang_up()


async def returns_late(asked: Asked) -> None:
    """Hang up unread, and return after the whole time for a move."""
    await asyncio.sleep(1)
    asked.line.hang_up()
    await asyncio.sleep(THINKING - 0.5)
    again = asked.come_back(reads=True).sent[-1]
    assert again["type"] == "your_turn"
    assert again["milliseconds"] <= 500


async def comes_and_goes(asked: Asked) -> None:
    """Hang up and return again and again, each time before it counts as not reading."""
    while not asked.over.done():
        await asyncio.sleep(WRITE_LIMIT - 0.5)
        asked.line.hang_up()
        asked.come_back()


async def replaces_its_connection(asked: Asked) -> None:
    """Return again and again over a new connection while the old one is open, and read none."""
    while not asked.over.done():
        await asyncio.sleep(WRITE_LIMIT - 0.5)
        asked.come_back()


async def reads_the_last_connection(asked: Asked) -> None:
    """Replace the connection without reading, then read, and think."""
    await asyncio.sleep(1)
    asked.come_back()
    await asyncio.sleep(0.5)
    asked.come_back(reads=True)


async def reads_slowly(asked: Asked) -> None:
    """Never be behind for long enough to count as not reading, but never read the question either."""
    while not asked.over.done():
        await asyncio.sleep(WRITE_LIMIT - 0.5)
        asked.remote._calm()  # as if an older frame had been read


@pytest.mark.parametrize(
    ("how", "offence"),
    [
        (never_returns, Offence.LATE),
        (returns_late, Offence.LATE),
        (comes_and_goes, Offence.LATE),
        (replaces_its_connection, Offence.NOT_READING),
        (reads_the_last_connection, Offence.LATE),
        (reads_slowly, Offence.LATE),
    ],
)
def test_a_player_that_does_not_read_is_not_waited_for(
    how: Callable[[Asked], Coroutine[Any, Any, None]], offence: Offence
) -> None:
    """Its clock starts at the latest two seconds after the question, and nothing stops or resets it."""

    async def whole() -> None:
        asked, loop = Asked(), asyncio.get_running_loop()
        start = loop.time()
        doing = asyncio.ensure_future(how(asked))
        try:
            result = await asyncio.wait_for(asked.over, 100)
        finally:
            doing.cancel()
            (raised,) = await asyncio.gather(doing, return_exceptions=True)
        assert raised is None or isinstance(raised, asyncio.CancelledError), raised
        assert [(one.seat, one.offence) for one in result.faults] == [(0, offence)]
        assert loop.time() - start <= CLOCK_LIMIT + THINKING + 0.01
        asked.match.abandon()

    virtual_time.run(whole())


def test_a_player_that_is_asked_while_it_is_away_may_come_back() -> None:
    """It hung up unread: it is not taken for one that does not read, and is charged from the question on."""

    async def whole() -> None:
        asked = Asked()
        line = asked.come_back(reads=True)
        line.say({"type": "ready"})
        line.say(act(line.sent[-1]))
        line.taken = False
        line.hang_up()
        await asyncio.sleep(1)
        asked.other.say(act(asked.other.sent[-1]))
        await asyncio.sleep(THINKING - 1)
        assert asked.come_back(reads=True).sent[-1]["milliseconds"] == 1000
        asked.match.abandon()

    virtual_time.run(whole())


def test_a_player_that_reads_in_time_is_charged_from_then_on() -> None:
    """What the question waited for in our send buffer, up to two seconds, is not charged."""

    async def whole() -> None:
        asked = Asked()
        await asyncio.sleep(1.5)
        asked.line.taken = True
        asked.remote.writable()
        await asyncio.sleep(1)
        asked.line.say(act(asked.line.sent[-1]))
        moved = next(event for event in asked.events if isinstance(event, Moved))
        assert moved.took == micros(1)
        asked.match.abandon()

    virtual_time.run(whole())


class Mirror:
    """An opponent in this process, which answers at once: in the read in which it was asked."""

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[0]


def test_an_answer_before_its_question_is_out_of_turn() -> None:
    """Of two answers in one read the second was sent before its question, which stands when it is heard."""

    async def whole() -> None:
        line, events = Line(), list[Event]()
        remote = Remote(line, registry.dialect("native")(GAME))
        spec = agreed(GAME, ["ann", "bob"], 1, conduct=COURSE, limits=Limits(set_up=micros(60)))
        match = AsyncMatch(spec, [remote, Mirror()], [events.append])
        match.open()
        line.say({"type": "ready"})
        first = act(line.sent[-1])
        blind = {"type": "act", "turn": 2, "move": [[0, 1], [1, 1]]}
        line.deliver([msgspec.json.encode(first), msgspec.json.encode(blind)])
        faults = [event for event in events if isinstance(event, Faulted)]
        assert [(fault.seat, fault.turn, fault.offence) for fault in faults] == [(0, 2, Offence.OUT_OF_TURN)]
        assert line.sent[-1]["turn"] == 2, "it is asked again"
        line.say(act(line.sent[-1]))
        assert [event.turn for event in events if isinstance(event, Moved)][:3] == [0, 1, 2]
        lines = b"".join(encode(event) + b"\n" for event in events)
        Replay(lines, "the match").verify()
        match.abandon()

    virtual_time.run(whole())

"""A player at the other end of a connection: what counts after its last word, and who may come back."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import UNSET

from players.tables import TABLES
from touchline.core import messages, registry
from touchline.core.conduct import Offence
from touchline.players.remote import Remote
from touchline.testing import virtual_time
from touchline.transports.shared.buffered import BufferedConnection

if TYPE_CHECKING:
    from msgspec import UnsetType

    from touchline.core.messages import FromPlayer

LABYRINTH, SEATS = TABLES["labyrinth"]
STATE: Any = LABYRINTH.start(SEATS, Random(1))
CALLED = ["labyrinth-course", "seed-003", "seed-004"]


class Line(BufferedConnection):
    """A connection that notes what is sent."""

    latency = 0
    where = "here"
    taken = True

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Any] = []
        self.closed = False

    def send(self, frame: bytes) -> None:
        self.sent.append(msgspec.json.decode(frame))

    def measure(self) -> None:
        """There is no wire."""

    def close(self, *, at_once: bool = False) -> None:
        self.closed = True

    def say(self, value: object) -> None:
        self.deliver([msgspec.json.encode(value)])

    def hang_up(self) -> None:
        self.fail("lost", "hung up")


class Seated:
    """A table that notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[FromPlayer] = []
        self.failed: list[Offence] = []

    def now(self) -> int:
        return round(asyncio.get_running_loop().time() * 1_000_000)

    def hear(
        self,
        seat: int,
        said: FromPlayer,
        raw: tuple[str, ...] | UnsetType = UNSET,
        fuel: int | UnsetType = UNSET,
        *,
        unasked: bool = False,
    ) -> None:
        self.heard.append(said)
        if unasked:
            self.failed.append(Offence.OUT_OF_TURN)

    def ran_out(self, seat: int, fuel: int) -> None:
        raise AssertionError("its fuel is not counted")

    def fail(self, seat: int, offence: Offence, why: str) -> None:
        self.failed.append(offence)

    def started(self) -> None:
        """It has no clock."""

    def returned(self) -> None:
        raise AssertionError("it was not restarted")

    def broken(self, why: str) -> None:
        raise AssertionError(why)

    def fast_frame(self, seat: int, frame: bytes) -> bool:
        return False

    def awaits(self, seat: int) -> bool:
        return False


def seated(dialect: str, **how: Any) -> tuple[Remote, Line, Seated]:
    """A player that has sat down and was asked for a move."""
    line, table = Line(), Seated()
    remote = Remote(line, registry.dialect(dialect)(LABYRINTH), **how)
    remote.sit(0, table)
    remote.tell(messages.Begin(0, ("anna", "bert"), STATE.view(0)))
    line.say("void" if dialect != "native" else {"type": "ready"})
    remote.tell(messages.YourTurn(0, STATE.view(0), 1_000_000))
    return remote, line, table


MOVES = {
    "labyrinth-course": "PASS",
    "seed-003": None,
    "seed-004": None,
}


@pytest.mark.parametrize("dialect", CALLED)
@pytest.mark.parametrize("honest", [True, False])
def test_an_answer_to_an_older_question_is_let_pass(dialect: str, honest: bool) -> None:
    """The match ended while it thought: it may still answer, and then hears the last word."""

    async def whole() -> None:
        remote, line, table = seated(dialect)
        over = STATE
        for _ in range(SEATS):
            over = over.play(over.legal_moves()[-1])
        remote.tell(messages.Over(over.view(0), "finished", over.outcome(), "everybody passed"))
        asked, left = len(line.sent), remote.close(at_once=False)
        assert left is not None
        line.say(MOVES[dialect] if honest else {"no": "move"})
        while not left.done():
            assert len(line.sent) == asked + 1, "it is told what waited for its answer"
            asked += 1
            line.say("void")
        assert line.closed
        assert (remote.fell_out is None) is honest
        assert not table.failed

    virtual_time.run(whole())


@pytest.mark.parametrize("dialect", ["native", *CALLED])
def test_only_native_waits_for_one_that_may_come_back(dialect: str) -> None:
    """Where there are no words for coming back, who hangs up is gone at once."""

    async def whole() -> None:
        _, line, table = seated(dialect, patience=30)
        line.hang_up()
        assert table.failed == ([] if dialect == "native" else [Offence.GONE])
        await asyncio.sleep(29)
        assert table.failed == ([] if dialect == "native" else [Offence.GONE])
        await asyncio.sleep(2)
        assert table.failed == [Offence.GONE]

    virtual_time.run(whole())


def test_one_that_came_back_is_not_given_up() -> None:
    """Its time to be away is over, but it is here."""

    async def whole() -> None:
        remote, line, table = seated("native", patience=30)
        line.hang_up()
        await asyncio.sleep(29)
        again = Line()
        remote.come_back(again)
        assert again.sent[0]["type"] == "begin"
        await asyncio.sleep(60)
        assert table.failed == []

    virtual_time.run(whole())


def test_who_does_not_answer_hears_the_rest() -> None:
    """Half of its time later, without an answer; then its line is closed, and that it was late is known."""

    async def whole() -> None:
        loop = asyncio.get_running_loop()
        remote, line, _ = seated("seed-003", goodbye=2.0)
        remote.tell(messages.Over(STATE.view(0), "void", None, "broken"))
        left, start = remote.close(at_once=False), loop.time()
        assert left is not None
        await asyncio.sleep(0.9)
        assert line.sent[-1][0] == "RequestMove"
        await asyncio.sleep(0.2)
        assert line.sent[-1] == ["NotifyGameOver", [None]]
        assert not line.closed
        await left
        assert (line.closed, loop.time() - start) == (True, 2.0)
        assert remote.fell_out == "did not answer the last word"

    virtual_time.run(whole())


def test_a_request_that_waited_says_what_is_left() -> None:
    """Over a network, too."""

    async def whole() -> None:
        remote, line, _ = seated("seed-003")
        line.say(None)
        remote.tell(messages.Update(1, STATE.skip().view(0)))
        remote.tell(messages.YourTurn(2, STATE.skip().view(0), 1_000_000))
        await asyncio.sleep(0.25)
        line.say("void")
        assert line.sent[-1] == ["RequestMove", [750]]

    virtual_time.run(whole())


class Deaf(Line):
    """A connection of which the other side takes nothing."""

    taken = False


def test_one_that_does_not_read_is_told_so_in_two_seconds() -> None:
    """Not before, and not much later."""

    async def whole() -> None:
        line, table = Deaf(), Seated()
        remote = Remote(line, registry.dialect("native")(LABYRINTH))
        remote.sit(0, table)
        remote.tell(messages.Begin(0, ("anna", "bert"), STATE.view(0)))
        assert remote.handed_over is None
        await asyncio.sleep(1.9)
        assert table.failed == []
        await asyncio.sleep(0.2)
        assert table.failed == [Offence.NOT_READING]

    virtual_time.run(whole())


def test_the_banned_are_refused_for_a_second() -> None:
    """ "Once this method has been invoked, the referee should reject all requests from the banned player"."""
    game, seats = TABLES["fish"]
    state = game.start(seats, Random(1))

    async def whole() -> None:
        line, table = Line(), Seated()
        remote = Remote(line, registry.dialect("seed-001")(game))
        remote.sit(0, table)
        remote.tell(messages.Begin(0, ("a", "b", "c"), state.view(0)))
        remote.tell(messages.Expelled("nefarious", Offence.ILLEGAL))
        left = remote.close(at_once=True)
        assert left is not None
        line.say(["movePenguin", [[0, 0], [1, 0]]])
        assert line.sent[-1] == ["rejectMove", ["banned"]]
        assert not line.closed
        await asyncio.wait_for(left, 1.1)
        assert line.closed

    virtual_time.run(whole())

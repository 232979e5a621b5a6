"""Players of this process who think in threads: nobody else waits, and their clocks run when they should."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from players.tables import TABLES, Match, played, terms
from touchline.bots.random import Random as RandomBot
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence, ladder
from touchline.core.events import Moved
from touchline.drivers.event_loop import play
from touchline.games.hexapawn import Hexapawn
from touchline.players.in_dialect import InDialect
from touchline.players.in_thread import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.drivers.match import MatchSpec
    from touchline.testing.virtual_time import VirtualLoop

SMALL = Hexapawn(rows=3, cols=3)
PATIENT = replace(COURSE, late=ladder("random"), idle=99)
LONG = Limits(clock=Clock(per_move=micros(60)))


class Threads(Executor):
    """A thread in virtual time: it is free after a while, and takes a while to think."""

    def __init__(self, *, free_after: float = 0.0, thinks: float = 0.0) -> None:
        self._free_after, self._thinks = free_after, thinks

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        asyncio.get_running_loop().call_later(self._free_after, self._work, done, work, args)
        return done

    def _work(self, done: Future[Any], work: Callable[..., Any], args: Any) -> None:
        loop = asyncio.get_running_loop()
        try:
            loop.call_later(self._thinks, done.set_result, work(*args))
        except Exception as error:
            loop.call_later(self._thinks, done.set_exception, error)


def seated(threads: Executor, spec: MatchSpec, bot: Any = None) -> list[Any]:
    """The first seat thinks in a thread, the others on the loop."""
    others = [RandomBot(Random(seat)) for seat in range(1, len(spec.names))]
    return [in_thread(bot or RandomBot(Random(0)), spec.game, threads), *others]


def match(threads: Executor, spec: MatchSpec, bot: Any = None) -> Match:
    return played(spec, seated(threads, spec, bot))


def thought(match: Match, seat: int = 0) -> list[float]:
    """How long a seat has thought, in seconds."""
    return [event.took / 1e6 for event in match.events if isinstance(event, Moved) and event.seat == seat]


@pytest.mark.parametrize("name", TABLES)
def test_a_whole_match(name: str) -> None:
    """The seat is asked and answers as any other does, and the same as it would on the loop."""
    game, seats = TABLES[name]
    spec = terms(game, seats)
    here = played(spec, [RandomBot(Random(seat)) for seat in range(seats)])
    there = match(Threads(), spec)
    assert there.unharmed(0)
    assert there.result.outcome == here.result.outcome


@pytest.mark.parametrize("dialect", ["seed-000", "fish-course"])
def test_in_a_dialect(dialect: str) -> None:
    game, seats = TABLES["fish"]
    module = registry.dialect(dialect)
    face = InDialect(module.face(RandomBot(Random(0)), rng=Random(0)), module(game))
    assert match(Threads(thinks=0.5), terms(game, seats), face).unharmed(0)


def test_to_wait_for_a_thread_costs_nothing() -> None:
    seen = match(Threads(free_after=30.0, thinks=0.5), terms(SMALL, 2))
    assert seen.unharmed(0)
    assert set(thought(seen)) == {0.5}


def test_to_think_too_long_is_late() -> None:
    seen = match(Threads(thinks=1.5), terms(SMALL, 2))
    assert seen.offences(0) == [Offence.LATE]
    assert seen.unharmed(1)


def test_an_earlier_question_is_no_excuse() -> None:
    """Who is still busy with a turn that it has lost is asked the next one, and its clock runs."""
    loops: list[VirtualLoop] = []
    slow = in_thread(RandomBot(Random(0)), SMALL, Threads(thinks=4.5))
    seen = played(terms(SMALL, 2, PATIENT), [slow, RandomBot(Random(1))], loops.append)
    assert set(seen.offences(0)) == {Offence.LATE}
    assert len(seen.offences(0)) > 1
    # It was ready after 4.5; in the end it is busy still, and has a second for its last word.
    assert loops[0].time() == pytest.approx(4.5 + len(seen.offences(0)) + 1.0)


def test_what_it_raises_is_its_own_fault() -> None:
    class Broken:
        def choose(self, view: Any, turn: int) -> Any:
            raise ZeroDivisionError("oops")

    seen = match(Threads(), terms(SMALL, 2), Broken())
    assert seen.offences(0) == [Offence.GONE]
    assert seen.unharmed(1)


class Waits:
    """Makes no move before it is let."""

    def __init__(self, let: threading.Event) -> None:
        self._let = let

    def choose(self, view: Any, turn: int) -> Any:
        assert self._let.wait(30)
        return view.legal_moves()[-1]


def test_nobody_waits_for_one_who_thinks() -> None:
    """One table's player thinks until another table's match is over, on the same loop, in a real thread."""
    let, spec = threading.Event(), terms(SMALL, 2, limits=LONG)

    async def whole() -> None:
        with ThreadPoolExecutor(2) as threads:
            slow = asyncio.create_task(play(spec, seated(threads, spec, Waits(let))))
            quick = await play(spec, seated(threads, spec))
            assert quick.verdict == "finished"
            assert not slow.done()
            let.set()
            assert (await slow).verdict == "finished"

    asyncio.run(whole())

"""Every rogue at every game under every conduct, in virtual time: only the rogue pays, the right price."""

from __future__ import annotations

import asyncio
from itertools import permutations, product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.tables import SECOND, TABLES, Match, played, terms, tired
from touchline.bots.random import Random as RandomBot
from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.conduct import CONDUCTS, COURSE, FINAL, Conduct, Offence, Sanction
from touchline.core.events import Faulted, Ignored, Moved
from touchline.dialects.native import Native
from touchline.drivers import event_loop
from touchline.testing import virtual_time
from touchline.testing.rogues import (
    READY,
    ROGUES,
    Read,
    Script,
    Scripted,
    Sleep,
    Write,
    answer,
    honest,
    legal,
    never_reads,
    seated,
    trickler,
    until_turn,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game
    from touchline.dialects.base import Exchange

IN_SET_UP = {"dozer", "quitter"}
"""These offend before anybody plays."""
NOT_ON_TURN = {"early_bird", "double_mover"}
"""These offend while somebody else is to move."""


def expected(name: str, conduct: Conduct, game: Game, seats: int) -> Sanction:
    """What a rogue's first offence costs: the first step of the ladder, where that can be done."""
    offence = ROGUES[name][1]
    sanction = conduct.ladder(offence).sanction(1)
    if sanction in FINAL:
        return sanction
    if name in IN_SET_UP:
        return Sanction.EXPEL
    if name in NOT_ON_TURN:
        assert offence is Offence.OUT_OF_TURN
        return Sanction.RETRY
    if sanction is Sanction.SKIP and not hasattr(game.start(seats, Random(1)), "skip"):
        return Sanction.EXPEL
    return sanction


def table_with(
    rogues: dict[int, str],
    game: Game,
    seats: int,
    conduct: Conduct = COURSE,
    rest: Callable[[], Script] = tired,
) -> Match:
    """A match with these rogues at these seats, and honest players at all others."""
    scripts = [ROGUES[rogues[seat]][0] if seat in rogues else rest for seat in range(seats)]
    return played(terms(game, seats, conduct), [Scripted(script, game) for script in scripts])


def check_rogue(name: str, table: str, conduct: Conduct, seat: int, rest: Callable[[], Script]) -> None:
    game, seats = TABLES[table]
    match = table_with({seat: name}, game, seats, conduct, rest)
    first = next(fault for fault in match.result.faults if fault.seat == seat)
    assert first.offence is ROGUES[name][1]
    assert first.sanction is expected(name, conduct, game, seats)
    assert all(match.unharmed(other) for other in range(seats) if other != seat)
    if first.sanction is Sanction.EXPEL:
        assert match.result.expelled == (seat,)
    if match.result.verdict == "forfeited":
        assert match.result.outcome is not None
        assert seat not in match.result.outcome.winners
    assert match.result.verdict != "void"


@pytest.mark.parametrize("conduct", CONDUCTS)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ROGUES)
def test_a_rogue_gets_its_verdict_and_nobody_else_does(name: str, table: str, conduct: str) -> None:
    """Its first offence is the declared one, costs what the conduct says, and harms no honest seat."""
    check_rogue(name, table, CONDUCTS[conduct], 0, tired)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ROGUES)
def test_a_rogue_at_the_last_seat(name: str, table: str) -> None:
    """Where it sits makes no difference."""
    check_rogue(name, table, COURSE, TABLES[table][1] - 1, tired)
    check_rogue(name, table, CONDUCTS["seed-001"], TABLES[table][1] - 1, tired)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("conduct", CONDUCTS)
@pytest.mark.parametrize("table", TABLES)
def test_a_rogue_at_every_seat_of_long_matches(table: str, conduct: str) -> None:
    """Against players that make the first legal move, which in Labyrinth goes on for a thousand rounds."""
    for name, seat in product(ROGUES, range(TABLES[table][1])):
        check_rogue(name, table, CONDUCTS[conduct], seat, honest)


@pytest.mark.parametrize("conduct", CONDUCTS)
@pytest.mark.parametrize("table", TABLES)
def test_honest_players_are_never_at_fault(table: str, conduct: str) -> None:
    """Without a rogue nothing happens but moves."""
    game, seats = TABLES[table]
    match = table_with({}, game, seats, CONDUCTS[conduct])
    assert match.result.verdict == "finished"
    assert match.result.faults == ()


@pytest.mark.parametrize("conduct", CONDUCTS)
@pytest.mark.parametrize("table", TABLES)
def test_a_trickler_is_never_at_fault(table: str, conduct: str) -> None:
    """Whoever sends an honest answer byte by byte, in time, does nothing wrong."""
    game, seats = TABLES[table]
    spec = terms(game, seats, CONDUCTS[conduct], turn_cap=60)
    match = played(spec, [Scripted(trickler, game), *(Scripted(tired, game) for _ in range(seats - 1))])
    assert match.result.faults == ()
    assert any(isinstance(event, Moved) and event.seat == 0 and event.took > 0 for event in match.events)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("pipe", [0, 20, 300])
def test_who_does_not_read_is_found_out_when_the_pipe_is_full(table: str, pipe: int) -> None:
    """With a tiny pipe a player that never reads is not late: the question could not be handed over."""
    game, seats = TABLES[table]
    players = [Scripted(never_reads, game, pipe=pipe), *(Scripted(tired, game) for _ in range(seats - 1))]
    match = played(terms(game, seats), players)
    assert match.offences(0) == [Offence.NOT_READING]
    assert match.result.expelled == (0,)
    assert all(match.unharmed(seat) for seat in range(1, seats))


def test_a_deaf_player_holds_up_nobody_else() -> None:
    """While one player does not take its last word, the match is over for all others."""
    game, seats = TABLES["fish"]

    def hears_no_end() -> Script:
        yield from until_turn(1)
        yield Sleep(3600)

    spec = terms(game, seats)
    players = [Scripted(hears_no_end, game, pipe=2000), Scripted(tired, game), Scripted(tired, game)]
    loop_times: list[float] = []
    match = played(spec, players, lambda loop: loop_times.append(loop.time()))
    assert match.unharmed(1)
    assert match.unharmed(2)


# -- tables of all sorts ---------------------------------------------------------------------------


@pytest.mark.parametrize("names", [*permutations(["sleeper", "flooder", "liar", "early_bird"], 2)])
@pytest.mark.parametrize("honest_seat", range(3))
def test_two_rogues_and_one_honest_seat(names: tuple[str, str], honest_seat: int) -> None:
    """The honest one is left, and wins."""
    game, seats = TABLES["fish"]
    others = [seat for seat in range(3) if seat != honest_seat]
    match = table_with(dict(zip(others, names, strict=True)), game, seats)
    assert match.unharmed(honest_seat)
    assert set(match.result.expelled) == set(others)
    assert match.result.outcome is not None
    assert match.result.outcome.winners == (honest_seat,)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("conduct", CONDUCTS)
def test_any_two_rogues_and_one_honest_seat(conduct: str) -> None:
    """Whichever two they are, and whatever the conduct, the honest seat is unharmed."""
    game, seats = TABLES["fish"]
    for first, second in product(ROGUES, ROGUES):
        match = table_with({0: first, 2: second}, game, seats, CONDUCTS[conduct])
        assert match.unharmed(1), (first, second)


@pytest.mark.parametrize("conduct", CONDUCTS)
@pytest.mark.parametrize("table", TABLES)
def test_a_match_of_rogues_alone_ends(table: str, conduct: str) -> None:
    """Nobody is honest, and it ends all the same."""
    game, seats = TABLES[table]
    for name in ROGUES:
        match = table_with(dict.fromkeys(range(seats), name), game, seats, CONDUCTS[conduct])
        assert match.result.faults
        assert match.events[-1].__class__.__name__ == "Ended"


def test_all_kinds_of_rogues_at_one_table_end() -> None:
    """Four different rogues at a time, all of them sooner or later."""
    game, names = TABLES["fish"][0], [*ROGUES]
    for start in range(0, len(names), 4):
        match = table_with(dict(enumerate(names[start : start + 4])), game, 4)
        assert {fault.seat for fault in match.result.faults} >= set(match.result.expelled)
        assert match.result.expelled


@pytest.mark.parametrize("name", ["sleeper", "crasher", "liar", "babbler", "flooder", "half_frame", "dozer"])
def test_bots_and_others_at_one_table(name: str) -> None:
    """A bot in this process, an honest player and a rogue: only the rogue pays."""
    game, seats = TABLES["fish"]
    bot = RandomBot(Random(5))
    for order in permutations(range(3)):
        players: list[Any] = [None] * seats
        players[order[0]] = bot
        players[order[1]] = Scripted(tired, game)
        players[order[2]] = Scripted(ROGUES[name][0], game)
        match = played(terms(game, seats), players)
        assert match.offences(order[2])[0] is ROGUES[name][1]
        assert match.unharmed(order[0])
        assert match.unharmed(order[1])
        assert match.result.expelled == (order[2],)


def test_bots_alone_on_an_event_loop() -> None:
    """A table without any talking player is played to its end too."""
    game, seats = TABLES["labyrinth"]
    match = played(terms(game, seats, turn_cap=5000), [RandomBot(Random(seat)) for seat in range(seats)])
    assert match.result.verdict == "finished"


def test_an_early_answer_is_never_taken_as_the_next_one() -> None:
    """A move that was sent too early is out of turn, and its author must still answer when it is asked."""

    def hasty() -> Script:
        game, said = yield from until_turn(0)
        move = legal(game, said)
        yield Write(move + move.replace(b'"turn":0', b'"turn":2'))
        while (said := (yield Read()))["type"] != "your_turn":
            pass
        yield Sleep(3600)

    game, seats = TABLES["hexapawn"]
    match = played(terms(game, seats), [Scripted(hasty, game), Scripted(tired, game)])
    assert match.offences(0) == [Offence.OUT_OF_TURN, Offence.LATE]
    moved = [event.turn for event in match.events if isinstance(event, Moved) and event.seat == 0]
    assert moved == [0]


# -- time ------------------------------------------------------------------------------------------


def thinker(seconds: float, parts: int = 1) -> Callable[[], Script]:
    """An honest player that thinks so long about every move."""

    def script() -> Script:
        game = yield from seated()
        while True:
            said = yield Read()
            if said["type"] == "your_turn":
                for _ in range(parts):
                    yield Sleep(seconds / parts)
                yield Write(legal(game, said))

    return script


def stalled(at: float, length: float) -> Callable[[virtual_time.VirtualLoop], None]:
    """Let the machine stand still for so long at that time."""

    def plan(loop: virtual_time.VirtualLoop) -> None:
        loop.call_at(at, loop.stall, length)

    return plan


@pytest.mark.parametrize("thought", [0.0, 0.5, 0.999])
@pytest.mark.parametrize("stall", [0.021, 0.05, 0.3, 1.0, 5.0, 100.0])
@pytest.mark.parametrize("at", [0.0, 0.4, 0.9, 0.9989, 1.5, 2.2])
def test_a_stall_never_makes_an_honest_player_late(thought: float, stall: float, at: float) -> None:
    """If the machine stands still while a player thinks, that is not the player's fault."""
    game, seats = TABLES["hexapawn"]
    players = [Scripted(thinker(thought), game) for _ in range(seats)]
    match = played(terms(game, seats), players, stalled(at, stall))
    assert match.result.faults == ()
    assert match.result.verdict == "finished"


@settings(max_examples=150, deadline=None)
@given(
    thought=st.floats(0, 0.999),
    stalls=st.lists(st.tuples(st.floats(0, 6), st.floats(0, 3)), min_size=1, max_size=4),
)
def test_stalls_of_any_length_never_make_an_honest_player_late(
    thought: float, stalls: list[tuple[float, float]]
) -> None:
    """However long, however often and whenever the machine stands still, thinking in time is in time."""
    game, seats = TABLES["hexapawn"]

    def plan(loop: virtual_time.VirtualLoop) -> None:
        for at, length in stalls:
            loop.call_at(at, loop.stall, length)

    match = played(terms(game, seats), [Scripted(thinker(thought), game) for _ in range(seats)], plan)
    assert match.result.faults == ()


@pytest.mark.parametrize("stall", [0.002, 0.005, 0.019])
def test_a_short_stall_at_the_deadline_never_makes_an_honest_player_late(stall: float) -> None:
    """A player that answers just in time is in time, even if we look a few milliseconds late."""
    game, seats = TABLES["hexapawn"]
    players = [Scripted(thinker(0.9995), game) for _ in range(seats)]
    match = played(terms(game, seats), players, stalled(0.999, stall))
    assert match.result.faults == ()


@pytest.mark.parametrize("late_by", [-2, -1, 0, 1, 2])
def test_the_deadline_is_exact(late_by: int) -> None:
    """A microsecond before the end is in time, one after it is not, and at the end it is one of both."""
    game, seats = TABLES["hexapawn"]
    players = [Scripted(thinker(1 + late_by / 1e6), game), Scripted(tired, game)]
    match = played(terms(game, seats), players)
    late = match.offences(0) == [Offence.LATE]
    assert late or match.offences(0) == []
    assert late_by == 0 or late == (late_by > 0)
    moved = [event for event in match.events if isinstance(event, Moved) and event.seat == 0]
    assert bool(moved) != late


def test_a_late_answer_is_ignored_and_noted() -> None:
    """Under a conduct that skips, the answer to the turn before is not taken for this one."""
    game, seats = TABLES["fish"]
    match = table_with({0: "late"}, game, seats, CONDUCTS["seed-001"])
    assert match.offences(0)[0] is Offence.LATE
    assert any(isinstance(event, Ignored) and event.seat == 0 for event in match.events)


def test_the_bank_pays_for_a_long_thought() -> None:
    """A player may take longer than a move has, as long as the bank lasts."""
    game, seats = TABLES["hexapawn"]
    limits = Limits(clock=Clock(per_move=micros(0.5), bank=micros(1)))
    match = played(terms(game, seats, limits=limits), [Scripted(thinker(0.9), game), Scripted(tired, game)])
    assert match.offences(0) == [Offence.LATE]
    assert len([event for event in match.events if isinstance(event, Moved) and event.seat == 0]) == 2


def test_the_clock_starts_when_the_question_is_handed_over() -> None:
    """What a player needs to take the question from its pipe is not charged to it."""
    game, seats = TABLES["hexapawn"]

    def slow_reader() -> Script:
        rules = yield from seated()
        while True:
            yield Sleep(0.9)
            said = yield Read()
            if said["type"] == "your_turn":
                yield Sleep(0.9)
                yield Write(legal(rules, said))

    spec = terms(game, seats)
    size = 400
    match = played(spec, [Scripted(slow_reader, game, pipe=size), Scripted(tired, game)])
    assert match.unharmed(1)
    took = [event.took for event in match.events if isinstance(event, Moved) and event.seat == 0]
    assert all(time <= micros(1) for time in took)


def test_without_a_clock_nobody_is_late() -> None:
    """A player that takes an hour is in time where there is no time."""
    game, seats = TABLES["hexapawn"]
    match = played(terms(game, seats, limits=UNTIMED), [Scripted(thinker(3600), game), Scripted(tired, game)])
    assert match.result.faults == ()


# -- what hangs, and what breaks ---------------------------------------------------------------------


def test_where_nothing_can_happen_it_is_a_deadlock() -> None:
    """Without clocks, a match against a player that says nothing would hang; virtual time says so."""
    game, seats = TABLES["hexapawn"]

    def silent() -> Script:
        while True:
            yield Read()

    loop = virtual_time.VirtualLoop()
    players = [Scripted(silent, game), Scripted(tired, game)]
    match = loop.create_task(event_loop.play(terms(game, seats, limits=UNTIMED), players))
    with pytest.raises(virtual_time.Deadlock):
        loop.run_until_complete(match)
    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(match)
    assert not asyncio.all_tasks(loop)
    loop.close()


def test_waiting_for_what_nobody_will_do_is_a_deadlock() -> None:
    """The simplest hang there is; what waited for ever is ended."""
    waiting: list[asyncio.Task[Any] | None] = []

    async def hang() -> None:
        waiting.append(asyncio.current_task())
        await asyncio.get_running_loop().create_future()

    with pytest.raises(virtual_time.Deadlock):
        virtual_time.run(hang())
    (task,) = waiting
    assert task is not None
    assert task.done()


class BrokenDialect(Native):
    """A dialect that fails in a way nobody foresaw, after so many calls."""

    def __init__(self, game: Game, where: str, after: int) -> None:
        super().__init__(game)
        self.where, self.after = where, after

    def _break(self, where: str) -> None:
        if where == self.where:
            if self.after == 0:
                raise KeyError("nobody foresaw this")
            self.after -= 1

    def say(self, message: ToPlayer) -> Exchange:
        self._break("say")
        return super().say(message)

    def hear(self, frame: bytes, waited: int = 0) -> Exchange:
        self._break("hear")
        return super().hear(frame, waited)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("where", ["hear", "say"])
@pytest.mark.parametrize("after", [0, 1])
def test_what_nobody_foresaw_makes_the_match_void(table: str, where: str, after: int) -> None:
    """An error of ours is nobody's loss, every task ends, and the player is parted with."""
    game, seats = TABLES[table]
    broken = Scripted(thinker(0.001), game)
    broken.dialect = BrokenDialect(game, where, after)
    players: list[event_loop.Player] = [broken, *(Scripted(thinker(0.001), game) for _ in range(seats - 1))]
    match = played(terms(game, seats), players)
    assert match.result.verdict == "void"
    assert match.result.outcome is None
    assert match.result.expelled == ()
    assert "nobody foresaw this" in match.result.reason


class Clinging(Scripted):
    """A player that cannot be parted with."""

    tried = 0

    def close(self, *, at_once: bool) -> None:
        self.tried += 1
        super().close(at_once=at_once)
        raise KeyError("nobody foresaw this")


def test_a_player_that_cannot_be_parted_with_changes_nothing() -> None:
    """If closing fails, the result stands, and the others are parted with."""
    game, seats = TABLES["hexapawn"]
    clinging = Clinging(ROGUES["sleeper"][0], game)
    match = played(terms(game, seats), [clinging, Scripted(tired, game)])
    assert match.offences(0) == [Offence.LATE]
    assert match.result.verdict == "finished"
    assert clinging.tried == 1


class Lingering(Scripted):
    """A player that needs an hour to go."""

    def close(self, *, at_once: bool) -> Any:
        super().close(at_once=at_once)
        return asyncio.sleep(3600)


def test_those_who_leave_slowly_are_waited_for() -> None:
    """A match is over for us when everybody has gone, those who were sent away early as well."""
    game, seats = TABLES["hexapawn"]

    async def hours(first: event_loop.Player, second: event_loop.Player) -> float:
        await event_loop.play(terms(game, seats), [first, second])
        return asyncio.get_running_loop().time() / 3600

    for first, second in ((Lingering, Scripted), (Scripted, Lingering)):
        assert 1 <= virtual_time.run(hours(first(tired, game), second(tired, game))) < 1.1
    sleeper = Lingering(ROGUES["sleeper"][0], game)
    assert 1 <= virtual_time.run(hours(sleeper, Scripted(tired, game))) < 1.1


def test_an_observer_that_fails_is_dropped() -> None:
    """The match goes on without it, and the others see everything."""
    game, seats = TABLES["hexapawn"]
    seen: list[object] = []

    def fails(event: object) -> None:
        raise ValueError("an observer's own trouble")

    async def match() -> None:
        players = [Scripted(tired, game) for _ in range(seats)]
        result = await event_loop.play(terms(game, seats), players, [fails, seen.append])
        assert result.verdict == "finished"

    virtual_time.run(match())
    assert len(seen) > 5


def test_the_same_match_takes_the_same_course() -> None:
    """In virtual time a match is the same to the byte, however often it is played."""
    game, seats = TABLES["fish"]
    first, second = (table_with({1: "early_bird", 2: "late"}, game, seats) for _ in range(2))
    assert first.record == second.record


def test_stale_answers_are_not_free_for_ever() -> None:
    """A seat that sends thousands of answers to a turn long gone is stopped, and does not fill the record."""

    def stale() -> Script:
        yield from until_turn(1)
        for _ in range(3000):
            yield Write(answer(0, None).replace(b"null", b'{"from":[0,0],"to":[1,0]}'))
            yield Sleep(0.0001)
        yield Sleep(3600)

    game, seats = TABLES["hexapawn"]
    match = played(terms(game, seats), [Scripted(stale, game), Scripted(tired, game)])
    assert match.unharmed(1)
    assert sum(isinstance(event, Ignored) for event in match.events) <= 1000


def test_said_ready_twice() -> None:
    """A second `ready` answers no question."""

    def eager() -> Script:
        yield Read()
        yield Write(READY + READY)
        yield Sleep(3600)

    game, seats = TABLES["hexapawn"]
    match = played(terms(game, seats, limits=SECOND), [Scripted(tired, game), Scripted(eager, game)])
    assert match.offences(1)[0] is Offence.OUT_OF_TURN
    assert match.unharmed(0)
    assert next(event.seat for event in match.events if isinstance(event, Faulted)) == 1

"""Every rogue at every game under every conduct, in virtual time: only the rogue pays, the right price."""

from __future__ import annotations

from itertools import permutations, product
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from players.rogue_tables import table_with
from players.tables import TABLES, played, terms, tired
from touchline.bots.random import Random as RandomBot
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.conduct import FINAL, Conduct, Offence, Sanction
from touchline.core.events import Faulted, Moved
from touchline.core.registry import CONDUCTS
from touchline.testing.rogues import (
    ROGUES,
    Script,
    Scripted,
    honest,
    legal,
    never_reads,
    trickler,
    until_turn,
)
from touchline.testing.scripts import Read, Sleep, Write

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game

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


def test_a_bad_answer_is_charged_for_the_time_it_took() -> None:
    """Also what is no move, and so is not heard on the fast path, has used the clock."""
    game, seats = TABLES["hexapawn"]

    def thinks() -> Script:
        yield from until_turn(1)
        yield Sleep(0.3)
        yield Write(b"rubbish\n")

    match = played(terms(game, seats), [Scripted(thinks, game), Scripted(honest, game)])
    (fault,) = [event for event in match.events if isinstance(event, Faulted)]
    assert (fault.seat, fault.offence, fault.took) == (0, Offence.MALFORMED, 300_000)


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

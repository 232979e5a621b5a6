"""`records/rejudge.py`: the same answers under another conduct or other limits.

Simulated players depend only on their seed and on what they are told. So the truth is known: the match that
they really play under the other conduct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from recorded import SMALL, record, steps
from touchline import game
from touchline.conducts.base import read
from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.conduct import Conduct, Offence, ladder
from touchline.core.errors import BadInput
from touchline.core.events import Begun, Ended, Event, Faulted, Refused, Resumed, encode
from touchline.core.messages import Resigned
from touchline.core.registry import CONDUCTS
from touchline.records.rejudge import Rejudged, rejudge
from touchline.records.replay import Replay
from touchline.testing.simulation import simulated

if TYPE_CHECKING:
    from touchline.core.rules import Game

COURSE = CONDUCTS["course"]
TABLES: list[tuple[Game, int]] = [
    (game("hexapawn", {"rows": 5, "cols": 5}), 2),
    (game("fish", {"rows": 4, "cols": 4}), 3),
    (game("labyrinth", {"rows": 3, "cols": 5}), 2),
]
MILD = read(
    'name = "mild"\nlike = "seed-001"\nidle = 5\n'
    '[gone]\nsteps = ["random"]\n[flood]\nsteps = ["default"]\n'
    '[late]\nsteps = ["default 3", "skip 2", "expel"]\n',
    "mild",
)
STRICT = Conduct(
    name="strict",
    illegal=ladder("random 2", "void"),
    late=ladder("retry", "expel", counted="row"),
    gone=ladder("void"),
    out_of_turn=ladder("retry 2", "forfeit"),
)
NEARLY = read('name = "nearly"\nlike = "course"\n[out_of_turn]\nsteps = ["retry 3", "expel"]\n', "nearly")
CONDUCT = [*CONDUCTS.values(), MILD, STRICT, NEARLY]


def once(sanction: str, **others: Any) -> Conduct:
    """A conduct that has one answer to every offence that the player survives."""
    steps = ladder(sanction)
    return Conduct(
        name=sanction, illegal=steps, late=steps, gone=ladder("expel"), out_of_turn=steps, **others
    )


def simulation(table: int, seed: int, conduct: Conduct, faults: float) -> Replay:
    """The record of a match of simulated players."""
    kind, seats = TABLES[table]
    _, trace = simulated(kind, seats, seed, conduct, faults=faults, on_loop=False)
    return Replay(b"".join(line + b"\n" for line in trace.lines), "this match")


def facts(result: Any) -> object:
    outcome = result.outcome and (result.outcome.winners, result.outcome.ranks, result.outcome.scores)
    return result.verdict, outcome, result.expelled, result.resigned


def noted(replay: Replay) -> list[Event]:
    """The events but for the terms and the end."""
    return [event for event in replay.events if not isinstance(event, Begun | Ended)]


def check_against_truth(before: Replay, truth: Replay, again: Rejudged) -> None:
    """What is said about the match holds in the match that is really played under the other conduct."""
    then, now = noted(before), noted(truth)
    parted = next((at for at, pair in enumerate(zip(then, now, strict=False)) if pair[0] != pair[1]), None)
    if parted is None and len(then) != len(now):
        parted = min(len(then), len(now))
    if parted is None:
        assert (again.changes, again.result) == ((), "same")
        return
    assert again.changes, "a verdict differs, and the first that does is reported"
    first = again.changes[0]
    assert first.line == parted + 2
    if first.then.what == "ended":  # what would have followed is not in the record
        assert again.result == "unknown"
    elif parted < len(now) and isinstance(fault := now[parted], Faulted):
        assert (first.seat, first.turn) == (fault.seat, fault.turn)
        assert (first.now.what, first.now.offence) == (fault.sanction.value, fault.offence)
    assert truth.ended is not None
    if again.result != "unknown":
        assert again.now is not None
        assert facts(again.now) == facts(truth.ended.result)
        assert again.now.faults == truth.ended.result.faults


@given(st.integers(0, 2), st.integers(0, 10**6), st.sampled_from(CONDUCT), st.sampled_from((0.02, 0.1, 0.3)))
def test_the_recorded_conduct_changes_nothing(table: int, seed: int, conduct: Conduct, faults: float) -> None:
    """Whatever the players did, the recorded terms give the recorded verdicts."""
    replay = simulation(table, seed, conduct, faults)
    again = rejudge(replay)
    assert not again.changed
    assert (again.changes, again.diverges, again.why, again.result) == ((), None, None, "same")
    assert again.then == again.now
    assert again.offences_then == again.offences_now
    assert rejudge(replay, conduct=conduct, limits=replay.begun.limits) == again


@given(
    st.integers(0, 2),
    st.integers(0, 10**6),
    st.sampled_from(CONDUCT),
    st.sampled_from(CONDUCT),
    st.sampled_from((0.02, 0.1, 0.3)),
)
def test_what_is_said_about_another_conduct_is_true(
    table: int, seed: int, conduct: Conduct, other: Conduct, faults: float
) -> None:
    """The first other verdict, and the result where it is known, are those of the match played so."""
    before, truth = (simulation(table, seed, each, faults) for each in (conduct, other))
    check_against_truth(before, truth, rejudge(before, conduct=other))


@pytest.mark.slow
def test_campaign() -> None:
    """The same for many matches; results of every kind are among them."""
    seen = {"same": 0, "changed": 0, "unknown": 0, "same, with other verdicts": 0}
    for seed in range(3000):
        conduct, other = CONDUCT[seed % len(CONDUCT)], CONDUCT[seed // 3 % len(CONDUCT)]
        before, truth = (simulation(seed % 3, seed, each, 0.1) for each in (conduct, other))
        again = rejudge(before, conduct=other)
        check_against_truth(before, truth, again)
        seen[again.result] += 1
        seen["same, with other verdicts"] += again.result == "same" and bool(again.changes)
    assert all(seen.values()), seen


# -- one by one -------------------------------------------------------------------------------------

ILLEGAL = steps("0,0 1,0", "0,0 1,0")
"""Seat 1 moves a pawn that is not its own."""


def judged(conduct: Conduct, other: Conduct, script: list[Any] | None = None, **terms: Any) -> Rejudged:
    data = record(SMALL, 2, ILLEGAL if script is None else script, conduct=conduct, **terms)
    return rejudge(Replay(data, "this match"), conduct=other)


@pytest.mark.parametrize(
    ("then", "now", "result", "verdict"),
    [
        ("expel", "forfeit", "changed", "forfeited"),
        ("expel", "void", "changed", "void"),
        ("forfeit", "expel", "changed", "finished"),
        ("void", "expel", "changed", "finished"),
        ("void", "forfeit", "changed", "forfeited"),
        ("expel", "random", "unknown", None),
        ("expel", "skip", "same", "finished"),
    ],
)
def test_one_sanction_in_place_of_another(then: str, now: str, result: str, verdict: str | None) -> None:
    """A sanction that ends the match ends it; hexapawn has no skip, so a skip is an expulsion there."""
    again = judged(once(then), once(now))
    if now == "skip":
        assert again.changes == ()
    else:
        (change,) = again.changes
        assert (change.line, change.turn, change.seat, change.name) == (3, 1, 1, "player 1")
        assert (change.then.what, change.now.what) == (then, now)
        assert change.then.offence is change.now.offence is Offence.ILLEGAL
        assert change.then.reason == change.now.reason
    assert again.result == result
    assert (again.now and again.now.verdict) == verdict
    assert again.offences_then == again.offences_now == {"illegal": 1}


def test_a_retry_in_place_of_an_expulsion_is_not_known() -> None:
    """Nobody knows what the seat would have answered, and the report says at which turn that is."""
    again = judged(COURSE, CONDUCTS["seed-002"])
    assert (again.result, again.diverges, again.now) == ("unknown", 1, None)
    assert again.why == "what seat 1 would have answered is not in the record"


def test_an_expulsion_in_place_of_a_retry_ends_the_match() -> None:
    """The answers after it are of no use, and the result is known without them."""
    script = [*ILLEGAL, *steps("2,1 1,1", "0,2 1,2")]
    again = judged(CONDUCTS["seed-002"], COURSE, script)
    assert again.then is not None
    assert again.now is not None
    assert (again.result, again.diverges) == ("changed", None)
    assert (again.then.expelled, again.now.expelled) == ((), (1,))
    assert [change.now.what for change in again.changes] == ["expel"]


def test_the_match_goes_on_where_the_same_move_is_made() -> None:
    """The referee's move is the same by another sanction: all later answers count, and the result stands."""
    for seed in range(20):
        script = [*steps("0,0 1,0"), "nonsense", lambda view: view.legal_moves()[0]]
        script += [lambda view: view.legal_moves()[0]] * 20
        replay = Replay(record(SMALL, 2, script, seed, conduct=once("default")), "this match")
        again = rejudge(replay, conduct=once("random"))
        if again.result == "same":
            break
    assert again.result == "same"
    assert [(change.then.what, change.now.what) for change in again.changes] == [("default", "random")]
    assert again.changed
    assert again.now is not None
    assert again.now.turns == replay.events[-2].turn + 1  # type: ignore[union-attr]


def test_a_seat_that_was_refused() -> None:
    """Its verdict falls before the first answer."""
    terms = {"refused": (Refused(1, Offence.REFUSED, "no such file"),)}
    again = judged(COURSE, CONDUCTS["seed-002"], [], **terms)
    (change,) = again.changes
    assert (change.line, change.turn, change.seat) == (2, 0, 1)
    assert (change.then.what, change.now.what, again.result) == ("expel", "forfeit", "changed")


def test_a_seat_that_is_gone_or_resigns() -> None:
    """A crash is judged by the other conduct; a resignation is no offence under any."""
    crash = judged(COURSE, STRICT, [RuntimeError("oops")])
    assert (crash.changes[0].now.what, crash.result) == ("void", "changed")
    assert not judged(COURSE, STRICT, [Resigned("enough")]).changed


# -- time limits ------------------------------------------------------------------------------------


def test_a_shorter_limit() -> None:
    """An answer that took longer is late, with the sanction of the conduct."""
    replay = simulation(0, 4, COURSE, 0)
    again = rejudge(replay, limits=replace(UNTIMED, clock=Clock(per_move=1)))
    (change,) = again.changes
    assert (change.turn, change.seat, change.then.what) == (0, 0, "moved")
    assert (change.now.what, change.now.offence) == ("expel", Offence.LATE)
    assert again.now is not None
    assert (again.result, again.now.expelled) == ("changed", (0,))


def lapsed() -> Replay:
    """A match in which somebody did not answer in time, and was expelled."""
    for seed in range(200):
        replay = simulation(0, seed, COURSE, 0.3)
        faults = [event for event in replay.events if isinstance(event, Faulted)]
        if faults and faults[0].offence is Offence.LATE and faults[0].said is None and faults[0].turn > 1:
            return replay
    raise AssertionError("nobody is late")


@pytest.mark.parametrize("limit", [None, micros(60)])
def test_a_longer_limit(limit: int | None) -> None:
    """Who did not answer in time would have had more; what it would have said is not known."""
    replay = lapsed()
    limits: Limits = replace(replay.begun.limits, clock=Clock(per_move=limit))
    again = rejudge(replay, limits=limits)
    (change,) = again.changes
    assert (change.then.what, change.then.offence) == ("expel", Offence.LATE)
    assert (change.now.what, change.now.offence) == ("still in time", None)
    assert (again.result, again.diverges) == ("unknown", change.turn)
    assert again.why == f"seat {change.seat} would have had more time"
    fault = replay.events[change.line - 1]
    assert isinstance(fault, Faulted)
    assert (fault.turn, fault.seat) == (change.turn, change.seat)


# -- records that are not whole ---------------------------------------------------------------------


def test_a_record_that_does_not_follow_is_refused() -> None:
    """A forged record is not judged, and the line is named."""
    lines = record(SMALL, 2, ILLEGAL, conduct=COURSE).splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"sanction":"expel"', b'"sanction":"retry"')
    with pytest.raises(BadInput, match="this match, line 3"):
        rejudge(Replay(b"".join(lines), "this match"), conduct=MILD)


def test_a_match_that_did_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is judged as far as it came, where the seed is known."""
    data = record(SMALL, 2, [*ILLEGAL, *steps("2,1 1,1", "0,2 1,2")], conduct=CONDUCTS["seed-002"])
    spec = Replay(data, "match").spec()
    monkeypatch.setattr(Replay, "spec", lambda self: spec)
    cut = Replay(b"".join(data.splitlines(keepends=True)[:3]), "cut")
    same = rejudge(cut)
    assert (same.changes, same.result, same.then, same.now) == ((), "same", None, None)
    other = rejudge(cut, conduct=COURSE)
    assert [change.now.what for change in other.changes] == ["expel"]
    assert (other.result, other.then) == ("changed", None)


def test_a_match_that_was_resumed() -> None:
    """The restart of the referee is no verdict, and the answers after it count."""
    data = record(SMALL, 2, [*ILLEGAL, *steps("2,1 1,1", "0,2 1,2")], conduct=CONDUCTS["seed-002"])
    lines = data.splitlines(keepends=True)
    lines.insert(4, encode(Resumed(2)) + b"\n")
    replay = Replay(b"".join(lines), "this match")
    replay.verify()
    assert not rejudge(replay).changed
    assert rejudge(replay, conduct=COURSE).changes == rejudge(Replay(data, "m"), conduct=COURSE).changes

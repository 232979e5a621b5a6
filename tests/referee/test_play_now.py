"""The driver for bots in this process decides nothing: it is the referee alone, with bots that misbehave."""

from __future__ import annotations

import logging
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import touchline.drivers.match
from referee.dialogue import FISH, HEXAPAWN, MAZE, absentees, conduct, every
from referee.played import Scripted, lines, played, returns
from touchline.conducts.course import CONDUCT as COURSE
from touchline.conducts.fish_push import CONDUCT as SEED_001
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Conduct, Offence, ladder
from touchline.core.errors import BadOptions
from touchline.core.events import Begun, Ended, Event, Faulted, Moved, encode
from touchline.core.happenings import Failed, Heard, Note
from touchline.core.messages import Act
from touchline.core.registry import CONDUCTS
from touchline.core.rules import IllegalMove
from touchline.drivers.match import Watchers, agreed, announced, opened, play_now, referee_for
from touchline.games.fish import Fish, Place
from touchline.games.hexapawn import Step
from touchline.games.labyrinth import PASS
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.drivers.match import Bot, MatchSpec

OFF = Place((9, 9))
"""A move of Fish that is never legal on a small board."""
TABLES = [(HEXAPAWN, 2), (FISH, 2), (FISH, 4), (Fish(rows=5, cols=4, rules="commercial"), 3), (MAZE, 3)]
DISCIPLINES = [
    *CONDUCTS.values(), every("retry 2", "random"), every("skip 2", "expel", counted="row"),
    absentees("random"), absentees("skip"), every("default"), every("void"), every("forfeit"),
]  # fmt: skip


class Time:
    """A clock that stands still unless it is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        monkeypatch.setattr(touchline.drivers.match, "perf_counter_ns", lambda: self.now * 1000)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


class Rogue:
    """Mostly legal moves; now and then something else, as its seed has it."""

    def __init__(self, seed: int, wickedness: float, time: Time | None = None) -> None:
        self.rng, self.wickedness, self.time = Random(seed), wickedness, time

    def choose(self, view: Any, turn: int = 0) -> Any:
        rng = self.rng
        if self.time is not None:
            self.time.now += rng.choice((0, 5, 60, 100, 100, 101)) if rng.random() < self.wickedness else 10
        move = rng.choice(view.legal_moves())
        if rng.random() >= self.wickedness:
            return move
        match rng.randrange(4):
            case 0:
                raise RuntimeError("no idea")
            case 1:
                return None
            case 2:
                return object()
        return rng.choice([Step((0, 0), (9, 9)), PASS, "e4"])


def driven(spec: MatchSpec, bots: Sequence[Bot], time: Time | None = None) -> list[Event]:
    """The same match, with the referee asked about everything."""
    state = opened(spec)
    referee = referee_for(spec, state)
    seen: list[Event] = [announced(spec, state)]
    effects = referee.begin()
    while True:
        seen += [effect.event for effect in effects if isinstance(effect, Note)]
        if referee.result is not None:
            return seen
        (seat,) = referee.awaited
        before = time.now if time else 0
        try:
            move = bots[seat].choose(referee.state.view(seat), referee.turn)
        except Exception as error:
            effects = referee.take(Failed(seat, Offence.GONE, f"raised {type(error).__name__}: {error}"))
        else:
            effects = referee.take(Heard(seat, Act(move), (time.now if time else 0) - before))


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=lambda value: getattr(value, "name", str(value)))
@pytest.mark.parametrize("under", DISCIPLINES, ids=lambda under: under.name)
def test_the_same_as_the_referee_alone(game: Any, seats: int, under: Conduct) -> None:
    """Whatever bots do, the events are those of a referee that is asked about each move."""
    for seed in range(6):
        names = [str(seat) for seat in range(seats)]
        spec = agreed(game, names, seed=seed, conduct=under, turn_cap=40)
        wickedness = (0.0, 0.05, 0.3)[seed % 3]
        seen: list[Event] = []
        result = play_now(spec, [Rogue(seed * 10 + seat, wickedness) for seat in range(seats)], [seen.append])
        expected = driven(spec, [Rogue(seed * 10 + seat, wickedness) for seat in range(seats)])
        assert lines(seen) == lines(expected)
        assert isinstance(seen[-1], Ended)
        assert seen[-1].result == result
        Replay(b"".join(encode(event) + b"\n" for event in seen), "x").verify()
        unseen = play_now(spec, [Rogue(seed * 10 + seat, wickedness) for seat in range(seats)])
        assert unseen == result


@pytest.mark.parametrize("under", DISCIPLINES, ids=lambda under: under.name)
@pytest.mark.parametrize("clock", [Clock(100), Clock(90, bank=60, increment=4)], ids=["move", "bank"])
def test_the_same_under_a_clock(under: Conduct, clock: Clock, time: Time) -> None:
    """With slow bots and a clock the events are the same too, times and all, and the record verifies."""
    for seed in range(12):
        spec = agreed(FISH, "abc", seed=seed, conduct=under, turn_cap=40, limits=Limits(clock=clock))
        seen: list[Event] = []
        play_now(spec, [Rogue(seed * 10 + seat, 0.25, time) for seat in range(3)], [seen.append])
        expected = driven(spec, [Rogue(seed * 10 + seat, 0.25, time) for seat in range(3)], time)
        assert list(map(encode, seen)) == list(map(encode, expected))
        Replay(b"".join(encode(event) + b"\n" for event in seen), "x").verify()


# -- bots that do not do as they should ----------------------------------------------------------


def raises(error: Exception) -> Callable[[Any], Any]:
    def act(view: Any) -> Any:
        raise error

    return act


def faults(seen: list[Event]) -> list[tuple[int, str, str]]:
    return [
        (event.seat, event.offence.value, event.sanction.value)
        for event in seen
        if isinstance(event, Faulted)
    ]


def test_a_bot_that_raises_is_gone() -> None:
    """An exception is a crash, with its name and its words."""
    seen = played(agreed(FISH, "abc", seed=1), Scripted(), Scripted(raises(KeyError("oops"))), Scripted())
    assert faults(seen) == [(1, "gone", "expel")]
    reasons = [event.reason for event in seen if isinstance(event, Faulted)]
    assert "raised KeyError: 'oops'" in reasons[0]


@pytest.mark.parametrize("turn", [0, 1])
def test_a_bot_that_raises_illegal_move_is_gone(turn: int) -> None:
    """IllegalMove out of a bot is an exception like another, and no move of anybody's."""
    acts = [lambda view: view.legal_moves()[0]] * turn
    bots = Scripted(*acts, raises(IllegalMove("mine"))), Scripted(*[returns(PASS)] * 2)
    seen = played(agreed(MAZE, "ab", seed=1, turn_cap=9), *bots)
    assert faults(seen) == [(0, "gone", "expel")]
    assert all(event.by == "seat" for event in seen if isinstance(event, Moved))
    moved = [event for event in seen if isinstance(event, Moved) and event.seat == 0]
    assert len(moved) == turn


class Mute(Exception):
    """An exception that cannot even say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize("error", [Mute(), ValueError("\ud800"), ValueError("\n" * 3), RecursionError()])
def test_a_bot_whose_exception_is_strange(error: Exception) -> None:
    """Whatever an exception says, or does not, the match goes on and is recorded."""
    seen = played(agreed(FISH, "ab", seed=1), Scripted(raises(error)), Scripted())
    assert faults(seen) == [(0, "gone", "expel")]


def test_a_bot_that_is_gone_is_played_for() -> None:
    """Where the ladder says so the referee plays on for it, and it is not asked again."""
    crashed = Scripted(raises(RuntimeError()))
    seen = played(agreed(FISH, "ab", seed=1, conduct=absentees("random")), crashed, Scripted())
    assert set(faults(seen)) == {(0, "gone", "random")}
    assert len(crashed.views) == 1
    assert isinstance(seen[-1], Ended)
    assert seen[-1].result.verdict == "finished"


@pytest.mark.parametrize(
    "value",
    [None, 0, "e4", [], {}, object(), 2**80, float("nan"), Step((9, 9), (9, 9)), PASS, print, "\ud800"],
    ids=lambda value: type(value).__name__,
)
def test_a_bot_that_returns_nonsense(value: Any) -> None:
    """What is no move is illegal or malformed, costs what the conduct says, and is on record."""
    seen = played(agreed(FISH, "ab", seed=1), Scripted(returns(value)), Scripted())
    ((seat, offence, sanction),) = faults(seen)
    assert (seat, sanction) == (0, "expel")
    assert offence in ("illegal", "malformed")


def test_a_bot_that_returns_a_lookalike() -> None:
    """A dictionary that looks like a legal move is none, also when the record is played again."""
    seen = played(
        agreed(HEXAPAWN, "ab", seed=1, conduct=every("retry 2", "expel")),
        Scripted(lambda view: msgspec.to_builtins(view.legal_moves()[0])),
        Scripted(),
    )
    assert [fault[2] for fault in faults(seen)] == ["retry"]


def test_a_retry_asks_again() -> None:
    """A bot that may try again is asked again from the same view."""
    bot = Scripted(returns(None), returns(None))
    seen = played(agreed(HEXAPAWN, "ab", seed=1, conduct=every("retry 2", "expel")), bot, Scripted())
    assert [fault[2] for fault in faults(seen)] == ["retry", "retry"]
    assert bot.views[0] == bot.views[1] == bot.views[2]


def slowly(time: Time, took: int, value: Any = ...) -> Callable[[Any], Any]:
    def act(view: Any) -> Any:
        time.now += took
        return view.legal_moves()[0] if value is ... else value

    return act


@pytest.mark.parametrize(("took", "expected"), [(100, []), (101, [(0, "late", "expel")])])
def test_a_slow_bot(took: int, expected: list[Any], time: Time) -> None:
    """A bot that thinks too long is late though its move is legal; just in time is in time."""
    spec = agreed(FISH, "ab", seed=1, limits=Limits(clock=Clock(100)))
    seen = played(spec, Scripted(slowly(time, took)), Scripted())
    assert faults(seen) == expected


def test_a_slow_bot_that_nobody_watches(time: Time) -> None:
    """The clock runs also without observers."""
    spec = agreed(FISH, "ab", seed=1, limits=Limits(clock=Clock(100)))
    assert play_now(spec, [Scripted(slowly(time, 101)), Scripted()]).expelled == (0,)
    assert play_now(agreed(FISH, "ab", seed=1), [Scripted(slowly(time, 10**9)), Scripted()]).expelled == ()


def test_slow_and_wrong_is_late(time: Time) -> None:
    """Late comes before illegal."""
    spec = agreed(FISH, "ab", seed=1, limits=Limits(clock=Clock(100)))
    assert faults(played(spec, Scripted(slowly(time, 101, None)), Scripted())) == [(0, "late", "expel")]


def test_a_retry_keeps_the_used_time(time: Time) -> None:
    """A bot that is asked again has only what is left of its time, and the record says the same."""
    under = conduct(illegal=ladder("retry 3", "expel"))
    spec = agreed(FISH, "ab", seed=1, conduct=under, limits=Limits(clock=Clock(100)))
    seen = played(spec, Scripted(slowly(time, 80, OFF), slowly(time, 80)), Scripted())
    assert faults(seen) == [(0, "illegal", "retry"), (0, "late", "expel")]


def test_a_retry_charges_the_bank_for_the_whole_turn(time: Time) -> None:
    """The bank pays for all the time of a turn, also if it took two tries."""
    under = conduct(illegal=ladder("retry 3", "expel"))
    spec = agreed(FISH, "ab", seed=1, conduct=under, limits=Limits(clock=Clock(100, bank=50)))
    bot = Scripted(slowly(time, 90, OFF), slowly(time, 50), slowly(time, 111))
    assert faults(played(spec, bot, Scripted())) == [(0, "illegal", "retry"), (0, "late", "expel")]


def test_the_bank_runs_out(time: Time) -> None:
    """Time over that for a move comes from the bank until there is none."""
    spec = agreed(FISH, "ab", seed=1, limits=Limits(clock=Clock(100, bank=50)))
    bot = Scripted(slowly(time, 130), slowly(time, 120), slowly(time, 100), slowly(time, 101))
    seen = played(spec, bot, Scripted())
    assert faults(seen) == [(0, "late", "expel")]
    assert [event.took for event in seen if isinstance(event, Moved) and event.seat == 0] == [130, 120, 100]


def test_a_row_ends_with_a_good_move() -> None:
    """Good moves that the driver made by itself end a row of bad ones, too."""
    nonsense = returns(None)

    def good(view: Any) -> Any:
        return view.legal_moves()[0]

    bot = Scripted(nonsense, nonsense, good, nonsense, nonsense, good)
    under = msgspec.structs.replace(
        SEED_001, illegal=ladder("retry 2", "expel", counted="row"), malformed=None
    )
    assert [
        fault[2] for fault in faults(played(agreed(FISH, "ab", seed=1, conduct=under), bot, Scripted()))
    ] == ["retry"] * 4


def test_a_bot_sees_only_its_view() -> None:
    """A bot is shown its own goal, and nothing of the others'."""
    bots = [Scripted(), Scripted(), Scripted()]
    play_now(agreed(MAZE, "abc", seed=3, turn_cap=12), bots)
    for seat, bot in enumerate(bots):
        for view in bot.views:
            assert [other for other, seeker in enumerate(view.seekers) if seeker.goal is not None] == [seat]


def test_the_cap() -> None:
    """No more moves are made than the cap allows."""
    seen = played(agreed(MAZE, "ab", seed=1, turn_cap=7), Scripted(), Scripted())
    assert isinstance(seen[-1], Ended)
    assert (seen[-1].result.verdict, seen[-1].result.turns) == ("void", 7)
    assert sum(isinstance(event, Moved) for event in seen) == 7


@pytest.mark.parametrize("count", [0, 1, 3])
def test_wrong_number_of_bots(count: int) -> None:
    """A seat for everybody and everybody in a seat, or there is no match."""
    with pytest.raises(BadOptions, match=f"{count} players for 2 seats"):
        play_now(agreed(FISH, "ab", seed=1), [Scripted()] * count)


def test_wrong_number_of_seats() -> None:
    """A game that is not for so many cannot be opened."""
    with pytest.raises(BadOptions, match="hexapawn"):
        play_now(agreed(HEXAPAWN, "abc", seed=1), [Scripted()] * 3)


# -- observers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [0, 1, 5])
def test_a_broken_observer_is_dropped(at: int, caplog: pytest.LogCaptureFixture) -> None:
    """It is called no more, the log says so, and the match and the others go on as if it had never been."""
    before: list[Event] = []
    broken: list[Event] = []
    after: list[Event] = []

    def fails(event: Event) -> None:
        broken.append(event)
        if len(broken) > at:
            raise OSError("disk full")

    spec = agreed(FISH, "ab", seed=1)
    with caplog.at_level(logging.ERROR):
        result = play_now(spec, [Scripted(), Scripted()], [before.append, fails, after.append])
    assert len(broken) == at + 1
    assert before == after
    assert isinstance(before[0], Begun)
    assert isinstance(before[-1], Ended)
    assert result == play_now(spec, [Scripted(), Scripted()])
    assert "dropped" in caplog.text
    assert len(caplog.records) == 1


def test_all_observers_broken() -> None:
    """A match needs nobody who watches."""

    def fails(event: Event) -> None:
        raise ValueError

    spec = agreed(FISH, "ab", seed=1)
    assert play_now(spec, [Scripted(), Scripted()], [fails, fails]).verdict == "finished"
    watchers = Watchers([fails])
    assert watchers
    watchers.see(Moved(0, 0, None))
    assert not watchers


def test_the_usual_conduct() -> None:
    """A match for which nothing is said is played as in the courses, but not alone; and untimed."""
    spec = agreed(FISH, "ab", seed=1)
    assert spec.conduct == msgspec.structs.replace(COURSE, name="standard", alone="end")
    assert spec.limits.clock.budget is None
    assert spec.turn_cap == touchline.drivers.match.TURN_CAP

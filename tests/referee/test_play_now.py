"""The driver for bots in this process decides nothing: it is the referee's match, only quicker."""

from __future__ import annotations

import io
import json
import logging
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

import touchline.drivers.match
from referee.dialogue import absentees, conduct, every
from touchline.bots.random import Random as RandomBot
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import CONDUCTS, COURSE, SEED_001, Conduct, Offence, ladder
from touchline.core.errors import BadInput, BadOptions
from touchline.core.events import Begun, Ended, Event, Expelled, Faulted, Moved, encode
from touchline.core.messages import Act
from touchline.core.referee import Failed, Heard, Note
from touchline.core.rules import IllegalMove
from touchline.drivers.match import Watchers, agreed, announced, commitment, opened, play_now, referee_for
from touchline.games.fish import Fish, Place
from touchline.games.hexapawn import Hexapawn, Step
from touchline.games.labyrinth import PASS, Labyrinth
from touchline.records.recorder import recorder
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from touchline.drivers.match import Bot, MatchSpec

HEXAPAWN = Hexapawn(rows=4, cols=4)
FISH = Fish(rows=4, cols=4)
MAZE = Labyrinth(rows=5, cols=5)
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


def lines(seen: list[Event]) -> list[Any]:
    """Events without their times."""
    written = [json.loads(encode(event)) for event in seen]
    for line in written:
        line.pop("took", None)
    return written


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


class Scripted:
    """Does what it is told, then plays on with the first legal move."""

    def __init__(self, *acts: Callable[[Any], Any]) -> None:
        self.acts, self.views = list(acts), list[Any]()

    def choose(self, view: Any, turn: int = 0) -> Any:
        self.views.append(view)
        return self.acts.pop(0)(view) if self.acts else view.legal_moves()[0]


def raises(error: Exception) -> Callable[[Any], Any]:
    def act(view: Any) -> Any:
        raise error

    return act


def returns(value: Any) -> Callable[[Any], Any]:
    return lambda view: value


def played(spec: MatchSpec, *bots: Bot) -> list[Event]:
    """The events of a match, which can be verified."""
    file = io.BytesIO()
    file.close = lambda: None  # type: ignore[method-assign]
    seen: list[Event] = []
    play_now(spec, bots, [seen.append, recorder(file)])
    Replay(file.getvalue(), "x").verify()
    return seen


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


# -- seeds and promises --------------------------------------------------------------------------


def test_seeds_reproduce() -> None:
    """The same seed and the same bots give the same match; another seed another one."""

    def run(seed: int) -> list[Any]:
        seen: list[Event] = []
        play_now(agreed(FISH, "ab", seed=seed), [RandomBot(Random(1)), RandomBot(Random(2))], [seen.append])
        return lines(seen)

    assert run(1) == run(1)
    assert run(1) != run(2)
    assert run(1)[0]["position"] != run(2)[0]["position"]


def test_a_seed_is_drawn() -> None:
    """A seed and a nonce that are not given are drawn anew each time."""
    specs = [agreed(FISH, "ab") for _ in range(20)]
    assert len({spec.seed for spec in specs}) == len({spec.nonce for spec in specs}) == 20
    assert all(len(spec.nonce) == 32 for spec in specs)
    assert agreed(FISH, "ab", seed=5) == agreed(FISH, "ab", seed=5)


def test_the_promise_binds() -> None:
    """Another seed or another nonce keeps another promise."""
    promises = {commitment(seed, nonce) for seed in range(50) for nonce in ("", "a", "b", "1", "11")}
    assert len(promises) == 250
    assert all(len(promise) == 64 for promise in promises)
    assert commitment(1, "1 2") != commitment(2, "1 1")


def test_the_promise_hides() -> None:
    """Nothing that is seen before the end holds seed or nonce, and a seed alone does not tell the promise."""
    spec = agreed(MAZE, "ab", seed=987654321, turn_cap=6)
    seen: list[Event] = []
    play_now(spec, [Scripted(), Scripted()], [seen.append])
    for event in seen[:-1]:
        assert b"987654321" not in encode(event)
        assert spec.nonce.encode() not in encode(event)
    assert isinstance(seen[-1], Ended)
    assert (seen[-1].seed, seen[-1].nonce) == (spec.seed, spec.nonce)
    begun = seen[0]
    assert isinstance(begun, Begun)
    assert begun.commitment == commitment(spec.seed, spec.nonce)
    assert begun.commitment != commitment(spec.seed, "")
    drawn = {commitment(7, agreed(MAZE, "ab").nonce) for _ in range(5)}
    assert len(drawn) == 5


# -- records -------------------------------------------------------------------------------------


def test_a_record_is_read_again(tmp_path: Path) -> None:
    """The file is whole and closed when the match is over; it verifies, and steps through the same states."""
    path = tmp_path / "match.jsonl"
    file = path.open("wb")
    seen: list[Event] = []
    spec = agreed(FISH, ["ann", "bob", "cy"], seed=4, conduct=every("skip", "random", "expel"))
    wicked = Scripted(returns(None), returns(None), returns(None))
    result = play_now(spec, [Scripted(), wicked, Scripted()], [recorder(file), seen.append])
    assert file.closed
    replay = Replay(path.read_bytes(), "match.jsonl")
    replay.verify()
    assert replay.spec() == spec
    assert replay.ended is not None
    assert replay.ended.result == result
    *_, (last, state) = replay.states()
    assert isinstance(last, Ended)
    assert state.outcome() == result.outcome
    assert [type(event) for event, _ in replay.states()] == [type(event) for event in seen]
    assert any(isinstance(event, Expelled) for event in seen)


def test_every_line_is_written_as_it_happens() -> None:
    """After each event the file holds all lines so far, so that a crash loses nothing."""

    class File(io.BytesIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed = len(self.getvalue())

    file = File()
    see = recorder(file)
    for turn in range(3):
        see(Moved(turn, 0, None))
        assert file.flushed == len(file.getvalue())
        assert file.getvalue().count(b"\n") == turn + 1
    assert not file.closed


def recorded() -> bytes:
    spec = agreed(FISH, "ab", seed=4)
    return b"".join(encode(event) + b"\n" for event in played(spec, Scripted(), Scripted()))


def test_a_record_that_was_cut() -> None:
    """Without its last line a record can be stepped through but not verified; half a line is as none."""
    whole = recorded()
    ends = [at + 1 for at, byte in enumerate(whole) if byte == 10]
    for end in ends[:-1]:
        replay = Replay(whole[:end], "x")
        assert replay.ended is None
        with pytest.raises(BadInput, match=r"^x: the match did not end"):
            replay.verify()
        assert [event for event, _ in replay.states()] == replay.events
    for cut in range(1, ends[0] - 1, 97):
        with pytest.raises(BadInput, match=r"^x, line 1: "):
            Replay(whole[:cut], "x")
    for end in ends[:-1]:
        with pytest.raises(BadInput, match=r"^x: the match did not end"):
            Replay(whole[: end + 20], "x").verify()
    Replay(whole[:-1], "x").verify()


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"[]", b"\xff\xfe", b"null\n", b"[" * 100_000])
def test_what_is_no_record(data: bytes) -> None:
    """Anything else is BadInput at its first line."""
    with pytest.raises(BadInput, match=r"^x, line 1: "):
        Replay(data, "x")


def test_lines_out_of_place() -> None:
    """A line that is missing, doubled, moved or added at the end is found."""
    whole = recorded().splitlines(keepends=True)
    for number in range(len(whole)):
        for other in (
            [*whole[:number], *whole[number + 1 :]],
            [*whole[:number], whole[number], *whole[number:]],
            [*whole[:number], *whole[number : number + 2][::-1], *whole[number + 2 :]],
        ):
            if other != whole:
                with pytest.raises(BadInput, match=r"^x"):
                    Replay(b"".join(other), "x").verify()
    with pytest.raises(BadInput, match=r"^x"):
        Replay(b"".join([*whole, whole[1], whole[-1]]), "x").verify()


def changed(number: int, **fields: Any) -> bytes:
    """A record in which fields of one line have other values."""
    whole = recorded().splitlines()
    line = json.loads(whole[number]) | fields
    whole[number] = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    return b"\n".join(whole) + b"\n"


@pytest.mark.parametrize(
    ("number", "fields"),
    [
        (0, {"format": 2}),
        (0, {"game": "chess"}),
        (0, {"game": "hexapawn"}),
        (0, {"options": {"rows": 99, "cols": 4}}),
        (0, {"options": {"colour": "red"}}),
        (0, {"options": {"rows": 1, "cols": 1}}),
        (0, {"names": ["a"]}),
        (0, {"names": ["a", "b", "c"]}),
        (0, {"names": []}),
        (0, {"commitment": "0" * 64}),
        (0, {"turn_cap": 3}),
        (0, {"talks": [0]}),
        (0, {"talks": [7]}),
        (0, {"position": None}),
        (1, {"seat": 1}),
        (1, {"seat": 9}),
        (1, {"seat": -1}),
        (1, {"turn": 1}),
        (1, {"by": "referee"}),
        (1, {"move": {"type": "place", "at": [9, 9]}}),
        (1, {"move": "e4"}),
        (-1, {"seed": 5}),
        (-1, {"nonce": ""}),
    ],
)
def test_a_record_that_was_changed(number: int, fields: dict[str, Any]) -> None:
    """Whatever was changed of what follows from the rest is BadInput, and nothing else is raised."""
    with pytest.raises(BadInput, match=r"^x"):
        Replay(changed(number, **fields), "x").verify()


@pytest.mark.parametrize(
    ("number", "fields", "complaint"),
    [
        (0, {"format": 2}, r"^x, line 1: this is format 2; 1 is known"),
        (0, {"commitment": "0" * 64}, r"^x: the seed is not the one that was promised"),
        (-1, {"seed": 5}, r"^x: the seed is not the one that was promised"),
        (-1, {"nonce": ""}, r"^x: the seed is not the one that was promised"),
        (1, {"turn": 1}, r"^x, line 2: played again, this line is"),
    ],
)
def test_what_is_wrong_with_a_record(number: int, fields: dict[str, Any], complaint: str) -> None:
    """A broken promise and an unknown format are called what they are."""
    with pytest.raises(BadInput, match=complaint):
        Replay(changed(number, **fields), "x").verify()


@pytest.mark.parametrize("seat", [-1, 2, 9, 10**30])
@pytest.mark.parametrize("offence", ["gone", "late", "flood"])
def test_a_fault_of_nobody(seat: int, offence: str) -> None:
    """A record in which a seat sinned that is not there is BadInput."""
    whole = recorded().splitlines()
    line = {
        "type": "faulted", "turn": 0, "seat": seat, "offence": offence, "reason": "x", "sanction": "expel",
        "said": None, "took": 0,
    }  # fmt: skip
    data = b"\n".join([whole[0], json.dumps(line).encode(), *whole[1:]])
    with pytest.raises(BadInput, match=r"^x"):
        Replay(data, "x").verify()


def test_the_course_is_the_usual_conduct() -> None:
    """A match for which nothing is said is played under the courses' conduct, and untimed."""
    spec = agreed(FISH, "ab", seed=1)
    assert spec.conduct == COURSE
    assert spec.limits.clock.budget is None
    assert spec.turn_cap == touchline.drivers.match.TURN_CAP

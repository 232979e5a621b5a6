"""`records/shrink.py` and `records/trial.py`: the shortest start of a game on which a player still fails."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from recorded import SMALL, record
from touchline.core import registry
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.events import Ended, Expelled, Faulted, Moved, encode
from touchline.core.messages import Resigned
from touchline.drivers.match import opened
from touchline.drivers.one_player import one_player
from touchline.games.fish import Fish, Place
from touchline.games.hexapawn import Hexapawn
from touchline.players.by_name import in_dialect
from touchline.records.replay import Replay
from touchline.records.script import legal_part, script_of, states_along
from touchline.records.shrink import Shrinking
from touchline.records.trial import LEFT_OUT, LIMIT, Failure, Trials, trial_spec

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game, State

Condition = Any  # a function of a view and a turn, true where a planted bot fails

FOUR = Hexapawn(rows=4, cols=4)
LONG = 40
"""Random choices of a script: more than any game here has turns."""


def random_record(game: Game, seed: int, **terms: Any) -> Replay:
    """Return the record of a random game."""
    rng = Random(seed)
    script = [lambda view: rng.choice(view.legal_moves())] * LONG
    return Replay(record(game, 2, script, seed, **terms), "random")


def plant(condition: Condition, failing: Callable[[], Any]) -> type:
    """Return a bot that fails if, and only if, a condition holds."""

    class Planted:
        def choose(self, view: Any, turn: int) -> Any:
            return failing() if condition(view, turn) else view.legal_moves()[0]

    return Planted


def crash() -> None:
    raise KeyError("planted")


def pawn_at(row: int, col: int) -> Condition:
    """Any pawn stands there."""
    return lambda view, turn: view.position().board[row][col] != "."


def late_in_the_game(view: State, turn: int) -> bool:
    return turn >= 3


def one_move_left(view: State, turn: int) -> bool:
    return len(view.legal_moves()) == 1


def shortest_by_brute_force(game: Game, seat: int, condition: Condition) -> int:
    """Return the least number of moves before a question at which the condition holds."""
    layer, depth = [game.start(2, Random(0))], 0
    while layer:
        if any(state.to_move == seat and condition(state, depth) for state in layer):
            return depth
        layer = [new for state in layer for move in state.legal_moves()
                 if (new := state.play(move)).to_move is not None]  # fmt: skip
        depth += 1
    raise AssertionError("the condition never holds")


def shrunk(
    replay: Replay, seat: int, kind: type, tries: int = 1000, *, different: bool = False
) -> tuple[Failure | None, Shrinking | None]:
    """Shrink a record for a bot in this process."""
    trials = Trials(
        trial_spec(replay, seat, "bot", None), seat, lambda: one_player(kind(), replay.game, seat, None)
    )
    script = script_of(replay, seat)
    failure = trials.first(script, different=different)
    if failure is None:
        return None, None
    script = script[: failure.steps]
    opening = opened(replay.spec())
    search = Shrinking(opening, seat, trials.fails, tries=tries, rng=Random(0), wanted=trials.wanted(script))
    search.run(script)
    assert trials.failure is not None
    assert search.best is not None
    assert trials.failure.steps == len(search.best)
    return trials.failure, search


def written(failure: Failure) -> Replay:
    replay = Replay(b"".join(encode(event) + b"\n" for event in failure.events), "shrunk")
    replay.verify()
    return replay


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "condition",
    [pawn_at(1, 1), pawn_at(2, 2), late_in_the_game, one_move_left],
    ids=["a", "b", "turn", "one"],
)
@pytest.mark.parametrize("game", [SMALL, FOUR], ids=["3x3", "4x4"])
def test_the_result_is_as_short_as_brute_force_finds(game: Game, condition: Condition, seat: int) -> None:
    """From every recorded game on which the planted bot fails, the search comes to the same length."""
    least = shortest_by_brute_force(game, seat, condition)
    found = 0
    for seed in range(60):
        failure, search = shrunk(random_record(game, seed), seat, plant(condition, crash))
        if failure is not None:
            assert search is not None
            assert (failure.steps, search.shortest) == (least, True)
            found += 1
        if found == 3:
            return
    assert found


def test_the_record_is_a_match_that_ends_with_the_failure() -> None:
    """It verifies; all seats move as scripted, and the bot's fault and the verdict are at the end."""
    failure, search = shrunk(random_record(FOUR, 1), 0, plant(late_in_the_game, crash))
    assert failure is not None
    assert search is not None
    replay = written(failure)
    moved = [event for event in replay.events if isinstance(event, Moved)]
    assert [event.turn for event in moved] == [0, 1, 2, 3]
    fault, expelled, ended = replay.events[-3:]
    assert isinstance(fault, Faulted)
    assert (fault.turn, fault.seat, fault.offence) == (4, 0, Offence.GONE)
    assert fault.reason == "raised KeyError: 'planted'"
    assert isinstance(expelled, Expelled)
    assert isinstance(ended, Ended)
    assert replay.begun.names == ("bot", "player 1")
    again, _ = shrunk(replay, 0, plant(late_in_the_game, crash))
    assert again is not None
    assert again.steps == failure.steps  # it is as good a start for the next search


def nonsense() -> Any:
    return "nonsense"


@pytest.mark.parametrize(
    ("failing", "offence"), [(crash, "gone"), (nonsense, "malformed"), (lambda: None, "malformed")]
)
def test_each_kind_of_failure(failing: Callable[[], Any], offence: str) -> None:
    """A crash, and what is no move; each is found again."""
    replay = random_record(SMALL, 1)
    failure, _ = shrunk(replay, 0, plant(lambda view, turn: turn >= 2, failing), 20)
    assert failure is not None
    assert (failure.offence, failure.steps) == (offence, 2)
    assert written(failure).begun.limits.clock == Clock(LIMIT)  # a trial has a deadline


def test_a_late_answer_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the limit of the record, even if the move is legal."""
    now = 0

    class Late:
        def choose(self, view: Any, turn: int) -> Any:
            nonlocal now
            now += micros(3 if turn >= 2 else 2)
            return view.legal_moves()[0]

    monkeypatch.setattr("touchline.records.trial.micros_now", lambda: now)
    limits = Limits(clock=Clock(micros(2)))
    failure, _ = shrunk(random_record(SMALL, 1, limits=limits), 0, Late, 20)
    assert failure is not None
    assert (failure.offence, failure.steps) == ("late", 2)
    assert written(failure).begun.limits == limits


def test_another_failure_does_not_count() -> None:
    """A bot that crashes late and is illegal earlier in other games is shrunk to the crash."""

    class Twofold:
        def choose(self, view: Any, turn: int) -> Any:
            if pawn_at(1, 0)(view, turn):
                return "nonsense"
            return crash() if turn >= 4 else view.legal_moves()[0]

    for seed in range(50):
        replay = random_record(FOUR, seed)
        failure, _ = shrunk(replay, 0, Twofold)
        if failure is not None and failure.offence == "gone":
            assert (failure.way, failure.steps) == (("gone", "raised KeyError", ""), 4)
            assert not pawn_at(1, 0)(
                states_along(opened(replay.spec()), script_of(written(failure), 0))[-1], 2
            )
            return
    raise AssertionError("no record has the crash")


def test_a_sound_bot_and_one_that_resigns_do_not_fail() -> None:
    """There is nothing to shrink."""

    def resign() -> None:
        raise Resigned("enough")

    for kind in (plant(lambda view, turn: False, crash), plant(late_in_the_game, resign)):
        assert shrunk(random_record(FOUR, 1), 0, kind) == (None, None)


def test_another_move_than_the_recorded_one() -> None:
    """Only with `different`; a shorter game must lead to the same view, and the record has the move."""
    replay = random_record(FOUR, 3)
    recorded = [event for event in replay.events if isinstance(event, Moved) and event.seat == 0]
    kind = plant(lambda view, turn: False, crash)
    assert shrunk(replay, 0, kind) == (None, None)
    failure, search = shrunk(replay, 0, kind, different=True)
    assert failure is not None
    assert search is not None
    assert search.best is not None
    assert failure.offence == "different"
    states = states_along(opened(replay.spec()), script_of(replay, 0)[: failure.steps])
    first = next(event for event in recorded if event.turn == failure.turn)
    assert replay.move_of(first.move) != states[-1].legal_moves()[0]
    events = written(failure).events
    moved = [event for event in events if isinstance(event, Moved)]
    assert replay.move_of(moved[-1].move) == states[-1].legal_moves()[0]
    assert isinstance(events[-1], Ended)
    assert events[-1].result.reason == LEFT_OUT


def test_a_player_in_a_dialect_and_a_conduct_with_retries() -> None:
    """The bot speaks seed 001; the record ends when its turn is over, and says that the rest is left out."""

    class Noted:
        def updateGameState(self, state: Any) -> None:  # noqa: N802
            self.phase = state["phase"]

        def notifyTurn(self) -> None:  # noqa: N802
            self.rejectMove("")

        def rejectMove(self, reason: str) -> None:  # noqa: N802
            self.referee.placePenguin([9, 9])  # type: ignore[attr-defined]

    game = Fish(rows=4, cols=4)
    replay = random_record(game, 1, conduct=registry.find("conducts", "seed-001"))
    spec = trial_spec(replay, 1, "bot", None)
    trials = Trials(
        spec, 1, lambda: one_player(in_dialect(Noted(), "seed-001", game, 1), game, 1, "seed-001")
    )
    failure = trials.first(script_of(replay, 1))
    assert failure is not None
    assert (failure.offence, failure.steps) == ("illegal", 1)
    events = written(failure).events
    assert len([event for event in events if isinstance(event, Faulted)]) > 1
    assert isinstance(events[-1], Ended)
    assert events[-1].result.reason == LEFT_OUT


def test_the_budget_is_kept_and_the_best_so_far_remains() -> None:
    """With few tries the result may be longer, and an interrupted search keeps what it has."""
    replay = random_record(Hexapawn(rows=6, cols=6), 2)
    started = 0

    class Counted(plant(lambda view, turn: turn >= 6 and len(view.legal_moves()) < 9, crash)):  # type: ignore[misc]
        def __init__(self) -> None:
            nonlocal started
            started += 1

    failure, search = shrunk(replay, 0, Counted, 5)
    assert failure is not None
    assert search is not None
    assert search.tries <= 5
    assert started == search.tries + 1
    written(failure)

    calls = 0

    def interrupted(script: Any) -> int | None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return len(script) if calls == 1 else None

    script = legal_part(opened(replay.spec()), script_of(replay, 0))
    search = Shrinking(opened(replay.spec()), 0, interrupted, tries=100, rng=Random(0))
    with pytest.raises(KeyboardInterrupt):
        search.run(script)
    assert search.best is not None
    assert len(search.best) < len(script)


def test_what_becomes_illegal_is_dropped_too() -> None:
    """Without the first move the second is out of turn, and what depends on them is illegal."""
    replay = random_record(FOUR, 5)
    script, opening = script_of(replay, 0), opened(replay.spec())
    script = legal_part(opening, whole := script)
    assert script == whole[:-1]  # the last move ended the game, and no question comes after it
    for start in range(len(script)):
        kept = legal_part(opening, script[:start] + script[start + 1 :])
        assert len(kept) < len(script)
        assert [step for step in script if step in kept] == list(kept)
        states_along(opening, kept)


def test_skipped_and_removed_seats_are_part_of_a_script() -> None:
    """A turn that was taken away from one seat, and another that left, are replayed in the trial."""
    game, rng = Fish(rows=4, cols=4), Random(2)

    def any_move(view: Any) -> Any:
        return rng.choice(view.legal_moves())

    script = [any_move] * 9 + [Place((0, 0))] * 3 + [Resigned("enough")] + [any_move] * LONG
    data = record(game, 3, script, 3, conduct=registry.find("conducts", "seed-001"))
    replay = Replay(data, "three")
    steps = script_of(replay, 2)
    assert [(step.seat, step.kind) for step in steps if step.kind != "move"] == [(0, "skip"), (1, "leave")]
    kind = plant(lambda view, turn: turn >= 12, crash)
    trials = Trials(trial_spec(replay, 2, "bot", None), 2, lambda: one_player(kind(), game, 2, None))
    failure = trials.first(steps)
    assert failure is not None
    assert {"Skipped", "Resigned", "Faulted"} <= {type(event).__name__ for event in written(failure).events}
    first = states_along(opened(replay.spec()), steps[: failure.steps])[-1]
    *_, (_, last) = (pair for pair in written(failure).states() if not isinstance(pair[0], Expelled | Ended))
    assert last == first  # the trial came to the position of the record

"""What an analysis says, against what is known: of a solved game exactly, of others by their laws."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from obvious.thinkers import Eager, Eager3, Exhaustive, Exhaustive3
from recorded import BLUNDER, FLAWLESS, SMALL, record, replay, steps
from touchline.bots.shared.evaluation import worth
from touchline.conducts.base import read as conduct
from touchline.core.errors import BadInput
from touchline.core.events import Moved
from touchline.core.messages import Resigned
from touchline.core.registry import CONDUCTS
from touchline.games.fish import Fish, Place
from touchline.games.labyrinth import PASS, Labyrinth, LabyrinthState
from touchline.records.analysis import (
    WORLDS,
    Analysis,
    Verdict,
    advised,
    concluded,
    judged,
    spelled,
    verdict,
    weighed,
)
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.bots.base import Thinker, Thought
    from touchline.core.rules import State


def analysed(match: Replay, thinker: Thinker, **options: Any) -> Analysis:
    return concluded(match, list(judged(match, thinker, **options)), "a thinker", **options)


# -- a solved game ------------------------------------------------------------------------------------


def test_a_blunder_is_found() -> None:
    """Seat 1 has won hexapawn 3 x 3 before it begins; whoever gives that away lost it there."""
    said = analysed(replay(SMALL, 2, BLUNDER), Exhaustive())
    assert [turn.before.values for turn in said.turns] == [(0, 1), (0, 1), (1, 0)]
    assert [turn.played.verdict.value for turn in said.turns] == ["best", "blunder", "best"]
    assert [turn.played.gave for turn in said.turns] == [0, 1, 0]
    (loss,) = said.losses
    assert (loss.seat, loss.how, loss.turn) == (1, "move", 1)
    better = said.turns[1].before.spelled[0]
    assert loss.words == f"seat 1 lost it at turn 1: 2,1 1,1 instead of {better}; 1.00 -> 0.00"
    assert better == "2,1 1,0"


def test_who_never_stood_well_lost_nothing() -> None:
    """Seat 0 was lost from the beginning, and none of its moves is blamed."""
    said = analysed(replay(SMALL, 2, FLAWLESS), Exhaustive())
    assert [loss.words for loss in said.losses] == ["seat 0 was lost from the beginning"]
    assert {turn.played.verdict for turn in said.turns} == {Verdict.BEST}


def test_of_several_blunders_the_last_counts() -> None:
    """Seat 1 gives it away, seat 0 gives it back: seat 0 lost it."""
    said = analysed(
        replay(SMALL, 2, steps("0,2 1,2", "2,1 1,1", "0,0 1,1", "2,0 1,1", "0,1 1,0", "1,1 0,1")),
        Exhaustive(),
    )
    assert [turn.turn for turn in said.turns if turn.played.verdict is Verdict.BLUNDER] == [1, 2]
    (loss,) = said.losses
    assert (loss.seat, loss.turn) == (0, 2)


def test_every_game_of_a_solved_game() -> None:
    """In each of many random matches the loser lost it in the last winning position that it had."""
    hows = set()
    for seed in range(60):
        rng = Random(seed)
        match = replay(SMALL, 2, [lambda view, rng=rng: rng.choice(view.legal_moves())] * 99)
        said = analysed(match, Exhaustive())
        assert said.result is not None
        assert said.result.outcome is not None
        (winner,) = said.result.outcome.winners
        (loss,) = said.losses
        won = [turn.turn for turn in said.turns if turn.before.values[1 - winner] == 1]
        assert (loss.seat, loss.turn) == (1 - winner, won[-1] if won else None)
        assert all(turn.seat == 1 - winner for turn in said.turns if turn.turn in won[-1:])
        hows.add((loss.seat, loss.how))
    assert hows == {(0, "beginning"), (0, "move"), (1, "move")}


def test_best_lines_are_legal_and_spelled() -> None:
    """The line that is told can be typed move by move, and ends the game."""
    match = replay(SMALL, 2, BLUNDER)
    for (_, state), turn in zip(match.states(), analysed(match, Exhaustive()).turns, strict=False):
        assert spelled(state, turn.before.line) == turn.before.spelled
        assert len(turn.before.spelled) == len(turn.before.line)


def test_only_some_turns() -> None:
    """They are judged as in the whole; where it was lost is not told of a part."""
    match = replay(SMALL, 2, FLAWLESS)
    whole, part = analysed(match, Exhaustive()), list(judged(match, Exhaustive(), turns=range(1, 3)))
    assert part == list(whole.turns[1:3])
    said = concluded(match, part, "a thinker")
    assert (said.complete, said.losses) == (False, ())


def test_nothing_is_thought_twice() -> None:
    """The state after a move is the state before the next: a match costs about one thought a turn."""

    asked: list[State] = []

    class Counting(Exhaustive):
        def think(self, view: Any) -> Thought:
            asked.append(view)
            return super().think(view)

    analysed(replay(SMALL, 2, FLAWLESS), Counting())
    assert len(asked) == len(set(asked)) == len(FLAWLESS)


def test_an_analysis_is_json() -> None:
    """It goes through JSON and comes back the same."""
    said = analysed(replay(SMALL, 2, BLUNDER), Exhaustive())
    value = msgspec.json.decode(msgspec.json.encode(said))
    assert value["turns"][1]["played"]["verdict"] == "blunder"
    assert value["turns"][1]["played"]["move"] == {"from": [2, 1], "to": [1, 1]}
    assert value["losses"][0]["words"] == said.losses[0].words
    assert msgspec.json.encode(msgspec.convert(value, Analysis)) == msgspec.json.encode(said)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_verdicts_are_parts_of_a_fair_share(seats: int) -> None:
    """The same part of it is the same verdict, however many sit there."""
    parts = [0, 0.05, 0.099, 0.101, 0.249, 0.251, 0.499, 0.501, 1]
    names = ["best", "fine", "fine", "doubtful", "doubtful", "mistake", "mistake", "blunder", "blunder"]
    assert [verdict(part / seats, seats).value for part in parts] == names


# -- one position ----------------------------------------------------------------------------------------


def test_every_move_of_a_position_is_weighed() -> None:
    """Of a solved one, exactly those that keep the win are best."""
    state = SMALL.start(2, Random(0)).play(BLUNDER[0])
    advice = advised(state, Exhaustive())
    assert (advice.seat, advice.values, advice.spelled[0]) == (1, (0, 1), "2,1 1,0")
    choices = list(weighed(state, advice, Exhaustive(), hidden=False))
    assert [choice.move for choice in choices] == state.legal_moves()
    for choice in choices:
        assert choice.after == Exhaustive().think(state.play(choice.move)).values[1]
        assert (choice.verdict is Verdict.BEST) == (choice.after == 1)
    assert {choice.after for choice in choices} == {0, 1}


# -- more than two ---------------------------------------------------------------------------------------


def some_fish(seed: int, seats: int = 3) -> Replay:
    rng = Random(seed)
    game = Fish(rows=3, cols=5)
    return replay(game, seats, [lambda view: rng.choice(view.legal_moves())] * 99, seed)


@pytest.mark.parametrize("seed", range(5))
def test_what_a_move_gave_away_at_a_table_of_three(seed: int) -> None:
    """By a thinker that knows, it is what the best move is worth less what this one is."""
    match, placed = some_fish(seed), 9
    after_turn = {event.turn: state for event, state in match.states() if isinstance(event, Moved)}
    turns = list(judged(match, Exhaustive3(), turns=range(placed, 99)))
    assert turns
    for turn in turns:
        state = after_turn[turn.turn - 1]
        assert state.to_move == turn.seat

        def value(move: Any, state: State = state, seat: int = turn.seat) -> float:
            after = state.play(move)
            return (worth(after, 3) if after.to_move is None else Exhaustive3().think(after).values)[seat]

        best = max(map(value, state.legal_moves()))
        assert turn.stood == best
        assert turn.played.gave == pytest.approx(best - value(turn.played.move))
        assert turn.played.after == pytest.approx(value(turn.played.move))


@pytest.mark.parametrize("seed", range(8))
def test_every_loser_is_told_where_and_no_winner_is(seed: int) -> None:
    """The turn is one of the loser's own, the last at which it had its share."""
    said = analysed(some_fish(seed), Eager3())
    assert said.result is not None
    assert said.result.outcome is not None
    assert [loss.seat for loss in said.losses] == sorted({0, 1, 2} - {*said.result.outcome.winners})
    for loss in said.losses:
        fair = [turn.turn for turn in said.turns if turn.seat == loss.seat and turn.stood >= 1 / 3]
        assert loss.turn == (fair[-1] if fair else None)
        assert loss.words.startswith(f"seat {loss.seat} ")
    assert said.values is not None
    assert sum(said.values) == pytest.approx(1)


# -- what else happens -----------------------------------------------------------------------------------


WRONG = steps("0,1 0,0")


def first(view: State) -> Any:
    return view.legal_moves()[0]


def test_an_expulsion_is_told() -> None:
    """With the turn and the offence, and how it stood by then."""
    said = analysed(replay(SMALL, 2, [*FLAWLESS[:3], *WRONG]), Exhaustive())
    (loss,) = said.losses
    assert (loss.seat, loss.how, loss.turn) == (1, "expelled", 3)
    assert loss.words == (
        "seat 1 lost by expulsion at turn 3: illegal: you have no pawn at row 0, column 1; "
        "after its last move it stood at 1.00"
    )
    assert [(each.what, each.seat, each.turn) for each in said.incidents] == [
        ("faulted", 1, 3),
        ("expelled", 1, 3),
    ]


def test_who_gives_up_is_told_how_it_stood() -> None:
    """Seat 1 resigned a won game."""
    said = analysed(replay(SMALL, 2, [*FLAWLESS[:3], Resigned("bored")]), Exhaustive())
    (loss,) = said.losses
    assert (loss.how, loss.turn) == ("resigned", 3)
    assert loss.words == "seat 1 gave up at turn 3; after its last move it stood at 1.00"


def test_a_forfeit_is_told() -> None:
    """Where the conduct ends the match over an offence."""
    match = replay(SMALL, 2, [FLAWLESS[0], *WRONG, *WRONG], conduct=CONDUCTS["seed-002"])
    (loss,) = analysed(match, Exhaustive()).losses
    assert (loss.seat, loss.how, loss.turn) == (1, "forfeited", 1)
    assert loss.words.startswith("seat 1 lost by forfeit at turn 1: illegal: ")


def test_a_skipped_turn_is_told_and_the_rest_is_judged() -> None:
    """The turn that was taken away has no verdict, the next has one."""
    script = [*[first] * 9, *[Place((0, 0))] * 3, *[first] * 99]
    said = analysed(replay(Fish(rows=3, cols=5), 3, script, conduct=CONDUCTS["seed-001"]), Eager3())
    (skipped,) = [each for each in said.incidents if each.what == "skipped"]
    assert skipped.turn == 9
    assert 9 not in [turn.turn for turn in said.turns]
    assert 10 in [turn.turn for turn in said.turns]
    assert said.complete


def test_a_move_by_the_referee_is_told() -> None:
    """The seat did not choose it, and it may be what lost."""
    mild = conduct('name = "mild"\nillegal.steps = ["random"]', "mild.toml")
    for seed in range(20):
        match = replay(SMALL, 2, [FLAWLESS[0], *WRONG, *[first] * 9], seed, conduct=mild)
        said = analysed(match, Exhaustive())
        assert [turn.by for turn in said.turns][:3] == ["seat", "referee", "seat"]
        if any(loss.turn == 1 for loss in said.losses):
            assert "(played by the referee) instead of " in said.losses[0].words
            return
    pytest.fail("in no match did the referee's move lose")


def test_nobody_has_lost_a_void_match() -> None:
    """It is judged as far as it went."""
    said = analysed(replay(SMALL, 2, FLAWLESS, turn_cap=2), Exhaustive())
    assert said.result is not None
    assert said.result.verdict == "void"
    assert (len(said.turns), said.values, said.losses) == (2, None, ())


@pytest.mark.parametrize("lines", range(1, 6))
def test_a_record_that_was_cut(lines: int) -> None:
    """An open game is judged as far as it is told, as it is in the whole record."""
    whole = record(SMALL, 2, FLAWLESS)
    cut = Replay(b"".join(whole.splitlines(keepends=True)[:lines]), "cut")
    said = analysed(cut, Exhaustive())
    assert said.turns == analysed(Replay(whole, "whole"), Exhaustive()).turns[: lines - 1]
    assert (said.result, said.values, said.losses) == (None, None, ())


def test_a_cut_record_of_a_hidden_game_cannot_be_known() -> None:
    """Its secrets come with the last line."""
    whole = record(Labyrinth(rows=3, cols=5), 2, [PASS, PASS])
    cut = Replay(b"".join(whole.splitlines(keepends=True)[:2]), "cut.jsonl")
    with pytest.raises(BadInput, match=r"cut\.jsonl: the match did not end"):
        analysed(cut, Eager())


def test_a_forged_record_is_refused() -> None:
    """The seat that is said to have moved was not to move, or the one that offended is not there."""
    forged = record(SMALL, 2, [*FLAWLESS[:3], *WRONG]).replace(
        b'"faulted","turn":3,"seat":1', b'"faulted","turn":3,"seat":7'
    )
    with pytest.raises(BadInput, match=r"forged, line 5: there is no such seat"):
        analysed(Replay(forged, "forged"), Exhaustive())
    forged = record(SMALL, 2, FLAWLESS).replace(b'"turn":1,"seat":1', b'"turn":1,"seat":0')
    with pytest.raises(BadInput, match=r"forged, line 3: seat 0 was not to move"):
        analysed(Replay(forged, "forged"), Exhaustive())


# -- what is hidden ----------------------------------------------------------------------------------------


class Otherwise(Replay):
    """The same record, but seat 1 is after something else."""

    goal = (0, 0)

    def opening(self) -> State:
        state = super().opening()
        assert isinstance(state, LabyrinthState)
        return sent_elsewhere(state, self.goal)


def sent_elsewhere(state: LabyrinthState, goal: tuple[int, int]) -> LabyrinthState:
    return replace(state, seekers=(state.seekers[0], replace(state.seekers[1], goal=goal)))


def a_walk(seed: int) -> tuple[bytes, tuple[int, int]]:
    """A match in which seat 1 goes neither to its goal nor to another place, and then everybody passes."""
    game = Labyrinth(rows=5, cols=7)
    start = game.start(2, Random(seed))
    taken = {start.seekers[1].goal, start.seekers[0].goal, start.seekers[0].home, start.seekers[1].home}
    goal = next(cell for cell in start.maze.grid.fixed if cell not in taken)
    rng = Random(seed)

    def astray(view: State) -> Any:
        return rng.choice([move for move in view.legal_moves()[:-1] if move.to not in (*taken, goal)])

    return record(game, 2, [*[astray] * 4, PASS, PASS], seed), goal


def test_what_is_hidden_does_not_matter() -> None:
    """Another goal of seat 1's changes nothing in what is said of seat 0's turns; all-seeing, it does."""
    data, Otherwise.goal = a_walk(4)
    one, other = Replay(data, "one"), Otherwise(data, "other")
    mine, theirs = ([turn for turn in judged(match, Eager()) if turn.seat == 0] for match in (one, other))
    assert len(mine) == 3
    assert mine == theirs
    assert any(turn.played.gave for turn in mine), "somebody who goes astray gives something away"
    seen = [
        [turn.before.values for turn in judged(match, Eager(), all_seeing=True)] for match in (one, other)
    ]
    assert seen[0] != seen[1]


def test_a_view_is_all_that_a_thinker_gets() -> None:
    """Whatever it is asked, before a move or after, it sees what the seat to move may see and no more."""
    seen: list[LabyrinthState] = []

    class Nosy(Eager):
        def think(self, view: Any) -> Thought:
            seen.append(view)
            return super().think(view)

    match = Replay(a_walk(1)[0], "a walk")
    (turn,) = judged(match, Nosy(), turns=[0])
    assert seen[0] == match.opening().view(0)
    assert turn.played.move != turn.before.line[0]
    assert len(seen) == 1 + 2 * WORLDS * 2, "for both moves, in every world, an answer and another look"
    for view in seen:
        assert view == view.view(view.to_move)
        assert view.to_move is not None
        assert [seeker.goal is not None for seeker in view.seekers] == [view.to_move == 0, view.to_move == 1]


# -- who thinks ----------------------------------------------------------------------------------------------


def test_a_thinker_that_gives_up_blames_nobody() -> None:
    """Where it has nothing to play it says so, and every move is as good."""

    class Weary(Exhaustive):
        def think(self, view: Any) -> Thought:
            thought = super().think(view)
            return thought if thought.values[view.to_move] else replace(thought, line=())

    said = analysed(replay(SMALL, 2, BLUNDER), Weary())
    assert [turn.before.best for turn in said.turns] == ["resign", "2,1 1,0", "0,2 1,2"]
    assert [turn.played.verdict.value for turn in said.turns] == ["best", "blunder", "best"]

"""What other seats do while a seat is told its next goal."""

from __future__ import annotations

import pytest

from referee.dialogue import MAZE, Dialogue, absentees, conduct, every
from referee.goals_reached import alone, finished, sent_on, state_of
from touchline.conducts.fish_push import CONDUCT as SEED_001
from touchline.core import events
from touchline.core.conduct import ladder
from touchline.core.messages import Act, Garbled, Over, Ready, Resign
from touchline.games.labyrinth import PASS

PATIENT = conduct(out_of_turn=ladder("retry 9", "expel", counted="turn"))


def test_nobody_else_has_the_turn_meanwhile() -> None:
    """Who is next and moves before it is asked is out of turn, and the seat is still awaited."""
    dialogue = sent_on(0, under=PATIENT)
    state = state_of(dialogue)
    dialogue.hear(1, Act(PASS))
    assert dialogue.verdicts() == [(1, "out_of_turn", "retry")]
    assert dialogue.words(1) == ["Rejected"]
    assert dialogue.state == state
    assert dialogue.referee.awaited == {0: 1000}
    dialogue.hear(0, Ready())
    assert dialogue.kinds() == ["SentOn"]
    finished(dialogue)


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("how", ["gone", "resigned", "malformed"])
def test_another_leaves_meanwhile(how: str, seat: int) -> None:
    """Whether it is next or not, it is out at once, and the waiting goes on; then the turn goes on."""
    dialogue = sent_on(0, seats=3)
    turn = dialogue.referee.turn
    if how == "gone":
        dialogue.fail(seat)
    elif how == "resigned":
        dialogue.hear(seat, Resign())
    else:
        dialogue.hear(seat, Garbled("noise", owed=True))
    assert dialogue.words(seat) == ["Expelled"]
    assert dialogue.words(0) == []
    assert dialogue.referee.awaited == {0: 1000}
    assert dialogue.referee.turn == turn + (seat == 1)
    dialogue.hear(0, Ready(), 5)
    assert dialogue.noted() == [events.SentOn(dialogue.referee.turn, 0, 0)]
    assert dialogue.words(3 - seat) == ["YourTurn"]
    assert dialogue.referee.awaited == {3 - seat: 100}
    finished(dialogue)


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("word", ["skip", "random", "default"])
def test_another_is_gone_but_not_out(word: str, seat: int) -> None:
    """The turn of the next has not begun, so it cannot be taken away yet: the seat is still awaited."""
    dialogue = sent_on(0, seats=3, under=absentees(word))
    state, turn = state_of(dialogue), dialogue.referee.turn
    dialogue.fail(seat)
    assert dialogue.verdicts() == [(seat, "gone", word)]
    assert dialogue.state == state
    assert dialogue.referee.awaited == {0: 1000}
    dialogue.hear(0, Ready())
    assert dialogue.noted()[0] == events.SentOn(turn, 0, 0)
    assert dialogue.referee.awaited == {3 - seat: 100}
    finished(dialogue)


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("word", ["skip", "random", "default"])
@pytest.mark.parametrize("owed", [False, True])
def test_another_cannot_lose_a_turn_that_has_not_begun(word: str, seat: int, owed: bool) -> None:
    """Who is next and talks meanwhile is refused, as if it were anybody."""
    dialogue = sent_on(0, seats=3, under=every(word))
    state = state_of(dialogue)
    dialogue.hear(seat, Garbled("noise", owed=owed))
    assert dialogue.verdicts() == [(seat, "malformed" if owed else "out_of_turn", "retry")]
    assert dialogue.state == state
    assert dialogue.referee.awaited == {0: 1000}
    dialogue.hear(0, Ready())
    finished(dialogue)


def test_everybody_else_leaves_meanwhile() -> None:
    """The seat is waited for although nobody else is left, and then it is asked."""
    dialogue = sent_on(0, seats=3)
    dialogue.fail(1)
    dialogue.hear(2, Resign())
    assert dialogue.referee.awaited == {0: 1000}
    dialogue.hear(0, Ready())
    assert dialogue.words(0) == ["YourTurn"]
    result = finished(dialogue)
    assert (result.expelled, result.resigned) == ((1,), (2,))


def test_it_resigns_instead() -> None:
    """Who gives up when it ought to listen is out, without an offence."""
    dialogue = sent_on(0, seats=3)
    state = state_of(dialogue)
    dialogue.hear(0, Resign("enough"))
    assert dialogue.kinds() == ["Resigned"]
    assert dialogue.state == state.without(0)
    assert dialogue.referee.awaited == {1: 100}
    result = finished(dialogue)
    assert (result.resigned, result.expelled, result.faults) == ((0,), (), ())


def test_something_of_ours_breaks_meanwhile() -> None:
    """The match is void, and everybody hears of it."""
    dialogue = sent_on(0)
    dialogue.breaks()
    assert dialogue.result.verdict == "void"
    assert [dialogue.words(seat) for seat in (0, 1)] == [["Over"], ["Over"]]
    assert not dialogue.referee.awaited
    assert dialogue.hear(0, Ready()) == []
    dialogue.verify()


def test_old_answers_meanwhile() -> None:
    """An answer to an earlier turn is ignored, and the waiting goes on; ten of them, and no more."""
    dialogue = sent_on(0, under=PATIENT)
    for _ in range(10):
        dialogue.hear(0, Act(PASS, dialogue.referee.turn - 1))
        assert dialogue.kinds() == ["Ignored"]
    assert dialogue.referee.awaited == {0: 1000}
    dialogue.hear(0, Act(PASS, dialogue.referee.turn - 1))
    assert dialogue.verdicts() == [(0, "out_of_turn", "retry")]
    finished(dialogue)


def test_nobody_is_on_the_fast_way_meanwhile() -> None:
    """A driver must not play on by itself while a seat is awaited, nor at all if a seat is guided."""
    dialogue = sent_on(0)
    assert not dialogue.referee.fresh
    dialogue.hear(0, Ready())
    assert not dialogue.referee.fresh
    assert Dialogue(MAZE, 2).seated().referee.fresh


def test_under_the_conduct_of_seed_001() -> None:
    """The third thing in a row that cannot be read expels, also when the first were said to the goal."""
    dialogue = sent_on(0, under=SEED_001)
    dialogue.garble(0)
    assert dialogue.verdicts() == [(0, "malformed", "retry")]
    assert dialogue.words(0) == ["Rejected"]
    dialogue.hear(1, Act(PASS))
    dialogue.garble(0)
    dialogue.garble(0)
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["retry", "retry", "expel"]
    finished(dialogue)


def test_the_last_word_is_over_even_then() -> None:
    """A seat that was sent on and ended the match hears Over with the view of everything."""
    dialogue = alone()
    dialogue.hear(0, Ready())
    dialogue.hear(0, Act(PASS))
    (last,) = dialogue.told(0)
    assert isinstance(last, Over)
    assert last.outcome == dialogue.result.outcome

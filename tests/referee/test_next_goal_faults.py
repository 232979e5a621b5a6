"""A seat that is told its next goal does not answer, or answers late."""

from __future__ import annotations

import pytest

from referee.dialogue import absentees, always, every
from referee.goals_reached import ABSENCES, FAILURES, alone, finished, sent_on, state_of, ways
from touchline.core import messages
from touchline.core.conduct import ABSENT, Offence
from touchline.core.messages import Act, Ready, Rejected
from touchline.games.labyrinth import PASS

# -- it fails ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("failure", FAILURES)
def test_who_does_not_listen_is_expelled(failure: str, seat: int) -> None:
    """The course expels it, whatever it did; its move stands, and the others play on."""
    fail, offence = FAILURES[failure]
    dialogue = sent_on(seat, seats=3)
    state = state_of(dialogue)
    fail(dialogue, seat)
    assert dialogue.verdicts() == [(seat, offence, "expel")]
    assert dialogue.kinds() == ["Faulted", "Expelled"]
    (last,) = dialogue.told(seat)
    assert isinstance(last, messages.Expelled)
    assert last.offence == Offence(offence)
    assert dialogue.dismissed() == [seat]
    assert dialogue.state == state.without(seat)
    assert state_of(dialogue).maze == state.maze
    assert dialogue.referee.awaited == {state.to_move: 100}
    assert finished(dialogue).expelled == (seat,)


@pytest.mark.parametrize("steps", [["retry 5", "expel"], ["skip"], ["random"], ["default"]])
@pytest.mark.parametrize(
    "failure", [name for name, (_, what) in FAILURES.items() if Offence(what) not in ABSENT]
)
def test_a_sanction_that_is_not_final_ends_the_waiting(failure: str, steps: list[str]) -> None:
    """There is no turn to take away and nothing to play: it is told that it was wrong, and that is all."""
    fail, offence = FAILURES[failure]
    dialogue = sent_on(0, under=every(*steps))
    state = state_of(dialogue)
    fail(dialogue, 0)
    assert dialogue.verdicts() == [(0, offence, "retry")]
    assert dialogue.kinds() == ["Faulted"]
    (said,) = dialogue.told(0)
    assert isinstance(said, Rejected)
    assert said.offence == Offence(offence)
    assert dialogue.words(1) == ["YourTurn"]
    assert dialogue.state == state
    assert dialogue.referee.awaited == {1: 100}
    assert finished(dialogue).expelled == ()


@pytest.mark.parametrize("word", ["skip", "random", "default"])
@pytest.mark.parametrize("offence", ABSENCES)
def test_nobody_is_waited_for_at_a_seat_where_nobody_is_left(offence: Offence, word: str) -> None:
    """Who is gone but not expelled is no longer waited for, and nothing is told it."""
    dialogue = sent_on(0, under=absentees(word))
    state = state_of(dialogue)
    dialogue.fail(0, offence)
    assert dialogue.verdicts() == [(0, offence.value, word)]
    assert dialogue.words(0) == []
    assert dialogue.words(1) == ["YourTurn"]
    assert dialogue.state == state


@pytest.mark.parametrize("word", ["forfeit", "void"])
@pytest.mark.parametrize("failure", FAILURES)
def test_what_ends_the_match_ends_it(failure: str, word: str) -> None:
    """Forfeit and void do as ever."""
    fail, offence = FAILURES[failure]
    dialogue = sent_on(0, under=always(word))
    fail(dialogue, 0)
    assert dialogue.verdicts() == [(0, offence, word)]
    assert dialogue.result.verdict == {"forfeit": "forfeited", "void": "void"}[word]
    assert dialogue.words(1) == ["Over"]
    dialogue.verify()


def test_the_last_seat_is_sent_on_before_it_is_asked_again() -> None:
    """Also when nobody else is left to move meanwhile."""
    dialogue = alone()
    assert dialogue.referee.awaited == {0: 1000}
    dialogue.hear(0, Ready(), 1000)
    assert dialogue.kinds() == ["SentOn"]
    assert dialogue.words(0) == ["YourTurn"]
    assert dialogue.referee.awaited == {0: 100}
    finished(dialogue)


@pytest.mark.parametrize("failure", ["lapsed", "late", "noise", "a move"])
def test_the_last_seat_does_not_listen(failure: str) -> None:
    """A sanction that is not final does not cost it the turn that has not begun."""
    dialogue = alone(every("skip"))
    turn = dialogue.referee.turn
    FAILURES[failure][0](dialogue, 0)
    assert [word for _, _, word in dialogue.verdicts()] == ["retry"]
    assert dialogue.words(0) == ["Rejected", "YourTurn"]
    assert dialogue.referee.turn == turn


@pytest.mark.parametrize(("idle", "kinds"), [
    (1, ["Faulted", "Faulted", "Expelled", "Ended"]),
    (2, ["Faulted", "Faulted", "Skipped", "Ended"]),
])  # fmt: skip
def test_the_last_seat_is_gone(idle: int, kinds: list[str]) -> None:
    """No more turns are taken away from it than from anybody, and none before it has begun."""
    dialogue = alone(absentees("skip", idle=idle))
    dialogue.fail(0)
    assert dialogue.kinds() == kinds
    dialogue.verify()


# -- its answer comes too late -------------------------------------------------------------------


def test_an_answer_that_comes_after_all_is_ignored() -> None:
    """After a lapse that did not expel it, the answer that is owed harms nobody: it is ignored, once."""
    dialogue = sent_on(0, under=every("retry 5", "expel"))
    dialogue.lapse(0)
    dialogue.hear(0, Ready())
    assert dialogue.kinds() == ["Ignored"]
    dialogue.hear(0, Ready())
    assert dialogue.verdicts() == [(0, "late", "retry"), (0, "out_of_turn", "retry")]
    finished(dialogue)


def test_an_answer_that_comes_in_its_next_turn_is_ignored() -> None:
    """Also when it is asked to move meanwhile; then its move counts."""
    dialogue = sent_on(0, under=every("retry 5", "expel"))
    dialogue.lapse(0)
    dialogue.hear(1, Act(ways(dialogue)[1][0]))
    assert dialogue.words(0) == ["YourTurn"]
    dialogue.hear(0, Ready())
    assert dialogue.kinds() == ["Ignored"]
    dialogue.hear(0, Act(PASS))
    assert dialogue.kinds() == ["Moved", "SentOn"]
    assert dialogue.verdicts() == [(0, "late", "retry")]
    finished(dialogue)


def test_nothing_is_owed_by_who_answered_late() -> None:
    """An answer that came too late has come."""
    dialogue = sent_on(0, under=every("retry 5", "expel"))
    dialogue.hear(0, Ready(), 1001)
    dialogue.hear(0, Ready())
    assert dialogue.verdicts() == [(0, "late", "retry"), (0, "out_of_turn", "retry")]

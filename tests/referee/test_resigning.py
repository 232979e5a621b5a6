"""A seat may resign at any time."""

from __future__ import annotations

import pytest

from referee.dialogue import FISH, HEXAPAWN, MAZE, Dialogue, absentees, conduct, every, fault
from touchline.core import events, messages
from touchline.core.conduct import ladder
from touchline.core.messages import Garbled, Ready, Resign, YourTurn
from touchline.core.rules import Outcome


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("when", ["before it sits", "when it sits", "in play"])
def test_resigning(seat: int, when: str) -> None:
    """A seat that gives up is removed, at any time, and that is no offence."""
    dialogue = Dialogue(FISH, 3)
    if when == "when it sits":
        dialogue.hear(seat, Ready())
    elif when == "in play":
        dialogue.seated().moves(4)
    playing = when == "in play"
    state, turn = dialogue.state, dialogue.referee.turn
    dialogue.hear(seat, Resign("enough"))
    assert dialogue.noted()[:1] == [events.Resigned(turn, seat, "enough")]
    assert dialogue.told(seat) == [messages.Expelled("enough", None)]
    assert dialogue.dismissed() == [seat]
    assert dialogue.state == state.without(seat)
    assert seat not in dialogue.referee.awaited
    for said in (Resign(), Ready(), Garbled("x")):
        assert dialogue.hear(seat, said) == []
    result = dialogue.play_out() if playing else dialogue.seated().play_out()
    assert (result.resigned, result.expelled, result.faults) == ((seat,), (), ())
    assert result.outcome is not None
    assert result.outcome.ranks[seat] is None
    dialogue.verify()


def test_resigning_on_turn_is_a_turn() -> None:
    """The next seat is asked in the next turn; off turn the question of another stands."""
    dialogue = Dialogue(FISH, 3).seated().moves(3)
    dialogue.hear(1, Resign())
    assert dialogue.referee.turn == 3
    assert dialogue.kinds() == ["Resigned"]
    assert dialogue.words(0) == []
    assert dialogue.referee.awaited == {0: 100}
    dialogue.hear(0, Resign())
    assert dialogue.referee.turn == 4
    assert dialogue.told(2) == [YourTurn(4, dialogue.state, 100)]


def test_resigning_too_late_is_resigning() -> None:
    """However long it took: it does not want to play."""
    dialogue = Dialogue(FISH, 3, under=every("skip")).seated().moves(3)
    dialogue.hear(0, Resign(), 10**9)
    assert dialogue.verdicts() == []
    dialogue.hear(2, Resign(), 10**9)
    assert dialogue.verdicts() == []
    assert dialogue.play_out().resigned == (0, 2)
    dialogue.verify()


def test_who_owes_an_answer_may_resign() -> None:
    """Giving up is never taken for the answer that is owed."""
    dialogue = Dialogue(MAZE, 3, under=every("skip")).seated()
    dialogue.lapse(0)
    dialogue.hear(0, Resign())
    assert dialogue.kinds() == ["Resigned"]
    dialogue.play_out()
    dialogue.verify()


def test_everybody_resigns() -> None:
    """The last who stays has won a game of two; where the last may go on alone, nobody has."""
    dialogue = Dialogue(HEXAPAWN).seated()
    dialogue.hear(1, Resign())
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (0,)
    dialogue.verify()
    dialogue = Dialogue(FISH, 3).seated()
    for seat in (2, 0, 1):
        dialogue.hear(seat, Resign(f"{seat} has had enough"))
    assert dialogue.result.resigned == (2, 0, 1)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()
    dialogue.verify()


def test_the_resigned_do_not_share_a_win_by_forfeit() -> None:
    """They have no rank, as if they had been expelled."""
    dialogue = Dialogue(FISH, 4, under=conduct(illegal=ladder("forfeit"))).seated()
    dialogue.hear(3, Resign())
    dialogue.cheat(0)
    assert dialogue.result.outcome == Outcome(
        (1, 2), (3, 1, 1, None), (0, 1, 1, 0), "illegal: " + fault(dialogue).reason
    )
    assert (dialogue.result.resigned, dialogue.result.expelled) == ((3,), ())
    dialogue.verify()


def test_the_gone_cannot_resign() -> None:
    """Nobody is there who could."""
    dialogue = Dialogue(FISH, 3, under=absentees("skip")).seated()
    dialogue.fail(2)
    assert dialogue.hear(2, Resign()) == []


def test_bots_resign_without_a_word() -> None:
    """A seat that does not talk is told nothing, and let go."""
    dialogue = Dialogue(FISH, 3, talks=())
    dialogue.hear(0, Resign())
    assert dialogue.words(0) == []
    assert dialogue.dismissed() == [0]
    dialogue.play_out()
    dialogue.verify()


def test_the_turn_leaves_nobody_when_another_resigns() -> None:
    """Who is asked stays asked, with the time it had, and its answer counts."""
    dialogue = Dialogue(FISH, 3, under=every("retry 3", "expel")).seated().moves(4)
    dialogue.cheat(1, took=30)
    dialogue.hear(2, Resign())
    assert dialogue.referee.awaited == {1: 70}
    dialogue.move(took=70)
    assert dialogue.kinds()[0] == "Moved"

"""A seat is told its next goal though its move has ended the game."""

from __future__ import annotations

import pytest

from referee.dialogue import MAZE, Dialogue, always
from referee.goals_reached import FAILURES, ways
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.conduct import ABSENT, Conduct, Offence
from touchline.core.messages import Act, Ready, Resign
from touchline.games import labyrinth
from touchline.games.labyrinth import PASS


@pytest.fixture
def one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is over after one round."""
    monkeypatch.setattr(labyrinth, "ROUNDS", 1)


def over_but_for_it(under: Conduct = COURSE, *, seats: int = 2) -> Dialogue:
    """The last seat has reached its goal with the last move of the game."""
    for seed in range(200):
        dialogue = Dialogue(MAZE, seats, seed=seed, under=under).seated(guided=[seats - 1])
        for _ in range(seats - 1):
            dialogue.hear(dialogue.on_turn, Act(ways(dialogue)[1][0]))
        if there := ways(dialogue)[0]:
            dialogue.hear(seats - 1, Act(there[0]))
            return dialogue
    raise AssertionError("there is no such game")


@pytest.mark.usefixtures("one_round")
def test_the_match_is_over_when_it_has_heard() -> None:
    """The game is over, but nobody hears of it before the seat has been told where it would have gone."""
    dialogue = over_but_for_it()
    assert dialogue.state.outcome() is not None
    assert dialogue.words(1) == ["Onward"]
    assert dialogue.words(0) == []
    assert dialogue.referee.result is None
    assert dialogue.referee.awaited == {1: 1000}
    dialogue.hear(1, Ready(), 1000)
    assert dialogue.kinds() == ["SentOn", "Ended"]
    assert [dialogue.words(seat) for seat in (0, 1)] == [["Over"], ["Over"]]
    assert dialogue.result.outcome == dialogue.state.outcome()
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (1,)
    dialogue.verify()


@pytest.mark.usefixtures("one_round")
@pytest.mark.parametrize("failure", FAILURES)
def test_the_outcome_is_judged_again_without_it(failure: str) -> None:
    """A seat that had won does not listen, and has no rank; the other has won."""
    dialogue = over_but_for_it()
    FAILURES[failure][0](dialogue, 1)
    assert dialogue.result.verdict == "finished"
    assert dialogue.result.expelled == (1,)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.ranks == (1, None)
    assert dialogue.result.outcome.winners == (0,)
    assert [dialogue.words(seat) for seat in (0, 1)] == [["Over"], ["Expelled"]]
    dialogue.verify()


@pytest.mark.usefixtures("one_round")
@pytest.mark.parametrize("failure", FAILURES)
def test_it_stays_in_an_outcome_if_it_is_not_expelled(failure: str) -> None:
    """A sanction that is not final ends the waiting, and thereby the match, which the seat has won."""
    dialogue = over_but_for_it(always("skip"))
    FAILURES[failure][0](dialogue, 1)
    assert dialogue.result.expelled == ()
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (1,)
    present = Offence(FAILURES[failure][1]) not in ABSENT
    assert dialogue.words(1) == (["Rejected", "Over"] if present else [])
    dialogue.verify()


@pytest.mark.usefixtures("one_round")
def test_another_fails_before_the_last_has_heard() -> None:
    """The turn is not over, so who hangs up meanwhile is expelled, and the match still waits."""
    dialogue = over_but_for_it(seats=3)
    dialogue.fail(0)
    assert dialogue.verdicts() == [(0, "gone", "expel")]
    assert dialogue.referee.awaited == {2: 1000}
    dialogue.hear(2, Ready())
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.ranks == (None, 2, 1)
    dialogue.verify()


def test_everybody_else_had_passed() -> None:
    """It was the only one who moved in this round; without it everybody passed, and the game is over."""
    for seed in range(200):
        dialogue = Dialogue(MAZE, 2, seed=seed).seated(guided=[1])
        dialogue.hear(0, Act(PASS))
        if there := ways(dialogue)[0]:
            break
    dialogue.hear(1, Act(there[0]))
    dialogue.lapse(1)
    assert dialogue.result.reason == "everybody passed"
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (0,)
    dialogue.verify()


@pytest.mark.usefixtures("one_round")
def test_it_resigns_when_the_game_is_over() -> None:
    """The outcome is judged again without it as well."""
    dialogue = over_but_for_it()
    dialogue.hear(1, Resign())
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.ranks == (1, None)
    assert dialogue.result.resigned == (1,)
    dialogue.verify()

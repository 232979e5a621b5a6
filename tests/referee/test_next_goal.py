"""A seat that has reached its goal is told its next goal before anybody is asked to move."""

from __future__ import annotations

import pytest

from referee.dialogue import MAZE, Dialogue, absentees, every
from referee.goals_reached import arrive, finished, sent_on, state_of, ways
from touchline.core import events
from touchline.core.clock import Clock, Limits
from touchline.core.happenings import Note, Tell
from touchline.core.messages import Act, Onward, Ready, YourTurn
from touchline.games.labyrinth import PASS, Labyrinth


def test_who_has_reached_its_goal_is_told_before_anybody_is_asked() -> None:
    """The move stands, and only the seat that made it is awaited, with the time for sitting down."""
    dialogue = Dialogue(MAZE, 3).seated(guided=[0])
    fresh = arrive(dialogue, 0, 7)
    turn, state = dialogue.referee.turn, state_of(dialogue)
    moved = fresh[0]
    assert isinstance(moved, Note)
    assert isinstance(moved.event, events.Moved)
    assert (moved.event.turn, moved.event.seat, moved.event.took) == (turn - 1, 0, 7)
    assert fresh[1:] == [Tell(0, Onward(turn, state.view(0)))]
    assert state.reached == 0
    assert dialogue.referee.awaited == {0: 1000}
    assert dialogue.hear(0, Ready(), 1000) == [
        Note(events.SentOn(turn, 0, 0)),
        Tell(1, YourTurn(turn, state.view(1), 100)),
    ]
    assert dialogue.referee.awaited == {1: 100}
    assert dialogue.verdicts() == []
    finished(dialogue)


def test_the_events_do_not_tell_whether_a_goal_was_reached() -> None:
    """Of a guided seat that moves elsewhere, or passes, the same is noted as of one that reached its goal."""
    elsewhere = Dialogue(MAZE, 2).seated(guided=[0])
    move = next(
        move for move in elsewhere.state.legal_moves() if state_of(elsewhere).play(move).reached is None
    )
    for kind in (move, PASS):
        dialogue = Dialogue(MAZE, 2).seated(guided=[0])
        dialogue.hear(0, Act(kind), 7)
        moved, sent = dialogue.noted()
        assert isinstance(moved, events.Moved)
        assert sent == events.SentOn(1, 0, 0)
        assert dialogue.words(0) == []
        assert dialogue.words(1) == ["YourTurn"]
        finished(dialogue)


def test_a_record_from_before_notes_only_goals() -> None:
    """A referee that is not discreet gives the events of older records, so these can be verified."""
    dialogue = Dialogue(MAZE, 2).seated(guided=[0])
    dialogue.referee._discreet = False
    dialogue.hear(0, Act(PASS))
    assert [type(event).__name__ for event in dialogue.noted()] == ["Moved"]
    dialogue = sent_on(0)
    dialogue.referee._discreet = False
    dialogue.hear(0, Ready(), 9)
    assert dialogue.noted() == [events.SentOn(dialogue.referee.turn, 0, 9)]


def test_it_is_told_its_own_goal_and_no_other() -> None:
    """The view that comes with it shows where to go next, and hides where the others go."""
    dialogue = sent_on(1, seats=3, game=Labyrinth(rows=5, cols=5, goals=1))
    (said,) = dialogue.told(1)
    assert isinstance(said, Onward)
    before, after = said.view.seekers[1], state_of(dialogue).seekers[1]
    assert before == after
    assert after.found == 1
    assert [seeker.goal for seeker in said.view.seekers if seeker != before] == [None, None]
    assert said.view.pool is None


def test_the_curious_hear_of_the_move_first() -> None:
    """It is accepted, then everybody sees it, then the seat is told where to go next."""
    dialogue = Dialogue(MAZE, 2).seated(0, 1, guided=[0])
    arrive(dialogue, 0)
    assert dialogue.words(0) == ["Accepted", "Update", "Onward"]
    assert dialogue.words(1) == ["Update"]


@pytest.mark.parametrize("guided", [[], [1]])
def test_only_the_guided_are_told(guided: list[int]) -> None:
    """Who did not ask to be guided is not told, and the turn goes on at once."""
    dialogue = Dialogue(MAZE, 2).seated(guided=guided)
    arrive(dialogue, 0)
    assert dialogue.words(0) == []
    assert dialogue.words(1) == ["YourTurn"]
    finished(dialogue)


def test_only_reaching_a_goal_counts() -> None:
    """Any other move is followed by the next turn, also the one after the goal was reached."""
    dialogue = Dialogue(MAZE, 2).seated(guided=[0, 1])
    dialogue.hear(0, Act(ways(dialogue)[1][0]))
    assert dialogue.words(0) == []
    assert dialogue.words(1) == ["YourTurn"]
    arrive(dialogue, 1)
    dialogue.hear(1, Ready())
    dialogue.hear(0, Act(PASS))
    assert dialogue.words(0) == []
    assert dialogue.words(1) == ["YourTurn"]


def test_each_goal_is_told() -> None:
    """With several goals a seat is sent on after each; coming home ends the match, and nobody is sent on."""
    dialogue = Dialogue(Labyrinth(rows=5, cols=5, goals=1), 2, seed=3).seated(guided=[0])
    for found in (1, 2):
        arrive(dialogue, 0)
        (said,) = dialogue.told(0)
        assert isinstance(said, Onward)
        assert (said.view.seekers[0].found, said.view.seekers[0].homeward) == (found, found == 2)
        dialogue.hear(0, Ready())
    while dialogue.referee.result is None:
        state = state_of(dialogue)
        home = [move for move in state.legal_moves() if state.play(move).came_home == 0]
        others = [move for move in state.legal_moves() if state.play(move).reached is None]
        dialogue.hear(dialogue.on_turn, Act(home[0] if home else others[len(others) // 2]))
    assert dialogue.words(0) == ["Over"]
    assert dialogue.result.reason == "came home"
    assert dialogue.result.verdict == "finished"
    dialogue.verify()


def test_without_a_limit_it_may_listen_for_ever() -> None:
    """Where sitting down may take for ever, so may this."""
    dialogue = sent_on(limits=Limits(set_up=None, clock=Clock(per_move=100)))
    assert dialogue.referee.awaited == {0: None}
    dialogue.hear(0, Ready(), 10**12)
    assert dialogue.verdicts() == []
    assert dialogue.referee.awaited == {1: 100}


def test_listening_costs_no_time_of_a_move() -> None:
    """The clock of moves stands still meanwhile."""
    dialogue = sent_on(limits=Limits(set_up=1000, clock=Clock(per_move=100, bank=50)))
    dialogue.hear(0, Ready(), 900)
    assert dialogue.referee.clocks[0].budget == 150


def test_the_cap_waits() -> None:
    """The last turn that is allowed is not over either before the seat has heard."""
    dialogue = sent_on()
    dialogue.referee.turn_cap = dialogue.referee.turn
    assert dialogue.referee.result is None
    dialogue.hear(0, Ready())
    assert dialogue.result.verdict == "void"
    assert dialogue.words(0) == ["Over"]


def test_the_referees_own_move_may_reach_the_goal() -> None:
    """A seat for which the referee plays is told as well, and its late answer is ignored."""
    for seed in range(200):
        dialogue = Dialogue(MAZE, 2, seed=seed, under=every("default")).seated(guided=[0])
        if state_of(dialogue).play(dialogue.state.legal_moves()[0]).reached == 0:
            break
    dialogue.lapse(0)
    assert dialogue.words(0) == ["Onward"]
    dialogue.hear(0, Act(dialogue.wrong(), 0))
    assert dialogue.kinds() == ["Ignored"]
    assert dialogue.referee.awaited == {0: 1000}
    dialogue.hear(0, Ready())
    assert dialogue.kinds() == ["SentOn"]
    assert dialogue.words(1) == ["YourTurn"]
    finished(dialogue)


def test_nobody_is_told_at_a_seat_where_nobody_is() -> None:
    """A seat that is gone and played for is not waited for when it reaches its goal."""
    for seed in range(200):
        dialogue = Dialogue(MAZE, 2, seed=seed, under=absentees("default")).seated(guided=[0])
        if state_of(dialogue).play(dialogue.state.legal_moves()[0]).reached == 0:
            break
    dialogue.fail(0)
    assert state_of(dialogue).reached == 0
    assert dialogue.words(0) == []
    assert dialogue.referee.awaited == {1: 100}

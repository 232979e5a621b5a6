"""A seat that has reached its goal is told where to go next, and the turn is not over before it has heard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from referee.dialogue import Dialogue, absentees, always, conduct, every
from touchline.core import events, messages
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import ABSENT, COURSE, SEED_001, Conduct, Offence, ladder
from touchline.core.messages import Act, Garbled, Onward, Over, Ready, Rejected, Resign, YourTurn
from touchline.core.referee import Note, Tell
from touchline.games import labyrinth
from touchline.games.labyrinth import PASS, Labyrinth, LabyrinthState

if TYPE_CHECKING:
    from touchline.core.referee import Effect
    from touchline.core.rules import Seat

MAZE = Labyrinth(rows=5, cols=5)
ABSENCES = [offence for offence in Offence if offence in ABSENT]
PATIENT = conduct(out_of_turn=ladder("retry 9", "expel", counted="turn"))


def state_of(dialogue: Dialogue) -> LabyrinthState:
    assert isinstance(dialogue.state, LabyrinthState)
    return dialogue.state


def ways(dialogue: Dialogue) -> tuple[list[Any], list[Any]]:
    """The slides with which the seat to move reaches its goal, and the others."""
    state = state_of(dialogue)
    slides = [move for move in state.legal_moves() if move != PASS]
    there = [move for move in slides if state.play(move).reached is not None]
    return there, [move for move in slides if move not in there]


def arrive(dialogue: Dialogue, seat: Seat, took: int = 0) -> list[Effect]:
    """The seat reaches its goal as soon as it can; meanwhile nobody else does."""
    for number in range(60):
        there, elsewhere = ways(dialogue)
        if dialogue.on_turn == seat and there:
            return dialogue.hear(seat, Act(there[0]), took)
        dialogue.hear(dialogue.on_turn, Act(elsewhere[number % len(elsewhere)]))
    raise AssertionError("there is no way to the goal")


def sent_on(seat: Seat = 0, *, seats: int = 2, game: Any = MAZE, **terms: Any) -> Dialogue:
    """A match in which a guided seat has just reached its goal."""
    dialogue = Dialogue(game, seats, **terms).seated(guided=[seat])
    arrive(dialogue, seat)
    return dialogue


def finished(dialogue: Dialogue) -> events.Result:
    """Everybody passes until it is over, and the record proves itself."""
    while dialogue.referee.result is None:
        for seat in [*dialogue.referee.awaited]:
            asked = dialogue.state.to_move == seat and dialogue.referee._sent_on is None
            dialogue.hear(seat, Act(PASS, dialogue.referee.turn) if asked else Ready())
    dialogue.verify()
    for seat in {*dialogue.talks} - dialogue.referee.absent.keys():
        assert dialogue.all_words(seat)[-1] in ("Expelled", "Over")
        assert [word in ("Expelled", "Over") for word in dialogue.all_words(seat)].count(True) == 1
    return dialogue.result


# -- it is told and has heard --------------------------------------------------------------------


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
        Note(events.SentOn(turn, 0, 1000)),
        Tell(1, YourTurn(turn, state.view(1), 100)),
    ]
    assert dialogue.referee.awaited == {1: 100}
    assert dialogue.verdicts() == []
    finished(dialogue)


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


# -- it fails ------------------------------------------------------------------------------------

FAILURES: dict[str, tuple[Any, str]] = {
    "lapsed": (lambda dialogue, seat: dialogue.lapse(seat), "late"),
    "late": (lambda dialogue, seat: dialogue.hear(seat, Ready(), 1001), "late"),
    "late noise": (lambda dialogue, seat: dialogue.garble(seat, 1001), "late"),
    "noise": (lambda dialogue, seat: dialogue.garble(seat), "malformed"),
    "owed noise": (lambda dialogue, seat: dialogue.hear(seat, Garbled("noise", owed=True)), "malformed"),
    "a move": (lambda dialogue, seat: dialogue.hear(seat, Act(PASS)), "malformed"),
    "a numbered move": (
        lambda dialogue, seat: dialogue.hear(seat, Act(PASS, dialogue.referee.turn)),
        "malformed",
    ),
    "no move": (lambda dialogue, seat: dialogue.hear(seat, Act(object())), "malformed"),
    **{
        offence.value: (lambda dialogue, seat, how=offence: dialogue.fail(seat, how), offence.value)
        for offence in ABSENCES
    },
}


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


def alone(under: Conduct = COURSE) -> Dialogue:
    """The only seat that is left has reached its goal, so that it is to move again."""
    dialogue = Dialogue(MAZE, 2, under=under).seated(guided=[0])
    dialogue.hear(0, Act(ways(dialogue)[1][0]))
    dialogue.hear(1, Resign())
    arrive(dialogue, 0)
    assert dialogue.words(0) == ["Onward"]
    assert dialogue.on_turn == 0
    return dialogue


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
    assert dialogue.kinds() == ["Moved"]
    assert dialogue.verdicts() == [(0, "late", "retry")]
    finished(dialogue)


def test_nothing_is_owed_by_who_answered_late() -> None:
    """An answer that came too late has come."""
    dialogue = sent_on(0, under=every("retry 5", "expel"))
    dialogue.hear(0, Ready(), 1001)
    dialogue.hear(0, Ready())
    assert dialogue.verdicts() == [(0, "late", "retry"), (0, "out_of_turn", "retry")]


# -- the move has ended the game -----------------------------------------------------------------


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


# -- meanwhile -----------------------------------------------------------------------------------


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
    assert dialogue.noted() == [events.SentOn(dialogue.referee.turn, 0, 5)]
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


@pytest.mark.usefixtures("one_round")
def test_it_resigns_when_the_game_is_over() -> None:
    """The outcome is judged again without it as well."""
    dialogue = over_but_for_it()
    dialogue.hear(1, Resign())
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.ranks == (1, None)
    assert dialogue.result.resigned == (1,)
    dialogue.verify()


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

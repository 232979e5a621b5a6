"""Dialogues with the referee, one for each thing it can be told."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from referee.dialogue import Dialogue, absentees, always, conduct, every
from touchline.core import events, messages
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import ABSENT, COURSE, SEED_001, SEED_002, Offence, Sanction, ladder
from touchline.core.errors import BadInput
from touchline.core.events import Refused, encode
from touchline.core.messages import (
    Accepted,
    Act,
    Begin,
    Garbled,
    Over,
    Ready,
    Rejected,
    Resign,
    Update,
    YourTurn,
)
from touchline.core.referee import LOTS, Dismiss, Failed, Heard, Lapsed, Note, Referee, Tell
from touchline.core.rules import Outcome
from touchline.games.fish import Fish, Place
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth, LabyrinthState

HEXAPAWN = Hexapawn(rows=4, cols=4)
FISH = Fish(rows=4, cols=4)
MAZE = Labyrinth(rows=5, cols=5)


def fault(dialogue: Dialogue) -> events.Faulted:
    """The last fault."""
    return [event for event in dialogue.events if isinstance(event, events.Faulted)][-1]


# -- set-up --------------------------------------------------------------------------------------


def test_everybody_is_greeted_and_awaited() -> None:
    """Each seat that talks hears which seat it has, with its own view, and must say that it is ready."""
    dialogue = Dialogue(FISH, 3, talks=(0, 2))
    names = ("player 0", "player 1", "player 2")
    greeting = dialogue.fresh[0]
    assert isinstance(greeting, Tell)
    assert isinstance(greeting.message, Begin)
    lot = greeting.message.lot
    assert lot is not None
    assert 0 <= lot < LOTS
    assert dialogue.fresh == [Tell(seat, Begin(seat, names, dialogue.state, lot)) for seat in (0, 2)]
    assert dialogue.referee.awaited == {0: 1000, 2: 1000}
    assert dialogue.referee.result is None


def test_play_begins_when_the_last_is_ready() -> None:
    """Nobody is asked to move before everybody sits."""
    dialogue = Dialogue(FISH, 3)
    dialogue.hear(1, Ready(), 5)
    assert dialogue.fresh == [Note(events.SatDown(1, False, 5))]
    assert dialogue.referee.awaited.keys() == {0, 2}
    dialogue.hear(0, Ready(True), 1000)
    assert dialogue.fresh == [Note(events.SatDown(0, True, 1000))]
    dialogue.hear(2, Ready())
    assert dialogue.fresh[1:] == [Tell(0, YourTurn(0, dialogue.state, 100))]
    assert dialogue.referee.awaited == {0: 100}


def test_bots_are_only_asked_to_move() -> None:
    """A match of which no seat talks begins at once, and greets nobody."""
    dialogue = Dialogue(HEXAPAWN, talks=())
    assert dialogue.fresh == [Tell(0, YourTurn(0, dialogue.state, 100))]
    dialogue.play_out()
    assert set(dialogue.all_words(0) + dialogue.all_words(1)) == {"YourTurn"}
    assert dialogue.dismissed() == [0, 1]
    dialogue.verify()


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_not_ready_in_time(seat: int) -> None:
    """A seat that lets the time for sitting down pass is late, and the others are still awaited and play."""
    dialogue = Dialogue(FISH, 3, under=COURSE)
    dialogue.lapse(seat)
    assert dialogue.verdicts() == [(seat, "late", "expel")]
    others = [other for other in range(3) if other != seat]
    assert sorted(dialogue.referee.awaited) == others
    for other in others:
        dialogue.hear(other, Ready())
    assert dialogue.verdicts() == [(seat, "late", "expel")]
    assert dialogue.on_turn == others[0]
    assert dialogue.play_out().verdict == "finished"
    dialogue.verify()


def test_ready_too_late() -> None:
    """Whoever says ready after the time is late, whatever it says; just in time is in time."""
    dialogue = Dialogue(FISH, 3)
    dialogue.hear(1, Ready(), 1001)
    assert dialogue.verdicts() == [(1, "late", "expel")]
    assert fault(dialogue).said == Ready()
    dialogue.hear(2, Ready(), 1000)
    assert dialogue.verdicts() == [(1, "late", "expel")]


def test_ready_without_a_limit() -> None:
    """Where sitting down may take for ever, nobody is late."""
    dialogue = Dialogue(FISH, limits=Limits(set_up=None))
    dialogue.hear(0, Ready(), 10**12)
    assert dialogue.verdicts() == []
    assert dialogue.referee.awaited == {1: None}


@pytest.mark.parametrize(("said", "why"), [(Garbled("noise"), "noise"), (Act(Place((0, 0))), "ready")])
def test_something_else_than_ready(said: Any, why: str) -> None:
    """A seat that answers the greeting with anything but ready is malformed and cannot sit down."""
    dialogue = Dialogue(FISH, 3, under=every("retry 2", "expel"))
    dialogue.hear(2, said, 3)
    assert dialogue.verdicts() == [(2, "malformed", "expel")]
    assert why in fault(dialogue).reason
    assert dialogue.words(2) == ["Expelled"]
    assert dialogue.dismissed() == [2]
    assert dialogue.referee.awaited.keys() == {0, 1}


@pytest.mark.parametrize("sanction", ["retry 9", "skip", "default", "random", "expel", "forfeit", "void"])
@pytest.mark.parametrize("offence", ["late", "malformed", "gone"])
def test_every_sanction_in_set_up(sanction: str, offence: str) -> None:
    """Before play, what cannot be done to a seat expels it; forfeit and void do as ever."""
    if offence == "gone":
        under = absentees("expel" if "retry" in sanction else sanction)
    else:
        final = sanction in ("expel", "forfeit", "void")
        under = every(sanction) if final else every(sanction, "expel")
    dialogue = Dialogue(FISH, 3, under=under)
    act = {"late": dialogue.lapse, "malformed": dialogue.garble, "gone": dialogue.fail}[offence]
    act(1)
    expected = sanction if sanction in ("forfeit", "void") else "expel"
    assert dialogue.verdicts() == [(1, offence, expected)]
    if expected == "expel":
        assert dialogue.referee.result is None
        assert dialogue.referee.awaited.keys() == {0, 2}
    else:
        assert dialogue.result.verdict == {"forfeit": "forfeited", "void": "void"}[expected]
        dialogue.verify()


@pytest.mark.parametrize(
    ("steps", "sanction"),
    [
        (["retry 9", "expel"], "retry"),
        (["skip", "expel"], "retry"),
        (["random"], "retry"),
        (["expel"], "expel"),
    ],
)
def test_talking_before_play(steps: list[str], sanction: str) -> None:
    """A seat that sits and talks on before play is out of turn; there is no turn to take away from it."""
    dialogue = Dialogue(FISH, 3, under=every(*steps))
    dialogue.hear(0, Ready())
    dialogue.hear(0, Ready())
    assert dialogue.verdicts() == [(0, "out_of_turn", sanction)]
    assert dialogue.words(0) == [{"retry": "Rejected", "expel": "Expelled"}[sanction]]


def test_the_only_opponent_does_not_sit_down() -> None:
    """Hexapawn is over when a seat is expelled in set-up, and the other hears so, though it is not ready."""
    dialogue = Dialogue(HEXAPAWN)
    dialogue.lapse(0)
    assert dialogue.result.verdict == "finished"
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (1,)
    assert (dialogue.words(0), dialogue.words(1)) == (["Expelled"], ["Over"])
    dialogue.verify()


def test_refused() -> None:
    """A program that never started is refused, and the rest play without it."""
    dialogue = Dialogue(FISH, 3)
    dialogue.fail(2, Offence.REFUSED, "no such file")
    assert dialogue.verdicts() == [(2, "refused", "expel")]
    assert fault(dialogue).reason == "no such file"


# -- the priority of verdicts --------------------------------------------------------------------


@pytest.mark.parametrize("said", [Act(None), Act(None, 0), Garbled("x"), Ready()])
def test_row_1_after_the_last_word_nothing_is_heard(said: Any) -> None:
    """Whatever an expelled seat still says, does or omits comes to nothing, and is not noted."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.garble(0)
    assert dialogue.referee.expelled == [0]
    before = len(dialogue.events)
    for _ in range(12):
        assert dialogue.hear(0, said) == []
    assert dialogue.lapse(0) == []
    assert dialogue.fail(0) == []
    assert len(dialogue.events) == before


def test_row_1_after_the_match_nothing_is_heard() -> None:
    """Once the result is there, nothing has any effect."""
    dialogue = Dialogue(HEXAPAWN).seated()
    result = dialogue.play_out()
    assert dialogue.garble(0) == []
    assert dialogue.lapse(1) == []
    assert dialogue.fail(0) == []
    assert dialogue.breaks() == []
    assert dialogue.result is result


@pytest.mark.parametrize("offence", [offence for offence in Offence if offence in ABSENT])
@pytest.mark.parametrize("seat", [0, 1])
def test_row_2_absent(offence: Offence, seat: int) -> None:
    """Gone, flooding, not reading, refused: that offence, whether it is the seat's turn or not."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.fail(seat, offence, "why not")
    assert dialogue.verdicts() == [(seat, offence.value, "expel")]
    assert fault(dialogue).reason == "why not"
    assert fault(dialogue).said is None


def test_row_2_once() -> None:
    """A seat whose player has failed cannot fail again, nor say anything."""
    dialogue = Dialogue(FISH, 3, under=absentees("random")).seated()
    dialogue.fail(1)
    assert len(dialogue.verdicts()) == 1
    assert dialogue.fail(1, Offence.FLOOD) == []
    assert dialogue.garble(1) == []
    assert dialogue.referee.absent == {1: Offence.GONE}


def test_row_3_a_stale_answer_by_its_number() -> None:
    """An answer that names an earlier turn is ignored and noted, whoever is to move, and whatever it says."""
    dialogue = Dialogue(HEXAPAWN).seated().moves(2)
    for seat in (0, 1):
        said = Act(dialogue.wrong(), 1)
        assert dialogue.hear(seat, said, 10**6) == [Note(events.Ignored(2, seat, said))]
    assert dialogue.verdicts() == []
    assert dialogue.play_out().verdict == "finished"
    dialogue.verify()


def test_row_3_an_answer_that_is_owed() -> None:
    """After a lapse the next answer without a number is the one owed: it is ignored, and only that."""
    dialogue = Dialogue(FISH, 2, under=SEED_001).seated()
    dialogue.lapse(0)
    assert dialogue.verdicts() == [(0, "late", "skip")]
    dialogue.move()
    said = Act(dialogue.state.legal_moves()[0])
    assert dialogue.hear(0, said) == [Note(events.Ignored(2, 0, said))]
    assert dialogue.on_turn == 0
    dialogue.hear(0, said)
    assert dialogue.kinds() == ["Moved"]
    dialogue.play_out()
    dialogue.verify()


@pytest.mark.parametrize("said", [Garbled("noise"), Ready()])
def test_row_3_owed_whatever_it_says(said: Any) -> None:
    """The answer that is owed is ignored even if it cannot be read, and before it could be out of turn."""
    dialogue = Dialogue(FISH, 2, under=SEED_001).seated()
    dialogue.lapse(0)
    assert dialogue.hear(0, said) == [Note(events.Ignored(1, 0, said))]
    assert len(dialogue.verdicts()) == 1
    dialogue.hear(0, said)
    assert dialogue.verdicts()[1:] == [(0, "out_of_turn", "retry")]


def test_row_3_nothing_is_owed_after_an_answer_that_came_late() -> None:
    """A seat that did answer, only too late, owes nothing: what it says next is heard."""
    dialogue = Dialogue(FISH, 2, under=SEED_001).seated()
    dialogue.move(took=101)
    assert dialogue.verdicts() == [(0, "late", "skip")]
    dialogue.move()
    dialogue.move()
    assert dialogue.kinds() == ["Moved"]


def test_row_3_a_numbered_answer_while_one_is_owed() -> None:
    """A numbered answer to this turn is made though an older one is owed, also when replayed."""
    dialogue = Dialogue(FISH, 2, under=SEED_001).seated()
    dialogue.lapse(0)
    dialogue.move()
    dialogue.hear(0, Act(dialogue.state.legal_moves()[0], 2))
    assert dialogue.kinds() == ["Moved"]
    dialogue.play_out()
    dialogue.verify()


def test_row_3_who_numbers_its_answers_owes_none() -> None:
    """Noise from a seat that has since answered by number is malformed, not the answer owed."""
    dialogue = Dialogue(FISH, 2, under=SEED_001).seated()
    dialogue.lapse(0)
    dialogue.move()
    dialogue.hear(0, Act(dialogue.state.legal_moves()[0], 2))
    dialogue.move()
    dialogue.garble(0)
    assert dialogue.verdicts()[-1] == (0, "malformed", "retry")


def test_row_4_out_of_turn_before_all_else() -> None:
    """What a seat says that was not asked is out of turn, though it is also late, malformed, or legal."""
    dialogue = Dialogue(HEXAPAWN).seated()
    for said in (Garbled("noise"), Act(dialogue.wrong()), Act(dialogue.state.legal_moves()[0]), Ready()):
        dialogue.hear(1, said, 10**6)
        assert dialogue.verdicts()[-1] == (1, "out_of_turn", "retry")
        assert fault(dialogue).said == said
        assert dialogue.told(1) == [Rejected(0, "it is not your turn", Offence.OUT_OF_TURN)]
    assert dialogue.referee.awaited == {0: 100}


def test_row_5_late_before_malformed_and_illegal() -> None:
    """After the time an answer is late, whatever it says."""
    for said in (Garbled("noise"), Act(None), Act(None, 5), Ready()):
        dialogue = Dialogue(FISH, 3).seated()
        dialogue.hear(0, said, 101)
        assert dialogue.verdicts() == [(0, "late", "expel")]
        assert fault(dialogue).took == 101
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.move(took=101)
    assert dialogue.verdicts() == [(0, "late", "expel")]


def test_row_5_just_in_time() -> None:
    """An answer with the last microsecond is in time."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.move(took=100)
    assert dialogue.kinds() == ["Moved"]


def test_row_5_late_without_an_answer() -> None:
    """When the time lapses the seat is late, and there is nothing that it said."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.lapse(0)
    assert dialogue.verdicts() == [(0, "late", "expel")]
    assert (fault(dialogue).said, fault(dialogue).reason) == (None, "no answer in time")


def test_a_lapse_of_a_seat_that_was_not_asked() -> None:
    """A deadline that belongs to nobody comes to nothing."""
    dialogue = Dialogue(FISH, 3).seated()
    assert dialogue.lapse(1) == []
    assert dialogue.verdicts() == []


@pytest.mark.parametrize("said", [Garbled("noise"), Ready(), Act(Place((0, 0)), 1), Act(Place((0, 0)), 99)])
def test_row_6_malformed(said: Any) -> None:
    """Noise, a greeting, and a move for a turn that has not come cannot be read as a move."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.hear(0, said, 7)
    assert dialogue.verdicts() == [(0, "malformed", "expel")]
    assert (fault(dialogue).said, fault(dialogue).took) == (said, 7)


@pytest.mark.parametrize("turn", [None, 0])
def test_row_7_illegal(turn: int | None) -> None:
    """A move against the rules is illegal, and the rule is named."""
    dialogue = Dialogue(HEXAPAWN).seated()
    move = dialogue.game.Move((3, 0), (2, 0))
    dialogue.hear(0, Act(move, turn))
    assert dialogue.verdicts() == [(0, "illegal", "expel")]
    assert fault(dialogue).reason == "you have no pawn at row 3, column 0"
    assert dialogue.result.verdict == "finished"
    dialogue.verify()


def test_row_7_illegal_for_a_player_that_counts_from_1() -> None:
    """The rule is named in the numbers that the player used, and the record proves it."""
    dialogue = Dialogue(HEXAPAWN).seated()
    dialogue.hear(0, Act(dialogue.game.Move((3, 0), (2, 0)), counted_from=1))
    assert fault(dialogue).reason == "you have no pawn at row 4, column 1"
    dialogue.verify()


@pytest.mark.parametrize("value", [object(), "\ud800", print, {(1, 2): 3}])
@pytest.mark.parametrize("turn", [None, 0])
def test_row_7_what_no_record_can_hold_is_malformed(value: Any, turn: int | None) -> None:
    """A bot can return anything; what cannot be written down is malformed, on turn and off, and replays."""
    for seat in (0, 1):
        dialogue = Dialogue(FISH, 2, under=every("retry 2", "expel"), talks=()).seated()
        dialogue.hear(seat, Act(value, turn))
        assert dialogue.verdicts() == [(seat, "malformed" if seat == 0 else "out_of_turn", "retry")]
        assert isinstance(fault(dialogue).said, Garbled)
        dialogue.play_out()
        dialogue.verify()


@pytest.mark.parametrize("value", [object(), {"type": "place", "at": [0, 0]}, None])
def test_wild_values_everywhere_can_be_recorded(value: Any) -> None:
    """Whatever is said, in set-up, late, stale or too early, the match can be written down and verified."""
    dialogue = Dialogue(FISH, 3, under=every("retry 3", "expel"))
    dialogue.hear(2, Act(value))
    for seat in (0, 1):
        dialogue.hear(seat, Ready())
    dialogue.hear(0, Act(value, -1))
    dialogue.hear(0, Act(value, 3))
    dialogue.hear(0, Act(value), 101)
    dialogue.play_out()
    dialogue.verify()


@pytest.mark.parametrize("disguise", ["builtins", "lists", "floats"])
def test_lookalikes_verify(disguise: str) -> None:
    """What only looks like a legal move is refused, and refused again when the record is played again."""
    dialogue = Dialogue(HEXAPAWN, under=every("retry 2", "expel"), talks=())
    move = dialogue.state.legal_moves()[0]
    lookalike: Any = {
        "builtins": msgspec.to_builtins(move),
        "lists": type(move)(list(move.origin), list(move.target)),
        "floats": type(move)(tuple(map(float, move.origin)), move.target),
    }[disguise]
    dialogue.hear(0, Act(lookalike))
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["retry"]
    dialogue.play_out()
    dialogue.verify()


@pytest.mark.parametrize("turn", [None, 0])
def test_row_8_a_legal_move(turn: int | None) -> None:
    """A legal move is made and noted with its times, and the next seat is asked."""
    dialogue = Dialogue(HEXAPAWN).seated()
    start = dialogue.state
    move = start.legal_moves()[1]
    effects = dialogue.take(Heard(0, Act(move, turn), 12, 34))
    assert dialogue.state == start.play(move)
    assert effects == [
        Note(events.Moved(0, 0, move, 12, 34, "seat")),
        Tell(1, YourTurn(1, dialogue.state, 100)),
    ]
    assert dialogue.referee.awaited == {1: 100}


def test_in_time_even_of_the_dead() -> None:
    """A seat's answer that came in before it was gone counts; it is only absent afterwards."""
    dialogue = Dialogue(HEXAPAWN, under=absentees("random")).seated()
    dialogue.move(took=50)
    dialogue.fail(0)
    assert dialogue.kinds() == ["Faulted"]
    assert isinstance(dialogue.events[-2], events.Moved)
    assert dialogue.on_turn == 1


# -- sanctions on turn ---------------------------------------------------------------------------


def test_retry_on_turn() -> None:
    """The seat hears why and is asked again with the same number, and the state is as it was."""
    dialogue = Dialogue(FISH, 2, under=every("retry 2", "expel")).seated()
    state = dialogue.state
    dialogue.garble(0)
    assert dialogue.told(0) == [Rejected(0, "noise", Offence.MALFORMED), YourTurn(0, state, 100)]
    assert dialogue.state is state
    dialogue.move()
    assert dialogue.referee.turn == 1


def test_retry_is_not_said_to_bots() -> None:
    """A bot in this process is only asked again."""
    dialogue = Dialogue(FISH, 2, under=every("retry 2", "expel"), talks=())
    dialogue.cheat(0)
    assert dialogue.words(0) == ["YourTurn"]


def test_retry_keeps_the_used_time() -> None:
    """Who is asked again has only what is left of its time."""
    dialogue = Dialogue(FISH, 2, under=every("retry 5", "expel")).seated()
    dialogue.garble(0, took=30)
    assert dialogue.referee.awaited == {0: 70}
    dialogue.garble(0, took=30)
    assert dialogue.told(0)[-1] == YourTurn(0, dialogue.state, 40)
    dialogue.garble(0, took=40)
    assert dialogue.referee.awaited == {0: 0}
    assert dialogue.verdicts()[-1] == (0, "malformed", "retry")
    dialogue.move(took=1)
    assert dialogue.verdicts()[-1] == (0, "late", "retry")
    dialogue.play_out()
    dialogue.verify()


def test_retry_charges_the_bank_for_the_whole_turn() -> None:
    """The time of all tries together is what the clock is charged, and the next turn begins afresh."""
    limits = Limits(clock=Clock(per_move=100, bank=50, increment=5))
    dialogue = Dialogue(FISH, 2, under=every("retry 5", "expel"), limits=limits).seated()
    dialogue.garble(0, took=90)
    assert dialogue.referee.awaited == {0: 60}
    dialogue.move(took=40)
    assert dialogue.referee.clocks[0].bank == 25
    assert dialogue.referee.awaited == {1: 150}
    dialogue.move()
    assert dialogue.referee.awaited == {0: 125}


def test_retry_when_late_gives_the_time_again() -> None:
    """A seat that may be late once has its whole time once more."""
    dialogue = Dialogue(FISH, 2, under=every("retry", "expel")).seated()
    dialogue.lapse(0)
    assert dialogue.words(0) == ["Rejected", "YourTurn"]
    assert dialogue.referee.awaited == {0: 100}
    dialogue.lapse(0)
    assert dialogue.verdicts() == [(0, "late", "retry"), (0, "late", "expel")]


def test_untimed() -> None:
    """Without a limit a seat has as long as it likes, and is told so."""
    dialogue = Dialogue(FISH, 2, limits=Limits(clock=Clock(per_move=None))).seated()
    assert dialogue.told(0) == [YourTurn(0, dialogue.state, None)]
    dialogue.move(took=10**15)
    assert dialogue.kinds() == ["Moved"]
    assert dialogue.referee.awaited == {1: None}


def test_skip_on_turn() -> None:
    """The turn is taken away and the next seat is asked; those who want to know hear of it."""
    dialogue = Dialogue(FISH, 3, under=every("skip 2", "expel")).seated(0, 2)
    dialogue.garble(0)
    assert dialogue.verdicts() == [(0, "malformed", "skip")]
    assert dialogue.kinds() == ["Faulted", "Skipped"]
    assert dialogue.told(0) == [messages.Skipped(0, "noise", Offence.MALFORMED), Update(1, dialogue.state)]
    assert dialogue.words(1) == ["YourTurn"]
    assert dialogue.words(2) == ["Update"]
    assert (dialogue.on_turn, dialogue.referee.turn) == (1, 1)


def test_skip_where_the_game_has_none() -> None:
    """In Hexapawn a turn cannot be taken away, so the seat is expelled."""
    dialogue = Dialogue(HEXAPAWN, under=every("skip", "expel")).seated()
    dialogue.garble(0)
    assert dialogue.verdicts() == [(0, "malformed", "expel")]
    assert dialogue.result.expelled == (0,)


def test_skipping_for_ever_ends() -> None:
    """The third turn in a row that is taken away expels the seat, though its ladder says skip."""
    dialogue = Dialogue(FISH, 2, under=every("skip")).seated()
    while dialogue.referee.result is None:
        dialogue.lapse(dialogue.on_turn)
    assert dialogue.verdicts() == [
        (seat, "late", what) for what in ("skip", "skip", "expel") for seat in (0, 1)
    ]
    dialogue.verify()


@pytest.mark.parametrize("idle", [1, 2, 5])
def test_idle(idle: int) -> None:
    """The so-manieth turn in a row that is taken away expels; a good move begins the row anew."""
    dialogue = Dialogue(FISH, 2, under=every("skip", idle=idle)).seated()
    for _ in range(idle - 1):
        dialogue.lapse(0)
        dialogue.move()
    assert all(sanction == "skip" for _, _, sanction in dialogue.verdicts())
    if idle > 1:
        dialogue.hear(0, Garbled("this was owed"))
        dialogue.move()
        dialogue.move()
        for _ in range(idle - 1):
            dialogue.lapse(0)
            dialogue.move()
    assert dialogue.referee.expelled == []
    dialogue.lapse(0)
    assert dialogue.verdicts()[-1] == (0, "late", "expel")


def test_default_on_turn() -> None:
    """The first legal move is played in the seat's place, noted as the referee's, and it is not accepted."""
    dialogue = Dialogue(HEXAPAWN, under=every("default")).seated(0)
    expected = dialogue.state.legal_moves()[0]
    dialogue.garble(0, took=9)
    assert dialogue.verdicts() == [(0, "malformed", "default")]
    assert dialogue.noted()[1] == events.Moved(0, 0, expected, 0, 0, "referee")
    assert dialogue.words(0) == ["Update"]
    assert dialogue.on_turn == 1


def test_random_on_turn() -> None:
    """A legal move is played in its place that follows from seed and turn, and from nothing else."""
    moves = []
    for seed in [*range(30), 0]:
        dialogue = Dialogue(HEXAPAWN, under=every("random"), seed=seed).seated()
        start = dialogue.state
        dialogue.lapse(0)
        moved = dialogue.noted()[1]
        assert isinstance(moved, events.Moved)
        assert moved.by == "referee"
        assert moved.move in start.legal_moves()
        moves.append(moved.move)
    assert moves[0] == moves[-1]
    assert len(set(moves)) > 1


def test_random_differs_from_turn_to_turn() -> None:
    """The same seed does not always mean the first or the same move."""
    dialogue = Dialogue(FISH, 2, under=every("random")).seated()
    drawn = set()
    while not dialogue.referee.result:
        count, choice = len(dialogue.state.legal_moves()), dialogue.state.legal_moves()
        dialogue.lapse(dialogue.on_turn)
        moved = next(event for event in dialogue.noted() if isinstance(event, events.Moved))
        drawn.add(choice.index(moved.move) * 4 // count)
    assert drawn == {0, 1, 2, 3}
    dialogue.verify()


def test_expel_on_turn() -> None:
    """The seat hears its last word, is let go and removed; the turn goes on with a new number."""
    dialogue = Dialogue(FISH, 3).seated(1)
    expected = dialogue.state.without(0)
    dialogue.garble(0)
    assert dialogue.told(0) == [messages.Expelled("malformed: noise", Offence.MALFORMED)]
    assert dialogue.dismissed() == [0]
    assert dialogue.state == expected
    assert dialogue.noted()[1] == events.Expelled(0, 0, "malformed: noise")
    assert dialogue.told(1) == [Update(1, expected), YourTurn(1, expected, 100)]
    assert dialogue.words(2) == []


def test_forfeit_with_two_seats() -> None:
    """The other seat has won and the offender is behind it, and both hear so."""
    dialogue = Dialogue(HEXAPAWN, under=every("forfeit")).seated()
    dialogue.lapse(0)
    reason = "late: no answer in time"
    outcome = Outcome((1,), (2, 1), (0, 1), reason)
    assert dialogue.result.verdict == "forfeited"
    assert dialogue.result.outcome == outcome
    assert dialogue.result.expelled == ()
    over = Over(dialogue.state, "forfeited", outcome, f"seat 0 forfeits: {reason}")
    assert (dialogue.told(0), dialogue.told(1)) == ([over], [over])
    assert dialogue.dismissed() == [0, 1]
    dialogue.verify()


def test_forfeit_with_more_seats() -> None:
    """All who are left share the win, whoever was expelled before has no rank, the offender is behind."""
    under = conduct(illegal=ladder("forfeit"), gone=ladder("expel"))
    dialogue = Dialogue(FISH, 4, under=under).seated()
    dialogue.fail(2)
    dialogue.move()
    dialogue.garble(1)
    outcome = dialogue.result.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.ranks, outcome.scores) == ((0, 3), (1, 3, None, 1), (1, 0, 0, 1))
    assert dialogue.result.expelled == (2,)
    dialogue.verify()


def test_forfeit_of_the_last_seat_left() -> None:
    """Who forfeits has not won, even if nobody else is left to win."""
    under = conduct(illegal=ladder("forfeit"), gone=ladder("expel"))
    dialogue = Dialogue(FISH, 2, under=under).seated()
    dialogue.fail(1)
    dialogue.garble(0)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()
    assert dialogue.result.outcome.scores == (0, 0)
    assert 1 not in dialogue.result.outcome.ranks


def test_void() -> None:
    """The match ends and does not count, with the reason and without an outcome, and everybody hears it."""
    dialogue = Dialogue(FISH, 3, under=every("void")).seated()
    dialogue.garble(0)
    assert (dialogue.result.verdict, dialogue.result.outcome) == ("void", None)
    assert dialogue.result.reason == "seat 0: malformed: noise"
    assert [dialogue.words(seat) for seat in range(3)] == [["Over"]] * 3
    dialogue.verify()


def test_something_of_ours_broke() -> None:
    """If we fail, the match is void, in set-up and in play, and nobody is at fault."""
    for dialogue in (Dialogue(FISH, 3), Dialogue(FISH, 3).seated(), Dialogue(FISH, 3).seated().moves(4)):
        dialogue.breaks("disk full")
        assert (dialogue.result.verdict, dialogue.result.reason) == ("void", "disk full")
        assert dialogue.result.faults == ()
        assert [dialogue.words(seat) for seat in range(3)] == [["Over"]] * 3
        dialogue.verify()


# -- sanctions off turn --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "sanction"),
    [
        (["retry", "expel"], "retry"), (["skip", "expel"], "retry"), (["default"], "retry"),
        (["random"], "retry"), (["expel"], "expel"), (["forfeit"], "forfeit"), (["void"], "void"),
    ],
)  # fmt: skip
def test_every_sanction_off_turn(steps: list[str], sanction: str) -> None:
    """A seat that is not to move has no turn to lose, so it is refused; what ends things ends them."""
    dialogue = Dialogue(FISH, 3, under=every(*steps)).seated()
    state = dialogue.state
    dialogue.garble(2)
    assert dialogue.verdicts() == [(2, "out_of_turn", sanction)]
    if sanction == "retry":
        assert dialogue.told(2) == [Rejected(0, "it is not your turn", Offence.OUT_OF_TURN)]
    assert dialogue.words(0) == (["Over"] if sanction in ("forfeit", "void") else [])
    if sanction in ("retry", "expel"):
        assert dialogue.referee.awaited == {0: 100}
        assert dialogue.state == (state if sanction == "retry" else state.without(2))


def test_a_retry_off_turn_costs_the_mover_nothing() -> None:
    """Out of turn talk neither asks the mover again nor takes of its time."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.garble(1, took=90)
    dialogue.move(took=100)
    assert dialogue.kinds() == ["Moved"]


def test_the_tenth_out_of_turn() -> None:
    """Nine are refused in one turn of somebody else, the tenth expels; each turn counts anew."""
    dialogue = Dialogue(FISH, 3, under=SEED_001).seated()
    for _ in range(9):
        dialogue.garble(2)
    dialogue.move()
    for _ in range(9):
        dialogue.garble(2)
    assert dialogue.referee.expelled == []
    dialogue.garble(2)
    assert dialogue.referee.expelled == [2]
    assert len(dialogue.verdicts()) == 19


def test_expelled_while_another_thinks() -> None:
    """The mover is not asked again, keeps its turn, its number and its time, and its answer counts."""
    dialogue = Dialogue(FISH, 3).seated(0)
    dialogue.fail(1)
    assert dialogue.words(0) == ["Update"]
    assert dialogue.referee.turn == 0
    assert dialogue.referee.awaited == {0: 100}
    dialogue.hear(0, Act(dialogue.state.legal_moves()[0], 0), 100)
    assert dialogue.kinds() == ["Moved"]
    assert dialogue.on_turn == 2


def test_the_innocent_are_not_punished() -> None:
    """When an expulsion ends the game while the other thinks, the other has won and is not late."""
    dialogue = Dialogue(HEXAPAWN).seated()
    dialogue.fail(1)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (0,)
    assert dialogue.referee.awaited == {}
    assert dialogue.lapse(0) == []
    assert dialogue.verdicts() == [(1, "gone", "expel")]
    dialogue.verify()


def test_everybody_is_expelled() -> None:
    """If nobody is left the match is finished, without a winner."""
    dialogue = Dialogue(FISH, 3).seated()
    for seat in (1, 0, 2):
        dialogue.fail(seat)
    assert dialogue.result.expelled == (1, 0, 2)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()
    assert dialogue.result.reason == "nobody is left"
    dialogue.verify()


# -- what is counted -----------------------------------------------------------------------------


def test_counted_by_the_turn() -> None:
    """One second chance a turn: the count begins anew with every turn."""
    dialogue = Dialogue(HEXAPAWN, under=SEED_002).seated()
    for _ in range(2):
        dialogue.cheat(0)
        dialogue.move()
        dialogue.move()
    dialogue.cheat(0)
    dialogue.cheat(0)
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["retry", "retry", "retry", "forfeit"]
    dialogue.verify()


def test_counted_by_the_row() -> None:
    """A good move of the seat ends its row; one of another seat, or of the referee's, does not."""
    dialogue = Dialogue(FISH, 2, under=every("random 2", "expel", counted="row")).seated()
    dialogue.garble(0)
    dialogue.move()
    dialogue.garble(0)
    dialogue.move()
    dialogue.move()
    dialogue.move()
    dialogue.garble(0)
    dialogue.move()
    dialogue.garble(0)
    dialogue.move()
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["random"] * 4
    dialogue.garble(0)
    assert dialogue.verdicts()[-1] == (0, "malformed", "expel")


def test_counted_by_the_match() -> None:
    """All offences count, whatever lies between them."""
    dialogue = Dialogue(FISH, 2, under=every("retry 2", "expel")).seated()
    for _ in range(2):
        dialogue.garble(0)
        dialogue.move()
        dialogue.move()
    dialogue.garble(0)
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["retry", "retry", "expel"]


@pytest.mark.parametrize("counted", ["turn", "row", "match"])
def test_each_seat_has_its_own_count(counted: Any) -> None:
    """What one seat does is not counted against another."""
    dialogue = Dialogue(FISH, 3, under=every("retry 2", "expel", counted=counted)).seated()
    for _ in range(3):
        dialogue.garble(0)
        dialogue.move()
        if dialogue.referee.expelled:
            break
    assert dialogue.referee.expelled == []


def test_malformed_and_illegal_are_counted_together() -> None:
    """Where a conduct does not name malformed, it is one more illegal move."""
    dialogue = Dialogue(HEXAPAWN, under=SEED_002).seated()
    dialogue.garble(0)
    dialogue.cheat(0)
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["retry", "forfeit"]


def test_malformed_and_illegal_are_counted_apart() -> None:
    """Where a conduct names malformed, each has its own count."""
    dialogue = Dialogue(FISH, 2, under=SEED_001).seated()
    for _ in range(2):
        dialogue.garble(0)
        dialogue.cheat(0)
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["retry"] * 4
    dialogue.cheat(0)
    assert dialogue.verdicts()[-1] == (0, "illegal", "skip")


def test_seed_001_late_turns() -> None:
    """Too slow is skipped, and the third late turn in a row is a ban."""
    dialogue = Dialogue(FISH, 2, under=SEED_001).seated(0)
    for _ in range(2):
        dialogue.lapse(0)
        assert "Skipped" in dialogue.words(0)
        dialogue.move()
    dialogue.lapse(0)
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["skip", "skip", "expel"]
    assert dialogue.words(0) == ["Expelled"]


def test_seed_002_late_gone_and_out_of_turn() -> None:
    """Each of them loses at once."""
    for offence in ("late", "gone", "out_of_turn"):
        dialogue = Dialogue(HEXAPAWN, under=SEED_002).seated()
        if offence == "late":
            dialogue.lapse(0)
        elif offence == "gone":
            dialogue.fail(0)
        else:
            dialogue.move()
            dialogue.garble(0)
        assert dialogue.verdicts() == [(0, offence, "forfeit")]
        assert dialogue.result.outcome is not None
        assert dialogue.result.outcome.winners == (1,)


# -- seats at which nobody is --------------------------------------------------------------------


@pytest.mark.parametrize("word", ["random", "default"])
@pytest.mark.parametrize("game", [HEXAPAWN, FISH], ids=["hexapawn", "fish"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_absent_are_played_for(game: Any, word: str, seat: int) -> None:
    """The referee moves for a seat that is gone, each time it is due, to the end; nothing is told to it."""
    dialogue = Dialogue(game, 2, under=absentees(word)).seated(0, 1)
    dialogue.fail(seat)
    told = len(dialogue.all_words(seat))
    dialogue.play_out()
    assert dialogue.result.verdict == "finished"
    assert dialogue.result.expelled == ()
    assert set(dialogue.verdicts()) == {(seat, "gone", word)}
    assert len(dialogue.all_words(seat)) == told
    assert dialogue.dismissed() == [0, 1]
    moved = [event for event in dialogue.events if isinstance(event, events.Moved)]
    assert {(event.seat, event.by) for event in moved} == {(seat, "referee"), (1 - seat, "seat")}
    dialogue.verify()


def test_the_absent_are_skipped_until_they_are_expelled() -> None:
    """Skipping a seat that is gone ends with its expulsion, by `idle`."""
    dialogue = Dialogue(FISH, 3, under=absentees("skip", counted="turn", idle=4)).seated()
    dialogue.fail(0)
    assert dialogue.on_turn == 1
    dialogue.play_out()
    assert [sanction for _, _, sanction in dialogue.verdicts()] == ["skip"] * 3 + ["expel"]
    assert dialogue.result.expelled == (0,)
    dialogue.verify()


@pytest.mark.parametrize("word", ["random", "default", "skip"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_without_anybody(word: str, seats: int) -> None:
    """When all are gone the referee brings the match to its end by itself."""
    dialogue = Dialogue(FISH, seats, under=absentees(word)).seated()
    for seat in range(seats):
        dialogue.fail(seat)
    assert dialogue.result.verdict == "finished"
    assert dialogue.result.reason == ("nobody is left" if word == "skip" else "nobody can move")
    dialogue.verify()


def test_gone_off_turn_counts_when_it_happens() -> None:
    """The first step of the ladder is used up when the seat fails, the next ones when it is due."""
    dialogue = Dialogue(FISH, 3, under=absentees("random 2", "expel")).seated()
    dialogue.fail(2)
    dialogue.moves(2)
    assert dialogue.on_turn == 0
    dialogue.moves(2)
    assert dialogue.verdicts() == [(2, "gone", "random"), (2, "gone", "random"), (2, "gone", "expel")]


def test_the_reason_for_absence_stays() -> None:
    """A seat that flooded is played for as one that flooded."""
    dialogue = Dialogue(FISH, 2, under=absentees("random")).seated()
    dialogue.fail(1, Offence.FLOOD)
    dialogue.play_out()
    assert {offence for _, offence, _ in dialogue.verdicts()} == {"flood"}


# -- ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [HEXAPAWN, FISH, MAZE], ids=["hexapawn", "fish", "labyrinth"])
def test_one_last_word(game: Any) -> None:
    """Everybody hears how it ended, once, with the whole state, and is let go."""
    dialogue = Dialogue(game, 2, turn_cap=1000).seated()
    dialogue.play_out()
    for seat in (0, 1):
        words = dialogue.all_words(seat)
        assert words.count("Over") == 1
        assert words[-1] == "Over"
        over = dialogue.told(seat)[-1]
        assert over == Over(dialogue.state, "finished", dialogue.result.outcome, dialogue.result.reason)
    assert dialogue.dismissed() == [0, 1]
    assert isinstance(dialogue.events[-1], events.Ended)
    dialogue.verify()


def test_the_result() -> None:
    """It holds the outcome of the game, the number of turns, the expelled in order, and every fault."""
    dialogue = Dialogue(FISH, 4).seated()
    dialogue.garble(3)
    dialogue.fail(2)
    dialogue.lapse(0)
    dialogue.play_out()
    result = dialogue.result
    assert result.outcome == dialogue.state.outcome()
    assert result.expelled == (2, 0)
    assert [(fault.seat, fault.turn, fault.offence.value) for fault in result.faults] == [
        (3, 0, "out_of_turn"), (2, 0, "gone"), (0, 0, "late"),
    ]  # fmt: skip
    assert result.turns == dialogue.referee.turn
    dialogue.verify()


@pytest.mark.parametrize("cap", [0, 1, 4])
def test_turn_cap(cap: int) -> None:
    """At the cap the match is void, after so many turns exactly."""
    dialogue = Dialogue(FISH, 2, turn_cap=cap).seated()
    dialogue.play_out()
    assert (dialogue.result.verdict, dialogue.result.turns) == ("void", cap)
    assert "cap" in dialogue.result.reason
    assert len([event for event in dialogue.events if isinstance(event, events.Moved)]) == cap
    dialogue.verify()


def test_a_game_that_ends_with_the_cap_is_finished() -> None:
    """The outcome counts if the last turn allowed brings it about."""
    turns = Dialogue(HEXAPAWN).seated().play_out().turns
    assert Dialogue(HEXAPAWN, turn_cap=turns).seated().play_out().verdict == "finished"
    assert Dialogue(HEXAPAWN, turn_cap=turns - 1).seated().play_out().verdict == "void"


def test_skips_and_expulsions_are_turns() -> None:
    """The number rises by one with every turn that is over, however it ended."""
    dialogue = Dialogue(FISH, 3, under=every("skip", "random", "expel")).seated()
    numbers = []
    for act in ("lapse", "move", "move", "lapse", "move", "move", "lapse"):
        if act == "lapse":
            dialogue.lapse(dialogue.on_turn)
        else:
            dialogue.move()
        numbers.append(dialogue.referee.turn)
    assert dialogue.verdicts() == [(0, "late", "skip"), (0, "late", "random"), (0, "late", "expel")]
    assert numbers == [1, 2, 3, 4, 5, 6, 7]


# -- who is told what ----------------------------------------------------------------------------


def test_updates_only_to_those_who_asked() -> None:
    """Who said so hears of each move and that its own is accepted; the others are only asked to move."""
    dialogue = Dialogue(FISH, 3).seated(1)
    dialogue.move()
    assert dialogue.words(0) == dialogue.words(2) == []
    assert dialogue.told(1) == [Update(1, dialogue.state), YourTurn(1, dialogue.state, 100)]
    dialogue.move()
    assert dialogue.told(1) == [Accepted(1), Update(2, dialogue.state)]
    assert dialogue.words(2) == ["YourTurn"]


def test_no_update_when_it_is_over() -> None:
    """The last state comes with the last word."""
    dialogue = Dialogue(HEXAPAWN).seated(0, 1)
    dialogue.play_out()
    loser = next(
        seat for seat in (0, 1) if seat not in (dialogue.result.outcome or Outcome((), (), (), "")).winners
    )
    assert dialogue.words(loser) == ["Over"]


def passed_over(dialogue: Dialogue) -> list[events.PassedOver]:
    return [event for event in dialogue.noted() if isinstance(event, events.PassedOver)]


def test_passed_over() -> None:
    """A seat that cannot move is noted and told, if it wants to know, and the next one is asked."""
    for seed in range(40):
        dialogue = Dialogue(FISH, 3, seed=seed).seated(0, 1, 2)
        while dialogue.referee.result is None:
            dialogue.move(seed % len(dialogue.state.legal_moves()))
            for event in passed_over(dialogue):
                assert event == events.PassedOver(dialogue.referee.turn, dialogue.state.passed_over)
                for seat in event.seats:
                    assert messages.Skipped(dialogue.referee.turn, "no move is possible") in dialogue.told(
                        seat
                    )
                return
    pytest.fail("nobody was ever passed over")


def test_passed_over_after_an_expulsion() -> None:
    """Who cannot move when the seat before it is expelled is noted and told just the same."""
    for seed in range(200):
        dialogue = Dialogue(FISH, 3, seed=seed).seated(0, 1, 2)
        while dialogue.referee.result is None:
            seat, after = dialogue.on_turn, dialogue.state.without(dialogue.on_turn)
            if after.passed_over and after.to_move is not None:
                dialogue.garble(seat)
                assert passed_over(dialogue) == [events.PassedOver(dialogue.referee.turn, after.passed_over)]
                for other in after.passed_over:
                    assert "Skipped" in dialogue.words(other)
                return
            dialogue.move(seed % len(dialogue.state.legal_moves()))
    pytest.fail("nobody was ever passed over")


def secrets(view: LabyrinthState, seat: int | None) -> list[Any]:
    """What a view tells of other seats' secrets."""
    others = [seeker for other, seeker in enumerate(view.seekers) if other != seat]
    known = [getattr(seeker, field) for seeker in others for field in ("goal", "found", "homeward")]
    return [*known, view.pool, view.reached if view.reached != seat else None]


@pytest.mark.parametrize("seed", range(5))
def test_no_seat_is_told_another_seats_secrets(seed: int) -> None:
    """Until a Labyrinth is over, nothing a seat is told says anything of the others' goals."""
    game = Labyrinth(rows=5, cols=5, goals=1)
    dialogue = Dialogue(game, 3, under=every("retry 2", "skip 2", "expel"), turn_cap=24, seed=seed).seated(
        0, 1, 2
    )
    while dialogue.referee.result is None:
        moves = dialogue.state.legal_moves()
        turn = dialogue.referee.turn
        if turn % 5 == 1:
            dialogue.cheat(dialogue.on_turn)
        if turn == 11:
            dialogue.fail((dialogue.on_turn + 1) % 3)
        dialogue.move(turn * 7 % len(moves))
    seen = 0
    for effect in dialogue.effects:
        view = getattr(effect.message, "view", None) if isinstance(effect, Tell) else None
        if isinstance(effect, Tell) and isinstance(view, LabyrinthState) and not view.ended:
            assert set(secrets(view, effect.seat)) == {None}
            assert view.seekers[effect.seat].goal is not None
            seen += 1
    assert seen > 20
    begun = dialogue.events[0]
    assert isinstance(begun, events.Begun)
    assert {seeker.goal for seeker in begun.position.seekers} == {None}
    assert begun.position.pool is None
    assert str(dialogue.spec.seed) not in encode(begun).decode().split('"')
    for event in dialogue.events[:-1]:
        assert b"goal" not in encode(event).replace(b'"goal":null', b"").replace(b'"goals":1', b"")
    dialogue.verify()


def test_a_void_match_gives_no_secrets_away() -> None:
    """A match that is ended before the game is shows each seat its own view only."""
    dialogue = Dialogue(MAZE, 3).seated()
    dialogue.breaks()
    for seat in range(3):
        (over,) = dialogue.told(seat)
        assert isinstance(over, Over)
        assert set(secrets(over.view, seat)) == {None}


# -- a game that hands the turn on when a seat leaves --------------------------------------------


class Circle(msgspec.Struct, frozen=True):
    """Everybody says a number in turn; when a seat leaves, the turn goes on to the next."""

    here: tuple[int, ...]
    said: int = 0
    at: int = 0
    passed_over: tuple[int, ...] = ()

    @property
    def to_move(self) -> int | None:
        return None if self.outcome() else self.here[self.at % len(self.here)]

    def legal_moves(self) -> list[Any]:
        return [1, 2]

    def check(self, move: Any) -> None:
        return

    def play(self, move: Any) -> Circle:
        return Circle(self.here, self.said + move, self.at + 1)

    def without(self, seat: int) -> Circle:
        return Circle(tuple(other for other in self.here if other != seat), self.said, self.at + 1)

    def view(self, seat: int | None) -> Circle:
        return self

    def outcome(self) -> Outcome | None:
        return Outcome((), (), (), "enough") if self.said >= 9 or len(self.here) < 2 else None


def circle(seats: int, **terms: Any) -> Referee:
    how: dict[str, Any] = {
        "names": tuple("abcdef"[:seats]), "conduct": COURSE, "limits": Limits(clock=Clock(per_move=100)),
        "turn_cap": 50, "seed": 1, "nonce": "",
    }  # fmt: skip
    return Referee(Circle(tuple(range(seats))), **how | terms)  # type: ignore[arg-type]


def test_the_turn_leaves_a_seat_that_did_nothing() -> None:
    """If a removal hands the turn on, the next seat is asked, and the one before owes an answer."""
    referee = circle(4)
    referee.begin()
    referee.take(Heard(0, Act(1)))
    assert list(referee.awaited) == [1]
    effects = referee.take(Failed(3, Offence.GONE, "left"))
    now = referee.state.to_move
    assert now is not None
    assert now != 1
    assert list(referee.awaited) == [now]
    assert any(isinstance(effect, Tell) and effect.seat == now for effect in effects)
    assert Dismiss(1) not in effects
    ignored = referee.take(Heard(1, Act(1)))
    assert [type(effect.event) for effect in ignored if isinstance(effect, Note)] == [events.Ignored]
    assert {fault.seat for fault in referee.faults} == {3}


def test_a_game_may_name_its_default_move() -> None:
    """Where a state has a default move, that is played, and not the first legal one."""

    class Stubborn(Circle, frozen=True):
        def default_move(self) -> int:
            return 2

    referee = circle(2, conduct=every("default"))
    referee.state = Stubborn((0, 1))  # type: ignore[assignment]
    referee.begin()
    effects = referee.take(Heard(0, Garbled("noise")))
    moved = [
        effect.event
        for effect in effects
        if isinstance(effect, Note) and isinstance(effect.event, events.Moved)
    ]
    assert [event.move for event in moved] == [2]


@pytest.mark.parametrize("seed", range(4))
def test_the_draw_follows_the_turn(seed: int) -> None:
    """Where there is the same choice every turn, not always the same move is drawn."""
    referee = circle(2, conduct=every("random"), seed=seed)
    effects = referee.begin()
    while referee.result is None:
        for seat in list(referee.awaited):
            effects += referee.take(Lapsed(seat))
    noted = [effect.event for effect in effects if isinstance(effect, Note)]
    assert {event.move for event in noted if isinstance(event, events.Moved)} == {1, 2}


# -- seats that failed before the match ----------------------------------------------------------


def test_the_refused_are_not_greeted() -> None:
    """A seat that failed before the match is told that it is out, and nothing else; the rest sit down."""
    dialogue = Dialogue(FISH, 3, refused=[Refused(1, Offence.LATE, "no board in time")])
    assert dialogue.kinds() == ["Faulted", "Expelled"]
    assert dialogue.told(1) == [messages.Expelled("late: no board in time", Offence.LATE)]
    assert dialogue.dismissed() == [1]
    assert [dialogue.words(seat) for seat in (0, 2)] == [["Begin"], ["Begin"]]
    assert dialogue.referee.awaited == {0: 1000, 2: 1000}
    dialogue.seated()
    result = dialogue.play_out()
    assert result.expelled == (1,)
    assert result.outcome is not None
    assert result.outcome.ranks[1] is None
    dialogue.verify()


def test_the_refused_are_in_the_first_line() -> None:
    """The record says who was refused; another who would make no sense there is no record."""
    dialogue = Dialogue(FISH, 3, refused=[Refused(1, Offence.FLOOD, "too much")]).seated()
    dialogue.play_out()
    begun = dialogue.events[0]
    assert isinstance(begun, events.Begun)
    assert begun.refused == (Refused(1, Offence.FLOOD, "too much"),)
    for other in (Refused(0, Offence.FLOOD, "too much"), Refused(1, Offence.GONE, "too much")):
        dialogue.events[0] = msgspec.structs.replace(begun, refused=(other,))
        with pytest.raises(BadInput, match="line 2"):
            dialogue.verify()
    for seat in (-1, 3, 99):
        dialogue.events[0] = msgspec.structs.replace(begun, refused=(Refused(seat, Offence.GONE, ""),))
        with pytest.raises(BadInput, match="line 1"):
            dialogue.verify()


@pytest.mark.parametrize("offence", [offence for offence in Offence if offence is not Offence.OUT_OF_TURN])
@pytest.mark.parametrize("word", ["skip", "random", "default", "expel", "forfeit", "void"])
def test_every_sanction_of_the_refused(offence: Offence, word: str) -> None:
    """Nobody who has failed can sit down: what is not final expels."""
    dialogue = Dialogue(FISH, 3, under=always(word), refused=[Refused(0, offence, "it failed")])
    final = word if word in ("forfeit", "void") else "expel"
    assert dialogue.verdicts() == [(0, offence.value, final)]
    if final == "expel":
        dialogue.seated().play_out()
    assert dialogue.result.verdict == {"forfeit": "forfeited", "void": "void"}.get(word, "finished")
    dialogue.verify()


def test_who_only_talked_too_early_may_sit_down() -> None:
    """Talking before the match is out of turn, which the course forgives."""
    dialogue = Dialogue(FISH, 2, refused=[Refused(0, Offence.OUT_OF_TURN, "it was not asked")])
    assert dialogue.verdicts() == [(0, "out_of_turn", "retry")]
    assert dialogue.words(0) == ["Rejected", "Begin"]
    dialogue.seated().play_out()
    dialogue.verify()


@pytest.mark.parametrize("game", [HEXAPAWN, FISH, MAZE], ids=["hexapawn", "fish", "labyrinth"])
@pytest.mark.parametrize("talks", [(0, 1), ()])
def test_everybody_is_refused(game: Any, talks: tuple[int, ...]) -> None:
    """They have all failed before it began, so nobody wins, and nobody is greeted."""
    refused = [Refused(seat, Offence.GONE, "it hung up") for seat in (0, 1)]
    dialogue = Dialogue(game, 2, refused=refused, talks=talks)
    assert dialogue.result.expelled == (0, 1)
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == ()
    assert dialogue.all_words(0) == (["Expelled"] if talks else [])
    dialogue.verify()


def test_one_of_two_is_refused() -> None:
    """The other is greeted, so that it knows its seat, and has won."""
    dialogue = Dialogue(HEXAPAWN, 2, refused=[Refused(0, Offence.REFUSED, "did not start")])
    assert dialogue.result.outcome is not None
    assert dialogue.result.outcome.winners == (1,)
    assert dialogue.words(1) == ["Begin", "Over"]
    dialogue.verify()


def test_only_the_first_of_the_refused_forfeits() -> None:
    """The match is over with it, and nothing more is found out."""
    refused = [Refused(seat, Offence.GONE, "it hung up") for seat in (0, 1)]
    dialogue = Dialogue(HEXAPAWN, 2, under=SEED_002, refused=refused)
    assert dialogue.verdicts() == [(0, "gone", "forfeit")]
    assert dialogue.words(1) == ["Over"]
    dialogue.verify()


def test_nobody_is_refused_twice() -> None:
    """Who is out is out."""
    refused = [Refused(0, Offence.LATE, "once"), Refused(0, Offence.GONE, "twice")]
    dialogue = Dialogue(FISH, 3, refused=refused).seated()
    assert dialogue.verdicts() == [(0, "late", "expel")]
    dialogue.play_out()
    dialogue.verify()


def test_bots_can_be_refused() -> None:
    """A seat that does not talk is out without a word."""
    dialogue = Dialogue(FISH, 3, talks=(), refused=[Refused(0, Offence.REFUSED, "did not start")])
    assert dialogue.all_words(0) == []
    assert dialogue.dismissed() == [0]
    assert dialogue.words(1) == ["YourTurn"]
    dialogue.play_out()
    dialogue.verify()


def test_proposals_are_in_the_first_line() -> None:
    """From the seed and the proposals the same start follows, and from other proposals another."""
    theirs = MAZE._drawn(Random(5))
    dialogue = Dialogue(MAZE, 2, proposals=[None, theirs]).seated()
    assert isinstance(dialogue.state, LabyrinthState)
    assert dialogue.state.position().connectors == theirs.connectors
    dialogue.play_out()
    dialogue.verify()
    begun = dialogue.events[0]
    assert isinstance(begun, events.Begun)
    for other in ((), (None, None), (MAZE._drawn(Random(6)), None)):
        dialogue.events[0] = msgspec.structs.replace(begun, proposals=other)
        with pytest.raises(BadInput, match="line 1"):
            dialogue.verify()


# -- giving up -----------------------------------------------------------------------------------


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


# -- what could not be read, from a seat that is not asked ---------------------------------------


def test_an_owed_answer_that_cannot_be_read_is_malformed() -> None:
    """A seat that owes an answer to something, though no move, is not out of turn."""
    dialogue = Dialogue(FISH, 3).seated()
    dialogue.hear(1, Garbled("noise"))
    dialogue.hear(1, Garbled("noise", owed=True))
    assert dialogue.verdicts() == [(1, "out_of_turn", "retry"), (1, "malformed", "expel")]
    assert fault(dialogue).said == Garbled("noise", owed=True)
    assert dialogue.told(1) == [messages.Expelled("malformed: noise", Offence.MALFORMED)]
    assert dialogue.referee.awaited == {0: 100}
    dialogue.play_out()
    dialogue.verify()


def test_an_owed_answer_that_cannot_be_read_off_turn() -> None:
    """There is no turn to take away, so it is refused; it counts as what it is."""
    dialogue = Dialogue(FISH, 3, under=conduct(malformed=ladder("skip 2", "expel"))).seated()
    for _ in range(3):
        dialogue.hear(1, Garbled("noise", owed=True))
    assert [verdict[1:] for verdict in dialogue.verdicts()] == [
        ("malformed", "retry"), ("malformed", "retry"), ("malformed", "expel"),
    ]  # fmt: skip


def test_an_owed_answer_that_cannot_be_read_before_play() -> None:
    """Who has said that it is ready and then something that cannot be read is out."""
    dialogue = Dialogue(FISH, 3, under=conduct(malformed=ladder("retry 9", "expel")))
    dialogue.hear(1, Ready())
    dialogue.hear(1, Garbled("noise", owed=True))
    assert dialogue.verdicts() == [(1, "malformed", "expel")]


def test_an_owed_answer_on_turn_is_malformed_as_ever() -> None:
    """And late if it is late."""
    dialogue = Dialogue(FISH, 3, under=every("retry 9", "expel")).seated()
    dialogue.hear(0, Garbled("noise", owed=True), 5)
    dialogue.hear(0, Garbled("noise", owed=True), 500)
    assert [offence for _, offence, _ in dialogue.verdicts()] == ["malformed", "late"]


@pytest.mark.parametrize("turn", [None, 0])
def test_an_owed_answer_to_an_old_question_is_ignored(turn: int | None) -> None:
    """What answers a question that no longer stands is ignored, even if it cannot be read."""
    dialogue = Dialogue(MAZE, 3, under=every("skip")).seated()
    dialogue.lapse(0)
    dialogue.hear(0, Garbled("noise", turn, owed=True))
    assert dialogue.kinds() == ["Ignored"]
    dialogue.hear(0, Garbled("noise", owed=True))
    assert dialogue.verdicts() == [(0, "late", "skip"), (0, "malformed", "retry")]
    dialogue.play_out()
    dialogue.verify()


# -- what a seat is told of its offence ----------------------------------------------------------


def test_a_rejection_says_for_which_offence() -> None:
    """Illegal, malformed, late, and out of turn: a dialect may have a word for each."""
    dialogue = Dialogue(FISH, 3, under=every("retry 9", "expel")).seated()
    dialogue.cheat(0)
    assert dialogue.told(0)[0] == Rejected(0, fault(dialogue).reason, Offence.ILLEGAL)
    dialogue.garble(0)
    assert dialogue.told(0)[0] == Rejected(0, "noise", Offence.MALFORMED)
    dialogue.lapse(0)
    assert dialogue.told(0)[0] == Rejected(0, "no answer in time", Offence.LATE)
    dialogue.cheat(1)
    assert dialogue.told(1)[0] == Rejected(0, "it is not your turn", Offence.OUT_OF_TURN)


@pytest.mark.parametrize("offence", ["late", "malformed", "illegal"])
def test_a_turn_that_is_taken_away_says_for_which_offence(offence: str) -> None:
    """And one without an offence, because no move was possible, says none."""
    dialogue = Dialogue(MAZE, 3, under=every("skip")).seated(0)
    if offence == "late":
        dialogue.lapse(0)
    elif offence == "malformed":
        dialogue.garble(0)
    else:
        dialogue.cheat(0)
    assert dialogue.told(0)[0] == messages.Skipped(0, fault(dialogue).reason, Offence(offence))


def test_no_offence_if_no_move_is_possible() -> None:
    """Who is passed over has done nothing wrong."""
    told = []
    for seed in range(30):
        dialogue = Dialogue(Fish(rows=4, cols=4, holes=2), 4, seed=seed).seated(0, 1, 2, 3)
        dialogue.play_out()
        told += [
            effect.message
            for effect in dialogue.effects
            if isinstance(effect, Tell) and isinstance(effect.message, messages.Skipped)
        ]
    assert {message.offence for message in told} == {None}
    assert {message.reason for message in told} == {"no move is possible"}


@pytest.mark.parametrize("offence", list(Offence))
def test_the_last_word_says_for_which_offence(offence: Offence) -> None:
    """Every offence that expels is named with it."""
    dialogue = Dialogue(FISH, 3, under=every("expel")).seated()
    seat = 1 if offence is Offence.OUT_OF_TURN else 0
    if offence in ABSENT:
        dialogue.fail(seat, offence)
    elif offence is Offence.LATE:
        dialogue.lapse(seat)
    elif offence is Offence.MALFORMED:
        dialogue.garble(seat)
    else:
        dialogue.cheat(seat)
    assert dialogue.told(seat) == [messages.Expelled(f"{offence.value}: {fault(dialogue).reason}", offence)]


def test_sanctions_are_complete() -> None:
    """Every sanction there is has been tried above."""
    assert {sanction.value for sanction in Sanction} == {
        "retry", "skip", "default", "random", "expel", "forfeit", "void",
    }  # fmt: skip

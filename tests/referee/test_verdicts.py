"""Which offence a message is, by priority: the referee judges by the first row that fits."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.dialogue import FISH, HEXAPAWN, MAZE, Dialogue, absentees, conduct, every, fault
from touchline.conducts.fish_push import CONDUCT as SEED_001
from touchline.core import events, messages
from touchline.core.conduct import ABSENT, Offence, ladder
from touchline.core.happenings import Heard, Note, Tell
from touchline.core.messages import Act, Garbled, Ready, Rejected, YourTurn
from touchline.games.fish import Place

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

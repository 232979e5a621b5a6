"""Dialogues in which a seat reaches its goal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.dialogue import MAZE, Dialogue
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.conduct import ABSENT, Conduct, Offence
from touchline.core.messages import Act, Garbled, Ready, Resign
from touchline.games.labyrinth import PASS, LabyrinthState

if TYPE_CHECKING:
    from touchline.core import events
    from touchline.core.happenings import Effect
    from touchline.core.rules import Seat

ABSENCES = [offence for offence in Offence if offence in ABSENT]
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


def alone(under: Conduct = COURSE) -> Dialogue:
    """The only seat that is left has reached its goal, so that it is to move again."""
    dialogue = Dialogue(MAZE, 2, under=under).seated(guided=[0])
    dialogue.hear(0, Act(ways(dialogue)[1][0]))
    dialogue.hear(1, Resign())
    arrive(dialogue, 0)
    assert dialogue.words(0) == ["Onward"]
    assert dialogue.on_turn == 0
    return dialogue

"""The referee plays for a seat whose player is gone, or skips it."""

from __future__ import annotations

from typing import Any

import pytest

from referee.dialogue import FISH, HEXAPAWN, Dialogue, absentees
from touchline.core import events
from touchline.core.conduct import Offence


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

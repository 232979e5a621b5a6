"""The end of a match: result, last word, turn cap."""

from __future__ import annotations

from typing import Any

import pytest

from referee.dialogue import FISH, HEXAPAWN, MAZE, Dialogue
from touchline.core import events
from touchline.core.messages import Over


@pytest.mark.parametrize("game", [HEXAPAWN, FISH, MAZE], ids=["hexapawn", "fish", "labyrinth"])
def test_one_last_word(game: Any) -> None:
    """Everybody hears how it ended, once, with the whole state, and is let go."""
    dialogue = Dialogue(game, 2, turn_cap=3000).seated()
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

"""How offences are counted: by turn, row or match, for each seat."""

from __future__ import annotations

from typing import Any

import pytest

from referee.dialogue import FISH, HEXAPAWN, Dialogue, every
from touchline.conducts.fish_push import CONDUCT as SEED_001
from touchline.conducts.hexapawn_ports import CONDUCT as SEED_002


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

"""Set-up: seats are greeted, say that they are ready, and play begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from referee.dialogue import FISH, HEXAPAWN, Dialogue, absentees, every, fault
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import events
from touchline.core.clock import Limits
from touchline.core.conduct import Offence
from touchline.core.happenings import Note, Tell
from touchline.core.messages import Act, Begin, Garbled, Ready, YourTurn
from touchline.core.referee import LOTS
from touchline.games.fish import Place

if TYPE_CHECKING:
    from collections.abc import Callable


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
    acts: dict[str, Callable[[int], object]] = {
        "late": dialogue.lapse, "malformed": dialogue.garble, "gone": dialogue.fail,
    }  # fmt: skip
    acts[offence](1)
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

"""Turn numbers, and a game that hands the turn on when a seat leaves."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from referee.dialogue import FISH, Dialogue, every
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import events
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Offence
from touchline.core.happenings import Dismiss, Failed, Heard, Lapsed, Note, Tell
from touchline.core.messages import Act
from touchline.core.referee import Referee
from touchline.core.rules import Outcome


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

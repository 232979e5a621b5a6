"""A seat without a time limit, such as one in a debugger, beside seats that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from touchline.core.clock import Clock, Limits
from touchline.core.errors import BadInput
from touchline.core.happenings import Heard, Note, Tell
from touchline.core.messages import Act, Ready, YourTurn
from touchline.drivers.match import agreed, announced, opened, referee_for
from touchline.games.hexapawn import Hexapawn
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.core.events import Event

LIMITS = Limits(clock=Clock(per_move=100), set_up=100, untimed=(0,))


def match(took: dict[int, int], limits: Limits = LIMITS) -> tuple[list[int | None], list[str], bytes]:
    """Play first moves, each taking so long; return the limits told, the offences, and the record."""
    spec = agreed(Hexapawn(rows=4, cols=4), ["ann", "bob"], seed=1, limits=limits)
    state = opened(spec)
    referee = referee_for(spec, state, [0, 1])
    seen: list[Event] = [announced(spec, state, [0, 1])]
    effects = referee.begin()
    for seat in (0, 1):
        effects += referee.take(Heard(seat, Ready(), took[seat]))
    told: list[int | None] = []
    while referee.result is None:
        questions = [effect for effect in effects if isinstance(effect, Tell)]
        seen += [effect.event for effect in effects if isinstance(effect, Note)]
        ((seat, question),) = [
            (one.seat, one.message) for one in questions if isinstance(one.message, YourTurn)
        ]
        told.append(question.allowance)
        effects = referee.take(Heard(seat, Act(question.view.legal_moves()[0]), took[seat]))
    seen += [effect.event for effect in effects if isinstance(effect, Note)]
    offences = [fault.offence.value for fault in referee.faults]
    return told, offences, b"".join(msgspec.json.encode(event) + b"\n" for event in seen)


def test_an_untimed_seat_is_never_late() -> None:
    """It may start and think for as long as it likes, and is told that it has no limit."""
    told, offences, record = match({0: 10**9, 1: 100})
    assert offences == []
    assert told[:2] == [None, 100]
    Replay(record, "it").verify()


def test_the_other_seats_keep_their_clock() -> None:
    """What one seat is allowed gives nothing to another."""
    assert match({0: 10**9, 1: 101})[1] == ["late"]
    told, offences, _ = match({0: 0, 1: 0}, msgspec.structs.replace(LIMITS, untimed=(1,)))
    assert (told[:2], offences) == ([100, None], [])


def test_the_record_says_who_had_no_limit() -> None:
    """The terms name the seat; terms without such a seat are written as they always were."""
    *_, record = match({0: 0, 1: 0})
    assert Replay(record, "it").begun.limits.untimed == (0,)
    assert b"untimed" not in msgspec.json.encode(Limits())


@pytest.mark.parametrize("seats", [(2,), (-1,), (0, 0)])
def test_a_record_with_a_wrong_seat_is_refused(seats: tuple[int, ...]) -> None:
    """A seat that does not exist is bad input, not a crash."""
    *_, record = match({0: 0, 1: 0}, msgspec.structs.replace(LIMITS, untimed=seats))
    with pytest.raises(BadInput, match="untimed"):
        Replay(record, "it").verify()

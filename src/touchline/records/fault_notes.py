"""What players had sent when they were found at fault, for the result that is shown to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from touchline.core.conduct import Offence
from touchline.core.events import Faulted
from touchline.core.messages import Act
from touchline.core.printable import quoted
from touchline.core.text import beginnings_of
from touchline.records.sentences import move_text

if TYPE_CHECKING:
    from touchline.core.events import Event
    from touchline.core.rules import Seat

SHOWN = (Offence.ILLEGAL, Offence.OUT_OF_TURN)
"""Offences whose reason does not have what was sent; that of a malformed message quotes it."""


class FaultNotes:
    """An observer that keeps what each seat had sent at its last fault."""

    def __init__(self) -> None:
        self._faults: dict[Seat, Faulted] = {}

    def __call__(self, event: Event) -> None:
        if isinstance(event, Faulted):
            self._faults[event.seat] = event

    def sent_by(self, seat: Seat) -> str | None:
        """Return what a seat had sent, as it came, or its move in words; None if the reason has it."""
        fault = self._faults.get(seat)
        if fault is None or fault.offence not in SHOWN:
            return None
        frames = None if fault.raw is UNSET else beginnings_of(fault.raw)
        if frames:
            return quoted(b" ".join(frames))
        return f"the move {move_text(fault.said.move)}" if isinstance(fault.said, Act) else None

"""What is counted while a match is played: moves, thinking time, and a digest of what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.events import Moved
from touchline.drivers.match import Batching
from touchline.records.moves_digest import MovesDigest

if TYPE_CHECKING:
    from touchline.core.events import Event, Result


class Tally(Batching):
    """An observer that counts the moves of each seat, and adds up how long it thought."""

    def __init__(self, seats: int) -> None:
        self.moves, self.thought = [0] * seats, [0] * seats
        self._digest = MovesDigest()
        self._unseen: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.flush()
        self._see(event)

    def unseen(self) -> list[Event]:
        """Return the list to which moves of bots may be appended."""
        return self._unseen

    def flush(self) -> None:
        """Count the moves in the list."""
        for event in self._unseen:
            self._see(event)
        self._unseen.clear()

    def _see(self, event: Event) -> None:
        self._digest.see(event)
        if isinstance(event, Moved) and event.by == "seat":
            self.moves[event.seat] += 1
            self.thought[event.seat] += event.took

    def digest(self, result: Result) -> str:
        """Return the digest of the match: equal for equal games, whatever time they took."""
        self.flush()
        return self._digest.digest(result)

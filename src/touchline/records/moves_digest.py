"""A digest of what happened in a game, without its times: equal games have equal digests."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core import events

if TYPE_CHECKING:
    from touchline.core.events import Event, Result


class MovesDigest:
    """A running hash of a game's events without their times: equal if the same things happened."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def see(self, event: Event) -> None:
        match event:
            case events.Moved(turn, seat, move):
                self._add("moved", turn, seat, move)
            case events.Faulted(turn, seat, offence, _, sanction):
                self._add("faulted", turn, seat, offence, sanction)
            case events.Skipped(turn, seat) | events.Expelled(turn, seat) | events.Resigned(turn, seat):
                self._add(type(event).__name__, turn, seat)
            case events.TakenBack(turn, seat, to):
                self._add("taken_back", turn, seat, to)
            case events.Begun(position=position):
                self._add("begun", position)

    def _add(self, *what: Any) -> None:
        self._hash.update(msgspec.json.encode(what))
        self._hash.update(b"\n")

    def digest(self, result: Result) -> str:
        """Return the hash of the events and of how the game ended."""
        whole = self._hash.copy()
        whole.update(msgspec.json.encode((result.verdict, result.outcome, result.expelled, result.resigned)))
        return whole.hexdigest()

"""The positions of games as compact JSON, for the replay viewer in the report.

Laws of this file: the JSON is safe within a `<script>` element, whatever names and reasons hold; its size and
the work to make it are bounded. A spot or a text that occurs in many positions is written once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.errors import TouchlineError
from touchline.records.positions import Position, positions
from touchline.records.replay import Replay
from touchline.records.sentences import MOST_TEXT, cut, cut_names

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from touchline.core.rules import Seat
    from touchline.tournament.ledger import Ledger

MOST_BYTES = 8 << 20
"""The most bytes of positions in a page."""
MOST_SPOTS = 1_000_000
"""The most spots that are drawn for a page, a measure of the work: some seconds at most."""
FEW_SPOTS = 20_000
"""The same for a cup with more games than a page lists: a fraction of a second."""
FAULT, WHOLE = 1, 2
"""Flags of a frame: its event is a fault; its spots are the whole board."""
_encode = msgspec.json.Encoder().encode


class Films:
    """The films of a page: games that can be replayed in it."""

    def __init__(self, ledger: Ledger, most_spots: int) -> None:
        self._ledger, self._spots_left, self._bytes_left = ledger, most_spots, MOST_BYTES
        self._spots = _Shared()
        self._texts = _Shared()
        self._games: dict[str, msgspec.Raw] = {}
        self._unfit: set[str] = set()

    def add(self, game: str, at_fault: Sequence[Seat]) -> bool:
        """Add a game if there is room; return whether it can be replayed. It opens at its first fault."""
        if game in self._games:
            return True
        if game in self._unfit or self._spots_left <= 0 or self._bytes_left <= 0:
            return False
        try:
            replay = Replay(self._ledger.record(game), game)
            found = [*positions(replay, keys=True)]
        except (TouchlineError, ValueError, TypeError):  # no record, or one that breaks the rules
            self._unfit.add(game)
            return False
        before = self._spots.bytes + self._texts.bytes
        film = _encode(
            {
                "names": cut_names(replay.begun.names),
                "backdrop": found[0].backdrop,
                "at": _first_fault(found, at_fault),
                "frames": [self._frame(position) for position in found],
            }
        )
        self._games[game] = msgspec.Raw(film)
        self._spots_left -= len(found) * max(len(found[0].spots), 1)
        self._bytes_left -= len(film) + self._spots.bytes + self._texts.bytes - before
        return True

    def _frame(self, position: Position) -> list[Any]:
        text, seat, turn, fault = position.told
        return [
            self._texts.number(cut(text, MOST_TEXT)), turn, -1 if seat is None else seat,
            FAULT * fault + WHOLE * position.whole,
            [self._spots.number(spot) for spot in position.spots],
            [self._texts.number(note) for note in position.notes],
            position.keys,
        ]  # fmt: skip

    def __len__(self) -> int:
        return len(self._games)

    def json(self) -> str:
        """Return all films as JSON that ends no `<script>` element."""
        whole = _encode({"texts": self._texts.values, "spots": self._spots.values, "games": self._games})
        return script_safe(whole.decode())


class _Shared:
    """Values that are written once, and then referred to by their number."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self.values: list[msgspec.Raw] = []
        self.bytes = 0

    def number(self, value: Hashable) -> int:
        known = self._numbers.get(value)
        if known is None:
            known = self._numbers[value] = len(self.values)
            written = _encode(value)
            self.values.append(msgspec.Raw(written))
            self.bytes += len(written)
        return known


def _first_fault(found: Sequence[Position], at_fault: Sequence[Seat]) -> int:
    """Return the first frame with a fault of a seat that lost by it; of any seat if none did; else 0."""
    faults = [number for number, position in enumerate(found) if position.told.fault]
    decisive = [number for number in faults if found[number].told.seat in at_fault]
    return (decisive or faults or [0])[0]


def script_safe(text: str) -> str:
    """Escape JSON so that a `<script>` element can hold it.

    >>> script_safe('{"name": "</script><!--"}')
    '{"name": "\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text

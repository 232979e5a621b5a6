"""Which seat a token opens.

Rule of this file: a token opens one seat of one table, and the server keeps only its hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.web.tables.chair import digest

if TYPE_CHECKING:
    from touchline.core.rules import Seat
    from touchline.web.tables.table import PageTable


class SeatTokens:
    """The seats of all tables, by the hash of the token that opens each."""

    def __init__(self) -> None:
        self._seats: dict[bytes, tuple[PageTable, Seat]] = {}

    def add(self, hashed: bytes, table: PageTable, seat: Seat) -> None:
        """Let the token with this hash open a seat."""
        self._seats[hashed] = (table, seat)

    def remove(self, hashed: bytes | None) -> None:
        """Let the token with this hash open nothing."""
        if hashed is not None:
            self._seats.pop(hashed, None)

    def forget(self, table: PageTable) -> None:
        """Let no token open a seat of this table any more."""
        self._seats = {hashed: seat for hashed, seat in self._seats.items() if seat[0] is not table}

    def find(self, token: str) -> tuple[PageTable, Seat] | None:
        """Return the table and the seat that a token opens; None if it opens none."""
        return self._seats.get(digest(token))

    def seat_at(self, table: PageTable, token: str) -> Seat | None:
        """Return the seat at this table that a token opens; None if it opens none."""
        found = self.find(token)
        return found[1] if found is not None and found[0] is table else None

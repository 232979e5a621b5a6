"""How the seats of a table are doing between two events: who is away, wakes up, is missing, or thinks.

The feed of the table asks (`SeatStatus` in `live/feed.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.web.tables.seats import BrowserSeat, HouseSeat

if TYPE_CHECKING:
    from touchline.core.rules import Seat
    from touchline.web import schema
    from touchline.web.tables.table import PageTable


class TableSeats:
    """The seats of one table."""

    def __init__(self, table: PageTable) -> None:
        self._table = table

    @property
    def recorded(self) -> bool | None:
        return self._table.recorded

    def describe(self) -> schema.TableSummary:
        return self._table.describe()

    def away(self) -> tuple[Seat, ...]:
        chairs = self._table.chairs
        return tuple(c.seat for c in chairs if isinstance(c.player, BrowserSeat) and c.player.away)

    def waking(self) -> tuple[Seat, ...]:
        chairs = self._table.chairs
        return tuple(c.seat for c in chairs if isinstance(c.player, HouseSeat) and c.player.waking)

    def waking_seconds(self, seat: Seat) -> float:
        player = self._table.chairs[seat].player
        return player.waking_seconds if isinstance(player, HouseSeat) else 0.0

    def missing(self) -> tuple[Seat, ...]:
        if self._table.missing_at_ports is not None:
            return self._table.missing_at_ports()
        return tuple(chair.seat for chair in self._table.chairs if chair.missing)

    def spent(self, seat: Seat) -> int | None:
        player, match = self._table.chairs[seat].player, self._table.match
        if player is None or match is None:
            return None
        return 0 if player.handed_over is None else max(0, match.now() - player.handed_over)

    def question(self, seat: Seat) -> int | None:
        player = self._table.chairs[seat].player
        asked = player.question if isinstance(player, BrowserSeat) else None
        return None if asked is None else asked.turn

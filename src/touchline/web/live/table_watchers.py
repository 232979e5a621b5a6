"""The watchers of one table: those who wait for its match, and those who follow it.

Rules of this file: who waits is sent the description of the table at every change, and the match as soon as
it begins; a newcomer is told what people at the table wish.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from touchline.web import schema
from touchline.web.live.watchers import part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.rules import Seat
    from touchline.web.live.feed import Feed
    from touchline.web.live.watchers import Tally, Watcher
    from touchline.web.tables.chair import Chair
    from touchline.web.tables.people import People


class WatchedTable(Protocol):
    """What watchers need from their table."""

    @property
    def chairs(self) -> Sequence[Chair]:
        """The seats."""

    @property
    def people(self) -> People:
        """The wishes of the people at the table."""

    def describe(self) -> schema.TableSummary:
        """Return the public description."""

    def changed(self) -> None:
        """Note that the description has changed."""


class TableWatchers:
    """The connections of everybody who looks at a table: its spectators, and the browsers of its seats."""

    def __init__(self, table: WatchedTable, tally: Tally) -> None:
        self._table, self._tally = table, tally
        self._waiting: dict[Watcher, Seat | None] = {}
        self.feed: Feed | None = None
        """The feed of the match; None before it begins."""

    @property
    def spectators(self) -> int:
        """The number of those who have no seat."""
        waiting = sum(seat is None for seat in self._waiting.values())
        return waiting + (0 if self.feed is None else self.feed.watching)

    # -- coming and going ---------------------------------------------------------------------

    def add(self, watcher: Watcher, seat: Seat | None) -> None:
        """Attach a watcher, as a spectator or with the view of a seat."""
        if self.feed is None:
            self._waiting[watcher] = seat
            self._send_description(watcher)
            self._greet(watcher, seat)
            return
        self.feed.audience(seat).add(watcher)
        self._greet(watcher, seat)
        self._table.changed()

    def _greet(self, watcher: Watcher, seat: Seat | None) -> None:
        """Tell a newcomer what its snapshot does not say, and the others of one more spectator."""
        people = self._table.people
        if people.has_news:
            watcher.send(people.line(seat))
        if seat is None:
            people.count()
        else:
            people.came(seat)

    def discard(self, watcher: Watcher, seat: Seat | None) -> None:
        """Detach a watcher."""
        self._waiting.pop(watcher, None)
        if self.feed is not None:
            self.feed.audience(seat).discard(watcher)
        if seat is None:
            self._table.people.count()
        elif self._table.chairs[seat].watcher in (None, watcher):
            self._table.people.left(seat)
        self._table.changed()

    def part_waiting(self, code: int) -> None:
        """Part with those who wait for the match: it will not begin here."""
        part(self._waiting, code)
        self._waiting.clear()

    def close(self) -> None:
        """Part with everybody: nothing more will happen here."""
        self._table.people.close()
        if self.feed is not None:
            self.feed.close()

    # -- what they are sent -------------------------------------------------------------------

    def show_table(self) -> None:
        """Send the description of the table to those who wait for the match."""
        if self._waiting:
            self._send_description(*self._waiting)

    def _send_description(self, *watchers: Watcher) -> None:
        line = msgspec.json.encode(schema.TableLine(self._table.describe()))
        self._tally.encoded += 1
        for watcher in watchers:
            if not watcher.send(line):
                self._waiting.pop(watcher, None)

    def show_match(self) -> None:
        """Show the match, which has begun, to those who have waited for it."""
        waiting, self._waiting = self._waiting, {}
        for watcher, seat in waiting.items():
            self.add(watcher, seat)

    def send(self, line_for: Callable[[Seat | None], bytes]) -> None:
        """Send everybody the line for their seat."""
        if self.feed is not None:
            self.feed.send(line_for)
        for watcher, seat in [*self._waiting.items()]:
            watcher.send(line_for(seat))

    def touch(self) -> None:
        """Refresh the feed: a seat's question or its presence has changed."""
        if self.feed is not None:
            self.feed.touch()

    def tell_now(self) -> None:
        """Send what is scheduled at once."""
        if self.feed is not None:
            self.feed.tell_now()

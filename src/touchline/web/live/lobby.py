"""The live feed of the lobby: a snapshot of all tables, then each table that is new, has changed, or is gone.

Rules of this file: changes of one table are merged and sent at most once a second; nothing is encoded while
nobody watches.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from touchline.web import schema
from touchline.web.live.watchers import GONE, Broadcast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.web.live.watchers import Tally, Watcher

SOON, AGAIN = 0.02, 1.0
"""Seconds until a change is sent, and between two lines about the same table."""


class LobbyFeed(Broadcast):
    """Broadcasts changes of tables to the watchers of the lobby."""

    def __init__(self, listed: Callable[[str | None], Sequence[schema.TableSummary]], tally: Tally) -> None:
        """`listed` returns every table, or the one of an id if it is still listed."""
        super().__init__(tally)
        self._listed = listed
        self._due: dict[str, float] = {}
        """Tables that have changed, and when to send them."""
        self._sent: dict[str, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def add(self, watcher: Watcher) -> None:
        """Send a snapshot to a newcomer, who hears of every change from now on."""
        self.members.add(watcher)
        self.tally.encoded += 1
        watcher.send(msgspec.json.encode(schema.LobbySnapshot(tuple(self._listed(None)))))

    def changed(self, id: str) -> None:
        """Note that a table is new, has changed, or is gone."""
        if not self.members or id in self._due:
            return
        now = asyncio.get_running_loop().time()
        self._due[id] = max(now + SOON, self._sent.get(id, 0.0) + AGAIN)
        self._arm()

    def _arm(self) -> None:
        """Set the timer for the first table that is due."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._due:
            self._timer = asyncio.get_running_loop().call_at(min(self._due.values()), self._ring)

    def _ring(self) -> None:
        now = asyncio.get_running_loop().time()
        for id in [id for id, at in self._due.items() if at <= now]:
            del self._due[id]
            if self.members:
                self._sent[id] = now
                self._send_table(id)
        self._arm()

    def _send_table(self, id: str) -> None:
        tables = self._listed(id)
        if not tables:
            self._sent.pop(id, None)
        self.send(msgspec.json.encode(schema.TableLine(tables[0]) if tables else schema.TableGone(id)))

    def close(self) -> None:
        """The server stops."""
        self.end(GONE)
        if self._timer is not None:
            self._timer.cancel()

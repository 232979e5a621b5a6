"""What the lobby's readers are told: every table once, then each that is new, has changed, or is gone.

Law of this file: a table is told of at most once a second, put into words once for all, and not at all where
nobody reads.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from touchline.web import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.web.live.feed import Tally
    from touchline.web.live.watchers import Watcher

SOON, AGAIN = 0.02, 1.0
"""Seconds until a change is told, and between two of the same table."""
STOPPING = 1001


class LobbyFeed:
    """Those who read the lobby."""

    def __init__(self, listed: Callable[[str | None], Sequence[schema.Table]], tally: Tally) -> None:
        self._listed, self._tally = listed, tally
        self.members: set[Watcher] = set()
        self._dirty: dict[str, float] = {}
        """Tables that have changed, and when to tell of them."""
        self._told: dict[str, float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def add(self, watcher: Watcher) -> None:
        self.members.add(watcher)
        self._tally.encoded += 1
        watcher.send(msgspec.json.encode(schema.LobbyTables(tuple(self._listed(None)))))

    def discard(self, watcher: Watcher) -> None:
        self.members.discard(watcher)

    def changed(self, id: str) -> None:
        if not self.members or id in self._dirty:
            return
        now = asyncio.get_running_loop().time()
        self._dirty[id] = max(now + SOON, self._told.get(id, 0.0) + AGAIN)
        self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._dirty:
            self._timer = asyncio.get_running_loop().call_at(min(self._dirty.values()), self._tell)

    def _tell(self) -> None:
        now = asyncio.get_running_loop().time()
        for id in [id for id, at in self._dirty.items() if at <= now]:
            del self._dirty[id]
            if self.members:
                self._told[id] = now
                self._send(id)
        self._arm()

    def _send(self, id: str) -> None:
        tables = self._listed(id)
        if not tables:
            self._told.pop(id, None)
        line = msgspec.json.encode(schema.TableLine(tables[0]) if tables else schema.Gone(id))
        self._tally.encoded += 1
        for watcher in [*self.members]:
            if not watcher.send(line):
                self.members.discard(watcher)

    def close(self) -> None:
        for watcher in self.members:
            watcher.end(STOPPING)
        self.members.clear()
        if self._timer is not None:
            self._timer.cancel()

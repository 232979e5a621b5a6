"""Drawings that workers make: each is made once for all clients that wait for it, and cached.

Rules of this file: nothing is drawn on the event loop of the referee; work for which nobody waits any more is
cancelled; the cache is limited in bytes; the picture of a running table is drawn at most once a second.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, Any, TypeVar

from touchline.web.tables.table_summary import drawing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable

    from touchline.web import schema
    from touchline.web.tables.table import PageTable
    from touchline.web.workers import jobs
    from touchline.web.workers.pool import JobPool

T = TypeVar("T")

MOST_BYTES = 32 << 20
"""The size limit of all cached drawings."""
MOST_PICTURES = 1000
"""Tables whose last picture is remembered."""
PAUSE = 1.0
"""The shortest time between two pictures of a running table, in seconds; until then the last one is sent."""
SECONDS = 60.0
"""Timeout for a drawing."""


class SharedWork:
    """Runs a computation once for all concurrent callers, and cancels it when the last of them has left."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Any]] = {}
        self._callers: Counter[Hashable] = Counter()

    async def run(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of `work`, or of the running work with the same key."""
        if key not in self._tasks or self._tasks[key].done():
            self._tasks[key] = asyncio.ensure_future(work())
            self._callers[key] = 0
        task: asyncio.Task[T] = self._tasks[key]
        self._callers[key] += 1
        try:
            return await asyncio.shield(task)
        finally:
            if self._tasks.get(key) is task:
                self._leave(key, task)

    def _leave(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        self._callers[key] -= 1
        if not self._callers[key]:
            del self._callers[key], self._tasks[key]
            task.cancel()  # does nothing if it is done


class Drawings:
    """Drawings by key: shared while they are made, then cached."""

    def __init__(self, workers: JobPool, most_bytes: int = MOST_BYTES) -> None:
        self._workers, self._most_bytes = workers, most_bytes
        self._shared = SharedWork()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._bytes = 0
        self._pictures: OrderedDict[tuple[str, str, str], tuple[float, int]] = OrderedDict()
        """When the last picture of a table in a theme was made, and the number of events it shows."""

    def cached(self, key: Hashable) -> bytes | None:
        """Return a drawing from the cache; None if it is not there."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    async def draw(self, key: Hashable, job: jobs.Job, address: str) -> bytes:
        """Return a drawing that never changes; it is charged to the address that asks first."""
        kept = self.cached(key)
        if kept is not None:
            return kept
        drawn = await self._shared.run(
            key, lambda: self._workers.do(job, bytes, seconds=SECONDS, address=address)
        )
        self._keep(key, drawn)
        return drawn

    def _keep(self, key: Hashable, drawn: bytes) -> None:
        if key in self._kept or len(drawn) > self._most_bytes // 4:
            return
        self._kept[key] = drawn
        self._bytes += len(drawn)
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._kept.popitem(last=False)[1])

    # -- tables -------------------------------------------------------------------------------

    def picture(self, table: PageTable, theme: schema.Theme, kind: schema.TablePicture) -> bytes | None:
        """Return the last picture of a table if it is current, or too new to be drawn again."""
        at, moment = self._pictures.get((table.id, theme, kind), (0.0, -1))
        young = table.state == "running" and asyncio.get_running_loop().time() < at + PAUSE
        return self.cached((table.id, theme, kind, moment)) if moment == table.moment or young else None

    async def draw_table(
        self, table: PageTable, theme: schema.Theme, kind: schema.TablePicture, address: str
    ) -> bytes:
        """Draw the position of a table as spectators see it; before the match, an opening position."""
        moment, key = table.moment, (table.id, theme, kind)
        drawn = await self.draw((*key, moment), drawing_of(table, theme, kind), address)
        self._pictures[key] = (asyncio.get_running_loop().time(), moment)
        self._pictures.move_to_end(key)
        if len(self._pictures) > MOST_PICTURES:
            self._pictures.popitem(last=False)
        return drawn

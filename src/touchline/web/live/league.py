"""The league on the page: its live feed, and the front desk in a thread of its own.

Rules of this file: the event loop never waits for a disk: submissions and private feedback are handled in one
thread, in turn. The public view comes from the coordinator's memory. Nobody but an entrant is shown what is
its own.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import msgspec

from touchline.core.errors import UnknownName
from touchline.web import schema
from touchline.web.live.watchers import GONE, PolledBroadcast
from touchline.web.refusals import NotNow

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from touchline.league.coordinator import Coordinator
    from touchline.league.feedback import Feedback
    from touchline.league.front_desk import FrontDesk
    from touchline.league.roster import Version
    from touchline.web.live.watchers import Tally

T = TypeVar("T")

AGAIN = 1.0
"""Seconds between two looks at the coordinator's view."""
MOST_UPLOADS = 32
"""Uploads that are received at the same time, one of each entrant."""
MOST_FED_BACK = 5
"""Versions, the newest ones, whose stderr an entrant is sent."""


class LeagueDesk:
    """The league of a site. `open_desk` makes the front desk, in the thread that uses it."""

    def __init__(
        self, run: Coordinator, open_desk: Callable[[], FrontDesk], feedback: Feedback, cup: str
    ) -> None:
        """`cup` is the id of the ledger among the cups of the site."""
        self._run, self._open_desk, self._feedback, self.cup = run, open_desk, feedback, cup
        self._desk: FrontDesk | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="front-desk")
        self._uploads, self._uploading = asyncio.Semaphore(MOST_UPLOADS), set[str]()

    @property
    def most_bytes(self) -> int:
        return self._run.league.quotas.bytes

    def seen(self) -> schema.LeagueSeen:
        return schema.LeagueSeen(cup=self.cup, uploads=self.most_bytes, league=self._run.view)

    def line(self) -> bytes:
        """The public state as a line of the feed."""
        return msgspec.json.encode(schema.LeagueLine(league=self._run.view))

    async def _do(self, work: Callable[[FrontDesk], T]) -> T:
        """Do some work in the desk's thread."""

        def done() -> T:
            if self._desk is None:
                self._desk = self._open_desk()
            return work(self._desk)

        return await asyncio.get_running_loop().run_in_executor(self._thread, done)

    async def owner(self, token: str) -> str:
        """Return the entrant with this token. WrongToken if there is none."""
        return await self._do(lambda desk: desk.owner(token))

    @asynccontextmanager
    async def upload(self, entrant: str) -> AsyncIterator[None]:
        """Hold a place for an upload. NotNow if the entrant has one already."""
        if entrant in self._uploading:
            raise NotNow("your other upload is still coming in: wait for it")
        self._uploading.add(entrant)
        try:
            async with self._uploads:
                yield
        finally:
            self._uploading.discard(entrant)

    async def submit(self, token: str, data: bytes, name: str) -> schema.OwnVersion:
        """Take an upload; it is on the disk when this returns."""
        return await self._do(lambda desk: _own(desk.submit(token, data, name)))

    async def versions(self, token: str) -> schema.OwnVersions:
        """Return the versions of a token's owner, with its private feedback."""

        def read(desk: FrontDesk) -> schema.OwnVersions:
            entrant = desk.owner(token)
            own = desk.roster().of(entrant)[::-1]
            found = [self._fed_back(one) for one in own[:MOST_FED_BACK]]
            return schema.OwnVersions(entrant, (*found, *map(_own, own[MOST_FED_BACK:])))

        return await self._do(read)

    async def check_record(self, token: str, version: str) -> bytes:
        """Return the record of a check. UnknownName if the token's owner has no such version or record."""

        def read(desk: FrontDesk) -> bytes:
            entrant = desk.owner(token)
            own = {one.name for one in desk.roster().of(entrant)}
            found = self._feedback.check(version) if version in own else None
            if found is None or not found.record:
                raise UnknownName(f"you have no version {version!r} with the record of a check")
            return found.record.encode()

        return await self._do(read)

    def _fed_back(self, one: Version) -> schema.OwnVersion:
        check = self._feedback.check(one.name)
        return msgspec.structs.replace(
            _own(one), faults=tuple(reversed(self._run.gallery.faults_of(one.name))),
            stderr=self._feedback.stderr(one.name), check_stderr="" if check is None else check.text,
            check_record=check is not None and bool(check.record),
        )  # fmt: skip

    def close(self) -> None:
        """Close the desk and its ledger."""

        def shut() -> None:
            if self._desk is not None:
                self._desk.close()

        self._thread.submit(shut)
        self._thread.shutdown(wait=True)


def _own(one: Version) -> schema.OwnVersion:
    return schema.OwnVersion(
        version=one.name, status=one.status, reason=one.reason, player=one.player, bytes=one.size, at=one.at
    )


class LeagueFeed(PolledBroadcast):
    """Broadcasts the league whenever it has changed."""

    def __init__(self, desk: LeagueDesk, tally: Tally) -> None:
        super().__init__(tally)
        self._desk = desk

    async def look(self) -> tuple[bytes, float]:
        return self._desk.line(), AGAIN

    def close(self) -> None:
        """The server stops."""
        self.end(GONE)
        self.rest()

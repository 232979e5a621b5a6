"""Tournaments on the page: the state of each, read from its ledger, and the feed of its watchers.

Rules of this file: workers read a ledger and never write to it; a ledger is read only while somebody asks or
watches, at most once a second, and less often the longer a read takes; standings and report are computed once
for everybody and cached until the ledger has grown. The location of a ledger is never sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import re
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from touchline.core.errors import BadInput, BadOptions, TouchlineError, UnknownName
from touchline.tournament.cup import LEAGUE
from touchline.web import schema
from touchline.web.live.feed import now_millis
from touchline.web.live.throttle import Throttle
from touchline.web.live.watchers import GONE, PolledBroadcast
from touchline.web.record_shelf import RecordShelf
from touchline.web.workers import cup_jobs, record_jobs
from touchline.web.workers.lanes import Busy
from touchline.web.workers.pool import JobFailed, Overdue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.ledger import Ledger
    from touchline.web.live.watchers import Tally
    from touchline.web.workers.pool import JobPool

log = logging.getLogger(__name__)

MOST_CUPS = 32
SECONDS, REPORT_SECONDS = 60.0, 300.0
"""Timeouts of a worker: for a report the second, for anything else the first."""
PATIENCE = 1.0
"""Seconds to wait for the standings of a large cup before the rest is sent without them."""
MOST_PICTURES = 256
MOST_RECORDS, MOST_BYTES = 64, 16 << 20
GAME = re.compile(r"r[0-9]{4,9}-t[0-9]{4,9}(-a[1-9][0-9]{0,8})?")
"""The id of a game in a ledger."""
UNREADABLE = "the ledger of this cup cannot be read just now"


class LedgerUnreadable(Exception):
    """The ledger of a cup cannot be read just now; the log says why."""


class CupSource(Struct, frozen=True):
    """A cup, and the location of its ledger."""

    id: str
    where: str
    name: str
    game: str
    format: str
    entrants: int


def cup_sources(ledgers: Iterable[tuple[str, Ledger]], *, leagues: bool = False) -> tuple[CupSource, ...]:
    """The cups of these ledgers, or leagues. An id is a hash of the cup's terms, so links to a cup last."""
    from touchline.tournament.cup import unpacked

    sources: dict[str, CupSource] = {}
    for where, ledger in ledgers:
        packed = ledger.spec()
        if packed is None:
            raise BadInput("no cup has been begun in this ledger", where)
        cup = unpacked(packed)
        if cup.format == LEAGUE and not leagues:
            raise BadInput("this is a league, not a cup: `touchline league serve` shows it", where)
        same = hashlib.sha256(packed).hexdigest()[:10]
        id, number = same, 1
        while id in sources:
            number += 1
            id = f"{same}-{number}"
        sources[id] = CupSource(id, where, cup.name, cup.game, cup.format, len(cup.entrants))
    if len(sources) > MOST_CUPS:
        raise BadOptions(f"--cup: a page shows at most {MOST_CUPS} cups")
    return tuple(sources.values())


class _Report(NamedTuple):
    mark: cup_jobs.LedgerMark
    at: int
    text: msgspec.Raw


class CupDesk:
    """One cup: reads its ledger through workers, and caches the results."""

    def __init__(self, source: CupSource, workers: JobPool, tally: Tally, shelf: RecordShelf) -> None:
        self.source, self._workers, self._shelf = source, workers, shelf
        self.feed = CupFeed(self, tally)
        self._glance: cup_jobs.CupGlance | None = None
        self._standings = cup_jobs.CupStandings(None, False, (), ())
        self._report: _Report | None = None
        self._lost = False
        """Whether the last read of the ledger failed."""
        self.looking, self._tabulating = Throttle(self._look), Throttle(self._tabulate)
        self._reporting = Throttle(self._make_report)
        self._pictures: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    # -- reading the ledger -------------------------------------------------------------------

    def _job(self, kind: Any, **given: Any) -> Any:
        return kind(where=self.source.where, cup=self.source.id, **given)

    async def _ask(self, job: Any, kind: Any, seconds: float = SECONDS, address: str = "") -> Any:
        """Run a job. UnknownName if there is no such game, LedgerUnreadable if it cannot be read."""
        try:
            return await self._workers.do(job, kind, seconds=seconds, address=address)
        except (UnknownName, BadOptions):  # the request is wrong, not the ledger
            raise
        except (TouchlineError, JobFailed) as error:
            log.warning("the ledger of %s cannot be read: %s", self.source.id, error)
            raise LedgerUnreadable(UNREADABLE) from None

    async def look(self, patience: float | None = None) -> None:
        """Refresh the state of the cup; wait at most `patience` seconds for the standings."""
        await self.looking.done()
        if self._glance is not None and self._standings.mark != self._glance.mark and not self._lost:
            await self._tabulating.done(patience)

    async def _look(self) -> None:
        try:
            self._glance = await self._ask(self._job(cup_jobs.LookAtCup), cup_jobs.CupGlance)
            self._lost = False
        except LedgerUnreadable:
            self._lost = True

    async def _tabulate(self) -> None:
        assert self._glance is not None
        job = self._job(cup_jobs.TabulateCup, mark=self._glance.mark)
        self._standings = await self._ask(job, cup_jobs.CupStandings)

    def describe(self) -> schema.CupSummary:
        source, glance = self.source, self._glance
        return schema.CupSummary(
            id=source.id, name=source.name, game=source.game, format=source.format, entrants=source.entrants,
            state=self._state(), over=self._standings.over, paused=None if glance is None else glance.paused,
            counts=None if glance is None else glance.counts,
        )  # fmt: skip

    def _state(self) -> schema.CupState:
        if self._glance is None or self._lost:
            return "unavailable"
        if self._glance.counts.claimed:
            return "running"
        if self._standings.over:
            return "over"
        if self._glance.paused is None:
            return "waiting"
        return "stopped" if self._glance.stopped else "paused"

    @property
    def _running(self) -> tuple[schema.CupPairing, ...]:
        return () if self._glance is None else self._glance.running

    def line(self) -> schema.CupLine:
        """The state of the cup as a line of its feed."""
        return schema.CupLine(
            cup=self.describe(), standings=self._standings.standings, running=self._running,
            last=self._standings.last,
        )  # fmt: skip

    # -- the report ---------------------------------------------------------------------------

    async def seen(self) -> schema.CupSeen:
        """The cup with its report, which is made anew if the ledger has grown."""
        await self.look()
        if self._glance is not None and not self._current:
            await self._reporting.done()
        if self._report is None:
            raise LedgerUnreadable(UNREADABLE)
        text: Any = self._report.text
        return schema.CupSeen(
            cup=self.describe(), running=self._running, last=self._standings.last, at=self._report.at,
            current=self._current, report=text,
        )  # fmt: skip

    @property
    def _current(self) -> bool:
        report, glance = self._report, self._glance
        return report is not None and glance is not None and report.mark == glance.mark

    async def _make_report(self) -> None:
        """Make the report of the ledger at its mark; results that came since may be in it, too."""
        assert self._glance is not None
        mark, at = self._glance.mark, now_millis()
        text: bytes = await self._ask(self._job(cup_jobs.ReportOnCup), bytes, REPORT_SECONDS)
        self._report = _Report(mark, at, msgspec.Raw(text))

    # -- games --------------------------------------------------------------------------------

    async def games(
        self, first: int, count: int, entrant: str | None, other: str | None = None, address: str = ""
    ) -> schema.CupGames:
        """Return finished games; the work is charged to the address that asks."""
        job = self._job(cup_jobs.PageOfCup, first=first, count=count, entrant=entrant, other=other)
        found: schema.CupGames = await self._ask(job, schema.CupGames, address=address)
        return found

    async def record(self, game: str, address: str = "") -> tuple[schema.RecordSummary, bytes]:
        """The record of a finished game. UnknownName if there is none."""
        if GAME.fullmatch(game) is None:
            raise UnknownName(f"no game of a cup is called {game!r}")
        kept = self._shelf.find(cup_jobs.record_name(self.source.id, game))
        if kept is not None:
            return kept
        job = self._job(cup_jobs.RecordOfCup, game=game)
        kind = tuple[schema.RecordSummary, bytes]
        found: tuple[schema.RecordSummary, bytes] = await self._ask(job, kind, address=address)
        self._shelf.keep(*found)
        return found

    def picture(self, game: str, theme: schema.Theme) -> bytes | None:
        """The last position of a game from the cache; None if it is not there."""
        if (game, theme) in self._pictures:
            self._pictures.move_to_end((game, theme))
        return self._pictures.get((game, theme))

    async def draw(self, game: str, theme: schema.Theme, address: str = "") -> bytes:
        """Draw the last position of a game, and cache it."""
        _, data = await self.record(game, address)
        job = record_jobs.DrawRecord(data, theme, bare=True)
        drawn = await self._workers.do(job, bytes, seconds=SECONDS, address=address)
        self._pictures[game, theme] = drawn
        if len(self._pictures) > MOST_PICTURES:
            self._pictures.popitem(last=False)
        return drawn

    def close(self) -> None:
        """The server stops."""
        self.feed.end(GONE)
        self.feed.rest()
        for work in (self.looking, self._tabulating, self._reporting):
            work.cancel()


class CupFeed(PolledBroadcast):
    """Broadcasts the state of a cup whenever it has changed."""

    def __init__(self, desk: CupDesk, tally: Tally) -> None:
        super().__init__(tally)
        self._desk = desk

    async def look(self) -> tuple[bytes, float]:
        with contextlib.suppress(Busy, Overdue, LedgerUnreadable):
            await self._desk.look(PATIENCE)
        pause = self._desk.looking.again - asyncio.get_running_loop().time()
        return msgspec.json.encode(self._desk.line()), max(0.01, pause)


class CupDesks:
    """All tournaments that the page shows, by id."""

    def __init__(self, sources: Sequence[CupSource], workers: JobPool, tally: Tally) -> None:
        self.shelf = RecordShelf(MOST_RECORDS, MOST_BYTES)
        """Records that were asked for lately."""
        self.by_id = {source.id: CupDesk(source, workers, tally, self.shelf) for source in sources}

    async def listed(self) -> tuple[schema.CupSummary, ...]:
        cups = [desk for desk in self.by_id.values() if desk.source.format != LEAGUE]
        looks = (desk.look(PATIENCE) for desk in cups)
        for error in await asyncio.gather(*looks, return_exceptions=True):
            if error is not None and not isinstance(error, Busy | Overdue | LedgerUnreadable):
                raise error
        return tuple(desk.describe() for desk in cups)

    async def record(self, name: str, address: str = "") -> tuple[schema.RecordSummary, bytes]:
        """The record that is called `cup:ID:GAME`. UnknownName if there is none."""
        _, _, rest = name.partition(":")
        id, _, game = rest.partition(":")
        if id not in self.by_id:
            raise UnknownName("there is no such cup")
        return await self.by_id[id].record(game, address)

    def close(self) -> None:
        for desk in self.by_id.values():
            desk.close()

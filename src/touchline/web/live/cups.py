"""Tournaments on the page: what is known of each, from its ledger, and those who follow it.

Laws of this file: a ledger is read by workers and never written; it is looked at while somebody asks or
follows, at most once a second, and less often the longer a look takes; standings and report are made once for
everybody and kept until the ledger has grown. Where a ledger lies is told to nobody.
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
from touchline.web import cup_schema, schema
from touchline.web.live.feed import now_millis
from touchline.web.live.throttle import Paced
from touchline.web.record_shelf import Shelf
from touchline.web.workers import cup_jobs, jobs
from touchline.web.workers.pool import Busy, Failed, Overdue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.ledger import Ledger
    from touchline.web.live.feed import Tally
    from touchline.web.live.watchers import Watcher
    from touchline.web.workers.pool import Workers

log = logging.getLogger(__name__)

MOST_CUPS = 32
SECONDS, REPORT_SECONDS = 60.0, 300.0
"""How long a worker may take for a report, and for anything else."""
PATIENCE = 1.0
"""Seconds to wait for the standings of a large cup before the rest is told."""
MOST_PICTURES = 256
MOST_RECORDS, MOST_BYTES = 64, 16 << 20
STOPPING = 1001
GAME = re.compile(r"r[0-9]{4,9}-t[0-9]{4,9}(-a[1-9][0-9]{0,8})?")
"""What a game of a ledger is called."""


class Unreadable(Exception):
    """The ledger of a cup cannot be read just now; the log says why."""


class Place(Struct, frozen=True):
    """A cup, and where its ledger lies."""

    id: str
    where: str
    name: str
    game: str
    format: str
    entrants: int


def placed(ledgers: Iterable[tuple[str, Ledger]]) -> tuple[Place, ...]:
    """The cups of these ledgers. Each is called by a hash of what was agreed, so links to it last."""
    from touchline.tournament.cup import unpacked

    places: dict[str, Place] = {}
    for where, ledger in ledgers:
        packed = ledger.spec()
        if packed is None:
            raise BadInput("no cup has been begun in this ledger", where)
        cup = unpacked(packed)
        same = hashlib.sha256(packed).hexdigest()[:10]
        id, number = same, 1
        while id in places:
            number += 1
            id = f"{same}-{number}"
        places[id] = Place(id, where, cup.name, cup.game, cup.format, len(cup.entrants))
    if len(places) > MOST_CUPS:
        raise BadOptions(f"--cup: a page shows at most {MOST_CUPS} cups")
    return tuple(places.values())


class _Report(NamedTuple):
    mark: cup_jobs.Mark
    at: int
    text: msgspec.Raw


class Desk:
    """One cup."""

    def __init__(self, place: Place, workers: Workers, tally: Tally, shelf: Shelf) -> None:
        self.place, self._workers, self._tally, self._shelf = place, workers, tally, shelf
        self.members: set[Watcher] = set()
        self._glance: cup_jobs.Glance | None = None
        self._table = cup_jobs.Table(None, False, (), ())
        self._report: _Report | None = None
        self._lost = False
        """Whether the ledger could not be read when it was looked at last."""
        self._looking, self._tabulating = Paced(self._look), Paced(self._tabulate)
        self._reporting = Paced(self._make_report)
        self._pictures: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._following: asyncio.Task[None] | None = None
        self._line = b""

    # -- looking ------------------------------------------------------------------------------

    def _of(self, kind: Any, **given: Any) -> Any:
        return kind(where=self.place.where, cup=self.place.id, **given)

    async def _ask(self, job: Any, kind: Any, seconds: float = SECONDS) -> Any:
        """What a worker finds out. UnknownName if there is no such game, Unreadable if it cannot be read."""
        try:
            return await self._workers.do(job, kind, seconds=seconds)
        except (UnknownName, BadOptions):  # that is about what was asked for
            raise
        except (TouchlineError, Failed) as error:
            log.warning("the ledger of %s cannot be read: %s", self.place.id, error)
            raise Unreadable("the ledger of this cup cannot be read just now") from None

    async def look(self, patience: float | None = None) -> None:
        """Know how the cup stands, as it was a moment ago; for the standings wait so many seconds at most."""
        await self._looking.done()
        if self._glance is not None and self._table.mark != self._glance.mark and not self._lost:
            await self._tabulating.done(patience)

    async def _look(self) -> None:
        try:
            self._glance = await self._ask(self._of(cup_jobs.LookAtCup), cup_jobs.Glance)
            self._lost = False
        except Unreadable:
            self._lost = True

    async def _tabulate(self) -> None:
        assert self._glance is not None
        job = self._of(cup_jobs.TabulateCup, mark=self._glance.mark)
        self._table = await self._ask(job, cup_jobs.Table)

    def describe(self) -> cup_schema.Cup:
        place, glance = self.place, self._glance
        return cup_schema.Cup(
            id=place.id, name=place.name, game=place.game, format=place.format, entrants=place.entrants,
            state=self._state(), over=self._table.over, paused=None if glance is None else glance.paused,
            counts=None if glance is None else glance.counts,
        )  # fmt: skip

    def _state(self) -> cup_schema.CupState:
        if self._glance is None or self._lost:
            return "unavailable"
        if self._glance.counts.claimed:
            return "running"
        if self._table.over:
            return "over"
        return "waiting" if self._glance.paused is None else "paused"

    @property
    def _running(self) -> tuple[cup_schema.CupPairing, ...]:
        return () if self._glance is None else self._glance.running

    # -- the report ---------------------------------------------------------------------------

    async def seen(self) -> cup_schema.CupSeen:
        """The cup with its report, which is made anew if the ledger has grown."""
        await self.look()
        if self._glance is not None and not self._current:
            await self._reporting.done()
        if self._report is None:
            raise Unreadable("the ledger of this cup cannot be read just now")
        text: Any = self._report.text
        return cup_schema.CupSeen(
            cup=self.describe(), running=self._running, last=self._table.last, at=self._report.at,
            current=self._current, report=text,
        )  # fmt: skip

    @property
    def _current(self) -> bool:
        report, glance = self._report, self._glance
        return report is not None and glance is not None and report.mark == glance.mark

    async def _make_report(self) -> None:
        """It has what the mark says, and perhaps a little more."""
        assert self._glance is not None
        mark, at = self._glance.mark, now_millis()
        text: bytes = await self._ask(self._of(cup_jobs.ReportOnCup), bytes, REPORT_SECONDS)
        self._report = _Report(mark, at, msgspec.Raw(text))

    # -- games --------------------------------------------------------------------------------

    async def games(self, first: int, count: int, entrant: str | None) -> cup_schema.CupGames:
        job = self._of(cup_jobs.PageOfCup, first=first, count=count, entrant=entrant)
        found: cup_schema.CupGames = await self._ask(job, cup_schema.CupGames)
        return found

    async def record(self, game: str) -> tuple[schema.Record, bytes]:
        """The record of a finished game. UnknownName if there is none."""
        if GAME.fullmatch(game) is None:
            raise UnknownName(f"no game of a cup is called {game!r}")
        kept = self._shelf.find(cup_jobs.record_name(self.place.id, game))
        if kept is not None:
            return kept
        job = self._of(cup_jobs.RecordOfCup, game=game)
        found: tuple[schema.Record, bytes] = await self._ask(job, tuple[schema.Record, bytes])
        self._shelf.keep(*found)
        return found

    def picture(self, game: str, theme: str) -> str | None:
        """The last position of a game, if it has been drawn lately."""
        if (game, theme) in self._pictures:
            self._pictures.move_to_end((game, theme))
        return self._pictures.get((game, theme))

    async def draw(self, game: str, theme: str) -> str:
        _, data = await self.record(game)
        drawn = await self._workers.do(jobs.Draw(data, theme, bare=True), str, seconds=SECONDS)
        self._pictures[game, theme] = drawn
        if len(self._pictures) > MOST_PICTURES:
            self._pictures.popitem(last=False)
        return drawn

    # -- those who follow it ------------------------------------------------------------------

    def add(self, watcher: Watcher) -> None:
        self.members.add(watcher)
        if self._line:
            watcher.send(self._line)
        if self._following is None:
            self._following = asyncio.ensure_future(self._follow())

    def discard(self, watcher: Watcher) -> None:
        self.members.discard(watcher)
        if not self.members:
            self._rest()

    def _rest(self) -> None:
        """Nobody follows it any more."""
        if self._following is not None:
            self._following.cancel()
        self._following, self._line = None, b""

    async def _follow(self) -> None:
        while any(watcher.there() for watcher in self.members):
            with contextlib.suppress(Busy, Overdue, Unreadable):
                await self.look(PATIENCE)
            self._tell()
            await asyncio.sleep(max(0.01, self._looking.again - asyncio.get_running_loop().time()))
        self._following, self._line = None, b""

    def _tell(self) -> None:
        """A line for everybody, if anything has changed."""
        line = msgspec.json.encode(
            cup_schema.CupLine(
                cup=self.describe(), standings=self._table.standings, running=self._running,
                last=self._table.last,
            )
        )  # fmt: skip
        if line == self._line:
            return
        self._line = line
        self._tally.encoded += 1
        for watcher in [*self.members]:
            if not watcher.send(line):
                self.members.discard(watcher)

    def close(self) -> None:
        for watcher in self.members:
            watcher.end(STOPPING)
        self.members.clear()
        self._rest()
        for work in (self._looking, self._tabulating, self._reporting):
            work.cancel()


class Cups:
    """All tournaments that are shown."""

    def __init__(self, places: Sequence[Place], workers: Workers, tally: Tally) -> None:
        self.shelf = Shelf(MOST_RECORDS, MOST_BYTES)
        """Records that were looked at lately."""
        self.desks = {place.id: Desk(place, workers, tally, self.shelf) for place in places}

    async def listed(self) -> tuple[cup_schema.Cup, ...]:
        looks = (desk.look(PATIENCE) for desk in self.desks.values())
        for error in await asyncio.gather(*looks, return_exceptions=True):
            if error is not None and not isinstance(error, Busy | Overdue | Unreadable):
                raise error
        return tuple(desk.describe() for desk in self.desks.values())

    async def record(self, name: str) -> tuple[schema.Record, bytes]:
        """The record that is called `cup:ID:GAME`. UnknownName if there is none."""
        _, _, rest = name.partition(":")
        id, _, game = rest.partition(":")
        if id not in self.desks:
            raise UnknownName("there is no such cup")
        return await self.desks[id].record(game)

    def close(self) -> None:
        for desk in self.desks.values():
            desk.close()

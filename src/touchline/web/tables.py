"""All tables of the page: making them, taking seats, tokens, and closing idle tables.

Rules of this file: the number of tables is limited, per address and in all, and idle tables are closed; a
token opens one seat of one table, and the server keeps only its hash.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.errors import BadOptions
from touchline.core.registry import CONDUCTS
from touchline.dialects import DEFAULT
from touchline.dialects.base import Refusal
from touchline.drivers.terms import terms_of
from touchline.records.record_folder import MatchRecord, RecordFolder
from touchline.server.names import problem_with, skeleton
from touchline.server.sign_up import WrongSecret
from touchline.web import schema
from touchline.web.live.feed import now_millis
from touchline.web.live.lobby import LobbyFeed
from touchline.web.live.watchers import Tally
from touchline.web.open_tables import OpenTables
from touchline.web.record_shelf import RecordShelf
from touchline.web.seats import BrowserSeat
from touchline.web.table import Chair, PageTable, digest
from touchline.web.workers import jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Seat
    from touchline.drivers.match import MatchSpec
    from touchline.server.sign_up import Guest
    from touchline.web.open_tables import Ports
    from touchline.web.workers.pool import JobPool

CHECKING = 20.0
"""Timeout for checking whether a table can be made, in seconds."""


class Caps(Struct, frozen=True, kw_only=True):
    """Limits on tables, spectators and idle time."""

    tables: int = 64
    """Tables that are open or running."""
    per_address: int = 16
    spectators: int = 1200
    """Per table, and per cup."""
    finished: int = 200
    open_seconds: float = 1800.0
    """How long a table may wait for players."""
    idle_seconds: float = 3600.0
    """How long a match may go without an event."""
    patience: float = 300.0
    """How long the browser of a seat may be disconnected."""
    set_up: float = 60.0
    """How long players may take to get ready for the match."""


CAPS = Caps()


class LimitReached(Exception):
    """A limit of `Caps` is reached."""


class NotNow(Exception):
    """The table is not in a state that allows this."""


class PageTables:
    """Every table of the page, by its id."""

    def __init__(
        self,
        workers: JobPool,
        caps: Caps = CAPS,
        files: RecordFolder | None = None,
    ) -> None:
        """`files` takes the records, and the tables that wait for players."""
        self.workers, self.caps = workers, caps
        self.files = RecordFolder(None) if files is None else files
        self.kept = OpenTables(self.files.path)
        self.shelf, self.tally = RecordShelf(), Tally()
        self.patience = caps.patience
        self.by_id: dict[str, PageTable] = {}
        self.lobby = LobbyFeed(self._listed, self.tally)
        self._seats: dict[bytes, tuple[PageTable, Seat]] = {}
        self.door: str | None = None
        """The address at which programs take their seats."""
        self.ports: Ports | None = None
        self.stopping = False

    # -- what a table asks (TableHost) --------------------------------------------------------

    def changed(self, table: PageTable) -> None:
        self.lobby.changed(table.id)

    def keep(self, table: PageTable) -> None:
        if table.state == "open" and not table.closed:
            self.kept.write(table.kept())
        else:
            self.kept.remove(table.id)

    # -- queries ------------------------------------------------------------------------------

    def _listed(self, id: str | None = None) -> list[schema.TableSummary]:
        if id is None:
            return [table.describe() for table in reversed(self.by_id.values())]
        return [self.by_id[id].describe()] if id in self.by_id else []

    def listed(self, game: str | None, state: str | None) -> tuple[schema.TableSummary, ...]:
        """The tables of a game and state, the newest first; None is any."""
        tables = (table for table in reversed(self.by_id.values()) if state in (None, table.state))
        return tuple(table.describe() for table in tables if game in (None, table.game.name))

    def seat_of(self, token: str, table: PageTable) -> Seat | None:
        """Return the seat at this table that a token opens; None if it opens none."""
        found = self._seats.get(digest(token))
        return found[1] if found is not None and found[0] is table else None

    def _active(self, address: str | None = None) -> int:
        tables = (table for table in self.by_id.values() if table.state != "finished")
        return sum(address in (None, table.address) for table in tables)

    def status(self) -> schema.ServerStatus:
        states = [table.state for table in self.by_id.values()]
        return schema.ServerStatus(
            open=states.count("open"), running=states.count("running"), finished=states.count("finished"),
            watching=sum(table.watching for table in self.by_id.values()),
            encoded=self.tally.encoded, dropped=self.tally.dropped,
        )  # fmt: skip

    # -- making tables ------------------------------------------------------------------------

    async def make(self, new: schema.NewTable, address: str) -> schema.Seated:
        """Make a table, and begin its match if every seat is taken. BadOptions says what is wrong with it."""
        self._check_room(address)
        conduct = None if new.conduct is None else CONDUCTS[new.conduct]
        players = tuple(
            (seat.player, seat.options) for seat in new.seats if isinstance(seat, schema.SeatForHouse)
        )
        chairs = _chairs(new.seats)
        job = jobs.CheckTable(new.game, new.options, len(new.seats), players)
        options = await self.workers.do(job, dict[str, Any], seconds=CHECKING, urgent=True)
        self._check_room(address)
        game = registry.game(new.game, options)
        spoken = [None if isinstance(seat, schema.SeatForHouse) else DEFAULT for seat in new.seats]
        agreed = terms_of(spoken, conduct=conduct, limits=self._limits(new.clock), paced=True)
        table = PageTable(self, game, agreed.conduct, agreed.limits, chairs, pace=new.pace, address=address)
        tickets = [self._ticket(table, chair) for chair in chairs if chair.kind in ("me", "remote")]
        self.add(table)
        table.begin_if_full()
        return schema.Seated(table.describe(), tuple(tickets))

    def _check_room(self, address: str) -> None:
        if self.stopping:
            raise NotNow("the server is about to stop")
        if self._active() >= self.caps.tables:
            raise LimitReached(f"there are {self.caps.tables} tables already; wait until one has finished")
        if self._active(address) >= self.caps.per_address:
            raise LimitReached(f"you have {self.caps.per_address} tables already; finish one of them first")

    def _limits(self, clock: schema.ClockTerms | None) -> Limits:
        set_up = micros(self.caps.set_up)
        if clock is None:
            return msgspec.structs.replace(UNTIMED, set_up=set_up)
        terms = Clock(micros(clock.seconds), micros(clock.bank), micros(clock.increment))
        return Limits(set_up=set_up, clock=terms)

    def add(self, table: PageTable) -> None:
        """List a table; the oldest finished tables beyond the limit are removed."""
        self.by_id[table.id] = table
        self.changed(table)
        finished = [other for other in self.by_id.values() if other.state == "finished"]
        for old in finished[: max(0, len(finished) - self.caps.finished)]:
            self._forget(old)

    def _forget(self, table: PageTable) -> None:
        self.by_id.pop(table.id, None)
        self.kept.remove(table.id)
        self._seats = {token: seat for token, seat in self._seats.items() if seat[0] is not table}
        self.changed(table)

    def open_seat(self, token: bytes, table: PageTable, seat: Seat) -> None:
        """Let the token with this hash open a seat."""
        self._seats[token] = (table, seat)

    def _ticket(self, table: PageTable, chair: Chair) -> schema.Ticket:
        """Issue the token of a seat, which is sent this once; a browser's seat gets its player."""
        token = chair.give_token()
        assert chair.token is not None
        self.open_seat(chair.token, table, chair.seat)
        kind: Any = chair.kind
        if chair.kind == "remote":
            line = f"TOUCHLINE_KEY={token} touchline join {self.door} --name bot mybot.py"
            return schema.Ticket(chair.seat, kind, token, None if self.door is None else line)
        chair.player = BrowserSeat(table.game, table.touch, self.patience)
        return schema.Ticket(chair.seat, kind, token)

    # -- joining and leaving ------------------------------------------------------------------

    def join(self, table: PageTable, wanted: schema.JoinRequest) -> schema.Seated:
        """Give an open seat to a person."""
        free = [chair for chair in table.chairs if chair.kind == "open" and not chair.taken]
        if wanted.seat is not None:
            free = [chair for chair in free if chair.seat == wanted.seat]
        if not free or table.state != "open" or table.closed:
            raise NotNow("there is no open seat at this table")
        check_name(wanted.name, [chair.name for chair in table.chairs])
        chair = free[0]
        chair.name, chair.taken = wanted.name, True
        ticket = self._ticket(table, chair)
        table.begin_if_full()
        return schema.Seated(table.describe(), (ticket,))

    def leave(self, table: PageTable, seat: Seat) -> None:
        """Resign a seat. Before the match, free it; if it is the maker's, close the table."""
        chair = table.chairs[seat]
        if table.state == "running" and isinstance(chair.player, BrowserSeat):
            chair.player.resign()
        elif table.state == "open" and chair.kind == "open":
            if chair.token is not None:
                self._seats.pop(chair.token, None)
            chair.name, chair.taken, chair.player, chair.token = None, False, None, None
            table.begin_if_full()
        elif table.state == "open":
            self.close(table)
        else:
            raise NotNow("the match is over")

    def close(self, table: PageTable) -> None:
        """Remove a table whose match has not begun."""
        table.break_off("the table was closed")
        self._forget(table)

    # -- programs that come in by a door ------------------------------------------------------

    def welcome(self, guest: Guest) -> None:
        """The host of the door: what a program knows is the token of its seat."""
        table, seat = self._seats.get(digest(guest.key), (None, 0))
        if table is None or table.chairs[seat].kind != "remote":
            raise WrongSecret("no seat has this token: paste the line from the page")
        chair = table.chairs[seat]
        if chair.taken or table.state != "open":
            raise Refusal("somebody sits there already")
        try:
            check_name(guest.name, [other.name for other in table.chairs])
        except BadOptions as error:
            raise Refusal(str(error)) from None
        guest.dialect = guest.spoken(table.game)
        chair.guest, chair.name, chair.taken = guest, guest.name, True
        self.open_seat(digest(guest.token), table, seat)
        guest.wait(lambda: self._guest_left(table, chair, guest))
        table.begin_if_full()

    def _guest_left(self, table: PageTable, chair: Chair, guest: Guest) -> None:
        if chair.guest is guest and table.state == "open":
            chair.guest, chair.name, chair.taken = None, None, False
            self._seats.pop(digest(guest.token), None)
            table.begin_if_full()

    def seated(self, token: str) -> Guest | None:
        """The host of the door: the program whose seat has this token."""
        table, seat = self._seats.get(digest(token), (None, 0))
        return None if table is None else table.chairs[seat].guest

    # -- tables of the server's ports ---------------------------------------------------------

    def adopt(
        self,
        spec: MatchSpec,
        kinds: Sequence[Any],
        record: MatchRecord | None = None,
        missing: Callable[[], tuple[Seat, ...]] = lambda: (),
    ) -> tuple[Callable[[Event], None], ...]:
        """Show a match that is played at the server's ports; return the observers to give to it.

        `missing` returns the seats that have not come back since the server was restarted.
        """
        chairs = [Chair(seat, kinds[seat], name) for seat, name in enumerate(spec.names)]
        table = PageTable(self, spec.game, spec.conduct, spec.limits, chairs)
        table.missing = missing
        observers = table.follow(spec, record or MatchRecord())
        self.add(table)
        return observers

    # -- time ---------------------------------------------------------------------------------

    def tidy(self) -> None:
        """Close idle tables."""
        now = now_millis()
        for table in [*self.by_id.values()]:
            idle = (now - table.touched) / 1000
            if table.state == "open" and idle > self.caps.open_seconds:
                self.close(table)
            elif table.state == "running" and idle > self.caps.idle_seconds:
                table.break_off("nothing happened for too long")

    async def stop(self, grace: float = 0.0) -> None:
        """Make no more tables; give people's matches `grace` seconds to finish, then void all of them."""
        self.stopping = True
        matches = [table for table in self.by_id.values() if table.state == "running" and table.of_people]
        if matches and grace:
            waits = [asyncio.ensure_future(table.over.wait()) for table in matches]
            _, unfinished = await asyncio.wait(waits, timeout=grace)
            for wait in unfinished:
                wait.cancel()
        for table in [*self.by_id.values()]:
            table.break_off("the server was stopped")
            self.keep(table)
        going = [each for table in self.by_id.values() for each in table.leaving()]
        await asyncio.gather(*going, return_exceptions=True)
        self.lobby.close()
        self.kept.close()


def check_name(name: str, others: Sequence[str | None]) -> None:
    """Raise BadOptions if a name is not allowed, or looks like another at the table."""
    why = problem_with(name)
    if why is not None:
        raise BadOptions(why)
    if any(other is not None and skeleton(other) == skeleton(name) for other in others):
        raise BadOptions(f"the name {name} is taken at this table")


def _chairs(seats: Sequence[schema.WantedSeat]) -> list[Chair]:
    """Make the chairs of a new table; house players of the same name are numbered."""
    chairs: list[Chair] = []
    for number, seat in enumerate(seats):
        names = [chair.name for chair in chairs]
        match seat:
            case schema.SeatForMe(name):
                check_name(name, names)
                chairs.append(Chair(number, "me", name))
            case schema.SeatForHouse(player, options):
                chair = Chair(number, "house", _numbered(factory.label(player, options), names))
                chair.house = (player, options)
                chairs.append(chair)
            case schema.SeatForAnyone():
                chairs.append(Chair(number, "open"))
            case schema.SeatForProgram():
                chairs.append(Chair(number, "remote"))
    return chairs


def _numbered(name: str, others: Sequence[str | None]) -> str:
    """Return the name with a number if it is taken.

    >>> _numbered("random", ["random", "random 2"])
    'random 3'
    """
    taken, number, wanted = {skeleton(other) for other in others if other}, 1, name
    while skeleton(wanted) in taken:
        number += 1
        wanted = f"{name} {number}"
    return wanted

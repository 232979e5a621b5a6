"""All tables of the page: making them, taking seats, and closing idle tables.

Rule of this file: the number of tables is limited, per address and in all, and idle tables are closed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from touchline.core import registry
from touchline.records.record_folder import MatchRecord, RecordFolder
from touchline.web import schema
from touchline.web.live.feed import now_millis
from touchline.web.live.lobby import LobbyFeed
from touchline.web.live.watchers import Tally
from touchline.web.record_shelf import RecordShelf
from touchline.web.refusals import LimitReached, NotNow
from touchline.web.tables.chair import Chair
from touchline.web.tables.gone_tables import GoneTables
from touchline.web.tables.kept_table import open_table
from touchline.web.tables.new_table import (
    chairs_of,
    check_name,
    house_seats,
    pace_of,
    seat_house_players,
    terms_for,
)
from touchline.web.tables.open_tables import OpenTables
from touchline.web.tables.people import NextSeat
from touchline.web.tables.seat_tokens import SeatTokens
from touchline.web.tables.seats import BrowserSeat
from touchline.web.tables.table import PageTable
from touchline.web.workers import table_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Seat
    from touchline.drivers.match import MatchSpec
    from touchline.web.tables.open_tables import Ports
    from touchline.web.workers.pool import JobPool

CHECKING = 20.0
"""Timeout for checking whether a table can be made, in seconds."""


class Caps(Struct, frozen=True, kw_only=True):
    """Limits on tables, spectators and idle time."""

    tables: int = 64
    """Tables of the page that are open or running; of the server's ports as many are shown."""
    per_address: int = 16
    seats: int = 64
    """Seats that one address has at unfinished tables."""
    spectators: int = 1200
    """Per table, and per cup."""
    finished: int = 200
    """Finished tables of the page, and as many of the server's ports."""
    open_seconds: float = 1800.0
    """How long a table may wait for players."""
    idle_seconds: float = 3600.0
    """How long a match may go without an event."""
    lingering: float = 1800.0
    """How long people may stay at a table after its match."""
    patience: float = 300.0
    """How long the browser of a seat may be disconnected."""
    set_up: float = 60.0
    """How long players may take to get ready for the match."""


CAPS = Caps()


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
        self.gone = GoneTables(self.files.path if self.kept.keeps else None)
        self.lobby = LobbyFeed(self._listed, self.tally)
        self.tokens = SeatTokens()
        self.door: str | None = None
        """The address at which programs take their seats."""
        self.ports: Ports | None = None
        self.stopping = False

    # -- what a table asks (TableHost) --------------------------------------------------------

    def changed(self, table: PageTable) -> None:
        if table.record is not None and not table.at_ports:
            self.gone.note(table.id, table.record)  # a restarted server has the record, but not the table
        self.lobby.changed(table.id)

    def keep(self, table: PageTable) -> None:
        if table.state == "open" and not table.closed:
            self.kept.write(open_table(table, self.ports))
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

    def _active(self, *, at_ports: bool = False) -> list[PageTable]:
        """The unfinished tables of one door: those of the ports take no room from those of the page."""
        tables = self.by_id.values()
        return [table for table in tables if table.at_ports == at_ports and table.state != "finished"]

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
        terms, players = terms_for(new, self.caps.set_up), house_seats(new)
        self._check_seats(address, sum(isinstance(seat, schema.SeatForMe) for seat in new.seats))
        chairs = chairs_of(new)
        job = table_jobs.CheckTable(new.game, new.options, len(new.seats), players)
        found = await self.workers.do(
            job, table_jobs.CheckedTable, seconds=CHECKING, lane="checks", address=address
        )
        self._check_room(address)
        game = registry.game(new.game, found.options)
        seat_house_players(chairs, found.players)
        table = PageTable(
            self, game, terms.conduct, terms.limits, chairs, pace=pace_of(new), address=address,
            takeback=new.takeback,
        )  # fmt: skip
        tickets = [self._ticket(table, chair, address) for chair in chairs if chair.kind in ("me", "remote")]
        self.add(table)
        table.begin_if_full()
        return schema.Seated(table.describe(), tuple(tickets))

    def play_again(self, table: PageTable, *, swap: bool) -> tuple[str, dict[Seat, NextSeat]]:
        """Make the table of a rematch, and begin its match; swapped, everybody moves on by one seat."""
        self._check_room(table.address)
        count = len(table.chairs)
        places = {chair.seat: (chair.seat + swap) % count for chair in table.chairs}
        chairs = sorted((chair.copied(places[chair.seat]) for chair in table.chairs), key=lambda c: c.seat)
        again = PageTable(
            self, table.game, table.conduct, table.limits, chairs, pace=table.pace, address=table.address,
            takeback=table.takeback,
        )  # fmt: skip
        seats = {}
        for old in table.chairs:
            chair = chairs[places[old.seat]]
            if chair.kind != "house":
                seats[old.seat] = NextSeat(chair, self._ticket(again, chair, old.address).token)
        self.add(again)
        again.begin_if_full()
        return again.id, seats

    def _check_room(self, address: str) -> None:
        if self.stopping:
            raise NotNow("the server is about to stop")
        active = self._active()
        if len(active) >= self.caps.tables:
            raise LimitReached(f"there are {self.caps.tables} tables already; wait until one has finished")
        if sum(table.address == address for table in active) >= self.caps.per_address:
            raise LimitReached(f"you have {self.caps.per_address} tables already; finish one of them first")

    def _check_seats(self, address: str, more: int) -> None:
        chairs = (chair for table in self._active() for chair in table.chairs)
        if sum(chair.address == address for chair in chairs) + more > self.caps.seats:
            raise LimitReached(f"you have {self.caps.seats} seats already; finish a match first")

    def add(self, table: PageTable) -> None:
        """List a table; the oldest finished tables beyond the limit are removed."""
        self.by_id[table.id] = table
        self.changed(table)
        ended = (other for other in self.by_id.values() if other.state == "finished")
        finished = [other for other in ended if other.at_ports == table.at_ports]
        for old in finished[: max(0, len(finished) - self.caps.finished)]:
            self._forget(old)

    def _forget(self, table: PageTable) -> None:
        self.by_id.pop(table.id, None)
        self.kept.remove(table.id)
        self.gone.note(table.id, table.record)
        table.watchers.close()
        self.tokens.forget(table)
        self.changed(table)

    def _ticket(self, table: PageTable, chair: Chair, address: str) -> schema.Ticket:
        """Issue the token of a seat, which is sent this once; a browser's seat gets its player."""
        token = chair.give_token()
        assert chair.token is not None
        self.tokens.add(chair.token, table, chair.seat)
        kind: Any = chair.kind
        if chair.kind == "remote":
            line = f"TOUCHLINE_KEY={token} touchline join {self.door} --name bot mybot.py"
            return schema.Ticket(chair.seat, kind, token, None if self.door is None else line)
        chair.player, chair.address = BrowserSeat(table.game, table.watchers.touch, self.patience), address
        return schema.Ticket(chair.seat, kind, token)

    # -- joining and leaving ------------------------------------------------------------------

    def join(self, table: PageTable, wanted: schema.JoinRequest, address: str) -> schema.Seated:
        """Give an open seat to a person at this address."""
        self._check_seats(address, 1)
        free = [chair for chair in table.chairs if chair.kind == "open" and not chair.taken]
        if wanted.seat is not None:
            free = [chair for chair in free if chair.seat == wanted.seat]
        if not free or table.state != "open" or table.closed:
            raise NotNow("there is no open seat at this table")
        check_name(wanted.name, [chair.name for chair in table.chairs])
        chair = free[0]
        chair.name, chair.taken = wanted.name, True
        ticket = self._ticket(table, chair, address)
        table.begin_if_full()
        return schema.Seated(table.describe(), (ticket,))

    def leave(self, table: PageTable, seat: Seat) -> None:
        """Resign a seat. Before the match, free it; if it is the maker's, close the table."""
        chair = table.chairs[seat]
        if table.state == "running" and isinstance(chair.player, BrowserSeat):
            chair.player.resign()
        elif table.state == "open" and chair.kind == "open":
            self.tokens.remove(chair.token)
            chair.name, chair.taken, chair.player, chair.token, chair.address = None, False, None, None, ""
            table.begin_if_full()
        elif table.state == "open":
            self.close(table)
        elif not table.people.withdraw(seat):
            raise NotNow("the match is over")

    def close(self, table: PageTable) -> None:
        """Remove a table whose match has not begun."""
        table.break_off("the table was closed")
        self._forget(table)

    # -- tables of the server's ports ---------------------------------------------------------

    def adopt(
        self,
        spec: MatchSpec,
        kinds: Sequence[Any],
        record: MatchRecord | None = None,
        missing: Callable[[], tuple[Seat, ...]] = lambda: (),
    ) -> tuple[Callable[[Event], None], ...]:
        """Show a match that is played at the server's ports; return the observers to give to it.

        If the page shows too many of them already, the match is only recorded. `missing` returns the seats
        that have not come back since the server was restarted.
        """
        if len(self._active(at_ports=True)) >= self.caps.tables:
            return () if record is None else tuple(record.observers)
        chairs = [Chair(seat, kinds[seat], name) for seat, name in enumerate(spec.names)]
        table = PageTable(self, spec.game, spec.conduct, spec.limits, chairs)
        table.at_ports, table.missing_at_ports = True, missing
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
            elif table.state == "finished" and idle > self.caps.lingering and table.watchers.feed is not None:
                table.watchers.close()

    async def stop(self, grace: float = 0.0) -> None:
        """Make no more tables, and suspend those that a restarted server will go on with.

        The others' matches of people get `grace` seconds to finish; then they are void.
        """
        self.stopping = True
        suspended = {table for table in self.by_id.values() if self.kept.keeps and table.suspend()}
        rest = [table for table in self.by_id.values() if table not in suspended]
        matches = [table for table in rest if table.state == "running" and table.of_people]
        if matches and grace:
            waits = [asyncio.ensure_future(table.over.wait()) for table in matches]
            _, unfinished = await asyncio.wait(waits, timeout=grace)
            for wait in unfinished:
                wait.cancel()
        for table in rest:
            table.break_off("the server was stopped")
            self.keep(table)
        going = [each for table in self.by_id.values() for each in table.leaving()]
        await asyncio.gather(*going, return_exceptions=True)
        self.lobby.close()
        self.kept.close()

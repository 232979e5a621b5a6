"""The hall: all tables of the page, who has which token, and what the lobby is told.

Laws of this file: nobody has more tables than may be, and none stands idle for ever; a token opens one seat
of one table, and only a hash of it is kept.
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
from touchline.server.names import problem_with, skeleton
from touchline.web import schema
from touchline.web.live.feed import Tally, now_millis
from touchline.web.live.lobby import LobbyFeed
from touchline.web.record_shelf import Shelf
from touchline.web.seats import BrowserSeat
from touchline.web.table import Chair, Table, digest
from touchline.web.workers import jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Seat
    from touchline.drivers.match import MatchSpec
    from touchline.server.sign_up import Guest
    from touchline.web.workers.pool import Workers

CHECKING = 20.0
"""Seconds that it may take to find out whether a table can be made."""


class Caps(Struct, frozen=True, kw_only=True):
    """How much there may be of everything."""

    tables: int = 64
    per_address: int = 16
    spectators: int = 1200
    finished: int = 200
    open_seconds: float = 1800.0
    """How long a table may wait for somebody."""
    idle_seconds: float = 3600.0
    """How long nothing may happen at a table that runs."""
    patience: float = 300.0
    """How long somebody at a browser may be away."""
    set_up: float = 60.0
    """How long they may take to come to the table."""


CAPS = Caps()


class TooMany(Exception):
    """There is no room for another."""


class NotNow(Exception):
    """The table is not in the state for this."""


class Hall:
    """Every table, by its id."""

    def __init__(
        self,
        workers: Workers,
        caps: Caps = CAPS,
        *,
        observers: Callable[[MatchSpec], Sequence[Callable[[Event], None]]] = lambda spec: (),
    ) -> None:
        self.workers, self.caps = workers, caps
        self.shelf, self.tally = Shelf(), Tally()
        self.patience = caps.patience
        self.tables: dict[str, Table] = {}
        self.lobby = LobbyFeed(self._listed, self.tally)
        self._seats: dict[bytes, tuple[Table, Seat]] = {}
        self._observers = observers
        self.door: str | None = None
        """Where programs come in that have the token of a seat."""
        self.stopping = False

    # -- what a table asks --------------------------------------------------------------------

    def changed(self, table: Table) -> None:
        self.lobby.changed(table.id)

    def observers(self, table: Table, spec: MatchSpec) -> Sequence[Callable[[Event], None]]:
        return self._observers(spec)

    # -- looking around -----------------------------------------------------------------------

    def _listed(self, id: str | None = None) -> list[schema.Table]:
        if id is None:
            return [table.describe() for table in reversed(self.tables.values())]
        return [self.tables[id].describe()] if id in self.tables else []

    def listed(self, game: str | None, state: str | None) -> tuple[schema.Table, ...]:
        """The newest first."""
        tables = (table for table in reversed(self.tables.values()) if state in (None, table.state))
        return tuple(table.describe() for table in tables if game in (None, table.game.name))

    def seat_of(self, token: str, table: Table) -> Seat | None:
        """The seat at this table that a token opens."""
        found = self._seats.get(digest(token))
        return found[1] if found is not None and found[0] is table else None

    def _active(self, address: str | None = None) -> int:
        tables = (table for table in self.tables.values() if table.state != "finished")
        return sum(address in (None, table.address) for table in tables)

    def status(self) -> schema.Status:
        states = [table.state for table in self.tables.values()]
        return schema.Status(
            open=states.count("open"), running=states.count("running"), finished=states.count("finished"),
            watching=sum(table.watching for table in self.tables.values()),
            encoded=self.tally.encoded, dropped=self.tally.dropped,
        )  # fmt: skip

    # -- making tables ------------------------------------------------------------------------

    async def make(self, new: schema.NewTable, address: str) -> schema.Seated:
        """Make a table. BadOptions says what is wrong with it."""
        self._check_room(address)
        conduct = None if new.conduct is None else CONDUCTS[new.conduct]
        players = tuple((seat.player, seat.options) for seat in new.seats if isinstance(seat, schema.House))
        chairs = _chairs(new.seats)
        job = jobs.Check(new.game, new.options, len(new.seats), players)
        options = await self.workers.do(job, dict[str, Any], seconds=CHECKING, urgent=True)
        self._check_room(address)
        game = registry.game(new.game, options)
        spoken = [None if isinstance(seat, schema.House) else DEFAULT for seat in new.seats]
        agreed = terms_of(spoken, conduct=conduct, limits=self._limits(new.clock), paced=True)
        table = Table(self, game, agreed.conduct, agreed.limits, chairs, pace=new.pace, address=address)
        tickets = [self._ticket(table, chair) for chair in chairs if chair.kind in ("me", "remote")]
        self.add(table)
        table.begin_if_full()
        return schema.Seated(table.describe(), tuple(tickets))

    def _check_room(self, address: str) -> None:
        if self.stopping:
            raise NotNow("the server is about to stop")
        if self._active() >= self.caps.tables:
            raise TooMany(f"there are {self.caps.tables} tables already; wait until one has finished")
        if self._active(address) >= self.caps.per_address:
            raise TooMany(f"you have {self.caps.per_address} tables already; finish one of them first")

    def _limits(self, clock: schema.ClockTerms | None) -> Limits:
        set_up = micros(self.caps.set_up)
        if clock is None:
            return msgspec.structs.replace(UNTIMED, set_up=set_up)
        terms = Clock(micros(clock.seconds), micros(clock.bank), micros(clock.increment))
        return Limits(set_up=set_up, clock=terms)

    def add(self, table: Table) -> None:
        """A table is listed from now on; the oldest finished one may have to go."""
        self.tables[table.id] = table
        self.changed(table)
        finished = [other for other in self.tables.values() if other.state == "finished"]
        for old in finished[: max(0, len(finished) - self.caps.finished)]:
            self._forget(old)

    def _forget(self, table: Table) -> None:
        self.tables.pop(table.id, None)
        self._seats = {token: seat for token, seat in self._seats.items() if seat[0] is not table}
        self.changed(table)

    def _ticket(self, table: Table, chair: Chair) -> schema.Ticket:
        """The token of a seat, told this once; a browser's seat has its player from now on."""
        token = chair.give_token()
        assert chair.token is not None
        self._seats[chair.token] = (table, chair.seat)
        kind: Any = chair.kind
        if chair.kind == "remote":
            line = f"TOUCHLINE_KEY={token} touchline join {self.door} --name bot mybot.py"
            return schema.Ticket(chair.seat, kind, token, None if self.door is None else line)
        chair.player = BrowserSeat(table.touch, self.patience)
        return schema.Ticket(chair.seat, kind, token)

    # -- coming and going ---------------------------------------------------------------------

    def join(self, table: Table, wanted: schema.Join) -> schema.Seated:
        """Give somebody an open seat."""
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

    def leave(self, table: Table, seat: Seat) -> None:
        """Somebody gives up; before the match the seat is free again, or the table is closed by its maker."""
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

    def close(self, table: Table) -> None:
        """A table that has not begun goes away."""
        table.break_off("the table was closed")
        self._forget(table)

    # -- programs that come in by a door ------------------------------------------------------

    def welcome(self, guest: Guest) -> None:
        """The host of the door: what a program knows is the token of its seat."""
        table, seat = self._seats.get(digest(guest.key), (None, 0))
        if table is None or table.chairs[seat].kind != "remote":
            raise Refusal("no seat has this token: paste the line from the page")
        chair = table.chairs[seat]
        if chair.taken or table.state != "open":
            raise Refusal("somebody sits there already")
        try:
            check_name(guest.name, [other.name for other in table.chairs])
        except BadOptions as error:
            raise Refusal(str(error)) from None
        guest.dialect = guest.spoken(table.game)
        chair.guest, chair.name, chair.taken = guest, guest.name, True
        self._seats[digest(guest.token)] = (table, seat)
        guest.wait(lambda: self._guest_left(table, chair, guest))
        table.begin_if_full()

    def _guest_left(self, table: Table, chair: Chair, guest: Guest) -> None:
        if chair.guest is guest and table.state == "open":
            chair.guest, chair.name, chair.taken = None, None, False
            self._seats.pop(digest(guest.token), None)
            table.begin_if_full()

    def seated(self, token: str) -> Guest | None:
        """The host of the door: the program whose seat has this token."""
        table, seat = self._seats.get(digest(token), (None, 0))
        return None if table is None else table.chairs[seat].guest

    # -- tables of the server's ports ---------------------------------------------------------

    def adopt(self, spec: MatchSpec, kinds: Sequence[Any]) -> Callable[[Event], None]:
        """Show a match that is played at the server's ports; the observer to give it."""
        chairs = [Chair(seat, kinds[seat], name) for seat, name in enumerate(spec.names)]
        table = Table(self, spec.game, spec.conduct, spec.limits, chairs)
        table.follow(spec)
        self.add(table)
        return table.see

    # -- time ---------------------------------------------------------------------------------

    def tidy(self) -> None:
        """Close what nobody plays at."""
        now = now_millis()
        for table in [*self.tables.values()]:
            idle = (now - table.touched) / 1000
            if table.state == "open" and idle > self.caps.open_seconds:
                self.close(table)
            elif table.state == "running" and idle > self.caps.idle_seconds:
                table.break_off("nothing happened for too long")

    async def stop(self, grace: float = 0.0) -> None:
        """Make no table more; matches of people may go on for so many seconds, then all are void."""
        self.stopping = True
        matches = [table for table in self.tables.values() if table.state == "running" and table.of_people]
        if matches and grace:
            waits = [asyncio.ensure_future(table.over.wait()) for table in matches]
            _, unfinished = await asyncio.wait(waits, timeout=grace)
            for wait in unfinished:
                wait.cancel()
        for table in [*self.tables.values()]:
            table.break_off("the server was stopped")
        going = [each for table in self.tables.values() for each in table.leaving()]
        await asyncio.gather(*going, return_exceptions=True)
        self.lobby.close()


def check_name(name: str, others: Sequence[str | None]) -> None:
    """BadOptions if nobody may be called this, or somebody at the table looks the same."""
    why = problem_with(name)
    if why is not None:
        raise BadOptions(why)
    if any(other is not None and skeleton(other) == skeleton(name) for other in others):
        raise BadOptions(f"somebody at this table is called {name} already")


def _chairs(seats: Sequence[schema.WantedSeat]) -> list[Chair]:
    """The chairs of a new table; house players of the same name are numbered."""
    chairs: list[Chair] = []
    for number, seat in enumerate(seats):
        names = [chair.name for chair in chairs]
        match seat:
            case schema.Me(name):
                check_name(name, names)
                chairs.append(Chair(number, "me", name))
            case schema.House(player, options):
                chair = Chair(number, "house", _numbered(factory.label(player, options), names))
                chair.house = (player, options)
                chairs.append(chair)
            case schema.OpenSeat():
                chairs.append(Chair(number, "open"))
            case schema.RemoteSeat():
                chairs.append(Chair(number, "remote"))
    return chairs


def _numbered(name: str, others: Sequence[str | None]) -> str:
    """
    >>> _numbered("random", ["random", "random 2"])
    'random 3'
    """
    taken, number, wanted = {skeleton(other) for other in others if other}, 1, name
    while skeleton(wanted) in taken:
        number += 1
        wanted = f"{name} {number}"
    return wanted

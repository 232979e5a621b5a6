"""A table of the page: seats that fill up, then a match under the referee, then a record.

Rules of this file: a table decides nothing about its match; the match begins when every seat is taken; the
description of a table is public.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from touchline.core.events import Ended, Moved, Skipped
from touchline.drivers import event_loop
from touchline.drivers.match import agreed, opened
from touchline.players.remote import Remote
from touchline.records.record_folder import MatchRecord
from touchline.records.story import LastMover
from touchline.web.live.feed import Feed, now_millis
from touchline.web.live.table_watchers import TableWatchers
from touchline.web.live.watchers import GONE
from touchline.web.refusals import NotNow
from touchline.web.sentences import result_summary, terms_summary
from touchline.web.tables.kept_table import match_secret
from touchline.web.tables.people import People
from touchline.web.tables.seat_status import TableSeats
from touchline.web.tables.seats import HouseSeat, house_seed
from touchline.web.tables.table_summary import summary_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.events import Event
    from touchline.core.rules import Game, Seat
    from touchline.drivers.match import MatchSpec
    from touchline.records.interrupted import Interrupted
    from touchline.records.record_folder import RecordFolder
    from touchline.web import schema
    from touchline.web.live.watchers import Tally
    from touchline.web.record_shelf import RecordShelf
    from touchline.web.tables.chair import Chair
    from touchline.web.tables.open_tables import Ports
    from touchline.web.tables.people import NextSeat
    from touchline.web.workers.pool import JobPool

    Observers: TypeAlias = tuple[Callable[[Event], None], ...]

CLOSED = 4410
"""WebSocket close code: the table was closed before its match began."""
REMOTE_PATIENCE = 30.0
"""Seconds that a program may take to reconnect."""


class TableHost(Protocol):
    """What a table needs from its server."""

    workers: JobPool
    shelf: RecordShelf
    tally: Tally
    patience: float
    files: RecordFolder
    ports: Ports | None
    """The ports of the page and of the door for programs."""

    def changed(self, table: PageTable) -> None:
        """Note that the description of a table has changed."""

    def keep(self, table: PageTable) -> None:
        """Keep a table that waits for players, so that it survives a restart of the server."""

    def play_again(self, table: PageTable, *, swap: bool) -> tuple[str, dict[Seat, NextSeat]]:
        """Make the table of a rematch; return its id, and the next seat of each person by the old one."""


class PageTable:
    """One table, from its first seat to its record."""

    def __init__(
        self,
        host: TableHost,
        game: Game,
        conduct: Conduct,
        limits: Limits,
        chairs: Sequence[Chair],
        *,
        pace: float = 0.0,
        address: str = "",
        takeback: bool = False,
        id: str | None = None,
        made: int | None = None,
    ) -> None:
        """`id` and `made` are those of a table that was there before a restart."""
        self.id = secrets.token_hex(5) if id is None else id
        self.game, self.conduct, self.limits = game, conduct, limits
        self.chairs, self.address = tuple(chairs), address
        kinds = {chair.kind for chair in chairs}
        self.takeback = takeback and not game.hidden and "remote" not in kinds and kinds != {"house"}
        """Whether moves may be taken back, if everybody agrees."""
        self.rematch: str | None = None
        """The id of the table of the rematch."""
        self._host = host
        per_move = limits.clock.per_move
        self.pace = pace if per_move is None else min(pace, per_move / 2e6)  # at most half of the time
        self.made, self.touched = now_millis() if made is None else made, now_millis()
        self.began: int | None = None
        self.ended: int | None = None
        self.closed = False
        self.over = asyncio.Event()
        """Set when the match has ended, or will not be played."""
        self.match: event_loop.AsyncMatch | None = None
        self._events: list[Event] = []
        self._file = MatchRecord()
        self.result: schema.ResultSummary | None = None
        self.record: str | None = None
        """The id of the record, when the match has ended."""
        self._described: tuple[tuple[Any, ...], schema.TableSummary] | None = None
        self.at_ports = False
        """Whether the match is played at the server's ports, and only shown here."""
        self.missing_at_ports: Callable[[], tuple[Seat, ...]] | None = None
        """Returns the seats of such a match that have not come back since the server was restarted."""
        self.people = People(self)
        self.watchers = TableWatchers(self, host.tally)

    # -- public -------------------------------------------------------------------------------

    @property
    def state(self) -> Literal["open", "running", "finished"]:
        return "open" if self.began is None else "running" if self.ended is None else "finished"

    @property
    def of_people(self) -> bool:
        """Whether a person or a program of theirs plays here."""
        return self.match is not None and any(chair.kind != "house" for chair in self.chairs)

    @property
    def recorded(self) -> bool | None:
        """Whether the match is recorded in a file so far without an error; None if it shall not be."""
        return self._file.recorded

    @property
    def watching(self) -> int:
        """The number of spectators."""
        return self.watchers.spectators

    @property
    def turn(self) -> int:
        """The number of turns so far."""
        if self.result is not None:
            return self.result.turns
        return next((event.turn + 1 for event in reversed(self._events) if isinstance(event, Moved)), 0)

    @property
    def moment(self) -> int:
        """The number of events so far: a picture with the same number is current."""
        return 0 if self.watchers.feed is None else len(self.watchers.feed.events)

    def describe(self) -> schema.TableSummary:
        """Return the public description; that of a finished table is made once for each change."""
        if self.ended is None:
            return summary_of(self)
        now = (self.watching, self.record, self.recorded, self.rematch)
        if self._described is None or self._described[0] != now:
            self._described = (now, summary_of(self))
        return self._described[1]

    def changed(self) -> None:
        """Note that the description has changed."""
        self._host.changed(self)

    # -- the match ----------------------------------------------------------------------------

    def begin_if_full(self) -> None:
        """Begin the match if every seat is taken; else tell the waiting watchers what has changed."""
        if self.began is None and not self.closed and all(chair.taken for chair in self.chairs):
            self._begin()
        else:
            self.watchers.show_table()
        self.touched = now_millis()
        self._host.keep(self)
        self.changed()

    def _begin(self) -> None:
        names = [chair.name or "" for chair in self.chairs]
        spoken = tuple(None if chair.guest is None else chair.guest.dialect.name for chair in self.chairs)
        spec = agreed(
            self.game, names, conduct=self.conduct, limits=self.limits,
            dialects=spoken if any(spoken) else (), takeback=self.takeback,
        )  # fmt: skip
        began = now_millis()
        record = self._host.files.begin(match_secret(self, spec, began, self._host.ports))
        observers = self.follow(spec, record, began)
        for chair in self.chairs:
            self._seat_player(chair, house_seed(spec, chair.seat))
        self._set_up(spec, observers).open()
        self.watchers.show_match()

    def resume(self, match: Interrupted, record: MatchRecord, began: int) -> None:
        """Go on with a match that was interrupted; every chair has its player."""
        self._set_up(match.spec, self.follow(match.spec, record, began)).open(match.past)

    def _set_up(self, spec: MatchSpec, observers: Observers) -> event_loop.AsyncMatch:
        """Make the match of the players in the chairs."""
        players = [chair.player for chair in self.chairs if chair.player is not None]
        self.match = event_loop.AsyncMatch(spec, players, observers, lambda result: self._release_guests())
        return self.match

    def follow(self, spec: MatchSpec, record: MatchRecord, began: int | None = None) -> Observers:
        """Start a feed for a match; return the observers to give to the match. The record comes first."""
        self.began, self._file = now_millis() if began is None else began, record
        terms = terms_summary(self.game, spec.conduct, spec.limits, spec.turn_cap)
        feed = self.watchers.feed = Feed(spec, opened(spec), TableSeats(self), terms, self._host.tally)
        return *record.observers, self._see, feed.see

    def house_seat(self, chair: Chair, seed: str) -> HouseSeat:
        """Return the house player of a chair."""
        return HouseSeat(
            self._host.workers, self.game, *chair.house, seed, self.pace, self.address, self.watchers.touch
        )

    def _seat_player(self, chair: Chair, seed: str) -> None:
        """Give a chair its player; a person has one since the seat was taken."""
        if chair.kind == "house":
            chair.player = self.house_seat(chair, seed)
        elif chair.guest is not None:
            chair.player = chair.guest.remote = Remote(
                chair.guest.connection, chair.guest.dialect, patience=REMOTE_PATIENCE
            )
        assert chair.player is not None

    def _see(self, event: Event) -> None:
        """Observe the match: keep its events, and its record when it has ended."""
        self._events.append(event)
        self.touched = now_millis()
        if isinstance(event, Ended | Moved | Skipped):
            self.people.drop_takeback()
        if isinstance(event, Ended):
            self.ended = now_millis()
            names = [chair.name or "" for chair in self.chairs]
            self.result = result_summary(event.result, names, LastMover(self._events).seat)
            self.record = self._host.shelf.keep_table(self._events, self.made, self.id).id
            self.over.set()
        self.changed()

    def _release_guests(self) -> None:
        """Forget the connections of programs: the match is over, and they have been told."""
        for chair in self.chairs:
            chair.guest = None

    def break_off(self, why: str) -> None:
        """End the table early: its match is void, or will not be played."""
        if self.match is not None and self.ended is None:
            self.match.broken(why)
        elif self.began is None:
            self.closed = True
            self.over.set()
            self._dismiss(CLOSED)
        self.watchers.tell_now()

    def _dismiss(self, code: int) -> None:
        """Part with those who wait for the match: watchers, and programs in their seats."""
        self.watchers.part_waiting(code)
        for chair in self.chairs:
            if chair.guest is not None:
                chair.guest.connection.close()

    def suspend(self) -> bool:
        """Stop so that a restarted server goes on from here; return whether it can.

        It goes on with matches of people that are recorded, and with tables that wait for players.
        """
        if all(chair.kind == "house" for chair in self.chairs) or self.ended is not None or self.closed:
            return False
        if self.began is None:
            self._dismiss(GONE)
            return True
        if self.match is None or not self.recorded:
            return False
        self.match.suspend()
        self._file.close()
        return True

    def leaving(self) -> Sequence[Any]:
        """The players that are still closing their connections."""
        return () if self.match is None else self.match.leaving

    # -- what people ask (Voices) -------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.ended is not None

    def last_turn_of(self, seat: Seat) -> int | None:
        return None if self.match is None or not self.takeback else self.match.last_turn_of(seat)

    def take_back(self, seat: Seat, turn: int) -> bool:
        """Go back to before a turn of this seat; house players stop thinking about what is no more."""
        if self.match is None or not self.takeback or not self.match.take_back(seat, turn):
            return False
        for chair in self.chairs:
            if isinstance(chair.player, HouseSeat) and not self.match.awaits(chair.seat):
                chair.player.stop_thinking()
        return True

    def play_again(self, *, swap: bool) -> tuple[str, dict[Seat, NextSeat]]:
        if self.at_ports or any(chair.kind == "remote" for chair in self.chairs):
            raise NotNow("programs play here, and they have left: make a new table")
        made = self._host.play_again(self, swap=swap)
        self.rematch = made[0]
        self.changed()
        return made

    def tell_people(self, line_for: People) -> None:
        self.watchers.send(line_for.line)

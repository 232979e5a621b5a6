"""A table of the page: seats that fill up, then a match under the referee, then a record.

Rules of this file: a table decides nothing about its match; the match begins when every seat is taken; the
description of a table is public.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from touchline.core.events import Ended, Moved, Skipped
from touchline.drivers import event_loop
from touchline.drivers.match import agreed, opened
from touchline.players.remote import Remote
from touchline.records.record_folder import MatchRecord
from touchline.records.scores import scores_of
from touchline.records.side_file import SeatSecret, Secret
from touchline.records.story import LastMover
from touchline.web import schema
from touchline.web.live.feed import Feed, now_millis
from touchline.web.live.watchers import GONE, part
from touchline.web.open_tables import KeptChair, OpenTable
from touchline.web.people import People
from touchline.web.refusals import NotNow
from touchline.web.seats import BrowserSeat, HouseSeat
from touchline.web.sentences import clock_terms, result_summary, terms_summary
from touchline.web.workers import jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.events import Event
    from touchline.core.rules import Game, Seat
    from touchline.drivers.match import MatchSpec
    from touchline.records.interrupted import Interrupted
    from touchline.records.record_folder import RecordFolder
    from touchline.web.chair import Chair
    from touchline.web.live.watchers import Tally, Watcher
    from touchline.web.open_tables import Ports
    from touchline.web.people import NextSeat
    from touchline.web.record_shelf import RecordShelf
    from touchline.web.workers.pool import JobPool

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


def _hex(token: bytes | None) -> str | None:
    return None if token is None else token.hex()


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
        self._events: list[Event] = []
        self.feed: Feed | None = None
        self._match: event_loop.AsyncMatch | None = None
        self._waiting: dict[Watcher, Seat | None] = {}
        self._result: schema.ResultSummary | None = None
        self._described: tuple[tuple[Any, ...], schema.TableSummary] | None = None
        self._record: str | None = None
        self._file = MatchRecord()
        self.missing: Callable[[], tuple[Seat, ...]] = self._missing
        """Returns the seats that have not come back since the server was restarted."""
        self.at_ports = False
        """Whether the match is played at the server's ports, and only shown here."""
        self.closed = False
        self.people = People(self)
        self.over = asyncio.Event()
        """Set when the match has ended, or will not be played."""

    # -- public -------------------------------------------------------------------------------

    @property
    def state(self) -> Literal["open", "running", "finished"]:
        return "open" if self.began is None else "running" if self.ended is None else "finished"

    @property
    def of_people(self) -> bool:
        """Whether a person or a program of theirs plays here."""
        return self._match is not None and any(chair.kind != "house" for chair in self.chairs)

    @property
    def watching(self) -> int:
        waiting = sum(seat is None for seat in self._waiting.values())
        return waiting + (0 if self.feed is None else self.feed.watching)

    def describe(self) -> schema.TableSummary:
        """Return the public description; that of a finished table is made once for each change."""
        if self.ended is None:
            return self._describe()
        now = (self.watching, self._record, self.recorded, self.rematch)
        if self._described is None or self._described[0] != now:
            self._described = (now, self._describe())
        return self._described[1]

    def _describe(self) -> schema.TableSummary:
        # A match of programs that nobody watches is not followed: it would cost as much as its referee.
        shown = self._result is None and (
            self.watching or any(chair.kind in ("me", "open") for chair in self.chairs)
        )
        now = self.feed.caught_up() if shown and self.feed is not None else None
        return schema.TableSummary(
            id=self.id, game=self.game.name, options=msgspec.to_builtins(self.game), state=self.state,
            seats=tuple(chair.describe() for chair in self.chairs), conduct=self.conduct.name,
            clock=clock_terms(self.limits.clock), pace=self.pace, turn=self._turn(),
            to_move=None if now is None else now.to_move,
            scores=None if now is None else scores_of(now.state.view(None)),
            watching=self.watching, made=self.made, began=self.began, ended=self.ended,
            result=self._result, record=self._record, recorded=self.recorded,
            takeback=self.takeback, rematch=self.rematch,
        )  # fmt: skip

    def _turn(self) -> int:
        if self._result is not None:
            return self._result.turns
        return next((event.turn + 1 for event in reversed(self._events) if isinstance(event, Moved)), 0)

    @property
    def moment(self) -> int:
        """The number of events so far: a picture with the same number is current."""
        return 0 if self.feed is None else len(self.feed.events)

    def drawing(self, theme: schema.Theme, kind: schema.TablePicture = "svg") -> jobs.DrawPosition:
        """Return the job that draws the position as spectators see it; before the match, an opening one."""
        position = None
        if self.feed is not None:
            position = msgspec.json.encode(self.feed.caught_up().state.view(None).position())
        return jobs.DrawPosition(
            game=self.game.name, options=msgspec.to_builtins(self.game), seats=len(self.chairs),
            position=position, theme=theme, kind=kind, card=self._card() if kind == "card" else None,
        )  # fmt: skip

    def _card(self) -> jobs.CardText:
        """Return what the card of this table says, which is what everybody may know."""
        seen = self.describe()
        names = tuple(chair.name or "a free seat" for chair in self.chairs)
        if seen.result is not None:
            result = seen.result
            return jobs.CardText(
                headline=result.headline, why=result.why, names=names, scores=result.scores,
                winners=result.winners,
            )  # fmt: skip
        why = "Take a seat!" if self.state == "open" else f"Turn {seen.turn}. Watch it live."
        return jobs.CardText(headline=" – ".join(names), why=why, names=names, scores=seen.scores)

    # -- what the feed asks (SeatStatus) ------------------------------------------------------

    @property
    def recorded(self) -> bool | None:
        return self._file.recorded

    def waking(self) -> tuple[Seat, ...]:
        return tuple(
            chair.seat for chair in self.chairs if isinstance(chair.player, HouseSeat) and chair.player.waking
        )

    def waking_seconds(self, seat: Seat) -> float:
        player = self.chairs[seat].player
        return player.waking_seconds if isinstance(player, HouseSeat) else 0.0

    def away(self) -> tuple[Seat, ...]:
        return tuple(
            chair.seat for chair in self.chairs if isinstance(chair.player, BrowserSeat) and chair.player.away
        )

    def _missing(self) -> tuple[Seat, ...]:
        return tuple(chair.seat for chair in self.chairs if chair.missing)

    def spent(self, seat: Seat) -> int | None:
        player = self.chairs[seat].player
        if player is None or self._match is None:
            return None
        return 0 if player.handed_over is None else max(0, self._match.now() - player.handed_over)

    def question(self, seat: Seat) -> int | None:
        player = self.chairs[seat].player
        asked = player.question if isinstance(player, BrowserSeat) else None
        return None if asked is None else asked.turn

    # -- the match ----------------------------------------------------------------------------

    def begin_if_full(self) -> None:
        """Begin the match if every seat is taken; else tell the waiting watchers what has changed."""
        if self.began is None and not self.closed and all(chair.taken for chair in self.chairs):
            self._begin()
        elif self._waiting:
            self._send_description(*self._waiting)
        self.touched = now_millis()
        self._host.keep(self)
        self._host.changed(self)

    def _begin(self) -> None:
        names = [chair.name or "" for chair in self.chairs]
        spoken = tuple(None if chair.guest is None else chair.guest.dialect.name for chair in self.chairs)
        spec = agreed(
            self.game, names, conduct=self.conduct, limits=self.limits,
            dialects=spoken if any(spoken) else (), takeback=self.takeback,
        )  # fmt: skip
        began = now_millis()
        record = self._host.files.begin(self._secret(spec, began))
        observers = self.follow(spec, record, began)
        players = [self._player(chair, f"{spec.seed} {chair.seat}") for chair in self.chairs]
        self._match = event_loop.AsyncMatch(spec, players, observers, lambda result: self._release_guests())
        self._match.open()
        self._show_waiting()

    def resume(self, match: Interrupted, record: MatchRecord, began: int) -> None:
        """Go on with a match that was interrupted; every chair has its player."""
        observers = self.follow(match.spec, record, began)
        players = [chair.player for chair in self.chairs if chair.player is not None]
        self._match = event_loop.AsyncMatch(
            match.spec, players, observers, lambda result: self._release_guests()
        )
        self._match.open(match.past)

    def _show_waiting(self) -> None:
        """Show the match to those who have waited for it."""
        waiting, self._waiting = self._waiting, {}
        for watcher, seat in waiting.items():
            self.add(watcher, seat)

    def _secret(self, spec: MatchSpec, began: int) -> Secret:
        """Return what is needed to set up this table again after a restart of the server."""
        seats = tuple(
            SeatSecret(
                kind=chair.kind, seed=f"{spec.seed} {chair.seat}", word=chair.house[0] or None,
                token=_hex(chair.token) if chair.guest is None else chair.guest.token_hash,
            )
            for chair in self.chairs
        )  # fmt: skip
        table = {
            "id": self.id,
            "pace": self.pace,
            "made": self.made,
            "began": began,
            "address": self.address,
            "house": [chair.house[1] for chair in self.chairs],
            "tickets": [None if chair.guest is None else _hex(chair.token) for chair in self.chairs],
            "ports": msgspec.to_builtins(self._host.ports),
            "levels": [chair.level for chair in self.chairs],
            "takeback": self.takeback,
        }
        return Secret(origin="page", seed=spec.seed, nonce=spec.nonce, seats=seats, table=table)

    def kept(self) -> OpenTable:
        """Return what is needed to set up this table again before its match has begun."""
        chairs = tuple(
            KeptChair(
                kind=chair.kind, name=None if chair.kind == "remote" else chair.name,
                token=_hex(chair.token), house=chair.house, level=chair.level,
            )
            for chair in self.chairs
        )  # fmt: skip
        return OpenTable(
            id=self.id, game=self.game.name, options=msgspec.to_builtins(self.game), conduct=self.conduct,
            limits=self.limits, chairs=chairs, pace=self.pace, made=self.made, address=self.address,
            ports=self._host.ports, takeback=self.takeback,
        )  # fmt: skip

    def follow(
        self, spec: MatchSpec, record: MatchRecord, began: int | None = None
    ) -> tuple[Callable[[Event], None], ...]:
        """Start a feed for a match; return the observers to give to the match. The record comes first."""
        self.began, self._file = now_millis() if began is None else began, record
        terms = terms_summary(self.game, spec.conduct, spec.limits, spec.turn_cap)
        self.feed = Feed(spec, opened(spec), self, terms, self._host.tally)
        return *record.observers, self._see, self.feed.see

    def _player(self, chair: Chair, seed: str) -> BrowserSeat | HouseSeat | Remote:
        if chair.kind == "house":
            player, options = chair.house
            chair.player = HouseSeat(
                self._host.workers, self.game, player, options, seed, self.pace, self.address, self.touch
            )
        elif chair.guest is not None:
            chair.player = chair.guest.remote = Remote(
                chair.guest.connection, chair.guest.dialect, patience=REMOTE_PATIENCE
            )
        assert chair.player is not None
        return chair.player

    def _see(self, event: Event) -> None:
        """Observe the match: keep its events, and its record when it has ended."""
        self._events.append(event)
        self.touched = now_millis()
        if isinstance(event, Ended | Moved | Skipped):
            self.people.drop_takeback()
        if isinstance(event, Ended):
            self.ended = now_millis()
            names = [chair.name or "" for chair in self.chairs]
            self._result = result_summary(event.result, names, LastMover(self._events).seat)
            self._record = self._host.shelf.keep_table(self._events, self.made, self.id).id
            self.over.set()
        self._host.changed(self)

    def _release_guests(self) -> None:
        """Forget the connections of programs: the match is over, and they have been told."""
        for chair in self.chairs:
            chair.guest = None

    def break_off(self, why: str) -> None:
        """End the table early: its match is void, or will not be played."""
        if self._match is not None and self.ended is None:
            self._match.broken(why)
        elif self.began is None:
            self.closed = True
            self.over.set()
            part(self._waiting, CLOSED)
            self._waiting.clear()
            for chair in self.chairs:
                if chair.guest is not None:
                    chair.guest.connection.close()
        if self.feed is not None:
            self.feed.tell_now()

    def suspend(self) -> bool:
        """Stop so that a restarted server goes on from here; return whether it can.

        It goes on with matches of people that are recorded, and with tables that wait for players.
        """
        if all(chair.kind == "house" for chair in self.chairs) or self.ended is not None or self.closed:
            return False
        if self.began is None:
            part(self._waiting, GONE)
            for chair in self.chairs:
                if chair.guest is not None:
                    chair.guest.connection.close()
            return True
        if self._match is None or not self.recorded:
            return False
        self._match.suspend()
        self._file.close()
        return True

    def leaving(self) -> Sequence[Any]:
        """The players that are still closing their connections."""
        return () if self._match is None else self._match.leaving

    # -- what people ask (Voices) -------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return self.ended is not None

    def last_turn_of(self, seat: Seat) -> int | None:
        return None if self._match is None or not self.takeback else self._match.last_turn_of(seat)

    def take_back(self, seat: Seat, turn: int) -> bool:
        """Go back to before a turn of this seat; house players stop thinking about what is no more."""
        if self._match is None or not self.takeback or not self._match.take_back(seat, turn):
            return False
        for chair in self.chairs:
            if isinstance(chair.player, HouseSeat) and not self._match.awaits(chair.seat):
                chair.player.stop_thinking()
        return True

    def play_again(self, *, swap: bool) -> tuple[str, dict[Seat, NextSeat]]:
        if self.at_ports or any(chair.kind == "remote" for chair in self.chairs):
            raise NotNow("programs play here, and they have left: make a new table")
        made = self._host.play_again(self, swap=swap)
        self.rematch = made[0]
        self._host.changed(self)
        return made

    def tell_people(self, line_for: People) -> None:
        if self.feed is not None:
            self.feed.send(line_for.line)
        for watcher, seat in [*self._waiting.items()]:
            watcher.send(line_for.line(seat))

    # -- watchers -----------------------------------------------------------------------------

    def add(self, watcher: Watcher, seat: Seat | None) -> None:
        """Attach a watcher, as a spectator or with the view of a seat."""
        if self.feed is None:
            self._waiting[watcher] = seat
            self._send_description(watcher)
            self._greet(watcher, seat)
            return
        self.feed.audience(seat).add(watcher)
        self._greet(watcher, seat)
        self._host.changed(self)

    def _greet(self, watcher: Watcher, seat: Seat | None) -> None:
        """Tell a newcomer what its snapshot does not say, and the others of one more spectator."""
        if self.people.has_news:
            watcher.send(self.people.line(seat))
        if seat is None:
            self.people.count()
        else:
            self.people.came(seat)

    def close_feed(self) -> None:
        """Part with everybody: nothing more will happen here."""
        self.people.close()
        if self.feed is not None:
            self.feed.close()

    def _send_description(self, *watchers: Watcher) -> None:
        """Tell watchers that wait for the match how the table stands."""
        line = msgspec.json.encode(schema.TableLine(self.describe()))
        self._host.tally.encoded += 1
        for watcher in watchers:
            if not watcher.send(line):
                self._waiting.pop(watcher, None)

    def discard(self, watcher: Watcher, seat: Seat | None) -> None:
        self._waiting.pop(watcher, None)
        if self.feed is not None:
            self.feed.audience(seat).discard(watcher)
        if seat is None:
            self.people.count()
        elif self.chairs[seat].watcher in (None, watcher):
            self.people.left(seat)
        self._host.changed(self)

    def touch(self) -> None:
        """Refresh the feed: a seat's question or its presence has changed."""
        if self.feed is not None:
            self.feed.touch()

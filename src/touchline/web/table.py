"""A table of the page: seats that fill, then a match by the one referee, then a record.

Laws of this file: it decides nothing about the match; it begins when every seat is taken; what it tells of
itself anybody may know.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from touchline.core.events import Ended, Moved
from touchline.draw.svg import THEMES, picture, svg
from touchline.drivers import event_loop
from touchline.drivers.match import agreed, opened
from touchline.players.remote import Remote
from touchline.web import schema
from touchline.web.live.feed import Feed, now_millis
from touchline.web.seats import BrowserSeat, HouseSeat
from touchline.web.sentences import clock_terms, told_result, told_terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.events import Event
    from touchline.core.rules import Game, Seat
    from touchline.drivers.match import MatchSpec
    from touchline.server.sign_up import Guest
    from touchline.web.live.feed import Audience, Tally
    from touchline.web.live.watchers import Watcher
    from touchline.web.record_shelf import Shelf
    from touchline.web.workers.pool import Workers

Kind = Literal["me", "open", "house", "remote"]
OVER, CLOSED = 1000, 4410
REMOTE_PATIENCE = 30.0


class House(Protocol):
    """What a table needs of the place where it stands."""

    workers: Workers
    shelf: Shelf
    tally: Tally
    patience: float

    def changed(self, table: Table) -> None:
        """It is not what it was."""

    def observers(self, table: Table, spec: MatchSpec) -> Sequence[Callable[[Event], None]]:
        """Who else sees the events."""


def digest(token: str) -> bytes:
    """What is kept of a token: to look it up takes as long whatever it is."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


class Chair:
    """A seat, and who sits in it."""

    def __init__(self, seat: Seat, kind: Kind, name: str | None = None) -> None:
        self.seat, self.kind, self.name = seat, kind, name
        self.taken = name is not None
        self.token: bytes | None = None
        """The digest of the token that has this seat."""
        self.player: BrowserSeat | HouseSeat | Remote | None = None
        self.guest: Guest | None = None
        self.watcher: Watcher | None = None
        """Who reads at this seat."""
        self.house: tuple[str, dict[str, Any]] = ("", {})

    def describe(self) -> schema.SeatInfo:
        return schema.SeatInfo(self.seat, self.kind, self.name, self.taken)

    def give_token(self) -> str:
        token = secrets.token_hex(16)
        self.token = digest(token)
        return token


class Table:
    """One table."""

    def __init__(
        self,
        place: House,
        game: Game,
        conduct: Conduct,
        limits: Limits,
        chairs: Sequence[Chair],
        *,
        pace: float = 0.0,
        address: str = "",
    ) -> None:
        self.id = secrets.token_hex(5)
        self.game, self.conduct, self.limits = game, conduct, limits
        self.chairs, self.address = tuple(chairs), address
        self._place = place
        half = limits.clock.per_move
        self.pace = pace if half is None else min(pace, half / 2e6)
        self.made, self.touched = now_millis(), now_millis()
        self.began: int | None = None
        self.ended: int | None = None
        self._events: list[Event] = []
        self.feed: Feed | None = None
        self._match: event_loop.AsyncMatch | None = None
        self._waiting: dict[Watcher, Seat | None] = {}
        self._result: schema.Result | None = None
        self._record: str | None = None
        self.closed = False
        self.over = asyncio.Event()
        """Set when the match has ended or never will be."""

    # -- what everybody may know --------------------------------------------------------------

    @property
    def state(self) -> Literal["open", "running", "finished"]:
        return "open" if self.began is None else "running" if self.ended is None else "finished"

    @property
    def of_people(self) -> bool:
        """Whether anybody plays here that is not of the house."""
        return self._match is not None and any(chair.kind != "house" for chair in self.chairs)

    @property
    def watching(self) -> int:
        waiting = sum(seat is None for seat in self._waiting.values())
        return waiting + (0 if self.feed is None else self.feed.watching)

    def describe(self) -> schema.Table:
        return schema.Table(
            id=self.id, game=self.game.name, options=msgspec.to_builtins(self.game), state=self.state,
            seats=tuple(chair.describe() for chair in self.chairs), conduct=self.conduct.name,
            clock=clock_terms(self.limits.clock), pace=self.pace, turn=self._turn(),
            watching=self.watching, made=self.made, began=self.began, ended=self.ended,
            result=self._result, record=self._record,
        )  # fmt: skip

    def _turn(self) -> int:
        if self._result is not None:
            return self._result.turns
        return next((event.turn + 1 for event in reversed(self._events) if isinstance(event, Moved)), 0)

    def svg(self, theme: str) -> str:
        """The position as spectators see it, or as it will be at the beginning."""
        if self.feed is not None:
            state = self.feed.caught_up().state
        else:
            state = opened(agreed(self.game, [""] * len(self.chairs), 0))
        return svg(picture(state.view(None).sketch(), THEMES[theme]), self.game.name)

    # -- what the feed asks -------------------------------------------------------------------

    def away(self) -> tuple[Seat, ...]:
        return tuple(
            chair.seat for chair in self.chairs if isinstance(chair.player, BrowserSeat) and chair.player.away
        )

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
        """Begin when every seat is taken; tell those who wait what has changed."""
        if self.began is None and not self.closed and all(chair.taken for chair in self.chairs):
            self._begin()
        elif self._waiting:
            line = msgspec.json.encode(schema.TableLine(self.describe()))
            self._place.tally.encoded += 1
            for watcher in [*self._waiting]:
                if not watcher.send(line):
                    self._waiting.pop(watcher, None)
        self.touched = now_millis()
        self._place.changed(self)

    def _begin(self) -> None:
        names = [chair.name or "" for chair in self.chairs]
        spec = agreed(self.game, names, conduct=self.conduct, limits=self.limits)
        self.follow(spec)
        players = [self._player(chair, f"{spec.seed} {chair.seat}") for chair in self.chairs]
        observers = [self.see, *self._place.observers(self, spec)]
        self._match = event_loop.AsyncMatch(spec, players, observers, lambda result: self._part())
        self._match.open()
        waiting, self._waiting = self._waiting, {}
        for watcher, seat in waiting.items():
            self.add(watcher, seat)

    def follow(self, spec: MatchSpec) -> None:
        """A match begins here: have a feed for it."""
        self.began = now_millis()
        terms = told_terms(self.game, spec.conduct, spec.limits, spec.turn_cap)
        self.feed = Feed(spec, opened(spec), self, terms, self._place.tally)
        self.feed.on_over = self._over

    def _player(self, chair: Chair, seed: str) -> BrowserSeat | HouseSeat | Remote:
        if chair.kind == "house":
            player, options = chair.house
            chair.player = HouseSeat(self._place.workers, self.game, player, options, seed, self.pace)
        elif chair.guest is not None:
            chair.player = chair.guest.remote = Remote(
                chair.guest.connection, chair.guest.dialect, patience=REMOTE_PATIENCE
            )
        assert chair.player is not None
        return chair.player

    def see(self, event: Event) -> None:
        """The observer of the match."""
        self._events.append(event)
        self.touched = now_millis()
        if isinstance(event, Ended):
            self.ended = now_millis()
            self._result = told_result(event.result, [chair.name or "" for chair in self.chairs])
            self._record = self._place.shelf.keep_table(self._events, self.made, self.id).id
            self.over.set()
        if self.feed is not None:
            self.feed.see(event)
        self._place.changed(self)

    def _part(self) -> None:
        """The match is over, and everybody has been told."""
        for chair in self.chairs:
            chair.guest = None

    def break_off(self, why: str) -> None:
        """End it: void if it has begun, gone if it has not."""
        if self._match is not None and self.ended is None:
            self._match.broken(why)
        elif self.began is None:
            self.closed = True
            self.over.set()
            for watcher in self._waiting:
                watcher.end(CLOSED)
            self._waiting.clear()
            for chair in self.chairs:
                if chair.guest is not None:
                    chair.guest.connection.close()
        if self.feed is not None:
            self.feed.flush()

    def leaving(self) -> Sequence[Any]:
        """Players that have not gone yet."""
        return () if self._match is None else self._match.leaving

    # -- those who watch ----------------------------------------------------------------------

    def add(self, watcher: Watcher, seat: Seat | None) -> None:
        """Somebody watches, as a spectator or from a seat."""
        if self.feed is None:
            self._waiting[watcher] = seat
            self._place.tally.encoded += 1
            watcher.send(msgspec.json.encode(schema.TableLine(self.describe())))
            return
        audience = self.feed.audience(seat)
        if self.ended is not None:
            audience.flush()  # those who are there hear the end first
        audience.add(watcher)
        if self.ended is not None:
            self._over(audience)
        self._place.changed(self)

    def discard(self, watcher: Watcher, seat: Seat | None) -> None:
        self._waiting.pop(watcher, None)
        if self.feed is not None:
            self.feed.audience(seat).discard(watcher)
        self._place.changed(self)

    def _over(self, audience: Audience) -> None:
        """They have heard everything."""
        for watcher in [*audience.members]:
            watcher.end(OVER)
        audience.members.clear()

    def touch(self) -> None:
        """What a seat is asked has changed, or whether anybody is there."""
        if self.feed is not None:
            self.feed.touch()

"""The live feed of one table: what happens, as each audience may see it, line by line.

Laws of this file: every line is put into words once for everybody in an audience, and not at all where nobody
is in it; the table is never waited for and never waits: lines are made at the end of a round of the loop, for
spectators at most ten times a second, and a crowd is written to some at a time, in between of which the match
goes on; an audience is shown its view of the state and nothing else.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.core import events
from touchline.web import schema
from touchline.web.live.progress import Progress, changed, keys_of, scores_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.events import Event
    from touchline.core.rules import Seat, State
    from touchline.core.sketch import Key, Sketch
    from touchline.drivers.match import MatchSpec
    from touchline.web.live.watchers import Watcher

PICTURE = 0.1
"""Seconds between two pictures for spectators."""
AT_ONCE = 50
"""Readers that are written to in one round of the loop: a thousand would hold up everybody for 50 ms."""
LOGGED = 200
"""So many events a newcomer is told."""
_encode = msgspec.json.Encoder().encode


class Tally(Struct):
    """What the page has done for watchers."""

    encoded: int = 0
    dropped: int = 0


class Seats(Protocol):
    """What a feed wants to know about the seats, besides the events."""

    def describe(self) -> schema.Table:
        """The table, for all to see."""

    def away(self) -> tuple[Seat, ...]:
        """Browsers' seats that have no connection."""

    def spent(self, seat: Seat) -> int | None:
        """Microseconds that this seat has been thinking; None if that is not known."""

    def question(self, seat: Seat) -> int | None:
        """The turn in which a browser's seat is asked to move now; None if it is not."""


def now_millis() -> int:
    return time.time_ns() // 1_000_000


class Audience:
    """Those who see the same: the spectators, or whoever sits in one seat."""

    def __init__(self, feed: Feed, seat: Seat | None) -> None:
        self._feed, self._seat = feed, seat
        self.members: set[Watcher] = set()
        self._seq = 0
        self._told = 0
        """Events that have been told."""
        self._shown: tuple[State, Sketch] | None = None
        self._last: schema.LastMove | None = None
        self._due: asyncio.Handle | None = None
        self._shown_at = -PICTURE
        self._spots: msgspec.Raw | None = None
        self._letters: deque[tuple[Watcher, bytes]] = deque()
        """What is to be written to whom, in this order."""
        self._posting: asyncio.Handle | None = None

    # -- who is there -------------------------------------------------------------------------

    def add(self, watcher: Watcher) -> None:
        """Somebody comes, and is told everything."""
        if not self.members:  # nobody has been told what happened since they left
            self._told, self._spots = len(self._feed.events), None
            self._show(self._feed.caught_up())
        self.members.add(watcher)
        watcher.send(self._snapshot())

    def discard(self, watcher: Watcher) -> None:
        self.members.discard(watcher)

    def _show(self, progress: Progress) -> Sketch:
        """Look at the state as this audience may; the drawing, which is kept."""
        view = progress.state.view(self._seat)
        if self._shown is not None and self._shown[0] is progress.state:
            return self._shown[1]
        sketch = view.sketch()
        self._last = self._last_move(progress, self._shown)
        self._shown = (progress.state, sketch)
        return sketch

    def _last_move(self, progress: Progress, shown: tuple[State, Sketch] | None) -> schema.LastMove | None:
        """The last move with its spots, which are those of the drawing before it."""
        last, before = progress.last, progress.before
        if last is None or before is None:
            return None
        view = before.view(self._seat)
        sketch = shown[1] if shown is not None and shown[0] is before else view.sketch()
        keys: tuple[Key, ...] | None = keys_of(view, sketch, last.move)
        return schema.LastMove(self._feed.number_of(last), last.turn, last.seat, keys)

    # -- lines --------------------------------------------------------------------------------

    def touch(self) -> None:
        """Something has happened: have a line made, soon but not too often."""
        if self._due is not None or not self.members:
            return
        loop = asyncio.get_running_loop()
        at = 0.0 if self._seat is not None else self._shown_at + PICTURE
        soon = at <= loop.time()
        self._due = loop.call_soon(self._tell) if soon else loop.call_at(at, self._tell)

    def _tell(self) -> None:
        """Make a line of everything since the last one, and send it to all."""
        self._due = None
        if not self.members:
            return
        self._shown_at = asyncio.get_running_loop().time()
        progress, old = self._feed.caught_up(), self._shown
        sketch = self._show(progress)
        whole, spots = changed(None if old is None else old[1], sketch)
        told = self._feed.told(self._told, self._last)
        self._told = len(self._feed.events)
        self._seq += 1
        if spots:
            self._spots = None
        line = schema.Update(
            seq=self._seq, at=now_millis(), whole=whole, spots=spots, notes=sketch.notes,
            events=told, now=self._now(progress, sketch),
        )  # fmt: skip
        self._send(_encode(line))
        if progress.result is not None:
            self._post(len(self._letters))
            self._feed.over(self)

    def flush(self) -> None:
        """Tell now what would be told soon."""
        if self._due is not None:
            self._due.cancel()
            self._tell()
        self._post(len(self._letters))

    def _send(self, line: bytes) -> None:
        self._feed.tally.encoded += 1
        framed: dict[type[Watcher], bytes] = {}
        for watcher in self.members:
            kind = type(watcher)
            if kind not in framed:
                framed[kind] = kind.framed(line)
            self._letters.append((watcher, framed[kind]))
        if self._posting is None:
            self._post(AT_ONCE)

    def _post(self, count: int) -> None:
        """Write to so many; to the others in the next round of the loop."""
        for _ in range(min(count, len(self._letters))):
            watcher, framed = self._letters.popleft()
            if watcher in self.members and not watcher.push(framed):
                self.members.discard(watcher)
        if self._posting is not None:
            self._posting.cancel()
        again = bool(self._letters)
        self._posting = asyncio.get_running_loop().call_soon(self._post, AT_ONCE) if again else None

    def _snapshot(self) -> bytes:
        progress = self._feed.caught_up()
        assert self._shown is not None
        sketch = self._shown[1]
        if self._spots is None:
            self._spots = msgspec.Raw(_encode(sketch.spots))
        self._feed.tally.encoded += 1
        spots: Any = self._spots
        return _encode(
            schema.Snapshot(
                seq=self._seq, at=now_millis(), seat=self._seat, table=self._feed.seats.describe(),
                terms=self._feed.terms, spots=spots, notes=sketch.notes,
                log=self._feed.told(max(0, self._told - LOGGED), self._last, self._told),
                now=self._now(progress, sketch),
            )
        )  # fmt: skip

    def _now(self, progress: Progress, sketch: Sketch) -> schema.Now:
        seats, to_move = self._feed.seats, progress.to_move
        spent = None if to_move is None else seats.spent(to_move)
        return schema.Now(
            turn=progress.turn,
            to_move=to_move,
            thinking=progress.thinking,
            clocks=progress.clocks(self._feed.spent() if spent is None else spent),
            scores=scores_of(progress.state.view(self._seat)),
            doing=progress.doing(seats.away()),
            last=self._last,
            you=self._you(progress, sketch),
            result=progress.result,
            record=None if progress.result is None else seats.describe().record,
        )

    def _you(self, progress: Progress, sketch: Sketch) -> schema.You | None:
        if self._seat is None:
            return None
        turn = self._feed.seats.question(self._seat)
        asked = turn is not None and progress.to_move == self._seat and turn == progress.turn
        return schema.You(asked, progress.turn if turn is None else turn, sketch.moves if asked else ())


class Feed:
    """An observer of one match, and those who watch it."""

    def __init__(
        self,
        spec: MatchSpec,
        state: State,
        seats: Seats,
        terms: schema.Terms,
        tally: Tally,
    ) -> None:
        self.seats, self.terms, self.tally = seats, terms, tally
        self.events: list[Event] = []
        self._progress = Progress(state, spec.names, spec.limits)
        self._followed = 0
        self._since = 0.0
        self._audiences: dict[Seat | None, Audience] = {}
        self.on_over: Callable[[Audience], None] = lambda audience: None
        """Told when an audience has heard the end."""

    def audience(self, seat: Seat | None) -> Audience:
        if seat not in self._audiences:
            self._audiences[seat] = Audience(self, seat)
        return self._audiences[seat]

    @property
    def watching(self) -> int:
        spectators = self._audiences.get(None)
        return 0 if spectators is None else len(spectators.members)

    # -- what the match tells -----------------------------------------------------------------

    def see(self, event: Event) -> None:
        """The observer: keep the event, and have those told who watch.

        That somebody has reached its goal and heard of the next is nobody else's business.
        """
        if isinstance(event, events.SentOn):
            return
        self.events.append(event)
        self._since = asyncio.get_running_loop().time()
        self.touch()

    def touch(self) -> None:
        """Something has changed that watchers may want to know."""
        for audience in self._audiences.values():
            if audience.members:
                audience.touch()

    def flush(self) -> None:
        for audience in self._audiences.values():
            audience.flush()

    def over(self, audience: Audience) -> None:
        self.on_over(audience)

    # -- what audiences ask -------------------------------------------------------------------

    def caught_up(self) -> Progress:
        """Where the match stands. Nobody follows it while nobody asks."""
        for event in self.events[self._followed :]:
            self._progress.follow(event)
        self._followed = len(self.events)
        return self._progress

    def spent(self) -> int:
        """Microseconds since the last event."""
        return round((asyncio.get_running_loop().time() - self._since) * 1e6)

    def number_of(self, move: events.Moved) -> int:
        """The number of the last move, counted as everybody does."""
        return next(at for at in range(len(self.events) - 1, -1, -1) if self.events[at] is move)

    def told(
        self, first: int, last: schema.LastMove | None, until: int | None = None
    ) -> tuple[schema.Event, ...]:
        """These events in words; of several moves the last has its spots."""
        lines = []
        for n, event in enumerate(self.events[first:until], first):
            line = self._progress.teller.tell(n, event)
            if last is not None and n == last.n:
                line = replace(line, keys=last.keys)
            lines.append(line)
        return tuple(lines)

"""The live feed of one table: its events and drawings, line by line, as each audience may see them.

Rules of this file: a line is encoded once for everybody in an audience, and not at all for an empty one; the
match is never delayed: lines are made after the event that caused them, in a later event-loop callback, for
spectators at most ten times a second; an audience is shown its view of the state and nothing else.
"""

from __future__ import annotations

import asyncio
import math
import time
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec.structs import replace

from touchline.core import events
from touchline.records.positions import changed_spots, keys_of
from touchline.records.scores import scores_of
from touchline.web import schema
from touchline.web.live.progress import Progress
from touchline.web.live.watchers import Broadcast, part

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.events import Event
    from touchline.core.rules import Seat, State
    from touchline.core.sketch import Key, Sketch
    from touchline.drivers.match import MatchSpec
    from touchline.web.live.watchers import Tally, Watcher

SHARE = 0.05
"""The share of the event loop's time that drawing for all audiences may take; the rest is for matches."""
LARGE = 300
"""Spots of a board of which a drawing costs the loop more than about ten milliseconds."""
CHEAP = 0.003
"""Seconds of the loop for a line that a seat is sent at once in any case: about the cost of its turn."""
LONGEST_PAUSE, LONGEST_SEAT_PAUSE = 20.0, 1.0
"""Seconds between two lines at most, however large the board is: who plays waits less than who watches."""
PICTURE = 0.1
"""Seconds between two lines for spectators."""
LOGGED = 200
"""Events in a snapshot, the latest."""
OVER = 1000
"""WebSocket close code when the table is no longer kept, some time after the end of its match."""
_encode = msgspec.json.Encoder().encode


class SeatStatus(Protocol):
    """What a feed asks about the seats besides the events."""

    @property
    def recorded(self) -> bool | None:
        """Whether the match is recorded in a file so far without an error; None if it shall not be."""

    def describe(self) -> schema.TableSummary:
        """The public description of the table."""

    def away(self) -> tuple[Seat, ...]:
        """The browsers' seats that have no connection."""

    def waking(self) -> tuple[Seat, ...]:
        """The house players' seats whose kernels are being compiled."""

    def waking_seconds(self, seat: Seat) -> float:
        """The seconds until such a seat can think, as far as that is known; 0 if it is not."""

    def missing(self) -> tuple[Seat, ...]:
        """The seats for which the match waits since a restart of the server."""

    def spent(self, seat: Seat) -> int | None:
        """Microseconds that this seat has been thinking; None if that is not known."""

    def question(self, seat: Seat) -> int | None:
        """The turn in which a browser's seat is asked to move now; None if it is not."""


def now_millis() -> int:
    """The wall-clock time in milliseconds."""
    return time.time_ns() // 1_000_000


class Audience(Broadcast):
    """Watchers with the same view: the spectators, or the browser of one seat."""

    def __init__(self, feed: Feed, seat: Seat | None) -> None:
        super().__init__(feed.tally)
        self._feed, self._seat = feed, seat
        self._seq = 0
        self._told = 0
        """The number of events that were sent."""
        self._shown: tuple[State, Sketch] | None = None
        self._last: schema.LastMove | None = None
        self._due: asyncio.Handle | None = None
        self._shown_at, self._pause = -PICTURE, 0.0
        """When the last line was sent, and how long to wait for the next."""
        self._cost = math.inf
        """Seconds of the event loop that the last line took."""
        self._is_counted = False
        self._spots: msgspec.Raw | None = None
        """The encoded spots of the drawing, shared by snapshots."""

    def add(self, watcher: Watcher) -> None:
        """Send a snapshot to a newcomer, who gets every line from now on."""
        if self._feed.over:
            self.tell_now()  # the others hear the end first
        if not self.members and not self._may_be_stale:  # nobody was sent what happened meanwhile
            self._told, self._spots = len(self._feed.events), None
            self._show(self._feed.caught_up())
        self.members.add(watcher)
        self._count()
        watcher.send(self._snapshot())
        if self._told < len(self._feed.events):
            self.touch()
        if self._feed.over:
            self.part_at_end()

    def part_at_end(self) -> None:
        """Part with those who do not wait for a rematch; with everybody if the feed is closed."""
        if self._feed.closed or not any(watcher.lingers for watcher in self.members):
            self.end(OVER)
            return
        self.flush()
        part([watcher for watcher in self.members if not watcher.lingers], OVER)
        self._count()

    @property
    def _may_be_stale(self) -> bool:
        """Whether a newcomer is shown the last drawing first, since a new one of a large board costs much."""
        return self._shown is not None and len(self._shown[1].spots) > LARGE and not self._feed.over

    def _show(self, progress: Progress) -> Sketch:
        """Draw this audience's view of the state. The drawing is cached."""
        view = progress.state.view(self._seat)
        if self._shown is not None and self._shown[0] is progress.state:
            return self._shown[1]
        sketch = view.sketch()
        self._last = self._last_move(progress, self._shown, len(sketch.spots) > LARGE)
        self._shown = (progress.state, sketch)
        return sketch

    def _last_move(
        self, progress: Progress, shown: tuple[State, Sketch] | None, is_large: bool
    ) -> schema.LastMove | None:
        """The last move, with its spots in the drawing before it; for spectators of a large board without."""
        last, before = progress.last, progress.before
        if last is None or before is None:
            return None
        keys: tuple[Key, ...] | None = None
        if self._seat is not None or not is_large:
            view = before.view(self._seat)
            sketch = shown[1] if shown is not None and shown[0] is before else view.sketch()
            keys = keys_of(view, sketch, last.move)
        return schema.LastMove(self._feed.number_of(last), last.turn, last.seat, keys)

    def discard(self, watcher: Watcher) -> None:
        super().discard(watcher)
        self._count()

    def end(self, code: int) -> None:
        super().end(code)
        self._count()

    def _count(self) -> None:
        """Count this audience among those that have watchers and a match to show."""
        if (bool(self.members) and not self._feed.over) != self._is_counted:
            self._is_counted = not self._is_counted
            self.tally.audiences += 1 if self._is_counted else -1

    # -- lines --------------------------------------------------------------------------------

    def touch(self) -> None:
        """Schedule a line: at once for a seat that has none lately, throttled for spectators.

        The more a line costs, and the more audiences there are, the longer is the pause between two.
        """
        if self._due is not None or not self.members:
            return
        loop = asyncio.get_running_loop()
        at = self._shown_at + max(self._pause, 0.0 if self._seat is not None else PICTURE)
        soon = at <= loop.time()
        self._due = loop.call_soon(self._tell) if soon else loop.call_at(at, self._tell)

    def tell_now(self) -> None:
        """Send the scheduled line now."""
        if self._due is not None:
            self._due.cancel()
            self._tell()
        self.flush()

    def _tell(self) -> None:
        """Send one line with everything that happened since the last."""
        self._due = None
        if not self.members:
            return
        self._shown_at, start = asyncio.get_running_loop().time(), time.thread_time()
        self._send_line()
        last, self._cost = self._cost, time.thread_time() - start
        cost = min(last, self._cost)  # garbage that is collected during one line says nothing about the next
        self._pause = min(LONGEST_PAUSE, cost * self.tally.audiences / SHARE)
        if self._seat is not None:
            self._pause = 0.0 if cost < CHEAP else min(LONGEST_SEAT_PAUSE, self._pause)

    def _send_line(self) -> None:
        progress, old = self._feed.caught_up(), self._shown
        sketch = self._show(progress)
        whole, spots = changed_spots(None if old is None else old[1], sketch)
        told = self._feed.told(self._told, self._last)
        if any(event.kind == "taken_back" for event in told):
            whole, spots = True, sketch.spots
        self._told = len(self._feed.events)
        self._seq += 1
        if spots:
            self._spots = None
        line = schema.TableUpdate(
            seq=self._seq, at=now_millis(), whole=whole, spots=spots, notes=sketch.notes,
            events=told, now=self._now(progress, sketch),
        )  # fmt: skip
        self.send(_encode(line))
        if progress.result is not None:
            self.part_at_end()

    def _snapshot(self) -> bytes:
        progress = self._feed.caught_up()
        assert self._shown is not None
        sketch = self._shown[1]
        if self._spots is None:
            self._spots = msgspec.Raw(_encode(sketch.spots))
        self.tally.encoded += 1
        spots: Any = self._spots
        return _encode(
            schema.TableSnapshot(
                seq=self._seq, at=now_millis(), seat=self._seat, table=self._feed.seats.describe(),
                terms=self._feed.terms, backdrop=sketch.backdrop, spots=spots, notes=sketch.notes,
                log=self._feed.told(max(0, self._told - LOGGED), self._last, self._told),
                now=self._now(progress, sketch),
            )
        )  # fmt: skip

    def _now(self, progress: Progress, sketch: Sketch) -> schema.MatchNow:
        seats, to_move = self._feed.seats, progress.to_move
        missing = () if progress.result is not None else seats.missing()
        spent = None if to_move is None else seats.spent(to_move)
        waking = seats.waking()
        return schema.MatchNow(
            turn=progress.turn,
            to_move=to_move,
            thinking=() if missing or to_move in waking else progress.thinking,
            missing=missing,
            clocks=progress.clocks(self._feed.spent() if spent is None else spent),
            scores=scores_of(progress.state.view(self._seat)),
            doing=progress.doing(seats.away(), missing, waking),
            last=self._last,
            you=self._question(progress, sketch),
            result=progress.result,
            record=None if progress.result is None else seats.describe().record,
            recorded=seats.recorded,
            waking=None
            if to_move is None or to_move not in waking
            else schema.Waking(to_move, seats.waking_seconds(to_move)),
        )

    def _question(self, progress: Progress, sketch: Sketch) -> schema.SeatQuestion | None:
        if self._seat is None:
            return None
        turn = self._feed.seats.question(self._seat)
        asked = turn is not None and progress.to_move == self._seat and turn == progress.turn
        asked = asked and self._shown is not None and self._shown[0] is progress.state
        legal = sketch.moves if asked else ()
        return schema.SeatQuestion(asked, progress.turn if turn is None else turn, legal)


class Feed:
    """An observer of one match, and the audiences that watch it."""

    def __init__(
        self, spec: MatchSpec, state: State, seats: SeatStatus, terms: schema.TermsSummary, tally: Tally
    ) -> None:
        self.seats, self.terms, self.tally = seats, terms, tally
        self.events: list[Event] = []
        self._progress = Progress(state, spec.names, spec.limits)
        self._followed = 0
        self._told: list[schema.EventSummary] = []
        """Every event that was followed, in words, without the spots of its move."""
        self._since = 0.0
        self._audiences: dict[Seat | None, Audience] = {}
        self.closed = False
        """Whether nothing more will be told."""

    def audience(self, seat: Seat | None) -> Audience:
        if seat not in self._audiences:
            self._audiences[seat] = Audience(self, seat)
        return self._audiences[seat]

    @property
    def watching(self) -> int:
        spectators = self._audiences.get(None)
        return 0 if spectators is None else len(spectators.members)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return bool(self.events) and isinstance(self.events[-1], events.Ended)

    # -- what the match tells -----------------------------------------------------------------

    def see(self, event: Event) -> None:
        """Observe the match: keep the event, and schedule a line for every audience.

        `SentOn` is left out: when it comes, not what it says, tells whether a seat reached its goal.
        """
        if isinstance(event, events.SentOn):
            return
        self.events.append(event)
        self._since = asyncio.get_running_loop().time()
        self.touch()

    def touch(self) -> None:
        """Schedule a line: something that watchers see has changed."""
        for audience in self._audiences.values():
            if audience.members:
                audience.touch()

    def tell_now(self) -> None:
        """Send every scheduled line now."""
        for audience in self._audiences.values():
            audience.tell_now()

    def send(self, line_for: Callable[[Seat | None], bytes]) -> None:
        """Send a line besides the match to every audience that has watchers, each its own."""
        for seat, audience in self._audiences.items():
            if audience.members:
                audience.send(line_for(seat))

    def close(self) -> None:
        """Part with everybody."""
        self.closed = True
        for audience in self._audiences.values():
            audience.end(OVER)

    # -- what audiences ask -------------------------------------------------------------------

    def caught_up(self) -> Progress:
        """The progress of the match after all its events. They are followed only when this is called."""
        progress = self._progress
        for n, event in enumerate(self.events[self._followed :], self._followed):
            progress.follow(event)
            self._told.append(progress.teller.tell(n, event, progress.before))
        self._followed = len(self.events)
        return progress

    def spent(self) -> int:
        """Microseconds since the last event."""
        return round((asyncio.get_running_loop().time() - self._since) * 1e6)

    def number_of(self, move: events.Moved) -> int:
        """The number of a recent event, counted from 0."""
        return next(at for at in range(len(self.events) - 1, -1, -1) if self.events[at] is move)

    def told(
        self, first: int, last: schema.LastMove | None, until: int | None = None
    ) -> tuple[schema.EventSummary, ...]:
        """Events from `first` in words; only the last move has its spots."""
        self.caught_up()
        lines = self._told[first:until]
        if last is not None and first <= last.n < first + len(lines):
            lines[last.n - first] = replace(lines[last.n - first], keys=last.keys)
        return tuple(lines)

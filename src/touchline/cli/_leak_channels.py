"""The page's channels for `touchline check leaks`: its live feed and its hints.

`touchline.testing` may not import the page, so they are passed to it from here.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

import msgspec

from touchline.core.rules import Tallied
from touchline.testing.leak_matches import MatchChannel
from touchline.testing.leak_states import StateChannel
from touchline.web import schema
from touchline.web.live.feed import Feed
from touchline.web.live.watchers import Tally, Watcher
from touchline.web.sentences import terms_summary
from touchline.web.workers import player_jobs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Game, Seat, State
    from touchline.drivers.match import MatchSpec

_clock_time = re.compile(rb'"at":\d+').sub


class _Reader(Watcher):
    """A watcher that keeps its lines."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(None, tally)
        self.lines: list[bytes] = []

    @staticmethod
    def framed(line: bytes) -> bytes:
        return line

    def push(self, framed: bytes) -> bool:
        self.lines.append(_clock_time(b'"at":0', framed))
        return True


class _Seats:
    """A table whose seats are all connected and think for no time."""

    recorded: bool | None = None

    def __init__(self, spec: MatchSpec) -> None:
        self._spec = spec
        self.feed: Feed | None = None

    def describe(self) -> schema.TableSummary:
        spec = self._spec
        seats = tuple(schema.SeatSummary(seat, "open", name, True) for seat, name in enumerate(spec.names))
        return schema.TableSummary(
            id="", game=spec.game.name, options=msgspec.to_builtins(spec.game), state="running", seats=seats,
            conduct=spec.conduct.name, clock=None, pace=0.0, turn=0, watching=0, made=0, began=0, ended=None,
            result=None, record=None, recorded=None,
        )  # fmt: skip

    def missing(self) -> tuple[Seat, ...]:
        return ()

    def away(self) -> tuple[Seat, ...]:
        return ()

    def waking(self) -> tuple[Seat, ...]:
        return ()

    def waking_seconds(self, seat: Seat) -> float:
        return 0.0

    def spent(self, seat: Seat) -> int | None:
        return 0

    def question(self, seat: Seat) -> int | None:
        assert self.feed is not None
        progress = self.feed.caught_up()
        return progress.turn if progress.to_move == seat else None


async def _fed(spec: MatchSpec, start: State, events: Sequence[Event], seat: Seat | None) -> list[bytes]:
    seats, tally = _Seats(spec), Tally()
    terms = terms_summary(spec.game, spec.conduct, spec.limits, spec.turn_cap)
    feed = seats.feed = Feed(spec, start, seats, terms, tally)
    reader = _Reader(tally)
    feed.audience(seat).add(reader)
    for event in events:
        feed.see(event)
        feed.tell_now()
    return reader.lines


def _feed_lines(spec: MatchSpec, start: State, events: Sequence[Event], seat: Seat | None) -> Sequence[bytes]:
    return asyncio.run(_fed(spec, start, events, seat))


def _page_hint(game: Game, state: State, seat: Seat | None) -> bytes | None:
    """Ask as the page does: a worker is sent the position of the seat's view."""
    if seat is None or seat != state.to_move or not isinstance(state, Tallied):
        return None
    job = player_jobs.Advise(
        game=game.name, options=msgspec.to_builtins(game),
        position=msgspec.json.encode(state.view(seat).position()),
        player="greedy", player_options={}, seed="hint", turn=0,
    )  # fmt: skip
    return msgspec.json.encode(job.done(lambda: None))


FEED = MatchChannel("the page's live feed", _feed_lines)
PAGE_HINT = StateChannel("the page's hint", _page_hint)

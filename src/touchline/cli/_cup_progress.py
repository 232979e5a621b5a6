"""Show a running tournament on the terminal: a live table, and a forecast of how long it takes."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from statistics import fmean
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._cup_tables import standings_table
from touchline.cli._draw import console
from touchline.core.printable import printable
from touchline.tournament.forecast import Expected, Forecast, Pace, expected_games, forecast
from touchline.tournament.ratings.bradley_terry import bradley_terry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ratings.base import Rating
    from touchline.tournament.run import Run

PER_SECOND = 4
"""The most redraws of the live table per second."""
RATED = 2.0
"""Seconds between two computations of the ratings, at least; their cost grows with the number of games."""
MOST_ROWS = 30
"""The most rows of the live table, so that it fits on a screen."""
REPORT_SECONDS, LONGEST_SILENCE = 5.0, 60.0
"""Seconds between two progress lines when stderr is not a terminal: a tenth of the run, within these."""


class CupProgress:
    """A live table on stderr; a line every few seconds if stderr is not a terminal."""

    def __init__(self, cup: Cup, slots: int, past: Sequence[float] = ()) -> None:
        """`past` are the seconds that games of this cup took in earlier runs."""
        self._cup, self._slots = cup, slots
        self._expected: Expected | None = None
        self._pace = Pace(slots, fmean(past) if past else 0.0)
        self._timed = False
        """Whether a forecast with a time has been printed."""
        self.ahead: Forecast | None = None
        """The first forecast with a time, or without one if the run was too short."""
        self._screen = console(stderr=True)
        self._shown: Any = None
        self._next = self._rated = 0.0
        self._ratings: Sequence[Rating] = ()
        self._start = time.monotonic()
        self._said = ""
        self._committed = False
        """Whether the commitment to the cup's salt has been printed."""
        self._told: tuple[str | None, ...] = (None, None, None)
        """Trouble, pause and stop as shown last; a change is shown without waiting for the next redraw."""

    def __enter__(self) -> CupProgress:
        if self._screen.is_terminal:
            from rich.live import Live

            self._shown = Live(console=self._screen, auto_refresh=False, transient=True)
            self._shown.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown is not None:
            self._shown.stop()

    def say(self, text: str) -> None:
        self._screen.print(printable(text), highlight=False, markup=False)

    def see(self, run: Run) -> None:
        """Show the state of a run, if it is time to redraw."""
        self.tell_news(run)
        if run.committed is not None and not self._committed:
            self._committed = True
            self.say(f"commitment {run.committed}")
        now = time.monotonic()
        self._pace.see(now, len(run.played), idle=run.paused is not None or run.trouble is not None)
        self._announce(run)
        state = (run.trouble, run.paused, run.stopped)
        news, self._told = state != self._told, state
        if now < self._next and not news:
            return
        if self._shown is None:
            self._next = now + max(REPORT_SECONDS, min(LONGEST_SILENCE, (now - self._start) / 10))
            self._report(run)
        else:
            self._shown.update(self._drawing(run, now), refresh=True)
            spent = time.monotonic() - now
            # With many games a redraw is slow: it may take a tenth of the time.
            self._next = now + max(1 / PER_SECOND, 10 * spent)

    def tell_news(self, run: Run) -> None:
        """Print the lines about workers that have trouble."""
        while run.news:
            self.say(f"note: {run.news.popleft()}")

    def forecast(self, run: Run) -> Forecast:
        """Forecast the rest of the cup."""
        if self._expected is None:
            self._expected = expected_games(self._cup.rules(), self._cup.names)
        games = max(self._expected.games, run.scheduled)
        return forecast(
            len(run.played), Expected(games, self._expected.whole), self._slots, self._pace.per_second
        )

    def _announce(self, run: Run) -> None:
        """Say how long the cup takes: at once as far as it is known, and once more when the pace is."""
        if self._timed or (self.ahead is not None and self._pace.per_second is None):
            return
        first, self.ahead = self.ahead is None, self.forecast(run)
        self._timed = self.ahead.seconds is not None
        if (first or self._timed) and self.ahead.games > self.ahead.played:
            self.say(self.ahead.ahead())

    def _report(self, run: Run) -> None:
        text = self._line(run)
        if text != self._said:
            self.say(text)
        self._said = text

    def _line(self, run: Run) -> str:
        ahead = self.forecast(run)
        pace = "" if ahead.per_second is None else f", {ahead.pace()} a second"
        parts = [f"{self._cup.name}: {len(run.played):,} of {ahead.games:,} games{pace}"]
        if run.stopped is not None:
            parts.append(f"stopped: {run.stopped}")
        elif run.paused is not None:
            parts.append(f"paused: {run.paused}")
        if run.stopping:
            parts.append("finishing the running games")
        elif run.paused is None and (left := ahead.left()):
            parts.append(left)
        if run.trouble is not None:
            parts.append(f"waiting for {'workers' if run.lacks_workers else 'the ledger'}: {run.trouble}")
        return "; ".join(parts)

    def _drawing(self, run: Run, now: float) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        played = [*run.played.values()]
        if now - self._rated > RATED and played:
            started = time.monotonic()
            self._ratings = bradley_terry(played, self._cup.names, bars=False)
            self._rated = now + 10 * (time.monotonic() - started)
        rows = self._cup.rules().standings(self._cup.names, played, run.out)
        bar = ProgressBar(total=max(self.forecast(run).games, 1), completed=len(run.played), width=60)
        return Group(Text(printable(self._line(run))), bar, standings_table(rows[:MOST_ROWS], self._ratings))


@contextlib.contextmanager
def stopping(run: Run, say: Callable[[str], None]) -> Iterator[None]:
    """On Ctrl-C or SIGTERM let the running games finish; on the second one stop now."""

    def ask(number: int, frame: object) -> None:
        if run.stopping:
            raise KeyboardInterrupt
        run.stopping = True
        say("finishing the running games; press Ctrl-C again to stop now")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        click.echo("stopped; all finished games are in the ledger", err=True)
        sys.stderr.flush()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

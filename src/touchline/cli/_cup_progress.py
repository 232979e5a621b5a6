"""What the organiser sees of a tournament: a live table while it runs, and the standings."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._draw import console
from touchline.tournament.ratings.bradley_terry import bradley_terry
from touchline.tournament.standings import spelt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ratings.base import Rating
    from touchline.tournament.report.data import Report
    from touchline.tournament.run import Run
    from touchline.tournament.standings import Standing

PICTURES = 4
"""A second, at most."""
RATED = 2.0
"""Seconds between two ratings: they take longer the more games there are."""
MOST_ROWS = 30
WIDEST = 200
"""Columns of a file or a pipe."""


class Live:
    """A table on stderr that is drawn anew as results come in; lines now and then if that is no terminal."""

    def __init__(self, cup: Cup, slots: int) -> None:
        self._cup, self._slots = cup, slots
        self._screen = console(stderr=True)
        self._shown: Any = None
        self._next = self._rated = 0.0
        self._ratings: Sequence[Rating] = ()
        self._start = time.monotonic()
        self._first: int | None = None
        self._said = ""
        self._told: str | None = None
        """What trouble has been told: another is told at once."""

    def __enter__(self) -> Live:
        if self._screen.is_terminal:
            from rich.live import Live as Drawn

            self._shown = Drawn(console=self._screen, auto_refresh=False, transient=True)
            self._shown.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown is not None:
            self._shown.stop()

    def say(self, text: str) -> None:
        self._screen.print(text, highlight=False, markup=False)

    def see(self, run: Run) -> None:
        """What a run looks like now, if it is time for another picture."""
        if self._first is None:
            self._first = len(run.played)
        now = time.monotonic()
        news, self._told = run.trouble != self._told, run.trouble
        if now < self._next and not news:
            return
        if self._shown is None:
            self._next = now + 5
            self._report(run)
        else:
            self._shown.update(self._picture(run, now), refresh=True)
            spent = time.monotonic() - now
            self._next = now + max(1 / PICTURES, 10 * spent)  # of many games a picture takes its time

    def _report(self, run: Run) -> None:
        text = self._line(run)
        if text != self._said:
            self.say(text)
        self._said = text

    def _line(self, run: Run) -> str:
        spent = time.monotonic() - self._start
        pace = (len(run.played) - (self._first or 0)) / spent if spent > 0.1 else 0
        parts = [f"{self._cup.name}: {len(run.played):,} of {run.scheduled:,} games, {pace:,.1f} a second"]
        if run.stopping:
            parts.append("finishing what runs")
        if run.paused is not None:
            parts.append(f"paused: {run.paused}")
        if run.trouble is not None:
            parts.append(f"waiting for the ledger: {run.trouble}")
        return "; ".join(parts)

    def _picture(self, run: Run, now: float) -> Any:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        played = [*run.played.values()]
        if now - self._rated > RATED and played:
            started = time.monotonic()
            self._ratings = bradley_terry(played, self._cup.names)
            self._rated = now + 10 * (time.monotonic() - started)
        rows = self._cup.rules().standings(self._cup.names, played, run.out)
        bar = ProgressBar(total=max(run.scheduled, 1), completed=len(run.played), width=60)
        return Group(Text(self._line(run)), bar, _table(rows[:MOST_ROWS], self._ratings))


def _table(rows: Sequence[Standing], rated: Sequence[Rating]) -> Any:
    from rich.table import Table
    from rich.text import Text

    ratings = {rating.entrant: rating for rating in rated}
    table = Table(box=None, pad_edge=False)
    for head in ("", "entrant", "points", "games", "won", "tied", "lost", "forfeit", "expelled", "void"):
        name = head == "entrant"
        table.add_column(head, justify="left" if name else "right", no_wrap=not name, overflow="fold")
    if ratings:
        table.add_column("rating", justify="right", no_wrap=True)
    for row in rows:
        cells: list[Any] = [
            str(row.rank), Text(row.entrant), spelt(row.points), str(row.games), str(row.won), str(row.tied),
            str(row.lost), str(row.forfeits), str(row.expulsions), str(row.voids),
        ]  # fmt: skip
        if ratings:
            rating = ratings.get(row.entrant)
            cells.append(
                "" if rating is None else f"{rating.value:.0f} ± {(rating.high - rating.low) / 2:.0f}"
            )
        table.add_row(*cells)
    return table


def table_of(rows: Sequence[Standing], ratings: Sequence[Rating]) -> None:
    """Print the standings."""
    _wide().print(_table(rows, ratings))


def _wide() -> Any:
    """A console that breaks no line of a table unless the terminal is too narrow for it."""
    screen = console()
    if not screen.is_terminal:
        screen.width = max(screen.width, WIDEST)
    return screen


def report_of(found: Report) -> None:
    """Print a report in short."""
    screen = _wide()
    screen.print(f"{found.cup}: {found.games} games", highlight=False, markup=False)
    screen.print(_table(found.standings, found.ratings))
    for fault in found.faults:
        screen.print(f"{fault.entrant}: {fault.offence} {fault.count} times", highlight=False, markup=False)
    screen.print(f"digest {found.digest}", highlight=False, markup=False)


@contextlib.contextmanager
def stopping(run: Run, say: Callable[[str], None]) -> Iterator[None]:
    """Ctrl-C once lets what runs finish, twice stops now."""

    def ask(number: int, frame: object) -> None:
        if run.stopping:
            raise KeyboardInterrupt
        run.stopping = True
        say("finishing the games that run; once more stops now")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    except KeyboardInterrupt:
        click.echo("stopped; what was finished is in the ledger", err=True)
        sys.stderr.flush()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""Show a tournament on the terminal: a live table while it runs, and the final standings."""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from touchline.cli._draw import console
from touchline.core.printable import printable
from touchline.tournament.ratings.bradley_terry import bradley_terry
from touchline.tournament.standings import format_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ratings.base import Rating
    from touchline.tournament.report import Report
    from touchline.tournament.run import Run
    from touchline.tournament.standings import Standing

PER_SECOND = 4
"""The most redraws of the live table per second."""
RATED = 2.0
"""Seconds between two computations of the ratings, at least; their cost grows with the number of games."""
MOST_ROWS = 30
"""The most rows of the live table, so that it fits on a screen."""
REPORT_SECONDS = 5
"""Seconds between two progress lines when stderr is not a terminal."""
WIDEST = 200
"""Width in characters when the output is a file or a pipe, so that no row is wrapped."""


NO_MARKS: Mapping[str, str] = MappingProxyType({})


class CupProgress:
    """A live table on stderr; a line every few seconds if stderr is not a terminal."""

    def __init__(self, cup: Cup, slots: int) -> None:
        self._cup, self._slots = cup, slots
        self._screen = console(stderr=True)
        self._shown: Any = None
        self._next = self._rated = 0.0
        self._ratings: Sequence[Rating] = ()
        self._start = time.monotonic()
        self._first: int | None = None
        self._said = ""
        self._committed = False
        """Whether the commitment to the cup's salt has been printed."""
        self._told: str | None = None
        """The trouble that was shown last; a different one is shown without waiting for the next redraw."""

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
        if self._first is None:
            self._first = len(run.played)
        self.tell_news(run)
        if run.committed is not None and not self._committed:
            self._committed = True
            self.say(f"commitment {run.committed}")
        now = time.monotonic()
        news, self._told = run.trouble != self._told, run.trouble
        if now < self._next and not news:
            return
        if self._shown is None:
            self._next = now + REPORT_SECONDS
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
            parts.append("finishing the running games")
        if run.paused is not None:
            parts.append(f"paused: {run.paused}")
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
            self._ratings = bradley_terry(played, self._cup.names)
            self._rated = now + 10 * (time.monotonic() - started)
        rows = self._cup.rules().standings(self._cup.names, played, run.out)
        bar = ProgressBar(total=max(run.scheduled, 1), completed=len(run.played), width=60)
        return Group(Text(printable(self._line(run))), bar, _table(rows[:MOST_ROWS], self._ratings))


def _table(rows: Sequence[Standing], rated: Sequence[Rating], marks: Mapping[str, str] = NO_MARKS) -> Any:
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
            str(row.rank), Text(_name(row.entrant, marks)), format_points(row.points), str(row.games),
            str(row.won), str(row.tied), str(row.lost), str(row.forfeits), str(row.expulsions),
            str(row.voids),
        ]  # fmt: skip
        if ratings:
            rating = ratings.get(row.entrant)
            cells.append(
                "" if rating is None else f"{rating.value:.0f} ± {(rating.high - rating.low) / 2:.0f}"
            )
        table.add_row(*cells)
    return table


def _name(entrant: str, marks: Mapping[str, str]) -> str:
    """Return an entrant's name for a table; an entrant that has changed shows its version."""
    return printable(f"{entrant} ({marks[entrant]})" if entrant in marks else entrant)


def print_standings(
    rows: Sequence[Standing], ratings: Sequence[Rating], marks: Mapping[str, str] = NO_MARKS
) -> None:
    """Print the standings; `marks` are shown behind the names of entrants."""
    _wide().print(_table(rows, ratings, marks))


def _wide() -> Any:
    """Return a console that wraps no line of a table unless the terminal is too narrow for it."""
    screen = console()
    if not screen.is_terminal:
        screen.width = max(screen.width, WIDEST)
    return screen


def print_report(found: Report, marks: Mapping[str, str] = NO_MARKS) -> None:
    """Print a short form of a report; `marks` are shown behind the names of entrants."""
    screen = _wide()
    screen.print(printable(f"{found.cup}: {found.games} games"), highlight=False, markup=False)
    screen.print(_table(found.standings, found.ratings, marks))
    for fault in found.faults:
        line = printable(f"{fault.entrant}: {fault.offence} {fault.count} times")
        screen.print(line, highlight=False, markup=False)
    lines = [f"note: {note}" for note in found.notes]
    lines += evidence(found.commitment, found.salt, found.games_digest, found.seal, found.key)
    for line in lines:
        screen.print(printable(line), highlight=False, markup=False)


def evidence(
    commitment: str | None, salt: str | None, digest: str, seal: str | None, key: str | None
) -> list[str]:
    """Return the hashes of a cup, a line each, as far as they are known."""
    lines = [("commitment", commitment), ("salt", salt), ("signed by", key), ("games digest", digest)]
    return [f"{name} {value}" for name, value in [*lines, ("seal", seal)] if value]


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

"""The records of the matches at the ports of `touchline serve`, and the report of those that failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Seat
    from touchline.drivers.match import MatchSpec
    from touchline.records.interrupted import Interrupted
    from touchline.records.record_folder import MatchRecord, RecordFolder
    from touchline.records.side_file import Secret
    from touchline.records.story import LastMover
    from touchline.server.server import Server


NOT_RECORDED = 1
"""The exit code of a server some of whose matches have no whole record."""


class PortRecords:
    """The records of the matches at the ports, by the numbers of their tables; they are also on the page."""

    def __init__(self, files: RecordFolder, page: tuple[Any, str] | None) -> None:
        self._files, self._page = files, page
        self._records: dict[int, MatchRecord] = {}
        self._movers: dict[int, LastMover] = {}
        self.server: Server | None = None
        """The server of the ports, once it is there."""

    def begin(self, number: int, spec: MatchSpec, secret: Secret) -> Sequence[Callable[[Event], None]]:
        """Return the observers of a new match."""
        return self._observers(number, spec, secret, self._files.begin(secret))

    def resume(self, match: Interrupted) -> Callable[[int, MatchSpec], Sequence[Callable[[Event], None]]]:
        """Return a function that returns the observers of a match that goes on. BadOptions if it cannot."""
        record = self._files.resume(match)
        return lambda number, spec: self._observers(number, spec, match.secret, record)

    def _observers(
        self, number: int, spec: MatchSpec, secret: Secret, record: MatchRecord
    ) -> Sequence[Callable[[Event], None]]:
        from touchline.records.story import LastMover

        self._records[number] = record
        mover = self._movers[number] = LastMover()
        if self._page is None:
            return *record.observers, mover
        shown: Sequence[Callable[[Event], None]] = self._page[0].tables.adopt(
            spec, [seat.kind for seat in secret.seats], record, lambda: self._missing(number)
        )
        return *shown, mover

    def _missing(self, number: int) -> tuple[int, ...]:
        return () if self.server is None else self.server.missing(number)

    def recorded(self, number: int) -> bool | None:
        """Return whether the match that ended at a table has a whole record; None without --record."""
        record = self._records.pop(number, None)
        return None if record is None else record.recorded

    def last_mover(self, number: int) -> Seat | None:
        """Return who made the last move of the match that ended at a table; None if it is not known."""
        mover = self._movers.pop(number, None)
        return None if mover is None else mover.seat


def report_failures(files: RecordFolder, code: int) -> int:
    """Print which matches have no whole record; return the exit code."""
    for path, why in files.failed.items():
        click.echo(f"not recorded: {path}: {why}", err=True)
    return NOT_RECORDED if files.failed else code

"""Files with what programs wrote to stderr: one per seat and game, line by line, with turn and time.

Laws of this file: a file is never overwritten unless that was asked for; the files of a run are bounded
together; a failing disk ends the log, never the match, and is reported.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TextIO

from touchline.core.errors import BadOptions
from touchline.core.printable import printable
from touchline.players.output import Sink

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from touchline.core.rules import Seat
    from touchline.players.output import Written

MOST_LOGGED = 256 << 20
"""Characters in all files of a run, 256 Mi: a thousand games must not fill a disk."""


class PlayerLogs:
    """A folder for what players write: `seat-0.log` and so on; of many games, in a folder for each."""

    def __init__(self, place: str | Path, *, overwrite: bool = False, many: bool = False) -> None:
        self.place, self._overwrite, self._many = Path(place), overwrite, many
        self.room = MOST_LOGGED
        """Characters that the files of this run may still take."""
        self.failed: str | None = None
        """The first file that could not be written, and why."""

    def check_free(self, games: int, seats: Iterable[Seat]) -> None:
        """Make the folder. BadOptions if that fails, or if a log of these games would overwrite a file."""
        try:
            self.place.mkdir(parents=True, exist_ok=True)
            there = {path.name for path in self.place.iterdir()}
        except OSError as error:
            raise BadOptions(f"cannot log to {self.place}: {error.strerror}") from None
        names = (f"{number:06}" for number in range(games)) if self._many else map(_name, seats)
        if not self._overwrite and (taken := sorted(there.intersection(names))):
            raise BadOptions(
                f"{self.place / taken[0]} exists already: give another folder, or overwrite it with --force"
            )

    def game(self, number: int, titles: Mapping[Seat, str]) -> LogFiles:
        """Begin the logs of a game: a file for each seat of `titles`, with this first line."""
        folder = self.place / f"{number:06}" if self._many else self.place
        return LogFiles(self, folder, titles, overwrite=self._overwrite)


class LogFiles(Sink):
    """The log files of one game."""

    def __init__(
        self, logs: PlayerLogs, folder: Path, titles: Mapping[Seat, str], *, overwrite: bool
    ) -> None:
        super().__init__()
        self._logs, self._folder, self._titles, self._overwrite = logs, folder, titles, overwrite
        self._files: dict[Seat, TextIO] = {}

    def begin(self) -> None:
        """Make the files: not before, because a match whose players cannot be started leaves none."""
        how: Literal["w", "x"] = "w" if self._overwrite else "x"
        for seat, title in self._titles.items():
            path = self._folder / _name(seat)
            try:
                self._folder.mkdir(exist_ok=True)
                file = path.open(how, encoding="utf-8", errors="backslashreplace")
                self._files[seat] = file
                file.write(f"# {printable(title)}\n")
                file.flush()
            except OSError as error:
                self._fail(seat, path, error)

    def write(self, lines: Sequence[Written]) -> None:
        touched = set[int]()
        for line in lines:
            file = self._files.get(line.seat)
            if file is None or self._logs.room <= 0:
                continue
            text = f"{line.when:>9} {line.at:9.3f} s | {line.text}\n"
            self._logs.room -= len(text)
            if self._logs.room <= 0:
                text = f"[the rest is left out: the logs of this run have reached {MOST_LOGGED >> 20} MiB]\n"
            self._write(line.seat, file, text)
            touched.add(line.seat)
        for seat in touched:
            if (file := self._files.get(seat)) is not None:
                self._write(seat, file, None)

    def _write(self, seat: Seat, file: TextIO, text: str | None) -> None:
        """Write a text; flush, if there is none."""
        try:
            file.flush() if text is None else file.write(text)
        except OSError as error:
            self._fail(seat, Path(file.name), error)

    def _fail(self, seat: Seat, path: Path, error: OSError) -> None:
        self._logs.failed = self._logs.failed or f"{path} is not a whole log: {error.strerror}"
        file = self._files.pop(seat, None)
        if file is not None:
            with suppress(OSError):  # what it could not write is lost
                file.close()

    def close(self) -> None:
        super().close()
        for seat, file in list(self._files.items()):
            try:
                file.close()
            except OSError as error:
                self._fail(seat, Path(file.name), error)


def _name(seat: Seat) -> str:
    return f"seat-{seat}.log"

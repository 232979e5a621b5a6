"""`play --csv FILE`: a row per game and player, written game by game."""

from __future__ import annotations

import csv
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from touchline.core.errors import BadOptions
from touchline.core.printable import printable

if TYPE_CHECKING:
    from typing import TextIO

    from touchline.matches.result import MatchResult

COLUMNS = (
    "match", "game", "seed", "seat", "player", "won", "tied", "lost", "points", "rank", "score", "moves",
    "seconds", "turns", "verdict", "reason", "faults", "expelled", "resigned",
)  # fmt: skip
"""The columns of the CSV file: those of `Matches.rows()`."""


def csv_option() -> click.Option:
    """Return the option `--csv`."""
    return click.Option(
        ["--csv", "csv_file"], type=click.Path(dir_okay=False, allow_dash=True), metavar="FILE",
        help="Write a row per game and player to this file as CSV, game by game; `-` is stdout.",
    )  # fmt: skip


def check_csv(word: str | None, games: int, *, as_json: bool) -> None:
    """Raise BadOptions if `--csv` does not go with the other options."""
    if word is not None and games == 1:
        raise BadOptions("--csv is for many games: give their number with --games")
    if word == "-" and as_json:
        raise BadOptions("--csv - and --json both write to stdout: give --csv a file")


class CsvRows:
    """A CSV file that gets the rows of each game when it is over. A failing disk does not stop the games."""

    def __init__(self, word: str | None, *, overwrite: bool) -> None:
        """Open the file and write its head; None writes nothing. BadOptions if that fails."""
        self.games = 0
        """The number of games whose rows are written."""
        self.failed: str | None = None
        """Why they could not be written."""
        self._file: TextIO | None = None
        self._name = word
        if word is None:
            return
        try:
            self._file = sys.stdout if word == "-" else _opened(word, overwrite=overwrite)
            self._file.write(",".join(COLUMNS) + "\n")
            self._file.flush()
        except FileExistsError:
            raise BadOptions(
                f"{word} exists already: give another name, or overwrite it with --force"
            ) from None
        except OSError as error:
            self.close()
            raise BadOptions(f"cannot write to {word}: {error.strerror}") from None

    def add(self, number: int, played: MatchResult) -> None:
        """Write the rows of a game."""
        if self._file is None or self.failed is not None:
            return
        text = StringIO()
        rows = csv.DictWriter(text, COLUMNS, lineterminator="\n")
        for row in played.rows():
            plain = {name: printable(one) if isinstance(one, str) else one for name, one in row.items()}
            rows.writerow({"match": number, **plain})
        try:
            self.games = number + 1  # before the write: Ctrl-C may come after it, and must not repeat it
            self._file.write(text.getvalue())
            self._file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            self.failed = f"{self._name} is not whole: {error.strerror}"

    def close(self) -> None:
        if self._file is not None and self._file is not sys.stdout:
            with suppress(OSError):  # what it could not write was noted when it was written
                self._file.close()


def _opened(path: str, *, overwrite: bool) -> TextIO:
    return Path(path).open("w" if overwrite else "x", newline="", encoding="utf-8")

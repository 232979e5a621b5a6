"""What an entrant may read of its own versions: stderr of games, and the record and stderr of the check.

These files are private and no evidence: they are kept beside the bundles, not in the ledger, and only the
newest of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from pathlib import Path

MOST_GAMES = 50
"""Games of a version whose stderr is kept."""
MOST_TEXT = 4000
"""Characters of stderr that are kept of a game: the last ones."""
CHECK = "check"


class GameStderr(Struct, frozen=True):
    """What a program wrote to stderr in a game, the end of it."""

    game: str
    text: str


class CheckNotes(Struct, frozen=True):
    """The outcome of a check, for its entrant."""

    text: str
    """stderr, the end of it."""
    record: str
    """The record of the last game of the check, as lines of JSON; empty if there is none."""


class Feedback:
    """The private files of a league, in a folder that only its owner can read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def folder(self) -> Path:
        return self._folder

    def _of(self, version: str) -> Path:
        return self._folder / hashlib.sha256(version.encode()).hexdigest()[:32]

    def keep(self, version: str, game: str, text: str) -> None:
        """Keep what a program wrote in a game, and drop the oldest texts."""
        if not text:
            return
        folder = self._of(version)
        _write(folder / f"{game}.txt", text[-MOST_TEXT:].encode("utf-8", "replace"))
        kept = sorted(folder.glob("r*.txt"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        for path in kept[:-MOST_GAMES]:
            path.unlink(missing_ok=True)

    def keep_check(self, version: str, notes: CheckNotes) -> None:
        """Keep the outcome of a check."""
        short = CheckNotes(notes.text[-MOST_TEXT:], notes.record)
        _write(self._of(version) / f"{CHECK}.json", msgspec.json.encode(short))

    def stderr(self, version: str) -> tuple[GameStderr, ...]:
        """Return what a version wrote in its games, the latest game first."""
        found = [*self._of(version).glob("r*.txt")]
        newest = sorted(found, key=lambda path: path.name, reverse=True)
        texts = []
        for path in newest:
            with contextlib.suppress(FileNotFoundError):  # dropped since, by the coordinator's thread
                texts.append(GameStderr(path.stem, path.read_text("utf-8", "replace")))
        return tuple(texts)

    def check(self, version: str) -> CheckNotes | None:
        """Return the outcome of a version's check; None if it is not over."""
        try:
            data = (self._of(version) / f"{CHECK}.json").read_bytes()
            return msgspec.json.decode(data, type=CheckNotes)
        except (OSError, msgspec.MsgspecError):
            return None


def _write(path: Path, data: bytes) -> None:
    """Replace a file as a whole, so that a reader never sees half of it."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    made = path.with_name(f".{path.name}.new")
    made.write_bytes(data)
    os.replace(made, path)

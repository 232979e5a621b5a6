"""A project that is about to be written: its files and the commands that come next.

Laws of this file: no file is overwritten unless that was asked for; and a project is written as a whole or
not at all, also when the process is interrupted.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

RENAMED = {"gitignore": ".gitignore"}
"""Files that would have an effect among the templates if they had their own names there."""


class Project(Struct, frozen=True):
    """The files of a project, by their paths, and the commands to run next."""

    what: str
    """What it is, as in "a player of fish in Rust"."""
    files: dict[str, str]
    next: list[str]
    """Commands for the folder of the project."""
    missing: dict[str, str] = {}
    """Programs that are needed and not on this machine, and where to get each."""


def templates(*parts: str) -> Traversable:
    """Return a folder or a file of the templates."""
    return resources.files(__package__).joinpath("files", *parts)


def filled(folder: Traversable, words: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a template, by path, with words replaced in their paths and texts.

    The words are regular expressions; each is replaced by a plain text.
    """
    return {
        replaced(path, words): replaced(file.read_text(encoding="utf-8"), words)
        for path, file in _walk(folder, "")
    }


def replaced(text: str, words: Mapping[str, str]) -> str:
    """Return a text with every word replaced, all of them at once.

    >>> replaced("my-bot, MyBot", {"my-bot": "MyBot", "MyBot": "x"})
    'MyBot, x'
    """
    found = re.compile("|".join(f"({word})" for word in words))
    texts = [*words.values()]
    return found.sub(lambda match: texts[(match.lastindex or 1) - 1], text)


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        place = path + RENAMED.get(item.name, item.name)
        if item.is_file():
            yield place, item
        elif item.name != "__pycache__":  # an installer compiles every Python file
            yield from _walk(item, f"{place}/")


def write_project(files: Mapping[str, str], folder: Path, *, force: bool = False) -> None:
    """Write all files of a project, or none. BadOptions if one is there already, unless `force` is set."""
    try:
        if folder.exists() and not folder.is_dir():
            raise BadOptions(f"{folder} is there already, and it is no folder: choose another one")
        there = [path for path in files if os.path.lexists(folder / path)]
        if there and not force:
            raise BadOptions(
                f"{folder / there[0]} is there already, and nothing was written: choose another folder, or "
                "overwrite its files with --force"
            )
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".touchline-new-", dir=folder.parent) as scratch:
            made = Path(scratch, "project")
            for path, text in files.items():
                (made / path).parent.mkdir(parents=True, exist_ok=True)
                (made / path).write_text(text, encoding="utf-8")
            if folder.exists():
                _move_into(made, folder, files, new=not there)
            else:
                made.rename(folder)
    except OSError as error:
        raise BadOptions(f"cannot write {error.filename or folder}: {error.strerror or error}") from None


def _move_into(made: Path, folder: Path, files: Mapping[str, str], *, new: bool) -> None:
    """Move the files into a folder that exists; if it fails, and nothing was overwritten, take them back."""
    moved: list[Path] = []
    try:
        for path in files:
            place = folder / path
            missing = [above for above in (place.parent, *place.parent.parents) if not above.exists()]
            moved += missing
            place.parent.mkdir(parents=True, exist_ok=True)
            moved.append(place)
            shutil.move(made / path, place)
    except BaseException:
        for place in sorted(moved, key=lambda place: len(place.parts), reverse=True) if new else ():
            with contextlib.suppress(OSError):
                place.rmdir() if place.is_dir() else place.unlink()
        raise

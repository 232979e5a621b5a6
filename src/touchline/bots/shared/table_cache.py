"""Tables that took long to make, kept in the user's cache folder: rows of 64-bit words, and a few facts.

Law of this file: what is read is what was written, or it is nothing. A file that is cut short, damaged, of
another version or another name is not there; one that cannot be written is not there either. Files are put in
place whole, so nobody ever reads half of one.

A file is one line of JSON, and after it the words, the lowest byte first.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import tempfile
from array import array
from pathlib import Path

import msgspec
from msgspec import Struct

log = logging.getLogger(__name__)

VERSION = 1
_LONGEST_LINE = 4096


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file."""

    touchline_table: int
    name: str
    facts: dict[str, int]
    words: int
    digest: str


class Table(Struct, frozen=True):
    """What is in a file."""

    facts: dict[str, int]
    words: array[int]


def folder() -> Path:
    """Where tables are kept: `$TOUCHLINE_CACHE`, else `touchline` in the user's cache folder."""
    if own := os.environ.get("TOUCHLINE_CACHE"):
        return Path(own)
    # The base-directory specification: a path that is not absolute is to be ignored.
    general = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (general if general.is_absolute() else Path.home() / ".cache") / "touchline"


def path_of(name: str) -> Path:
    """The file of a table."""
    return folder() / f"{name}.table"


def _digest(name: str, facts: dict[str, int], body: bytes) -> str:
    told = msgspec.json.encode([VERSION, name, sorted(facts.items())])
    return hashlib.blake2b(told + body, digest_size=16).hexdigest()


def _turned(words: array[int]) -> array[int]:
    """The words as they are in a file, or back again."""
    if sys.byteorder == "big":
        words = words[:]
        words.byteswap()
    return words


def write(name: str, facts: dict[str, int], words: array[int]) -> bool:
    """Keep a table under a name; whether that could be done."""
    body = _turned(words).tobytes()
    head = _Head(VERSION, name, facts, len(words), _digest(name, facts, body))
    line = msgspec.json.encode(head) + b"\n"
    target, unplaced = path_of(name), None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        number, unplaced = tempfile.mkstemp(dir=target.parent, prefix=f".{name}.")
        with os.fdopen(number, "wb") as file:
            file.write(line)
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unplaced, target)
    except OSError as error:
        log.info("%s is not kept: %s", target, error)
        if unplaced is not None:
            Path(unplaced).unlink(missing_ok=True)
        return False
    return True


def read(name: str) -> Table | None:
    """The table of that name, if there is a sound one."""
    try:
        with path_of(name).open("rb") as file:
            line = file.readline(_LONGEST_LINE)
            head = msgspec.json.decode(line, type=_Head)
            body = file.read()
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return None
    if head.touchline_table != VERSION or head.name != name or len(body) != 8 * head.words:
        return None
    if head.digest != _digest(name, head.facts, body):
        log.warning("%s is damaged and not used", path_of(name))
        return None
    words = array("Q")
    words.frombytes(body)
    return Table(head.facts, _turned(words))


def remove(name: str) -> None:
    """Keep the table of that name no longer."""
    try:
        path_of(name).unlink(missing_ok=True)
    except OSError as error:
        log.info("%s stays: %s", path_of(name), error)

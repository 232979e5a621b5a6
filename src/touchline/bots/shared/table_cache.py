"""A disk cache for tables that are expensive to compute: arrays of 64-bit words with a few facts.

Law of this file: a read returns what was written, or nothing. A file that is truncated, damaged, or of
another version or name counts as missing, and a failed write is only logged. Files are replaced atomically.

A file is a header line in JSON, then the words in little-endian order.
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
    """The header line of a file."""

    touchline_table: int
    name: str
    facts: dict[str, int]
    words: int
    digest: str


class CachedTable(Struct, frozen=True):
    """The content of a file."""

    facts: dict[str, int]
    words: array[int]


def folder() -> Path:
    """Return the cache folder: `$TOUCHLINE_CACHE`, else `touchline` in the user's cache folder."""
    if own := os.environ.get("TOUCHLINE_CACHE"):
        return Path(own)
    # The XDG base directory specification says to ignore a path that is not absolute.
    general = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (general if general.is_absolute() else Path.home() / ".cache") / "touchline"


def path_of(name: str) -> Path:
    """Return the path of a table."""
    return folder() / f"{name}.table"


def _digest(name: str, facts: dict[str, int], body: bytes) -> str:
    told = msgspec.json.encode([VERSION, name, sorted(facts.items())])
    return hashlib.blake2b(told + body, digest_size=16).hexdigest()


def _little_endian(words: array[int]) -> array[int]:
    """Convert words between the byte order of this machine and of the file."""
    if sys.byteorder == "big":
        words = words[:]
        words.byteswap()
    return words


def write(name: str, facts: dict[str, int], words: array[int]) -> bool:
    """Write a table. Return whether that succeeded."""
    body = _little_endian(words).tobytes()
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
        log.info("cannot write %s: %s", target, error)
        if unplaced is not None:
            Path(unplaced).unlink(missing_ok=True)
        return False
    return True


def read(name: str) -> CachedTable | None:
    """Return the table of this name; None if there is no sound one."""
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
        log.warning("%s is damaged and is ignored", path_of(name))
        return None
    words = array("Q")
    words.frombytes(body)
    return CachedTable(head.facts, _little_endian(words))


def remove(name: str) -> None:
    """Delete the table of this name."""
    try:
        path_of(name).unlink(missing_ok=True)
    except OSError as error:
        log.info("cannot delete %s: %s", path_of(name), error)

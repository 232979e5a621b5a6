"""Keep a secret salt in a file beside the ledger that only its owner can read.

Law of this file: the salt is on the disk before `write` returns, and nobody else could read it at any time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from touchline.tournament.ledger.base import Unavailable, Unreadable

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 200
"""The salt has 64 hexadecimal digits; a longer file is not one of ours."""


def write(path: Path, salt: bytes) -> None:
    """Write the salt to a new file; a file that is there is replaced."""
    try:
        with suppress(FileNotFoundError):
            path.unlink()
        # O_EXCL: neither a file that others can read nor a link is written to.
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w") as out:
            out.write(salt.hex() + "\n")
            out.flush()
            os.fsync(file)
        _sync(path.parent)
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from None


def read(path: Path) -> bytes | None:
    """Return the salt; None if there is no such file."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from None
    try:
        return bytes.fromhex(text.decode())
    except ValueError:
        raise Unreadable("this is no salt: restore the file from a copy", str(path)) from None


def delete(path: Path) -> None:
    """Delete the file, if it is there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from None


def _sync(folder: Path) -> None:
    """Write a folder's list of files to the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)

"""Read what organisers write in TOML: cups, leagues and rubrics. `BadInput` says what is wrong."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

T = TypeVar("T")

MOST_BYTES = 1 << 20


def read_text(path: Path, what: str) -> str:
    """Return the text of a file; `what` it is, for the error: "a cup"."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{what} has at most {MOST_BYTES:,} bytes", str(path))
        return path.read_text()
    except OSError as error:
        raise BadInput(error.strerror or str(error), str(path)) from None
    except UnicodeDecodeError as error:
        raise BadInput(str(error), str(path)) from None


def read_table(text: str, where: str) -> dict[str, Any]:
    """Return the table of a TOML text."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"not TOML: {error}", where) from None


def converted(table: Mapping[str, Any], kind: type[T], where: str) -> T:
    """Return a table as a value of this type."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        what, _, at = str(error).partition(" - at `$.")
        raise BadInput(what, f"{where}: {at.rstrip('`')}" if at else where) from None

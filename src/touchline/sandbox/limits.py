"""What a program may use: memory, processes, files, processor time; written in TOML as `[program]`.

The defaults suit a JVM and a bot with compiled kernels.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta, Struct

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_SIZE = re.compile(r"(\d{1,12})\s*([KMG]?)i?B?", re.IGNORECASE)
LEAST_MEMORY, MOST_MEMORY = 16 << 20, 1 << 40


class ProgramLimits(Struct, frozen=True, kw_only=True):
    """The resource limits of one player's program with all its child processes; sizes are in bytes."""

    memory: Annotated[int, Meta(ge=LEAST_MEMORY, le=MOST_MEMORY)] = 1 << 30
    """Memory of all its processes together."""
    processes: Annotated[int, Meta(ge=1, le=100_000)] = 256
    """Processes and threads; a JVM starts about 30."""
    scratch: Annotated[int, Meta(ge=0, le=MOST_MEMORY)] = 64 << 20
    """The size of its scratch folder, `/tmp`."""
    file_size: Annotated[int, Meta(ge=0, le=MOST_MEMORY)] = 64 << 20
    """The size of one file."""
    open_files: Annotated[int, Meta(ge=8, le=1_000_000)] = 256
    """Files that each of its processes may have open."""
    cpu: Annotated[int, Meta(ge=1, le=1_000_000)] = 3600
    """Processor time of each of its processes, in seconds."""


SIZES = ("memory", "scratch", "file_size")
DEFAULT = ProgramLimits()


def size_of(text: str) -> int:
    """Return the number of bytes that a text like "512M" names; ValueError if it names none.

    >>> size_of("512M"), size_of("2 GiB"), size_of("4096")
    (536870912, 2147483648, 4096)
    """
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f'{text!r} is not a size; write it like "512M" or "2G"')
    return int(found[1]) * _UNITS[found[2].upper()]


def size_text(size: int) -> str:
    """Return a size as people write it.

    >>> size_text(512 << 20), size_text(1 << 30), size_text(1000)
    ('512 MB', '1 GB', '1000 bytes')
    """
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} bytes"


def read_limits(table: Mapping[str, Any], where: str) -> ProgramLimits:
    """Return the limits of a TOML table `[program]`. BadInput says what is wrong and at which key.

    >>> read_limits({"memory": "512M", "processes": 32}, "cup.toml: program").processes
    32
    """
    written = dict(table)
    for key in SIZES:
        if isinstance(written.get(key), str):
            try:
                written[key] = size_of(written[key])
            except ValueError as error:
                raise BadInput(str(error), f"{where}.{key}") from None
    unknown = sorted(set(written).difference(ProgramLimits.__struct_fields__))
    if unknown:
        known = ", ".join(ProgramLimits.__struct_fields__)
        raise BadInput(f"there is no limit {unknown[0]!r}; there are: {known}", where)
    try:
        return msgspec.convert(written, ProgramLimits)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        raise BadInput(what, f"{where}.{path.rstrip('`')}" if path else where) from None


def limits_beside(conduct: Path) -> ProgramLimits:
    """Return the limits in the TOML file of a conduct; the default ones if it is no file or has none."""
    if not conduct.is_file():
        return DEFAULT
    try:
        table = tomllib.loads(conduct.read_text()).get("program", {})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(str(error), str(conduct)) from None
    return read_limits(table if isinstance(table, dict) else {"program": table}, f"{conduct}: program")

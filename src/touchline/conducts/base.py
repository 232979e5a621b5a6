"""Find a conduct by name, or read one from TOML.

A conduct in TOML names another one that it is like, and the ladders that differ:

    name = "mild"
    like = "course"
    illegal.steps = ["retry 2", "random"]
    late = {steps = ["skip 2", "expel"], counted = "row"}
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from touchline.core.conduct import Conduct, Ladder, Offence, Sanction, ladder
from touchline.core.errors import BadInput, BadOptions
from touchline.core.registry import CONDUCTS

__all__ = ["CONDUCTS", "Conduct", "Ladder", "Offence", "Sanction", "conduct_of", "ladder", "read"]


def conduct_of(word: str, folder: Path = Path()) -> Conduct:
    """Return the conduct of that name, or the one in that TOML file, which is looked for in the folder.

    >>> conduct_of("seed-002").late.last
    <Sanction.FORFEIT: 'forfeit'>
    """
    if word in CONDUCTS:
        return CONDUCTS[word]
    path = folder / word
    if not path.is_file():
        raise BadOptions(
            f"no conduct is called {word!r} (there are: {', '.join(CONDUCTS)}), and no such file"
        )
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(str(error), str(path)) from None
    return read(text, str(path))


class _Rungs(Struct, forbid_unknown_fields=True):
    """A ladder as it is written in TOML."""

    steps: list[str]
    counted: Literal["turn", "row", "match"] = "match"


class _Written(Struct, forbid_unknown_fields=True, kw_only=True):
    """A conduct as it is written in TOML: the ladders that differ from another conduct's."""

    name: str
    like: str = "course"
    idle: int | None = None
    illegal: _Rungs | None = None
    late: _Rungs | None = None
    gone: _Rungs | None = None
    out_of_turn: _Rungs | None = None
    malformed: _Rungs | None = None
    flood: _Rungs | None = None
    not_reading: _Rungs | None = None
    refused: _Rungs | None = None
    limit: _Rungs | None = None
    starved: _Rungs | None = None
    program: dict[str, Any] | None = None
    """What a program may use; `touchline.sandbox.limits` reads it."""


def read(text: str, where: str) -> Conduct:
    """Return the conduct that is written in this TOML. BadInput says what is wrong and at which key.

    >>> read('name = "mild"\\nillegal.steps = ["retry 2", "random"]', "mild.toml").illegal.last
    <Sanction.RANDOM: 'random'>
    """
    try:
        written = msgspec.convert(tomllib.loads(text), _Written)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInput(f"not TOML: {error}", where) from None
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        raise BadInput(what, f"{where}: {path.rstrip('`')}" if path else where) from None
    if written.like not in CONDUCTS:
        known = ", ".join(CONDUCTS)
        raise BadInput(f"no conduct is called {written.like!r}; there are: {known}", f"{where}: like")
    changes: dict[str, Any] = {"name": written.name}
    if written.idle is not None:
        changes["idle"] = written.idle
    for offence in Offence:
        rungs: _Rungs | None = getattr(written, offence.value)
        if rungs is not None:
            try:
                changes[offence.value] = ladder(*rungs.steps, counted=rungs.counted)
            except ValueError as error:
                raise BadInput(str(error), f"{where}: {offence.value}.steps") from None
    try:
        return msgspec.structs.replace(CONDUCTS[written.like], **changes)
    except ValueError as error:
        raise BadInput(str(error), where) from None

"""Find a conduct by name, or read one from TOML.

A conduct in TOML names another one that it is like, and what differs:

    name = "mild"
    like = "course"
    alone = "end"
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
    """Sanctions in their order, such as `["retry 2", "expel"]`; the last one repeats."""
    counted: Literal["turn", "row", "match"] = "match"
    """Whether offences are counted in a turn, in consecutive turns, or over the match."""


class _Written(Struct, forbid_unknown_fields=True, kw_only=True):
    """A conduct as it is written in TOML: the ladders that differ from another conduct's."""

    name: str
    """The name of the conduct."""
    like: str = "standard"
    """The conduct from which this one differs."""
    idle: int | None = None
    """A seat is expelled when this many turns in a row were taken away."""
    alone: Literal["end", "play_on"] | None = None
    """When one seat is left: `"end"` ends the match, and it has won; `"play_on"` lets it play on."""
    illegal: _Rungs | None = None
    """A move that breaks the rules."""
    late: _Rungs | None = None
    """No answer in time."""
    gone: _Rungs | None = None
    """The player crashed, raised an exception or hung up."""
    out_of_turn: _Rungs | None = None
    """A message that nobody asked for."""
    malformed: _Rungs | None = None
    """A message that cannot be read; left out: as illegal."""
    flood: _Rungs | None = None
    """Too many or too long messages."""
    not_reading: _Rungs | None = None
    """The player does not read what it is sent."""
    refused: _Rungs | None = None
    """The player never took its seat."""
    limit: _Rungs | None = None
    """The program used more than its limits; left out: as gone."""
    starved: _Rungs | None = None
    """The program was late while it waited for a processor; left out: as late."""
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
    if written.alone is not None:
        changes["alone"] = written.alone
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

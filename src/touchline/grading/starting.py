"""Whether the program of a submission can be started, and whose fault it is if not.

Law of this file: what the submission brings along is its own; what this machine lacks is our failure.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.errors import BadOptions, BrokenPlayer
from touchline.players.by_name import WASM, check_spoken, command_of, dialect_of, without_dialect

if TYPE_CHECKING:
    from touchline.core.rules import Game

PROCESS = "process:"


class OurFailure(Exception):
    """Something failed that is no fault of the submission."""


class Contestant(Struct, frozen=True):
    """A player of a step: its name at the table, what starts it, and the folder of its files."""

    name: str
    player: str
    folder: str = ""


def in_dialect(player: str, dialect: str | None) -> str:
    """Return the player's name with the dialect of the rubric, unless it has one already.

    >>> in_dialect("bot.py", "seed-000"), in_dialect("native+bot.py", "seed-000"), in_dialect("bot.py", None)
    ('seed-000+bot.py', 'native+bot.py', 'bot.py')
    """
    return player if dialect is None or dialect_of(player) else f"{dialect}+{player}"


def starts_own_file(player: str) -> bool:
    """Return whether a player's program is a file that it brings along, and not one that is installed here.

    >>> starts_own_file("process:./bot"), starts_own_file("process:node bot.js"), starts_own_file("bot.py")
    (True, False, False)
    """
    bare = without_dialect(player)
    try:
        command = shlex.split(bare.removeprefix(PROCESS))
    except ValueError:
        return True
    return bare.startswith(PROCESS) and (
        not command or (os.sep in command[0] and not os.path.isabs(command[0]))
    )


def problem_with_start(player: str, folder: str, dialect: str | None, game: Game) -> str | None:
    """Return why the program of a submission cannot be started, by its own fault; None if it can.

    OurFailure if this machine lacks what it needs. `dialect` is that of the rubric, if it has one.
    """
    own, bare = dialect_of(player), without_dialect(player)
    if dialect is not None and own not in (None, dialect):
        return f"It speaks {own}, as its touchline.toml says, but {dialect} is asked for."
    if bare.startswith(WASM) and in_dialect(player, dialect) not in (bare, f"native+{bare}"):
        return f"It is a WebAssembly module, which speaks native, but {own or dialect} is asked for."
    if bare.startswith(PROCESS) and not starts_own_file(player):
        program = shlex.split(bare.removeprefix(PROCESS))[0]
        if shutil.which(program) is None:
            raise OurFailure(f"{program!r} is not installed on this machine")
    try:
        check_spoken(own, game)
        command_of(player, Path(folder))
    except BrokenPlayer as error:
        return _unstartable(error, folder)
    except BadOptions as error:
        if bare.startswith(WASM):  # the runtime is not installed
            raise OurFailure(str(error)) from None
        return _unstartable(error, folder)
    return None


def _unstartable(error: BadOptions, folder: str) -> str:
    """Return the reason without the place of the files on this machine."""
    return f"Its program cannot be started: {str(error).replace(f'{Path(folder).resolve()}/', '')}."

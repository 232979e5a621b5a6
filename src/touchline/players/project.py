"""A folder as a player: its `touchline.toml` names the player in it, and the game that it plays.

    game = "fish"
    player = "process:./build/bot"

`touchline new bot` writes such folders; a zip of one is a submission (`bundles/submissions.py`).
"""

from __future__ import annotations

import os
import shlex
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from touchline.core import registry
from touchline.core.errors import BadInput, BadOptions
from touchline.players.by_name import WASM, dialect_of, without_dialect

SETTINGS = "touchline.toml"
MOST_SETTINGS = 64 << 10
"""The most bytes of a settings file."""
PROCESS = "process:"


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What `touchline.toml` says."""

    player: str
    """The player: a Python file, `wasm:FILE` or `process:COMMAND`, such as `"process:node bot.js"`. Paths
    start at the folder of this file."""
    game: str | None = None
    """The game that it plays, which `touchline check player` takes; any, if it is left out."""


def read_settings(data: bytes) -> Settings:
    """Return the settings in the bytes of a `touchline.toml`. BadInput says what is wrong with them.

    >>> read_settings(b'player = "process:node bot.js"').player
    'process:node bot.js'
    """
    if len(data) > MOST_SETTINGS:
        raise BadInput(f"more than {MOST_SETTINGS >> 10} kB", SETTINGS)
    try:
        return msgspec.convert(tomllib.loads(data.decode()), Settings)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, msgspec.ValidationError) as error:
        raise BadInput(str(error), SETTINGS) from None


def path_in(word: str) -> str:
    """Return a player's word without its dialect, as it is written: the path, if it names a folder.

    >>> path_in("seed-000+./mybot"), path_in("mybot/")
    ('./mybot', 'mybot/')
    """
    spoken = dialect_of(word)
    return word if spoken is None else word[len(spoken) + 1 :]


def project_settings(word: str, folder: Path = Path()) -> Settings | None:
    """Return the settings of the folder that a player's word names; None if it names no such folder.

    The name of a house bot is a house bot, even if a folder has that name, too: `./random` is the folder.
    """
    bare = path_in(word)
    place = folder / bare
    if not bare or not place.is_dir() or bare in registry.BOTS:
        return None
    try:
        with (place / SETTINGS).open("rb") as file:
            return read_settings(file.read(MOST_SETTINGS + 1))
    except FileNotFoundError:
        if os.sep not in bare and bare not in (os.curdir, os.pardir):
            return None  # a word like any other, and a folder that has nothing to do with it
        raise BadOptions(
            f"{bare} has no {SETTINGS}: it names the player, as in player = \"process:./build/bot\""
        ) from None  # fmt: skip
    except OSError as error:
        raise BadInput(error.strerror or str(error), str(place / SETTINGS)) from None


def resolved(word: str, folder: Path = Path()) -> str:
    """Return the player's word, or the word of the player in the folder that it names.

    >>> resolved("random"), resolved("process:node bot.js")
    ('random', 'process:node bot.js')
    """
    settings = project_settings(word, folder)
    if settings is None:
        return word
    inner, place = settings.player, path_in(word)
    spoken = dialect_of(word) or dialect_of(inner)
    bare = without_dialect(inner)
    start = f"{spoken}+" if spoken else ""
    if bare.startswith(PROCESS):
        return f"{start}{PROCESS}{_command(bare.removeprefix(PROCESS), place, folder)}"
    if bare.startswith(WASM):
        return f"{start}{WASM}{os.path.normpath(os.path.join(place, bare.removeprefix(WASM)))}"
    return f"{start}{os.path.normpath(os.path.join(place, bare))}"


def _command(command: str, place: str, folder: Path) -> str:
    """Return a command with its paths, which start at `place`, changed to start at the folder of `place`."""
    try:
        program, *arguments = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"player = {PROCESS}{command}: {error}", os.path.join(place, SETTINGS)) from None
    if os.sep in program and not os.path.isabs(program):
        program = os.path.join(os.curdir, _moved(program, place, folder))
    return shlex.join([program, *(_argument(one, place, folder) for one in arguments)])


def _argument(text: str, place: str, folder: Path) -> str:
    """Return an argument; a path, which exists or begins with `./`, is changed to start at the new folder."""
    is_path = text.startswith(f"{os.curdir}{os.sep}") or (folder / place / text).exists()
    return _moved(text, place, folder) if is_path and text and not os.path.isabs(text) else text


def _moved(path: str, place: str, folder: Path) -> str:
    moved = os.path.normpath(os.path.join(place, path))
    if not (folder / moved).exists():
        raise BadOptions(
            f"the player in {place} is not built: there is no {path} in it; build it, as its README.md says"
        )
    return moved

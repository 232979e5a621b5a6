"""What people hand in: a zip, a folder, a Python file or a WebAssembly module; and how its player is started.

`touchline.toml` in it may name the player: `player = "process:node bot.js"`. Without it, the player is the
only WebAssembly module, else `bot.py`, `main.py` or the only Python file, else the program `run` or `bot`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.bundles.archives import read_folder, read_zip
from touchline.bundles.bundle import MOST_BYTES, Bundle, BundleFile, bundled
from touchline.core.errors import BadInput
from touchline.players.by_name import WASM, is_program, without_dialect
from touchline.players.project import SETTINGS, read_settings

if TYPE_CHECKING:
    from pathlib import Path

MOST_WORD = 1_000
"""The most characters in the name of a player."""
PYTHON = ("bot.py", "main.py")
PROGRAMS = ("run", "bot")


class Submission(Struct, frozen=True):
    """A bundle, and the name of the player in it; paths in the name start at the unpacked folder."""

    bundle: Bundle
    player: str


def read_submission(path: Path) -> Submission:
    """Read a zip, a folder, a Python file or a WebAssembly module. BadInput says what is wrong with it."""
    try:
        if path.is_dir():
            return submission_of(read_folder(path))
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        return read_upload(data, path.name)
    except OSError as error:
        raise BadInput(error.strerror or str(error), str(path)) from None


def read_upload(data: bytes, name: str) -> Submission:
    """Read the bytes of a zip, a Python file or a WebAssembly module that somebody calls `name`."""
    if len(data) > MOST_BYTES:
        raise BadInput(f"a submission has at most {MOST_BYTES >> 20} MB")
    if data.startswith(b"PK"):
        return submission_of(read_zip(data))
    if data.startswith(b"\0asm"):
        return submission_of([BundleFile("bot.wasm", data)])
    if name.endswith(".py"):
        return submission_of([BundleFile("bot.py", data)])
    raise BadInput(
        f"{name[:200]!r} is neither a zip, nor a Python file, nor a WebAssembly module: hand in one of these"
    )


def submission_of(files: list[BundleFile]) -> Submission:
    """Return the submission of these files; a folder that holds all of them is left out."""
    bundle = bundled(_without_top_folder(files))
    return Submission(bundle, _player(bundle))


def _without_top_folder(files: list[BundleFile]) -> list[BundleFile]:
    tops = {file.path.partition("/")[0] for file in files}
    if len(tops) != 1 or any("/" not in file.path for file in files):
        return files
    return [BundleFile(file.path.partition("/")[2], file.data, file.executable) for file in files]


def _player(bundle: Bundle) -> str:
    """Return the name of the player in a bundle."""
    paths = {file.path: file for file in bundle.files}
    if SETTINGS in paths:
        return _checked(read_settings(paths[SETTINGS].data).player, {*paths})
    modules = [path for path in paths if path.endswith(".wasm")]
    if len(modules) == 1:
        return _checked(f"{WASM}{modules[0]}", {*paths})
    top = [path for path in paths if path.endswith(".py") and "/" not in path]
    if found := [path for path in PYTHON if path in paths] or (top if len(top) == 1 else []):
        return _checked(found[0], {*paths})
    for path in PROGRAMS:
        if path in paths and paths[path].executable:
            return f"process:./{path}"
    raise BadInput(
        f"no player in it: add {SETTINGS} with a line such as player = \"process:node bot.js\", or call the "
        "player bot.py, bot.wasm, or run (a program)"
    )  # fmt: skip


def _checked(word: str, paths: set[str]) -> str:
    """Return the player's name if it is a program of this bundle; else raise BadInput."""
    if len(word) > MOST_WORD or not word.isprintable():
        raise BadInput("the player's name is too long, or not plain text", SETTINGS)
    if not is_program(word):
        raise BadInput(
            f"{word!r} is not a program: name a Python file, wasm:FILE or process:COMMAND", SETTINGS
        )
    bare = without_dialect(word)
    path = bare.removeprefix(WASM) if bare.startswith(WASM) else bare.partition(":")[0]
    if not bare.startswith("process:") and path not in paths:
        raise BadInput(f"there is no file {path!r} for the player {word!r}", SETTINGS)
    return word

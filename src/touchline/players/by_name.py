"""Make a player from its name: a house bot with options, a Python file or a command, in any dialect.

random, mcts:seconds=0.5        a house bot, in this process
mybot.py, mybot.py:Name         a Python class, in a process of its own
./mybot                         a program
process:COMMAND                 a program with arguments
wasm:bot.wasm                   a WebAssembly module, whose fuel is counted
seed-000+mybot.py               any of these in another dialect
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.dialects import DEFAULT
from touchline.sandbox.runnable import beside, problem_with

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.rules import Game
    from touchline.players.in_dialect import InDialect
    from touchline.sandbox.launch import Sandbox

PROCESS = "process:"
"""The beginning of a word that is a command."""
PATHS = ("./", "../", "/")
"""What a word begins with that is the path of a program; a house player has no such name."""
WASM = "wasm:"
"""The beginning of a word that names a WebAssembly module."""
PERSON = "human"
"""The word of a person at the terminal."""
PEOPLE = (PERSON, "remote")
"""Names of players that Touchline does not start itself; without a dialect they speak the default one."""


def dialect_of(word: str) -> str | None:
    """Return the dialect that a word names, or None.

    >>> dialect_of("seed-000+mybot.py"), dialect_of("process:./a+b")
    ('seed-000', None)
    """
    first, plus, _ = word.partition("+")
    return first if plus and first in registry.dialects() else None


def spoken_by(word: str) -> str | None:
    """Return the dialect that a player uses at its table; None for a house bot, which needs none.

    >>> spoken_by("seed-001+random"), spoken_by("mybot.py"), spoken_by("random")
    ('seed-001', 'native', None)
    """
    spoken = dialect_of(word)
    return DEFAULT if spoken is None and (is_program(word) or word in PEOPLE) else spoken


def without_dialect(word: str) -> str:
    """Return the word without its dialect, and the path of a program as the command that runs it.

    >>> without_dialect("seed-000+mybot.py"), without_dialect("./mybot"), without_dialect("./bot.wasm")
    ('mybot.py', 'process:./mybot', 'wasm:./bot.wasm')
    """
    spoken = dialect_of(word)
    bare = word if spoken is None else word[len(spoken) + 1 :]
    if not bare.startswith(PATHS) or bare.partition(":")[0].endswith(".py"):
        return bare
    return f"{WASM}{bare}" if bare.endswith(".wasm") else f"{PROCESS}{shlex.quote(bare)}"


def is_program(word: str) -> bool:
    """Return whether the word names a program, which must be started."""
    word = without_dialect(word)
    path, _, _ = word.partition(":")
    return word.startswith((PROCESS, WASM)) or path.endswith(".py")


def is_python(word: str) -> bool:
    """Return whether the word names a player in a Python file.

    >>> is_python("mybot.py:Best"), is_python("process:python mybot.py")
    (True, False)
    """
    return without_dialect(word).partition(":")[0].endswith(".py")


def command_of(word: str, folder: Path = Path()) -> list[str]:
    """Return the command that starts a program; relative paths start at `folder`."""
    spoken, word = dialect_of(word), without_dialect(word)
    if word.startswith(PROCESS):
        return _command(word, folder)
    if word.startswith(WASM):
        from touchline.players.wasm import wasm_command

        return wasm_command(word.removeprefix(WASM), spoken, folder)
    path, _, name = word.partition(":")
    file = Path(os.path.normpath(folder / path))
    if not file.is_file():
        raise BadOptions(f"there is no file {path!r}{beside(file)}")
    source = f"{file}:{name}" if name else str(file)
    return [sys.executable, "-m", "touchline.players.python_file", source, *([spoken] if spoken else [])]


def _command(word: str, folder: Path) -> list[str]:
    try:
        command = shlex.split(word.removeprefix(PROCESS))
    except ValueError as error:
        raise BadOptions(f"{word}: {error}") from None
    if not command:
        raise BadOptions("process: needs a command, as in process:./mybot")
    written = command[0]
    if os.sep in written:  # absolute, because `mybot` without a slash would be looked up in the PATH
        command[0] = os.path.normpath(folder.absolute() / written)
    if (why := problem_with(command[0], written)) is not None:
        raise BadOptions(f"cannot run {written!r}: {why}")
    return command


def program_files(words: Iterable[str], folder: Path = Path()) -> tuple[Path, ...]:
    """Return the files of the programs that these words name, which the other programs must not see.

    >>> program_files(["random", "process:no-such-program"])
    ()
    """
    from touchline.sandbox.visible import named_files

    found: list[Path] = []
    for word in words:
        if is_program(word):
            with contextlib.suppress(BadOptions):
                found += named_files(command_of(word, folder), folder)
    return tuple(found)


def player(
    word: str,
    game: Game,
    seed: object,
    folder: Path = Path(),
    sandbox: Sandbox | None = None,
    seats: int | None = None,
) -> Any:
    """Start a program or make a house bot for one match; a bot speaks its dialect in-process.

    If the number of seats is known, a bot compiles only what it needs for it.
    """
    from touchline.bots.shared import factory

    spoken = dialect_of(word)
    check_spoken(spoken, game)
    if is_program(word):
        from touchline.players.debugger import debugging
        from touchline.players.process import Program
        from touchline.players.wasm import WasmProgram
        from touchline.sandbox.launch import NONE

        kind = WasmProgram if without_dialect(word).startswith(WASM) else Program
        command = command_of(word, folder.resolve())
        if sandbox is not None and sandbox.terminal is not None and is_python(word):
            command += debugging(sandbox.terminal)
        return kind(command, folder, sandbox or NONE)
    return in_dialect(factory.make(without_dialect(word), game, seed, seats=seats), spoken, game, seed)


def check_spoken(dialect: str | None, game: Game) -> None:
    """Raise BadOptions if the dialect cannot express this game."""
    games = () if dialect is None else registry.dialect(dialect).games
    if games and game.name not in games:
        raise BadOptions(f"{dialect} is spoken in {', '.join(games)}, not in {game.name}")


def checked(word: str, game: Game, folder: Path = Path()) -> None:
    """Raise BadOptions if the word names no player of this game; start and compile nothing to find out."""
    from touchline.bots.shared import factory

    check_spoken(dialect_of(word), game)
    if is_program(word):
        command_of(word, folder)
    else:
        factory.check(without_dialect(word), game.name)


def in_dialect(bot: Any, spoken: str | None, game: Game, seed: object) -> Any | InDialect:
    """Wrap a bot so that it speaks a dialect, as if it were remote; the default needs no wrapper."""
    if spoken in (None, DEFAULT):
        return bot
    from touchline.players.coroutines import CoroutinePlayer
    from touchline.players.in_dialect import InDialect

    dialect = registry.dialect(str(spoken))
    return InDialect(dialect.face(CoroutinePlayer(bot), rng=Random(f"{seed} face")), dialect(game))

"""A player by a word: a house player with its options, a Python file, or a command, in any dialect.

random, mcts:seconds=0.5        a house player, in this process
mybot.py, mybot.py:Name         a Python class, in a process of its own
process:COMMAND                 any program
seed-000+mybot.py               any of these in another dialect
"""

from __future__ import annotations

import inspect
import os
import shlex
import shutil
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.dialects import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from touchline.core.rules import Game
    from touchline.players.in_dialect import Faced

PEOPLE = ("human", "remote")
"""Words for players from outside that are no programs of ours; without a dialect they speak the default."""


def dialect_of(word: str) -> str | None:
    """The dialect that a player is said to speak, if it is said.

    >>> dialect_of("seed-000+mybot.py"), dialect_of("process:./a+b")
    ('seed-000', None)
    """
    first, plus, _ = word.partition("+")
    return first if plus and first in registry.dialects() else None


def spoken_by(word: str) -> str | None:
    """Return the dialect that a player brings to its table; None for a house player, which brings none.

    >>> spoken_by("seed-001+random"), spoken_by("mybot.py"), spoken_by("random")
    ('seed-001', 'native', None)
    """
    spoken = dialect_of(word)
    return DEFAULT if spoken is None and (is_program(word) or word in PEOPLE) else spoken


def without_dialect(word: str) -> str:
    """What a player is called besides its dialect."""
    spoken = dialect_of(word)
    return word if spoken is None else word[len(spoken) + 1 :]


def is_program(word: str) -> bool:
    """Whether this names a program that must be started."""
    word = without_dialect(word)
    path, _, _ = word.partition(":")
    return word.startswith("process:") or path.endswith(".py")


def command_of(word: str, folder: Path = Path()) -> list[str]:
    """The command that starts a program; its file is looked for in the folder."""
    spoken, word = dialect_of(word), without_dialect(word)
    if word.startswith("process:"):
        return _command(word, folder)
    path, _, name = word.partition(":")
    file = folder / path
    if not file.is_file():
        raise BadOptions(f"there is no file {path!r}")
    source = f"{file}:{name}" if name else str(file)
    return [sys.executable, "-m", "touchline.players.python_file", source, *([spoken] if spoken else [])]


def _command(word: str, folder: Path) -> list[str]:
    try:
        command = shlex.split(word.removeprefix("process:"))
    except ValueError as error:
        raise BadOptions(f"{word}: {error}") from None
    if not command:
        raise BadOptions("process: needs a command, as in process:./mybot")
    if os.sep in command[0]:
        command[0] = str(folder / command[0])
    if shutil.which(command[0]) is None:
        raise BadOptions(f"cannot run {command[0]!r}: there is no such program")
    return command


def player(word: str, game: Game, seed: object, folder: Path = Path()) -> Any:
    """A player for one match; a program is started. A house player with a dialect speaks it, here."""
    spoken = dialect_of(word)
    check_spoken(spoken, game)
    if is_program(word):
        from touchline.players.process import Program

        return Program(command_of(word, folder.resolve()), folder)
    return facing(house(without_dialect(word), game.name, seed, game), spoken, game, seed)


def check_spoken(dialect: str | None, game: Game) -> None:
    """BadOptions if this game is not played in that dialect."""
    games = () if dialect is None else registry.dialect(dialect).games
    if games and game.name not in games:
        raise BadOptions(f"{dialect} is spoken in {', '.join(games)}, not in {game.name}")


def checked(word: str, game: Game, folder: Path = Path()) -> None:
    """BadOptions if this word names nobody who plays this game, as far as can be told without starting it."""
    check_spoken(dialect_of(word), game)
    if is_program(word):
        command_of(word, folder)
    else:
        house(without_dialect(word), game.name, 0)


def facing(bot: Any, spoken: str | None, game: Game, seed: object) -> Any | Faced:
    """A bot in this process that speaks a dialect, as if it were elsewhere."""
    if spoken in (None, DEFAULT):
        return bot
    from touchline.players.coroutines import Awaiting
    from touchline.players.in_dialect import Faced

    dialect = registry.dialect(str(spoken))
    return Faced(dialect.face(Awaiting(bot), rng=Random(f"{seed} face")), dialect(game))


def house(
    word: str,
    name: str | None,
    seed: object,
    game: Game | None = None,
    more: Mapping[str, Any] | None = None,
) -> Any:
    """A house player, with more options if there are some.

    If it is told the game it is ready to play: what it must look up or solve it has.
    """
    called, _, rest = word.partition(":")
    kind = registry.find("bots", called)
    if name is not None and kind.game not in (None, name):
        raise BadOptions(f"{called} plays {kind.game}, not {name}")
    options: dict[str, Any] = dict(option(called, kind, part) for part in rest.split(",") if part)
    options |= more or {}
    if getattr(kind, "chance", False):
        options["rng"] = Random(f"{seed}")
    try:
        made = kind(**options)
    except (TypeError, ValueError) as error:
        raise BadOptions(f"{word}: {error}") from None
    if game is not None and hasattr(made, "prepare"):
        made.prepare(game)
    return made


def option(name: str, kind: Any, part: str) -> tuple[str, int | float | str]:
    """An option and its value: a number, unless the player says that it takes text."""
    key, sign, value = part.partition("=")
    if not sign:
        raise BadOptions(f"{name}: an option is written {key}=VALUE")
    wanted = inspect.signature(kind).parameters.get(key)
    if wanted is not None and "str" in str(wanted.annotation):
        return key, value
    for number in (int, float):
        try:
            return key, number(value)
        except ValueError:
            continue
    raise BadOptions(f"{name}: {key} is a number, not {value!r}")

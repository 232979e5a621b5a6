"""Who plays: a house player by name, a Python file, a program, or the person at this terminal."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from random import Random
from typing import TYPE_CHECKING, Any

import click

from touchline import registry
from touchline.errors import BadOptions, UnknownName

if TYPE_CHECKING:
    from touchline.match import Bot
    from touchline.players.faced import Faced
    from touchline.players.process import Program
    from touchline.rules import Game

HELP = """\b
Players:
  random, greedy, minimax:depth=4, mcts:seconds=0.5, riemann, euclid, fish_course:depth=1
                                          a house player, with options
  mybot.py, mybot.py:Name                 a Python class with choose(view, turn), in its own process
  process:COMMAND                         any program that speaks the native dialect
  human                                   you, at this terminal
  seed-000+mybot.py, seed-002+random, ... any of these in another dialect"""


def dialect_of(word: str) -> str | None:
    """The dialect that a player is said to speak, if it is said.

    >>> dialect_of("seed-000+mybot.py"), dialect_of("process:./a+b")
    ('seed-000', None)
    """
    first, plus, _ = word.partition("+")
    return first if plus and first in registry.dialects() else None


def _without_dialect(word: str) -> str:
    spoken = dialect_of(word)
    return word if spoken is None else word[len(spoken) + 1 :]


def is_program(word: str) -> bool:
    """Whether this names a program that must be started."""
    word = _without_dialect(word)
    path, _, _ = word.partition(":")
    return word.startswith("process:") or path.endswith(".py")


def command_of(word: str) -> list[str]:
    """The command that starts a program."""
    spoken, word = dialect_of(word), _without_dialect(word)
    if word.startswith("process:"):
        try:
            command = shlex.split(word.removeprefix("process:"))
        except ValueError as error:
            raise BadOptions(f"{word}: {error}") from None
        if not command:
            raise BadOptions("process: needs a command, as in process:./mybot")
        if shutil.which(command[0]) is None:
            raise BadOptions(f"cannot run {command[0]!r}: there is no such program")
        return command
    path, _, name = word.partition(":")
    if not os.path.isfile(path):
        raise BadOptions(f"there is no file {path!r}")
    source = f"{path}:{name}" if name else path
    return [sys.executable, "-m", "touchline.players.host", source, *([spoken] if spoken else [])]


def player(word: str, game: Game, seed: object, *, as_json: bool = False) -> Bot | Program | Faced:
    """A player for one match; a program is started. A house player with a dialect speaks it, here."""
    spoken = dialect_of(word)
    if spoken is not None:
        games = registry.dialect(spoken).DIALECT.games
        if games and game.name not in games:
            raise BadOptions(f"{spoken} is spoken in {', '.join(games)}, not in {game.name}")
    if is_program(word):
        from touchline.players.process import Program

        return Program(command_of(word))
    made = bot(_without_dialect(word), game.name, seed, as_json=as_json)
    if spoken in (None, "native"):
        return made
    from touchline.players.faced import Faced

    module = registry.dialect(str(spoken))
    return Faced(module.FACE(made, rng=Random(f"{seed} face")), module.DIALECT(game))


def bot(word: str, game: str | None, seed: object, *, as_json: bool = False) -> Bot:
    """A player in this process: of the house, or the person at the terminal."""
    if word == "human":
        return _person(as_json)
    name, _, rest = word.partition(":")
    try:
        kind = registry.find("bots", name)
    except UnknownName as error:
        raise UnknownName(f"{error}; or FILE.py, process:COMMAND, human") from None
    if game is not None and kind.game not in (None, game):
        raise BadOptions(f"{name} plays {kind.game}, not {game}")
    options: dict[str, Any] = dict(_option(name, part) for part in rest.split(",") if part)
    if getattr(kind, "chance", False):
        options["rng"] = Random(f"{seed}")
    try:
        made: Bot = kind(**options)
    except (TypeError, ValueError) as error:
        raise BadOptions(f"{word}: {error}") from None
    return made


def _option(name: str, part: str) -> tuple[str, int | float]:
    key, sign, value = part.partition("=")
    if not sign:
        raise BadOptions(f"{name}: an option is written {key}=VALUE")
    for kind in (int, float):
        try:
            return key, kind(value)
        except ValueError:
            continue
    raise BadOptions(f"{name}: {key} is a number, not {value!r}")


def _person(as_json: bool) -> Bot:
    from touchline.cli._draw import console, picture
    from touchline.players.terminal import Terminal

    screen = console(stderr=as_json)  # stdout is for the result alone

    def ask(prompt: str) -> str:
        click.echo(prompt, nl=False, err=as_json)
        return input()

    return Terminal(
        ask=ask,
        show=lambda sketch: screen.print(picture(sketch)),
        tell=lambda text: click.echo(text, err=as_json),
    )

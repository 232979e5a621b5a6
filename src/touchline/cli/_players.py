"""The players of a command: a house bot, a Python file, a program, or the person at this terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline.core.errors import UnknownName
from touchline.players import by_name
from touchline.players.by_name import command_of, dialect_of, is_program, spoken_by, without_dialect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from touchline.bots.base import Bot
    from touchline.core.rules import Game
    from touchline.players.in_dialect import InDialect
    from touchline.players.process import Program
    from touchline.sandbox.launch import Sandbox

__all__ = ["HELP", "bot", "command_of", "dialect_of", "is_program", "player", "spoken_by", "without_dialect"]

HELP = """\b
Players:
  random, greedy, minimax:depth=4, mcts:seconds=0.5, perfect, shark:seconds=0.2, minotaur, euclid, ...
                                          a house player, with options
  her:memory=FILE                         one that learns, and keeps what it learnt
  mybot.py, mybot.py:Name                 a Python class with choose(view, turn), in its own process
  ./mybot, process:COMMAND                any program that speaks the native dialect
  wasm:bot.wasm                           a WebAssembly module that speaks it over WASI; its fuel is counted
  human                                   you, at this terminal
  mybot/                                  a folder, whose touchline.toml names the player in it
  seed-000+mybot.py, seed-002+random, ... any of these in another dialect"""


def player(
    word: str,
    game: Game,
    seed: object,
    *,
    as_json: bool = False,
    aloud: Callable[[str], None] | None = None,
    folder: Path = Path(),
    sandbox: Sandbox | None = None,
    person: Callable[[], Bot] | None = None,
    seats: int | None = None,
) -> Bot | Program | InDialect:
    """Make a player for one match: start a program, or make a bot, which speaks its dialect in-process.

    With `aloud`, a bot that can explain its moves does so there; `person` returns the person at this
    terminal. Paths of programs start at `folder`; they run in the sandbox. If the number of seats is known,
    a bot compiles only what it needs for it.
    """
    from touchline.bots.base import Thinker

    if is_program(word):
        made: Program = by_name.player(word, game, seed, folder, sandbox)
        return made
    spoken, called = dialect_of(word), without_dialect(word)
    by_name.check_spoken(spoken, game)
    chosen = bot(called, game, seed, as_json=as_json, person=person, seats=seats)
    if aloud is not None and isinstance(chosen, Thinker):
        from touchline.cli._thinkers import Aloud

        chosen = Aloud(chosen, called, aloud)
    wrapped: Bot | InDialect = by_name.in_dialect(chosen, spoken, game, seed)
    return wrapped


def bot(
    word: str,
    game: Game | str | None,
    seed: object,
    *,
    as_json: bool = False,
    options: Mapping[str, Any] | None = None,
    person: Callable[[], Bot] | None = None,
    seats: int | None = None,
) -> Bot:
    """Make a player in this process: a house bot, or the person at this terminal."""
    from touchline.bots.shared import factory

    if word == "human":
        if person is None:
            from touchline.cli._desk import PlainDesk

            if isinstance(game, str):
                person = PlainDesk(None, name=game, as_json=as_json).person
            else:
                person = PlainDesk(game, as_json=as_json).person
        return person()
    try:
        return factory.make(word, game, seed, options, seats)
    except UnknownName as error:
        here = f"; for the file in this folder write ./{word}" if Path(word).is_file() else ""
        raise UnknownName(
            f"{error}; or FILE.py, ./PROGRAM, process:COMMAND, wasm:FILE, human{here}"
        ) from None

"""Who plays: a house player by name, a Python file, a program, or the person at this terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.core.errors import UnknownName
from touchline.players import by_name
from touchline.players.by_name import command_of, dialect_of, is_program, option, spoken_by, without_dialect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from touchline.core.rules import Game
    from touchline.drivers.match import Bot
    from touchline.players.in_dialect import Faced
    from touchline.players.process import Program

__all__ = [
    "HELP", "bot", "command_of", "dialect_of", "is_program", "option", "player", "spoken_by",
    "without_dialect",
]  # fmt: skip

HELP = """\b
Players:
  random, greedy, minimax:depth=4, mcts:seconds=0.5, perfect, shark:seconds=0.2, minotaur, euclid, ...
                                          a house player, with options
  her:memory=FILE                         one that learns, and keeps what it learnt
  mybot.py, mybot.py:Name                 a Python class with choose(view, turn), in its own process
  process:COMMAND                         any program that speaks the native dialect
  human                                   you, at this terminal
  seed-000+mybot.py, seed-002+random, ... any of these in another dialect"""


def player(
    word: str,
    game: Game,
    seed: object,
    *,
    as_json: bool = False,
    aloud: Callable[[str], None] | None = None,
) -> Bot | Program | Faced:
    """A player for one match; a program is started. A house player with a dialect speaks it, here.

    With `aloud`, one that can say what it thinks says so there.
    """
    if is_program(word):
        made: Program = by_name.player(word, game, seed)
        return made
    spoken, called = dialect_of(word), without_dialect(word)
    by_name.check_spoken(spoken, game)
    chosen = bot(called, game.name, seed, as_json=as_json, rules=game)
    if aloud is not None:
        from touchline.bots.base import Thinker
        from touchline.cli._thinkers import Aloud

        if isinstance(chosen, Thinker):
            chosen = Aloud(chosen, called, aloud)
    faced: Bot | Faced = by_name.facing(chosen, spoken, game, seed)
    return faced


def bot(
    word: str,
    game: str | None,
    seed: object,
    *,
    as_json: bool = False,
    rules: Game | None = None,
    more: Mapping[str, Any] | None = None,
) -> Bot:
    """A player in this process: of the house, with more options if there are some, or the person here."""
    if word == "human":
        return _person(as_json, game)
    try:
        made: Bot = by_name.house(word, game, seed, rules, more)
    except UnknownName as error:
        raise UnknownName(f"{error}; or FILE.py, process:COMMAND, human") from None
    return made


def _person(as_json: bool, game: str | None) -> Bot:
    from touchline.cli._draw import console, picture
    from touchline.cli._thinkers import adviser
    from touchline.players.terminal import Terminal

    screen = console(stderr=as_json)  # stdout is for the result alone

    def ask(prompt: str) -> str:
        click.echo(prompt, nl=False, err=as_json)
        return input()

    return Terminal(
        ask=ask,
        show=lambda sketch: screen.print(picture(sketch)),
        tell=lambda text: click.echo(text, err=as_json),
        advise=adviser(game),
    )

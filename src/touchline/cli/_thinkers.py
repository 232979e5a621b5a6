"""Who is asked what it thinks: the strongest of the house for a game, or somebody by name; and its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.core import registry
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.bots.base import Thinker
    from touchline.core.events import Result
    from touchline.core.rules import Seat
    from touchline.records.analysis import Advice

FEW = 4
"""Moves that a player tells beforehand."""

WHERE = """\b
What to think about:
  match.jsonl                   a record; - is standard input
  match.jsonl@12                the position before turn 12 of a record
  here.json                     a position, as `touchline show GAME --json` writes it
  bare.json --game fish:rows=4,cols=5
                                one that does not say which game it is of"""

game_option = click.option(
    "--game", metavar="GAME[:OPTION=VALUE,...]", help="The game of a position that does not say."
)
with_option = click.option(
    "--with",
    "who",
    metavar="PLAYER",
    help="Who thinks: a house player with options, or a Python file with a class that has think(view).  "
    "[default: the strongest of the house]",
)
seconds_option = click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help="Time for every thought, if the player can be given some.",
)


def thinker(word: str | None, game: str | None, seconds: float | None = None) -> tuple[str, Thinker]:
    """Somebody who can think about this game, and what it is called. A Python file runs in this process."""
    from inspect import signature

    from touchline.bots.base import Thinker
    from touchline.cli._players import bot
    from touchline.records.analysis import strongest

    if word is None:
        word = strongest(game)
    name, _, options = word.partition(":")
    made: Any
    if name.endswith(".py"):
        from touchline.players.python_file import loaded

        made = loaded(word, "think")
    else:
        if seconds is not None and name in registry.names("bots"):
            if "seconds" in signature(registry.find("bots", name)).parameters:
                word = f"{name}:{options}{',' if options else ''}seconds={seconds:g}"
            else:
                click.echo(f"note: {name} takes the time it needs; --seconds is not for it", err=True)
        made = bot(word, game, "analysis")
    if not isinstance(made, Thinker):
        raise BadOptions(f"{word} does not say what it thinks; these do: {', '.join(_thinking(game))}")
    return word, made


def _thinking(game: str | None) -> list[str]:
    kinds = ((name, registry.find("bots", name)) for name in registry.names("bots"))
    return [name for name, kind in kinds if hasattr(kind, "think") and kind.game in (None, game)]


def thinks(word: str) -> bool:
    """Whether this names a player of the house that can say what it thinks."""
    name = word.partition(":")[0]
    return name in registry.names("bots") and hasattr(registry.find("bots", name), "think")


def in_words(advice: Advice) -> str:
    """What to play, why, how it stands, and what is expected then."""
    stands = ", ".join(f"seat {seat} {value:.2f}" for seat, value in enumerate(advice.values))
    then = f"\nexpected then: {'; '.join(advice.spelled[1:])}" if advice.spelled[1:] else ""
    return f"seat {advice.seat}: play {advice.best}: {advice.says}\nit stands: {stands}{then}"


def adviser(game: str | None) -> Callable[[Any], str]:
    """Hints for a person: somebody is found who thinks when the first is asked for."""
    found: list[Thinker] = []

    def advise(view: Any) -> str:
        from touchline.records.analysis import advised

        try:
            if not found:
                found.append(thinker(None, game)[1])
            return in_words(advised(view, found[0]))
        except Exception as error:  # a hint that fails must not cost the person the game
            return f"there is no hint: {error}"

    return advise


class Aloud:
    """A player that says what it thinks before every move; its thought is its choice, so it thinks once.

    One that learns is asked all the same: it must know what it played.
    """

    def __init__(self, player: Any, name: str, tell: Callable[[str], None]) -> None:
        self._player, self._name, self._tell = player, name, tell

    def choose(self, view: Any, turn: int = 0) -> Any:
        thought = self._player.think(view)
        self._tell(f"seat {view.to_move} {self._name}: {thought.says}{_expects(view, thought.line)}")
        if not thought.line or hasattr(self._player, "told"):
            return self._player.choose(view, turn)
        return thought.line[0]

    def told(self, seat: Seat, result: Result) -> None:
        """Hand on how it ended."""
        if hasattr(self._player, "told"):
            self._player.told(seat, result)


def _expects(view: Any, line: Sequence[Any]) -> str:
    """The next few moves.

    >>> from touchline.games.hexapawn import Hexapawn
    >>> state = Hexapawn().start(2, None)
    >>> _expects(state, state.legal_moves()[:1])
    '; plays 0,0 1,0'
    """
    from touchline.records.analysis import spelled

    words = spelled(view, line[:FEW])
    plays = f"; plays {words[0]}" if words else ""
    more = " ..." if len(line) > FEW else ""
    return plays + (f", expects {'; '.join(words[1:])}{more}" if words[1:] else "")

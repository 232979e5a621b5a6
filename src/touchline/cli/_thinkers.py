"""The bot that analyses and gives hints: the strongest for the game, or one named with `--with`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from touchline.bots.base import Bot, Learner, LearningBot, Thinker
from touchline.bots.shared import factory
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Result
    from touchline.core.rules import Seat
    from touchline.core.sketch import Sketch
    from touchline.records.analysis import Advice

FEW = 4
"""Moves of the expected line that are printed before a move."""


def thinker(word: str | None, game: str | None, seconds: float | None = None) -> tuple[str, Thinker]:
    """Return a bot that can analyse this game, after its name. A Python file runs in this process."""
    if word is None:
        word = factory.strongest(game)
    made: object
    if word.partition(":")[0].endswith(".py"):
        from touchline.players.player_class import loaded

        made = loaded(word, "think")
    else:
        from touchline.cli._players import bot

        word = word if seconds is None else _timed(word, seconds)
        made = bot(word, game, "analysis")
    if not isinstance(made, Thinker):
        able = ", ".join(factory.kinds(game))
        raise BadOptions(f"{word} cannot analyse, it has no method think(view); these can: {able}")
    return word, made


def _timed(word: str, seconds: float) -> str:
    """Add the option `seconds` to the word; print a note instead if the bot has no such option."""
    name, _, options = word.partition(":")
    if name not in factory.names():
        return word
    if "seconds" not in factory.options_of(factory.kind(name)):
        click.echo(f"note: {name} has no option `seconds`: --seconds is ignored", err=True)
        return word
    return f"{name}:{options}{',' if options else ''}seconds={seconds:g}"


def thinks(word: str) -> bool:
    """Return whether the word names a house bot: those can explain their moves."""
    return word.partition(":")[0] in factory.names()


def in_words(advice: Advice) -> str:
    """Return the advice as text: the move, the reason, the values, the expected line."""
    stands = ", ".join(f"seat {seat} {value:.2f}" for seat, value in enumerate(advice.values))
    then = f"\nexpected then: {'; '.join(advice.spelled[1:])}" if advice.spelled[1:] else ""
    return f"seat {advice.seat}: play {advice.best}: {advice.says}\nit stands: {stands}{then}"


def compile_adviser(game: str) -> None:
    """Compile what the bot needs that gives a person hints."""
    factory.compile_kernels([factory.strongest(game)], game, None)


def adviser(game: str | None) -> Callable[[Any], str]:
    """Return a function that gives a person hints; the bot is made when the first hint is asked for."""
    found: list[Thinker] = []

    def advise(view: Any) -> str:
        from touchline.records.analysis import advised

        try:
            if not found:
                found.append(thinker(None, game)[1])
            return _for_person(advised(view, found[0]), view.sketch())
        except Exception as error:  # a hint that fails must not cost the person the game
            return f"there is no hint: {error}"

    return advise


def _for_person(advice: Advice, sketch: Sketch) -> str:
    """Return the advice in the words of the table: "you", and the colours of the others."""
    from touchline.draw.words import side

    stands = ", ".join(
        f"{'you' if seat == advice.seat else side(sketch, seat)} {value:.2f}"
        for seat, value in enumerate(advice.values)
    )
    then = f"\nexpected then: {'; '.join(advice.spelled[1:])}" if advice.spelled[1:] else ""
    return f"play {advice.best}: {advice.says}\nchances, 1 is a sure win: {stands}{then}"


class Aloud:
    """A bot that prints its evaluation before every move, and then plays the first move of its line.

    A learning bot is asked to `choose` as well, because it must record what it played.
    """

    def __init__(self, player: Thinker, name: str, tell: Callable[[str], None]) -> None:
        self._player, self._name, self._tell = player, name, tell

    def choose(self, view: Any, turn: int = 0) -> Any:
        thought = self._player.think(view)
        self._tell(f"seat {view.to_move} {self._name}: {thought.says}{_expects(view, thought.line)}")
        if isinstance(self._player, LearningBot) or (not thought.line and isinstance(self._player, Bot)):
            return self._player.choose(view, turn)
        return thought.line[0]

    def told(self, seat: Seat, result: Result) -> None:
        """Pass the result on to the bot."""
        if isinstance(self._player, Learner):
            self._player.told(seat, result)


def _expects(view: Any, line: Sequence[Any]) -> str:
    """Return the next few moves of a line as text.

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

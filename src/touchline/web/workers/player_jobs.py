"""The jobs of worker processes that ask a house player: for a move, or for advice."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.sketch import Key
from touchline.draw.words import narrated

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.bots.base import HouseBot
    from touchline.core.rules import Game, State


class AskPlayer(Struct, frozen=True, kw_only=True):
    """Base of the jobs that ask a house player about a position, as its seat sees it."""

    game: str
    options: dict[str, Any]
    position: bytes
    player: str
    player_options: dict[str, Any]
    seed: str
    turn: int

    @property
    def kind(self) -> bytes:
        """What such jobs have in common: the game, and the player with its options."""
        return msgspec.msgpack.encode((self.game, self.options, self.player, self.player_options))

    @property
    def declared(self) -> float:
        """The seconds that the player is told to think; 0 if it is not told."""
        seconds = self.player_options.get("seconds", 0.0)
        return float(seconds) if isinstance(seconds, int | float) else 0.0

    def view(self) -> tuple[Game, State]:
        game = registry.game(self.game, self.options)
        return game, game.restore(msgspec.json.decode(self.position, type=game.Position))

    def bot(self, game: Game | str) -> HouseBot:
        """Return the bot, cached if it is deterministic, else seeded for this turn.

        Given a `Game` it is prepared to play it, which can take seconds; a name is enough for advice.
        """
        factory.check_numbers(self.player, self.player_options)
        if factory.kind(self.player).chance:
            return factory.make(self.player, game, f"{self.seed} {self.turn}", self.player_options)
        rules = b"" if isinstance(game, str) else msgspec.json.encode(self.options)
        return _cached(self.player, tuple(self.player_options.items()), self.game, rules)


@lru_cache(maxsize=64)
def _cached(player: str, options: tuple[tuple[str, Any], ...], name: str, rules: bytes) -> HouseBot:
    """Make a deterministic bot once; `rules` has the game's options, empty to skip the preparation."""
    game = registry.game(name, msgspec.json.decode(rules)) if rules else name
    return factory.make(player, game, "", dict(options))


class Choose(AskPlayer, frozen=True, kw_only=True, tag="choose"):
    """Choose a move; the result is JSON."""

    def done(self, started: Callable[[], None]) -> bytes:
        game, view = self.view()
        bot = self.bot(game)
        started()
        return msgspec.json.encode(bot.choose(view, self.turn))


class Advised(Struct, frozen=True, kw_only=True):
    """The advice of a house player."""

    player: str
    choice: int
    keys: tuple[Key, ...]
    move: bytes
    text: str
    says: str
    values: tuple[float, ...]


class Advise(AskPlayer, frozen=True, kw_only=True, tag="advise"):
    """Ask a house player for advice and, if it can tell, for reasons; without a name, the strongest."""

    def done(self, started: Callable[[], None]) -> Advised:
        player = self.player or factory.strongest(self.game)
        asked = self if self.player else replace(self, player=player, player_options={})
        _, view = self.view()
        bot = asked.bot(self.game)
        started()
        thought = bot.think(view)
        move = thought.line[0]
        choice = list(view.legal_moves()).index(move)
        return Advised(
            player=factory.label(asked.player, asked.player_options),
            choice=choice,
            keys=view.sketch().moves[choice],
            move=msgspec.json.encode(move),
            text=narrated(view, move)[1],
            says=thought.says,
            values=thought.values,
        )

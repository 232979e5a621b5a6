"""The house players that may be chosen on the page, and how one is made.

Law of this file: a stranger who chooses a house player gives it numbers and nothing else, so it cannot be
told to read or write a file.
"""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.web import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from touchline.drivers.match import Bot

LEVELS: tuple[tuple[str, dict[str, int | float]], ...] = (
    ("random", {}),
    ("her", {}),
    ("greedy", {}),
    ("riemann", {}),
    ("euclid", {}),
    ("fish_course", {"depth": 1}),
    ("minimax", {"depth": 2}),
    ("fish_course", {"depth": 2}),
    ("mcts", {"seconds": 0.3}),
    ("mcts", {"seconds": 2.0}),
)
"""The weaker ones, the weakest first; whoever else is installed comes after them."""
WIDE = frozenset({"labyrinth"})
"""Games with so many moves that looking at all of them twice takes minutes."""


def label(player: str, options: Mapping[str, Any]) -> str:
    """A house player as it is called on the command line.

    >>> label("minimax", {"depth": 2})
    'minimax:depth=2'
    """
    said = ",".join(f"{name}={value}" for name, value in options.items())
    return f"{player}:{said}" if said else player


def offers(game: str) -> tuple[schema.Offer, ...]:
    """Who of the house plays a game, the weakest first."""
    kinds = {name: registry.find("bots", name) for name in registry.names("bots")}
    playing = {name: kind for name, kind in kinds.items() if kind.game in (None, game)}
    known = {name for name, _ in LEVELS}
    levels = [*LEVELS, *((name, {}) for name in playing if name not in known)]
    return tuple(
        schema.Offer(name, dict(options), label(name, options), _about(playing[name]))
        for name, options in levels
        if name in playing and not (name == "minimax" and game in WIDE)
    )


def _about(kind: Any) -> str:
    """What a player says of itself, or its file does."""
    said = kind.__doc__ or sys.modules[kind.__module__].__doc__ or ""
    return said.split("\n")[0]


def made(player: str, options: Mapping[str, Any], game: str, seed: str) -> Bot:
    """A house player for one move; BadOptions or UnknownName says what is wrong."""
    kind = registry.find("bots", player)
    if kind.game not in (None, game):
        raise BadOptions(f"{player} plays {kind.game}, not {game}")
    for name, value in options.items():
        if type(value) not in (int, float):
            raise BadOptions(f"{player}: {name} is a number")
    given: dict[str, Any] = dict(options)
    if getattr(kind, "chance", False):
        given["rng"] = Random(seed)
    try:
        bot: Bot = kind(**given)
    except (TypeError, ValueError) as error:
        raise BadOptions(f"{player}: {error}") from None
    return bot

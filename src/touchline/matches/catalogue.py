"""Games, bots and conducts by name, with types that an editor understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from touchline.bots import make
from touchline.conducts.base import conduct_of
from touchline.core import registry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from touchline.core.conduct import Conduct
    from touchline.core.rules import Game
    from touchline.drivers.match import Bot
    from touchline.games.fish import Fish
    from touchline.games.hexapawn import Hexapawn
    from touchline.games.labyrinth import Labyrinth


def list_games() -> list[str]:
    """Return the names of the games that are installed.

    >>> import touchline
    >>> touchline.list_games()[:3]
    ['fish', 'hexapawn', 'labyrinth']
    """
    return [*registry.GAMES]


@overload
def game(name: Literal["fish"], options: Mapping[str, Any] | None = None, **more: Any) -> Fish: ...
@overload
def game(name: Literal["hexapawn"], options: Mapping[str, Any] | None = None, **more: Any) -> Hexapawn: ...
@overload
def game(name: Literal["labyrinth"], options: Mapping[str, Any] | None = None, **more: Any) -> Labyrinth: ...
@overload
def game(name: str, options: Mapping[str, Any] | None = None, **more: Any) -> Game: ...
def game(name: str, options: Mapping[str, Any] | None = None, **more: Any) -> Game:
    """Return a game by its name, with its options. They may be text, as they come from a file.

    >>> import touchline
    >>> touchline.game("hexapawn", rows=3, cols=3)
    Hexapawn(rows=3, cols=3)
    >>> touchline.game("hexapawn", {"rows": "4"}) == touchline.Hexapawn(rows=4)
    True
    """
    return registry.game(name, {**(options or {}), **more})


def list_bots(game: str | None = None) -> list[str]:
    """Return the names of the house players, or of those that play this game.

    >>> import touchline
    >>> "mcts" in touchline.list_bots(), "riemann" in touchline.list_bots("fish")
    (True, False)
    """
    return [name for name in registry.BOTS if game is None or registry.BOTS[name].game in (None, game)]


def bot(name: str, game: Game | str | None = None, *, seed: object = 0, **options: Any) -> Bot:
    """Return a house player with its options. Given a game, it loads or computes what it needs for it.

    >>> import touchline
    >>> from random import Random
    >>> player = touchline.bot("minimax", depth=2)
    >>> player.choose(touchline.Hexapawn(rows=3, cols=3).start(2, Random(1)), 0)
    Step(origin=(0, 0), target=(1, 0))
    """
    rules = registry.game(game) if isinstance(game, str) else game
    return make(name, rules, seed, options)


def list_conducts() -> list[str]:
    """Return the names of the conducts: what an offence costs in a match.

    >>> import touchline
    >>> touchline.list_conducts()
    ['course', 'friendly', 'seed-000', 'seed-001', 'seed-002', 'seed-003', 'seed-004', 'standard']
    """
    return [*registry.CONDUCTS]


def conduct(name: str | Path) -> Conduct:
    """Return a conduct by its name, or from a TOML file.

    >>> import touchline
    >>> touchline.conduct("seed-002").late.last.value
    'forfeit'
    """
    return conduct_of(str(name))

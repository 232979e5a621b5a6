"""Make house bots from words such as `mcts:seconds=0.5`: the one place where that is done.

A word is a name, then options after a colon. The command line, cups, servers and the page all come here.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from touchline.bots.base import HouseBot
from touchline.core import registry
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from touchline.bots.base import Level
    from touchline.core.rules import Game

Value = int | float | str


def names() -> list[str]:
    """Return the names of all installed bots.

    >>> "random" in names()
    True
    """
    return registry.names("bots")


def kind(name: str) -> type[HouseBot]:
    """Return the class of the bot with this name.

    >>> kind("random").game is None
    True
    """
    found = registry.find("bots", name)
    if not (isinstance(found, type) and issubclass(found, HouseBot)):
        raise BadOptions(f"{name}: {found!r} is not a class derived from touchline.bots.base.HouseBot")
    return found


def kinds(game: str | None) -> dict[str, type[HouseBot]]:
    """Return the bots that play this game, by name; for None those that play any game."""
    found = ((name, kind(name)) for name in names())
    return {name: bot for name, bot in found if bot.plays(game)}


def strongest(game: str | None) -> str:
    """Return the name of the strongest bot for a game; at equal strength a specialist is preferred.

    >>> strongest("fish"), strongest("a game that nobody knows"), strongest(None)
    ('shark', 'mcts', 'mcts')
    """
    found = kinds(game)
    return max(found, key=lambda name: (found[name].strength(), found[name].game is not None))


def opponents(game: str) -> list[tuple[str, Level, type[HouseBot]]]:
    """Return the levels of all bots that are offered as opponents in a game, the weakest first."""
    offered = [
        (name, level, bot)
        for name, bot in kinds(game).items()
        if game not in bot.slow_at
        for level in bot.levels
    ]
    return sorted(offered, key=lambda offer: offer[1].strength)


def make(
    word: str,
    game: Game | str | None = None,
    seed: object = 0,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
) -> HouseBot:
    """Make a bot from a word, with further options as values; what it needs is compiled.

    Given a `Game`, the bot is checked against it and prepared to play it. Given only a game's name, it is
    checked but not prepared. Given the number of seats, only what these need is compiled. The seed sets its
    random choices. BadOptions or UnknownName says what is wrong.

    >>> from touchline.games.hexapawn import Hexapawn
    >>> bot = make("minimax:depth=2", Hexapawn())
    >>> bot.choose(Hexapawn().start(2, None))
    Step(origin=(0, 0), target=(1, 0))
    """
    name, given = split(word)
    return build(kind(name), name, game, seed, {**given, **(options or {})}, seats)


def build(
    bot: type[HouseBot],
    name: str,
    game: Game | str | None,
    seed: object,
    options: Mapping[str, Any],
    seats: int | None = None,
) -> HouseBot:
    """Make a bot of a class that need not be installed; `name` is what messages call it."""
    made = _made(bot, name, game, seed, options)
    made.compile_kernels(game, seats)
    if game is not None and not isinstance(game, str):
        made.prepare(game)
    return made


def check(word: str, game: Game | str | None, options: Mapping[str, Any] | None = None) -> None:
    """Raise BadOptions or UnknownName if a word names no bot for this game; compile and prepare nothing."""
    name, given = split(word)
    _made(kind(name), name, game, 0, {**given, **(options or {})})


def compile_kernels(words: Iterable[str], game: Game | str | None, seats: int | None) -> None:
    """Compile what the bots among these words need, and load nothing else: workers will find it cached."""
    known = set(names())
    for name in dict.fromkeys(word.partition(":")[0] for word in words):
        if name in known:
            kind(name).compile_kernels(game, seats)


def _made(
    bot: type[HouseBot], name: str, game: Game | str | None, seed: object, options: Mapping[str, Any]
) -> HouseBot:
    _check_game(bot, name, game)
    _check_known(bot, name, options)
    chance = {"rng": Random(f"{seed}")} if bot.chance else {}
    try:
        return bot(**chance, **options)
    except (TypeError, ValueError) as error:
        raise BadOptions(f"{label(name, options)}: {error}") from None


def check_game(name: str, game: Game | str | None) -> None:
    """Raise BadOptions if the bot of this name does not play this game."""
    _check_game(kind(name), name, game)


def _check_game(bot: type[HouseBot], name: str, game: Game | str | None) -> None:
    if game is None:
        return
    called = game if isinstance(game, str) else game.name
    if not bot.plays(called):
        raise BadOptions(f"{name} plays {bot.game}, not {called}")
    if not bot.hidden and (registry.find("games", called) if isinstance(game, str) else game).hidden:
        raise BadOptions(f"{name} plays only games in which nothing is hidden, not {called}")


def check_numbers(name: str, options: Mapping[str, Any]) -> None:
    """Raise BadOptions unless all options are numbers: a stranger must not name a file to read or write."""
    for key, value in options.items():
        if type(value) not in (int, float):
            raise BadOptions(f"{name}: {key} is a number")


def split(word: str) -> tuple[str, dict[str, Value]]:
    """Split a word into a bot's name and its options.

    >>> split("minimax:depth=2,others=maxn")
    ('minimax', {'depth': 2, 'others': 'maxn'})
    """
    name, _, rest = word.partition(":")
    return name, dict(_parsed(name, part) for part in rest.split(",") if part)


def label(name: str, options: Mapping[str, Any]) -> str:
    """Return the word for a bot with options, the inverse of `split`.

    >>> label("minimax", {"depth": 2})
    'minimax:depth=2'
    """
    given = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{name}:{given}" if given else name


def options_of(bot: type[HouseBot]) -> dict[str, str]:
    """Return the options of a bot: name -> annotation of the parameter of its `__init__`.

    >>> options_of(kind("minimax"))
    {'depth': 'int', 'others': 'str'}
    """
    from inspect import formatannotation, signature  # slow to import, and not every start makes a bot

    found = {name: parameter.annotation for name, parameter in signature(bot).parameters.items()}
    found.pop("rng", None)
    return {name: kind if isinstance(kind, str) else formatannotation(kind) for name, kind in found.items()}


def _check_known(bot: type[HouseBot], name: str, options: Mapping[str, Any]) -> None:
    if not options:
        return  # most bots have none, and to look at a signature takes longer than a short game
    known = options_of(bot)
    if strange := sorted(set(options) - set(known)):
        it_has = f"it has: {', '.join(sorted(known))}" if known else "it has none"
        raise BadOptions(f"{name} has no option {strange[0]!r}; {it_has}")


def _parsed(name: str, part: str) -> tuple[str, Value]:
    """Return an option and its value: a number, unless the annotation says `str`."""
    key, sign, value = part.partition("=")
    if not sign:
        raise BadOptions(f"{name}: an option is written {key}=VALUE")
    if "str" in options_of(kind(name)).get(key, ""):
        return key, value
    for number in (int, float):
        try:
            return key, number(value)
        except ValueError:
            continue
    raise BadOptions(f"{name}: {key} is a number, not {value!r}")

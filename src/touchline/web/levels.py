"""Levels of play for people: a character for each, and the house player behind it.

A game describes itself to people in a file beside its rules, `fish.toml`: a title, one sentence, and levels.
For a game without one the levels are taken from the strengths that the house players state. Rule of this
file: a level is called unbeatable only by a game whose file says so; strength alone is no proof.
"""

from __future__ import annotations

import logging
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.draw.game_files import file_beside
from touchline.web import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.bots.base import HouseBot, Level

log = logging.getLogger(__name__)

ORDER: tuple[schema.LevelName, ...] = ("easy", "medium", "hard", "unbeatable")
BOUNDS: dict[schema.LevelName, tuple[int, int]] = {"easy": (1, 29), "medium": (30, 59), "hard": (60, 100)}
"""The strengths of generic levels: of several players the strongest, but of hard ones the weakest."""
CHARACTERS: dict[schema.LevelName, tuple[str, str]] = {
    "easy": ("Tuck", "A cheerful beginner who takes what looks good at once."),
    "medium": ("Marlow", "A patient neighbour who thinks a little ahead."),
    "hard": ("Grandmother Oak", "She has played every game there is, mostly in her head."),
}
"""Whom people meet in games that bring no characters of their own."""


class Character(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A level as the file of a game describes it."""

    level: schema.LevelName
    name: str
    about: str
    player: str
    options: dict[str, Any] = {}


class ForPeople(Struct, frozen=True, kw_only=True):
    """What the file of a game tells people about it."""

    title: str = ""
    tagline: str = ""
    levels: tuple[Character, ...] = ()


@cache
def for_people(kind: Any) -> ForPeople:
    """Return what a game tells people about itself; what its file leaves out is derived from its class."""
    said, file = ForPeople(), file_beside(kind, ".toml")
    if file is not None:
        try:
            said = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), ForPeople)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            log.warning("%s is left out: %s", file.name, error)
    return ForPeople(
        title=said.title or kind.name.replace("_", " ").capitalize(),
        tagline=said.tagline or (kind.__doc__ or "").split("\n")[0],
        levels=said.levels or _generic(kind),
    )


def _generic(kind: Any) -> tuple[Character, ...]:
    """Return levels of the house players that play this game, by the strength that they state."""
    players = factory.opponents(kind.name)
    if kind.hidden:
        players = [offer for offer in players if offer[2].hidden]
    found = []
    for level, (least, most) in BOUNDS.items():
        if offer := _chosen(players, least, most, level):
            name, about = CHARACTERS[level]
            found.append(
                Character(
                    level=level, name=name, about=about, player=offer[0], options=dict(offer[1].options)
                )
            )
    return tuple(found)


def _chosen(
    players: Sequence[tuple[str, Level, type[HouseBot]]], least: int, most: int, level: schema.LevelName
) -> tuple[str, Level, type[HouseBot]] | None:
    fitting = [offer for offer in players if least <= offer[1].strength <= most]
    if not fitting:
        return None
    return fitting[0] if level == "hard" else fitting[-1]


def levels_of(kind: Any) -> tuple[schema.LevelOffer, ...]:
    """Return the levels of a game, the easiest first; a level whose player is not installed is left out."""
    known = set(factory.names())
    fitting = [each for each in for_people(kind).levels if each.player in known]
    return tuple(
        schema.LevelOffer(
            level=each.level, name=each.name, about=each.about, player=each.player, options=each.options
        )
        for each in sorted(fitting, key=lambda each: ORDER.index(each.level))
    )


def level_of(game: str, level: str) -> schema.LevelOffer:
    """Return one level of a game. BadOptions if the game has none of this name.

    >>> level_of("fish", "easy").player
    'greedy'
    """
    offers = levels_of(registry.find("games", game))
    for offer in offers:
        if offer.level == level:
            return offer
    raise BadOptions(f"{game} has no level {level}; it has: {', '.join(offer.level for offer in offers)}")

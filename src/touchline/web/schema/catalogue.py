"""The catalogue: games with their options, house players and conducts."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct


class OptionOffer(Struct, frozen=True, kw_only=True):
    """An option of a game."""

    name: str
    about: str
    kind: Literal["integer", "boolean", "choice", "text", "json"]
    default: Any = None
    least: int | None = None
    most: int | None = None
    choices: tuple[Any, ...] | None = None


class HouseOffer(Struct, frozen=True):
    """A house player, with the options that make one level of play."""

    player: str
    options: dict[str, Any]
    label: str
    about: str


class GameOffer(Struct, frozen=True, kw_only=True):
    """An installed game, with its options and house players, the weakest first."""

    name: str
    title: str
    """The name for people: `Fish`."""
    tagline: str
    """One sentence that says what the game is about."""
    rules: tuple[str, ...]
    """The rules in 20 seconds: at most five lines."""
    about: str
    least: int
    most: int
    hidden: bool
    options: tuple[OptionOffer, ...]
    house: tuple[HouseOffer, ...]


class ConductOffer(Struct, frozen=True):
    """A conduct, with the sanctions for each offence in words."""

    name: str
    about: tuple[str, ...]


class Catalogue(Struct, frozen=True):
    """Everything that can be played here."""

    games: tuple[GameOffer, ...]
    conducts: tuple[ConductOffer, ...]

"""The catalogue: games with their options, house players and conducts."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from touchline.core.sketch import Backdrop, Key, Spot

LevelName: TypeAlias = Literal["easy", "medium", "hard", "unbeatable"]


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


class LevelOffer(Struct, frozen=True, kw_only=True):
    """A level of play for people: a character, and the house player behind it."""

    level: LevelName
    name: str
    """The character's name."""
    about: str
    """One line about the character."""
    player: str
    options: dict[str, Any]


class GameOffer(Struct, frozen=True, kw_only=True):
    """An installed game, with its options, levels and house players, the weakest first."""

    name: str
    title: str
    """The name for people."""
    tagline: str
    """What one does in it, in one sentence."""
    about: str
    least: int
    most: int
    hidden: bool
    options: tuple[OptionOffer, ...]
    levels: tuple[LevelOffer, ...]
    """Not every game has all four."""
    house: tuple[HouseOffer, ...]
    """Every player that can be chosen, for experts."""
    rules: tuple[str, ...] = ()
    """The rules in a few short lines."""


class ConductOffer(Struct, frozen=True):
    """A conduct, with the sanctions for each offence in words."""

    name: str
    about: tuple[str, ...]


class Catalogue(Struct, frozen=True):
    """Everything that can be played here."""

    games: tuple[GameOffer, ...]
    conducts: tuple[ConductOffer, ...]


class TutorialPosition(Struct, frozen=True, kw_only=True):
    """A position of the tutorial, as in a snapshot of a live feed."""

    spots: tuple[Spot, ...]
    backdrop: Backdrop = Backdrop()
    notes: tuple[str, ...] = ()
    legal: tuple[tuple[Key, ...], ...] = ()


class TutorialStep(Struct, frozen=True, kw_only=True):
    """A step of the tutorial: a position in which one of the wanted moves goes on."""

    title: str
    text: str
    position: TutorialPosition
    wanted: tuple[int, ...]
    """Indices of legal moves that go on."""
    right: str
    wrong: str
    after: tuple[Spot, ...]
    """The spots after the first wanted move."""


class Tutorial(Struct, frozen=True):
    """The tutorial of a game, step by step."""

    game: str
    steps: tuple[TutorialStep, ...]


class TutorialAfter(Struct, frozen=True):
    """The drawing after a move of a tutorial's step."""

    spots: tuple[Spot, ...]

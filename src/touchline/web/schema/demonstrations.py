"""Demonstrations: a short match of a game, drawn move by move."""

from __future__ import annotations

from msgspec import Struct

from touchline.core.sketch import Backdrop, Key, Spot


class DemonstrationMove(Struct, frozen=True):
    """A move: the spots that it changes, as in an update of a live feed."""

    whole: bool
    spots: tuple[Spot, ...]
    keys: tuple[Key, ...] | None


class Demonstration(Struct, frozen=True):
    """A part of a match between house players; without moves if none of them plays the game."""

    game: str
    spots: tuple[Spot, ...]
    backdrop: Backdrop
    moves: tuple[DemonstrationMove, ...]

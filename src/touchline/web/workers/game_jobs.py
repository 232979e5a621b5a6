"""The jobs of worker processes about games: the catalogue, tutorials and demonstrations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.web import schema


class ListGames(Struct, frozen=True, tag="offers"):
    """Make the catalogue of games. It takes a moment, since all games and house players are imported."""

    def done(self, started: Callable[[], None]) -> schema.Catalogue:
        from touchline.web.catalogue import catalogue

        started()
        return catalogue()


class ListTutorial(Struct, frozen=True, tag="tutorial"):
    """Make the tutorial of a game, as JSON; or the drawing after a move of one step."""

    game: str
    step: int | None = None
    move: int | None = None

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.tutorials import tutorial_after, tutorial_of

        started()
        if self.step is not None and self.move is not None:
            return msgspec.json.encode(tutorial_after(self.game, self.step, self.move))
        return msgspec.json.encode(tutorial_of(self.game))


class Demonstrate(Struct, frozen=True, tag="demonstrate"):
    """Play a short match between house players, and draw it as JSON."""

    game: str

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.web.demonstration import demonstration

        started()
        return msgspec.json.encode(demonstration(self.game))

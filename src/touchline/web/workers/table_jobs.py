"""The jobs of worker processes about tables: check that one can be made, and draw one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.rules import check_seats
from touchline.drivers.match import agreed, opened
from touchline.web import schema

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_SPOTS, MOST_MOVES = 1000, 6000
"""A larger board is refused: a browser could not show it."""


class HousePlayer(Struct, frozen=True, kw_only=True):
    """A house player that was found for a seat."""

    player: str
    options: dict[str, Any]
    name: str
    """The name at the table: that of the level's character, or the player's own word."""
    level: schema.LevelName | None = None


class CheckedTable(Struct, frozen=True):
    """A table that can be made: the options of the game in full, and the house players in their order."""

    options: dict[str, Any]
    players: tuple[HousePlayer, ...]


class CheckTable(Struct, frozen=True, tag="check"):
    """Check that a table can be made, and find the players of its levels."""

    game: str
    options: dict[str, Any]
    seats: int
    players: tuple[schema.SeatForHouse, ...]

    def done(self, started: Callable[[], None]) -> CheckedTable:
        game = registry.game(self.game, self.options)
        started()
        check_seats(game, self.seats, BadOptions)
        sketch = opened(agreed(game, [""] * self.seats, 0)).sketch()
        if len(sketch.spots) > MOST_SPOTS or len(sketch.moves) > MOST_MOVES:
            raise BadOptions(f"{game.name}: this board is too large for the page")
        players = tuple(self._player(seat) for seat in self.players)
        return CheckedTable(msgspec.to_builtins(game), players)

    def _player(self, seat: schema.SeatForHouse) -> HousePlayer:
        """Return the house player that a seat asks for. BadOptions if it plays another game."""
        from touchline.web.levels import level_of

        if seat.level is not None:
            offer = level_of(self.game, seat.level)
            player, options, name = offer.player, offer.options, offer.name
        else:
            player, options = seat.player or "", seat.options
            name = factory.label(player, options)
            factory.check_numbers(player, options)
        factory.check(player, self.game, options)
        return HousePlayer(player=player, options=options, name=name, level=seat.level)


class CardText(Struct, frozen=True, kw_only=True):
    """What the card of a table says."""

    headline: str
    why: str
    names: tuple[str, ...]
    scores: tuple[int, ...] | None = None
    winners: tuple[int, ...] = ()


class DrawPosition(Struct, frozen=True, kw_only=True, tag="position"):
    """Draw a position of a table: as SVG, small, or as a card; without one, an opening position."""

    game: str
    options: dict[str, Any]
    seats: int
    position: bytes | None
    theme: schema.Theme
    kind: schema.TablePicture = "svg"
    card: CardText | None = None

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.draw.card import Told, card, thumbnail
        from touchline.draw.sheet import sheet_of
        from touchline.draw.svg import picture, svg
        from touchline.web.levels import for_people

        started()
        game = registry.game(self.game, self.options)
        if self.position is None:
            state = opened(agreed(game, [""] * self.seats, 0)).view(None)
        else:
            state = game.restore(msgspec.json.decode(self.position, type=game.Position))
        sketch, sheet, title = state.sketch(), sheet_of(type(game)), for_people(type(game)).title
        if self.kind == "thumbnail":
            return thumbnail(sketch, sheet, self.theme)
        if self.kind == "card" and self.card is not None:
            text = self.card
            told = Told(title, text.headline, text.why, text.names, text.scores, text.winners)
            return card(sketch, sheet, told, self.theme)
        return svg(picture(sketch, sheet), self.theme, title).encode()

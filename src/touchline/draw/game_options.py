"""The options of a game as a table for people: the fields of its struct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import msgspec.inspect as shapes

if TYPE_CHECKING:
    from touchline.core.rules import Game


class GameOption(NamedTuple):
    name: str
    values: str
    """What it may be, such as `2 to 26`."""
    default: str
    about: str


def game_options(game: type[Game]) -> list[GameOption]:
    """Return the options of a game, in the order of its fields.

    >>> from touchline.games.hexapawn import Hexapawn
    >>> game_options(Hexapawn)[0]
    GameOption(name='rows', values='2 to 26', default='5', about='Rows of the board.')
    """
    info = shapes.type_info(game)
    assert isinstance(info, shapes.StructType)
    return [_option(field) for field in info.fields]


def _option(field: shapes.Field) -> GameOption:
    shape, about = field.type, ""
    while isinstance(shape, shapes.Metadata):
        about = (shape.extra_json_schema or {}).get("description", about)
        shape = shape.type
    usual = field.default
    default = "" if usual in (None, (), msgspec.NODEFAULT) else str(usual)
    return GameOption(field.name, _values(shape), default, about)


def _values(shape: Any) -> str:
    match shape:
        case shapes.LiteralType(values=values):
            return " or ".join(map(str, values))
        case shapes.IntType(ge=int(low), le=int(high)):
            return f"{low} to {high}"
        case shapes.IntType(ge=int(low)):
            return f"{low} or more"
        case shapes.IntType():
            return "a number"
        case shapes.BoolType():
            return "true or false"
        case shapes.UnionType(types=types):
            return " or ".join(_values(part) for part in types if not isinstance(part, shapes.NoneType))
        case shapes.StrType():
            return "text"
    return "JSON"

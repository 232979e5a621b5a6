"""The catalogue of games: their options, read from their fields, and the house players of each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec
import msgspec.inspect as shapes

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.registry import CONDUCTS
from touchline.draw.rules_page import short_rules
from touchline.web import schema
from touchline.web.levels import for_people, levels_of
from touchline.web.sentences import conduct_offer

if TYPE_CHECKING:
    from touchline.bots.base import HouseBot


def catalogue() -> schema.Catalogue:
    """Return every installed game, with its options and house players, and every conduct."""
    games = (registry.find("games", name) for name in registry.names("games"))
    return schema.Catalogue(tuple(map(_offer, games)), tuple(map(conduct_offer, CONDUCTS.values())))


def _offer(kind: Any) -> schema.GameOffer:
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    said = for_people(kind)
    return schema.GameOffer(
        name=kind.name,
        title=said.title,
        tagline=said.tagline,
        about=(kind.__doc__ or "").split("\n")[0],
        least=kind.seats[0],
        most=kind.seats[-1],
        hidden=kind.hidden,
        options=tuple(_choice(field) for field in info.fields if not _is_unset(field)),
        levels=levels_of(kind),
        house=tuple(
            schema.HouseOffer(name, dict(level.options), factory.label(name, level.options), _about(bot))
            for name, level, bot in factory.opponents(kind.name)
        ),
        rules=short_rules(kind),
    )


def _is_unset(field: shapes.Field) -> bool:
    """Return whether a field is unset by default, such as the position of a given game: it is no option."""
    return not field.required and field.default is msgspec.NODEFAULT


def _about(bot: type[HouseBot]) -> str:
    """Return the first line of a bot's docstring, or of its module's."""
    said = bot.__doc__ or sys.modules[bot.__module__].__doc__ or ""
    return said.split("\n")[0]


def _choice(field: shapes.Field) -> schema.OptionOffer:
    """Describe an option from a field of the game: its text, its bounds, its kind."""
    shape, about = field.type, ""
    while isinstance(shape, shapes.Metadata):
        about = (shape.extra_json_schema or {}).get("description", about)
        shape = shape.type
    if isinstance(shape, shapes.UnionType):
        shape = next(part for part in shape.types if not isinstance(part, shapes.NoneType))
    default = None if field.default is msgspec.NODEFAULT else msgspec.to_builtins(field.default)
    made: dict[str, Any] = {"name": field.name, "about": about, "default": default}
    match shape:
        case shapes.IntType():
            return schema.OptionOffer(kind="integer", least=shape.ge, most=shape.le, **made)
        case shapes.BoolType():
            return schema.OptionOffer(kind="boolean", **made)
        case shapes.LiteralType():
            return schema.OptionOffer(kind="choice", choices=tuple(shape.values), **made)
        case shapes.StrType():
            return schema.OptionOffer(kind="text", **made)
        case _:
            return schema.OptionOffer(kind="json", **made)

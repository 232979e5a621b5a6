"""The reference of the TOML files: keys, types, defaults and meanings, from the types that read them."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import msgspec
import msgspec.inspect as shapes

from touchline.conducts import base as conducts
from touchline.core import registry
from touchline.grading import rubric
from touchline.league import league_file
from touchline.players import project
from touchline.sandbox.limits import SIZES, ProgramLimits, size_text
from touchline.tournament import cup
from touchline_docs.field_docs import field_docs
from touchline_docs.markdown import code, plain, table

if TYPE_CHECKING:
    from collections.abc import Iterator

MADE = "<!-- made by docs/_ext/touchline_docs/toml_pages.py from the types that read the file -->"
WORDS: dict[type[Any], str] = {
    shapes.IntType: "integer",
    shapes.FloatType: "number",
    shapes.StrType: "text",
    shapes.BoolType: "true or false",
    shapes.DictType: "table",
    shapes.StructType: "table",
    shapes.AnyType: "any",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page."""
    yield "cup", "\n".join(_cup())
    yield "league", "\n".join(_league())
    yield "rubric", "\n".join(_rubric())
    yield "submission", "\n".join(_submission())
    yield "conduct", "\n".join(_conduct())


def _cup() -> Iterator[str]:
    yield _head("cup.toml", "a cup", "[Tournaments](../../../tournaments.md) explains it.")
    yield keys(cup._Written)
    yield "## `[[entrants]]`\n"
    yield keys(cup.Entrant)
    yield from _clock_and_program()
    yield "## `[format]`\n\n`name` is one of these; the other keys are its options.\n"
    for name in registry.FORMATS.ours():
        kind = registry.find("formats", name)
        yield f"### {name}\n\n{plain(_first_line(kind))}\n"
        yield keys(kind, without={"boards", "draw"})
    yield "## `[game]` and `[[boards]]`\n"
    yield "`name` of `[game]` is one of these; the other keys are its options.\n"
    for name in registry.GAMES.ours():
        kind = registry.find("games", name)
        yield f"### {name}\n\n{plain(_first_line(kind))}\n"
        yield keys(kind)


def _clock_and_program() -> Iterator[str]:
    yield "## `[clock]`\n"
    yield keys(cup._Clock)
    yield "## `[openings]`\n"
    yield keys(cup._Openings)
    yield '## `[program]`\n\nA size is a number of bytes, or a text such as `"512M"`.\n'
    yield keys(ProgramLimits)


def _league() -> Iterator[str]:
    seen = "[Leagues](../../../league.md) explains it. It has the keys of a [cup](cup.md) without"
    seen += " `format` and `entrants`, and these:"
    yield _head("league.toml", "a league", seen)
    yield keys(league_file._Own)
    for key, kind in (
        ("quotas", league_file.Quotas),
        ("check", league_file.CheckTerms),
        ("webhook", league_file.WebhookTerms),
    ):
        yield f"## `[{key}]`\n"
        yield keys(kind)


def _rubric() -> Iterator[str]:
    seen = '[Grading](../../../grading.md) explains it. Keys "as in a cup" are those of [cup.toml](cup.md).'
    yield _head("rubric.toml", "a rubric", seen)
    yield keys(rubric._Written)
    yield "## `[[steps]]`\n"
    yield keys(rubric._WrittenStep)


def _submission() -> Iterator[str]:
    yield _head(
        "touchline.toml", "the player of a submission", "It lies in what is handed in, and is optional."
    )
    yield keys(project.Settings)


def _conduct() -> Iterator[str]:
    seen = (
        "[The referee](../../../referee.md) explains it. A key that is left out is as in the conduct `like`."
    )
    yield _head("A conduct", "what an offence costs", seen)
    yield keys(conducts._Written)
    yield "## A ladder\n"
    yield keys(conducts._Rungs)


def _head(name: str, what: str, seen: str) -> str:
    return f"{MADE}\n# {name}\n\nThe keys of {what}. {seen}\n"


# -- types as people write them --------------------------------------------------------------------


def keys(kind: type[Any], without: set[str] | frozenset[str] = frozenset()) -> str:
    """Return the table of a type's fields."""
    info = shapes.type_info(kind)
    assert isinstance(info, shapes.StructType)
    texts = field_docs(kind)
    rows = [
        (
            code(field.encode_name),
            plain(written(field.type)),
            _default(field),
            plain(texts.get(field.encode_name) or _meta(field.type) or ""),
        )
        for field in info.fields
        if field.name not in without
    ]
    if not rows:
        return "It has no keys.\n"
    return table(["key", "type", "default", "meaning"], rows)


def _meta(shape: shapes.Type) -> str | None:
    """Return the description of an annotated type."""
    while isinstance(shape, shapes.Metadata):
        if described := (shape.extra_json_schema or {}).get("description"):
            return str(described)
        shape = shape.type
    return None


def written(shape: shapes.Type) -> str:
    """Return a type in words."""
    while isinstance(shape, shapes.Metadata):
        shape = shape.type
    match shape:
        case shapes.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case shapes.UnionType(types=types):
            words = [written(part) for part in types if not isinstance(part, shapes.NoneType)]
            return " or ".join(dict.fromkeys(words))
        case shapes.VarTupleType(item_type=item) | shapes.ListType(item_type=item):
            return f"list of {_plural(written(item))}"
        case shapes.TupleType(item_types=items):
            return f"{', '.join(map(written, items))}"
        case shapes.IntType() | shapes.FloatType():
            return WORDS[type(shape)] + _bounds(shape)
    return WORDS.get(type(shape), "any")


def _plural(word: str) -> str:
    return {"table": "tables", "text": "texts", "number": "numbers", "integer": "integers"}.get(word, word)


def _bounds(shape: shapes.IntType | shapes.FloatType) -> str:
    if shape.ge is not None and shape.le is not None and shape.le < 1 << 31:
        return f", {shape.ge:,} to {shape.le:,}"
    return f", {shape.ge:,} or more" if shape.ge is not None and shape.le is None else ""


def _default(field: shapes.Field) -> str:
    if field.required:
        return "required"
    value = field.default
    if field.name in SIZES and isinstance(value, int):
        return size_text(value)
    if value in (None, (), ({},), "", msgspec.UNSET, msgspec.NODEFAULT) or isinstance(
        value, msgspec.Struct | tuple
    ):
        return ""
    return code(
        str(value).lower()
        if isinstance(value, bool)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def _first_line(kind: type[Any]) -> str:
    return inspect.cleandoc(kind.__doc__ or "").splitlines()[0]

"""Types that several parts of the API share."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Millis: TypeAlias = int
Source: TypeAlias = Literal["table", "dropped", "folder", "cup"]
Theme: TypeAlias = Literal["light", "dark"]
TablePicture: TypeAlias = Literal["svg", "thumbnail", "card"]
RecordPicture: TypeAlias = Literal["svg", "png", "thumbnail", "card"]
FilmKind: TypeAlias = Literal["GIF", "WEBP"]
Options: TypeAlias = dict[Annotated[str, Meta(max_length=40)], Any]
"""Options of a game or a house player, which checks them itself."""


class ErrorBody(Struct, frozen=True, omit_defaults=True, rename={"code": "error"}):
    """An error: a code for programs and a sentence for people."""

    code: str
    message: str
    record: str | None = None
    """The record of a table that is gone."""


class EmptyBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty JSON object."""

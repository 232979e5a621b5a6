"""Moves and hints: the requests of a seat, and the responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from touchline.core.sketch import Key
from touchline.web.schema.common import Options


class MoveRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move: either an index into the legal moves, or the move itself."""

    turn: Annotated[int, Meta(ge=0, le=1 << 53)]
    choice: Annotated[int, Meta(ge=0, le=1 << 53)] | None = None
    move: msgspec.Raw | UnsetType = UNSET
    """The move in the game's own JSON form."""


class MoveVerdict(Struct, frozen=True):
    """The referee's verdict on a move."""

    turn: int
    verdict: Literal["accepted", "rejected", "ignored"]
    reason: str | None = None


class HintRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a hint, from a certain house player or from the strongest."""

    player: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    options: Options = {}


class Hint(Struct, frozen=True, kw_only=True):
    """The move that a house player would make, with its reasons if it gives any."""

    turn: int
    choice: int
    keys: tuple[Key, ...]
    move: Any
    text: str
    """The move in words: `slide from (0, 3) to (1, 3) and eat 4`."""
    player: str
    says: str
    values: tuple[float, ...]

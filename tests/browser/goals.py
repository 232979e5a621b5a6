"""What a window was told about the goals of Labyrinth, and what it should have been told."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from touchline.records.replay import Replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Goals = set[tuple[int, tuple[int, int]]]
"""Seats, and a tile that each was after at some time."""

STAR = re.compile(rb'href="#labyrinth-(?:goal|aim)')
"""How a goal is drawn in a picture."""
PUBLIC = {"key", "keys", "legal", "move", "backdrop", "at", "x", "y"}
"""Where tiles are named that everybody sees, and where things are drawn."""


def true_goals(record: bytes) -> tuple[Goals, Goals, list[bytes]]:
    """From the record: all goals there were, those at the end, and the secrets from which they were drawn."""
    replay = Replay(record, "the record")
    assert replay.ended is not None
    ever: Goals = set()
    last: Goals = set()
    for _, state in replay.states():
        seekers: Any = state
        last = {(seat, seeker.goal) for seat, seeker in enumerate(seekers.seekers)}
        ever |= last
    return ever, last, [str(replay.ended.seed).encode(), str(replay.ended.nonce).encode()]


def about(table: str, lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Lines without what the lobby says of other tables."""
    for line in lines:
        if line["type"] == "lobby":
            yield {**line, "tables": [one for one in line["tables"] if one["id"] == table]}
        elif line["type"] != "table" or line["table"]["id"] == table:
            yield line


def starred(lines: Iterable[dict[str, Any]]) -> Goals:
    """The goals that are marked in these lines of a live feed."""
    return {
        (mark["seat"], (spot["key"][0], spot["key"][1]))
        for line in lines
        for spot in line.get("spots", ())
        for mark in spot.get("marks", ())
        if mark["glyph"] == "*"
    }


def whispered(lines: Iterable[dict[str, Any]], goals: Goals) -> Iterator[str]:
    """Places that name one of these tiles in any other way."""
    for line in lines:
        rest = json.dumps(_without(line))
        for seat, (row, col) in goals:
            if found := re.search(rf"(?<!\d){row}\W{{1,4}}{col}(?!\d)", rest):
                near = rest[max(0, found.start() - 60) : found.end() + 20]
                yield f"seat {seat} is after {row},{col}: ... {near} ..."


def _without(value: Any) -> Any:
    """A line without what everybody sees: the tiles of the drawing, and moves that were made or can be."""
    if isinstance(value, list):
        return [_without(item) for item in value]
    if not isinstance(value, dict):
        return value
    moved = value.get("kind") == "moved"
    return {
        name: _without(item)
        for name, item in value.items()
        if name not in PUBLIC and not (moved and name == "text")
    }

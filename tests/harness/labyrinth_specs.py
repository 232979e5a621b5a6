"""Inputs of the harnesses of the Labyrinth course, made by hand."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

from obvious.seekers import OPEN, lines
from touchline.coursework.harness.labyrinth import HARNESSES
from touchline.games.boards.maze import GEMS

if TYPE_CHECKING:
    from random import Random

    from touchline.core.rules import Cell

SHUT_IN = ["─────", "─│─│─", "─────", "─│─│─", "─────"]
"""With a straight spare nobody on a fixed tile of this board can ever walk anywhere, after one push."""
KINDS = ["".join(OPEN), "│─└┐", "┬├┼", "│─", "─────└"]


def ask(harness: str, *values: Any) -> Any:
    """The harness's answer to some values, as the JSON it would print."""
    data = "\n".join(json.dumps(value) for value in values).encode()
    return json.loads(json.dumps(HARNESSES[harness](data)))


def at(row: int, col: int) -> dict[str, int]:
    return {"row#": row, "column#": col}


def board(*rows: str) -> dict[str, Any]:
    """A Board from strings of connectors, every tile with a treasure of its own."""
    pairs = (list(pair) for pair in combinations_with_replacement(GEMS, 2))
    return {
        "connectors": [list(row) for row in rows],
        "treasures": [[next(pairs) for _ in row] for row in rows],
    }


def tile(connector: str) -> dict[str, str]:
    return {"tilekey": connector, "1-image": "zoisite", "2-image": "zoisite"}


def player(current: Cell, home: Cell = (1, 1), goal: Cell = (1, 1)) -> dict[str, Any]:
    return {"current": at(*current), "home": at(*home), "goto": at(*goal), "color": "red"}


def state(
    rows: list[str],
    spare: str,
    *players: dict[str, Any],
    last: tuple[int, str] | None = None,
    goals: list[Cell] | None = None,
) -> dict[str, Any]:
    """A State or RefereeState; further goals only if there are any to speak of."""
    colours = ["purple", "orange", "pink", "red", "blue", "green", "yellow", "white"]
    plmt = [{**one, "color": colour} for one, colour in zip(players, colours, strict=False)]
    value = {"board": board(*rows), "spare": tile(spare), "plmt": plmt, "last": last}
    return value if goals is None else {**value, "goals": [at(*goal) for goal in goals]}


def crosses(size: int, *players: dict[str, Any], goals: list[Cell] | None = None) -> dict[str, Any]:
    """A board on which every walk is possible: each turn a player reaches its goal, unless it is on it."""
    return state(["┼" * size] * size, "┼", *players, goals=goals)


def random_state(rng: Random, seats: int, size: tuple[int, int]) -> dict[str, Any]:
    """Any tiles, homes and goals on fixed tiles or anywhere, perhaps further goals, perhaps a last push."""
    rows, cols = size
    kind = rng.choice(KINDS)
    tiles = [(row, col) for row in range(rows) for col in range(cols)]
    fixed = [(row, col) for row, col in tiles if row % 2 and col % 2]
    places = rng.choice([fixed, tiles])
    players = [player(rng.choice(tiles), rng.choice(places), rng.choice(places)) for _ in range(seats)]
    goals = [rng.choice(places) for _ in range(rng.randint(0, 3))]
    last = rng.choice([None, rng.choice(lines(rows, cols))])
    drawn = ["".join(rng.choices(kind, k=cols)) for _ in range(rows)]
    return state(drawn, rng.choice(kind), *players, last=last, goals=rng.choice([None, goals]))

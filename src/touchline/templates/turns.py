"""Positions of a game with their legal moves, from the rules, for the tests of bots in other languages."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import State

TABLES: dict[str, list[tuple[dict[str, Any], int]]] = {
    "fish": [({}, 2), ({"rows": 7, "cols": 4, "holes": 5}, 3), ({"rules": "commercial"}, 2)],
    "hexapawn": [({"rows": 3, "cols": 3}, 2), ({"rows": 6, "cols": 5}, 2)],
    "labyrinth": [({"rows": 5, "cols": 5}, 2), ({"rows": 3, "cols": 6}, 2)],
}
"""The options and the number of seats of matches that meet every rule about moves."""
AFTER = (0, 1, 5, 6, 14, 17)
"""The positions after so many moves are taken."""


def turns(game: str) -> str:
    """Return lines of JSON: `position` as a seat is shown it, and `legal`, each legal move as it is written.

    >>> turns("hexapawn").count("\\n")
    8
    """
    lines = [line for options, seats in TABLES[game] for line in _played(game, options, seats)]
    return "".join(f"{line}\n" for line in lines)


def _played(name: str, options: dict[str, Any], seats: int) -> Iterator[str]:
    rng = Random(f"{name} {options}")
    state: State = registry.game(name, options).start(seats, rng)
    for number in range(max(AFTER) + 1):
        if state.to_move is None:
            return
        if number in AFTER:
            yield _line(state.view(state.to_move))
        if number == AFTER[-2] and seats > 2:  # a seat that is out has no pieces
            state = state.without((state.to_move + 1) % seats)
            yield _line(state.view(state.to_move))
        else:
            state = state.play(rng.choice(state.legal_moves()))


def _line(view: State) -> str:
    legal = [msgspec.json.encode(move).decode() for move in view.legal_moves()]
    return msgspec.json.encode({"position": view.position(), "legal": legal}).decode()

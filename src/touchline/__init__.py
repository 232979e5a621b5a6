"""Touchline: the referee for turn-based games between players that nobody trusts.

The public names are below, and nothing is imported before one of them is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from touchline.core.errors import BadInput, BadOptions, TouchlineError, UnknownName
    from touchline.core.registry import game
    from touchline.core.rules import Cell, Game, IllegalMove, Outcome, Seat, Skippable, State
    from touchline.core.sketch import Piece, Sketch, Spot

__version__ = "0.1.0"

_HOMES = {
    "core.errors": ("BadInput", "BadOptions", "TouchlineError", "UnknownName"),
    "core.registry": ("game",),
    "core.rules": ("Cell", "Game", "IllegalMove", "Outcome", "Seat", "Skippable", "State"),
    "core.sketch": ("Piece", "Sketch", "Spot"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BadInput", "BadOptions", "Cell", "Game", "IllegalMove", "Outcome", "Piece", "Seat", "Sketch",
    "Skippable", "Spot", "State", "TouchlineError", "UnknownName", "__version__", "game",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'touchline' has no attribute {name!r}")
    return getattr(importlib.import_module(f"touchline.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__

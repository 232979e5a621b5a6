"""A view as an array: planes over the board, made from the view's drawing, so that every game has them.

A plane has a number for each square: whether a piece of a seat stands there, whether it is a hole, and so
on. What lies beside the board, and the tally of each seat, are planes with the same number everywhere. Seats
are counted from the observer: its own plane comes first.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from touchline.core.rules import Tallied

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from touchline.core.rules import Game, Seat, State
    from touchline.core.sketch import Spot

WAYS = "NESW"
LABELS = 10.0
"""Labels that are numbers, such as the fish on a tile, are divided by this."""


class Planes:
    """Arrays of one game with one number of seats; the planes are named in `names`."""

    def __init__(self, game: Game, seats: int) -> None:
        self._seats = seats
        start = game.start(seats, Random(0)).view(0)
        spots = start.sketch().spots
        board = [spot.key for spot in spots if isinstance(spot.key, tuple)]
        beside = [str(spot.key) for spot in spots if not isinstance(spot.key, tuple) and spot.strokes]
        self._lines = any(spot.strokes for spot in spots)
        self._marks = any(spot.marks for spot in spots)
        self._tallied = isinstance(start, Tallied)
        rows, cols = (max(axis, default=0) + 1 for axis in zip(*board, strict=True))
        self.names: tuple[str, ...] = tuple(self._named(beside))
        """What each plane shows."""
        self._plane = {name: number for number, name in enumerate(self.names)}
        self.shape = (rows, cols, len(self.names))

    def _named(self, beside: Sequence[str]) -> Iterator[str]:
        """Yield the names of the planes that this game needs."""
        for seat in range(self._seats):
            yield f"piece {seat}"
        if self._marks:
            for seat in range(self._seats):
                yield f"home {seat}"
                yield f"goal {seat}"
        yield from ("hole", "dark", "number")
        for way in WAYS if self._lines else "":
            yield f"line {way}"
        for word in beside:
            for way in WAYS:
                yield f"{word} {way}"
        for seat in range(self._seats):
            yield f"to move {seat}"
        for seat in range(self._seats) if self._tallied else ():
            yield f"tally {seat}"

    def of(self, view: State, seat: Seat) -> NDArray[np.float32]:
        """Return what a seat sees in its view."""
        planes = np.zeros(self.shape, np.float32)
        for spot in view.sketch().spots:
            if isinstance(spot.key, tuple):
                self._draw(planes[spot.key], spot, seat)
            else:
                self._fill(planes, {f"{spot.key} {way}": 1 for way in spot.strokes})
        if view.to_move is not None:
            self._fill(planes, {f"to move {self._from(seat, view.to_move)}": 1})
        if self._tallied:
            tallies: Any = view.tally()  # type: ignore[attr-defined]
            self._fill(planes, {f"tally {self._from(seat, who)}": n for who, n in enumerate(tallies)})
        return planes

    def _from(self, seat: Seat, other: Seat) -> int:
        return (other - seat) % self._seats

    def _fill(self, planes: NDArray[np.float32], values: dict[str, float]) -> None:
        for name, value in values.items():
            if name in self._plane:
                planes[:, :, self._plane[name]] = value

    def _draw(self, square: NDArray[np.float32], spot: Spot, seat: Seat) -> None:
        """Write one square of the board."""
        shown = {f"piece {self._from(seat, piece.seat)}": 1.0 for piece in spot.pieces}
        for mark in spot.marks:
            kind = "home" if mark.glyph.isalpha() else "goal"
            shown[f"{kind} {self._from(seat, mark.seat)}"] = 1.0
        shown["hole"] = float(spot.fill == "gap")
        shown["dark"] = float(spot.fill == "dark")
        shown["number"] = int(spot.label) / LABELS if spot.label.isdecimal() else 0.0
        for way in spot.strokes:
            shown[f"line {way}"] = 1.0
        for name, value in shown.items():
            if name in self._plane:
                square[self._plane[name]] = value

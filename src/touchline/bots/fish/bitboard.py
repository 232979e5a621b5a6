"""A state of Fish as bitboards for the kernels, and the translation of their moves."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any

from touchline.bots.kernels import blank, table
from touchline.bots.kernels.fish import COUNTS, MOST_COLS, TILES, UNIT, WORDS, around, floe_of, reach, units
from touchline.games.fish import Place, Slide

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Seat
    from touchline.games.fish import FishState, Move

BOARD_KERNELS = (around, reach, units)
"""What a `FishBitboard` calls."""


def fits(state: FishState) -> bool:
    """Return whether the kernels can play on this board."""
    return len(state.fish) <= TILES and state.table.grid.cols <= MOST_COLS


class FishBitboard:
    """The board of one game, which does not change, and its current state: sets of tiles are integers."""

    def __init__(self, state: FishState) -> None:
        grid = state.table.grid
        rays = [grid.rays[tile] for tile in range(len(state.fish))]
        self._table, self._fish = state.table, state.fish
        self.floe = floe_of(rays, state.fish, grid.cols, state.table.quota, commercial=state.table.commercial)
        self.look_at(state)

    def after(self, state: FishState) -> FishBitboard:
        """Return the bitboards of another state of the same game."""
        board = FishBitboard.__new__(FishBitboard)
        board.floe, board._table, board._fish = self.floe, self._table, self._fish
        board.look_at(state)
        return board

    def has(self, state: FishState) -> bool:
        """Return whether a state belongs to this game: all tiles that are left have the same fish."""
        return state.table is self._table and all(
            now in (0, was) for was, now in zip(self._fish, state.fish, strict=True)
        )

    def look_at(self, state: FishState) -> None:
        self.state, self.free = state, state.free
        self.seats = len(state.penguins)
        self.present = [seat for seat in range(self.seats) if seat not in state.removed]
        self.penguins = [sum(1 << tile for tile in mine) for mine in state.penguins]
        tiles = state.tiles or (0,) * self.seats
        self.scores = [UNIT * score + more for score, more in zip(state.scores, tiles, strict=True)]
        self.left = 0
        """Penguins that are still to be placed."""
        if state.placing:
            self.left = sum(max(0, state.table.quota - len(state.penguins[seat])) for seat in self.present)

    @property
    def mover(self) -> Seat:
        """The seat to move; the game is not over."""
        assert self.state.to_move is not None
        return self.state.to_move

    def everybody(self) -> int:
        """Return the penguins of all seats that were not removed."""
        return sum(self.penguins[seat] for seat in self.present)

    def finals(self) -> list[float | None]:
        """Return the score of each seat so far; None for a removed seat."""
        return [float(score) if seat in self.present else None for seat, score in enumerate(self.scores)]

    def around(self, tiles: int) -> int:
        """Return the free tiles next to these tiles."""
        return int(around(tiles, self.floe)) & self.free

    def reach(self, tiles: int) -> int:
        """Return the free tiles that can be reached from these tiles in any number of moves."""
        return int(reach(tiles, self.free, self.floe))

    def units(self, tiles: int) -> int:
        """Return what these tiles are worth together."""
        return int(units(tiles, self.floe))

    def rivals(self, seat: Seat) -> list[Seat]:
        """Return the other seats that can still move or place."""
        return [
            other
            for other in self.present
            if other != seat and (self.left or self.around(self.penguins[other]))
        ]

    def is_cut_off(self, seat: Seat) -> bool:
        """Return whether all penguins are placed and no other seat can reach a tile that this seat can."""
        mine = self.reach(self.penguins[seat])
        return not self.left and not any(
            mine & self.around(self.penguins[other]) for other in self.present if other != seat
        )

    def groups(self, seat: Seat) -> list[tuple[int, int]]:
        """Return the seat's movable penguins in groups that share tiles, each with those tiles."""
        found, rest = [], self.penguins[seat]
        while rest:
            first = rest & -rest
            whole = int(reach(first, self.free | self.penguins[seat], self.floe)) | first
            rest &= ~whole
            if whole & self.free:
                found.append((whole & self.penguins[seat], whole & self.free))
        return found

    def rows(self, seed: int) -> tuple[Any, Any]:
        """Return the arrays for the kernels that play with any number of seats."""
        spare = [0] * (4 - self.seats)
        present = sum(1 << seat for seat in self.present)
        counts = [*self.scores, *spare, self.mover, self.left, present, present, self.seats]
        return table([self.free, *self.penguins, *spare, seed], "uint64"), table(counts)

    def move(self, number: int) -> Move:
        """Return the move that the kernels write as this number."""
        cells = self.state.table.grid.cells
        if self.left:
            return Place(cells[number & 63])
        return Slide(cells[number >> 6], cells[number & 63])


def room_for_state() -> tuple[Any, Any]:
    """Return empty arrays of the size of a state, as work space."""
    return blank(WORDS, "uint64"), blank(COUNTS)


def prospects(finals: Sequence[float | None], doubt: float) -> tuple[float, ...]:
    """Turn expected final scores into values per seat; without doubt the best share the win.

    >>> prospects([64.0, 64.0, None, 0.0], 0)
    (0.5, 0.5, 0.0, 0.0)
    """
    best = max((final for final in finals if final is not None), default=0.0)
    shares = [
        0.0 if final is None else float(final == best) if not doubt else exp((final - best) / doubt)
        for final in finals
    ]
    whole = sum(shares) or 1.0
    return tuple(share / whole for share in shares)

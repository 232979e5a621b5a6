"""A state of Fish as the kernels read it, and their moves as the rules write them."""

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


def fits(state: FishState) -> bool:
    """Whether the kernels can play on this board."""
    return len(state.fish) <= TILES and state.table.grid.cols <= MOST_COLS


class Sea:
    """The floe of one game, and what there is on it now."""

    def __init__(self, state: FishState) -> None:
        grid = state.table.grid
        rays = [grid.rays[tile] for tile in range(len(state.fish))]
        self._table, self._fish = state.table, state.fish
        self.floe = floe_of(rays, state.fish, grid.cols, state.table.quota, commercial=state.table.commercial)
        self.look_at(state)

    def after(self, state: FishState) -> Sea:
        """Another state of the same game."""
        sea = Sea.__new__(Sea)
        sea.floe, sea._table, sea._fish = self.floe, self._table, self._fish
        sea.look_at(state)
        return sea

    def has(self, state: FishState) -> bool:
        """Whether a state is of this game, or of one in which all tiles that are left are the same."""
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
        """Whose turn it is; there is somebody's."""
        assert self.state.to_move is not None
        return self.state.to_move

    def everybody(self) -> int:
        """All penguins of those who are present."""
        return sum(self.penguins[seat] for seat in self.present)

    def finals(self) -> list[float | None]:
        """What everybody has who is present, to be corrected by what is still to come."""
        return [float(score) if seat in self.present else None for seat, score in enumerate(self.scores)]

    def around(self, tiles: int) -> int:
        """The free tiles next to some tiles."""
        return int(around(tiles, self.floe)) & self.free

    def reach(self, tiles: int) -> int:
        """The free tiles to which there is a way from some tiles."""
        return int(reach(tiles, self.free, self.floe))

    def units(self, tiles: int) -> int:
        """What some tiles are worth together."""
        return int(units(tiles, self.floe))

    def rivals(self, seat: Seat) -> list[Seat]:
        """The others who can still do something."""
        return [
            other
            for other in self.present
            if other != seat and (self.left or self.around(self.penguins[other]))
        ]

    def is_cut_off(self, seat: Seat) -> bool:
        """Whether all stand, and nobody else reaches a tile that this seat reaches."""
        mine = self.reach(self.penguins[seat])
        return not self.left and not any(
            mine & self.around(self.penguins[other]) for other in self.present if other != seat
        )

    def groups(self, seat: Seat) -> list[tuple[int, int]]:
        """The seat's penguins that can move, those that share tiles together, and the tiles they share."""
        found, rest = [], self.penguins[seat]
        while rest:
            first = rest & -rest
            whole = int(reach(first, self.free | self.penguins[seat], self.floe)) | first
            rest &= ~whole
            if whole & self.free:
                found.append((whole & self.penguins[seat], whole & self.free))
        return found

    def rows(self, seed: int) -> tuple[Any, Any]:
        """The state for the kernels that play with any number of seats."""
        spare = [0] * (4 - self.seats)
        present = sum(1 << seat for seat in self.present)
        counts = [*self.scores, *spare, self.mover, self.left, present, present, self.seats]
        return table([self.free, *self.penguins, *spare, seed], "uint64"), table(counts)

    def move(self, number: int) -> Move:
        """The move that kernels write as this number."""
        cells = self.state.table.grid.cells
        if self.left:
            return Place(cells[number & 63])
        return Slide(cells[number >> 6], cells[number & 63])


def room_for_state() -> tuple[Any, Any]:
    """Rows like those of a state, to be written over."""
    return blank(WORDS, "uint64"), blank(COUNTS)


def prospects(finals: Sequence[float | None], doubt: float) -> tuple[float, ...]:
    """What each seat can expect that may end with so much; with no doubt the best share the win.

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

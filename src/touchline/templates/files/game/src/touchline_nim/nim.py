from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct

from touchline.core.rules import IllegalMove, Outcome
from touchline.core.sketch import Sketch, Spot


class Take(Struct, frozen=True):
    heap: int
    count: int


class NimState(Struct, frozen=True):
    heaps: tuple[int, ...]
    to_move: int | None
    ended: Outcome | None = None
    passed_over: ClassVar[tuple[int, ...]] = ()

    def legal_moves(self) -> list[Take]:
        if self.to_move is None:
            return []
        return [Take(heap, n) for heap, size in enumerate(self.heaps) for n in range(1, size + 1)]

    def check(self, move: Any) -> None:
        if move not in self.legal_moves():
            raise IllegalMove("take at least one stone, from one heap, and no more than it has")

    def play(self, move: Take) -> NimState:
        left = tuple(size - move.count * (heap == move.heap) for heap, size in enumerate(self.heaps))
        if any(left):
            return NimState(left, 1 - self.to_move)
        return won(self.to_move, left, "took the last stone", (1, 2))

    def without(self, seat: int) -> NimState:
        if self.ended and self.ended.ranks[1 - seat] is None:
            return NimState(self.heaps, None, Outcome((), (None, None), (0, 0), "nobody is left"))
        return won(1 - seat, self.heaps, "opponent removed", (1, None))

    def view(self, seat: int | None) -> NimState:
        return self  # nothing is hidden, so there is nothing to imagine either

    imagine = position = lambda self, *_: self  # plain values: a state is its own written form

    def outcome(self) -> Outcome | None:
        return self.ended

    def sketch(self) -> Sketch:
        heaps = [Spot(key=(0, heap), x=heap, y=0, label=str(n)) for heap, n in enumerate(self.heaps)]
        counts = [Spot(key=f"{n}", x=n - 1, y=2, label=str(n)) for n in range(1, max(self.heaps) + 1)]
        moves = tuple(((0, move.heap), f"{move.count}") for move in self.legal_moves())
        return Sketch(spots=(*heaps, *counts), moves=moves)


def won(winner: int, heaps: tuple[int, ...], reason: str, ranks: tuple[int | None, ...]) -> NimState:
    by_seat = slice(None, None, -1 if winner else 1)
    return NimState(heaps, None, Outcome((winner,), ranks[by_seat], (1, 0)[by_seat], reason))


class Nim(Struct, frozen=True, kw_only=True):
    """Take stones from one heap; who takes the last stone wins."""

    heaps: tuple[int, ...] = (1, 3, 5, 7)
    name, seats, hidden = "nim", range(2, 3), False
    Move, Position, Proposal = Take, NimState, None

    def start(self, seats, rng, proposals=()) -> NimState:
        if seats not in self.seats:
            raise ValueError("nim is for 2 players")
        return NimState(self.heaps, 0)

    def restore(self, position: NimState) -> NimState:
        return position

    def all_moves(self) -> list[Take]:
        return NimState(self.heaps, 0).legal_moves()

"""Hexapawn, the obvious way: a dict of pawns and the two rules of moving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.games.hexapawn import HexapawnPosition, Step

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Seat


class ObviousHexapawn:
    """A game of hexapawn that is changed in place."""

    def __init__(self, start: HexapawnPosition) -> None:
        self.rows = len(start.board)
        self.cols = len(start.board[0])
        self.pawns: dict[Cell, Seat] = {}
        for row, line in enumerate(start.board):
            for col, mark in enumerate(line):
                if mark != ".":
                    self.pawns[row, col] = {"1": 0, "2": 1}[mark]
        self.turn: Seat = 0
        self.removed: set[Seat] = set()
        self.winner: Seat | None = None
        self.reason: str | None = None
        self.end_if_stuck()

    @property
    def over(self) -> bool:
        return self.reason is not None

    @property
    def to_move(self) -> Seat | None:
        return None if self.over else self.turn

    @property
    def winners(self) -> tuple[Seat, ...]:
        return () if self.winner is None else (self.winner,)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(1 if seat == self.winner else 0 for seat in (0, 1))

    @property
    def ranks(self) -> tuple[int | None, ...]:
        places: list[int | None] = [1 if seat == self.winner else 2 for seat in (0, 1)]
        for seat in self.removed:
            places[seat] = None
        return tuple(places)

    def forward(self, seat: Seat) -> int:
        """Seat 0 walks towards the last row, seat 1 towards the first."""
        return 1 if seat == 0 else -1

    def far_row(self, seat: Seat) -> int:
        return self.rows - 1 if seat == 0 else 0

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def legal_moves(self) -> set[Step]:
        return set() if self.over else self.moves_of(self.turn)

    def moves_of(self, seat: Seat) -> set[Step]:
        """What a seat could do if it were its turn."""
        moves = set()
        for (row, col), owner in self.pawns.items():
            if owner != seat:
                continue
            ahead = row + self.forward(seat)
            if self.on_board((ahead, col)) and (ahead, col) not in self.pawns:
                moves.add(Step((row, col), (ahead, col)))
            for side in (col - 1, col + 1):
                if self.pawns.get((ahead, side)) == 1 - seat:
                    moves.add(Step((row, col), (ahead, side)))
        return moves

    def play(self, move: Step) -> None:
        mover = self.turn
        del self.pawns[move.origin]
        self.pawns[move.target] = mover
        self.turn = 1 - mover
        if move.target[0] == self.far_row(mover):
            self.winner, self.reason = mover, "reached the far row"
        else:
            self.end_if_stuck()

    def end_if_stuck(self) -> None:
        if not self.moves_of(self.turn):
            self.winner, self.reason = 1 - self.turn, "opponent cannot move"

    def remove(self, seat: Seat) -> None:
        self.removed.add(seat)
        if self.removed == {0, 1}:
            self.winner, self.reason = None, "nobody is left"
        else:
            self.winner, self.reason = 1 - seat, "opponent removed"

    def position(self) -> tuple[str, ...]:
        """The board as strings, a row each."""
        marks = {None: ".", 0: "1", 1: "2"}
        return tuple(
            "".join(marks[self.pawns.get((row, col))] for col in range(self.cols)) for row in range(self.rows)
        )

"""Hexapawn on any board: pawns that step forward, capture diagonally, and win by getting through.

Seat 0 fills the first row and walks down, seat 1 fills the last row and walks up; seat 0 begins. A
pawn steps straight forward onto an empty square or diagonally forward onto an enemy pawn, which is
taken off. Capturing is never compulsory and there is no pass. A seat wins the moment one of its
pawns stands on the far row, or when the other seat, now to move, has no legal move: so there is no
draw.

Law of this file: a board is two integers. Bit `row * cols + column` is a square, and a move is
found by shifting all pawns of a seat at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta, Struct

from touchline.core.rules import Cell, IllegalMove, Outcome, Seat, check_seats
from touchline.core.sketch import Sketch
from touchline.draw.notebook import Drawn
from touchline.games.boards import pawn_look

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

MOST = 26
"""The most rows and columns: as many as there are letters."""
ROWS_KEPT = 4096
"""The size of the cache of written rows; a full cache is cleared."""


LEGEND = (("1", "pawn"), ("2", "pawn"), ("·", "a free square"))


class Step(Struct, frozen=True, gc=False, rename={"origin": "from", "target": "to"}):
    """A pawn goes one row forward: straight on, or diagonally to capture."""

    origin: Cell
    """Where the pawn is: row and column."""
    target: Cell
    """Where it goes: row and column."""


class HexapawnPosition(Struct, frozen=True):
    """The written form: a string a row, `1` and `2` for the pawns of seats 0 and 1, `.` for none."""

    board: tuple[str, ...]
    """The rows, from the one of seat 0 to that of seat 1."""
    to_move: Seat | None
    """The seat to move; null at the end."""
    outcome: Outcome | None = None
    """Winners, ranks and scores, once the game is over."""


def _won(winner: Seat, reason: str, removed: frozenset[Seat] = frozenset()) -> Outcome:
    scores = (1, 0) if winner == 0 else (0, 1)
    places = [1 if seat == winner else 2 for seat in (0, 1)]
    return Outcome(
        winners=(winner,),
        ranks=tuple(None if seat in removed else places[seat] for seat in (0, 1)),
        scores=scores,
        reason=reason,
    )


REACHED = (_won(0, "reached the far row"), _won(1, "reached the far row"))
BLOCKED = (_won(0, "opponent cannot move"), _won(1, "opponent cannot move"))
ALONE = tuple(_won(winner, "opponent removed", frozenset({1 - winner})) for winner in (0, 1))
NOBODY = Outcome(winners=(), ranks=(None, None), scores=(0, 0), reason="nobody is left")


class _Rows(dict[tuple[int, int], str]):
    """A cache of rows as they are written, by the pawns of each seat."""

    def __init__(self, cols: int) -> None:
        self._cols = cols

    def __missing__(self, pawns: tuple[int, int]) -> str:
        if len(self) >= ROWS_KEPT:
            self.clear()
        squares = (pawns[0] >> col & 1 | (pawns[1] >> col & 1) << 1 for col in range(self._cols))
        self[pawns] = text = "".join(".12"[square] for square in squares)
        return text


class _Grid:
    """Tables for one board size: masks, and every move by the bit it ends on."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, (self.rows, self.cols)  # a copy of a state has the same tables, and is equal to it

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        self.written = _Rows(cols)
        full_row = (1 << cols) - 1
        self.far = (full_row << cols * (rows - 1), full_row)
        column = sum(1 << row * cols for row in range(rows))
        board = (1 << rows * cols) - 1
        self.not_first, self.not_last = board ^ column, board ^ column << cols - 1
        # For each seat three tables: straight on, diagonally west, diagonally east.
        self.steps, self.wests, self.easts = (
            tuple(self._ending_at(forward, side) for forward in (1, -1)) for side in (0, -1, 1)
        )
        # The moves above live as long as this grid, so an id that is here is one of them and no other.
        self.known = {
            id(move): (seat, kind, bit)
            for kind, tables in enumerate((self.steps, self.wests, self.easts))
            for seat, table in enumerate(tables)
            for bit, move in table.items()
        }

    def _ending_at(self, forward: int, side: int) -> dict[int, Step]:
        """The move one row forward and `side` columns aside, by the bit it ends on."""
        table = {}
        for row in range(self.rows):
            for col in range(self.cols):
                to_row, to_col = row + forward, col + side
                if 0 <= to_row < self.rows and 0 <= to_col < self.cols:
                    table[1 << to_row * self.cols + to_col] = Step((row, col), (to_row, to_col))
        return table


_grid = lru_cache(maxsize=64)(_Grid)


def _shared(rows: int, cols: int) -> _Grid:
    """Return the tables of this size that all states share: for unpickling."""
    return _grid(rows, cols)


class HexapawnState(Drawn, Struct, frozen=True, gc=False):
    """A position of Hexapawn."""

    grid: _Grid
    pawns0: int
    pawns1: int
    to_move: Seat | None
    ended: Outcome | None = None
    # Where the seat to move can go, worked out once: they follow from the fields above.
    steps: int = 0
    wests: int = 0
    easts: int = 0

    passed_over: ClassVar[tuple[Seat, ...]] = ()

    def legal_moves(self) -> list[Step]:
        seat = self.to_move
        moves: list[Step] = []
        if seat is None:
            return moves
        grid = self.grid
        for targets, table in (
            (self.steps, grid.steps[seat]),
            (self.wests, grid.wests[seat]),
            (self.easts, grid.easts[seat]),
        ):
            while targets:
                bit = targets & -targets
                moves.append(table[bit])
                targets ^= bit
        return moves

    def check(self, move: Any) -> None:
        known = self.grid.known.get(id(move))
        if known is not None:  # the very object that legal_moves() lists: only its bit can be wrong
            seat, kind, bit = known
            targets = self.steps if kind == 0 else self.wests if kind == 1 else self.easts
            if seat == self.to_move and targets & bit:
                return
        try:
            self._judge(move)
        except (TypeError, ValueError):  # a step, but not from a cell to a cell
            raise IllegalMove("not a move of hexapawn") from None

    def _judge(self, move: Any) -> None:
        seat = self.to_move
        if seat is None:
            raise IllegalMove("the game is over")
        if type(move) is not Step:
            raise IllegalMove("not a move of hexapawn")
        (row, col), (to_row, to_col) = origin, target = move.origin, move.target
        if not type(row) is type(col) is type(to_row) is type(to_col) is int:
            raise IllegalMove("rows and columns are whole numbers")
        if not type(origin) is type(target) is tuple:
            raise IllegalMove("a square is a pair of row and column")
        grid = self.grid
        if not (0 <= row < grid.rows and 0 <= col < grid.cols):
            raise IllegalMove("there is no square", at=(row, col))
        if not (self.pawns1 if seat else self.pawns0) >> row * grid.cols + col & 1:
            raise IllegalMove("you have no pawn", at=(row, col))
        if to_row != row + (-1 if seat else 1) or not 0 <= to_row < grid.rows:
            raise IllegalMove("a pawn goes exactly one row forward")
        if not (0 <= to_col < grid.cols and -1 <= to_col - col <= 1):
            raise IllegalMove("a pawn goes straight on or to a neighbouring column of the board")
        bit = 1 << to_row * grid.cols + to_col
        if to_col == col:
            if not self.steps & bit:
                raise IllegalMove("the square ahead is not empty")
        elif not (self.wests if to_col < col else self.easts) & bit:
            raise IllegalMove("a pawn goes diagonally only to capture")

    def play(self, move: Step) -> HexapawnState:
        (row, col), (to_row, to_col) = move.origin, move.target
        grid = self.grid
        cols = grid.cols
        target = 1 << to_row * cols + to_col
        change = 1 << row * cols + col | target
        if self.to_move == 0:
            pawns0, pawns1 = self.pawns0 ^ change, self.pawns1 & ~target
            if target & grid.far[0]:
                return HexapawnState(grid, pawns0, pawns1, None, REACHED[0])
            return _turn(grid, pawns0, pawns1, 1)
        pawns0, pawns1 = self.pawns0 & ~target, self.pawns1 ^ change
        if target & grid.far[1]:
            return HexapawnState(grid, pawns0, pawns1, None, REACHED[1])
        return _turn(grid, pawns0, pawns1, 0)

    def without(self, seat: Seat) -> HexapawnState:
        """The other seat has won; if that one had been removed before, nobody has."""
        outcome = NOBODY if self.ended in (ALONE[seat], NOBODY) else ALONE[1 - seat]
        return HexapawnState(self.grid, self.pawns0, self.pawns1, None, outcome)

    def view(self, seat: Seat | None) -> HexapawnState:
        return self

    def imagine(self, rng: Random) -> HexapawnState:
        return self

    def outcome(self) -> Outcome | None:
        return self.ended

    def tally(self) -> tuple[float, ...]:
        """The pawns that each seat has, and how far the foremost has come."""
        cols, rows = self.grid.cols, self.grid.rows
        ahead0 = (self.pawns0.bit_length() - 1) // cols
        ahead1 = rows - 1 - ((self.pawns1 & -self.pawns1).bit_length() - 1) // cols
        return self.pawns0.bit_count() + ahead0 / rows, self.pawns1.bit_count() + ahead1 / rows

    def _owner(self, row: int, col: int) -> Seat | None:
        bit = 1 << row * self.grid.cols + col
        return 0 if self.pawns0 & bit else 1 if self.pawns1 & bit else None

    def position(self) -> HexapawnPosition:
        cols, written = self.grid.cols, self.grid.written
        row = (1 << cols) - 1
        board = tuple(
            [
                written[self.pawns0 >> start & row, self.pawns1 >> start & row]
                for start in range(0, cols * self.grid.rows, cols)
            ]
        )
        return HexapawnPosition(board, self.to_move, self.ended)

    def narrate(self, move: Step) -> tuple[str, str]:
        (row, col), (to_row, to_col) = move.origin, move.target
        where = (
            f"to ({to_row}, {to_col})" if col == to_col else f"on ({to_row}, {to_col}) from ({row}, {col})"
        )
        did, do = ("stepped", "step") if col == to_col else ("took", "take")
        if to_row in (0, self.grid.rows - 1):
            return f"{did} {where} and got through", f"{do} {where} and get through"
        return f"{did} {where}", f"{do} {where}"

    def _brief(self) -> str:
        return "/".join(self.position().board)

    def sketch(self) -> Sketch:
        rows, cols = self.grid.rows, self.grid.cols
        spots = tuple(
            [pawn_look.spot(row, col, self._owner(row, col)) for row in range(rows) for col in range(cols)]
        )
        moves = tuple((move.origin, move.target) for move in self.legal_moves())
        return Sketch(spots=spots, moves=moves, legend=LEGEND, backdrop=pawn_look.backdrop(rows, cols))


def _turn(grid: _Grid, pawns0: int, pawns1: int, seat: Seat) -> HexapawnState:
    """The state in which it is `seat`'s turn; it is over at once if that seat cannot move."""
    cols = grid.cols
    if seat == 0:
        steps = pawns0 << cols & ~(pawns0 | pawns1) & (1 << grid.rows * cols) - 1
        wests = (pawns0 & grid.not_first) << cols - 1 & pawns1
        easts = (pawns0 & grid.not_last) << cols + 1 & pawns1
    else:
        steps = pawns1 >> cols & ~(pawns0 | pawns1)
        wests = (pawns1 & grid.not_first) >> cols + 1 & pawns0
        easts = (pawns1 & grid.not_last) >> cols - 1 & pawns0
    if not (steps or wests or easts):
        return HexapawnState(grid, pawns0, pawns1, None, BLOCKED[1 - seat])
    return HexapawnState(grid, pawns0, pawns1, seat, None, steps, wests, easts)


class Hexapawn(Struct, frozen=True, kw_only=True):
    """Pawns that step forward, capture diagonally, and win by getting through.

    >>> from random import Random
    >>> state = Hexapawn(rows=3, cols=3).start(2, Random(0))
    >>> state.play(Step((0, 1), (1, 1)))
    <HexapawnState 1.1/.1./222, seat 1 to move>
    """

    rows: Annotated[int, Meta(ge=2, le=MOST, description="Rows of the board.")] = 5
    cols: Annotated[int, Meta(ge=1, le=MOST, description="Columns of the board.")] = 5

    name: ClassVar[str] = "hexapawn"
    seats: ClassVar[range] = range(2, 3)
    hidden: ClassVar[bool] = False
    Move: ClassVar[type[Step]] = Step
    Position: ClassVar[type[HexapawnPosition]] = HexapawnPosition
    Proposal: ClassVar[Any] = None

    def __post_init__(self) -> None:
        if not (2 <= self.rows <= MOST and 1 <= self.cols <= MOST):
            raise ValueError(f"a board has 2 to {MOST} rows and 1 to {MOST} columns")

    def start(self, seats: int, rng: Random, proposals: Sequence[Any] = ()) -> HexapawnState:
        check_seats(self, seats)
        row = (1 << self.cols) - 1
        return _turn(_grid(self.rows, self.cols), row, row << self.cols * (self.rows - 1), 0)

    def restore(self, position: HexapawnPosition) -> HexapawnState:
        if len(position.board) != self.rows or {len(row) for row in position.board} != {self.cols}:
            raise ValueError(f"the board is not {self.rows} rows by {self.cols} columns")
        squares = "".join(position.board)
        if set(squares) - set("12."):
            raise ValueError("a board is written with 1, 2 and . only")
        pawns0, pawns1 = (sum(1 << i for i, square in enumerate(squares) if square == pawn) for pawn in "12")
        grid = _grid(self.rows, self.cols)
        if position.outcome is not None:
            return HexapawnState(grid, pawns0, pawns1, None, position.outcome)
        if position.to_move not in (0, 1):
            raise ValueError("to_move is 0 or 1 while the game goes on")
        return _turn(grid, pawns0, pawns1, position.to_move)

    def all_moves(self) -> list[Step]:
        grid = _grid(self.rows, self.cols)
        return [
            move
            for tables in (grid.steps, grid.wests, grid.easts)
            for table in tables
            for move in table.values()
        ]

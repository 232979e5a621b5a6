"""The note's functions on boards. A board is a term, `board(row(p1 p1) row(empty empty) row(p2 p2))`.

Law of this file: these functions look at the squares only. Whose turn it is and whether the game is over is
known to the referee alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.dialects.hexapawn_ports import EMPTY, PLAYERS, move_term
from touchline.dialects.notation.oz import Record, Term, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_SIGNS: dict[Term, str] = {PLAYERS[0]: "1", PLAYERS[1]: "2", EMPTY: "."}


class FarRow(Struct, frozen=True):
    """Whether each player has a pawn on its far row."""

    p1: bool
    p2: bool


class Moves(Struct, frozen=True):
    """The moves that each player would have in its turn."""

    p1: list[Term]
    p2: list[Term]


class Situation(Struct, frozen=True):
    """The result of `analyse`."""

    finished: FarRow
    moves: Moves


def to_list(board: Term) -> list[list[Term]]:
    """ "To convert a `Board` to a list of lists", the first row first.

    >>> to_list(init(2, 1))
    [['p1'], ['p2']]
    """
    return [_fields(row) for row in _fields(board)]


def _fields(term: Term) -> list[Term]:
    """Return the fields of a tuple; an atom has none."""
    return [term[place] for place in range(1, len(term.fields) + 1)] if isinstance(term, Record) else []


def _from_list(rows: Iterable[Sequence[Term | str]]) -> Term:
    return record("board", *(record("row", *row) for row in rows))


def set(elem: Term | str, row: int, col: int, board: Term) -> Term:
    """Return a new board with `elem` on one square; the same board if the square is off the board.

    >>> print(set("p2", 1, 2, init(2, 2)))
    board(row(p1 p2) row(p2 p2))
    """
    rows: list[list[Term | str]] = [list(old) for old in to_list(board)]
    if not (1 <= row <= len(rows) and 1 <= col <= len(rows[row - 1])):
        return board
    rows[row - 1][col - 1] = elem
    return _from_list(rows)


def init(rows: int, cols: int) -> Term:
    """Return the board at the start: "Player 1 starts on the first row and player 2 starts on the last row".

    >>> print(init(3, 2))
    board(row(p1 p1) row(empty empty) row(p2 p2))
    """
    if rows < 2 or cols < 0:
        raise ValueError(f"no board has {rows} rows and {cols} columns: it needs at least 2 rows")
    return _from_list([[PLAYERS[0]] * cols, *([[EMPTY] * cols] * (rows - 2)), [PLAYERS[1]] * cols])


def show(board: Term) -> None:
    """Print a board.

    >>> show(init(3, 2))
    +-----+
    | 1 1 |
    | . . |
    | 2 2 |
    +-----+
    """
    rows = [" ".join(_SIGNS.get(square, "?") for square in row) for row in to_list(board)]
    edge = f"+{'-' * (max(map(len, rows), default=0) + 2)}+"
    print(edge, *(f"| {row} |" for row in rows), edge, sep="\n")  # noqa: T201 - that is what it is for


def valid_moves_for(player: str, board: Term) -> list[Term]:
    """Return the moves of a player, last row and column first, and for each pawn captures before the step.

    >>> [str(move) for move in valid_moves_for("p2", init(3, 2))]
    ['move(f(3 2) t(2 2))', 'move(f(3 1) t(2 1))']
    """
    rows = to_list(board)
    return [
        move_term(((row + 1, col + 1), target))
        for row in reversed(range(len(rows)))
        for col in reversed(range(len(rows[row])))
        if rows[row][col] == player
        for target in _targets(player, row, col, rows)
    ]


def _targets(player: str, row: int, col: int, rows: list[list[Term]]) -> Iterator[tuple[int, int]]:
    """Yield the squares that a pawn can move to, counted from 1 as in the note."""
    ahead, opponent = (row + 1, PLAYERS[1]) if player == PLAYERS[0] else (row - 1, PLAYERS[0])
    if not 0 <= ahead < len(rows):
        return
    for to_col, wanted in ((col + 1, opponent), (col - 1, opponent), (col, EMPTY)):
        if 0 <= to_col < len(rows[ahead]) and rows[ahead][to_col] == wanted:
            yield ahead + 1, to_col + 1


def analyse(board: Term) -> Situation:
    """Return which players have reached the far row, and the moves of both.

    >>> analyse(init(2, 1)).finished
    FarRow(p1=False, p2=False)
    """
    rows = to_list(board)
    p1, p2 = PLAYERS
    return Situation(
        finished=FarRow(p1 in rows[-1], p2 in rows[0]),
        moves=Moves(valid_moves_for(p1, board), valid_moves_for(p2, board)),
    )

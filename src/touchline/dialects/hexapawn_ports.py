"""Hexapawn by ports (seed 002): Oz records as text, one a line.

The referee says `request(board:B)` to the player to move and `gameEnded(winner:P)` to both, and that is all
it ever says: "`gameEnded(winner: P)` is sent to all the players when the game has ended". A player says
`move(f(row col) t(row col))`. A board is `board(row(p1 p1) row(empty empty) row(p2 p2))`; everything is
counted from 1, and p1, seat 0, begins on the first row.

Where the note is silent: a player that connects sends its name first, as an atom; nobody is told when a match
begins, nor why a move was refused, only asked again with the same board. A match that does not count has no
winner, and its last word says so: `gameEnded(winner:none)`.

Law of this file: a move is whatever equals the note's term as an Oz value. Anything else cannot be read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

from touchline.core.errors import BadInput, BadOptions
from touchline.core.messages import Act, Begin, Expelled, Garbled, Onward, Over, Ready, YourTurn
from touchline.core.printable import quoted
from touchline.dialects.base import (
    SILENCE,
    UNREADABLE,
    Dialect,
    Exchange,
    Face,
    Refusal,
    SignUp,
    chooses,
    plain,
    told,
    unreadable,
)
from touchline.dialects.notation.oz import Atom, Record, Term, read, record, write
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, Step

if TYPE_CHECKING:
    from random import Random

    from touchline.core.clock import Micros
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Cell, Game, Seat
    from touchline.games.hexapawn import HexapawnState

PLAYERS = (Atom("p1"), Atom("p2"))
"""The note's names of the seats and of their pawns."""
EMPTY = Atom("empty")
NONE = Atom("none")
"""The winner of a match that does not count; the note has p1 and p2, and neither has won."""
COUNTED_FROM = 1
"""Rows and columns "are 1-indexed"."""
MOST = 8
"""Rows and columns at most, as the course had it."""
LONGEST_NAME = 32

Board: TypeAlias = tuple[tuple[str, ...], ...]
"""A board as a player in Python has it: "p1", "p2" and "empty", row by row."""
Move: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""A move as such a player makes it: from (row, column) to (row, column), counted from 1."""

MOVE = "move(f(row col) t(row col))"
"""What a player answers."""
_PAWNS = {"1": PLAYERS[0], "2": PLAYERS[1], ".": EMPTY}
_SIGNS = {pawn: sign for sign, pawn in _PAWNS.items()}


# -- terms --------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _row(squares: str) -> Term:
    return record("row", *(_PAWNS[square] for square in squares))


def board_term(state: HexapawnState) -> Term:
    """ "A `Board` is a tuple with the label `board` of tuples with labels `row` of `p1`, `p2` or `empty`"."""
    return record("board", *map(_row, state.position().board))


def move_term(move: Move) -> Term:
    """ "A move is represented by the tuple `move(f(row col) t(row col))`"."""
    (row, col), (to_row, to_col) = move
    return record("move", record("f", row, col), record("t", to_row, to_col))


def acted(term: Term) -> Act | Garbled:
    """Return what a player says by a term."""
    squares = _tuple(term, "move", 2)
    origin, target = (None, None) if squares is None else (_cell(squares[0], "f"), _cell(squares[1], "t"))
    if origin is None or target is None:
        return Garbled(f"{MOVE} was expected")
    return Act(Step(origin, target), counted_from=COUNTED_FROM)


def _cell(term: Term, label: str) -> Cell | None:
    found = _tuple(term, label, 2)
    if found is None or type(found[0]) is not int or type(found[1]) is not int:
        return None
    return found[0] - COUNTED_FROM, found[1] - COUNTED_FROM


def _tuple(term: Term, label: str, size: int | None = None) -> tuple[Term, ...] | None:
    """Return the fields of a tuple, which has the features 1 to n and no other; None for any other term."""
    if not isinstance(term, Record) or term.label != label or size not in (None, len(term.fields)):
        return None
    try:
        return tuple([term[feature] for feature in range(1, len(term.fields) + 1)])
    except KeyError:
        return None


# -- the player's side --------------------------------------------------------------------------


def _board(term: Term) -> Board:
    rows = _tuple(term, "board")
    squares = [_tuple(row, "row") for row in rows or ()]
    if len(squares) < 2 or any(row is None or not _SIGNS.keys() >= {*row} for row in squares):
        raise BadInput("a board was expected: board(row(p1 ...) ...)", "request")
    return tuple(tuple(str(square) for square in row) for row in squares if row is not None)


class ByChoice:
    """A bot that chooses from views, as a player of this note.

    Nobody tells a player its seat. But "the first player (`p1`) can always make the first move", and p2 hears
    nothing before p1 has moved: so who is asked about an untouched board is p1.
    """

    def __init__(self, bot: Any) -> None:
        self._bot = bot
        self._turn: int | None = None
        self._board: Board = ()

    def request(self, board: Board) -> Move:
        if self._turn is None:
            self._turn = 0 if _untouched(board) else 1
        elif board != self._board:  # otherwise it is asked again
            self._turn += 2
        self._board = board
        rows = tuple("".join(_SIGNS[Atom(square)] for square in row) for row in board)
        try:
            game = Hexapawn(rows=len(rows), cols=len(rows[0]))
            view = game.restore(HexapawnPosition(rows, self._turn % 2))
        except ValueError as error:
            raise BadInput(str(error), "request") from None
        if view.to_move is None:
            raise BadInput("the game is over", "request")
        step: Step = self._bot.choose(view, self._turn)
        (row, col), (to_row, to_col) = step.origin, step.target
        return (row + 1, col + 1), (to_row + 1, to_col + 1)

    def gameEnded(self, winner: str) -> None:  # noqa: N802 - the note's own name
        """A bot ignores the result."""


def _untouched(board: Board) -> bool:
    first, *between, last = board
    full = {"p1"} == {*first} and {"p2"} == {*last}
    return full and all(square == "empty" for row in between for square in row)


class HexapawnByPortsFace(Face):
    """A player in Python: `request(board)` returns a move, `gameEnded(winner)` nothing.

    Any other term is ignored: the note has no other word from the referee.
    """

    asked: ClassVar[str] = "request"

    def __init__(self, player: Any, *, rng: Random | None = None) -> None:
        self._player = ByChoice(player) if chooses(player) else player

    def sign_up(self, name: str, key: str | None = None, token: str | None = None) -> list[bytes]:
        return [write(Atom(name)).encode()]

    def hear(self, frame: bytes) -> list[bytes]:
        term = read(frame.decode())
        match term:
            case Record(label="request", fields={"board": board}):
                move: Move = self._player.request(_board(board))
                return [write(move_term(move)).encode()]
            case Record(label="gameEnded", fields={"winner": winner}):
                self.over = True
                told(self._player, "gameEnded", str(winner))
        return []


# -- the referee's side -------------------------------------------------------------------------


class HexapawnByPorts(Dialect):
    """One connection to a player of hexapawn by ports."""

    name: ClassVar[str] = "seed-002"
    games: ClassVar[tuple[str, ...]] = ("hexapawn",)
    conduct: ClassVar[str] = "seed-002"
    counted_from: ClassVar[int] = COUNTED_FROM
    begins_anywhere: ClassVar[bool] = False
    own_name_rule: ClassVar[bool] = True
    face: ClassVar[type[Face]] = HexapawnByPortsFace
    words: ClassVar[dict[str, str]] = {
        "request": "it is your turn on this board; answer move(f(row col) t(row col)), counted from 1",
        "move": "you move a pawn from a square to a square, each a row and a column counted from 1",
        "gameEnded": "the match is over and this player has won; none if it is void; there is no answer",
    }

    def __init__(self, game: Game) -> None:
        board = cast("Hexapawn", game)
        if board.rows > MOST or board.cols > MOST:
            raise BadOptions(f"seed-002 has boards of at most {MOST} rows and {MOST} columns")
        self._seat: Seat | None = None
        self._spoken = False

    def say(self, message: ToPlayer) -> Exchange:
        """Ask for a move, or tell the winner; the note has no word for anything else."""
        match message:
            case YourTurn(_, view):
                return _said(record("request", board=board_term(view)))
            case Over(_, _, outcome):
                won = outcome is not None and outcome.winners
                return _said(record("gameEnded", winner=PLAYERS[won[0]] if won else NONE))
            case Expelled() if self._seat is not None:
                return _said(record("gameEnded", winner=PLAYERS[1 - self._seat]))
            case Begin(seat):
                self._seat = seat
                return Exchange((), [Ready()])
            case Onward():
                return Exchange((), [Ready()])
            case _:
                return SILENCE

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        """Decode a move; after anything else "the referee will request another move (once)"."""
        said: FromPlayer
        try:
            said = acted(read(frame.decode()))
        except UNREADABLE as error:
            said = Garbled(f"{plain(str(error))}; {MOVE} was expected")
        if isinstance(said, Garbled):
            why = f"received {quoted(frame)}: {said.why}"
            said = Garbled(why if self._spoken else unreadable(why, frame, self.read_sign_up))
        self._spoken = True
        return Exchange((), [said])

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        """Decode the name, which is an atom."""
        try:
            name = read(frame.decode())
        except UNREADABLE as error:
            raise Refusal(f"a name was expected, as an atom: {plain(str(error))}") from None
        if not isinstance(name, Atom):
            raise Refusal("a name was expected, as an atom")
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            raise Refusal(f"a name has 1 to {LONGEST_NAME} printable characters")
        return SignUp(str(name))


def _said(term: Term) -> Exchange:
    return Exchange([write(term).encode()])


DIALECT = HexapawnByPorts

"""A client of note 002, Hexapawn by ports, written from the note and its rulings alone.

The two clients of a match share a `Table`: the game by rules of their own, one step for each line.
"""

from notes.wire import Client

Square = tuple[int, int]
Move = tuple[Square, Square]

FORWARD = {"p1": 1, "p2": -1}
OTHER = {"p1": "p2", "p2": "p1"}


class Table:
    """The board as the clients know it, whose turn it is, and who has won."""

    def __init__(self, rows: int, columns: int) -> None:
        """Set up the pawns; a player without a move has lost before it is asked."""
        middle = [["empty"] * columns for _ in range(rows - 2)]
        self.board = [["p1"] * columns, *middle, ["p2"] * columns]
        self.to_move = "p1"
        self.out_of_turn = False  # Then the opponent was asked before the game ended.
        self.winner = None if self.moves() else "p2"

    def moves(self) -> list[Move]:
        """Return the moves of the player to move: a step ahead, or a diagonal capture."""
        found: list[Move] = []
        rows, columns = len(self.board), len(self.board[0])
        for row in range(rows):
            for column in range(columns):
                ahead = row + FORWARD[self.to_move]
                if self.board[row][column] != self.to_move or not 0 <= ahead < rows:
                    continue
                for aside, wanted in ((-1, OTHER[self.to_move]), (0, "empty"), (1, OTHER[self.to_move])):
                    if 0 <= column + aside < columns and self.board[ahead][column + aside] == wanted:
                        found.append(((row, column), (ahead, column + aside)))
        return found

    def play(self, move: Move) -> None:
        """Make a move; it wins on the far row, or if the opponent cannot move."""
        (row, column), (ahead, beside) = move
        self.board[row][column], self.board[ahead][beside] = "empty", self.to_move
        mover, self.to_move = self.to_move, OTHER[self.to_move]
        if ahead in (0, len(self.board) - 1) or not self.moves():
            self.winner = self.winner or mover

    def lose(self, player: str) -> None:
        """Let the opponent win."""
        self.winner = self.winner or OTHER[player]

    def request(self) -> str:
        """Return the request that the player to move must hear."""
        rows = " ".join("row(" + " ".join(row) + ")" for row in self.board)
        return f"request(board:board({rows}))"


def term(move: Move) -> str:
    """Return a move as the note writes it, counted from 1."""
    (row, column), (ahead, beside) = move
    return f"move(f({row + 1} {column + 1}) t({ahead + 1} {beside + 1}))\n"


class Client002(Client):
    """A player that answers requests until the game has ended."""

    table: Table
    seat: str | None = None

    def read(self) -> str:
        """Read a term, which is a line."""
        return self.wire.read_line()

    def play(self) -> None:
        """Answer every request, and hear who has won."""
        while True:
            message = self.read()
            if not message.startswith("request"):
                break
            asked = self.table.winner is None or self.table.out_of_turn
            self.demand(asked, "nobody is asked when the game has ended")
            self.demand(message == self.table.request(), "the request has the board that the rules predict")
            self.seat = self.seat or self.table.to_move
            self.demand(self.seat == self.table.to_move, "p1 begins, and then they take turns")
            if self._answer(message):
                return
        self._hear_end(message)

    def _hear_end(self, message: str) -> None:
        self.demand(message == f"gameEnded(winner:{self.table.winner})", "gameEnded names the winner")
        self.last_words = [message]
        self.hear_close()

    def _answer(self, request: str) -> bool:
        """Send a move or commit the offence that is due; tell whether there is nothing left to hear."""
        offence = self.due()
        if offence in ("illegal", "malformed", "unreadable"):
            self._err(offence)
            self.demand(self.read() == request, "a first illegal move is answered by the same request")
        elif offence is not None:
            return self._lose(offence, request)
        self.wire.send_text(self._move())
        return False

    def _move(self) -> str:
        """Choose a legal move and make it on the table."""
        move = self.random.choice(self.table.moves())
        self.table.play(move)
        return term(move)

    def _err(self, offence: str) -> None:
        bad = {
            "illegal": term(((0, 0), (0, 0))),
            "malformed": "move(1 2 3)\n",
            "unreadable": "move(f(1 1) t(2\n",
        }
        self.wire.send_text(bad[offence])

    def _lose(self, offence: str, request: str) -> bool:
        """Commit an offence that loses the game, and tell whether there is nothing left to hear."""
        assert self.seat is not None
        if offence == "out-of-turn":
            text = self._move()
            self.table.out_of_turn = True
            self.table.lose(self.seat)
            self.wire.send_text(text + text)
            return False
        self.table.lose(self.seat)
        if offence == "gone":
            self.wire.close()
            return True
        if offence.endswith("-twice"):
            self._err(offence.removesuffix("-twice"))
            self.demand(self.read() == request, "a first illegal move is answered by the same request")
            self._err("illegal")
        return False

"""A client of note 001, Fish by push, written from the note and its rulings alone.

The clients at one table share a `Table`: the game by rules of their own, and a script of every message
that a player must hear. A request is written into the script before it is sent.
"""

import threading
import time
from typing import Any

from notes.wire import Client

Message = list[Any]
Posn = list[int]
State = dict[str, Any]

COLORS = ("red", "white", "brown", "black")
EVEN = ((-2, 0), (-1, 0), (1, 0), (2, 0), (1, -1), (-1, -1))
ODD = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, 0), (-1, 0))


def free(state: State, row: int, column: int) -> bool:
    """Tell whether a tile is there and no penguin stands on it."""
    board = state["board"]
    if not (0 <= row < len(board) and 0 <= column < len(board[row]) and board[row][column]):
        return False
    return all([row, column] not in player["places"] for player in state["players"])


def reach(state: State, start: Posn) -> list[Posn]:
    """Return the tiles that a penguin can slide to."""
    found = []
    for direction in range(6):
        row, column = start
        while True:
            down, right = (ODD if row % 2 else EVEN)[direction]
            row, column = row + down, column + right
            if not free(state, row, column):
                break
            found.append([row, column])
    return found


def moves(state: State, player: dict[str, Any]) -> list[tuple[Posn, Posn]]:
    """Return every move of a player."""
    return [(start, end) for start in player["places"] for end in reach(state, start)]


def by_color(state: State) -> list[dict[str, Any]]:
    """Return the players in the order of their colours, whoever is to move."""
    return sorted(state["players"], key=lambda player: COLORS.index(player["color"]))


ANY = "any reason"  # A reason that the note leaves to the referee.
OFFENCES_IN_A_ROW = {"late-thrice": 3}


class Table:
    """The game as the clients know it, and what each colour must hear of it."""

    def __init__(self) -> None:
        """Wait for the first state."""
        self.lock = threading.RLock()
        self.state: State = {}
        self.script: dict[str, list[Message]] = {}
        self.penguins = 0
        self.started = False

    def begin(self, state: State) -> bool:
        """Set the table once, and tell whether the state is one to begin with."""
        with self.lock:
            colors = [player["color"] for player in state["players"]]
            empty = [{"color": color, "score": 0, "places": []} for color in COLORS[: len(colors)]]
            if not self.script:
                self.penguins = 6 - len(colors)
                self.script = {color: [] for color in colors}
                self.state = {"players": empty, "board": state["board"], "phase": "placing"}
                self._tell_all("updateGameState", self.state)
                self._tell(colors[0], "notifyTurn")
            return bool(state["players"] == empty and state["phase"] == "placing")

    def request(self, color: str, *step: Posn) -> None:
        """Note a valid request: one place for a placement, two for a move."""
        with self.lock:
            first, *rest = self.state["players"]
            board = [list(row) for row in self.state["board"]]
            score, places = first["score"], [*first["places"], step[0]]
            if len(step) == 2:
                start, end = step
                score += board[start[0]][start[1]]
                board[start[0]][start[1]] = 0
                places = [end if place == start else place for place in first["places"]]
            self._tell(color, "acceptMove")
            self._next([*rest, {**first, "score": score, "places": places}], board)

    def reject(self, color: str, reason: str = ANY) -> None:
        """Note a request that is rejected: nothing changes."""
        with self.lock:
            self._tell(color, "rejectMove", reason)

    def skip(self, color: str, reason: str) -> None:
        """Note that the player to move loses its turn."""
        with self.lock:
            self._tell(color, "notifySkipped", reason)
            first, *rest = self.state["players"]
            self._next([*rest, first], self.state["board"])

    def ban(self, color: str) -> None:
        """Note that a player is banned: its penguins vanish, and its later requests are rejected."""
        with self.lock:
            self._tell(color, "notifyBanned", ANY)
            self._tell(color, "rejectMove", "banned")
            was_to_move = self.state["players"][0]["color"] == color
            rest = [player for player in self.state["players"] if player["color"] != color]
            self._next(rest, self.state["board"], announce=was_to_move)

    def _next(self, players: list[dict[str, Any]], board: list[list[int]], announce: bool = True) -> None:
        """Write the update, the start, the skips and the next turn, or the end, into the script."""
        state: State = {"players": players, "board": board, "phase": "placing"}
        self.state = state
        if self._missing(players):
            while len(players[0]["places"]) == self.penguins:
                players.append(players.pop(0))
            skipped = []
        else:
            if not self.started:  # The youngest moves first, whoever was the last to place.
                players.sort(key=lambda player: COLORS.index(player["color"]))
            skipped = self._pass_stuck(state)
        if state["phase"] != "over":
            self._tell_all("updateGameState", state)
        if state["phase"] != "placing" and not self.started:
            self.started = True
            self._tell_all("notifyStartGame")
        if state["phase"] == "over":
            self._tell_all("updateGameState", state)
            self._tell_all("notifyGameOver")
            return
        for color in skipped:
            self._tell(color, "notifySkipped", "no moves")
        if announce:
            self._tell(players[0]["color"], "notifyTurn")

    def _missing(self, players: list[dict[str, Any]]) -> bool:
        return any(len(player["places"]) < self.penguins for player in players)

    @staticmethod
    def _pass_stuck(state: State) -> list[str]:
        """Let the first player be one that can move, set the phase, and return who was passed over."""
        skipped: list[str] = []
        players = state["players"]
        while len(skipped) < len(players):
            if moves(state, players[0]):
                state["phase"] = "moving"
                return skipped
            skipped.append(players[0]["color"])
            players.append(players.pop(0))
        state["phase"] = "over"
        return []

    def _tell(self, color: str, name: str, *arguments: Any) -> None:
        self.script[color].append([name, list(arguments)])

    def _tell_all(self, name: str, *arguments: Any) -> None:
        for player in self.state["players"]:
            self._tell(player["color"], name, *arguments)

    def winners(self) -> list[str]:
        """Return the colours with the most fish."""
        best = max(player["score"] for player in self.state["players"])
        return [player["color"] for player in by_color(self.state) if player["score"] == best]


def plain(message: Message) -> Message:
    """Return a message with the players of a final state in the order of their colours."""
    if message[0] == "updateGameState" and message[1][0]["phase"] == "over":
        return [message[0], [{**message[1][0], "players": by_color(message[1][0])}]]
    return message


def same(heard: Message, expected: Message) -> bool:
    """Compare a message with the script, where any reason with words in it may stand for `ANY`."""
    if expected[1] == [ANY]:
        return bool(heard[0] == expected[0] and len(heard[1]) == 1 and heard[1][0])
    return plain(heard) == plain(expected)


class Client001(Client):
    """A player that is told everything and asks when it is its turn."""

    table: Table
    color = ""
    pause = 0.0  # Seconds before each of the first requests, so that somebody else's offence is judged first.

    def play(self) -> None:
        """Hear messages and make requests until the game is over."""
        self.heard: list[Message] = []
        self.demand(self.table.begin(self._hear()[1][0]), "a match begins with an empty state, red first")
        ended = False
        while not ended:
            name = self._hear()[0]
            if name == "notifyTurn":
                ended = self._take_turn()
            ended = ended or name == "notifyGameOver"
        self.last_words = self.heard[-2:]
        if self.offence != "gone":
            self.hear_close()
        self._compare()

    def _hear(self) -> Message:
        message: Message = self.wire.read_json()
        self.heard.append(message)
        return message

    def _compare(self) -> None:
        """Demand that everything was said as the script has it."""
        script = self.table.script[self.color]
        for place, (heard, expected) in enumerate(zip(self.heard, script, strict=False)):
            if not same(heard, expected):
                self.demand(False, f"message {place} is {expected}, but was {heard}")
                return
        if self.offence != "gone":
            self.demand(len(self.heard) == len(script), f"there are {len(script)} messages: {script[-3:]}")

    def _take_turn(self) -> bool:
        """Make a request, or commit the offence that is due; tell whether this player is out."""
        state = self.table.state
        self.color = self.color or state["players"][0]["color"]
        self.demand(state["players"][0]["color"] == self.color, "the first player of a state is to move")
        offence = self._due_in_a_row()
        if self.turns <= 2:
            time.sleep(self.pause)
        if offence is None:
            self.wire.send(self._request())
            return False
        if offence == "gone":
            self.table.ban(self.color)
            self.wire.close()
            return True
        return bool(getattr(self, "_" + offence.replace("-", "_"))())

    def _due_in_a_row(self) -> str | None:
        self.turns += 1
        row = OFFENCES_IN_A_ROW.get(self.offence or "", 1)
        if self.offence is None or not self.turn < self.turns <= self.turn + row:
            return None
        self.committed = self.turns == self.turn + row
        return self.offence

    def _request(self) -> Message:
        """Choose a valid request and note it."""
        state = self.table.state
        if state["phase"] == "placing":
            rows = state["board"]
            spots = [[r, c] for r in range(len(rows)) for c in range(len(rows[r])) if free(state, r, c)]
            spot = self.random.choice(spots)
            self.table.request(self.color, spot)
            return ["placePenguin", [spot]]
        start, end = self.random.choice(moves(state, state["players"][0]))
        self.table.request(self.color, start, end)
        return ["movePenguin", [start, end]]

    def _invalid(self) -> Message:
        """Return a request that breaks the rules."""
        state = self.table.state
        if state["phase"] == "placing":
            return ["placePenguin", [[len(state["board"]), 0]]]
        place = state["players"][0]["places"][0]
        return ["movePenguin", [place, place]]

    def _illegal(self) -> bool:
        self.table.reject(self.color)
        self.wire.send(self._invalid())
        self._hear()
        self.wire.send(self._request())
        return False

    def _illegal_thrice(self) -> bool:
        request = self._invalid()
        for _ in range(3):
            self.table.reject(self.color)
        self.table.skip(self.color, ANY)
        for _ in range(3):
            self.wire.send(request)
            self._hear()
        return False

    def _malformed(self) -> bool:
        self.table.reject(self.color)
        self.wire.send(["movePenguin", [2, 2]])
        self._hear()
        self.wire.send(self._request())
        return False

    def _unreadable(self) -> bool:
        self.table.reject(self.color)
        self.wire.send_text("nonsense\n")
        self._hear()
        self.wire.send(self._request())
        return False

    def _malformed_thrice(self) -> bool:
        self.table.reject(self.color)
        self.table.reject(self.color)
        self.table.ban(self.color)
        for request in ({"move": 1}, ["flyPenguin", [[0, 0]]], ["placePenguin", [0, 0]]):
            self.wire.send(request)
            self._hear()
        return self._banned()

    def _late(self) -> bool:
        self.table.skip(self.color, "took too long")
        return False

    def _late_thrice(self) -> bool:
        if not self.committed:
            return self._late()
        self.table.ban(self.color)
        self._hear()
        return self._banned()

    def _out_of_turn(self) -> bool:
        request = self._request()
        self.table.reject(self.color, "not your turn")
        self.wire.send(request, request)
        return False

    def _out_of_turn_often(self) -> bool:
        request = self._request()
        for _ in range(9):
            self.table.reject(self.color, "not your turn")
        self.table.ban(self.color)
        self.wire.send(*[request] * 11)
        while self._hear()[0] != "notifyBanned":
            pass
        return self._banned()

    def _banned(self) -> bool:
        self.wire.send(["placePenguin", [[0, 0]]])
        self._hear()
        return True

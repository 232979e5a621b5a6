"""A client of note 000, Fish by calls, written from the note and its rulings alone.

The clients at one table share a `Table`: the game by rules of their own, one step for each answer.
What the referee tells a client must be what the table says.
"""

import threading
from typing import Any

from notes.wire import Client

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


class Table:
    """The game as the clients know it: a history of states, and who was kicked."""

    def __init__(self) -> None:
        """Wait for the first `initialize`."""
        self.lock = threading.Lock()
        self.history: list[State] = []
        self.kicked: list[str] = []
        self.kicks: list[int] = []  # How many states there were after each kick.
        self.penguins = 0

    @property
    def state(self) -> State:
        """Return the present state."""
        return self.history[-1]

    def begin(self, board: list[list[int]], seats: int) -> bool:
        """Set the table once, and tell whether everybody is told the same board."""
        with self.lock:
            if not self.history:
                players = [{"color": color, "score": 0, "places": []} for color in COLORS[:seats]]
                self.penguins = 6 - seats
                self.history.append({"players": players, "board": board})
            return bool(self.history[0]["board"] == board and len(self.history[0]["players"]) == seats)

    def placing(self) -> bool:
        """Tell whether a penguin is still to be placed."""
        return any(len(player["places"]) < self.penguins for player in self.state["players"])

    def place(self, spot: Posn) -> None:
        """Place a penguin of the player to move."""
        with self.lock:
            first, *rest = self.state["players"]
            self._add([*rest, {**first, "places": [*first["places"], spot]}], self.state["board"])

    def move(self, start: Posn, end: Posn) -> None:
        """Move a penguin of the player to move; the tile it leaves is eaten."""
        with self.lock:
            first, *rest = self.state["players"]
            board = [list(row) for row in self.state["board"]]
            fish, board[start[0]][start[1]] = board[start[0]][start[1]], 0
            places = [end if place == start else place for place in first["places"]]
            self._add([*rest, {**first, "score": first["score"] + fish, "places": places}], board)

    def kick(self, color: str) -> None:
        """Remove a player and its penguins; the tiles stay."""
        with self.lock:
            self.kicked.append(color)
            self._add([p for p in self.state["players"] if p["color"] != color], self.state["board"])
            self.kicks.append(len(self.history))

    def _add(self, players: list[dict[str, Any]], board: list[list[int]]) -> None:
        """Add a state, in which the first player is one that can move."""
        self.history.append({"players": players, "board": board})
        for _ in players:
            if self.placing() or moves(self.state, self.state["players"][0]):
                return
            self.state["players"].append(self.state["players"].pop(0))

    def told(self, state: State) -> bool:
        """Tell whether a state is the present one, or the one before a kick out of turn."""
        if state == self.state:
            return True
        return len(self.history) in self.kicks and state == self.history[-2]

    def over(self) -> bool:
        """Tell whether nobody can move."""
        return not self.placing() and not any(moves(self.state, p) for p in self.state["players"])

    def winners(self) -> list[str]:
        """Return the colours with the most fish."""
        best = max((player["score"] for player in self.state["players"]), default=0)
        return [player["color"] for player in by_color(self.state) if player["score"] == best]


class Client000(Client):
    """A player that is called: initialize, get-placement, get-movement, finalize, terminate."""

    table: Table
    color = ""

    def play(self) -> None:
        """Answer calls until the last one."""
        if self._initialize():
            return
        placed = 0
        while True:
            name, arguments = self.wire.read_json()
            if name == "get-placement":
                placed += 1
                over = self._get_placement(*arguments)
            elif name == "get-movement":
                over = self._get_movement(*arguments)
            else:
                self.demand(name == "finalize", f"there are five functions, and this call is due: {name}")
                self.demand(placed == self.table.penguins, "get-placement is called 6 - N times")
                self._finalize(*arguments)
                return
            if over:
                return

    def _initialize(self) -> bool:
        name, (board, seats, self.color) = self.wire.read_json()
        self.demand(name == "initialize", "initialize is the first call")
        self.demand(self.table.begin(board, seats), "everybody is told one board and number of players")
        if self.offence == "bad-initialize":
            self.committed = True
            self.table.kick(self.color)
            self.wire.send({"age": 7})
            self._hear_terminate()
            return True
        self.wire.send("void")
        return False

    def _get_placement(self, state: State) -> bool:
        self.demand(self.table.told(state), "the State is the one that the rules predict")
        self.demand(state["players"][0]["color"] == self.color, "the first player of a State is to move")
        self.demand(self.table.placing(), "get-placement is called in the placement phase")
        rows = state["board"]
        spots = [[r, c] for r in range(len(rows)) for c in range(len(rows[r])) if free(state, r, c)]
        spot = self.random.choice(spots)
        good = {"x": spot[1], "y": spot[0]}
        taken = [place for player in state["players"] for place in player["places"]] or [[-1, -1]]
        return self._answer(good, {"x": taken[0][1], "y": taken[0][0]}, spot)

    def _get_movement(self, game: dict[str, Any]) -> bool:
        self.demand(set(game) == {"state", "turn", "kicked"}, "a Game has state, turn and kicked")
        state = game["state"]
        self.demand(self.table.told(state), "the Game's state is the one that the rules predict")
        self.demand(
            game["turn"] == self.color == state["players"][0]["color"], "the player called is to move"
        )
        if state == self.table.state:
            self.demand(sorted(game["kicked"]) == sorted(self.table.kicked), "kicked names the kicked")
        self.demand(not self.table.placing(), "get-movement is called in the play phase")
        start, end = self.random.choice(moves(state, state["players"][0]))
        source = {"x": start[1], "y": start[0]}
        return self._answer(
            {"from": source, "to": {"x": end[1], "y": end[0]}}, {"from": source, "to": source}, start, end
        )

    def _answer(self, good: Any, illegal: Any, *step: Posn) -> bool:
        """Send a legal answer or commit the offence that is due; tell whether this was the end."""
        offence = self.due()
        if offence in (None, "out-of-turn"):
            (self.table.place if len(step) == 1 else self.table.move)(*step)
        if offence is None:
            self.wire.send(good)
            return False
        self.table.kick(self.color)
        if offence == "gone":
            self.wire.close()
            return True
        if offence == "unreadable":
            self.wire.send_text("nonsense\n")
        elif offence == "out-of-turn":
            self.wire.send(good, *["hurry"] * 10)
        elif offence != "late":
            self.wire.send({"illegal": illegal, "malformed": list(step)}[offence])
        self._hear_terminate()
        return True

    def _hear_terminate(self) -> None:
        call = self.wire.read_json()
        self.demand(call == ["terminate", []], "terminate is called on a player that is kicked")
        self.last_words = [call]
        self.hear_close()

    def _finalize(self, end: dict[str, Any]) -> None:
        self.demand(set(end) == {"state", "kicked", "winners"}, "an EndGame has state, kicked and winners")
        self.demand(self.table.over(), "an EndGame is terminal")
        self.demand(by_color(end["state"]) == by_color(self.table.state), "the EndGame has the last players")
        self.demand(end["state"]["board"] == self.table.state["board"], "the EndGame has the last board")
        self.demand(sorted(end["kicked"]) == sorted(self.table.kicked), "the EndGame names the kicked")
        self.demand(sorted(end["winners"]) == sorted(self.table.winners()), "most fish win, all who tie")
        self.last_words = ["finalize"]
        self.wire.send("void")
        self.hear_close()

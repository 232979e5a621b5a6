"""A client of note 003, Labyrinth by tasks, written from the note and its rulings alone.

The clients at one table share a `Table`: the game by rules of their own, one step for each answer.
Every state that the referee tells must be the next one in the table's history.
"""

import threading
import time
from typing import Any

from notes.wire import Client, Closed

Place = tuple[int, int]
Tile = tuple[str, tuple[str, ...]]  # A connector and its sorted gems.
Slide = tuple[str, int]
Move = tuple[Slide, int, Place]  # Slide, clockwise degrees, destination.

OPEN = {
    "│": "DU",
    "─": "LR",
    "┐": "DL",
    "└": "RU",
    "┌": "DR",
    "┘": "LU",
    "┬": "DLR",
    "├": "DRU",
    "┴": "LRU",
    "┤": "DLU",
    "┼": "DLRU",
}
CONNECTOR = {sides: connector for connector, sides in OPEN.items()}
CLOCKWISE = str.maketrans("URDL", "RDLU")
STEP = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
FACING = {"U": "D", "R": "L", "D": "U", "L": "R"}
SLIDES = {
    "SlideRowLeft": STEP["L"],
    "SlideRowRight": STEP["R"],
    "SlideColumnUp": STEP["U"],
    "SlideColumnDown": STEP["D"],
}
ROUNDS = 1000


def turned(tile: Tile, degrees: int) -> Tile:
    """Turn a tile clockwise."""
    sides = OPEN[tile[0]]
    for _ in range(degrees // 90):
        sides = "".join(sorted(sides.translate(CLOCKWISE)))
    return CONNECTOR[sides], tile[1]


class Maze:
    """A board and a spare tile, and nobody on it."""

    def __init__(self, grid: list[list[Tile]], spare: Tile) -> None:
        """Take the tiles, rows from the top."""
        self.grid, self.spare = grid, spare
        self.rows, self.columns = len(grid), len(grid[0])

    def slides(self) -> list[Slide]:
        """Return every slide: the even rows and columns move."""
        rows = [(name, row) for row in range(0, self.rows, 2) for name in ("SlideRowLeft", "SlideRowRight")]
        columns = [(n, c) for c in range(0, self.columns, 2) for n in ("SlideColumnUp", "SlideColumnDown")]
        return rows + columns

    def slid(self, slide: Slide, degrees: int) -> "Maze":
        """Push one line and insert the turned spare at its open end."""
        name, index = slide
        grid = [list(row) for row in self.grid]
        line = grid[index] if "Row" in name else [row[index] for row in grid]
        spare = turned(self.spare, degrees)
        if sum(SLIDES[name]) < 0:
            out, line = line[0], [*line[1:], spare]
        else:
            out, line = line[-1], [spare, *line[:-1]]
        for place, tile in enumerate(line):
            if "Row" in name:
                grid[index][place] = tile
            else:
                grid[place][index] = tile
        return Maze(grid, out)

    def carried(self, slide: Slide, place: Place) -> Place:
        """Return where a slide takes what stands on a place."""
        name, index = slide
        if place[0 if "Row" in name else 1] != index:
            return place
        down, right = SLIDES[name]
        return (place[0] + down) % self.rows, (place[1] + right) % self.columns

    def reach(self, start: Place) -> set[Place]:
        """Return all places that paths join with a place."""
        found, todo = {start}, [start]
        while todo:
            row, column = todo.pop()
            for side in OPEN[self.grid[row][column][0]]:
                there = (row + STEP[side][0], column + STEP[side][1])
                if there in found or not (0 <= there[0] < self.rows and 0 <= there[1] < self.columns):
                    continue
                if FACING[side] in OPEN[self.grid[there[0]][there[1]][0]]:
                    found.add(there)
                    todo.append(there)
        return found


def apart(one: Place, other: Place) -> int:
    """Return the squared distance of two places."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


class Table:
    """The game as the clients know it, and the history of what everybody must be told."""

    def __init__(self) -> None:
        """Wait for the first state."""
        self.lock = threading.RLock()
        self.history: list[dict[str, Any]] = []
        self.goals: dict[int, Place] = {}
        self.reached: set[int] = set()
        self.last: Slide | None = None
        self.turn: int | None = 0
        self.passed: dict[int, bool] = {}
        self.turns = 0
        self.rounds = 0
        self.came_home: int | None = None
        self.held = False  # Nobody goes home before an offence that is to be committed.

    def begin(self, state: dict[str, Any]) -> None:
        """Set the table once, from what the first client is told."""
        with self.lock:
            if self.history:
                return
            self.maze = read_maze(state)
            self.players = [(p["name"], p["color"], tuple(p["home"])) for p in state["players"]]
            self.places: list[Place | None] = [tuple(p["position"]) for p in state["players"]]
            self._remember()

    def left(self) -> list[int]:
        """Return the players that are not kicked."""
        return [player for player, place in enumerate(self.places) if place is not None]

    def act(self, player: int, move: Move | None) -> None:
        """Make the move, or the pass, of the player whose turn it is."""
        with self.lock:
            self.turns += 1
            self.passed[player] = move is None
            home = False
            if move is not None:
                slide, degrees, destination = move
                self.maze = self.maze.slid(slide, degrees)
                self.places = [place and self.maze.carried(slide, place) for place in self.places]
                self.places[player], self.last = destination, slide
                home = player in self.reached and destination == self.players[player][2]
                if destination == self.goals[player]:
                    self.reached.add(player)
            if home:
                self.came_home, self.turn = player, None
            else:
                self._pass_on(player)
            self._remember()

    def kick(self, player: int) -> None:
        """Remove a player; the turn passes on if it was its own."""
        with self.lock:
            self.places[player] = None
            self.passed.pop(player, None)
            if self.turn == player:
                self._pass_on(player)
            self._remember()

    def _pass_on(self, player: int) -> None:
        """Find whose turn comes next; a round ends with the last player in turn order."""
        later = [other for other in self.left() if other > player]
        if later:
            self.turn = later[0]
            return
        self.rounds += 1
        over = self.rounds == ROUNDS or all(self.passed.get(other, True) for other in self.left())
        self.turn = None if over else self.left()[0]
        self.passed = self.passed if over else {}

    def _remember(self) -> None:
        names = ("name", "color", "home")
        players = [dict(zip(names, player, strict=True)) for player in self.players]
        for player, place in zip(players, self.places, strict=True):
            player.update(position=place, kicked=place is None)
        last = None if self.last is None else {"type": self.last[0], "index": self.last[1]}
        self.history.append(
            {
                "maze": (self.maze.grid, self.maze.spare),
                "players": players,
                "lastSlide": last,
                "turn": self.turn,
                "reached": set(self.reached),
            }
        )

    def winners(self) -> list[int]:
        """Return who came home, else who is nearest to home on the way there, else nearest to a goal."""
        if self.came_home is not None:
            return [self.came_home]
        going = [player for player in self.left() if player in self.reached]
        target = {p: self.players[p][2] if p in self.reached else self.goals[p] for p in self.left()}
        far = {
            player: apart(self.places[player] or (0, 0), target[player]) for player in going or self.left()
        }
        return [player for player in far if far[player] == min(far.values())]

    def moves(self, player: int) -> list[Move]:
        """Return every legal move of a player."""
        found: list[Move] = []
        start = self.places[player]
        assert start is not None
        for slide in self.maze.slides():
            if self.last is not None and self.undoes(slide):
                continue
            for degrees in (0, 90, 180, 270):
                maze, place = self.maze.slid(slide, degrees), self.maze.carried(slide, start)
                found += [(slide, degrees, end) for end in sorted(maze.reach(place) - {place})]
        return found

    def undoes(self, slide: Slide) -> bool:
        """Tell whether a slide reverses the last one."""
        return self.last is not None and slide == opposite(self.last)


def opposite(slide: Slide) -> Slide:
    """Return the slide that reverses another."""
    down, right = SLIDES[slide[0]]
    return next((name, slide[1]) for name, step in SLIDES.items() if step == (-down, -right))


def read_maze(state: dict[str, Any]) -> Maze:
    """Read board and spare of an IPlayerState."""
    board, spare = state["board"], state["spare"]
    grid = [
        [(connector, tuple(sorted(gems))) for connector, gems in zip(*row, strict=True)]
        for row in zip(board["connectors"], board["treasures"], strict=True)
    ]
    return Maze(grid, (spare["tilekey"], tuple(sorted((spare["1-image"], spare["2-image"])))))


class Client003(Client):
    """A player that is told the state, asked for moves, and told who has won."""

    table: Table
    me = -1
    limit = 4000  # Milliseconds for a move.
    strategy = "seek"
    dawdle = 0.0  # Seconds before "void" when its own turn comes next; the clock does not wait.
    pause = 0.0  # Seconds before each of the first moves, so that an offence out of turn is judged first.
    told = -1

    def play(self) -> None:
        """Answer calls until the last one."""
        while True:
            name, arguments = self.wire.read_json()
            self.demand(name in ("NotifyGameState", "RequestMove", "NotifyGameOver"), f"no such call: {name}")
            self.demand(len(arguments) == 1, f"{name} has one argument")
            if name == "NotifyGameOver":
                self._hear_winner(arguments[0])
                return
            answer = self._hear_state if name == "NotifyGameState" else self._choose
            if answer(arguments[0]):
                self._hear_nothing_more()
                return

    def _hear_nothing_more(self) -> None:
        if self.offence == "gone":
            return
        try:
            while True:  # What was under way when the offence arrived may still come.
                name, _ = self.wire.read_json()
                self.demand(self.offence == "out-of-turn", f"there is no call after an offence: {name}")
        except Closed:
            self.last_words = ["closed"]

    def _hear_state(self, state: dict[str, Any]) -> bool:
        self.table.begin(state)
        if self.told < 0:
            self.me = [player[0] for player in self.table.players].index(self.name)
            self.table.goals[self.me] = (state["goal"][0], state["goal"][1])
        self.told += 1
        for difference in self._differences(state):
            self.demand(False, difference)
        if self.offence == "bad-void":
            self.committed, self.table.held = True, False
            self.table.kick(self.me)
            self.wire.send({"void": False})
            return True
        if state["turn"] == self.me:
            time.sleep(self.dawdle)
        self.wire.send("void")
        return False

    def _differences(self, state: dict[str, Any]) -> list[str]:
        """Compare a state told with the one that the rules predict."""
        expected, maze, me = self.table.history[self.told], read_maze(state), self.me
        players = [
            {**p, "home": tuple(p["home"]), "position": p["position"] and tuple(p["position"])}
            for p in state["players"]
        ]
        pairs = {
            "tiles": ((maze.grid, maze.spare), expected["maze"]),
            "players": (players, expected["players"]),
            "lastSlide": (state["lastSlide"], expected["lastSlide"]),
            "turn": (state["turn"], expected["turn"]),
            "goal": (tuple(state["goal"]), self.table.goals[me]),
            "home": (tuple(state["home"]), self.table.players[me][2]),
            "hasReachedGoal": (state["hasReachedGoal"], me in expected["reached"]),
        }
        return [
            f"in state {self.told} {name} is {right}, but was {told}"
            for name, (told, right) in pairs.items()
            if told != right
        ]

    def _choose(self, milliseconds: int) -> bool:
        """Answer RequestMove; tell whether that was an offence."""
        self.demand(
            self.told >= 0 and self.table.history[self.told]["turn"] == self.me, "only whose turn it is"
        )
        # Half of the delay is enough to demand. No clock runs before the first turn.
        left = self.limit - (500 * self.dawdle if self.told else 0)
        self.demand(0 < milliseconds <= left, f"{milliseconds} ms are left, of at most {left}")
        offence = self.due()
        move = self._best()
        self.table.held = self.table.held and offence is None
        if self.turns <= 2:
            time.sleep(self.pause)
        if offence in (None, "out-of-turn"):
            self.table.act(self.me, move)
            if offence is None:
                self.wire.send(wired(move))
                return False
            self.table.kick(self.me)
            self.wire.send(wired(move), *[None] * 10)
            return True
        self._offend(offence)
        return True

    def _offend(self, offence: str) -> None:
        slide, degrees, end = self.table.moves(self.me)[0]
        place = self.table.places[self.me]
        assert place is not None
        self.table.kick(self.me)
        if offence == "gone":
            self.wire.close()
        elif offence == "unreadable":
            self.wire.send_text("nonsense\n")
        elif offence == "malformed":
            self.wire.send({**wired((slide, degrees, end)), "rotation": 45})
        elif offence == "stay":
            self.wire.send(wired((slide, degrees, self.table.maze.carried(slide, place))))
        elif offence == "undo":
            assert self.table.last is not None
            self.wire.send(wired((opposite(self.table.last), 0, end)))
        elif offence == "odd-line":
            self.wire.send(wired(((slide[0], 1), 0, end)))

    def _best(self) -> Move | None:
        """Pass, or move towards the goal and then home, and now and then anywhere."""
        home = self.me in self.table.reached
        target = self.table.players[self.me][2] if home else self.table.goals[self.me]
        moves = [] if self.strategy == "pass" else self.table.moves(self.me)
        if home and self.table.held:
            moves = [move for move in moves if move[2] != target]
        if not moves:
            return None
        if self.random.random() < 0.2:
            return self.random.choice(moves)
        return min(moves, key=lambda move: apart(move[2], target))

    def _hear_winner(self, winner: Any) -> None:
        table = self.table
        self.demand(self.told == len(table.history) - 1, "the last state is told before NotifyGameOver")
        self.demand(table.turn is None, "the game is over by the rules")
        winners = table.winners()
        one = self.me if self.me in winners else winners[0]
        name, color, home = table.players[one]
        expected = {
            "name": name,
            "color": color,
            "home": list(home),
            "position": list(table.places[one] or ()),
        }
        self.demand(winner == expected, f"the winner is {expected}")
        self.last_words = [winner]
        self.wire.send("void")
        self.hear_close()


def wired(move: Move | None) -> Any:
    """Return an IMove as the rulings write it."""
    if move is None:
        return None
    (name, index), degrees, destination = move
    return {"slide": {"type": name, "index": index}, "rotation": degrees, "destination": list(destination)}

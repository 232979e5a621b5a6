"""A client of note 004, Labyrinth remote, written from the note and its rulings alone.

The clients at one table share a `Table`: the game by rules of their own, one step for each answer.
Every GameProjection that the referee sends must be what the table says.
"""

import itertools
import threading
import time
from typing import TYPE_CHECKING, Any

from notes.wire import Client, Closed

if TYPE_CHECKING:
    from collections.abc import Callable

Place = tuple[int, int]
Tile = tuple[str, tuple[str, ...]]  # The first letters of its pathways, and its gems, both sorted.
Slide = tuple[str, int]
Move = tuple[Slide, int, Place]  # Slide, clockwise quarter turns, destination.

DIRECTION = {"U": "UP", "D": "DOWN", "L": "LEFT", "R": "RIGHT"}
GEMS = "amethyst apatite azurite beryl citrine diamond emerald garnet goldstone aplite unakite zircon".split()
CLOCKWISE = str.maketrans("URDL", "RDLU")
STEP = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
FACING = {"U": "D", "R": "L", "D": "U", "L": "R"}
SLIDES = {DIRECTION[side]: step for side, step in STEP.items()}
ROWS = ("LEFT", "RIGHT")
ROUNDS = 1000


def turned(tile: Tile, rotations: int) -> Tile:
    """Turn a tile clockwise."""
    sides = tile[0]
    for _ in range(rotations % 4):
        sides = "".join(sorted(sides.translate(CLOCKWISE)))
    return sides, tile[1]


class Maze:
    """A board and a spare tile, and nobody on it."""

    def __init__(self, grid: list[list[Tile]], spare: Tile) -> None:
        """Take the tiles, rows from the top."""
        self.grid, self.spare = grid, spare
        self.rows, self.columns = len(grid), len(grid[0])

    def slides(self) -> list[Slide]:
        """Return every slide: the even rows and columns move."""
        rows = [(name, row) for row in range(0, self.rows, 2) for name in ROWS]
        columns = [(n, c) for c in range(0, self.columns, 2) for n in ("UP", "DOWN")]
        return rows + columns

    def slid(self, slide: Slide, rotations: int) -> "Maze":
        """Push one line and insert the turned spare at its open end."""
        name, index = slide
        grid = [list(row) for row in self.grid]
        line = grid[index] if name in ROWS else [row[index] for row in grid]
        spare = turned(self.spare, rotations)
        if sum(SLIDES[name]) < 0:
            out, line = line[0], [*line[1:], spare]
        else:
            out, line = line[-1], [spare, *line[:-1]]
        for place, tile in enumerate(line):
            if name in ROWS:
                grid[index][place] = tile
            else:
                grid[place][index] = tile
        return Maze(grid, out)

    def carried(self, slide: Slide, place: Place) -> Place:
        """Return where a slide takes what stands on a place."""
        name, index = slide
        if place[0 if name in ROWS else 1] != index:
            return place
        down, right = SLIDES[name]
        return (place[0] + down) % self.rows, (place[1] + right) % self.columns

    def reach(self, start: Place) -> set[Place]:
        """Return all places that paths join with a place."""
        found, todo = {start}, [start]
        while todo:
            row, column = todo.pop()
            for side in self.grid[row][column][0]:
                there = (row + STEP[side][0], column + STEP[side][1])
                if there in found or not (0 <= there[0] < self.rows and 0 <= there[1] < self.columns):
                    continue
                if FACING[side] in self.grid[there[0]][there[1]][0]:
                    found.add(there)
                    todo.append(there)
        return found


def apart(one: Place, other: Place) -> int:
    """Return the squared distance of two places."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


class Table:
    """The game as the clients know it, and the history of what everybody must be told."""

    def __init__(self) -> None:
        """Wait for the first setup."""
        self.lock = threading.RLock()
        self.history: list[dict[str, Any]] = []
        self.goals: dict[int, Place] = {}
        self.reached: set[int] = set()
        self.last: Slide | None = None
        self.turn: int | None = 0
        self.passed: dict[int, bool] = {}
        self.kicks: list[int] = []  # How many states there were after each kick.
        self.proposals: list[list[list[Tile]]] = []  # The suitable ones.
        self.inserted: tuple[Tile, int] | None = None  # The tile of the last slide, and how it was turned.
        self.rounds = 0
        self.came_home: int | None = None
        self.held = False  # Nobody goes home before an offence that is to be committed.

    def begin(self, projection: dict[str, Any]) -> None:
        """Set the table once, from what the first client is told."""
        with self.lock:
            if self.history:
                return
            self.maze = read_maze(projection)
            self.homes = [place(player["home"]) for player in projection["players"]]
            self.places: list[Place | None] = [place(player["avatar"]) for player in projection["players"]]
            self._remember()

    def left(self) -> list[int]:
        """Return the players that are not kicked."""
        return [player for player, place in enumerate(self.places) if place is not None]

    def act(self, player: int, move: Move | None) -> None:
        """Make the move, or the pass, of the player whose turn it is."""
        with self.lock:
            self.passed[player] = move is None
            home = False
            if move is not None:
                slide, rotations, destination = move
                self.inserted = (self.maze.spare, rotations)
                self.maze = self.maze.slid(slide, rotations)
                self.places = [at and self.maze.carried(slide, at) for at in self.places]
                self.places[player], self.last = destination, slide
                home = player in self.reached and destination == self.homes[player]
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
            self.kicks.append(len(self.history) + 1)
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
        players = [(at, home) for at, home in zip(self.places, self.homes, strict=True) if at is not None]
        self.history.append(
            {
                "tiles": (self.maze.grid, self.maze.spare),
                "players": players,
                "last": self.last,
                "avatars": list(self.places),
                "reached": set(self.reached),
            }
        )

    def status(self) -> str:
        """Return the GameStatus of a game that is over."""
        if self.came_home is not None:
            return "TREASURE_RETURNED"
        return "ROUND_LIMIT_REACHED" if self.rounds == ROUNDS else "ALL_SKIPPED"

    def winners(self) -> list[int]:
        """Return who came home, else who is nearest to home on the way there, else nearest to a goal."""
        if self.came_home is not None:
            return [self.came_home]
        going = [player for player in self.left() if player in self.reached]
        target = {p: self.homes[p] if p in self.reached else self.goals[p] for p in self.left()}
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
            for rotations in range(4):
                maze, place = self.maze.slid(slide, rotations), self.maze.carried(slide, start)
                found += [(slide, rotations, end) for end in sorted(maze.reach(place) - {place})]
        return found

    def undoes(self, slide: Slide) -> bool:
        """Tell whether a slide reverses the last one."""
        return self.last is not None and slide == opposite(self.last)


def opposite(slide: Slide) -> Slide:
    """Return the slide that reverses another."""
    down, right = SLIDES[slide[0]]
    return next((name, slide[1]) for name, step in SLIDES.items() if step == (-down, -right))


def place(position: list[int]) -> Place:
    """Read a Position."""
    row, column = position
    return row, column


def read_tile(tile: dict[str, Any]) -> Tile:
    """Read a Tile, whose pathways and gems have no order."""
    return "".join(sorted(side[0] for side in tile["pathways"])), tuple(sorted(tile["gems"]))


def read_maze(projection: dict[str, Any]) -> Maze:
    """Read the tiles of a GameProjection."""
    grid = [[read_tile(tile) for tile in row] for row in projection["tileGrid"]]
    return Maze(grid, read_tile(projection["spare"]))


SHAPES = ("DU", "LR", "DL", "RU", "DR", "LU", "DLR", "DRU", "LRU", "DLU", "DLRU")


def propose(kind: str, rows: int, columns: int, draw: Any) -> list[list[dict[str, Any]]]:
    """Return a board to propose: a suitable one, or one that is only not considered."""
    rows += kind == "larger"
    pairs = itertools.combinations_with_replacement(GEMS, 2)
    board = [
        [
            {"pathways": [DIRECTION[s] for s in draw.choice(SHAPES)], "gems": list(next(pairs))}
            for _ in range(columns)
        ]
        for _ in range(rows)
    ]
    tile = board[0][0]
    if kind == "one gem":
        tile["gems"].pop()
    elif kind == "three gems":
        tile["gems"].append(GEMS[5])
    elif kind == "doubled pathway":
        tile["pathways"].append(tile["pathways"][0])
    elif kind == "dead end":
        tile["pathways"] = ["UP"]
    elif kind == "no pathway":
        tile["pathways"] = []
    elif kind == "ragged":
        board[-1].pop()
    elif kind == "small":
        board.pop()
    elif kind == "empty":
        board.clear()
    elif kind == "same treasures":
        tile["gems"] = board[0][1]["gems"]
    return board


class Client004(Client):
    """A player that signs up, proposes a board, is set up, takes turns, and hears how it ended."""

    table: Table
    me = -1
    strategy = "seek"
    proposal = "good"
    pause = 0.0  # Seconds before each of the first moves, so that an offence out of turn is judged first.
    go_home = False  # ReturnHome must be the next call.

    def play(self) -> None:
        """Answer calls until the last one."""
        steps: dict[str, Callable[..., bool]] = {"TakeTurn": self._take_turn, "ReturnHome": self._return_home}
        ended = self._propose() or self._set_up()
        while not ended:
            name, arguments = self.wire.read_json()
            if name == "EndOfGame":
                self._hear_end(*arguments)
                return
            self.demand(name in steps, f"no such call: {name}")
            ended = steps[name](*arguments)
        self._hear_nothing_more()

    def _hear_nothing_more(self) -> None:
        if self.offence == "gone":
            return
        try:
            name, _ = self.wire.read_json()
            self.demand(False, f"there is no call after an offence: {name}")
        except Closed:
            self.last_words = ["closed"]

    def _propose(self) -> bool:
        name, (rows, columns) = self.wire.read_json()
        self.size = (rows, columns)
        self.demand(name == "ProposeBoard", "ProposeBoard is the first call")
        if self.offence in ("bad-proposal", "late-proposal"):
            self.committed, self.table.held = True, False
            if self.offence == "bad-proposal":
                self.wire.send("my favourite board")
            return True
        board = propose(self.proposal, rows, columns, self.random)
        if self.proposal in ("good", "larger"):
            self.table.proposals.append([[read_tile(tile) for tile in row] for row in board])
        self.wire.send(board)
        return False

    def _set_up(self) -> bool:
        name, (projection, goal) = self.wire.read_json()
        self.demand(name == "setup", "setup follows")
        self.table.begin(projection)
        self.me = self.table.homes.index(place(projection["self"]["home"]))
        self.table.goals[self.me] = place(goal)
        self._check(projection)
        self._check_board(self.table.history[0]["tiles"])
        if self.offence == "bad-setup":
            self.committed, self.table.held = True, False
            self.table.kick(self.me)
            self.wire.send({"void": False})
            return True
        self.wire.send("void")
        return False

    def _check_board(self, tiles: tuple[list[list[Tile]], Tile]) -> None:
        """Demand a board of at least the size asked for, and one of the suitable proposals."""
        grid, spare = tiles
        self.demand(len(grid) >= self.size[0] and len(grid[0]) >= self.size[1], "the board is large enough")
        every = [spare, *itertools.chain.from_iterable(grid)]
        self.demand(len({gems for _, gems in every}) == len(every), "treasures are distinct")
        self.demand(all(len(gems) == 2 for _, gems in every), "a tile has two gems")
        if self.table.proposals:
            self.demand(grid in self.table.proposals, "the board is a suitable proposal, if there is one")

    def _check(self, projection: dict[str, Any]) -> None:
        """Demand that a projection is the one that the rules predict, or that of before a kick."""
        fields = {"tileGrid", "spare", "self", "players", "previousSlide"}
        self.demand(set(projection) == fields, f"a GameProjection has {sorted(fields)}")
        found = self._differences(projection, self.table.history[-1])
        if found and len(self.table.history) in self.table.kicks:
            found = self._differences(projection, self.table.history[-2]) and found
        self.violations += found

    def _differences(self, projection: dict[str, Any], expected: dict[str, Any]) -> list[str]:
        maze, own, me = read_maze(projection), projection["self"], self.me
        slide = projection["previousSlide"]
        pairs = {
            "tiles": ((maze.grid, maze.spare), expected["tiles"]),
            "players": (
                [(place(p["avatar"]), place(p["home"])) for p in projection["players"]],
                expected["players"],
            ),
            "previousSlide": (slide and (slide["direction"], slide["index"]), expected["last"]),
            "avatar": (place(own["avatar"]), expected["avatars"][me]),
            "goal": (place(own["goal"]), self.table.goals[me]),
            "hasReachedGoal": (own["hasReachedGoal"], me in expected["reached"]),
        }
        if slide and self.table.inserted is not None:
            tile, rotations = self.table.inserted
            pairs["rotations"] = (turned(tile, slide["rotations"]), turned(tile, rotations))
        return [
            f"{name} is {right}, but was {told}" for name, (told, right) in pairs.items() if told != right
        ]

    def _take_turn(self, projection: dict[str, Any]) -> bool:
        """Answer TakeTurn; tell whether that was an offence."""
        self.demand(not self.go_home, "ReturnHome comes after the move that reached the goal")
        self.demand(self.table.turn == self.me, "turns go in the order of sign-up")
        self._check(projection)
        offence = self.due() if self.offence != "bad-return-home" else None
        move = self._best()
        self.table.held = self.table.held and offence is None
        if self.turns <= 2:
            time.sleep(self.pause)
        if offence not in (None, "out-of-turn"):
            self._offend(offence)
            return True
        new = self.me not in self.table.reached
        self.table.act(self.me, move)
        self.go_home = new and self.me in self.table.reached
        if offence is None:
            self.wire.send(self._wired(move))
            return False
        self.table.kick(self.me)
        self.wire.send(self._wired(move), *[None] * 10)
        return True

    def _offend(self, offence: str | None) -> None:
        slide, rotations, end = self.table.moves(self.me)[0]
        start, last = self.table.places[self.me], self.table.last
        assert start is not None
        self.table.kick(self.me)
        if offence == "gone":
            self.wire.close()
        elif offence == "unreadable":
            self.wire.send_text("nonsense\n")
        elif offence == "malformed":
            self.wire.send({"slide": {"direction": "UP", "index": 0, "rotations": -1}, "destination": [0, 0]})
        elif offence == "stay":
            self.wire.send(self._wired((slide, rotations, self.table.maze.carried(slide, start))))
        elif offence == "undo":
            assert last is not None
            self.wire.send(self._wired((opposite(last), 0, end)))
        elif offence == "odd-line":
            self.wire.send(self._wired(((slide[0], 1), 0, end)))

    def _best(self) -> Move | None:
        """Skip, or move towards the goal and then home, and now and then anywhere."""
        home = self.me in self.table.reached
        target = self.table.homes[self.me] if home else self.table.goals[self.me]
        moves = [] if self.strategy == "skip" else self.table.moves(self.me)
        if self.strategy == "wander" or self.offence == "out-of-turn" or (home and self.table.held):
            moves = [move for move in moves if move[2] != target]
        if not moves:
            return None
        if self.strategy == "wander" or self.random.random() < 0.2:
            return self.random.choice(moves)
        return min(moves, key=lambda move: apart(move[2], target))

    def _wired(self, move: Move | None) -> Any:
        """Return the answer to TakeTurn; a count of rotations may be any natural number."""
        if move is None:
            return None
        (direction, index), rotations, destination = move
        rotations += 4 * self.random.randrange(3)
        slide = {"direction": direction, "index": index, "rotations": rotations}
        return {"slide": slide, "destination": list(destination)}

    def _return_home(self, position: list[int]) -> bool:
        self.demand(self.go_home, "ReturnHome is called once, after the move that reached the goal")
        self.demand(place(position) == self.table.homes[self.me], "ReturnHome names one's own home")
        self.go_home = False
        if self.offence == "bad-return-home":
            self.committed, self.table.held = True, False
            self.table.kick(self.me)
            self.wire.send(7)
            return True
        self.wire.send("void")
        return False

    def _hear_end(self, status: str, result: str) -> None:
        table = self.table
        self.demand(table.turn is None, "the game is over by the rules")
        self.demand(status == table.status(), f"the status is {table.status()}")
        expected = "WINNER" if self.me in table.winners() else "LOSER"
        self.demand(result == expected, f"the result is {expected}")
        self.last_words = [status, result]
        self.wire.send("void")
        self.hear_close()

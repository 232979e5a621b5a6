"""Labyrinth, the obvious way: a dict of tiles that are really moved, and a search step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.games.labyrinth import LabyrinthPosition, Pass, Slide

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Seat
    from touchline.games.boards.maze import Degree, Direction, Treasure

    Tile = tuple[str, Treasure]

OPEN_SIDES = {
    "│": {"up", "down"},
    "─": {"left", "right"},
    "┐": {"left", "down"},
    "└": {"up", "right"},
    "┌": {"right", "down"},
    "┘": {"up", "left"},
    "┬": {"left", "right", "down"},
    "├": {"up", "right", "down"},
    "┴": {"left", "right", "up"},
    "┤": {"up", "down", "left"},
    "┼": {"up", "right", "down", "left"},
}
TURNED_LEFT = {"up": "left", "left": "down", "down": "right", "right": "up"}  # a quarter counter-clockwise
FACING = {"up": "down", "down": "up", "left": "right", "right": "left"}
BESIDE = {"up": (-1, 0), "down": (+1, 0), "left": (0, -1), "right": (0, +1)}
REVERSE: dict[Direction, Direction] = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}
DEGREES: tuple[Degree, ...] = (0, 90, 180, 270)
MOST_ROUNDS = 1000


def turned(connector: str, degree: int) -> str:
    """A tile turned counter-clockwise."""
    sides = OPEN_SIDES[connector]
    for _ in range(degree // 90):
        sides = {TURNED_LEFT[side] for side in sides}
    return next(other for other, opening in OPEN_SIDES.items() if opening == sides)


class Board:
    """The tiles and the spare, each a connector with its treasure."""

    def __init__(self, rows: int, cols: int, tiles: dict[Cell, Tile], spare: Tile) -> None:
        self.rows = rows
        self.cols = cols
        self.tiles = tiles
        self.spare = spare

    def copy(self) -> Board:
        return Board(self.rows, self.cols, dict(self.tiles), self.spare)

    def pushes(self) -> list[tuple[int, Direction]]:
        """Every other row and column, beginning with the outermost at the top and at the left."""
        found: list[tuple[int, Direction]] = []
        for row in range(0, self.rows, 2):
            found += [(row, "LEFT"), (row, "RIGHT")]
        for col in range(0, self.cols, 2):
            found += [(col, "UP"), (col, "DOWN")]
        return found

    def line(self, index: int, direction: Direction) -> list[Cell]:
        """The places of a row or column, in the direction of the push: the last one drops out."""
        if direction in ("LEFT", "RIGHT"):
            places = [(index, col) for col in range(self.cols)]
        else:
            places = [(row, index) for row in range(self.rows)]
        if direction in ("LEFT", "UP"):
            places.reverse()
        return places

    def push(self, index: int, direction: Direction, degree: int) -> None:
        places = self.line(index, direction)
        connector, treasure = self.spare
        pushed_out = self.tiles[places[-1]]
        for place in range(len(places) - 1, 0, -1):
            self.tiles[places[place]] = self.tiles[places[place - 1]]
        self.tiles[places[0]] = turned(connector, degree), treasure
        self.spare = pushed_out

    def carried(self, cell: Cell, index: int, direction: Direction) -> Cell:
        """Where somebody who stood here is after a push; who drops out comes in on the other side."""
        places = self.line(index, direction)
        if cell not in places:
            return cell
        return places[(places.index(cell) + 1) % len(places)]

    def connected(self, cell: Cell, side: str) -> Cell | None:
        """The neighbour on that side, if both tiles are open towards each other."""
        neighbour = cell[0] + BESIDE[side][0], cell[1] + BESIDE[side][1]
        if neighbour not in self.tiles or side not in OPEN_SIDES[self.tiles[cell][0]]:
            return None
        return neighbour if FACING[side] in OPEN_SIDES[self.tiles[neighbour][0]] else None

    def reachable(self, start: Cell) -> set[Cell]:
        """Everywhere one can walk to, the start included."""
        seen = {start}
        to_visit = [start]
        while to_visit:
            cell = to_visit.pop()
            for side in BESIDE:
                neighbour = self.connected(cell, side)
                if neighbour is not None and neighbour not in seen:
                    seen.add(neighbour)
                    to_visit.append(neighbour)
        return seen


class ObviousLabyrinth:
    """A game of Labyrinth that is changed in place."""

    def __init__(self, start: LabyrinthPosition) -> None:
        tiles = {
            (row, col): (connector, start.treasures[row][col])
            for row, line in enumerate(start.connectors)
            for col, connector in enumerate(line)
        }
        spare = start.spare.connector, start.spare.treasure
        self.board = Board(len(start.connectors), len(start.connectors[0]), tiles, spare)
        self.last = start.last
        self.seats = len(start.seekers)
        self.avatar: dict[Seat, Cell] = {}  # of those who are still in
        self.home: dict[Seat, Cell] = {}
        self.target: dict[Seat, Cell] = {}
        self.found: dict[Seat, int] = {}
        for seat, seeker in enumerate(start.seekers):
            assert seeker.avatar is not None
            assert seeker.goal is not None
            self.avatar[seat], self.home[seat], self.target[seat] = seeker.avatar, seeker.home, seeker.goal
            self.found[seat] = 0
        self.going_home: set[Seat] = set()
        assert start.pool is not None
        self.goals = list(start.pool)
        self.round = start.round
        self.due = sorted(self.avatar)
        self.moved: set[Seat] = set()
        self.moved_in_round_just_closed: set[Seat] | None = None
        self.reached: Seat | None = None
        self.came_home: Seat | None = None
        self.reason: str | None = None

    @property
    def over(self) -> bool:
        return self.reason is not None

    @property
    def to_move(self) -> Seat | None:
        return None if self.over else self.due[0]

    passed_over: tuple[Seat, ...] = ()

    # Moving

    def legal_moves(self) -> set[Slide | Pass]:
        if self.over:
            return set()
        moves: set[Slide | Pass] = {Pass()}
        for index, direction in self.board.pushes():
            if self.last == (index, REVERSE[direction]):
                continue
            for degree in DEGREES:
                moves |= {Slide(index, direction, degree, to) for to in self.ways(index, direction, degree)}
        return moves

    def ways(self, index: int, direction: Direction, degree: Degree) -> set[Cell]:
        """Where the seat to move can go after a push; it may not stay where the push has left it."""
        start = self.board.carried(self.avatar[self.due[0]], index, direction)
        pushed = self.board.copy()
        pushed.push(index, direction, degree)
        return pushed.reachable(start) - {start}

    def play(self, move: Slide | Pass) -> None:
        seat = self.due.pop(0)
        self.reached = None
        self.moved_in_round_just_closed = None
        if isinstance(move, Slide):
            self.moved.add(seat)
            self.board.push(move.index, move.direction, move.degree)
            self.last = move.index, move.direction
            for other, cell in self.avatar.items():
                self.avatar[other] = self.board.carried(cell, move.index, move.direction)
            self.avatar[seat] = move.to
            if move.to == self.target[seat]:
                self.arrive(seat)
        if not self.over and not self.due:
            self.close_round()

    def arrive(self, seat: Seat) -> None:
        if seat in self.going_home:
            self.came_home = seat
            self.reason = "came home"
            return
        self.found[seat] += 1
        self.reached = seat
        if not self.goals:
            self.target[seat] = self.home[seat]
            self.going_home.add(seat)
            return
        self.target[seat] = self.goals.pop(0)
        if not self.goals and self.target[seat] == self.home[seat]:
            self.going_home.add(seat)  # the last goal of all is its home: getting there is the homecoming

    def skip(self) -> None:
        self.play(Pass())

    # Rounds and the end

    def close_round(self) -> None:
        """Everybody who is still in has had a turn."""
        if not self.moved:
            self.reason = "everybody passed"
        elif self.round == MOST_ROUNDS:
            self.reason = f"{MOST_ROUNDS} rounds are over"
        else:
            self.round += 1
            self.due = sorted(self.avatar)
            self.moved_in_round_just_closed = self.moved
            self.moved = set()

    def remove(self, seat: Seat) -> None:
        """The avatar vanishes; a seat that is out counts for nothing in its round, and is told no goal."""
        del self.avatar[seat]
        just_told = self.reached == seat
        if just_told:
            self.reached = None
        if not self.avatar:
            self.due = []
            self.reason = "nobody is left"
        if self.over:
            return
        self.due = [other for other in self.due if other != seat]
        self.moved.discard(seat)
        if not self.due:
            self.close_round()
        elif self.moved_in_round_just_closed is not None:
            self.moved_in_round_just_closed.discard(seat)
            if just_told and not self.moved_in_round_just_closed:
                self.round -= 1  # its move closed the round, and now that round was one of passes
                self.reason = "everybody passed"

    # The result

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.found[seat] for seat in range(self.seats))

    @property
    def winners(self) -> tuple[Seat, ...]:
        if not self.avatar:
            return ()
        most = max(self.found[seat] for seat in self.avatar)
        best = [seat for seat in self.avatar if self.found[seat] == most]
        if self.came_home in best:
            return (self.came_home,)
        nearest = min(self.distance(seat) for seat in best)
        return tuple(seat for seat in best if self.distance(seat) == nearest)

    def distance(self, seat: Seat) -> int:
        """The square of the Euclidean distance to where the seat was going."""
        (row, col), (to_row, to_col) = self.avatar[seat], self.target[seat]
        return (row - to_row) ** 2 + (col - to_col) ** 2

"""Riemann, Euclid and the Labyrinth course's referee, the obvious way.

`first_legal` asks a state's `check()` about one candidate after another. `referee` needs no state at
all: it plays a whole game on plain dicts, straight from the JSON.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from touchline.core.rules import IllegalMove
from touchline.games.labyrinth import Pass, Slide

if TYPE_CHECKING:
    from touchline.core.rules import Cell
    from touchline.games.boards.maze import Degree, Direction
    from touchline.games.labyrinth import LabyrinthState

OPEN = {
    "│": "ud", "─": "lr", "┐": "ld", "└": "ur", "┌": "rd", "┘": "ul",
    "┬": "lrd", "├": "urd", "┴": "lru", "┤": "udl", "┼": "udlr",
}  # fmt: skip
STEPS = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
ACROSS = {"u": "d", "d": "u", "l": "r", "r": "l"}
QUARTER = {"u": "l", "l": "d", "d": "r", "r": "u"}  # counter-clockwise
TURNS: tuple[Degree, ...] = (0, 90, 180, 270)
BACK: dict[Direction, Direction] = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}


def lines(rows: int, cols: int) -> list[tuple[int, Direction]]:
    """Rows 0, 2, 4 ... each LEFT then RIGHT, then columns 0, 2, 4 ... each UP then DOWN."""
    found: list[tuple[int, Direction]] = []
    for row in range(rows):
        if row % 2 == 0:
            found += [(row, "LEFT"), (row, "RIGHT")]
    for col in range(cols):
        if col % 2 == 0:
            found += [(col, "UP"), (col, "DOWN")]
    return found


def candidates(strategy: str, rows: int, cols: int, goal: Cell) -> list[Cell]:
    """The goal, then all tiles in the order of the strategy."""
    tiles = [(row, col) for row in range(rows) for col in range(cols)]
    if strategy == "Euclid":
        tiles.sort(key=lambda cell: ((cell[0] - goal[0]) ** 2 + (cell[1] - goal[1]) ** 2, cell))
    return [goal, *tiles]


def first_legal(strategy: str, state: LabyrinthState, goal: Cell) -> Slide | Pass:
    """The first candidate, slide and degree that `check()` lets through."""
    rows, cols = state.maze.grid.rows, state.maze.grid.cols
    for to in candidates(strategy, rows, cols, goal):
        for index, direction in lines(rows, cols):
            for degree in TURNS:
                move = Slide(index, direction, degree, to)
                try:
                    state.check(move)
                except IllegalMove:
                    continue
                return move
    return Pass()


class Table:
    """A board of open sides and who stands where, changed in place."""

    def __init__(self, written: dict[str, Any]) -> None:
        connectors = written["board"]["connectors"]
        self.rows, self.cols = len(connectors), len(connectors[0])
        self.open = {
            (row, col): set(OPEN[connectors[row][col]])
            for row in range(self.rows)
            for col in range(self.cols)
        }
        self.spare = set(OPEN[written["spare"]["tilekey"]])
        self.last: tuple[int, str] | None = tuple(written["last"]) if written["last"] else None
        self.place: dict[int, Cell] = {}

    def copy(self) -> Table:
        other = object.__new__(Table)
        other.rows, other.cols, other.last = self.rows, self.cols, self.last
        other.open, other.spare, other.place = dict(self.open), self.spare, dict(self.place)
        return other

    def push(self, index: int, direction: Direction, degree: int) -> None:
        if direction in ("LEFT", "RIGHT"):
            line = [(index, col) for col in range(self.cols)]
        else:
            line = [(row, index) for row in range(self.rows)]
        if direction in ("RIGHT", "DOWN"):
            line.reverse()
        # now the first of the line drops out, and the spare comes in at its end
        inserted = self.spare
        for _ in range(degree // 90):
            inserted = {QUARTER[side] for side in inserted}
        self.spare = self.open[line[0]]
        tiles = [*(self.open[cell] for cell in line[1:]), inserted]
        for cell, tile in zip(line, tiles, strict=True):
            self.open[cell] = tile
        for seat, cell in self.place.items():
            if cell in line:
                self.place[seat] = line[line.index(cell) - 1]
        self.last = (index, direction)

    def reachable(self, start: Cell) -> set[Cell]:
        seen, todo = {start}, [start]
        while todo:
            row, col = todo.pop()
            for side in self.open[row, col]:
                there = row + STEPS[side][0], col + STEPS[side][1]
                if there not in seen and ACROSS[side] in self.open.get(there, ()):
                    seen.add(there)
                    todo.append(there)
        return seen

    def choice(self, strategy: str, seat: int, goal: Cell) -> tuple[int, Direction, Degree, Cell] | None:
        ways: list[tuple[int, Direction, Degree, set[Cell]]] = []
        for index, direction in lines(self.rows, self.cols):
            if self.last == (index, BACK[direction]):
                continue
            for degree in TURNS:
                after = self.copy()
                after.push(index, direction, degree)
                here = after.place[seat]
                ways.append((index, direction, degree, after.reachable(here) - {here}))
        for to in candidates(strategy, self.rows, self.cols, goal):
            for index, direction, degree, reach in ways:
                if to in reach:
                    return index, direction, degree, to
        return None


def cell_of(coordinate: dict[str, int]) -> Cell:
    return coordinate["row#"], coordinate["column#"]


class TooLong(Exception):
    """The game went on beyond the rounds that somebody was willing to wait."""


def referee(
    spec: list[list[Any]], written: dict[str, Any], most_rounds: int = 1000, patience: int = 1000
) -> list[list[str]]:
    """`[[winners], [misbehaving]]` of a game in which spec[i] plays plmt[i]."""
    table = Table(written)
    seats = range(len(spec))
    home = {seat: cell_of(written["plmt"][seat]["home"]) for seat in seats}
    target = {seat: cell_of(written["plmt"][seat]["goto"]) for seat in seats}
    table.place = {seat: cell_of(written["plmt"][seat]["current"]) for seat in seats}
    goals = [cell_of(goal) for goal in written.get("goals", [])]
    treasures = dict.fromkeys(seats, 0)
    homeward: set[int] = set()
    bad: list[int] = []
    calls: dict[tuple[int, str], int] = {}

    def fails(seat: int, method: str) -> bool:
        """Call a method; whether it failed, and so its seat is out."""
        calls[seat, method] = calls.get((seat, method), 0) + 1
        _, _, fault, k, *_ = [*spec[seat], None, 1][:4] if len(spec[seat]) < 4 else spec[seat]
        if method == fault and calls[seat, method] == k:
            bad.append(seat)
            table.place.pop(seat, None)
            return True
        return False

    def turn(seat: int) -> str:
        """ "moved", "passed", "out" or "came home"."""
        if fails(seat, "takeTurn"):
            return "out"
        choice = table.choice(spec[seat][1], seat, target[seat])
        if choice is None:
            return "passed"
        index, direction, degree, to = choice
        table.push(index, direction, degree)
        table.place[seat] = to
        if to != target[seat]:
            return "moved"
        if seat in homeward:
            return "came home"
        treasures[seat] += 1
        if goals:
            target[seat] = goals.pop(0)
            if not goals and target[seat] == home[seat]:
                homeward.add(seat)
        else:
            target[seat] = home[seat]
            homeward.add(seat)
        return "out" if fails(seat, "setUp") else "moved"

    for seat in seats:
        fails(seat, "setUp")
    came_home: int | None = None
    for rounds in range(most_rounds):
        if rounds == patience:
            raise TooLong
        did: dict[int, str] = {}
        for seat in sorted(table.place):
            did[seat] = turn(seat)
            if did[seat] == "came home":
                came_home = seat
                break
        if came_home is not None or all(did[seat] == "passed" for seat in table.place):
            break
    distance = {
        seat: (row - target[seat][0]) ** 2 + (col - target[seat][1]) ** 2
        for seat, (row, col) in table.place.items()
    }
    most = max((treasures[seat] for seat in table.place), default=0)
    best = [seat for seat in table.place if treasures[seat] == most]
    if came_home is not None and came_home in best:
        best = [came_home]
    else:
        best = [seat for seat in best if distance[seat] == min(distance[other] for other in best)]
    survivors = list(table.place)
    winners = [seat for seat in best if not fails(seat, "win")]
    for seat in survivors:
        if seat not in best:
            fails(seat, "win")
    return [sorted(spec[seat][0] for seat in winners), sorted(spec[seat][0] for seat in bad)]


def server(spec: list[list[Any]], written: dict[str, Any], patience: int = 1000) -> list[list[str]]:
    """As `referee`, with sign-up: the first six good names, the last first; no game for fewer than two."""
    good = [entry for entry in spec if re.fullmatch("[a-zA-Z0-9]{1,20}", entry[0])][:6]
    return referee(good[::-1], written, patience=patience) if len(good) >= 2 else [[], []]

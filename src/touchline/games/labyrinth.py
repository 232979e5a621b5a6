"""Labyrinth: push a row or column of the maze, then walk to your treasure, and home again.

A rectangle of tiles with ways across them, and one spare tile. In its turn a seat passes, or does
three things at once: it turns the spare, pushes it into a row or column with an even index so that
the tile at the far end drops out and becomes the new spare, and then walks along connected tiles to
another tile than the push left it on. Everybody on the moved line rides along; who drops out comes
back in on the inserted tile. No push may undo the one before it. Tiles in an odd row and an odd
column never move: homes and goals lie on them.

A seat that walks onto its goal gets the next one of a sequence that is common to all, and when that
is used up it is sent home. The game ends when a seat that was sent home walks home, when everybody
passes in a round, after 1000 rounds, or when nobody is left. Most treasures win; among equals the
seat that came home, else the least distance to where they were going, all ties included. Goals are
secret.

Law of this file: it says whose turn it is, what a turn may be, and who has won; what a push does to
the tiles is in `boards/maze.py`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from operator import eq
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from touchline.core.rules import Cell, IllegalMove, Outcome, Seat, check_seats, first, ranks
from touchline.core.sketch import Sketch
from touchline.draw.notebook import Drawn
from touchline.games.boards import maze_look
from touchline.games.boards.maze import (
    CONNECTORS,
    DEGREES,
    DRAWN,
    GEMS,
    MOST,
    NORTH,
    OPPOSITE,
    PASS,
    SOUTH,
    Degree,
    Maze,
    Move,
    Pass,
    Push,
    Slide,
    Tile,
    Track,
    Treasure,
    grid_of,
    maze_of,
    turned,
)
from touchline.games.boards.maze_look import LETTERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

__all__ = [
    "GEMS", "OPPOSITE", "PASS", "ROUNDS", "BoardProposal", "Labyrinth", "LabyrinthPosition",
    "LabyrinthState", "Move", "Pass", "Seeker", "Slide", "Tile",
]  # fmt: skip

LEGEND = (
    *((letter, "avatar") for letter in LETTERS),
    *((letter, "home") for letter in LETTERS.lower()),
    ("*", "goal"),
    ("▲▼◀▶", "push row or column"),
    ("=", "pass"),
)
ROUNDS = 1000
"""The game ends after this many rounds."""


Place = TypeVar("Place")


class BoardProposal(Struct, frozen=True):
    """A board that a seat would like to play on: a string of connectors a row, and the treasures."""

    connectors: tuple[str, ...]
    treasures: tuple[tuple[Treasure, ...], ...]


class SeekerPosition(Struct, frozen=True):
    """A seat in the written form. What the reader may not know is None; a removed seat has no avatar."""

    avatar: Cell | None
    """Where the seat stands; null if it was removed."""
    home: Cell
    """Where its home is."""
    goal: Cell | None
    """Where it must go; null if the reader may not know."""
    found: int | None
    """How many goals it has reached; null if the reader may not know."""
    homeward: bool | None
    """Whether it is on its way home; null if the reader may not know."""


class LabyrinthPosition(Struct, frozen=True, kw_only=True):
    """The written form."""

    connectors: tuple[str, ...]
    """The tiles, row by row, one character each: which sides are open."""
    treasures: tuple[tuple[Treasure, ...], ...]
    """The two gems of each tile, row by row."""
    spare: Tile
    """The tile that is pushed in next."""
    seekers: tuple[SeekerPosition, ...]
    """The seats."""
    pool: tuple[Cell, ...] | None
    """The goals still to be given out, the next one first; None if the reader may not know."""
    last: Push | None
    """The last push: the number of its row or column, and its direction."""
    round: int
    """The number of the round, from 1."""
    due: tuple[Seat, ...]
    """Who still has a turn in this round, in order."""
    moved: tuple[Seat, ...]
    """Who has not passed in this round."""
    closed: tuple[Seat, ...]
    """Who had not passed in the round before, if the last turn ended it."""
    reached: Seat | None
    """The seat that has just reached its goal and is told the next one."""
    to_move: Seat | None
    """The seat to move; null at the end."""
    came_home: Seat | None
    """The seat that has come home and so ended the game."""
    ended: str | None
    """Why the game is over; null while it goes on."""


class Seeker(Struct, frozen=True, gc=False):
    """What a seat is after. In the view of another seat all but its home is None."""

    home: Cell
    goal: Cell | None
    """Where it must go next: a treasure, or home."""
    found: int | None = 0
    homeward: bool | None = False
    """Whether it was sent home, so that coming home ends the game."""


class LabyrinthState(Drawn, Struct, frozen=True, gc=False):
    """A position of Labyrinth, or what one seat knows of it."""

    maze: Maze
    avatars: tuple[int | None, ...]
    """Where each seat stands; None for a removed seat."""
    seekers: tuple[Seeker, ...]
    pool: tuple[Cell, ...] | None
    last: Push | None
    round: int
    due: tuple[Seat, ...]
    moved: frozenset[Seat] = frozenset()
    closed: frozenset[Seat] = frozenset()
    reached: Seat | None = None
    """Who reached its goal with the last move and must be told where to go next."""
    came_home: Seat | None = None
    """Who ended the game by coming home."""
    ended: str | None = None
    """Why the game is over."""

    passed_over: ClassVar[tuple[Seat, ...]] = ()

    @property
    def to_move(self) -> Seat | None:
        return self.due[0] if self.due else None

    def _standing(self, track: Track) -> int:
        """Where the seat to move stands once a line has been pushed."""
        cell = self.avatars[self.due[0]]
        assert cell is not None, "a removed seat is never due"
        return track.carried.get(cell, cell)

    def reaches(self, push: Push, degree: int) -> int:
        """The tiles on which the seat to move may end its turn after this push, as bits."""
        maze, track = self.maze, self.maze.grid.tracks[push]
        cell = self._standing(track)
        sides = maze.sides.hollow(track).filled(track.entry, turned(maze.spare, degree))
        return sides.reach(maze.grid, cell) ^ 1 << cell

    def undoes(self, push: Push) -> bool:
        """Whether a push takes back the last one made by anybody."""
        index, direction = push
        return self.last == (index, OPPOSITE[direction])

    def walks(self) -> Iterator[tuple[Track, Degree, int]]:
        """Every push that is no undo, with every turn of the spare, and where one may then walk, as bits.

        They come in the order in which the course searches.
        """
        maze, grid = self.maze, self.maze.grid
        turns = [(degree, turned(maze.spare, degree)) for degree in DEGREES]
        for push, track in grid.tracks.items():
            if self.undoes(push):
                continue
            cell, hollow = self._standing(track), maze.sides.hollow(track)
            reached: dict[int, int] = {}  # a straight spare has but two turns, a cross one
            for degree, ways in turns:
                if ways not in reached:
                    sides = hollow.filled(track.entry, ways)
                    reached[ways] = sides.reach(grid, cell) ^ 1 << cell
                yield track, degree, reached[ways]

    def legal_moves(self) -> list[Move]:
        moves: list[Move] = []
        if not self.due:
            return moves
        for track, degree, reach in self.walks():
            if reach:
                moves += [move for bit, move in track.moves[degree] if reach & bit]
        moves.append(PASS)
        return moves

    def check(self, move: Any) -> None:
        try:
            if not self.due:
                raise IllegalMove("the game is over")
            if type(move) is not Pass:
                self._judge(move)
        except (TypeError, ValueError):  # a slide, but not of a line to a cell
            raise IllegalMove("not a move of labyrinth") from None

    def _judge(self, move: Any) -> None:
        if type(move) is not Slide:
            raise IllegalMove("not a move of labyrinth")
        (row, col), grid = move.to, self.maze.grid
        if not type(row) is type(col) is type(move.index) is type(move.degree) is int:
            raise IllegalMove("lines, degrees, rows and columns are whole numbers")
        if type(move.to) is not tuple:
            raise IllegalMove("a tile is a pair of row and column")
        push = (move.index, move.direction)
        if push not in self.maze.grid.tracks:
            line = "row" if move.direction in ("LEFT", "RIGHT") else "column"
            raise IllegalMove(f"{line} {move.index} cannot be pushed {move.direction}")
        if move.degree not in DEGREES:
            raise IllegalMove(f"a tile turns by 0, 90, 180 or 270 degrees, not {move.degree}")
        if self.undoes(push):
            raise IllegalMove("that would undo the last push")
        if not (0 <= row < grid.rows and 0 <= col < grid.cols):
            raise IllegalMove(f"there is no tile at row {row}, column {col}")
        if not self.reaches(push, move.degree) >> row * grid.cols + col & 1:
            if self._standing(grid.tracks[push]) == row * grid.cols + col:
                raise IllegalMove("you must leave the tile on which the push left you")
            raise IllegalMove(f"no way leads to row {row}, column {col}")

    def play(self, move: Move) -> LabyrinthState:
        if type(move) is Pass:
            return self._next(self.maze, self.avatars, self.seekers, self.pool, self.last)
        assert type(move) is Slide
        seat, (row, col) = self.due[0], move.to
        push = (move.index, move.direction)
        track = self.maze.grid.tracks[push]
        carried = track.carried
        avatars = [cell if cell is None else carried.get(cell, cell) for cell in self.avatars]
        avatars[seat] = row * self.maze.grid.cols + col
        maze, seeker = self.maze.pushed(track, move.degree), self.seekers[seat]
        if move.to != seeker.goal:
            return self._next(maze, tuple(avatars), self.seekers, self.pool, push, seat)
        if seeker.homeward:
            return replace(
                self, maze=maze, avatars=tuple(avatars), last=push, due=(),
                moved=self.moved | {seat}, closed=frozenset(), reached=None,
                came_home=seat, ended="came home",
            )  # fmt: skip
        seeker, pool = _sent_on(seeker, self.pool)
        seekers = (*self.seekers[:seat], seeker, *self.seekers[seat + 1 :])
        return self._next(maze, tuple(avatars), seekers, pool, push, seat, seat)

    def _next(
        self,
        maze: Maze,
        avatars: tuple[int | None, ...],
        seekers: tuple[Seeker, ...],
        pool: tuple[Cell, ...] | None,
        last: Push | None,
        mover: Seat | None = None,
        reached: Seat | None = None,
    ) -> LabyrinthState:
        """End a turn: of a mover, or of a seat that passed."""
        moved = self.moved if mover is None else self.moved | {mover}
        due = self.due[1:]
        state = LabyrinthState(
            maze, avatars, seekers, pool, last, self.round, due, moved, frozenset(), reached
        )
        return state if due else state._round_over()

    def _round_over(self) -> LabyrinthState:
        """Nobody is due any more in this round: the game ends, or the next round begins."""
        here = tuple(seat for seat, cell in enumerate(self.avatars) if cell is not None)
        if not self.moved:  # whoever was removed has been taken off this list
            return replace(self, ended="everybody passed")
        if self.round >= ROUNDS:
            return replace(self, ended=f"{ROUNDS} rounds are over")
        return replace(self, round=self.round + 1, due=here, moved=frozenset(), closed=self.moved)

    def skip(self) -> LabyrinthState:
        return self.play(PASS)

    def without(self, seat: Seat) -> LabyrinthState:
        """The avatar vanishes; what the seat moved stays moved."""
        avatars = (*self.avatars[:seat], None, *self.avatars[seat + 1 :])
        due = tuple(other for other in self.due if other != seat)
        moved, closed = self.moved - {seat}, self.closed - {seat}
        reached = None if self.reached == seat else self.reached
        state = replace(self, avatars=avatars, due=due, moved=moved, closed=closed, reached=reached)
        if all(cell is None for cell in avatars):
            return replace(state, due=(), ended="nobody is left")
        if self.ended:
            return state
        if self.reached == seat and self.closed and not closed:
            # It fails while it is told where to go next, which is within its turn and so within the
            # round that this turn seemed to have closed; of those who survived it, everybody passed.
            return replace(state, round=self.round - 1, due=(), ended="everybody passed")
        return state if due else state._round_over()

    @property
    def scores(self) -> tuple[int | None, ...]:
        """The treasures that each seat has found; None where that is not known."""
        return tuple(seeker.found for seeker in self.seekers)

    def tally(self) -> tuple[float, ...]:
        """The treasures that each seat has found, and how near it is to the next, as far as that is known."""
        return tuple(self._stands(seat) for seat in range(len(self.seekers)))

    def _stands(self, seat: Seat) -> float:
        cell, seeker, grid = self.avatars[seat], self.seekers[seat], self.maze.grid
        if cell is None or seeker.goal is None:
            return 0.0
        (row, col), (to_row, to_col) = grid.cells[cell], seeker.goal
        away = (row - to_row) ** 2 + (col - to_col) ** 2
        found = (seeker.found or 0) + bool(seeker.homeward)
        return found + 1 - away / (grid.rows**2 + grid.cols**2)

    def view(self, seat: Seat | None) -> LabyrinthState:
        if self.ended:
            return self
        seekers = tuple(
            seeker if other == seat else Seeker(seeker.home, None, None, None)
            for other, seeker in enumerate(self.seekers)
        )
        reached = self.reached if self.reached == seat else None
        return replace(self, seekers=seekers, pool=None, reached=reached)

    def imagine(self, rng: Random) -> LabyrinthState:
        """Everybody unknown is after a first treasure somewhere, and there are no further goals."""
        fixed = self.maze.grid.fixed or self.maze.grid.cells
        seekers = tuple(
            seeker if seeker.goal is not None else Seeker(seeker.home, rng.choice(fixed))
            for seeker in self.seekers
        )
        return replace(self, seekers=seekers, pool=self.pool or ())

    def redraw(self, seat: Seat | None, rng: Random) -> LabyrinthState:
        """Draw anew where the others go, how many treasures they found, and the goals still to be given out.

        A seat knows none of these, nor who has just reached its goal.
        """
        if self.ended:
            return self
        fixed = self.maze.grid.fixed or self.maze.grid.cells
        seekers = tuple(
            seeker if other == seat else _redrawn(seeker.home, fixed, rng, self.round)
            for other, seeker in enumerate(self.seekers)
        )
        pool = tuple(rng.sample(fixed, rng.randrange(len(fixed) + 1)))
        reached = self.reached if self.reached == seat else None
        return replace(self, seekers=seekers, pool=pool, reached=reached)

    def outcome(self) -> Outcome | None:
        if not self.ended:
            return None
        found = tuple(seeker.found or 0 for seeker in self.seekers)
        places = ranks([self._standing_of(seat) for seat in range(len(found))])
        return Outcome(first(places), places, found, self.ended)

    def _standing_of(self, seat: Seat) -> tuple[int, ...] | None:
        """What a seat is ranked by: treasures, having come home, nearness to where it was going."""
        cell, seeker = self.avatars[seat], self.seekers[seat]
        if cell is None:
            return None
        row, col = self.maze.grid.cells[cell]
        to_row, to_col = (row, col) if seeker.goal is None else seeker.goal
        far = (row - to_row) ** 2 + (col - to_col) ** 2
        return seeker.found or 0, int(self.came_home == seat), -far

    def position(self) -> LabyrinthPosition:
        maze, cells = self.maze, self.maze.grid.cells
        cols, count = maze.grid.cols, len(cells)
        letters = "".join(DRAWN[maze.ways(cell)] for cell in range(count))
        starts = range(0, count, cols)
        return LabyrinthPosition(
            connectors=tuple(letters[start : start + cols] for start in starts),
            treasures=tuple(maze.treasures[start : start + cols] for start in starts),
            spare=Tile(DRAWN[maze.spare], maze.spare_treasure),
            seekers=tuple(
                SeekerPosition(
                    None if cell is None else cells[cell],
                    seeker.home, seeker.goal, seeker.found, seeker.homeward,
                )
                for cell, seeker in zip(self.avatars, self.seekers, strict=True)
            ),
            pool=self.pool,
            last=self.last,
            round=self.round,
            due=self.due,
            moved=tuple(sorted(self.moved)),
            closed=tuple(sorted(self.closed)),
            reached=self.reached,
            to_move=self.to_move,
            came_home=self.came_home,
            ended=self.ended,
        )  # fmt: skip

    def narrate(self, move: Move) -> tuple[str, str]:
        if isinstance(move, Pass):
            return "passed", "pass"
        line = "row" if move.direction in ("LEFT", "RIGHT") else "column"
        way = {"LEFT": "to the left", "RIGHT": "to the right", "UP": "up", "DOWN": "down"}[move.direction]
        row, col = move.to
        push = f"{line} {move.index} {way}"
        return f"pushed {push} and walked to ({row}, {col})", f"push {push} and walk to ({row}, {col})"

    def walks_from(self, move: Move) -> Cell | None:
        """Return where the push leaves the seat to move."""
        if isinstance(move, Pass):
            return None
        track = self.maze.grid.tracks[move.index, move.direction]
        return self.maze.grid.cells[self._standing(track)]

    def _brief(self) -> str:
        found = "-".join("?" if seeker.found is None else str(seeker.found) for seeker in self.seekers)
        grid = self.maze.grid
        return f"{grid.rows}x{grid.cols}, round {self.round}, treasures {found}"

    def sketch(self) -> Sketch:
        return _sketch(self)


def _redrawn(home: Cell, fixed: Sequence[Cell], rng: Random, round_: int) -> Seeker:
    """A seeker of this home, after anything that it can be after in this round, or on its way back."""
    found, goal = rng.randrange(round_), rng.choice(fixed)
    homeward = found > 0 and rng.random() < 0.25
    return Seeker(home, home if homeward else goal, found, homeward)


def _sent_on(seeker: Seeker, pool: tuple[Cell, ...] | None) -> tuple[Seeker, tuple[Cell, ...] | None]:
    """A seeker that has reached its goal, with the next one, and the goals that are left."""
    found = (seeker.found or 0) + 1
    if not pool:
        return Seeker(seeker.home, seeker.home, found, True), pool
    goal, *rest = pool
    # The last goal of all, if it is the seeker's own home, is no treasure: it is the homecoming.
    homeward = not rest and goal == seeker.home
    return Seeker(seeker.home, goal, found, homeward), tuple(rest)


def _sketch(state: LabyrinthState) -> Sketch:
    """The maze with arrows round it, the spare in its four turns below, and a spot for passing."""
    maze, grid = state.maze, state.maze.grid
    rows, cols = grid.rows, grid.cols
    here, homes, goals = _seats_at(enumerate(state.avatars)), _homes(state), _goals(state)
    sought = _sought(state)
    spots, above = [], [0] * cols
    for cell, (row, col) in enumerate(grid.cells):
        ways, at = maze.ways(cell), (row, col)
        capped = bool(ways & NORTH and not above[col] & SOUTH)
        above[col] = ways
        aims = goals.get(at, ())
        look = maze_look.Look(
            _strokes(ways), maze.treasures[cell], capped, bool(row % 2 and col % 2),
            homes.get(at, ()), aims, sought if sought in aims else None,
        )  # fmt: skip
        spots.append(maze_look.tile(row, col, look, here.get(cell, ())))
    spots += [
        maze_look.key(rows, cols, index, direction, state.undoes((index, direction)))
        for index, direction in grid.tracks
    ]
    spots += [
        maze_look.spare(rows, cols, turn, _strokes(turned(maze.spare, degree)), maze.spare_treasure)
        for turn, degree in enumerate(DEGREES)
    ]
    spots.append(maze_look.passing(rows, cols))
    moves = tuple(
        ("pass",) if isinstance(move, Pass) else (f"{move.degree}", f"{move.direction} {move.index}", move.to)
        for move in state.legal_moves()
    )
    notes = [f"round {state.round}; the spare turned by 0, 90, 180, 270 degrees, and pass (=)"]
    if state.last:
        notes.append(f"last push: {state.last[1]} {state.last[0]}")
    return Sketch(
        spots=tuple(spots), moves=moves, notes=tuple(notes), legend=LEGEND,
        backdrop=maze_look.backdrop(rows, cols),
    )  # fmt: skip


def _seats_at(places: Iterable[tuple[Seat, Place | None]]) -> dict[Place, tuple[Seat, ...]]:
    """The seats at each place, in order."""
    found: dict[Place, tuple[Seat, ...]] = {}
    for seat, place in places:
        if place is not None:
            found[place] = (*found.get(place, ()), seat)
    return found


def _homes(state: LabyrinthState) -> dict[Cell, tuple[Seat, ...]]:
    return _seats_at((seat, seeker.home) for seat, seeker in enumerate(state.seekers))


def _goals(state: LabyrinthState) -> dict[Cell, tuple[Seat, ...]]:
    """Where the seats go that are still there, as far as it is known."""
    return _seats_at(
        (seat, None if state.avatars[seat] is None else seeker.goal)
        for seat, seeker in enumerate(state.seekers)
    )


def _sought(state: LabyrinthState) -> Seat | None:
    """The seat whose goal is drawn largest: the only one that is known, else that of the seat to move."""
    known = [seat for seat, seeker in enumerate(state.seekers) if seeker.goal is not None]
    return known[0] if len(known) == 1 and not state.ended else state.to_move


_STROKES = tuple(
    "".join(letter for bit, letter in enumerate("NESW") if ways >> bit & 1) for ways in range(16)
)


def _strokes(ways: int) -> str:
    return _STROKES[ways]


@cache
def _all_treasures() -> list[Treasure]:
    return list(combinations_with_replacement(GEMS, 2))


class Labyrinth(Struct, frozen=True, kw_only=True):
    """Push a row or column of the maze, then walk to your treasure, and home again.

    >>> from random import Random
    >>> state = Labyrinth().start(2, Random(0))
    >>> state.view(0)  # another seat's goal and treasures are hidden
    <LabyrinthState 7x7, round 1, treasures 0-?, seat 0 to move>
    """

    rows: Annotated[int, Meta(ge=2, le=MOST, description="Rows of the board.")] = 7
    cols: Annotated[int, Meta(ge=2, le=MOST, description="Columns of the board.")] = 7
    goals: Annotated[
        int, Meta(ge=0, description="Goals that follow the first ones, common to all seats.")
    ] = 0
    given: Annotated[
        LabyrinthPosition | UnsetType, Meta(description="The position to begin with, instead of a drawn one.")
    ] = UNSET

    name: ClassVar[str] = "labyrinth"
    seats: ClassVar[range] = range(2, 7)
    hidden: ClassVar[bool] = True
    Move: ClassVar[Any] = Move
    Position: ClassVar[type[LabyrinthPosition]] = LabyrinthPosition
    Proposal: ClassVar[type[BoardProposal]] = BoardProposal

    def __post_init__(self) -> None:
        if not (2 <= self.rows <= MOST and 2 <= self.cols <= MOST):
            raise ValueError(f"a board has 2 to {MOST} rows and columns")
        if self.goals < 0:
            raise ValueError("there cannot be fewer than 0 further goals")

    def start(
        self, seats: int, rng: Random, proposals: Sequence[BoardProposal | None] = ()
    ) -> LabyrinthState:
        return self._started(seats, rng, proposals)

    def start_in(
        self, format_: int, seats: int, rng: Random, proposals: Sequence[BoardProposal | None] = ()
    ) -> LabyrinthState:
        """Return the first state of a record; before format 3 a first goal could be the seat's own home."""
        return self._started(seats, rng, proposals, at_home=format_ < 3)

    def _started(
        self, seats: int, rng: Random, proposals: Sequence[BoardProposal | None], *, at_home: bool = False
    ) -> LabyrinthState:
        check_seats(self, seats)
        if self.given is not UNSET:
            return self._from_given(self.given, seats)
        fixed = len(grid_of(self.rows, self.cols).fixed)
        if fixed < seats + self.goals:
            raise ValueError(
                f"{self.rows} by {self.cols} tiles have {fixed} fixed ones, too few for "
                f"{seats} homes and {seats + self.goals} goals"
            )
        suitable = [board for board in proposals if board is not None and self.suits(board)]
        maze = self._furnished(rng.choice(suitable) if suitable else self._drawn(rng), rng)
        places = maze.grid.fixed
        homes = rng.sample(places, seats)
        goals = rng.sample(places, seats + self.goals)
        while not at_home and any(map(eq, homes, goals)):
            # Drawn anew as a whole, so that all other goals stay equally likely. Later goals may be homes.
            goals = rng.sample(places, seats + self.goals)
        cols = maze.grid.cols
        return LabyrinthState(
            maze=maze,
            avatars=tuple(row * cols + col for row, col in homes),
            seekers=tuple(Seeker(home, goals[seat]) for seat, home in enumerate(homes)),
            pool=tuple(goals[seats:]),
            last=None,
            round=1,
            due=tuple(range(seats)),
        )

    def _from_given(self, given: LabyrinthPosition, seats: int) -> LabyrinthState:
        state = self.restore(given)
        if len(given.seekers) != seats:
            raise ValueError(f"the given position has {len(given.seekers)} seats, not {seats}")
        if given.pool is None or any(seeker.goal is None for seeker in given.seekers):
            raise ValueError("the given position hides goals")
        return state

    def suits(self, board: BoardProposal) -> bool:
        """Whether a proposed board is large enough and sound, with gems we know and no treasure twice."""
        rows, cols = len(board.connectors), len(board.connectors[0]) if board.connectors else 0
        pairs = [tuple(sorted(pair)) for row in board.treasures for pair in row]
        return (
            self.rows <= rows <= MOST
            and self.cols <= cols <= MOST
            and len(board.treasures) == rows
            and all(len(row) == cols for row in (*board.connectors, *board.treasures))
            and set("".join(board.connectors)) <= set(CONNECTORS)
            and len(set(pairs)) == len(pairs)
            and {gem for pair in pairs for gem in pair} <= set(GEMS)
        )

    def _drawn(self, rng: Random) -> BoardProposal:
        """A board drawn at random."""
        rows, cols = self.rows, self.cols
        letters = rng.choices(list(CONNECTORS), k=rows * cols)
        pairs = rng.sample(_all_treasures(), rows * cols)
        starts = range(0, rows * cols, cols)
        return BoardProposal(
            tuple("".join(letters[start : start + cols]) for start in starts),
            tuple(tuple(pairs[start : start + cols]) for start in starts),
        )

    def _furnished(self, board: BoardProposal, rng: Random) -> Maze:
        """A board with a spare whose treasure is on no tile."""
        taken = {frozenset(pair) for row in board.treasures for pair in row}
        connector, treasure = rng.choice(list(CONNECTORS)), rng.choice(_all_treasures())
        while frozenset(treasure) in taken:  # there are twice as many as a board can have
            treasure = rng.choice(_all_treasures())
        return maze_of(board.connectors, board.treasures, Tile(connector, treasure))

    def restore(self, position: LabyrinthPosition) -> LabyrinthState:
        maze = maze_of(position.connectors, position.treasures, position.spare)
        rows, cols = maze.grid.rows, maze.grid.cols
        if rows < self.rows or cols < self.cols:
            raise ValueError(f"the board is smaller than {self.rows} rows by {self.cols} columns")
        seats = range(len(position.seekers))
        check_seats(self, len(seats))
        if {*position.due, *position.moved, *position.closed} - {*seats}:
            raise ValueError("due, moved or closed has a seat that there is not")
        for seeker in position.seekers:
            for row, col in (seeker.avatar or (0, 0), seeker.home):
                if not (0 <= row < rows and 0 <= col < cols):
                    raise ValueError(f"there is no tile at row {row}, column {col}")
        if any(position.seekers[seat].avatar is None for seat in position.due):
            raise ValueError("a removed seat is due")
        if [position.to_move] != [*position.due[:1], *[None] * (not position.due)]:
            raise ValueError("to_move is the first who is due")
        if (position.to_move is None) != (position.ended is not None):
            raise ValueError("somebody is to move until the game is over")
        return LabyrinthState(
            maze=maze,
            avatars=tuple(
                None if seeker.avatar is None else seeker.avatar[0] * cols + seeker.avatar[1]
                for seeker in position.seekers
            ),
            seekers=tuple(
                Seeker(seeker.home, seeker.goal, seeker.found, seeker.homeward) for seeker in position.seekers
            ),
            pool=position.pool,
            last=position.last,
            round=position.round,
            due=position.due,
            moved=frozenset(position.moved),
            closed=frozenset(position.closed),
            reached=position.reached,
            came_home=position.came_home,
            ended=position.ended,
        )

    def all_moves(self) -> list[Move]:
        tracks = grid_of(self.rows, self.cols).tracks.values()
        slides = (move for track in tracks for table in track.moves.values() for _, move in table)
        return [*slides, PASS]

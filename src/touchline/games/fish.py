"""Fish ("Hey, That's My Fish!"): penguins slide over a shrinking floe of hexagonal tiles and eat as they go.

Two to four seats place 6 - N penguins each, one a turn, on any free tile. Then each turn one
penguin slides at least one tile straight on in one of six directions, stopping before holes, edges
and penguins; its seat gets the fish of the tile it left, which becomes a hole. A seat that cannot
move is passed over and its penguins go on blocking; nobody may pass. When nobody can move, most
fish win, and all who tie win together. A tile under a standing penguin counts for nothing.

`rules="commercial"` plays the published game: 60 tiles with 30 ones, 20 twos and 10 threes,
placement on one-fish tiles only, a seat that is passed over takes its penguins off with their
tiles, and a tie in fish goes to more tiles.

Law of this file: it says whose turn it is, what a turn may be, and who has won; which tiles lie in
a line is in `boards/floe.py`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from touchline.core.rules import Cell, IllegalMove, Outcome, Seat, check_seats, first, ranks
from touchline.core.sketch import Sketch
from touchline.draw.notebook import Drawn
from touchline.games.boards import floe_look
from touchline.games.boards.floe import MOST, HexGrid, Move, Place, Slide, grid_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = ["COLOURS", "Fish", "FishPosition", "FishState", "Move", "Place", "Slide", "floating"]

MOST_FISH = 5
"""Fish on a tile at most."""

COLOURS = ("red", "white", "brown", "black")
"""The seats' colours, in turn order."""
LEGEND = (
    *((letter, "penguin") for letter in "RWBK"),
    ("1…5", "fish on a tile"),
    ("·", "water"),
)


class FishPosition(Struct, frozen=True):
    """The written form: fish per tile (0 is a hole), and each seat's penguins, None for a removed seat."""

    board: tuple[tuple[int, ...], ...]
    """Fish on each tile, row by row; 0 is a hole."""
    penguins: tuple[tuple[Cell, ...] | None, ...]
    """The tiles of each seat's penguins, in the order in which they were placed; null for a removed seat."""
    scores: tuple[int, ...]
    """The fish of each seat."""
    tiles: tuple[int, ...]
    """Tiles each seat collected, under the commercial rules; else empty."""
    phase: Literal["placing", "sliding", "over"]
    """Whether penguins are placed, slide, or the game is over."""
    to_move: Seat | None
    """The seat to move; null at the end."""
    passed_over: tuple[Seat, ...] = ()
    """The seats that could not move since the last turn."""


class FishTable(Struct, frozen=True, eq=False):
    """The constants of a game: board size, rules and turn order."""

    grid: HexGrid
    commercial: bool
    quota: int
    """Penguins per seat: 6 less the number of seats at the start."""
    orders: tuple[tuple[Seat, ...], ...]
    """Who is due after a seat, and after that one, and so on to the seat itself."""

    def __reduce__(self) -> tuple[Any, ...]:
        size = self.grid.rows, self.grid.cols
        return _shared, (
            *size,
            self.commercial,
            self.quota,
            len(self.orders),
        )  # a copy is equal to its original


def _shared(rows: int, cols: int, commercial: bool, quota: int, seats: int) -> FishTable:
    """Return the constants that all states of such a game share: for unpickling."""
    return table_of(rows, cols, commercial, quota, seats)


@lru_cache(maxsize=256)
def table_of(rows: int, cols: int, commercial: bool, quota: int, seats: int) -> FishTable:
    orders = tuple((*range(seat + 1, seats), *range(seat + 1)) for seat in range(seats))
    return FishTable(grid_of(rows, cols), commercial, quota, orders)


class FishState(Drawn, Struct, frozen=True, gc=False):
    """A position of Fish."""

    table: FishTable
    fish: bytes
    """Fish per tile, 0 for a hole."""
    free: int
    """The tiles without a penguin."""
    penguins: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    tiles: tuple[int, ...]
    """Tiles each seat collected; empty under the course's rules, where they do not count."""
    removed: frozenset[Seat]
    placing: bool
    to_move: Seat | None
    passed_over: tuple[Seat, ...] = ()

    def legal_moves(self) -> list[Move]:
        moves: list[Move] = []
        if self.to_move is None:
            return moves
        free, grid = self.free, self.table.grid
        if self.placing:
            if self.table.commercial:
                free &= _tiles(self.fish, 1)
            for mask, places in grid.places:
                moves += places[free & mask]
            return moves
        axes = grid.slides
        for cell in self.penguins[self.to_move]:
            for mask, slides in axes[cell]:
                moves += slides[free & mask]
        return moves

    def check(self, move: Any) -> None:
        try:
            if self.to_move is None:
                raise IllegalMove("the game is over")
            if self.placing:
                self._judge_place(move)
            else:
                self._judge_slide(move)
        except (TypeError, ValueError):  # a move, but not of cells
            raise IllegalMove("not a move of fish") from None

    def _judge_place(self, move: Any) -> None:
        if type(move) is not Place:
            raise IllegalMove("penguins are still being placed")
        row, col = move.at
        if not (type(row) is type(col) is int and type(move.at) is tuple):
            raise IllegalMove("a tile is a pair of whole numbers, row and column")
        bit = self.table.grid.bit(move.at)
        if not bit:
            raise IllegalMove(f"there is no tile at row {row}, column {col}")
        if not self.free & bit:
            hole = not self.fish[row * self.table.grid.cols + col]
            raise IllegalMove("that is a hole" if hole else "a penguin is there already")
        if self.table.commercial and self.fish[row * self.table.grid.cols + col] != 1:
            raise IllegalMove("a penguin is placed on a tile with one fish")

    def _judge_slide(self, move: Any) -> None:
        if type(move) is not Slide:
            raise IllegalMove("all penguins are placed: one of yours must slide")
        (row, col), (to_row, to_col) = origin, target = move.origin, move.target
        if not type(row) is type(col) is type(to_row) is type(to_col) is int:
            raise IllegalMove("rows and columns are whole numbers")
        if not type(origin) is type(target) is tuple:
            raise IllegalMove("a tile is a pair of row and column")
        grid, cols = self.table.grid, self.table.grid.cols
        if not (0 <= row < grid.rows and 0 <= col < cols):
            raise IllegalMove(f"there is no tile at row {row}, column {col}")
        assert self.to_move is not None
        if row * cols + col not in self.penguins[self.to_move]:
            raise IllegalMove(f"you have no penguin at row {row}, column {col}")
        if not (0 <= to_row < grid.rows and 0 <= to_col < cols):
            raise IllegalMove(f"there is no tile at row {to_row}, column {to_col}")
        path = grid.paths[row * cols + col].get(to_row * cols + to_col)
        if path is None:
            raise IllegalMove("a penguin slides straight, in one of six directions")
        if path & self.free != path:
            raise IllegalMove("a hole or a penguin is in the way")

    def play(self, move: Move) -> FishState:
        seat = self.to_move
        assert seat is not None
        cols, fish, tiles = self.table.grid.cols, self.fish, self.tiles
        penguins, scores = [*self.penguins], self.scores
        if type(move) is Place:
            row, col = move.at
            cell = row * cols + col
            penguins[seat] = (*penguins[seat], cell)
            return self._next(seat, fish, self.free ^ 1 << cell, tuple(penguins), scores, tiles)
        assert type(move) is Slide
        (row, col), (to_row, to_col) = move.origin, move.target
        cell, target = row * cols + col, to_row * cols + to_col
        mine = [*penguins[seat]]
        mine[mine.index(cell)] = target
        penguins[seat] = tuple(mine)
        gains = [*scores]
        gains[seat] += fish[cell]
        if tiles:
            tiles = (*tiles[:seat], tiles[seat] + 1, *tiles[seat + 1 :])
        fish = fish[:cell] + b"\0" + fish[cell + 1 :]
        return self._next(seat, fish, self.free ^ 1 << target, tuple(penguins), tuple(gains), tiles)

    def _next(
        self,
        seat: Seat,
        fish: bytes,
        free: int,
        penguins: tuple[tuple[int, ...], ...],
        scores: tuple[int, ...],
        tiles: tuple[int, ...],
        removed: frozenset[Seat] = frozenset(),
    ) -> FishState:
        """Hand the turn on from `seat`, who has just acted, been skipped or been removed."""
        table = self.table
        removed = removed or self.removed
        order = table.orders[seat]
        if self.placing:
            for due in order:
                if due not in removed and len(penguins[due]) < table.quota:
                    return FishState(table, fish, free, penguins, scores, tiles, removed, True, due)
            order = table.orders[-1]  # all stand: the first seat begins to slide
        passed: tuple[Seat, ...] = ()
        neighbours = table.grid.neighbours
        for due in order:
            if due in removed:
                continue
            for cell in penguins[due]:
                if free & neighbours[cell]:
                    return FishState(table, fish, free, penguins, scores, tiles, removed, False, due, passed)
            passed = (*passed, due)
            if table.commercial:
                fish, penguins, scores, tiles = _take_off(due, fish, penguins, scores, tiles)
        return FishState(table, fish, free, penguins, scores, tiles, removed, False, None)

    def skip(self) -> FishState:
        assert self.to_move is not None
        return self._next(self.to_move, self.fish, self.free, self.penguins, self.scores, self.tiles)

    def without(self, seat: Seat) -> FishState:
        """The seat's penguins vanish and their tiles stay, so others may be able to move again."""
        removed, penguins = self.removed | {seat}, self.penguins
        free = self.free | sum(1 << cell for cell in penguins[seat] if self.fish[cell])
        penguins = (*penguins[:seat], (), *penguins[seat + 1 :])
        if self.to_move == seat:
            return self._next(seat, self.fish, free, penguins, self.scores, self.tiles, removed)
        return replace(self, free=free, penguins=penguins, removed=removed, passed_over=())

    def view(self, seat: Seat | None) -> FishState:
        return self

    def imagine(self, rng: Random) -> FishState:
        return self

    def outcome(self) -> Outcome | None:
        if self.to_move is not None:
            return None
        keys = [
            None if seat in self.removed else (score, *self.tiles[seat : seat + 1])
            for seat, score in enumerate(self.scores)
        ]
        places = ranks(keys)
        left = len(self.removed) < len(self.penguins)
        reason = "nobody can move" if left else "nobody is left"
        return Outcome(first(places), places, self.scores, reason)

    def tally(self) -> tuple[float, ...]:
        """The fish that each seat has eaten."""
        return self.scores

    def board(self) -> tuple[tuple[int, ...], ...]:
        """Fish per tile, row by row."""
        cols = self.table.grid.cols
        starts = range(0, len(self.fish), cols or 1)
        return tuple(tuple(self.fish[start : start + cols]) for start in starts)

    def position(self) -> FishPosition:
        cells = self.table.grid.cells
        return FishPosition(
            board=self.board(),
            penguins=tuple(
                None if seat in self.removed else tuple(cells[cell] for cell in mine)
                for seat, mine in enumerate(self.penguins)
            ),
            scores=self.scores,
            tiles=self.tiles,
            phase="over" if self.to_move is None else "placing" if self.placing else "sliding",
            to_move=self.to_move,
            passed_over=self.passed_over,
        )

    def narrate(self, move: Move) -> tuple[str, str]:
        if isinstance(move, Place):
            row, col = move.at
            return f"put a penguin on ({row}, {col})", f"put a penguin on ({row}, {col})"
        (row, col), (to_row, to_col) = move.origin, move.target
        fish = self.fish[row * self.table.grid.cols + col]
        way = f"from ({row}, {col}) to ({to_row}, {to_col})"
        return f"slid {way} and ate {fish}", f"slide {way} and eat {fish}"

    def _brief(self) -> str:
        grid = self.table.grid
        phase = "placing" if self.placing else "sliding"
        return f"{grid.rows}x{grid.cols}, {phase}, fish {'-'.join(map(str, self.scores))}"

    def sketch(self) -> Sketch:
        owner = {cell: seat for seat, mine in enumerate(self.penguins) for cell in mine}
        grid, fish = self.table.grid, self.fish
        spots = [
            floe_look.spot(row, col, fish[cell], owner.get(cell))
            for cell, (row, col) in enumerate(grid.cells)
        ]
        moves = tuple(
            (move.at,) if isinstance(move, Place) else (move.origin, move.target)
            for move in self.legal_moves()
        )
        eaten = ", ".join(
            f"{COLOURS[seat]} {'removed' if seat in self.removed else score}"
            for seat, score in enumerate(self.scores)
        )
        sides = COLOURS[: len(self.scores)]
        return Sketch(
            spots=tuple(spots), moves=moves, notes=(f"fish: {eaten}",), sides=tuple(sides), legend=LEGEND,
            backdrop=floe_look.backdrop(grid.rows, grid.cols),
        )  # fmt: skip


def _take_off(
    seat: Seat,
    fish: bytes,
    penguins: tuple[tuple[int, ...], ...],
    scores: tuple[int, ...],
    tiles: tuple[int, ...],
) -> tuple[bytes, tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]:
    """The commercial rule for a seat that cannot move: its penguins leave, and take their tiles along."""
    floe, mine = bytearray(fish), penguins[seat]
    gain = sum(fish[cell] for cell in mine)
    for cell in mine:
        floe[cell] = 0
    return (
        bytes(floe),
        (*penguins[:seat], (), *penguins[seat + 1 :]),
        (*scores[:seat], scores[seat] + gain, *scores[seat + 1 :]),
        (*tiles[:seat], tiles[seat] + len(mine), *tiles[seat + 1 :]),
    )


class Fish(Struct, frozen=True, kw_only=True):
    """Penguins slide over a shrinking floe and eat as they go.

    >>> from random import Random
    >>> state = Fish(rows=4, cols=3).start(2, Random(0))
    >>> state.play(Place((0, 0)))
    <FishState 4x3, placing, fish 0-0, seat 1 to move>
    """

    rules: Annotated[
        Literal["course", "commercial"],
        Meta(description="The course's rules, or those of the published game."),
    ] = "course"
    rows: Annotated[int | None, Meta(description="Rows of the board (5; commercial: 15).")] = None
    cols: Annotated[int | None, Meta(description="Columns of the board (5; commercial: 4).")] = None
    fish: Annotated[
        int, Meta(ge=0, le=MOST_FISH, description="Fish on every tile; 0 draws them at random.")
    ] = 0
    holes: Annotated[int, Meta(ge=0, description="Tiles left out at random.")] = 0
    board: Annotated[
        tuple[tuple[int, ...], ...],
        Meta(description="The board itself, rows of fish counts with 0 for a hole."),
    ] = ()

    name: ClassVar[str] = "fish"
    seats: ClassVar[range] = range(2, 5)
    hidden: ClassVar[bool] = False
    Move: ClassVar[Any] = Move
    Position: ClassVar[type[FishPosition]] = FishPosition
    Proposal: ClassVar[Any] = None

    def __post_init__(self) -> None:
        rows, cols = self.size()
        if not (1 <= rows <= MOST and 1 <= cols <= MOST):
            raise ValueError(f"a board has 1 to {MOST} rows and columns, not {rows} by {cols}")
        if any(not 0 <= fish <= MOST_FISH for row in self.board for fish in row):
            raise ValueError(f"a tile has 0 to {MOST_FISH} fish")
        if not 0 <= self.fish <= MOST_FISH:
            raise ValueError(f"a tile has 1 to {MOST_FISH} fish")
        if self.board and (self.rows or self.cols or self.fish or self.holes):
            raise ValueError("a board says it all: leave out rows, cols, fish and holes")
        if not 0 <= self.holes < rows * cols:
            raise ValueError(f"{self.holes} holes leave nothing of {rows * cols} tiles")

    def size(self) -> tuple[int, int]:
        """Rows and columns of the board."""
        if self.board:
            return len(self.board), max(map(len, self.board))
        usual = (15, 4) if self.rules == "commercial" else (5, 5)
        return (
            usual[0] if self.rows is None else self.rows,
            usual[1] if self.cols is None else self.cols,
        )

    def start(self, seats: int, rng: Random, proposals: Sequence[Any] = ()) -> FishState:
        check_seats(self, seats)
        rows, cols = self.size()
        fish = self._floe(rng)
        commercial = self.rules == "commercial"
        room = fish.count(1) if commercial else len(fish) - fish.count(0)
        needed = seats * (6 - seats)
        if room < needed:
            what = "tiles with one fish" if commercial else "tiles"
            raise ValueError(f"{seats} seats place {needed} penguins, and there are {room} {what}")
        return FishState(
            table=table_of(rows, cols, commercial, 6 - seats, seats),
            fish=fish,
            free=_tiles(fish),
            penguins=((),) * seats,
            scores=(0,) * seats,
            tiles=(0,) * seats if commercial else (),
            removed=frozenset(),
            placing=True,
            to_move=0,
        )

    def _floe(self, rng: Random) -> bytes:
        """Fish per tile: the given board, or one drawn as the options say."""
        rows, cols = self.size()
        if self.board:
            return b"".join(bytes(row).ljust(cols, b"\0") for row in self.board)
        count = rows * cols
        if self.fish:
            floe = [self.fish] * count
        elif self.rules == "commercial":
            # 30 ones, 20 twos, 10 threes of 60, and in that proportion on other boards
            floe = [1] * (count - count // 3 - count // 6) + [2] * (count // 3) + [3] * (count // 6)
            rng.shuffle(floe)
        else:
            floe = rng.choices(range(1, MOST_FISH + 1), k=count)
        for cell in rng.sample(range(count), self.holes) if self.holes else ():
            floe[cell] = 0
        return bytes(floe)

    def restore(self, position: FishPosition) -> FishState:
        rows, cols = self.size()
        seats = len(position.penguins)
        counted = seats if self.rules == "commercial" else 0
        if seats not in self.seats or len(position.scores) != seats or len(position.tiles) != counted:
            raise ValueError("penguins, scores or tiles do not have an entry for each of 2 to 4 seats")
        if len(position.board) != rows or {len(row) for row in position.board} != {cols}:
            raise ValueError(f"the board is not {rows} rows by {cols} columns")
        if any(not 0 <= fish <= MOST_FISH for row in position.board for fish in row):
            raise ValueError(f"a tile has 0 to {MOST_FISH} fish")
        if (position.to_move is None) != (position.phase == "over"):
            raise ValueError("somebody is to move until the game is over")
        state = floating(
            position.board,
            [mine or () for mine in position.penguins],
            position.scores,
            commercial=self.rules == "commercial",
            quota=6 - seats,
        )
        present = [seat for seat, mine in enumerate(position.penguins) if mine is not None]
        if position.to_move not in (None, *present):
            raise ValueError(f"there is no seat {position.to_move} to move")
        return replace(
            state,
            tiles=position.tiles,
            removed=frozenset(range(seats)) - {*present},
            placing=position.phase == "placing",
            to_move=position.to_move,
            passed_over=position.passed_over,
        )

    def all_moves(self) -> list[Move]:
        grid = grid_of(*self.size())
        slides = (
            Slide(cell, grid.cells[target])
            for tile, cell in enumerate(grid.cells)
            for target in grid.paths[tile]
        )
        return [*map(Place, grid.cells), *slides]


def _tiles(fish: bytes, just: int | None = None) -> int:
    """The tiles that are there, or those with just so many fish."""
    return sum(1 << cell for cell, count in enumerate(fish) if count and just in (None, count))


def floating(
    board: Sequence[Sequence[int]],
    penguins: Sequence[Sequence[Cell]],
    scores: Sequence[int],
    *,
    commercial: bool = False,
    quota: int = 0,
) -> FishState:
    """A game in full swing, seat 0 to move even if it is stuck: for positions that come from elsewhere.

    ValueError if a penguin is off the board or two share a tile. A penguin in a hole just cannot be reached.
    """
    cols = max(map(len, board), default=0)
    fish = b"".join(bytes(row).ljust(cols, b"\0") for row in board)
    grid = grid_of(len(board), cols)
    standing = [cell for mine in penguins for cell in mine]
    bits = [grid.bit(cell) for cell in standing]
    if 0 in bits:
        row, col = standing[bits.index(0)]
        raise ValueError(f"the penguin at row {row}, column {col} is off the board")
    if len(set(bits)) < len(bits):
        raise ValueError("two penguins share a tile")
    return FishState(
        table=table_of(len(board), cols, commercial, quota, len(penguins)),
        fish=fish,
        free=_tiles(fish) & ~sum(bits),
        penguins=tuple(tuple(row * cols + col for row, col in mine) for mine in penguins),
        scores=tuple(scores),
        tiles=(0,) * len(penguins) if commercial else (),
        removed=frozenset(),
        placing=False,
        to_move=0,
    )

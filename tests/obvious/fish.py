"""Fish, the obvious way: a dict of tiles, a list of penguins a seat, and six directions by the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.games.fish import FishPosition, Place, Slide

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Seat

# N, NE, SE, S, SW, NW as (rows, columns); odd rows are shifted right by half a tile
FROM_EVEN_ROW = [(-2, 0), (-1, 0), (+1, 0), (+2, 0), (+1, -1), (-1, -1)]
FROM_ODD_ROW = [(-2, 0), (-1, +1), (+1, +1), (+2, 0), (+1, 0), (-1, 0)]


class ObviousFish:
    """A game of Fish that is changed in place."""

    def __init__(self, start: FishPosition, commercial: bool) -> None:
        self.height, self.width = len(start.board), len(start.board[0])
        self.tiles: dict[Cell, int] = {}  # where there is a tile, and how many fish are on it
        for row, line in enumerate(start.board):
            for col, fish in enumerate(line):
                if fish > 0:
                    self.tiles[row, col] = fish
        self.commercial = commercial
        self.seats = len(start.penguins)
        self.quota = 6 - self.seats
        self.penguins: dict[Seat, list[Cell]] = {seat: [] for seat in range(self.seats)}
        self.score = [0] * self.seats
        self.collected = [0] * self.seats
        self.placing = True
        self.to_move: Seat | None = 0
        self.passed_over: tuple[Seat, ...] = ()

    @property
    def over(self) -> bool:
        return self.to_move is None

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.score)

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Most fish win; under the commercial rules more tiles break a tie; whoever is still level shares."""
        best = max((self.standing(seat) for seat in self.penguins), default=None)
        return tuple(seat for seat in self.penguins if self.standing(seat) == best)

    @property
    def ranks(self) -> tuple[int | None, ...]:
        places: list[int | None] = [None] * self.seats
        for seat in self.penguins:
            places[seat] = 1 + sum(self.standing(other) > self.standing(seat) for other in self.penguins)
        return tuple(places)

    @property
    def reason(self) -> str | None:
        if not self.over:
            return None
        return "nobody can move" if self.penguins else "nobody is left"

    def standing(self, seat: Seat) -> tuple[int, int]:
        return self.score[seat], self.collected[seat] if self.commercial else 0

    def occupied(self, cell: Cell) -> bool:
        return any(cell in mine for mine in self.penguins.values())

    def legal_moves(self) -> set[Place | Slide]:
        if self.to_move is None:
            return set()
        if self.placing:
            return {Place(cell) for cell in self.tiles if self.may_place(cell)}
        return set(self.slides_of(self.to_move))

    def may_place(self, cell: Cell) -> bool:
        return not self.occupied(cell) and (not self.commercial or self.tiles[cell] == 1)

    def slides_of(self, seat: Seat) -> set[Slide]:
        return {Slide(origin, target) for origin in self.penguins[seat] for target in self.reachable(origin)}

    def reachable(self, origin: Cell) -> set[Cell]:
        """The tiles in a straight line, up to the first hole, penguin or edge."""
        found = set()
        for direction in range(6):
            cell = self.step(origin, direction)
            while cell in self.tiles and not self.occupied(cell):
                found.add(cell)
                cell = self.step(cell, direction)
        return found

    def step(self, cell: Cell, direction: int) -> Cell:
        row, col = cell
        down, right = FROM_EVEN_ROW[direction] if row % 2 == 0 else FROM_ODD_ROW[direction]
        return row + down, col + right

    def play(self, move: Place | Slide) -> None:
        seat = self.to_move
        assert seat is not None
        if isinstance(move, Place):
            self.penguins[seat].append(move.at)
        else:
            which = self.penguins[seat].index(move.origin)
            self.penguins[seat][which] = move.target
            self.eat(seat, move.origin)
        self.hand_on(seat)

    def eat(self, seat: Seat, cell: Cell) -> None:
        self.score[seat] += self.tiles.pop(cell)
        self.collected[seat] += 1

    def skip(self) -> None:
        assert self.to_move is not None
        self.hand_on(self.to_move)

    def remove(self, seat: Seat) -> None:
        """The penguins vanish and the tiles stay."""
        del self.penguins[seat]
        self.passed_over = ()
        if self.to_move == seat:
            self.hand_on(seat)

    def hand_on(self, seat: Seat) -> None:
        """Who is next after a seat that has had its turn."""
        self.passed_over = ()
        after = [(seat + ahead) % self.seats for ahead in range(1, self.seats + 1)]
        due = [other for other in after if other in self.penguins]
        if self.placing:
            lacking = [other for other in due if len(self.penguins[other]) < self.quota]
            if lacking:
                self.to_move = lacking[0]
                return
            self.placing = False
            due = sorted(self.penguins)
        self.next_that_can_slide(due)

    def next_that_can_slide(self, due: list[Seat]) -> None:
        stuck: list[Seat] = []
        for seat in due:
            if self.slides_of(seat):
                self.to_move, self.passed_over = seat, tuple(stuck)
                break
            stuck.append(seat)
        else:
            self.to_move = None
        if self.commercial:
            for seat in stuck:
                self.take_off(seat)

    def take_off(self, seat: Seat) -> None:
        """The published game: who cannot move leaves the floe with the tiles under its penguins."""
        for cell in self.penguins[seat]:
            self.eat(seat, cell)
        self.penguins[seat] = []

    def position(self) -> FishPosition:
        rows, cols = range(self.height), range(self.width)
        return FishPosition(
            board=tuple(tuple(self.tiles.get((row, col), 0) for col in cols) for row in rows),
            penguins=tuple(
                tuple(self.penguins[seat]) if seat in self.penguins else None for seat in range(self.seats)
            ),
            scores=self.scores,
            tiles=tuple(self.collected) if self.commercial else (),
            phase="over" if self.over else "placing" if self.placing else "sliding",
            to_move=self.to_move,
            passed_over=self.passed_over,
        )

"""The Fish course's house player: it places row by row and moves by max-min search.

Placement: the first free tile, row by row from the top, each row from the left. Movement to depth N: the move
with the greatest own score after N own turns, while all others minimise that score. Skips do not count as
turns, and the value of a stuck seat is its score. Among equals, the smallest from-row, from-column, to-row,
to-column; depth 0 is that tie-break alone.
"""

from __future__ import annotations

from typing import ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.evaluation import worth
from touchline.core.rules import IllegalMove, Seat
from touchline.games.fish import FishState, Place, Slide


class FishCourse(HouseBot):
    """Play as the course's house player does, with a search of `depth` own turns."""

    game: ClassVar[str | None] = "fish"
    levels: ClassVar[tuple[Level, ...]] = (Level(40, {"depth": 1}), Level(55, {"depth": 2}))

    def __init__(self, depth: int = 2) -> None:
        if depth < 0:
            raise ValueError("depth must be 0 or more")
        self.depth = depth

    def choose(self, view: FishState, turn: int = 0) -> Place | Slide:
        return self.place(view) if view.placing else self.slide(view)

    def place(self, view: FishState) -> Place:
        """Return the first free tile. IllegalMove if there is none, as the course requires."""
        for move in view.legal_moves():  # ordered row by row
            assert isinstance(move, Place)
            return move
        raise IllegalMove("there is no free tile to place a penguin on")

    def think(self, view: FishState) -> Thought:
        if view.placing:
            move: Place | Slide = self.place(view)
            says = "the first free tile, row by row"
        else:
            move, fish = self._best(view)
            says = (
                f"{fish} fish for sure after {self.depth} turns" if self.depth else "the first move there is"
            )
        return Thought(tuple(worth(view.play(move), len(view.scores))), (move,), says)

    def slide(self, view: FishState) -> Slide:
        """Return the best move. IllegalMove if the seat to move is stuck."""
        return self._best(view)[0]

    def _best(self, view: FishState) -> tuple[Slide, int]:
        """Return the best move and the score that it guarantees."""
        seat, best, best_value = view.to_move, None, -1
        if seat is None:
            raise IllegalMove("the game is over")
        slides = [move for move in view.legal_moves() if isinstance(move, Slide)]
        for move in sorted(slides, key=lambda slide: (slide.origin, slide.target)):
            if self.depth == 0:
                return move, view.scores[seat]
            value = _value(view.play(move), seat, self.depth - 1, best_value, _FAR)
            if value > best_value:
                best, best_value = move, value
        if best is None:
            raise IllegalMove("no penguin can move")
        return best, best_value


_FAR = 1 << 60


def _value(state: FishState, seat: Seat, turns: int, low: int, high: int) -> int:
    """Return the score of `seat` after `turns` more turns of its own, if it lies between low and high.

    Alpha-beta: a result at or below `low`, or at or above `high`, is only a bound.
    """
    score = state.scores[seat]
    if turns == 0 or state.to_move is None or score >= high:
        return score
    meal = _best_meal(state, seat)
    if meal is None:  # stuck for good: a penguin that leaves a neighbouring tile leaves a hole
        return score
    if score + turns * max(state.fish) <= low:
        return low
    if state.to_move == seat:
        if turns == 1:
            return score + meal
        for move in _promising(state):
            low = max(low, _value(state.play(move), seat, turns - 1, low, high))
            if low >= high:
                break
        return low
    for reply in state.legal_moves():
        high = min(high, _value(state.play(reply), seat, turns, low, high))
        if high <= low:
            break
    return high


def _best_meal(state: FishState, seat: Seat) -> int | None:
    """Return the most fish under a movable penguin of the seat: a turn earns the tile it leaves."""
    neighbours, free = state.table.grid.neighbours, state.free
    return max((state.fish[cell] for cell in state.penguins[seat] if free & neighbours[cell]), default=None)


def _promising(state: FishState) -> list[Slide]:
    """Order the moves by the fish that they earn, the most first, for early cutoffs."""
    cols = state.table.grid.cols
    slides = [move for move in state.legal_moves() if isinstance(move, Slide)]
    return sorted(slides, key=lambda slide: -state.fish[slide.origin[0] * cols + slide.origin[1]])

"""Riemann and Euclid against a search that asks the referee about one move after another."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from obvious.seekers import first_legal, lines
from touchline.bots.euclid import Euclid
from touchline.bots.riemann import Riemann
from touchline.games.boards.maze import CONNECTORS, maze_of
from touchline.games.labyrinth import LabyrinthState, Pass, Seeker, Slide, Tile

if TYPE_CHECKING:
    from touchline.core.rules import Cell
    from touchline.games.boards.maze import Push

SIZES = [(2, 2), (2, 5), (6, 2), (3, 3), (4, 4), (3, 4), (5, 5), (5, 6), (7, 3)]
KINDS = ["".join(CONNECTORS), "│─", "│─└┐", "┬├┼", "└┘┌┐"]


def maze_state(
    rows: list[str], spare: str, at: Cell, goal: Cell, last: Push | None = None, others: tuple[Cell, ...] = ()
) -> LabyrinthState:
    """A position in which the seat to move stands at a place and seeks a goal."""
    treasures = [[(f"a{row}", f"b{col}") for col in range(len(rows[0]))] for row in range(len(rows))]
    places = [at, *others]
    return LabyrinthState(
        maze=maze_of(rows, treasures, Tile(spare, ("c", "d"))),
        avatars=tuple(row * len(rows[0]) + col for row, col in places),
        seekers=(Seeker((0, 0), goal), *(Seeker((0, 0), None) for _ in others)),
        pool=None,
        last=last,
        round=1,
        due=tuple(range(len(places))),
    )


def random_maze(rng: Random, rows: int, cols: int) -> LabyrinthState:
    """Any tiles; a goal anywhere, off the board or where one stands; perhaps a last push, possible or not."""
    kind = rng.choice(KINDS)
    at = rng.randrange(rows), rng.randrange(cols)
    anywhere = rng.randrange(rows), rng.randrange(cols)
    off = rng.choice([(rows, 0), (0, cols), (rng.randint(0, 9), cols + 2), (50, 50)])
    return maze_state(
        ["".join(rng.choices(kind, k=cols)) for _ in range(rows)],
        rng.choice(kind),
        at,
        rng.choice([anywhere, anywhere, anywhere, off, at]),
        rng.choice([None, rng.choice(lines(rows, cols)), rng.choice(lines(rows, cols)), (1, "LEFT")]),
        ((rng.randrange(rows), rng.randrange(cols)),),
    )


@pytest.mark.parametrize("size", SIZES)
def test_first_legal_move(size: tuple[int, int]) -> None:
    """On random boards both choose the first candidate, slide and degree that the referee accepts."""
    rng = Random(str(size))
    passes = 0
    for _ in range(60 if size[0] * size[1] < 20 else 30):
        state = random_maze(rng, *size)
        goal = state.seekers[0].goal
        assert goal is not None
        for name, bot in (("Riemann", Riemann()), ("Euclid", Euclid())):
            choice = bot.choose(state)
            assert choice == first_legal(name, state, goal), (name, state.position())
            passes += choice == Pass()
    assert passes < 60


CROSSES = ["┼┼┼", "┼┼┼", "┼┼┼"]


@pytest.mark.parametrize(
    ("bot", "at", "goal", "last", "expected"),
    [
        # the goal can be reached at once
        (Riemann(), (0, 1), (1, 1), None, Slide(0, "LEFT", 0, (1, 1))),
        # LEFT would undo the last push
        (Riemann(), (0, 1), (1, 1), (0, "RIGHT"), Slide(0, "RIGHT", 0, (1, 1))),
        # repeating the last push is allowed
        (Riemann(), (0, 1), (1, 1), (0, "LEFT"), Slide(0, "LEFT", 0, (1, 1))),
        # a last push of another line forbids nothing here
        (Riemann(), (0, 1), (1, 1), (2, "RIGHT"), Slide(0, "LEFT", 0, (1, 1))),
        # LEFT carries it onto its goal, where it may not stay
        (Riemann(), (0, 1), (0, 0), None, Slide(0, "RIGHT", 0, (0, 0))),
        # standing on a goal that the push carries it off
        (Euclid(), (0, 0), (0, 0), None, Slide(0, "LEFT", 0, (0, 0))),
        # standing on a goal that does not move: the first tile, or the nearest
        (Riemann(), (1, 1), (1, 1), None, Slide(0, "LEFT", 0, (0, 0))),
        (Euclid(), (1, 1), (1, 1), None, Slide(0, "LEFT", 0, (0, 1))),
        # a goal off the board: the first tile, or the nearest
        (Riemann(), (1, 1), (3, 1), None, Slide(0, "LEFT", 0, (0, 0))),
        (Euclid(), (1, 1), (3, 1), None, Slide(0, "LEFT", 0, (2, 1))),
    ],
)
def test_on_crosses(bot: Riemann | Euclid, at: Cell, goal: Cell, last: Push | None, expected: Slide) -> None:
    """On a board of crosses, where every walk is possible, the choice follows from the order alone."""
    assert bot.choose(maze_state(CROSSES, "┼", at, goal, last)) == expected


def test_pass_when_there_is_no_way() -> None:
    """Shut in for good, whatever is pushed, they pass."""
    state = maze_state(["───", "─│─", "───"], "─", (1, 1), (0, 0))
    assert Riemann().choose(state) == Pass()
    assert Euclid().choose(state) == Pass()


def test_nearest_by_euclid() -> None:
    """Euclid ends as near to its goal as the crow flies, which is not always the fewest steps away."""
    rng = Random(11)
    told_apart = 0
    for _ in range(300):
        state = random_maze(rng, 5, 5)
        goal = state.seekers[0].goal
        assert goal is not None
        steps = sorted(
            state.maze.grid.cells, key=lambda cell: abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])
        )
        choice = Euclid().choose(state)
        if isinstance(choice, Slide):
            reached = {move.to for move in state.legal_moves() if isinstance(move, Slide)}
            nearest = min((cell[0] - goal[0]) ** 2 + (cell[1] - goal[1]) ** 2 for cell in reached)
            assert (choice.to[0] - goal[0]) ** 2 + (choice.to[1] - goal[1]) ** 2 == nearest
            told_apart += choice.to != next(cell for cell in steps if cell in reached)
    assert told_apart > 0


@pytest.mark.parametrize("bot", [Riemann(), Euclid()])
def test_other_seats_do_not_matter(bot: Riemann | Euclid) -> None:
    """The choice is the same wherever the others stand, and in the view of the seat to move."""
    rng = Random(5)
    for _ in range(20):
        state = random_maze(rng, 4, 5)
        alone = LabyrinthState(
            state.maze, state.avatars[:1], state.seekers[:1], None, state.last, 1, (0,)
        )  # fmt: skip
        assert bot.choose(state) == bot.choose(alone) == bot.choose(state.view(0))

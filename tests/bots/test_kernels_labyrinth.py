"""The kernels for Labyrinth do what the rules say, for one turn and for several."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.bots.kernels import U64
from touchline.bots.kernels import labyrinth as kernels
from touchline.bots.labyrinth.boards import KernelBoards, RulesBoards, Stakes, TrackNumbers
from touchline.games.boards.maze import CONNECTORS, DEGREES, OPPOSITE, Maze, grid_of, maze_of
from touchline.games.labyrinth import Labyrinth, LabyrinthState, Seeker, Slide, Tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = [(2, 2), (2, 5), (3, 3), (4, 4), (5, 4), (6, 7), (7, 7), (7, 9), (8, 8), (2, 32), (32, 2)]
SMALL = [(2, 2), (2, 3), (3, 3), (3, 4), (4, 3)]
KINDS = ["".join(CONNECTORS), "│─", "│─└┐", "┬├┼", "└┘┌┐"]


@st.composite
def states(draw: Callable[..., Any], sizes: list[tuple[int, int]] = SIZES) -> LabyrinthState:
    """Any tiles, two seats anywhere, perhaps a last push."""
    rows, cols = draw(st.sampled_from(sizes))
    rng = Random(draw(st.integers(0, 10**6)))
    kind = draw(st.sampled_from(KINDS))
    grid = grid_of(rows, cols)
    treasures = [[("a", "b")] * cols] * rows
    letters = ["".join(rng.choices(kind, k=cols)) for _ in range(rows)]
    return LabyrinthState(
        maze=maze_of(letters, treasures, Tile(rng.choice(kind), ("a", "c"))),
        avatars=(rng.randrange(rows * cols), rng.randrange(rows * cols)),
        seekers=(Seeker((0, 0), (rows - 1, cols - 1)), Seeker((0, 0), None)),
        pool=None,
        last=rng.choice([None, *grid.tracks]),
        round=1,
        due=(0, 1),
    )


def words(state: LabyrinthState) -> tuple[Any, int, Any]:
    """Board, last push and lines, as a kernel is given them."""
    grid = state.maze.grid
    return kernels.board_of(state.maze), TrackNumbers(grid).last(state.last), kernels.lines_of(grid)


def standing(state: LabyrinthState) -> int:
    """Where the seat to move stands."""
    cell = state.avatars[state.due[0]]
    assert cell is not None
    return cell


def turns(maze: Maze, last: Any, tiles: int) -> Iterator[tuple[Maze, Any, int]]:
    """Every board after a turn, by the rules, and where one may be then who was on one of these tiles."""
    for push, track in maze.grid.tracks.items():
        if last == (push[0], OPPOSITE[push[1]]):
            continue
        for degree in DEGREES:
            after, there = maze.pushed(track, degree), 0
            for cell in range(maze.grid.rows * maze.grid.cols):
                if tiles >> cell & 1:
                    here = track.carried.get(cell, cell)
                    there |= after.sides.reach(maze.grid, here) ^ 1 << here
            yield after, push, there


def forward(maze: Maze, last: Any, tiles: int, depth: int) -> int:
    """Where one can get in so many turns, found the slow way."""
    found = 0
    for after, push, there in turns(maze, last, tiles):
        found |= there | (forward(after, push, there, depth - 1) if depth > 1 and there else 0)
    return found


@settings(max_examples=80, deadline=None)
@given(states())
def test_walks(state: LabyrinthState) -> None:
    """Every slide and turn of the spare, as in the rules; nothing for one that undoes the last."""
    board, last, lines = words(state)
    tracks = list(state.maze.grid.tracks)
    out = kernels.words(4 * len(tracks))
    kernels.walks(board, last, standing(state), lines, out)
    expected: dict[Any, int] = {(track.push, degree): reach for track, degree, reach in state.walks()}
    found = {
        (push, 90 * turn): int(out[4 * number + turn])
        for number, push in enumerate(tracks)
        for turn in range(4)
    }
    assert found == {key: expected.get(key, 0) for key in found}


@settings(max_examples=50, deadline=None)
@given(states(), st.integers(0, 10**6))
def test_push(state: LabyrinthState, seed: int) -> None:
    """The board after a push, and where everybody on it goes and came from."""
    board, _, lines = words(state)
    rng, cells = Random(seed), state.maze.grid.rows * state.maze.grid.cols
    for number, track in enumerate(state.maze.grid.tracks.values()):
        turn, out = rng.randrange(4), kernels.words(5)
        kernels.push(board, 4 * number + turn, lines, out)
        assert [int(word) for word in out] == list(kernels.board_of(state.maze.pushed(track, 90 * turn)))
        at, tiles = U64(kernels.HEAD + kernels.FIELDS * number), rng.getrandbits(cells)
        moved = sum(1 << track.carried.get(cell, cell) for cell in range(cells) if tiles >> cell & 1)
        assert int(kernels.carried(U64(tiles), lines, at)) == moved
        assert int(kernels.carried_back(U64(moved), lines, at)) == tiles


@settings(max_examples=15, deadline=None)
@given(states(SMALL), st.integers(1, 3))
def test_where_one_can_get(state: LabyrinthState, depth: int) -> None:
    """From where in one, two and three turns, and where to in one."""
    if depth == 3 and state.maze.grid.rows * state.maze.grid.cols > 6:
        depth = 2
    board, last, lines = words(state)
    here, room = standing(state), kernels.words(10)
    ahead = int(kernels.in_one_turn(board, last, U64(1 << here), lines, False))
    assert ahead == forward(state.maze, state.last, 1 << here, 1)
    sources = int(kernels.sources(board, last, U64(1 << here), lines, room, depth))
    if depth == 2:
        boards = KernelBoards(state.maze.grid)
        for cell in range(state.maze.grid.rows * state.maze.grid.cols):
            assert boards.within_two_turns(board, last, cell, here) == bool(sources >> cell & 1)
    for cell in range(state.maze.grid.rows * state.maze.grid.cols):
        assert sources >> cell & 1 == forward(state.maze, state.last, 1 << cell, depth) >> here & 1


@settings(max_examples=25, deadline=None)
@given(states([(2, 3), (3, 3), (4, 4)]), st.integers(0, 10**6))
def test_outlook(state: LabyrinthState, seed: int) -> None:
    """For each tile the best turn by the stakes, with all that the rivals can do after it."""
    rng, grid = Random(seed), state.maze.grid
    cells = grid.rows * grid.cols
    target, rivals = rng.randrange(cells), [rng.randrange(cells) for _ in range(rng.choice([1, 2]))]
    costs = tuple(
        (rng.randrange(len(rivals)), rng.randrange(cells), rng.randrange(300), rng.randrange(300))
        for _ in range(4)
    )
    stakes = Stakes(rng.randrange(2000), rng.randrange(1000), costs)
    boards, lines = KernelBoards(grid), TrackNumbers(grid)
    worth, near = boards.outlook(boards.board(state.maze), lines.last(state.last), target, rivals, stakes)
    best, found, otherwise = [0] * cells, 0, 0
    for after, push, there in turns(state.maze, state.last, 1 << target):
        del there
        track = grid.tracks[push]
        reached, missed = stakes.reached, stakes.missed
        for number, rival in enumerate(rivals):
            ways = forward(after, push, 1 << track.carried.get(rival, rival), 1)
            for whose, cell, when_reached, when_missed in costs:
                if whose == number and ways >> cell & 1:
                    reached, missed = reached - when_reached, missed - when_missed
        otherwise = max(otherwise, missed)
        for cell in range(cells):
            here = track.carried.get(cell, cell)
            if here != target and after.sides.reach(grid, here) >> target & 1:
                found |= 1 << cell
                best[cell] = max(best[cell], reached)
    assert near == found
    assert worth == [max(value, otherwise) for value in best]


@settings(max_examples=40, deadline=None)
@given(states())
def test_the_rules_answer_as_the_kernels_do(state: LabyrinthState) -> None:
    """The boards for boards that are too large for a word gives the same numbers."""
    grid, last = state.maze.grid, TrackNumbers(state.maze.grid).last(state.last)
    small, wide = KernelBoards(grid), RulesBoards(grid)
    one, other = small.board(state.maze), wide.board(state.maze)
    assert small.kinds(one) == wide.kinds(other)
    assert small.walks(one, last, standing(state)) == wide.walks(other, last, standing(state))
    target = len(grid.cells) // 2
    assert small.sources(one, last, target) == wide.sources(other, last, target)


def test_players_in_threads_share_a_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever another asks between an reply of the kernel and its reading, the reply is the same."""
    maze = maze_of(["│─┐", "┼├┬", "└┘┌"], [[("a", "b")] * 3] * 3, Tile("┼", ("a", "c")))
    boards, walks = KernelBoards(maze.grid), kernels.walks
    board = boards.board(maze)
    alone = [boards.walks(board, -1, cell) for cell in range(9)]

    def interrupted(*asked: Any) -> None:
        walks(*asked)
        monkeypatch.setattr(kernels, "walks", walks)
        assert boards.walks(board, -1, 8) == alone[8]

    for cell in range(9):
        monkeypatch.setattr(kernels, "walks", interrupted)
        assert boards.walks(board, -1, cell) == alone[cell]


def test_a_board_with_too_many_tiles() -> None:
    with pytest.raises(ValueError, match="64"):
        kernels.lines_of(grid_of(5, 13))


def test_a_walk_leaves_its_tile() -> None:
    """Two tiles that are connected lead to each other; one alone leads everywhere but to itself."""
    grid = grid_of(3, 3)
    maze = maze_of(["┼┼┼"] * 3, [[("a", "b")] * 3] * 3, Tile("┼", ("a", "c")))
    board, lines = kernels.board_of(maze), kernels.lines_of(grid)
    assert int(kernels.walked(board, lines, U64(1 << 4))) == 0b111_101_111
    assert int(kernels.walked(board, lines, U64(1 << 4 | 1))) == 0b111_111_111


def test_legal_moves_by_kernels() -> None:
    """In a real game the walks of the kernels are the legal moves."""
    rng, game = Random(2), Labyrinth()
    state = game.start(3, rng)
    for _ in range(20):
        if state.to_move is None:
            break
        board, last, lines = words(state)
        tracks = list(state.maze.grid.tracks)
        out = kernels.words(4 * len(tracks))
        kernels.walks(board, last, standing(state), lines, out)
        moves = state.legal_moves()
        slides = {
            (*tracks[slide >> 2], 90 * (slide & 3), state.maze.grid.cells[cell])
            for slide in range(len(out))
            for cell in range(49)
            if int(out[slide]) >> cell & 1
        }
        assert slides == {(m.index, m.direction, m.degree, m.to) for m in moves if isinstance(m, Slide)}
        state = state.play(rng.choice(moves))

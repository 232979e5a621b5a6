"""The kernels for Hexapawn do what the rules say, and their answers are those of looking at everything."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from touchline.bots.kernels import U64, blank, table
from touchline.bots.kernels import hexapawn as kernels
from touchline.bots.kernels.hexapawn_tablebase import key, place, solve
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, HexapawnState

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES = [(2, 1), (2, 5), (3, 3), (3, 7), (4, 4), (5, 4), (4, 16), (5, 5), (6, 6), (8, 8), (26, 1), (2, 26)]
SMALL = [(2, 3), (3, 3), (3, 4), (4, 3), (4, 4), (5, 3), (6, 2), (7, 1)]


@st.composite
def states(draw: Callable[..., Any], shapes: list[tuple[int, int]] = SHAPES) -> HexapawnState:
    """A position in play, or lost without a move: it came up, or has pawns anywhere but on their far rows."""
    rows, cols = draw(st.sampled_from(shapes))
    rng = Random(draw(st.integers(0, 10**6)))
    game = Hexapawn(rows=rows, cols=cols)
    if draw(st.booleans()):
        state = game.start(2, rng)
        for _ in range(rng.randrange(2 * rows * cols)):
            after = state.play(rng.choice(state.legal_moves())) if state.to_move is not None else state
            if after.to_move is None:
                break
            state = after
        return state
    thick = rng.random()
    squares = [rng.choice("12") if rng.random() < thick else "." for _ in range(rows * cols)]
    lines = ["".join(squares[row * cols : (row + 1) * cols]) for row in range(rows)]
    lines[0], lines[-1] = lines[0].replace("2", "."), lines[-1].replace("1", ".")
    return game.restore(HexapawnPosition(tuple(lines), rng.randrange(2)))


def words(state: HexapawnState) -> tuple[Any, Any, int]:
    """The position as a kernel is given it; one that is over with the seat that has lost it."""
    seat = 1 - state.ended.winners[0] if state.ended is not None else state.to_move
    assert seat is not None
    pawns = (state.pawns0, state.pawns1)
    return U64(pawns[seat]), U64(pawns[1 - seat]), seat


def board(state: HexapawnState) -> Any:
    return kernels.board_of(state.grid.rows, state.grid.cols)


def cells(code: int, state: HexapawnState) -> tuple[tuple[int, int], tuple[int, int]]:
    cols = state.grid.cols
    return divmod(int(code) // 64, cols), divmod(int(code) % 64, cols)


def mirrored(state: HexapawnState) -> HexapawnState:
    written = state.position()
    flipped = HexapawnPosition(tuple(row[::-1] for row in written.board), written.to_move, written.outcome)
    return Hexapawn(rows=state.grid.rows, cols=state.grid.cols).restore(flipped)


@settings(max_examples=300, deadline=None)
@given(states())
def test_moves_are_those_of_the_rules_in_their_order(state: HexapawnState) -> None:
    """And there are none exactly when the seat to move has lost."""
    into = blank(128)
    found = kernels.moves(*words(state), board(state), into)
    steps = [(move.origin, move.target) for move in state.legal_moves()]
    assert [cells(code, state) for code in into[:found]] == steps
    assert (found == 0) == (state.to_move is None)


@settings(max_examples=200, deadline=None)
@given(states(), st.integers(0, 2**63))
def test_a_playout_is_a_game(state: HexapawnState, seed: int) -> None:
    """Its moves are legal one after the other, and lead to the end."""
    if state.to_move is None:
        return
    into, first = blank(256), state.to_move
    plies = kernels.playout(*words(state), U64(seed), board(state), into)
    for code in into[:plies]:
        move = next(move for move in state.legal_moves() if (move.origin, move.target) == cells(code, state))
        state = state.play(move)
    assert state.to_move is None
    assert state.ended is not None
    assert state.ended.winners == (first if plies % 2 else 1 - first,)


def test_playouts_are_fair() -> None:
    """Every first move of 3 x 3 comes up as often as the others, and the wins are counted."""
    state = Hexapawn(rows=3, cols=3).start(2, Random(0))
    into, seen = blank(256), [0, 0, 0]
    for seed in range(3000):
        kernels.playout(*words(state), kernels.scrambled(U64(seed)), board(state), into)
        seen[into[0] // 64] += 1
    assert min(seen) > 900
    won = kernels.playouts(*words(state), 3000, U64(0), board(state), into)
    rng, chance = Random(1), 0
    for _ in range(3000):
        other = state
        while other.to_move is not None:
            other = other.play(rng.choice(other.legal_moves()))
        chance += other.ended is not None and other.ended.winners == (0,)
    assert abs(int(won) - chance) < 200


@settings(max_examples=200, deadline=None)
@given(states())
def test_a_mirror_image_is_the_same_entry(state: HexapawnState) -> None:
    """The pawns are mirrored as the rows are written backwards, twice is nothing, and the key is shared."""
    if state.to_move is None:
        return
    twin, ground = mirrored(state), board(state)
    mine, theirs, seat = words(state)
    assert (int(kernels.mirror(mine, ground)), int(kernels.mirror(theirs, ground)), seat) == tuple(
        int(word) for word in words(twin)
    )
    assert kernels.mirror(kernels.mirror(mine, ground), ground) == mine
    if state.grid.cols * (state.grid.rows - 1) <= 28:
        assert key(mine, theirs, seat, ground) == key(*words(twin), ground)


@cache
def obvious(state: HexapawnState) -> int:
    """The plies to the end, found by looking at everything: the winner makes them few, the loser many."""
    if state.to_move is None:
        return 0
    plies = [1 + obvious(state.play(move)) for move in state.legal_moves()]
    wins = [number for number in plies if number % 2]
    return min(wins) if wins else max(plies)


@pytest.mark.parametrize(("rows", "cols"), SMALL)
def test_solving_gives_what_looking_at_everything_gives(rows: int, cols: int) -> None:
    """For every position that can come up: winner and distance; and it finds exactly those positions."""
    start = Hexapawn(rows=rows, cols=cols).start(2, Random(0))
    ground, entries, reached = board(start), blank(1 << 15, "uint64"), blank(1 << 15, "uint64")
    tally = table([0, 0, 0, 1 << 40, 1 << 40])
    row = (1 << cols) - 1
    plies = solve(U64(row), U64(row << cols * (rows - 1)), 0, ground, entries, reached, tally)
    assert plies == obvious(start)
    seen, todo = {start}, [start]
    while todo:
        state = todo.pop()
        fresh = {state.play(move) for move in state.legal_moves()} - seen
        seen |= fresh
        todo += fresh
        if state.to_move is not None:
            word = key(*words(state), ground)
            entry = int(entries[place(word, U64(7), entries)])
            assert (entry >> 7, entry & 127) == (int(word), obvious(state))
    assert tally[2] == len(seen)


@settings(max_examples=150, deadline=None)
@given(states(SMALL), st.integers(0, 30))
def test_alpha_beta_answers_truly(state: HexapawnState, plies: int) -> None:
    """Whether the game can be brought to an end within so many plies, asked in any order."""
    if state.to_move is None:
        return
    memory, tally = blank(4 << 8, "uint64"), table([0, 1 << 40])  # so small that entries are pushed out
    truth, rng = obvious(state), Random(plies)
    for asked in [plies, *rng.sample(range(1, 40), 10)]:
        answer = kernels.within(*words(state), asked % 2 == 1, asked, board(state), memory, tally)
        assert bool(answer) == (truth <= asked and truth % 2 == asked % 2)


@settings(max_examples=150, deadline=None)
@given(states(SMALL))
def test_a_proof_is_true(state: HexapawnState) -> None:
    """Proof-number search and looking at everything agree about the winner; also when it is interrupted."""
    if state.to_move is None:
        return
    ground, memory, tally = board(state), blank(4 << 8, "uint64"), table([0, 0])
    mine, theirs, seat = words(state)
    smaller = min((mine, theirs), (kernels.mirror(mine, ground), kernels.mirror(theirs, ground)))
    for _ in range(10_000):
        both = int(kernels.numbers(*smaller, seat, ground, memory))
        if 0 in (both >> 31, both & 0x7FFFFFFF):
            break
        tally[1] = tally[0] + 50
        kernels.prove(*smaller, seat, kernels.NEVER, kernels.NEVER, ground, memory, tally)
    assert both == (kernels.NEVER if obvious(state) % 2 else kernels.NEVER << 31)


@settings(max_examples=150, deadline=None)
@given(states(SMALL))
def test_a_race_that_is_clear_ends_so(state: HexapawnState) -> None:
    """A pawn that nobody can stop decides, and within the plies that are told."""
    if state.to_move is None or not (state.pawns0 and state.pawns1):
        return
    clear, truth = int(kernels.race(*words(state), board(state))), obvious(state)
    if clear > 0:
        assert truth % 2 == 1
        assert truth <= clear
    elif clear < 0:
        assert truth % 2 == 0
        assert truth <= -clear


def test_boards_that_are_too_large_are_refused() -> None:
    """A square more than a word has bits."""
    with pytest.raises(ValueError, match="64 squares"):
        kernels.board_of(13, 5)


PLAIN = """
import sys
if sys.argv[1] == "plain":
    sys.modules["numba"] = None
from touchline.bots import kernels
from touchline.bots.hexapawn import lookahead
lookahead.AT_ONCE, lookahead.SLOTS = 4000, 1 << 12
from touchline.bots.hexapawn.lookahead import Lookahead
from touchline.bots.hexapawn.tablebase import Solver
from touchline.bots.kernels.hexapawn import scrambled
assert kernels.COMPILES == (sys.argv[1] != "plain")
for rows, cols in (2, 1), (2, 4), (3, 3), (4, 3), (4, 4), (8, 2):
    solver = Solver(rows, cols)
    while not solver.work(100):
        pass
    tablebase = solver.tablebase()
    ahead = Lookahead(rows, cols)
    print(rows, cols, tablebase.plies, tablebase.positions, tablebase._entries.tobytes().hex())
    print(ahead.plies_from(ahead.start, 1e18), ahead.wins(ahead.start, 1e18), ahead._tally[0])
    print(ahead.share(ahead.start, 100))
for word in (1, 2**63, 2**64 - 1):
    print(int(scrambled(kernels.U64(word))))
ahead = Lookahead(8, 8)
print(ahead.share(ahead.start, 30))
"""


def test_without_numba_the_numbers_are_the_same() -> None:
    """The same kernels as plain Python: tablebases, searches and playouts agree to the last bit."""
    told = []
    for how in ("plain", "compiled"):
        words = [sys.executable, "-c", PLAIN, how]
        done = subprocess.run(words, capture_output=True, text=True, timeout=100, check=False, env=os.environ)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1]
    assert len(told[0].splitlines()) == 22

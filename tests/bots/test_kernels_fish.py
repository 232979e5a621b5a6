"""The kernels of Fish against the rules themselves, and against obvious ways to find the same numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from touchline.bots.fish.bitboard import FishBitboard, room_for_state
from touchline.bots.kernels import blank, table
from touchline.bots.kernels import fish as rules
from touchline.bots.kernels import fish_endgame as count
from touchline.bots.kernels import fish_search as search
from touchline.bots.kernels import fish_search_state as layout
from touchline.bots.kernels import fish_tree as tree
from touchline.games.fish import Fish, FishState, Place, Slide

UNIT = rules.UNIT
SIZES = ((5, 5), (8, 8), (15, 4), (4, 16), (3, 7), (9, 2), (2, 31), (6, 5))
WORDS, BOOK = layout.search_state()
GAMES = iter(range(1, 1 << 40))


def afloat(seed: int, most: int = 80) -> FishState:
    """A state of some game after some random moves, in which a seat may have been removed."""
    rng = Random(seed)
    seats = rng.choice((2, 2, 3, 4))
    rows, cols = rng.choice(SIZES)
    commercial = rng.random() < 0.4
    holes = rng.randrange(0, max(1, rows * cols // 2 - 9))
    game = Fish(rules="commercial" if commercial else "course", rows=rows, cols=cols, holes=holes)
    while True:
        try:
            state = game.start(seats, rng)
            break
        except ValueError:  # too few tiles with one fish this time
            game = Fish(rows=rows, cols=cols, holes=holes)
    for _ in range(rng.randrange(0, most)):
        if state.to_move is None:
            break
        if rng.random() < 0.01:
            state = state.without(rng.choice([seat for seat in range(seats) if seat not in state.removed]))
            continue
        state = state.play(rng.choice(state.legal_moves()))
    return state


def small(seed: int) -> FishState:
    """A state of two seats near its end."""
    rng = Random(seed)
    rows, cols = rng.choice(((4, 4), (5, 3), (3, 5), (5, 4)))
    options: dict[str, Any] = {"rules": "commercial", "fish": 1} if rng.random() < 0.3 else {}
    state = Fish(rows=rows, cols=cols, holes=rng.randrange(0, 4), **options).start(2, rng)
    while state.to_move is not None and (state.placing or state.free.bit_count() > 6):
        state = state.play(rng.choice(state.legal_moves()))
    return state


def numbered(bitboard: FishBitboard) -> set[Any]:
    words, counts = bitboard.rows(1)
    found = blank(512)
    number = rules.moves(bitboard.floe, words, counts, found)
    moves = [bitboard.move(int(found[place])) for place in range(number)]
    assert len(set(moves)) == len(moves)
    return set(moves)


seeds = st.integers(0, 1 << 32)


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_moves_are_those_of_the_rules(seed: int) -> None:
    state = afloat(seed)
    if state.to_move is not None:
        assert numbered(FishBitboard(state)) == set(state.legal_moves())


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_playing_is_as_by_the_rules(seed: int) -> None:
    """Move by move to the end: the same seat has the turn, with the same fish and tiles, and penguins."""
    state = afloat(seed)
    assume(state.to_move is not None)
    bitboard, rng = FishBitboard(state), Random(seed)
    words, counts = bitboard.rows(1)
    while state.to_move is not None:
        move = rng.choice(state.legal_moves())
        state = state.play(move)
        rules.play(bitboard.floe, words, counts, number_of(move, state))
        over = counts[rules.LEFT] == 0 and counts[rules.ALIVE] == 0
        assert over == (state.to_move is None)
        if not over:
            assert counts[rules.TURN] == state.to_move
            assert int(words[rules.FREE]) == state.free
    assert ended_with(counts, state) == bitboard.after(state).scores


def number_of(move: Place | Slide, state: FishState) -> int:
    cols = state.table.grid.cols
    if isinstance(move, Place):
        return (move.at[0] * cols + move.at[1]) * 65
    (row, col), (to_row, to_col) = move.origin, move.target
    return (row * cols + col) * 64 + to_row * cols + to_col


def ended_with(counts: Any, state: FishState) -> list[int]:
    return [int(counts[seat]) for seat in range(len(state.scores))]


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_a_playout_is_a_game(seed: int) -> None:
    """Its moves are legal one after the other, it goes on to the end, and comes to the same scores."""
    state = afloat(seed, 12)
    assume(state.to_move is not None)
    bitboard = FishBitboard(state)
    words, counts = bitboard.rows(seed + 1)
    trace = blank(128)
    for place in range(rules.playout(bitboard.floe, words, counts, blank(64, "uint64"), trace)):
        move = bitboard.after(state).move(int(trace[place]))
        state.check(move)
        state = state.play(move)
    assert state.to_move is None
    assert ended_with(counts, state) == bitboard.after(state).scores


def test_every_legal_move_is_as_likely_as_any_other() -> None:
    """Within what chance explains: the first moves of many playouts, by chi square."""
    state = Fish(rows=6, cols=6).start(2, Random(1))
    while state.placing:
        state = state.play(Random(state.free).choice(state.legal_moves()))
    bitboard = FishBitboard(state)
    words, counts = bitboard.rows(99)
    now, tally = room_for_state()
    trace, seen = blank(128), dict.fromkeys(state.legal_moves(), 0)
    games = 200 * len(seen)
    for _ in range(games):
        rules.playouts(bitboard.floe, words, counts, now, tally, blank(64, "uint64"), trace, 1)
        seen[bitboard.move(int(trace[0]))] += 1
    chi = sum((times - 200) ** 2 / 200 for times in seen.values())
    freedom = len(seen) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_reach_is_what_walking_finds(seed: int) -> None:
    state = afloat(seed)
    bitboard, neighbours = FishBitboard(state), state.table.grid.neighbours
    for mine in bitboard.penguins:
        edge, found = mine, 0
        while edge:
            near = 0
            for tile in range(64):
                near |= neighbours[tile] if edge >> tile & 1 else 0
            edge = near & state.free & ~found
            found |= edge
        assert bitboard.reach(mine) == found


def most(state: FishState, seat: int) -> int:
    """The fish that a seat can still collect that moves alone, by trying everything."""
    if state.to_move is None:
        return 0
    has = state.scores[seat]
    after = [state.play(move) for move in state.legal_moves()]
    return max(then.scores[seat] - has + most(then, seat) for then in after)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_count_is_what_trying_everything_finds(seed: int) -> None:
    """One seat with one to three penguins on a small floe; its line is legal and comes to as much."""
    rng = Random(seed)
    rows, cols = rng.choice(((4, 3), (5, 3), (3, 4), (6, 2)))
    commercial = rng.random() < 0.3
    board = tuple(tuple(rng.choice((0, 0, 1, 1, 2, 3)) for _ in range(cols)) for _ in range(rows))
    tiles = [(row, col) for row in range(rows) for col in range(cols) if board[row][col]]
    assume(2 <= len(tiles) <= 9)
    mine = tuple(rng.sample(tiles, min(len(tiles) - 1, rng.randrange(1, 4))))
    game = Fish(rules="commercial" if commercial else "course", board=board)
    state = game.restore(
        game.Position(
            board=board, penguins=(mine, None), scores=(0, 0), tiles=(0, 0) if commercial else (),
            phase="sliding", to_move=0,
        )
    )  # fmt: skip
    assume(state.legal_moves())
    bitboard = FishBitboard(state)
    found = int(count.alone(state.free, bitboard.penguins[0], bitboard.floe, WORDS, fresh_book(), 10**9))
    assert found // UNIT == most(state, 0)
    value, line = 0, []
    for penguins, area in bitboard.groups(0):
        value += int(count.gather(area, penguins, bitboard.floe, WORDS, BOOK, 10**9))
        assert BOOK[layout.PROVEN]
        line += [int(BOOK[layout.LINE + step]) for step in range(int(BOOK[layout.LINE_LENGTH]))]
    for number in line:
        move = bitboard.move(number)
        state.check(move)
        state = state.play(move)
    assert state.to_move is None
    assert bitboard.after(state).scores[0] == found


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(1, 50))
def test_a_count_that_was_put_down_goes_on_where_it_was(seed: int, portion: int) -> None:
    rng = Random(seed)
    bitboard = FishBitboard(Fish(rows=4, cols=4, holes=rng.randrange(5)).start(2, rng))
    penguins = sum(
        1 << tile for tile in rng.sample([tile for tile in range(16) if bitboard.free >> tile & 1], 2)
    )
    at_once = count.gather(bitboard.free & ~penguins, penguins, bitboard.floe, WORDS, BOOK, 1 << 40)
    length = int(BOOK[layout.LINE_LENGTH])
    line = [int(BOOK[layout.LINE + step]) for step in range(length)]
    count.gather(bitboard.free & ~penguins, penguins, bitboard.floe, WORDS, BOOK, portion)
    while not BOOK[layout.PROVEN]:
        count.pursue(bitboard.floe, WORDS, BOOK, portion)
    assert BOOK[layout.MOST] == at_once
    assert [int(BOOK[layout.LINE + step]) for step in range(length)] == line


def fresh_book() -> Any:
    """The book of another game: nothing that is remembered belongs to it."""
    BOOK[layout.SALT] = Random(next(GAMES)).getrandbits(62)
    return BOOK


def looked_ahead(bitboard: FishBitboard, depth: int, portion: int = 1 << 40) -> tuple[int, int, int]:
    """The value, the move and the nodes of a search from nothing, done in portions."""
    book = fresh_book()
    for place in range(layout.HISTORY, layout.BOOK):
        book[place] = 0
    book[layout.NODES] = 0
    seat = bitboard.mover
    search.begin(
        WORDS,
        book,
        bitboard.free,
        bitboard.penguins[seat],
        bitboard.penguins[1 - seat],
        seat,
        bitboard.left,
        depth,
    )
    while not search.search(bitboard.floe, WORDS, book, portion):
        pass
    return int(book[layout.VALUE]), int(book[layout.FRAMES + layout.CHOSEN]), int(book[layout.NODES])


@cache
def worth(state: FishState, seat: int) -> tuple[int, int]:
    """How far a seat is ahead at the end when both play as well as they can, in fish and then tiles."""
    if state.to_move is None:
        tiles = state.tiles or (0, 0)
        return state.scores[seat] - state.scores[1 - seat], tiles[seat] - tiles[1 - seat]
    values = [worth(state.play(move), seat) for move in state.legal_moves()]
    return max(values) if state.to_move == seat else min(values)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_alpha_beta_to_the_end_is_minimax(seed: int) -> None:
    state = small(seed)
    assume(state.to_move is not None)
    bitboard = FishBitboard(state)
    seat = bitboard.mover
    assume(not bitboard.is_cut_off(seat))
    value, move, _ = looked_ahead(bitboard, 60)
    assume(BOOK[layout.GUESSES] == 0)  # now and then a count within a search is broken off, and it says so
    value += bitboard.scores[seat] - bitboard.scores[1 - seat]
    fish, tiles = worth(state, seat)
    assert value == UNIT * fish + tiles
    assert worth(state.play(bitboard.move(move)), seat) == (fish, tiles)
    worth.cache_clear()


def test_a_search_to_the_end_hardly_ever_guesses() -> None:
    guessed = searched = 0
    for seed in range(300):
        state = small(seed)
        if state.to_move is None or FishBitboard(state).is_cut_off(FishBitboard(state).mover):
            continue
        looked_ahead(FishBitboard(state), 60)
        searched += 1
        guessed += BOOK[layout.GUESSES] > 0
    assert searched > 200
    assert guessed <= searched // 50


@settings(max_examples=25, deadline=None)
@given(seeds)
def test_alpha_beta_through_placements_is_minimax(seed: int) -> None:
    """With two penguins still to be placed on a floe of eleven tiles or so."""
    rng = Random(seed)
    state = Fish(rows=4, cols=3, holes=rng.randrange(1, 4)).start(2, rng)
    while sum(map(len, state.penguins)) < 6:
        state = state.play(rng.choice(state.legal_moves()))
    bitboard = FishBitboard(state)
    value, move, _ = looked_ahead(bitboard, 60)
    assume(BOOK[layout.GUESSES] == 0)
    fish, tiles = worth(state, bitboard.mover)
    assert value == UNIT * fish + tiles
    assert worth(state.play(bitboard.move(move)), bitboard.mover) == (fish, tiles)
    worth.cache_clear()


def guess(state: FishState, seat: int, depth: int, root: FishBitboard) -> int:
    """What so many moves ahead is promised, the obvious way: every line, no table, no bounds."""
    bitboard = root.after(state)
    other = 1 - seat
    if state.to_move is None or bitboard.is_cut_off(seat):
        value = sum(
            sign
            * int(
                count.alone(bitboard.free, bitboard.penguins[who], bitboard.floe, WORDS, BOOK, count.PATIENCE)
            )
            for sign, who in ((1, seat), (-1, other))
        )
        return value + bitboard.scores[seat] - bitboard.scores[other]
    if depth == 0:
        mover = bitboard.mover
        value = int(
            search.territory(
                bitboard.free, bitboard.penguins[mover], bitboard.penguins[1 - mover], bitboard.floe
            )
        )
        return (value if mover == seat else -value) + bitboard.scores[seat] - bitboard.scores[other]
    values = [guess(state.play(move), seat, depth - 1, root) for move in state.legal_moves()]
    return max(values) if state.to_move == seat else min(values)


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(1, 3))
def test_alpha_beta_some_moves_ahead_is_minimax(seed: int, depth: int) -> None:
    rng = Random(seed)
    state = Fish(rows=5, cols=4).start(2, rng)
    for _ in range(rng.randrange(6, 16)):
        if state.to_move is not None:
            state = state.play(rng.choice(state.legal_moves()))
    assume(state.to_move is not None)
    assume(len(state.legal_moves()) ** depth < 5000)
    bitboard = FishBitboard(state)
    assume(not bitboard.is_cut_off(bitboard.mover))
    value, _, _ = looked_ahead(bitboard, depth)
    ahead = value + bitboard.scores[bitboard.mover] - bitboard.scores[1 - bitboard.mover]
    assert ahead == guess(state, bitboard.mover, depth, bitboard)


@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(1, 300))
def test_a_search_that_was_put_down_goes_on_where_it_was(seed: int, portion: int) -> None:
    state = small(seed)
    assume(state.to_move is not None)
    bitboard = FishBitboard(state)
    assume(not bitboard.is_cut_off(bitboard.mover))
    assert looked_ahead(bitboard, 8, portion) == looked_ahead(bitboard, 8)


def grown(state: FishState, times: int) -> Any:
    bitboard = FishBitboard(state)
    nodes = blank(tree.NODE * 50_000)
    words, counts = bitboard.rows(7)
    now, tally = room_for_state()
    tree.explore(
        bitboard.floe, words, counts, nodes, 1, times, now, tally, blank(64, "uint64"), blank(tree.ROOM)
    )
    return nodes


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_tree_has_the_moves_of_the_rules_and_counts_every_time(seats: int) -> None:
    state = Fish(rows=6, cols=5, holes=3).start(seats, Random(seats))
    nodes = grown(state, 500)
    first, kids = int(nodes[tree.FIRST]), int(nodes[tree.KIDS])
    children = range(first * tree.NODE, (first + kids) * tree.NODE, tree.NODE)
    bitboard = FishBitboard(state)
    assert {bitboard.move(int(nodes[child + tree.MOVE])) for child in children} == set(state.legal_moves())
    assert nodes[tree.VISITS] == 500
    assert sum(int(nodes[child + tree.VISITS]) for child in children) == 499  # the first was the root's own
    assert all(
        0 <= nodes[child + tree.TOTAL] <= tree.SHARE * nodes[child + tree.VISITS] for child in children
    )


def test_what_the_end_is_worth() -> None:
    """All is shared by those who win; a removed seat has nothing however much it had."""
    counts = table([640, 640, 9999, 64, 0, 0, 0, 0b1011, 4])
    values = blank(4)
    tree.result(counts, values)
    assert values[0] == values[1] > tree.SHARE // 3 > values[3] > 0 == values[2]


def numbers() -> dict[str, Any]:
    """Numbers of every kind of kernel, from the same states and seeds."""
    found: dict[str, Any] = {}
    for seed in range(6):
        state = afloat(seed, 9)
        if state.to_move is None:
            continue
        bitboard = FishBitboard(state)
        words, counts = bitboard.rows(seed + 1)
        trace = blank(128)
        made = rules.playout(bitboard.floe, words, counts, blank(64, "uint64"), trace)
        found[f"playout {seed}"] = [int(trace[place]) for place in range(made)] + ended_with(counts, state)
        nodes = grown(state, 40)
        found[f"tree {seed}"] = [int(nodes[place]) for place in range(tree.NODE * 60)]
    for seed in range(4):
        bitboard = FishBitboard(small(seed))
        if bitboard.state.to_move is not None:
            found[f"search {seed}"] = looked_ahead(bitboard, 4)
    bitboard = FishBitboard(Fish(rows=5, cols=4).start(2, Random(1)))
    found["placing"] = looked_ahead(bitboard, 2)
    return found


def test_the_same_numbers_without_numba() -> None:
    """In a process in which it cannot be imported."""
    script = (
        "import json, logging, sys\n"
        "sys.modules['numba'] = None\n"
        "logging.disable()\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import test_kernels_fish\n"
        "from touchline.bots.kernels import COMPILES\n"
        "assert not COMPILES\n"
        "print(json.dumps(test_kernels_fish.numbers()))\n"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout) == json.loads(json.dumps(numbers()))

"""The Fish course's harnesses: examples worked out by hand, and small games against the obvious player."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from obvious.maxmin import best_slide, winners_of_game
from touchline.core.errors import BadInput
from touchline.coursework.harness.fish import HARNESSES
from touchline.games.fish import floating


def ask(harness: str, value: Any) -> Any:
    """The harness's answer to a value, as the JSON it would print."""
    return json.loads(json.dumps(HARNESSES[harness](json.dumps(value).encode())))


def player(color: str, *places: list[int], score: int = 0) -> dict[str, Any]:
    return {"color": color, "score": score, "places": [*places]}


def ones(rows: int, cols: int, *holes: tuple[int, int]) -> list[list[int]]:
    """A board with one fish on every tile."""
    return [[0 if (row, col) in holes else 1 for col in range(cols)] for row in range(rows)]


# xboard


@pytest.mark.parametrize(
    ("board", "position", "expected"),
    [
        ([[1, 2, 3], [4, 0, 5]], [0, 0], 1),
        ([[1, 2, 3], [4, 0, 5], [1, 1, 0]], [0, 0], 3),
        ([[1]], [0, 0], 0),
        ([[1, 1, 1, 1]], [0, 1], 0),
        ([[1], [1], [1], [1], [1]], [0, 0], 3),
        ([[1], [1], [0], [1], [1]], [0, 0], 1),
        # one tile N, two each NE, SE, SW and NW, one S
        (ones(5, 3), [2, 1], 10),
        # one tile N, two each NE, SE and SW, three NW, one S
        (ones(6, 3), [3, 1], 11),
        # a short row has holes where tiles are missing
        ([[1, 1], [1], [1, 1]], [0, 1], 3),
        ([[1, 1], [1, 1], [1, 1]], [0, 1], 4),
        # whether the position itself is a hole does not matter
        ([[0], [1]], [0, 0], 1),
    ],
)
def test_xboard(board: list[list[int]], position: list[int], expected: int) -> None:
    """Tiles in straight lines are counted up to the first hole or the edge."""
    assert ask("xboard", {"position": position, "board": board}) == expected


@pytest.mark.parametrize("position", [[0, 2], [2, 0], [9, 9]])
def test_xboard_off_the_board(position: list[int]) -> None:
    """A position off the board is refused."""
    with pytest.raises(BadInput, match=r"Board-Posn\.position: .* off the board"):
        ask("xboard", {"position": position, "board": [[1, 1], [1, 1]]})


@pytest.mark.parametrize("empty", [[], [[]], [[], []]])
def test_xboard_without_tiles(empty: list[list[int]]) -> None:
    """On a board without a place no position is on the board."""
    with pytest.raises(BadInput, match=r"^Board-Posn"):
        ask("xboard", {"position": [0, 0], "board": empty})


# xstate

EVEN = [(0, 1), (1, 1), (3, 1), (4, 1), (3, 0), (1, 0)]
"""The tiles round (2, 1): N, NE, SE, S, SW, NW."""
ODD = [(1, 1), (2, 2), (4, 2), (5, 1), (4, 1), (2, 1)]
"""The tiles round (3, 1): N, NE, SE, S, SW, NW."""


@pytest.mark.parametrize("closed", range(7))
@pytest.mark.parametrize(("start", "around"), [((2, 1), EVEN), ((3, 1), ODD)])
@pytest.mark.parametrize("by", ["holes", "penguins"])
def test_xstate_tries_the_directions_in_order(
    closed: int, start: tuple[int, int], around: list[tuple[int, int]], by: str
) -> None:
    """The first free neighbour of N, NE, SE, S, SW, NW is taken, from even and odd rows; none: false."""
    holes = around[:closed] if by == "holes" else []
    penguins = [] if by == "holes" else [list(cell) for cell in around[:closed]]
    board = ones(6, 3, *holes)
    state = {"players": [player("red", [*start]), player("white", *penguins)], "board": board}
    after = ask("xstate", state)
    if closed == 6:
        assert after is False
        return
    board[start[0]][start[1]] = 0
    assert after == {
        "players": [player("white", *penguins), player("red", [*around[closed]], score=1)],
        "board": board,
    }


def test_xstate_in_full() -> None:
    """The mover is now last, its places keep their order, its tile is eaten and short rows are padded."""
    state = {
        "players": [
            player("brown", [2, 0], [0, 1], score=3),
            player("red", [0, 0], score=1),
            player("black", [3, 0]),
        ],
        "board": [[1, 2, 3], [4], [5, 1], [2]],
    }
    # N of [2, 0] is taken by red; NE is [1, 0]
    assert ask("xstate", state) == {
        "players": [
            player("red", [0, 0], score=1),
            player("black", [3, 0]),
            player("brown", [1, 0], [0, 1], score=8),
        ],
        "board": [[1, 2, 3], [4, 0, 0], [0, 1, 0], [2, 0, 0]],
    }


def test_xstate_moves_only_the_first_penguin() -> None:
    """If the first penguin is stuck the answer is false, though another could move."""
    board = ones(4, 2, (1, 0), (2, 0))
    assert ask("xstate", {"players": [player("red", [0, 0], [0, 1])], "board": board}) is False
    assert ask("xstate", {"players": [player("red", [0, 1], [0, 0])], "board": board}) is not False


def test_xstate_false() -> None:
    """Without players, and without a penguin of the first player, the answer is false."""
    assert ask("xstate", {"players": [], "board": ones(3, 3)}) is False
    others = [player("red"), player("white", [0, 0])]
    assert ask("xstate", {"players": others, "board": ones(3, 3)}) is False


def test_xstate_of_one_player() -> None:
    """A single player stays the first."""
    after = ask("xstate", {"players": [player("red", [0, 0])], "board": [[2], [1]]})
    assert after == {"players": [player("red", [1, 0], score=2)], "board": [[0], [1]]}


def test_xstate_keeps_the_order_though_all_are_stuck() -> None:
    """The players are turned by one, whoever of them can move next."""
    players = [player("red", [0, 0]), player("white", [2, 1]), player("black", [0, 1])]
    after = ask("xstate", {"players": players, "board": [[1, 1], [1, 0], [0, 1]]})
    assert [one["color"] for one in after["players"]] == ["white", "black", "red"]


# xtree


def query(board: list[list[int]], *players: dict[str, Any]) -> dict[str, Any]:
    """Red moves from [4, 1] N to [2, 1]; the neighbours of [2, 1] are those in EVEN."""
    return {
        "state": {"players": [player("red", [4, 1]), *players], "board": board},
        "from": [4, 1],
        "to": [2, 1],
    }


def test_xtree_direction_before_smallest_from() -> None:
    """The first neighbour that is reachable counts, not the smallest penguin that reaches one."""
    # [0, 0] reaches the neighbour NW, [1, 0]; only [2, 2] reaches the neighbour N, [0, 1]
    assert ask("xtree", query(ones(5, 3), player("white", [0, 0], [2, 2]))) == [[2, 2], [0, 1]]


def test_xtree_smallest_from() -> None:
    """Of several penguins that reach the same neighbour the smallest `from` goes there."""
    assert ask("xtree", query(ones(5, 3), player("white", [2, 2], [2, 0]))) == [[2, 0], [0, 1]]


@pytest.mark.parametrize(
    ("white", "holes", "expected"),
    [
        ([2, 2], [(0, 1)], [[2, 2], [1, 1]]),
        ([4, 2], [(0, 1), (1, 1)], [[4, 2], [3, 1]]),
        ([2, 0], [(0, 1), (1, 1), (3, 1)], [[2, 0], [3, 0]]),
        ([2, 0], [(0, 1), (1, 1), (3, 1), (3, 0)], [[2, 0], [1, 0]]),
        ([0, 2], [(0, 1), (1, 1), (3, 1), (3, 0), (1, 0)], False),
    ],
)
def test_xtree_directions_in_order(white: list[int], holes: list[tuple[int, int]], expected: Any) -> None:
    """As neighbours are holes, the later ones have their turn; the tile that red left is a hole too."""
    assert ask("xtree", query(ones(5, 3, *holes), player("white", white))) == expected


def test_xtree_out_of_reach() -> None:
    """A second player that can move, but not to any neighbour, gives false."""
    board = ones(8, 3, (5, 0), (5, 1), (5, 2))
    assert ask("xtree", query(board, player("white", [6, 0]))) is False


def test_xtree_stuck_second_player() -> None:
    """If the second player cannot move the answer is false: the third is not asked."""
    board = ones(8, 3, (6, 2), (5, 2))
    stuck = player("white", [7, 2])
    third = player("brown", [2, 2])
    assert ask("xtree", query(board, third, stuck)) == [[2, 2], [0, 1]]
    assert ask("xtree", query(board, stuck, third)) is False


def test_xtree_without_a_second_player() -> None:
    """With one player there is nobody to answer."""
    assert ask("xtree", query(ones(5, 3))) is False


@pytest.mark.parametrize(
    ("origin", "target"),
    [([4, 1], [4, 1]), ([4, 1], [4, 2]), ([0, 0], [2, 0]), ([4, 1], [9, 1]), ([2, 2], [0, 2])],
)
def test_xtree_refuses_an_illegal_move(origin: list[int], target: list[int]) -> None:
    """The move of the first player must be legal."""
    value = {**query(ones(5, 3), player("white", [2, 2])), "from": origin, "to": target}
    with pytest.raises(BadInput, match=r"^Move-Response-Query: not a legal move"):
        ask("xtree", value)


def test_xtree_refuses_an_empty_table() -> None:
    """Without a player nobody can have moved."""
    value = {"state": {"players": [], "board": ones(2, 2)}, "from": [0, 0], "to": [1, 0]}
    with pytest.raises(BadInput, match="no player"):
        ask("xtree", value)


# xstrategy


def test_xstrategy_false() -> None:
    """A first player that is stuck, has no penguin or is not there gives false."""
    board = ones(4, 2, (1, 0), (2, 0))
    others = player("white", [0, 1])
    assert ask("xstrategy", [2, {"players": [player("red", [0, 0]), others], "board": board}]) is False
    assert ask("xstrategy", [2, {"players": [player("red"), others], "board": board}]) is False
    assert ask("xstrategy", [2, {"players": [], "board": board}]) is False


@pytest.mark.parametrize("depth", [0, 1])
def test_xstrategy_ties(depth: int) -> None:
    """Among equals the smallest from wins before the smallest to, rows before columns."""
    # [2, 1] could go to [0, 1], which is smaller than all places that [0, 0] can go to
    state = {"players": [player("red", [2, 1], [0, 0]), player("white")], "board": ones(3, 2)}
    assert ask("xstrategy", [depth, state]) == [[0, 0], [1, 0]]
    # [0, 1] comes before [1, 0]; from there [1, 0] comes before [1, 1] and [2, 1]
    state = {"players": [player("red", [2, 0], [0, 1]), player("white")], "board": ones(3, 2)}
    assert ask("xstrategy", [depth, state]) == [[0, 1], [1, 0]]


def test_xstrategy_eats_most() -> None:
    """At depth 1 the penguin on the best tile moves."""
    state = {"players": [player("red", [0, 0], [2, 1]), player("white")], "board": [[1, 1], [1, 1], [1, 2]]}
    assert ask("xstrategy", [1, state]) == [[2, 1], [0, 1]]
    assert ask("xstrategy", [0, state]) == [[0, 0], [1, 0]]


def test_xstrategy_the_tile_it_stands_on_counts_for_nothing() -> None:
    """At depth 1 it does not matter how many fish lie on the tile it goes to."""
    state = {"players": [player("red", [0, 0]), player("white")], "board": [[1], [1], [5]]}
    assert ask("xstrategy", [1, state]) == [[0, 0], [1, 0]]


@pytest.mark.parametrize("seed", range(4))
def test_xstrategy_as_plain_max_min(seed: int) -> None:
    """On random states the action is that of plain max-min."""
    rng = Random(seed)
    for _ in range(30):
        rows, cols, seats = rng.randint(2, 4), rng.randint(2, 3), rng.randint(1, 3)
        board = [[rng.choice((0, 1, 1, 2, 3)) for _ in range(cols)] for _ in range(rows)]
        tiles = [[row, col] for row in range(rows) for col in range(cols) if board[row][col]]
        rng.shuffle(tiles)
        colours = rng.sample(["red", "white", "brown", "black"], seats)
        players = [player(colour, *tiles[seat::4], score=seat) for seat, colour in enumerate(colours)]
        depth = rng.randint(0, 2)
        places = [[(row, col) for row, col in one["places"]] for one in players]
        best = best_slide(floating(board, places, range(seats)), depth)
        expected = False if best is None else [[*best.origin], [*best.target]]
        assert ask("xstrategy", [depth, {"players": players, "board": board}]) == expected


@pytest.mark.parametrize("depth", [-1, 101, 1.0, True, "1", None, 10**30])
def test_xstrategy_refuses_a_bad_depth(depth: Any) -> None:
    """A depth is a natural number, and not a giant one."""
    with pytest.raises(BadInput, match=r"^Depth-State\[0\]: "):
        ask("xstrategy", [depth, {"players": [], "board": [[1]]}])


# xref


def game(rows: int, columns: int, *players: tuple[str, int], fish: int = 1) -> Any:
    return ask("xref", {"row": rows, "column": columns, "players": [[*one] for one in players], "fish": fish})


def test_xref_too_few_tiles() -> None:
    """Who finds no tile to place a penguin on is out, and the others play on."""
    # Eight tiles for nine penguins: the third player's last one. Its two tiles are free again, each of the
    # others slides once, from [0, 0] to [1, 0] and from [0, 1] to [2, 1], and then nobody can move.
    assert game(4, 2, ("abe", 1), ("Cyd", 1), ("dot", 1), fish=3) == ["Cyd", "abe"]


@pytest.mark.parametrize(
    ("columns", "names", "winners"),
    [
        (9, "abc", "abc"),
        (8, "ab", "ab"),
        (8, "abcd", "abcd"),
        # one row has no neighbours, so nobody moves and whoever has placed all penguins wins
        (8, "abc", "ab"),
        (7, "ab", "a"),
        (7, "abcd", "abc"),
        # a b c d a b, and c fails; d finds the tile that c left
        (6, "abcd", "abd"),
        # a b c d a, b fails; c finds the tile that b left, d fails
        (5, "abcd", "ac"),
        # a, b fails, a cannot place a second one and fails too
        (1, "ab", ""),
    ],
)
def test_xref_on_one_row(columns: int, names: str, winners: str) -> None:
    """Each of the others places in turn on what is left, and tiles of one that failed are free again."""
    assert game(1, columns, *((name, 1) for name in names)) == list(winners)


def test_xref_sorts_by_code_point() -> None:
    """Capital letters come before small ones."""
    assert game(1, 8, ("b", 1), ("a", 1), ("B", 1), ("Z", 1)) == ["B", "Z", "a", "b"]


def test_xref_depths_of_its_own() -> None:
    """Every player looks as far ahead as its own number says."""
    seen = set()
    for mine in range(3):
        for theirs in range(3):
            players = [("m", mine), ("t", theirs)]
            expected = winners_of_game(3, 5, 1, players)
            assert game(3, 5, *players) == expected
            seen.add((mine, *expected))
    # the second player's depth makes a difference, whatever the first one's
    assert len(seen) > 3


@pytest.mark.parametrize("seed", range(4))
def test_xref_as_the_obvious_players(seed: int) -> None:
    """On random boards the winners are those of a game between plain max-min players."""
    rng = Random(seed)
    for _ in range(12):
        rows, columns = rng.randint(1, 4), rng.randint(1, 4)
        names = rng.sample(["a", "B", "cc", "D"], rng.randint(2, 4))
        deepest = 1 if rows * columns > 12 else 2
        players = [(name, rng.randint(0, deepest)) for name in names]
        fish = rng.randint(1, 5)
        assert game(rows, columns, *players, fish=fish) == winners_of_game(rows, columns, fish, players)


@pytest.mark.parametrize(
    "change",
    [
        {"row": 0}, {"column": 0}, {"row": 51, "column": 50}, {"row": "3"}, {"fish": 0}, {"fish": 256},
        {"players": [["a", 1]]}, {"players": [["a", 1]] * 5}, {"players": [["a", -1], ["b", 1]]},
        {"players": [["a"], ["b", 1]]}, {"players": [[1, 1], ["b", 1]]}, {"players": None},
    ],
)  # fmt: skip
def test_xref_refuses(change: dict[str, Any]) -> None:
    """A game has a board of at least one tile, two to four players with depths, and fish to eat."""
    with pytest.raises(BadInput, match=r"^Game-Description"):
        ask("xref", {"row": 3, "column": 3, "players": [["a", 1], ["b", 1]], "fish": 1, **change})


# All of them


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize("data", [b"", b"1", b"[]", b"{}", b"null", b"{} {}", b"{", b"\xff", b"[" * 100_000])
def test_refuses_what_it_is_not_made_for(harness: str, data: bytes) -> None:
    """No value, the wrong value, two values and broken text are refused in one line."""
    with pytest.raises(BadInput) as caught:
        HARNESSES[harness](data)
    assert str(caught.value)
    assert "\n" not in str(caught.value)

"""Words for sketches: colours, the legend, and spots that are pointed out."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from players.tables import TABLES
from touchline.core.sketch import Piece, Sketch, Spot, ink, text
from touchline.draw.words import STYLES, legend, narrated, side, style, tokens, typed
from touchline.games.labyrinth import Labyrinth, Slide


def test_a_game_may_have_colours_of_its_own() -> None:
    """Fish has; in Hexapawn the screen chooses, and no two seats are alike."""
    fish = TABLES["fish"][0].start(4, Random(1)).sketch()
    assert [side(fish, seat) for seat in range(4)] == ["red", "white", "brown", "black"]
    maze = Labyrinth().start(6, Random(1)).sketch()
    assert len({style(maze, seat) for seat in range(6)}) == 6
    assert {side(maze, seat) for seat in range(6)} <= set(STYLES)


@pytest.mark.parametrize("game", TABLES)
def test_the_legend_explains_every_mark_that_is_seen(game: str) -> None:
    """Each piece and each mark, with its seat where it has one."""
    rules, seats = TABLES[game]
    state, rng = rules.start(seats, Random(1)), Random(2)
    for _ in range(8):
        sketch = state.sketch()
        explained = dict(legend(sketch))
        for spot in sketch.spots:
            for piece in (*spot.pieces, *spot.marks):
                assert piece.glyph in explained
                assert side(sketch, piece.seat) in explained[piece.glyph] or piece.glyph == "*"
        if state.to_move is None:
            break
        state = state.play(rng.choice(state.legal_moves()))


def test_a_game_without_a_legend_has_the_colours_at_least() -> None:
    """Somebody else's game need not know of legends."""
    spots = (Spot(key=(0, 0), x=0, y=0, pieces=(Piece(1, "Q"),)),)
    assert legend(Sketch(spots=spots)) == [("Q", "blue")]


@pytest.mark.parametrize("game", TABLES)
def test_marked_spots_have_brackets_and_nothing_else_changes(game: str) -> None:
    """On any screen; the characters between the brackets stay."""
    rules, seats = TABLES[game]
    sketch = rules.start(seats, Random(1)).sketch()
    marked = replace(sketch, marked=sketch.moves[0])
    assert any(char in text(marked) for char in "[<")
    pairs = [
        (one, other)
        for line, same in zip(ink(marked), ink(sketch), strict=True)
        for one, other in zip(line, same, strict=True)
    ]
    assert any(one.marked for one, _ in pairs)
    for one, other in pairs:
        assert one._replace(marked=False) == other or (one.marked and one.char in "[]<>")


@pytest.mark.parametrize("game", TABLES)
def test_no_two_moves_are_typed_alike(game: str) -> None:
    """Whatever stands between the numbers."""
    rules, seats = TABLES[game]
    moves = typed(rules.start(seats, Random(1)))
    assert len({tuple(tokens(move)) for move in moves}) == len(moves)


def test_the_frame_of_labyrinth_numbers_every_line() -> None:
    """As the log counts them: "pushed row 2" is found at the key 2, also where a push is forbidden."""
    state = Labyrinth().start(2, Random(0))
    slide = next(move for move in state.legal_moves() if isinstance(move, Slide) and move.index == 2)
    assert " 2 " in narrated(state, slide)[0]
    sketch = state.play(slide).sketch()
    for key in ("RIGHT", "DOWN"):
        edge = min((art.x if key == "RIGHT" else art.y) for art in sketch.backdrop.ornaments)
        at_edge = (art for art in sketch.backdrop.ornaments if edge == (art.x if key == "RIGHT" else art.y))
        fixed = [int(art.text) for art in at_edge]
        keys = [spot for spot in sketch.spots if str(spot.key).startswith(key)]
        moving = [int(art.text) for spot in keys for art in spot.art if art.text]
        assert [f"{key} {index}" for index in moving] == [spot.key for spot in keys]
        assert sorted([*fixed, *moving]) == [*range(7)]

"""Words for what a sketch shows: the colours of the seats, spots and moves as they are typed, the legend.

Laws of this file: it knows no game and no screen; a move that is typed and one that is printed look alike.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from touchline.core.rules import Narrated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.core.rules import State
    from touchline.core.sketch import Key, Piece, Sketch

COLOURS = ("red", "blue", "green", "violet", "gold", "aqua")
"""The colours of the seats in a game that has none of its own: those of draw/common.svg, in words."""
STYLES = {
    "red": "bold red",
    "blue": "bold bright_blue",
    "green": "bold green",
    "violet": "bold magenta",
    "gold": "bold bright_yellow",
    "aqua": "bold cyan",
    "white": "bold bright_white on grey37",
    "brown": "bold yellow on grey15",
    "black": "bold black on grey70",
}
"""How a colour is drawn on a terminal, in the words of rich."""


def side(sketch: Sketch, seat: int) -> str:
    """Return the colour of a seat.

    >>> from touchline.core.sketch import Sketch
    >>> side(Sketch(spots=()), 1), side(Sketch(spots=(), sides=("red", "white")), 1)
    ('blue', 'white')
    """
    return sketch.sides[seat] if seat < len(sketch.sides) else COLOURS[seat % len(COLOURS)]


def style(sketch: Sketch, seat: int) -> str:
    """Return the style of a seat on a terminal."""
    return STYLES.get(side(sketch, seat), "bold")


def glyph(sketch: Sketch, seat: int) -> str:
    """Return the character of a seat's pieces; empty if it has none on the board."""
    return next((piece.glyph for spot in sketch.spots for piece in spot.pieces if piece.seat == seat), "")


def word(key: Key) -> str:
    """Return a spot as it is typed.

    >>> word((1, 2)), word("LEFT 0")
    ('1,2', 'LEFT 0')
    """
    return key if isinstance(key, str) else f"{key[0]},{key[1]}"


def typed(state: State) -> dict[str, Any]:
    """Return the legal moves by their typed form.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> next(iter(typed(Hexapawn().start(2, Random(0)))))
    '0,0 1,0'
    """
    spots, moves = state.sketch().moves, state.legal_moves()
    return {" ".join(map(word, keys)): move for keys, move in zip(spots, moves, strict=True)}


def spelled(keys: Sequence[Key]) -> str:
    """Return a move for people to read.

    >>> spelled([(0, 1), (2, 2)])
    '0,1 → 2,2'
    """
    return " → ".join(map(word, keys))


def narrated(state: State, move: Any) -> tuple[str, str]:
    """Return a legal move as what the seat to move did, and as what to do.

    A game without words of its own is told by the spots to point at.

    >>> from random import Random
    >>> from touchline.games.fish import Fish
    >>> state = Fish().start(2, Random(0))
    >>> narrated(state, state.legal_moves()[0])
    ('put a penguin on (0, 0)', 'put a penguin on (0, 0)')
    """
    if isinstance(state, Narrated):
        return state.narrate(move)
    spots = zip(state.legal_moves(), state.sketch().moves, strict=True)
    keys = next((keys for legal, keys in spots if legal == move), None)
    if keys is None:
        return "moved", "move"
    return f"played {spelled(keys)}", f"play {spelled(keys)}"


def tokens(text: str) -> list[str]:
    """Split what a person types: `0,0 1,0`, `0 0 1 0` and `(0,0) -> (1,0)` are the same.

    >>> tokens("0,0 1,0") == tokens("0 0 1 0") == tokens("(0,0) -> (1,0)")
    True
    """
    return re.sub(r"->|→|[,()]", " ", text).upper().split()


def legend(sketch: Sketch) -> list[tuple[str, str]]:
    """Return what the marks of the drawing mean: each mark that can be seen, and its meaning.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> legend(Hexapawn().start(2, Random(0)).sketch())
    [('1', 'pawn of red'), ('2', 'pawn of blue'), ('·', 'a free square')]
    """
    owners: dict[str, set[int]] = {}
    for piece in _pieces(sketch):
        owners.setdefault(piece.glyph, set()).add(piece.seat)
    known = dict(sketch.legend)
    lines = [
        (
            mark,
            f"{meaning} of {side(sketch, min(owners[mark]))}" if len(owners.get(mark, ())) == 1 else meaning,
        )
        for mark, meaning in sketch.legend
        if mark in owners or not mark.isalnum()
    ]
    own = [
        (mark, f"{side(sketch, min(seats))}")
        for mark, seats in sorted(owners.items())
        if mark not in known and len(seats) == 1
    ]
    return [*own, *lines]


def _pieces(sketch: Sketch) -> Iterator[Piece]:
    for spot in sketch.spots:
        yield from spot.pieces
        yield from spot.marks

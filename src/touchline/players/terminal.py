"""A person at the terminal: sees the board drawn, and types a move or the beginning of one.

A move is typed as the spots one would point at on the drawing, a square as `row,column`: `1,2 2,2` in
Hexapawn, `90 LEFT 0 3,4` in Labyrinth. What fits several moves lists how it can go on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from touchline.messages import Resigned

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.sketch import Key, Sketch

MOST_LISTED = 40


class Terminal:
    """A player that asks `ask` for a line of text and shows a drawing with `show`."""

    game: ClassVar[str | None] = None

    def __init__(
        self, ask: Callable[[str], str], show: Callable[[Sketch], None], tell: Callable[[str], None]
    ):
        self._ask, self._show, self._tell = ask, show, tell

    def choose(self, view: Any, turn: int = 0) -> Any:
        """The move the person picks."""
        sketch, moves = view.sketch(), view.legal_moves()
        self._show(sketch)
        typed = {" ".join(map(_word, keys)): move for keys, move in zip(sketch.moves, moves, strict=True)}
        self._tell(f"seat {view.to_move}, {len(moves)} legal moves; `?` lists them, `resign` gives up")
        while True:
            try:
                line = " ".join(self._ask("your move: ").split())
            except EOFError:
                raise Resigned("hung up") from None
            if line == "resign":
                raise Resigned("resigned")
            fitting = [text for text in typed if _fits(line, text)]
            if line in typed:
                fitting = [line]
            if len(fitting) == 1 and line != "?":
                return typed[fitting[0]]
            self._tell(_choices("" if line == "?" else line, typed))


def _word(key: Key) -> str:
    return key if isinstance(key, str) else f"{key[0]},{key[1]}"


def _fits(line: str, text: str) -> bool:
    return bool(line) and (f"{text} ".startswith(f"{line} ") or text == line)


def _choices(line: str, typed: dict[str, Any]) -> str:
    """How what was typed can go on."""
    rest = [text for text in typed if not line or _fits(line, text)]
    if not rest:
        return f"no legal move begins with {line!r}; `?` lists them"
    done = len(line.split())
    next_words = sorted({" ".join(text.split()[: done + 1]) for text in rest})
    more = f" ... and {len(next_words) - MOST_LISTED} more" if len(next_words) > MOST_LISTED else ""
    return "  ".join(next_words[:MOST_LISTED]) + more

"""A person at the terminal, who sees a drawing of the board and types moves.

A move is the sequence of its spots on the drawing, a square as `row,column`: `1,2 2,2` in Hexapawn,
`90 LEFT 0 3,4` in Labyrinth. The first words are enough if only one move begins with them;
otherwise the continuations are listed. The person can ask for a hint, which uses the time of the move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from touchline.core.messages import Resigned

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import State
    from touchline.core.sketch import Key, Sketch

MOST_LISTED = 40
"""The most continuations in a list: about a screen of text."""


class Terminal:
    """A player that asks `ask` for a line of text and shows a drawing with `show`.

    `advise` returns a hint for a view as text; without it there are no hints.
    """

    game: ClassVar[str | None] = None

    def __init__(
        self,
        ask: Callable[[str], str],
        show: Callable[[Sketch], None],
        tell: Callable[[str], None],
        advise: Callable[[Any], str] | None = None,
    ):
        self._ask, self._show, self._tell, self._advise = ask, show, tell, advise

    def choose(self, view: Any, turn: int = 0) -> Any:
        """Return the move that the person types; raise Resigned on `resign` and at EOF."""
        self._show(view.sketch())
        moves = typed(view)
        hint = ", `hint` asks the house, in your own time" if self._advise else ""
        self._tell(f"seat {view.to_move}, {len(moves)} legal moves; `?` lists them, `resign` gives up{hint}")
        while True:
            try:
                line = " ".join(self._ask("your move: ").split())
            except EOFError:
                raise Resigned("hung up") from None
            if line == "resign":
                raise Resigned("resigned")
            if line == "hint" and self._advise is not None:
                self._tell(self._advise(view))
                continue
            fitting = [text for text in moves if _fits(line, text)]
            if line in moves:
                fitting = [line]
            if len(fitting) == 1 and line != "?":
                return moves[fitting[0]]
            self._tell(_choices("" if line == "?" else line, moves))


def typed(state: State) -> dict[str, Any]:
    """Return the legal moves by their typed form.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> next(iter(typed(Hexapawn().start(2, Random(0)))))
    '0,0 1,0'
    """
    spots, moves = state.sketch().moves, state.legal_moves()
    return {" ".join(map(_word, keys)): move for keys, move in zip(spots, moves, strict=True)}


def _word(key: Key) -> str:
    return key if isinstance(key, str) else f"{key[0]},{key[1]}"


def _fits(line: str, text: str) -> bool:
    return bool(line) and (f"{text} ".startswith(f"{line} ") or text == line)


def _choices(line: str, moves: dict[str, Any]) -> str:
    """Return the continuations of an ambiguous line as text."""
    rest = [text for text in moves if not line or _fits(line, text)]
    if not rest:
        return f"no legal move begins with {line!r}; `?` lists them"
    done = len(line.split())
    next_words = sorted({" ".join(text.split()[: done + 1]) for text in rest})
    more = f" ... and {len(next_words) - MOST_LISTED} more" if len(next_words) > MOST_LISTED else ""
    return "  ".join(next_words[:MOST_LISTED]) + more

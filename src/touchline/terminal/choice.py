"""A move that is being chosen, spot by spot.

Laws of this file: it knows no game; whatever has been picked is the beginning of a legal move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.core.sketch import Key, Sketch
    from touchline.terminal.blocks import Drawing

Direction: TypeAlias = Literal["up", "down", "left", "right"]
SIDEWAYS = 3.0
"""How much farther a step to the side counts than one ahead."""
LINES = 2.0
"""A line of a terminal is about twice as high as a column is wide."""


class Choice:
    """The spots that were picked so far, and those that may follow.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> choice = Choice(Hexapawn(rows=3, cols=3).start(2, Random(0)).sketch())
    >>> choice.lit
    ((0, 0), (0, 1), (0, 2))
    >>> choice.pick((0, 1)), choice.lit, choice.index
    (True, ((1, 1),), None)
    >>> choice.pick((1, 1)), choice.index
    (True, 1)
    """

    def __init__(self, sketch: Sketch) -> None:
        self._moves = sketch.moves
        self.picked: tuple[Key, ...] = ()

    def _fitting(self) -> list[tuple[Key, ...]]:
        count = len(self.picked)
        return [keys for keys in self._moves if keys[:count] == self.picked]

    @property
    def lit(self) -> tuple[Key, ...]:
        """The spots that may be picked next, in the order of the legal moves."""
        count, longer = len(self.picked), self._fitting()
        found = dict.fromkeys(keys[count] for keys in longer if len(keys) > count)
        if found and self.picked and self.picked in self._moves:
            found[self.picked[-1]] = None  # the last spot again: the move ends here
        return tuple(found)

    @property
    def index(self) -> int | None:
        """The number of the legal move that is chosen; None while there is more to pick."""
        return self._moves.index(self.picked) if self.picked in self._moves and not self.lit else None

    @property
    def count(self) -> int:
        """The number of legal moves that begin so."""
        return len(self._fitting())

    def with_spot(self, key: Key) -> int | None:
        """Return the number of the legal move that this spot would complete; None if it completes none."""
        return self._moves.index((*self.picked, key)) if (*self.picked, key) in self._moves else None

    def pick(self, key: Key) -> bool:
        """Pick a spot; return whether it may be picked."""
        if key not in self.lit:
            return False
        if self.picked and key == self.picked[-1] and self.picked in self._moves:
            self._moves = (self.picked,)  # the move ends here
            return True
        self.picked = (*self.picked, key)
        return True

    def back(self) -> bool:
        """Take the last spot back; return whether there was one."""
        taken, self.picked = bool(self.picked), self.picked[:-1]
        return taken


def neighbour(drawn: Drawing, keys: Iterable[Key], start: Key | None, towards: Direction) -> Key | None:
    """Return the nearest of these spots in a direction; None if there is none."""
    spots = [key for key in keys if key in drawn.boxes]
    if start not in drawn.boxes:
        return spots[0] if spots else None
    assert start is not None
    row, col = drawn.centre(start)
    best: tuple[float, Key] | None = None
    for key in spots:
        down, right = (drawn.centre(key)[0] - row) * LINES, drawn.centre(key)[1] - col
        ahead, aside = {
            "up": (-down, right), "down": (down, right), "left": (-right, down), "right": (right, down),
        }[towards]  # fmt: skip
        far = ahead + SIDEWAYS * abs(aside)
        if ahead > 0.5 and key != start and (best is None or far < best[0]):
            best = far, key
    return None if best is None else best[1]


def nearest(drawn: Drawing, keys: Iterable[Key], start: Key | None) -> Key | None:
    """Return the nearest of these spots; the first one if there is no start."""
    spots = [key for key in keys if key in drawn.boxes]
    if start not in drawn.boxes or not spots:
        return spots[0] if spots else None
    assert start is not None
    row, col = drawn.centre(start)
    return min(
        spots,
        key=lambda key: abs(drawn.centre(key)[0] - row) * LINES + abs(drawn.centre(key)[1] - col),
    )

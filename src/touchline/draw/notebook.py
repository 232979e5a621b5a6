"""How states, results and records show themselves in a notebook: pictures, tables, and one line of text."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.core.rules import Outcome, Seat
    from touchline.core.sketch import Sketch


class Drawn:
    """A mixin for states: a picture of the board in a notebook, and a short `repr`.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> Hexapawn(rows=3, cols=3).start(2, Random(0))
    <HexapawnState 111/.../222, seat 0 to move>
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def to_move(self) -> Seat | None: ...
        def outcome(self) -> Outcome | None: ...
        def sketch(self) -> Sketch: ...

    def _brief(self) -> str:
        """Return the position in a few words, for `repr`; empty if the game has none."""
        return ""

    def __repr__(self) -> str:
        brief, ended = self._brief(), self.outcome()
        turn = f"seat {self.to_move} to move" if ended is None else _ending(ended)
        return f"<{type(self).__name__} {brief}{', ' if brief else ''}{turn}>"

    def _repr_svg_(self) -> str:
        from touchline.draw.sheet import sheet_of
        from touchline.draw.svg import picture, svg

        sketch = self.sketch()
        said = () if self.to_move is None else (f"seat {self.to_move} to move",)
        return svg(picture(sketch, sheet_of(type(self)), (*sketch.notes, *said)))


def _ending(outcome: Outcome) -> str:
    if not outcome.winners:
        return f"over, nobody won: {outcome.reason}"
    seats = " and ".join(map(str, outcome.winners))
    return f"over, seat{'s' if len(outcome.winners) > 1 else ''} {seats} won: {outcome.reason}"


def html_table(rows: Sequence[Mapping[str, object]], title: str) -> str:
    """Return rows as an HTML table; all text is escaped.

    >>> html_table([{"player": "<b>", "won": 2}], "1 match")[-62:]
    '<th>won</th></tr><tr><td>&lt;b&gt;</td><td>2</td></tr></table>'
    """
    heads = "".join(f"<th>{escape(head)}</th>" for head in (rows[0] if rows else ()))
    lines = ("".join(f"<td>{_cell(value)}</td>" for value in row.values()) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><caption>{escape(title)}</caption><tr>{heads}</tr>{body}</table>"


def _cell(value: object) -> str:
    return "" if value is None else escape(str(value))

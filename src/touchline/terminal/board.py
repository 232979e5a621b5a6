"""The board as a widget: the spots of a sketch, a cursor, and the spots that are lit."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.text import Text
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from touchline.core.sketch import Key
from touchline.terminal import palette
from touchline.terminal.blocks import Cell, Drawing, drawing

if TYPE_CHECKING:
    from rich.style import Style
    from textual import events

    from touchline.core.sketch import Sketch


class Lights(Struct, frozen=True, kw_only=True):
    """What is pointed out on a board."""

    lit: tuple[Key, ...] = ()
    picked: tuple[Key, ...] = ()
    cursor: Key | None = None
    marked: tuple[Key, ...] = ()
    flash: bool = False
    """Whether the marked spots are new."""

    def glow(self, key: Key | None) -> str | None:
        """Return the background of a spot that is pointed out; None for any other."""
        if key is None:
            return None
        if key == self.cursor:
            return palette.CURSOR
        if key in self.picked:
            return palette.PICKED
        if self.flash and key in self.marked:
            return palette.FLASH
        if key in self.lit:
            return palette.LIT
        return palette.MARKED if key in self.marked else None


class Board(Widget):
    """The drawing of a sketch, in the largest size that fits its parent."""

    DEFAULT_CSS = "Board { width: auto; height: auto; }"

    class Picked(Message):
        """A spot was clicked."""

        def __init__(self, key: Key) -> None:
            super().__init__()
            self.key = key

    def __init__(self) -> None:
        super().__init__(id="board")
        self.sketch: Sketch | None = None
        self.lights = Lights()
        self.drawn = Drawing({}, 0, 0, {})

    def show(self, sketch: Sketch | None, lights: Lights) -> None:
        """Draw a sketch; None leaves the board empty."""
        self.sketch, self.lights = sketch, lights
        self.fit()
        if lights.cursor in self.drawn.boxes:
            assert lights.cursor is not None
            top, left, high, wide = self.drawn.boxes[lights.cursor]
            spot = Region(left, max(0, top - 1), wide, high + 2)
            self.call_after_refresh(self._reveal, spot)

    def _reveal(self, spot: Region) -> None:
        """Scroll to a spot, where the board is larger than the screen."""
        if isinstance(self.parent, Widget):
            self.parent.scroll_to_region(spot, animate=False)

    def fit(self) -> None:
        """Choose the size anew."""
        room = self.parent.size if isinstance(self.parent, Widget) else Size(80, 24)
        self.drawn = Drawing({}, 0, 0, {}) if self.sketch is None else drawing(self.sketch, *room)
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self.drawn.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.drawn.height

    def render(self) -> Text:
        text = Text(no_wrap=True, end="")
        if self.sketch is None:
            return text
        for row in range(self.drawn.height):
            line = [self._drawn(self.sketch, row, col) for col in range(self.drawn.width)]
            for style, run in groupby(line, key=itemgetter(1)):
                text.append("".join(char for char, _ in run), style)
            text.append("\n" if row + 1 < self.drawn.height else "")
        return text

    def _drawn(self, sketch: Sketch, row: int, col: int) -> tuple[str, Style]:
        cell = self.drawn.cells.get((row, col), Cell())
        char = self._bracket(cell, row, col) or cell.char
        return char, palette.cell_style(cell, self.lights.glow(cell.key))

    def _bracket(self, cell: Cell, row: int, col: int) -> str | None:
        """Return the bracket around the cursor and around lit spots, which are seen without colours, too."""
        key = cell.key
        if key is None or cell.seat is not None or not (key == self.lights.cursor or key in self.lights.lit):
            return None
        top, left, high, wide = self.drawn.boxes[key]
        if row != top + (high - 1) // 2 or col not in (left, left + wide - 1):
            return None
        ends = "[]" if key == self.lights.cursor else "‹›"
        return ends[0 if col == left else 1]

    def on_click(self, event: events.Click) -> None:
        key = self.drawn.at(event.y, event.x)
        if key is not None:
            self.post_message(self.Picked(key))

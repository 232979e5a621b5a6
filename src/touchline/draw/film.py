"""A whole game as an animated GIF or WebP: the board, who plays, the score, and at the end the result."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from touchline.draw.raster import Painter, on_paper, painted
from touchline.draw.scene import scene
from touchline.draw.svg import Pen, document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from touchline.core.sketch import Sketch
    from touchline.draw.sheet import Sheet
    from touchline.draw.svg import Theme

Kind: TypeAlias = Literal["GIF", "WEBP"]
MOST_FRAMES = 240
"""The most frames of a film; of a longer game only every Nth position is shown."""
MOST_PIXELS = 60_000_000
"""The most pixels of all frames together: a long film is a smaller one."""
WIDEST = 960
"""Pixels across, at most."""
COLOURS = 255
"""Colours of a GIF; one of its 256 is left for transparency."""
_HOW: dict[Kind, dict[str, Any]] = {
    "GIF": {"optimize": True},
    "WEBP": {"quality": 78, "method": 2, "kmin": MOST_FRAMES, "kmax": MOST_FRAMES + 1},
}
"""How Pillow saves a film: after the first frame only what changes, as nobody seeks in so short a film."""
LAST = 5.0
"""The last frame is shown this many times as long as the others."""
IN_A_ROW = 3
"""Seats that are named in one row below the board."""


class Frame(NamedTuple):
    """A position of a film."""

    sketch: Sketch
    scores: tuple[int, ...] | None
    said: str
    """A line below the board: the turn, at the end the result."""


class Cast(NamedTuple):
    """Who plays, and who has won."""

    names: tuple[str, ...]
    winners: tuple[int, ...] = ()


def film(
    frames: Sequence[Frame], sheet: Sheet, cast: Cast, theme: Theme, seconds: float, kind: Kind
) -> bytes:
    """Return a game as an animated picture; the last frame stays longer, and says who won."""
    step = max(1, -(-len(frames) // MOST_FRAMES))
    chosen = [*frames[:-1:step], frames[-1]]
    reel = _Reel(chosen, sheet, cast, theme)
    shown = round(seconds * 1000)
    durations = [shown] * (len(chosen) - 1) + [round(LAST * shown)]
    out = BytesIO()
    images = reel.flat() if kind == "GIF" else reel.images()
    next(images).save(
        out, format=kind, save_all=True, append_images=images, duration=durations, loop=0, **_HOW[kind]
    )  # fmt: skip
    return out.getvalue()


class _Reel:
    """Paints the frames of a film, one after the other."""

    def __init__(self, frames: Sequence[Frame], sheet: Sheet, cast: Cast, theme: Theme) -> None:
        self._frames, self._sheet, self._cast, self._theme = frames, sheet, cast, theme
        view = scene(frames[0].sketch, sheet, numbered=False).view
        each = MOST_PIXELS / len(frames) / (1.25 * view[2] * view[3])
        self._painter = Painter(sheet, theme, min(2.0, WIDEST / view[2], each**0.5))
        self._feet: dict[Any, Any] = {}
        pen = Pen(sheet, theme)
        self._paper = pen.value("var(--paper)", sheet.root)

    def images(self) -> Iterator[Any]:
        """Yield the frames as images."""
        for number, frame in enumerate(self._frames):
            yield self._image(frame, last=number == len(self._frames) - 1)

    def flat(self) -> Iterator[Any]:
        """Yield the frames as images that share one palette, that of the last and the first."""
        from PIL import Image

        first, last = self._image(self._frames[0], last=False), self._image(self._frames[-1], last=True)
        both = Image.new("RGB", (first.width, first.height * 2))
        both.paste(first, (0, 0))
        both.paste(last, (0, first.height))
        # The widest range of colours, then moved to where most pixels are: gold is rare and must not be lost.
        palette = both.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, 2, dither=Image.Dither.NONE)
        for image in self.images():
            yield image.quantize(palette=palette, dither=Image.Dither.NONE)

    def _image(self, frame: Frame, *, last: bool) -> Any:
        from PIL import Image

        drawn = scene(frame.sketch, self._sheet, numbered=False)
        board = self._painter.board(drawn)
        foot = self._foot(frame, board.width, last=last)
        whole = Image.new("RGBA", (board.width, board.height + foot.height), self._paper)
        whole.alpha_composite(board)
        whole.alpha_composite(foot, (0, board.height))
        return on_paper(whole, self._paper)

    def _foot(self, frame: Frame, wide: int, *, last: bool) -> Any:
        key = (frame.scores, frame.said, last)
        if key not in self._feet:
            if len(self._feet) > MOST_FRAMES:
                self._feet.clear()
            winners = self._cast.winners if last else ()
            self._feet[key] = _foot(self._sheet, self._theme, wide, self._cast.names, frame, winners)
        return self._feet[key]


def _foot(
    sheet: Sheet, theme: Theme, wide: int, names: Sequence[str], frame: Frame, winners: Sequence[int]
) -> Any:
    """Return what stands below the board: the seats with their scores, and a line."""
    unit = wide / 960
    cols = 2 if len(names) == 4 else min(IN_A_ROW, len(names))
    rows = -(-len(names) // cols)
    high = (rows * 86 + 62) * unit
    pen = Pen(sheet, theme)
    body = []
    for seat, name in enumerate(names):
        x, y = (24 + (seat % cols) * 912 / cols) * unit, (44 + seat // cols * 86) * unit
        score = "" if frame.scores is None else str(frame.scores[seat])
        body += seat_row(pen, sheet, seat, name, score, (x, y), 912 / cols * unit, 32 * unit, seat in winners)
    bold = 700 if winners or frame.scores is None else 400
    colour = "--ink" if winners else "--faint"
    size = 34 if winners else 26
    body.append(
        pen.text(
            cut(frame.said, wide, size * unit),
            wide / 2,
            high - 22 * unit,
            size * unit,
            colour,
            bold,
            "middle",
        )
    )
    return painted(document((0, 0, wide, high), (wide, round(high)), body, pen))


def seat_row(
    pen: Pen,
    sheet: Sheet,
    seat: int,
    name: str,
    score: str,
    at: tuple[float, float],
    wide: float,
    size: float,
    won: bool,
) -> list[str]:
    """Return the figure of a seat, its name and its score in a row; (x, y) is the middle of its left end."""
    x, y = at
    figure = sheet.id_of(f"figure-{seat % 6}")
    room = wide - 2.6 * size - (0.62 * len(score) + 1.2) * size
    weight = 700 if won else 500
    row = [
        pen.text(cut(name, room, size), x + 2.5 * size, y + 0.35 * size, size, "--ink", weight),
        pen.text(score, x + wide - 0.9 * size, y + 0.35 * size, size, "--ink", 700, "end"),
    ]
    if figure is not None:
        row.insert(0, pen.use(figure, (*sheet.root, f"seat{seat % 6}"), x + 1.1 * size, y, 0.025 * size))
    return row


def cut(text: str, room: float, size: float) -> str:
    """Return text that fits into so many pixels, by an average width of its letters.

    >>> cut("Ann", 100, 20), cut("Wolfeschlegelsteinhausenbergerdorff", 100, 20)
    ('Ann', 'Wolfesc…')
    """
    most = max(2, int(room / (0.58 * size)))
    return text if len(text) <= most else f"{text[: most - 1]}…"

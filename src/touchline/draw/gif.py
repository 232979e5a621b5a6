"""A whole game as an animated GIF, painted with Pillow from the same shapes as the SVG."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from touchline.core.errors import TouchlineError
from touchline.draw.svg import Disc, Polygon, Text, Way

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.draw.svg import Picture, Shape

MOST_FRAMES = 600
"""The most frames of a GIF; of a longer game only every Nth position is shown."""
SMOOTH = 2
"""Frames are painted this many times as large and scaled down, for smooth edges."""
LAST = 4.0
"""The last frame is shown this many times as long as the others."""


class NotInstalled(TouchlineError):
    """A package that this needs is not installed."""


def gif(pictures: Sequence[Picture], seconds: float) -> bytes:
    """Return the pictures as an animated GIF."""
    try:
        from PIL import Image
    except ImportError:
        raise NotInstalled("a GIF needs the package Pillow: pip install 'touchline[web]'") from None
    step = -(-len(pictures) // MOST_FRAMES)
    chosen = [*pictures[:-1:step], pictures[-1]]
    wide, high = max(drawn.width for drawn in chosen), max(drawn.height for drawn in chosen)
    fonts = _Fonts()
    frames = [_painted(drawn, wide, high, fonts) for drawn in chosen]
    palette = frames[-1].quantize(128, dither=Image.Dither.NONE)
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    shown = round(seconds * 1000)
    durations = [shown] * (len(flat) - 1) + [round(LAST * shown)]
    out = BytesIO()
    flat[0].save(
        out, format="GIF", save_all=True, append_images=flat[1:], duration=durations, loop=0, optimize=False
    )
    return out.getvalue()


class _Fonts:
    """A cache of Pillow's default font, by size."""

    def __init__(self) -> None:
        self._kept: dict[int, Any] = {}

    def __getitem__(self, size: int) -> Any:
        if size not in self._kept:
            from PIL import ImageFont

            self._kept[size] = ImageFont.load_default(size)
        return self._kept[size]


def _painted(drawn: Picture, wide: int, high: int, fonts: _Fonts) -> Any:
    from PIL import Image, ImageDraw

    large = Image.new("RGB", (wide * SMOOTH, high * SMOOTH), drawn.paper)
    pen = ImageDraw.Draw(large)
    for shape in drawn.shapes:
        _paint(pen, shape, fonts)
    return large.resize((wide, high), Image.Resampling.BOX)


def _scaled(*numbers: float) -> Iterable[float]:
    return (number * SMOOTH for number in numbers)


def _paint(pen: Any, shape: Shape, fonts: _Fonts) -> None:
    match shape:
        case Polygon(points, fill, edge):
            pen.polygon([tuple(_scaled(*point)) for point in points], fill=fill, outline=edge, width=SMOOTH)
        case Disc(x, y, radius, fill, edge):
            pen.ellipse([*_scaled(x - radius, y - radius, x + radius, y + radius)], fill, edge, SMOOTH)
        case Way(x, y, to_x, to_y, width, colour):
            pen.line([*_scaled(x, y, to_x, to_y)], fill=colour, width=round(width * SMOOTH))
        case Text(x, y, text, size, colour, centred):
            anchor = "mm" if centred else "ls"
            at = (x * SMOOTH, y * SMOOTH)
            pen.text(at, text, fill=colour, font=fonts[max(6, round(size * SMOOTH))], anchor=anchor)

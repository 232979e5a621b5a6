"""Pictures as pixels: PNG and WebP of a board, painted with resvg.

What a film shows again and again is painted once: a symbol in its colours is a sprite, and a frame is put
together from sprites. Positions are whole pixels, so tiles meet without a seam.
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline.core.errors import TouchlineError
from touchline.draw.scene import Label, Rect, Trail, Use
from touchline.draw.svg import FONT, Pen, document

if TYPE_CHECKING:
    from collections.abc import Hashable

    from touchline.draw.scene import Item, Scene
    from touchline.draw.sheet import Sheet
    from touchline.draw.svg import Theme

REACH = 90.0
"""How far a symbol without a view box may reach from its centre, in units."""
MOST_SPRITES = 2000


class NotInstalled(TouchlineError):
    """A package that this needs is not installed."""


def painted(text: str) -> Any:
    """Return an SVG text as an image of Pillow, with transparency. Fonts are read only if there is text."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError:
        raise NotInstalled(
            "pictures of pixels need the packages resvg-py and Pillow: pip install 'touchline[web]'"
        ) from None
    if "<text" in text:
        data = resvg_py.svg_to_bytes(svg_string=text, font_files=[_font_file()])
    else:
        data = resvg_py.svg_to_bytes(svg_string=text, skip_system_fonts=True)
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGBA")


@lru_cache(maxsize=1)
def _font_file() -> str:
    """Return a file with the font that Pillow brings along, for machines that have none."""
    from PIL import ImageFont

    font: Any = ImageFont.load_default(16)
    data: bytes = font.font_bytes
    assert "Aileron" in FONT, "the font is named in every picture"
    file = Path(tempfile.gettempdir()) / f"touchline-{len(data)}.ttf"
    if not file.is_file() or file.stat().st_size != len(data):
        new = tempfile.NamedTemporaryFile(dir=file.parent, suffix=".ttf", delete=False)  # noqa: SIM115
        with new:
            new.write(data)
        Path(new.name).replace(file)
    return str(file)


class Painter:
    """Paints scenes of one sheet in one theme, at so many pixels to a unit."""

    def __init__(self, sheet: Sheet, theme: Theme, zoom: float) -> None:
        self._sheet, self._theme = sheet, theme
        self.zoom = zoom if zoom < 0.2 else int(zoom * 100) / 100
        """Pixels to a unit; a square is a whole number of pixels."""
        self._sprites: dict[Hashable, tuple[Any, int, int] | None] = {}

    def board(self, scene: Scene) -> Any:
        """Return a scene as an image without paper."""
        left, top, _, _ = scene.view
        behind = [item for item in scene.items if isinstance(item, Rect)]
        image = self._behind(tuple(behind), scene.view).copy()
        for item in scene.items[len(behind) :]:
            sprite = self._sprite(item)
            if sprite is not None:
                x, y = (item.x, item.y) if isinstance(item, (Use, Label)) else (0.0, 0.0)
                at = (round((x - left) * self.zoom) + sprite[1], round((y - top) * self.zoom) + sprite[2])
                _paste(image, sprite[0], at)
        return image

    def size(self, scene: Scene) -> tuple[int, int]:
        """Return the pixels of a scene."""
        return max(1, round(scene.view[2] * self.zoom)), max(1, round(scene.view[3] * self.zoom))

    def _behind(self, panels: tuple[Item, ...], view: tuple[float, float, float, float]) -> Any:
        """Return the panels: they are the same in every frame."""
        known = self._sprites.get((panels, view))
        if known is None:
            size = max(1, round(view[2] * self.zoom)), max(1, round(view[3] * self.zoom))
            pen = Pen(self._sheet, self._theme)
            box = (view[0], view[1], size[0] / self.zoom, size[1] / self.zoom)
            known = painted(document(box, size, [pen.item(panel) for panel in panels], pen)), 0, 0
            self._sprites[panels, view] = known
        return known[0]

    def _sprite(self, item: Item) -> tuple[Any, int, int] | None:
        """Return what an item looks like, and its place from the item's point."""
        if isinstance(item, (Use, Label)):
            item = item._replace(x=0.0, y=0.0)
        key: Hashable = (type(item), item)
        if key not in self._sprites:
            if len(self._sprites) >= MOST_SPRITES:
                self._sprites.clear()
            self._sprites[key] = self._paint(item)
        return self._sprites[key]

    def _paint(self, item: Item) -> tuple[Any, int, int] | None:
        left, top, right, bottom = self._reach(item)
        zoom = self.zoom
        first = (int(left * zoom) - 2, int(top * zoom) - 2)
        size = (int(right * zoom) + 2 - first[0], int(bottom * zoom) + 2 - first[1])
        pen = Pen(self._sheet, self._theme)
        box = (first[0] / zoom, first[1] / zoom, size[0] / zoom, size[1] / zoom)
        image = painted(document(box, size, [pen.item(item)], pen))
        seen = image.getbbox()
        if seen is None:
            return None
        return image.crop(seen), first[0] + seen[0], first[1] + seen[1]

    def _reach(self, item: Item) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of what an item may cover."""
        match item:
            case Use(id, _, _, _, size):
                element = self._sheet.elements[id]
                if "viewBox" in element.attributes:
                    left, top, wide, high = (
                        float(number) * size for number in element.attributes["viewBox"].split()
                    )
                    return left, top, left + wide, top + high
                reach = REACH * size if element.tag != "path" else 5 * REACH * size
                return -reach, -reach, reach, reach
            case Label(text, _, _, _, size):
                reach = (20 + 24 * len(text)) * size
                return -reach, -40 * size, reach, 40 * size
            case Trail(_, points):
                across, down = [x for x, _ in points], [y for _, y in points]
                return min(across) - 20, min(down) - 20, max(across) + 20, max(down) + 20
            case Rect(_, x, y, width, height, _):
                return x, y, x + width, y + height


def _paste(image: Any, sprite: Any, at: tuple[int, int]) -> None:
    """Put a sprite on an image; what is outside of it is cut off."""
    x, y = at
    cut = (max(0, -x), max(0, -y))
    if cut[0] >= sprite.width or cut[1] >= sprite.height or x >= image.width or y >= image.height:
        return
    image.alpha_composite(sprite, (max(0, x), max(0, y)), cut)


def on_paper(image: Any, paper: str) -> Any:
    """Return an image without transparency."""
    from PIL import Image

    ground = Image.new("RGBA", image.size, paper)
    ground.alpha_composite(image)
    return ground.convert("RGB")


def encoded(image: Any, kind: str) -> bytes:
    """Return an image as the bytes of a file: PNG or WEBP."""
    out = BytesIO()
    if kind == "WEBP":
        image.save(out, format=kind, quality=84, method=4)
    else:
        image.save(out, format=kind, optimize=False)
    return out.getvalue()

"""A scene as SVG that stands on its own: only the symbols it uses, with every colour filled in.

Laws of this file: it knows no game; the same scene makes the same text; an SVG is well-formed whatever the
labels hold, and has no script, style sheet, font or link.
"""

from __future__ import annotations

import re
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from touchline.draw.scene import Item, Label, Rect, Scene, Trail, Use, scene
from touchline.draw.sheet import GRADIENTS, SVG

if TYPE_CHECKING:
    from touchline.core.sketch import Sketch
    from touchline.draw.scene import Levels
    from touchline.draw.sheet import Element, Sheet
    from touchline.draw.sheet_style import Cascade

Theme: TypeAlias = Literal["light", "dark", "auto"]
"""`auto` follows the reader's screen."""
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SCALE = 0.6
"""Pixels to a unit: a square is 60 wide."""
WIDEST = 1000.0
"""The most pixels across; a larger board is drawn smaller."""
LINE = 22.0
"""Pixels to a line of text below a board."""
FONT = (
    "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', Aileron, "
    "sans-serif"
)
"""Fonts that are there on most machines; the last but one comes with Pillow."""
_COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")


class Picture(NamedTuple):
    """A scene with lines of text below it."""

    scene: Scene
    lines: tuple[str, ...] = ()

    @property
    def scale(self) -> float:
        """Pixels to a unit."""
        return min(SCALE, WIDEST / self.scene.view[2])


def picture(
    sketch: Sketch, sheet: Sheet, said: tuple[str, ...] = (), *, numbered: bool = True, small: bool = False
) -> Picture:
    """Return a sketch as a picture, with lines of text below it.

    >>> from touchline.core.sketch import Sketch
    >>> from touchline.draw.sheet import common_sheet
    >>> svg(picture(Sketch(spots=()), common_sheet()))[:26]
    '<svg xmlns="http://www.w3.'
    """
    return Picture(scene(sketch, sheet, small=small, numbered=numbered), said)


def svg(drawn: Picture, theme: Theme = "light", title: str = "") -> str:
    """Return a picture as SVG text."""
    left, top, wide, high = drawn.scene.view
    scale = drawn.scale
    lines = [part for line in drawn.lines for part in wrap(line, max(24, int(wide * scale / 7.4))) or [""]]
    tall = LINE / scale
    height = high + (tall * (len(lines) + 0.6) if lines else 0)
    pen = Pen(drawn.scene.sheet, theme)
    body = [pen.paper(left, top, wide, height), *map(pen.item, drawn.scene.items)]
    for row, line in enumerate(lines):
        body.append(
            pen.text(line, left + 16 / scale, top + high + tall * (row + 0.75), 14 / scale, "--faint")
        )
    size = (round(wide * scale), round(height * scale))
    return document((left, top, wide, height), size, body, pen, title)


def document(
    view: tuple[float, float, float, float], size: tuple[int, int], body: list[str], pen: Pen, title: str = ""
) -> str:
    """Return an SVG document of what a pen has drawn."""
    name = f"<title>{safe(title)}</title>" if title else ""
    box = " ".join(map(_number, view))
    shape = f'width="{size[0]}" height="{size[1]}" viewBox="{box}"'
    head = f'<svg xmlns="{SVG}" {shape} role="img" font-family="{FONT}">'
    return "\n".join(
        [f"{head}{name}{pen.style()}", f"<defs>{''.join(pen.definitions)}</defs>", *body, "</svg>\n"]
    )


class Pen:
    """Writes items as SVG, and the symbols that they use, each once for every set of colours."""

    def __init__(self, sheet: Sheet, theme: Theme = "light") -> None:
        self._sheet = sheet
        self._cascades: tuple[Cascade, ...] = (
            (sheet.cascade(False), sheet.cascade(True))
            if theme == "auto"
            else (sheet.cascade(theme == "dark"),)
        )
        self.definitions: list[str] = []
        self._written: dict[tuple[str, tuple[str, ...]], str] = {}
        self._pairs: dict[tuple[str, str], str] = {}
        self._used: set[str] = set()

    # -- colours ------------------------------------------------------------------------------

    def value(self, text: str, levels: Levels) -> str:
        """Return a value with variables filled in."""
        if "var(" not in text and "light-dark(" not in text:
            return text
        return self._one([cascade.value(text, cascade.within(levels)) for cascade in self._cascades])

    def _one(self, found: list[str]) -> str:
        """Return the value for all themes; if they differ, a colour that `style()` exchanges."""
        light, dark = found[0], found[-1]
        if light == dark or not _COLOUR.fullmatch(light):
            return light
        if (light, dark) not in self._pairs:
            digits = light[1:] if len(light) > 4 else "".join(2 * char for char in light[1:])
            colour, clear = int(digits[:6], 16), (digits[6:] or "FF").upper()
            # One colour may turn into two: then they differ by a hair.
            near = (f"#{colour ^ bits:06X}{clear}" for bits in range(256))
            token = self._pairs[light, dark] = next(token for token in near if token not in self._used)
            self._used.add(token)
        return self._pairs[light, dark]

    def style(self) -> str:
        """Return the style that turns a picture dark on a dark screen; empty if it has one theme."""
        if not self._pairs:
            return ""
        rules = "".join(
            f'[{name}="{token}"]{{{name}:{dark}}}'
            for (_, dark), token in self._pairs.items()
            for name in ("fill", "stroke", "stop-color")
        )
        return f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>"

    # -- items --------------------------------------------------------------------------------

    def item(self, item: Item) -> str:
        """Return an item of a scene as SVG."""
        match item:
            case Use(id, levels, x, y, size):
                return self.use(id, levels, x, y, size)
            case Rect(levels, x, y, width, height, radius):
                box = f'x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" height="{_number(height)}"'
                return f'<rect {box} rx="{_number(radius)}"{self._classes(levels)}/>'
            case Trail(levels, points):
                line = "L".join(f"{_number(x)} {_number(y)}" for x, y in points)
                return f'<path d="M{line}"{self._classes(levels)}/>'
            case Label(text, levels, x, y, size):
                place = _moved(x, y, size)
                return f'<text{place} dy=".35em"{self._classes(levels)}>{safe(text)}</text>'

    def use(self, id: str, levels: Levels, x: float, y: float, size: float = 1) -> str:
        """Return a symbol in its place."""
        copy, element = self._copy(id, levels), self._sheet.elements[id]
        if element.tag != "symbol":
            return f'<use href="#{copy}"{_moved(x, y, size)}/>'
        left, top, wide, high = map(float, element.attributes["viewBox"].split())
        place = f'x="{_number(x + left * size)}" y="{_number(y + top * size)}"'
        return f'<use href="#{copy}" {place} width="{_number(wide * size)}" height="{_number(high * size)}"/>'

    def text(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        colour: str,
        weight: int = 400,
        anchor: str = "start",
    ) -> str:
        """Return a line of text in one of the common colours; (x, y) is on its base line."""
        fill = self.value(f"var({colour})", self._sheet.root)
        how = f'font-size="{_number(size)}" font-weight="{weight}" text-anchor="{anchor}" fill="{fill}"'
        return f'<text x="{_number(x)}" y="{_number(y)}" {how}>{safe(text)}</text>'

    def paper(self, left: float, top: float, wide: float, high: float) -> str:
        """Return the paper under everything."""
        box = f'x="{_number(left)}" y="{_number(top)}" width="{_number(wide)}" height="{_number(high)}"'
        return f'<rect {box} fill="{self.value("var(--paper)", self._sheet.root)}"/>'

    def _classes(self, levels: Levels) -> str:
        """Return the properties that the classes of an element set, as attributes."""
        all_of = [cascade.own(levels) for cascade in self._cascades]
        return "".join(
            f' {name}="{self._referred(self._one([own[name] for own in all_of]))}"' for name in all_of[0]
        )

    # -- symbols ------------------------------------------------------------------------------

    def _copy(self, id: str, levels: Levels) -> str:
        """Return the id of an element of the sheet in the colours of its place; it is written once."""
        root = self._sheet.root
        if self._sheet.elements[id].tag in GRADIENTS:
            levels = root
        names = sorted(self._sheet.variables(id))
        colours = tuple(self.value(f"var({name})", levels) for name in names)
        known = self._written.get((id, colours))
        if known is None:
            taken = sum(1 for other, _ in self._written if other == id)
            known = self._written[id, colours] = f"{id}_{taken}" if taken else id
            self.definitions.append(self._element(self._sheet.elements[id], levels, known))
        return known

    def _element(self, element: Element, levels: Levels, id: str = "") -> str:
        attributes = {name: value for name, value in element.attributes.items() if name != "id"}
        if "href" in attributes:
            attributes["href"] = f"#{self._copy(attributes['href'][1:], levels)}"
        written = "".join(
            f' {name}="{escape(self._referred(self.value(value, levels)))}"'
            for name, value in attributes.items()
        )
        head = f"<{element.tag}{f' id={chr(34)}{id}{chr(34)}' if id else ''}{written}"
        if not element.children:
            return f"{head}/>"
        return f"{head}>{''.join(self._element(child, levels) for child in element.children)}</{element.tag}>"

    def _referred(self, value: str) -> str:
        """Return a value whose url(#id) leads to our copy."""
        if "url(" not in value:
            return value
        return re.sub(
            r"url\(#([\w-]+)\)", lambda found: f"url(#{self._copy(found[1], self._sheet.root)})", value
        )


def _moved(x: float, y: float, size: float) -> str:
    if size == 1:
        return f' x="{_number(x)}" y="{_number(y)}"' if x or y else ""
    return f' transform="translate({_number(x)} {_number(y)}) scale({_number(size)})"'


def _number(value: float) -> str:
    """Return a number as short as it can be."""
    return f"{round(value, 2):g}" if abs(value) < 1e5 else f"{value:.0f}"


def safe(text: str) -> str:
    """Escape text for XML; an unprintable character becomes a question mark."""
    return escape("".join(char if char.isprintable() else "?" for char in text))

"""Pictures to show to others: the card of a game, 1200 × 630 pixels, and the thumbnail of a table."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from touchline.draw.film import seat_row
from touchline.draw.raster import Painter, encoded, on_paper, painted
from touchline.draw.scene import Rect, scene
from touchline.draw.svg import Pen, document

if TYPE_CHECKING:
    from touchline.core.sketch import Sketch
    from touchline.draw.sheet import Sheet
    from touchline.draw.svg import Theme

SIZE = (1200, 630)
"""The size that chats and social sites ask for."""
THUMB = (320, 240)
"""Twice 160 × 120."""
BAND = 262
"""Where the text ends above a wide board."""
WIDE = 1.7
"""A board that is this many times as wide as high lies below the text, not beside it."""
LOGO = (
    '<g transform="translate({x} {y})"><rect width="30" height="30" rx="8" fill="#0A6B54"/>'
    '<rect x="7" y="5" width="3.4" height="20" rx="1.7" fill="#fff"/>'
    '<circle cx="18.5" cy="15" r="5.6" fill="#fff"/></g>'
)


class Told(NamedTuple):
    """What a card says."""

    title: str
    """The game: "Fish, 5 × 5, 24 turns"."""
    headline: str
    """Who won, or who plays."""
    why: str
    names: tuple[str, ...]
    scores: tuple[int, ...] | None
    winners: tuple[int, ...] = ()


def card(sketch: Sketch, sheet: Sheet, told: Told, theme: Theme = "light") -> bytes:
    """Return the card of a game as PNG: the board, the headline, and the players with their figures."""
    drawn = scene(sketch, sheet, numbered=False, tray=False)
    wide = drawn.view[2] / drawn.view[3] > WIDE
    if wide:
        drawn = scene(sketch, sheet, frame=False)
    room = (1120, SIZE[1] - BAND - 14) if wide else (610, 598)
    board = Painter(sheet, theme, min(room[0] / drawn.view[2], room[1] / drawn.view[3])).board(drawn)
    pen = Pen(sheet, theme)
    if wide:
        body = [pen.item(Rect((*sheet.root, "mat"), 0, 0, *SIZE)), *_above(pen, sheet, told)]
        at = ((SIZE[0] - board.width) // 2, (SIZE[1] + BAND - board.height) // 2 + 4)
    else:
        body = [pen.paper(0, 0, *SIZE), *_beside(pen, sheet, told, board.width + 56)]
        at = (20, (SIZE[1] - board.height) // 2)
    image = painted(document((0, 0, *SIZE), SIZE, body, pen))
    image.alpha_composite(board, at)
    return encoded(image.convert("RGB"), "PNG")


def _beside(pen: Pen, sheet: Sheet, told: Told, left: float) -> list[str]:
    """Return the text to the right of a board, in the middle of its height."""
    room = SIZE[0] - left - 40
    body = [pen.text(told.title, left, 22, 22, "--faint")]
    size = 46 if len(told.headline) < 30 else 38
    y = 36.0
    for line in wrap(told.headline, max(12, int(room / (0.56 * size))))[:3]:
        y += size * 1.1
        body.append(pen.text(line, left, y, size, "--ink", 700))
    for line in wrap(told.why, max(16, int(room / 11.5)))[:2]:
        y += 34
        body.append(pen.text(line, left, y, 23, "--faint"))
    step = min(112.0, (SIZE[1] - 120 - y) / max(1, len(told.names)))
    y += 24 + step / 2
    for seat, name in enumerate(told.names):
        score = "" if told.scores is None else str(told.scores[seat])
        row = (left, y + seat * step), room, min(38, step * 0.4)
        body += seat_row(pen, sheet, seat, name, score, *row, seat in told.winners)
    used = y + step * (len(told.names) - 0.5)
    down = max(30.0, (SIZE[1] - 30 - used) / 2)
    moved = f'<g transform="translate(0 {down:.0f})">{"".join(body)}</g>'
    return [moved, *_signed(pen, SIZE[0] - 40, SIZE[1] - 26)]


def _above(pen: Pen, sheet: Sheet, told: Told) -> list[str]:
    size = 54 if len(told.headline) < 30 else 40
    bends = "Q1090 {} 960 {}T700 {}T420 {}T180 {}T0 {}".format(*(BAND + by for by in (18, -4, 4, -6, 6, -10)))
    wave = f"M0 0H1200V{BAND - 6}{bends}Z"
    body = [
        f'<path d="{wave}" fill="{pen.value("var(--paper)", sheet.root)}"/>',
        pen.text(told.title, 44, 58, 22, "--faint"),
        pen.text(" ".join(wrap(told.headline, 52)[:1]), 44, 66 + size, size, "--ink", 700),
        pen.text(" ".join(wrap(told.why, 80)[:1]), 44, 106 + size, 23, "--faint"),
    ]
    each = 1112 / max(2, len(told.names))
    for seat, name in enumerate(told.names):
        score = "" if told.scores is None else str(told.scores[seat])
        body += seat_row(
            pen, sheet, seat, name, score, (44 + seat * each, 218), each, 32, seat in told.winners
        )
    return [*body, *_signed(pen, SIZE[0] - 44, 60)]


def _signed(pen: Pen, right: float, y: float) -> list[str]:
    logo = LOGO.format(x=f"{right - 150:g}", y=f"{y - 22:g}")
    return [logo, pen.text("touchline", right, y, 23, "--ink", 700, "end")]


def thumbnail(sketch: Sketch, sheet: Sheet, theme: Theme = "light") -> bytes:
    """Return a small picture of a board as WebP: simple symbols, no texts, nothing fine."""
    return encoded(_thumbnail(sketch, sheet, theme), "WEBP")


def thumbnail_svg(sketch: Sketch, sheet: Sheet, theme: Theme = "light", title: str = "") -> str:
    """Return the same as SVG, where nothing can paint."""
    drawn = scene(sketch, sheet, small=True)
    left, top, wide, high = drawn.view
    more = max(wide * 0.75 - high, 0), max(high / 0.75 - wide, 0)
    view = (left - more[1] / 2, top - more[0] / 2, wide + more[1], high + more[0])
    pen = Pen(sheet, theme)
    body = [pen.item(Rect((*sheet.root, "small", "mat"), *view)), *map(pen.item, drawn.items)]
    return document(view, THUMB, body, pen, title)


def _thumbnail(sketch: Sketch, sheet: Sheet, theme: Theme) -> Any:
    drawn = scene(sketch, sheet, small=True)
    zoom = min(THUMB[0] / drawn.view[2], THUMB[1] / drawn.view[3]) * 0.98
    pen = Pen(sheet, theme)
    mat = pen.item(Rect((*sheet.root, "small", "mat"), 0, 0, *THUMB))
    image = painted(document((0, 0, *THUMB), THUMB, [mat], pen))
    painter = Painter(sheet, theme, zoom)
    board = painter.board(drawn)
    image.alpha_composite(board, ((THUMB[0] - board.width) // 2, (THUMB[1] - board.height) // 2))
    return on_paper(image, pen.value("var(--paper)", sheet.root))

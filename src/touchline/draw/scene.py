"""A sketch as a scene: symbols, texts and panels in their places, bottom to top. The page layers them alike.

Laws of this file: it knows no game; the same sketch makes the same scene.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from touchline.draw import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from touchline.core.sketch import Art, Backdrop, Key, Sketch, Spot
    from touchline.draw.sheet import Sheet

Levels: TypeAlias = tuple[str, ...]
"""The classes of an element's ancestors and its own, from the root of the drawing."""
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width and height."""
_WAYS = {"N": (-1, 0, "S"), "E": (0, 1, "W"), "S": (1, 0, "N"), "W": (0, -1, "E")}


class Use(NamedTuple):
    """A symbol in its place."""

    id: str
    levels: Levels
    x: float
    y: float
    size: float = 1


class Label(NamedTuple):
    """A text around a point."""

    text: str
    levels: Levels
    x: float
    y: float
    size: float = 1


class Rect(NamedTuple):
    """A panel."""

    levels: Levels
    x: float
    y: float
    width: float
    height: float
    radius: float = 0


class Trail(NamedTuple):
    """A line through some points."""

    levels: Levels
    points: tuple[tuple[float, float], ...]


Item: TypeAlias = Use | Label | Rect | Trail


class Scene(NamedTuple):
    """A drawing before it is written: its items in order, and the part of the plane that is seen."""

    sheet: Sheet
    view: Box
    items: tuple[Item, ...]


def scene(
    sketch: Sketch,
    sheet: Sheet,
    *,
    numbered: bool = True,
    tray: bool = True,
    frame: bool = True,
    small: bool = False,
) -> Scene:
    """Return a sketch as a scene.

    `numbered` shows the numbers of rows and columns, `tray` what lies beside the board, `frame` what lies
    behind it. A small scene has none of these, nor texts, nor whatever is fine.
    """
    frame = frame and not small
    return _Composer(sketch, sheet, numbered and frame, tray and frame, frame, small).scene()


class _Composer:
    def __init__(
        self, sketch: Sketch, sheet: Sheet, numbered: bool, tray: bool, frame: bool, small: bool
    ) -> None:
        self._sketch, self._sheet = sketch, sheet
        self._numbered, self._frame, self._small = numbered, frame, small
        self._backdrop: Backdrop = plain.backdrop(sketch)
        self._root: Levels = (*sheet.root, "small") if small else sheet.root
        self._panels = [one for one in self._backdrop.panels if tray or "tray" not in one.tone.split()]
        self._spots = [*_shown(sketch.spots)]
        self._places = {spot.key: self._place(spot) for spot in self._spots}
        self._view = self._seen()
        if not tray:
            self._spots = [spot for spot in self._spots if _within(self._places[spot.key], self._view)]

    def _seen(self) -> Box:
        """Return the part of the plane that is seen: the whole view, the panels, or only the board."""
        assert self._backdrop.view is not None
        if not self._frame:
            board = [place for key, place in self._places.items() if isinstance(key, tuple)]
            return _around([(x, y, 0.0, 0.0) for x, y in board or [*self._places.values()]], 56)
        if self._numbered or not self._panels:
            return self._backdrop.view
        return _around([(one.x, one.y, one.width, one.height) for one in self._panels], 10)

    def _place(self, spot: Spot) -> tuple[float, float]:
        assert self._backdrop.scale is not None
        return spot.at or (spot.x * self._backdrop.scale[0], spot.y * self._backdrop.scale[1])

    def scene(self) -> Scene:
        items = self._items()
        if self._small:
            items = (item for item in items if not isinstance(item, Label))
        return Scene(self._sheet, self._view, tuple(items))

    def _items(self) -> Iterator[Item]:
        if self._frame:
            yield from self._behind()
        for spot in self._spots:
            for art in spot.art or plain.ground(spot):
                yield from self._art(art, *self._places[spot.key])
        yield from self._last()
        for spot in self._spots:
            if any(mark.glyph == plain.TARGET for mark in spot.marks):
                yield from self._art(self._backdrop.dot, *self._places[spot.key])
        for spot in self._spots:
            x, y = self._places[spot.key]
            for piece, arts in plain.pieces(spot):
                levels = (*self._root, f"seat{piece.seat % 6}")
                for art in arts:
                    yield from self._art(art, x + piece.x, y + piece.y, piece.size, levels)
        for spot in self._spots:
            for art in spot.over or (() if spot.art else plain.over(spot)):
                yield from self._art(art, *self._places[spot.key])

    def _behind(self) -> Iterator[Item]:
        for one in self._panels:
            yield Rect((*self._root, one.tone), one.x, one.y, one.width, one.height, one.radius)
        for art in self._backdrop.ornaments:
            if self._numbered or not {"row", "column"} & {*art.tone.split()}:
                yield from self._art(art, 0, 0)

    def _art(self, art: Art, x: float, y: float, size: float = 1, levels: Levels = ()) -> Iterator[Item]:
        levels = levels or self._root
        levels = (*levels, art.tone) if art.tone else levels
        x, y, size = x + art.x * size, y + art.y * size, size * art.size
        if art.text:
            yield Label(art.text, (*levels, art.symbol), x, y, size)
            return
        id = self._sheet.id_of(art.symbol, small=self._small)
        if id is not None:
            yield Use(id, levels, x, y, size)

    def _last(self) -> Iterator[Item]:
        """Yield the last move: a mark where it ended, and its way."""
        marked = [key for key in self._sketch.marked if isinstance(key, tuple) and key in self._places]
        if not marked:
            return
        last = self._sheet.id_of("last", small=self._small)
        if last is not None:
            yield Use(last, self._root, *self._places[marked[-1]])
        first = self._sheet.id_of("last-from", small=self._small)
        if first is not None and len(marked) > 1:
            yield Use(first, self._root, *self._places[marked[0]])
        spots = {spot.key: spot for spot in self._spots}
        way: list[Key] = [marked[0]]
        for key in marked[1:]:
            way += route(spots, way[-1], key)[1:]
        if len(way) > 1:
            points = tuple((x, y + 5) for x, y in (self._places[key] for key in way))
            yield Trail((*self._root, "trail-bed"), points)
            yield Trail((*self._root, "trail"), points)


def _around(boxes: Sequence[Box], margin: float) -> Box:
    """Return the box around some boxes."""
    left, top = (min(box[axis] for box in boxes) - margin for axis in (0, 1))
    right, bottom = (max(box[axis] + box[axis + 2] for box in boxes) + margin for axis in (0, 1))
    return left, top, right - left, bottom - top


def _within(place: tuple[float, float], box: Box) -> bool:
    return box[0] <= place[0] <= box[0] + box[2] and box[1] <= place[1] <= box[1] + box[3]


def _shown(spots: Sequence[Spot]) -> Iterator[Spot]:
    """Yield the spots that are seen: of each group the first."""
    groups = set()
    for spot in spots:
        if not spot.group or spot.group not in groups:
            yield spot
        groups.add(spot.group)


def route(spots: Mapping[Key, Spot], origin: Key, target: Key) -> list[Key]:
    """Return the spots from one to another: along connected strokes if there is such a way, else straight."""
    came: dict[Key, Key | None] = {origin: None}
    queue = [origin]
    for key in queue:
        if key == target or not isinstance(key, tuple):
            break
        for way in spots[key].strokes:
            down, across, back = _WAYS[way]
            near = (key[0] + down, key[1] + across)
            if near in spots and near not in came and back in spots[near].strokes:
                came[near] = key
                queue.append(near)
    if target not in came:
        return [origin, target]
    walked: list[Key] = []
    at: Key | None = target
    while at is not None:
        walked.append(at)
        at = came[at]
    return walked[::-1]

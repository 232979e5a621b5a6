"""Generate docs/rules/<game>.md from the rules files of the games, and docs/pictures with our own drawing.

A picture follows the colour scheme of the reader: dark colours replace the light ones. Its paper is part of
it, so it can be read on any page.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.sketch import Sketch, Spot
from touchline.draw.game_options import game_options
from touchline.draw.rules_page import Figure, rules_page, short_rules
from touchline.draw.svg import (
    DARK,
    LIGHT,
    MARGIN,
    UNIT,
    Disc,
    Picture,
    Polygon,
    Shape,
    Text,
    Way,
    picture,
    svg,
)
from touchline.games.boards.floe import DIRECTIONS
from touchline.games.boards.maze import CONNECTORS, DEGREES, DRAWN, grid_of, turned
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import Cell, Game

DOCS = Path(__file__).parent.parent / "docs"
GAMES: tuple[type[Game], ...] = (Fish, Hexapawn, Labyrinth)
NAMES = ("N", "NE", "SE", "S", "SW", "NW")
"""The directions of Fish, in the order of `DIRECTIONS`."""
TALL = 36.0
"""The radius of a hexagon in a diagram, in pixels."""


def adaptive(drawn: Picture, title: str) -> str:
    """Return a picture of the light theme as SVG that turns dark where the reader's screen is dark."""
    pairs = [*zip(LIGHT[:-1], DARK[:-1], strict=True), *zip(LIGHT.seats, DARK.seats, strict=True)]
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}' for light, dark in pairs
    )
    style = f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>"
    head, _, rest = svg(drawn, title).partition("\n")
    return f"{head}{style}\n{rest}\n"


# -- diagrams -----------------------------------------------------------------------------------


def hexagon(x: float, y: float, fill: str, edge: str = LIGHT.edge) -> Polygon:
    turns = [pi / 3 * corner for corner in range(6)]
    radius = TALL * 0.97
    return Polygon(tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns), fill, edge)


def at(cell: Cell, left: float, top: float) -> tuple[float, float]:
    """Return the centre of a tile of Fish."""
    row, col = cell
    return left + TALL * (1 + 1.5 * (2 * col + row % 2)), top + TALL * sqrt(3) / 2 * (row + 1)


def around(middle: Cell, rows: range, left: float, top: float) -> Iterator[Shape]:
    """Draw a tile with its six neighbours among the tiles of some rows."""
    near = {
        (middle[0] + down, middle[1] + aside): name
        for name, (down, aside) in zip(NAMES, DIRECTIONS[middle[0] % 2], strict=True)
    }
    for row in rows:
        for col in range(3):
            x, y = at((row - rows[0] + rows[0] % 2, col), left, top)
            name = near.get((row, col), "")
            fill = LIGHT.seats[1] if (row, col) == middle else LIGHT.light if name else LIGHT.dark
            yield hexagon(x, y, fill, LIGHT.seats[1] if name else LIGHT.edge)
            ink = LIGHT.paper if (row, col) == middle else LIGHT.ink if name else LIGHT.faint
            yield Text(x, y + (9 if name else 0), f"{row},{col}", 15, ink)
            if name:
                yield Text(x, y - 11, name, 16, LIGHT.seats[1])


def fish_directions() -> Picture:
    """Draw the neighbours of a tile in an even row, and below them those of a tile in an odd row."""
    shapes: list[Shape] = [
        Text(20, 28, "from an even row: 2,1", 16, LIGHT.ink, False),
        Text(20, 276, "from an odd row: 3,1", 16, LIGHT.ink, False),
        *around((2, 1), range(5), 20, 40),
        *around((3, 1), range(1, 6), 20, 288 - TALL * sqrt(3) / 2),
    ]
    return Picture(400, 500, LIGHT.paper, tuple(shapes))


def fish_coordinates() -> Picture:
    """Draw the tiles of 4 rows and 3 columns with their numbers."""
    shapes: list[Shape] = []
    for row in range(4):
        shapes.append(Text(18, at((row, 0), 0, 40)[1], f"row {row}", 14, LIGHT.faint, False))
        for col in range(3):
            x, y = at((row, col), 80, 34)
            shapes += [hexagon(x, y, LIGHT.light), Text(x, y, f"{row},{col}", 16, LIGHT.ink)]
    for col in range(3):
        shapes.append(Text(at((0, col), 80, 0)[0] + TALL * 0.75, 20, f"column {col}", 14, LIGHT.faint))
    return Picture(440, 210, LIGHT.paper, tuple(shapes))


def square(x: float, y: float, half: float, fill: str) -> Polygon:
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return Polygon(tuple((x + a, y + b) for a, b in corners), fill, LIGHT.edge)


def hexapawn_coordinates() -> Picture:
    """Draw the squares of 3 rows and 4 columns with their numbers, and which way the pawns walk."""
    rows, cols, side = 3, 4, 60.0
    shapes: list[Shape] = []
    for row in range(rows):
        y = 64 + side * row
        shapes.append(Text(14, y + 5, f"row {row}", 14, LIGHT.faint, False))
        for col in range(cols):
            x = 100 + side * col
            fill = LIGHT.dark if (row + col) % 2 else LIGHT.light
            shapes += [square(x, y, side / 2, fill), Text(x, y, f"{row},{col}", 16, LIGHT.ink)]
    shapes += [Text(100 + side * col, 20, f"column {col}", 12, LIGHT.faint) for col in range(cols)]
    for row, words, seat in (
        (0, "seat 0 starts here, walks down", 0),
        (2, "seat 1 starts here, walks up", 1),
    ):
        shapes.append(Text(350, 64 + side * row + 5, words, 14, LIGHT.seats[seat], False))
    return Picture(570, 230, LIGHT.paper, tuple(shapes))


def labyrinth_tiles() -> Picture:
    """Draw the four shapes in their four turns, each with its character and its open sides."""
    shapes: list[Shape] = []
    for row, first in enumerate("│└┬┼"):
        y = 84.0 + 104 * row
        for turn, degree in enumerate(DEGREES):
            x = 150.0 + 150 * turn
            ways = turned(CONNECTORS[first], degree)
            shapes += tile(x, y, ways)
            open_sides = [side for bit, side in enumerate(("up", "right", "down", "left")) if ways >> bit & 1]
            shapes.append(Text(x + 42, y - 6, DRAWN[ways], 26, LIGHT.ink))
            shapes.append(Text(x, y + 44, ", ".join(open_sides), 12, LIGHT.faint))
    for row, name in enumerate(("straight", "corner", "fork", "crossing")):
        shapes.append(Text(16, 88.0 + 104 * row, name, 15, LIGHT.ink, False))
    for turn, degree in enumerate(DEGREES):
        words = f"turned by {degree}°" if degree else "0°"
        shapes.append(Text(150.0 + 150 * turn, 24, words, 15, LIGHT.ink))
    shapes.append(Text(16, 482, "Turns are counter-clockwise.", 14, LIGHT.faint, False))
    return Picture(700, 500, LIGHT.paper, tuple(shapes))


def tile(x: float, y: float, ways: int) -> Iterator[Shape]:
    """Draw a tile with its ways."""
    yield square(x, y, UNIT * 0.55, LIGHT.light)
    for bit, (aside, below) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
        if ways >> bit & 1:
            yield Way(x, y, x + aside * UNIT * 0.54, y + below * UNIT * 0.54, UNIT * 0.24, LIGHT.way)
    yield Disc(x, y, UNIT * 0.12, LIGHT.way, LIGHT.way)


def labyrinth_coordinates() -> Picture:
    """Draw the tiles of 3 rows and 5 columns with their numbers, and every push with its name."""
    rows, cols = 3, 5
    grid = grid_of(rows, cols)
    spots = [
        Spot(key=cell, x=cell[1] * 1.25, y=cell[0] * 1.25, fill="dark" if cell in grid.fixed else "light")
        for cell in grid.cells
    ]
    drawn = picture(Sketch(spots=tuple(spots)))
    left, top = 100.0, 56.0
    shapes = [moved(shape, left, top) for shape in drawn.shapes]
    step, x0, y0 = UNIT * 1.25, left + MARGIN + UNIT / 2, top + MARGIN + UNIT / 2
    for row, col in grid.cells:
        shapes.append(Text(x0 + step * col, y0 + step * row, f"{row},{col}", 14, LIGHT.ink))
    far_x, far_y = x0 + step * (cols - 1), y0 + step * (rows - 1)
    for index, direction in grid.tracks:
        x, y = {
            "LEFT": (far_x + 66, y0 + step * index),
            "RIGHT": (x0 - 66, y0 + step * index),
            "UP": (x0 + step * index, far_y + 44),
            "DOWN": (x0 + step * index, y0 - 44),
        }[direction]
        shapes.append(Text(x, y, f"{direction} {index}", 13, LIGHT.seats[1]))
    words = "Tiles in an odd row and an odd column never move."
    shapes.append(Text(20, far_y + 84, words, 14, LIGHT.faint, False))
    return Picture(round(far_x + 130), round(far_y + 100), LIGHT.paper, tuple(shapes))


def moved(shape: Shape, x: float, y: float) -> Shape:
    """Return a polygon further to the right and further down."""
    assert isinstance(shape, Polygon)
    return Polygon(tuple((a + x, b + y) for a, b in shape.points), shape.fill, shape.edge)


DIAGRAMS = {
    "fish-directions": (fish_directions, "The six directions from an even and from an odd row"),
    "fish-coordinates": (fish_coordinates, "The tiles of a floe of 4 by 3"),
    "hexapawn-coordinates": (hexapawn_coordinates, "The squares of a board of 3 by 4"),
    "labyrinth-tiles": (labyrinth_tiles, "The eleven tiles in their four turns"),
    "labyrinth-coordinates": (labyrinth_coordinates, "The tiles and the pushes of a board of 3 by 5"),
}


# -- pages --------------------------------------------------------------------------------------


def page(game: type[Game]) -> dict[str, str]:
    """Return the page of a game and its pictures, by their path in docs."""
    rules = rules_page(game)
    assert rules is not None
    files, words, count = {}, [], 0
    for part in rules.parts:
        if isinstance(part, str):
            words.append(part.replace("](docs/", "](../"))
            continue
        count += 1
        name = f"pictures/{game.name}-{count}.svg"
        files[name] = adaptive(picture(part.sketch, numbered=True), part.caption)
        words.append(figure(part, name))
    title, _, rest = "".join(words).partition("\n")
    note = f"<!-- written by scripts/pictures from src/touchline/games/{game.name}.md -->"
    files[f"rules/{game.name}.md"] = f"{title}\n\n{note}\n{rest}{terminal(game)}{options(game)}"
    return files


def figure(part: Figure, name: str) -> str:
    """Return a picture, its caption, and the moves that were tried there."""
    lines = [f"![{part.caption}](../{name})", "", f"*{part.caption}*", ""]
    if part.legal or part.illegal:
        lines += ["| move | verdict |", "| --- | --- |"]
        lines += [f"| `{move}` | legal |" for move in part.legal]
        lines += [f"| `{move}` | illegal: {reason} |" for move, reason in part.illegal]
        lines.append("")
    return "\n".join(lines)


def terminal(game: type[Game]) -> str:
    """Return a block that shows the short version as the command prints it."""
    short = "\n".join(short_rules(game))
    return f"""
## In the terminal

`touchline rules {game.name}` shows this page with its pictures. The short version is for reminding a friend:

```console
$ touchline rules {game.name} --short
{short}
```
"""


def options(game: type[Game]) -> str:
    """Return the table of the game's options, from its fields."""
    rows = "".join(
        f"| `--{option.name.replace('_', '-')}` | {option.values} | {option.default} | {option.about} |\n"
        for option in game_options(game)
    )
    return f"""
## Options

`touchline play`, `show`, `serve` and other commands take these options; in Python they are the fields of
`touchline.{game.__name__}`.

| option | values | default | meaning |
| --- | --- | --- | --- |
{rows}"""


def written() -> dict[str, str]:
    """Return every generated file by its path in docs."""
    files = {f"pictures/{name}.svg": adaptive(draw(), title) for name, (draw, title) in DIAGRAMS.items()}
    for game in GAMES:
        files |= page(game)
    return files


def main() -> None:
    for name, text in written().items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Generate docs/rules/<game>.md from the rules files of the games, and docs/pictures with our own drawing.

A picture follows the colour scheme of the reader: dark colours replace the light ones. Its paper is part of
it, so it can be read on any page.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from touchline.draw.game_options import game_options
from touchline.draw.rules_page import Figure, rules_page, short_rules
from touchline.draw.scene import Item, Label, Scene, Use
from touchline.draw.sheet import common_sheet, sheet_of
from touchline.draw.svg import Picture, picture, svg
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
HEXAGON = (75.0, 43.4)
"""Units to a step of x and y in a diagram of Fish."""


def adaptive(drawn: Picture, title: str) -> str:
    """Return a picture as SVG that turns dark where the reader's screen is dark."""
    return svg(drawn, "auto", title)


# -- diagrams -----------------------------------------------------------------------------------


def diagram(
    items: list[Item], view: tuple[float, float, float, float], game: type[Game] | None = None
) -> Picture:
    """Return a picture of some items, drawn with the symbols of a game or with plain ones."""
    return Picture(Scene(common_sheet() if game is None else sheet_of(game), view, tuple(items)))


def said(text: str, x: float, y: float, how: str = "plain-note") -> Label:
    """Return a text that begins at a point, or stands around it if `how` says so."""
    return Label(text, ("common", how), x, y)


def at(cell: Cell, left: float = 0, top: float = 0) -> tuple[float, float]:
    """Return the centre of a tile of Fish."""
    row, col = cell
    return left + HEXAGON[0] * (2 * col + row % 2), top + HEXAGON[1] * row


def hexagon(x: float, y: float, how: str) -> Use:
    return Use("common-plain-hexagon", ("common", how), x, y)


def around(middle: Cell, rows: range, top: float) -> Iterator[Item]:
    """Draw a tile with its six neighbours among the tiles of some rows."""
    near = {
        (middle[0] + down, middle[1] + aside): name
        for name, (down, aside) in zip(NAMES, DIRECTIONS[middle[0] % 2], strict=True)
    }
    for row in rows:
        for col in range(3):
            x, y = at((row - rows[0] + rows[0] % 2, col), 0, top)
            name = near.get((row, col), "")
            here = (row, col) == middle
            yield hexagon(x, y, "plain-here" if here else "plain-near" if name else "plain-dark")
            yield said(
                f"{row},{col}",
                x,
                y + (13 if name else 0),
                "plain-here-text" if here else "plain-text" if name else "plain-caption",
            )
            if name:
                yield said(name, x, y - 15, "plain-line")


def fish_directions() -> Picture:
    """Draw the neighbours of a tile in an even row, and below them those of a tile in an odd row."""
    items: list[Item] = [
        said("from an even row: 2,1", -40, -70),
        *around((2, 1), range(5), 0),
        said("from an odd row: 3,1", -40, 260),
        *around((3, 1), range(1, 6), 290),
    ]
    return diagram(items, (-60, -100, 500, 680))


def fish_coordinates() -> Picture:
    """Draw the tiles of 4 rows and 3 columns with their numbers."""
    items: list[Item] = []
    for row in range(4):
        items.append(said(f"row {row}", -140, at((row, 0))[1]))
        for col in range(3):
            x, y = at((row, col))
            items += [hexagon(x, y, "plain-light"), said(f"{row},{col}", x, y, "plain-text")]
    items += [
        said(f"column {col}", at((0, col))[0] + HEXAGON[0] / 2, -64, "plain-caption") for col in range(3)
    ]
    return diagram(items, (-160, -90, 610, 280))


def hexapawn_coordinates() -> Picture:
    """Draw the squares of 3 rows and 4 columns with their numbers, and which way the pawns walk."""
    rows, cols = 3, 4
    items: list[Item] = []
    for row in range(rows):
        items.append(said(f"row {row}", -130, 100 * row))
        for col in range(cols):
            fill = "plain-dark" if (row + col) % 2 else "plain-light"
            items.append(Use("common-plain-square", ("hexapawn", fill), 100 * col, 100 * row))
            items.append(said(f"{row},{col}", 100 * col, 100 * row, "plain-text"))
    items += [said(f"column {col}", 100 * col, -70, "plain-caption") for col in range(cols)]
    for row, words, seat in (
        (0, "seat 0 starts here, walks down", 0),
        (2, "seat 1 starts here, walks up", 1),
    ):
        items.append(Use(f"hexapawn-pawn-{seat}", ("hexapawn", f"seat{seat}"), 400, 100 * row, 0.8))
        items.append(said(words, 440, 100 * row))
    return diagram(items, (-150, -100, 890, 380), Hexapawn)


def labyrinth_tiles() -> Picture:
    """Draw the four shapes in their four turns, each with its character and its open sides."""
    items: list[Item] = []
    for row, (first, name) in enumerate(zip("│└┬┼", ("straight", "corner", "fork", "crossing"), strict=True)):
        y = 160.0 * row
        items.append(said(name, -170, y))
        for turn, degree in enumerate(DEGREES):
            x, ways = 220.0 * turn, turned(CONNECTORS[first], degree)
            items.append(Use(f"labyrinth-tile-{strokes(ways)}", ("labyrinth",), x, y))
            open_sides = [side for bit, side in enumerate(("up", "right", "down", "left")) if ways >> bit & 1]
            items.append(said(DRAWN[ways], x + 74, y, "plain-text"))
            items.append(said(", ".join(open_sides), x, y + 66, "plain-caption"))
    for turn, degree in enumerate(DEGREES):
        items.append(said(f"turned by {degree}°" if degree else "0°", 220.0 * turn, -76, "plain-caption"))
    items.append(said("Turns are counter-clockwise.", -170, 590))
    return diagram(items, (-190, -105, 980, 725), Labyrinth)


def strokes(ways: int) -> str:
    """Return the open sides as the letters of a symbol's name."""
    return "".join(letter for bit, letter in enumerate("NESW") if ways >> bit & 1)


def labyrinth_coordinates() -> Picture:
    """Draw the tiles of 3 rows and 5 columns with their numbers, and every push with its name."""
    rows, cols = 3, 5
    grid = grid_of(rows, cols)
    items: list[Item] = []
    for row, col in grid.cells:
        how = "plain-dark" if (row, col) in grid.fixed else "plain-light"
        items.append(Use("common-plain-square", ("labyrinth", how), 100 * col, 100 * row))
        items.append(said(f"{row},{col}", 100 * col, 100 * row, "plain-text"))
    for index, direction in grid.tracks:
        x, y = {
            "LEFT": (100 * cols - 10, 100 * index), "RIGHT": (-90, 100 * index),
            "UP": (100 * index, 100 * rows - 10), "DOWN": (100 * index, -90),
        }[direction]  # fmt: skip
        items.append(Use("labyrinth-key", ("labyrinth",), x, y, 0.9))
        items.append(Use(f"labyrinth-arrow-{direction}", ("labyrinth",), x, y - 3, 0.9))
        aside, below = {"LEFT": (78, 0), "RIGHT": (-82, 0), "UP": (0, 48), "DOWN": (0, -48)}[direction]
        items.append(said(f"{direction} {index}", x + aside, y + below, "plain-caption"))
    items.append(said("Tiles in an odd row and an odd column never move.", -40, 100 * rows + 90))
    return diagram(items, (-240, -180, 900, 620), Labyrinth)


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
        files[name] = adaptive(picture(part.sketch, sheet_of(game)), part.caption)
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

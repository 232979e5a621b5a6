"""Labyrinth remote (seed 004): a bot that walks to its goal if it can, and else passes.

A GameProjection comes with each request. We need its `tileGrid`, its `spare`, the `previousSlide` and, of
`self`, the `avatar`, the `goal`, `hasReachedGoal` and the `home`. A place is `[row, column]`, and a tile is
`{"pathways": ["UP", ...], "gems": [one, another]}`.
"""

# ruff: noqa: N802 - the methods have the note's own names
from itertools import combinations_with_replacement
from typing import Any

Place = tuple[int, int]
Tiles = dict[Place, list[str]]

CLOCKWISE = {"UP": "RIGHT", "RIGHT": "DOWN", "DOWN": "LEFT", "LEFT": "UP"}
STEPS = {"UP": (-1, 0), "RIGHT": (0, 1), "DOWN": (1, 0), "LEFT": (0, -1)}
OPPOSITE = {"UP": "DOWN", "RIGHT": "LEFT", "DOWN": "UP", "LEFT": "RIGHT"}
GEMS = ("amethyst", "beryl", "citrine", "diamond", "emerald", "garnet", "jasper", "peridot", "ruby", "zircon")


def pushed(tiles: Tiles, way: str, index: int, spare: list[str], place: Place) -> tuple[Tiles, Place]:
    """Return the tiles after a push, and where it moves an avatar that stood on `place`."""
    line = sorted(at for at in tiles if at[0 if way in ("LEFT", "RIGHT") else 1] == index)
    if way in ("RIGHT", "DOWN"):
        line.reverse()
    ahead = dict(zip(line[1:], line, strict=False))  # each tile moves to the place of the one before it
    after = tiles | {ahead[at]: tiles[at] for at in line[1:]} | {line[-1]: spare}
    return after, {**ahead, line[0]: line[-1]}.get(place, place)  # pushed out: back on the spare


def connected(tiles: Tiles, start: Place, target: Place) -> bool:
    """Return whether a path leads from one place to another."""
    found = [start]
    for row, column in found:  # the list grows in the loop
        for way in tiles[row, column]:
            to = row + STEPS[way][0], column + STEPS[way][1]
            if to not in found and OPPOSITE[way] in tiles.get(to, ()):
                found.append(to)
    return target in found


class Labyrinth004:
    def ProposeBoard(self, rows: int, columns: int) -> Any:
        """Propose a board of crossings with distinct gems; one that is too small is not considered."""
        pairs = list(combinations_with_replacement(GEMS, 2))
        tiles = [{"pathways": list(STEPS), "gems": pair} for pair in pairs[: rows * columns]]
        return [tiles[start : start + columns] for start in range(0, len(tiles), columns)]

    def setup(self, projection: Any, goal: Any) -> None:
        """The game begins. Each request repeats all we need to know."""

    def TakeTurn(self, projection: Any) -> Any:
        grid, own, last = projection["tileGrid"], projection["self"], projection["previousSlide"]
        target = tuple(own["home"] if own["hasReachedGoal"] else own["goal"])
        tiles = {(y, x): tile["pathways"] for y, line in enumerate(grid) for x, tile in enumerate(line)}
        row, column = own["avatar"]
        for way in STEPS:
            lines = len(grid) if way in ("LEFT", "RIGHT") else len(grid[0])
            for index in range(0, lines, 2):  # only even rows and columns can be pushed
                if last and (last["direction"], last["index"]) == (OPPOSITE[way], index):
                    continue  # that would undo the last push
                spare = projection["spare"]["pathways"]
                for rotations in range(4):
                    after, place = pushed(tiles, way, index, spare, (row, column))
                    if place != target and connected(after, place, target):
                        slide = {"direction": way, "index": index, "rotations": rotations}
                        return {"slide": slide, "destination": target}
                    spare = [CLOCKWISE[side] for side in spare]
        return None  # no path leads to the target: pass

    def ReturnHome(self, home: Any) -> None:
        """We have reached our goal and must go home; the next projection says so, too."""

    def EndOfGame(self, status: str, result: str) -> None:
        """`result` is "WINNER" or "LOSER"."""

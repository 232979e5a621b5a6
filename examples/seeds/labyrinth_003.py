"""Labyrinth by tasks (seed 003): a bot that walks to its goal if it can, and else as near as it can.

The referee sends the state after every turn, and asks for a move separately. `docs/dialects/seed-003.md`
lists the fields of the state; a place is `[row, column]`.
"""

# ruff: noqa: N802 - the methods have the note's own names
from collections.abc import Iterator
from typing import Any

Place = tuple[int, int]
Tiles = dict[Place, str]

# Where each tile is open to: up, right, down, left.
WAYS = {"│": "UD", "─": "RL", "└": "UR", "┌": "RD", "┐": "DL", "┘": "UL",
        "├": "URD", "┬": "RDL", "┤": "UDL", "┴": "URL", "┼": "URDL"}  # fmt: skip
STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}
OPPOSITE = {"U": "D", "R": "L", "D": "U", "L": "R"}
SLIDES = {"SlideRowLeft": "L", "SlideRowRight": "R", "SlideColumnUp": "U", "SlideColumnDown": "D"}
CLOCKWISE = str.maketrans("URDL", "RDLU")


def pushed(tiles: Tiles, way: str, index: int, spare: str, place: Place) -> tuple[Tiles, Place]:
    """Return the tiles after a push, and where it moves an avatar that stood on `place`."""
    line = sorted(at for at in tiles if at[0 if way in "RL" else 1] == index)
    if way in "RD":
        line.reverse()
    ahead = dict(zip(line[1:], line, strict=False))  # each tile moves to the place of the one before it
    after = tiles | {ahead[at]: tiles[at] for at in line[1:]} | {line[-1]: spare}
    return after, {**ahead, line[0]: line[-1]}.get(place, place)  # pushed out: back on the spare


def reachable(tiles: Tiles, start: Place) -> set[Place]:
    """Return the places that can be reached, without the start: a player may not stay there."""
    seen, found = {start}, [start]
    for row, column in found:  # the list grows in the loop
        for way in tiles[row, column]:
            to = row + STEPS[way][0], column + STEPS[way][1]
            if to not in seen and OPPOSITE[way] in tiles.get(to, ""):
                seen.add(to)
                found.append(to)
    return seen - {start}


class Labyrinth003:
    def NotifyGameState(self, state: Any) -> None:
        self.state = state

    def RequestMove(self, timeout: int) -> Any:
        target = self.state["home" if self.state["hasReachedGoal"] else "goal"]

        def distance(move: Any) -> int:
            return sum((here - there) ** 2 for here, there in zip(move["destination"], target, strict=True))

        return min(self.moves(), key=distance, default=None)  # None passes

    def moves(self) -> Iterator[Any]:
        state, board = self.state, self.state["board"]["connectors"]
        tiles = {(row, col): WAYS[tile] for row, line in enumerate(board) for col, tile in enumerate(line)}
        row, column = state["players"][state["turn"]]["position"]
        for kind, way in SLIDES.items():
            lines = len(board) if way in "RL" else len(board[0])
            for index in range(0, lines, 2):  # only even rows and columns can be pushed
                last = state["lastSlide"]
                if last and (SLIDES[last["type"]], last["index"]) == (OPPOSITE[way], index):
                    continue  # that would undo the last push
                spare = WAYS[state["spare"]["tilekey"]]
                for rotation in (0, 90, 180, 270):
                    after, place = pushed(tiles, way, index, spare, (row, column))
                    spare = spare.translate(CLOCKWISE)
                    for to in reachable(after, place):
                        slide = {"type": kind, "index": index}
                        yield {"slide": slide, "rotation": rotation, "destination": to}

    def NotifyGameOver(self, winner: Any) -> None:
        """`winner` has the name of a winner; None if there is none."""

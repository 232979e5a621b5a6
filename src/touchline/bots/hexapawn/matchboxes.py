"""The matchboxes of `her`, and the file that stores them: for every position the beads that are left.

A box stands for a position and its mirror image; the label has the board of the two that sorts first. Law of
this file: the file is replaced atomically, and one that cannot have been written here is refused by name.
"""

from __future__ import annotations

import json
import os
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from touchline.games.hexapawn import Hexapawn, HexapawnPosition, HexapawnState, Step

if TYPE_CHECKING:
    from touchline.core.rules import Seat

MOST_BOXES = 10_000
MOST_BYTES = 32 << 20
"""More than MOST_BOXES boxes need on the largest board."""

Board: TypeAlias = tuple[str, ...]
Box: TypeAlias = dict[Step, int]
"""Each move with its number of beads: 1, or 0 after it was taken away."""


class Label(NamedTuple):
    """The label of a box."""

    seat: Seat
    board: Board


def labelled(view: HexapawnState) -> tuple[Label, bool]:
    """Return the label of a position's box, and whether it shows the mirror image."""
    assert view.to_move is not None
    board = view.position().board
    mirror = tuple(row[::-1] for row in board)
    return Label(view.to_move, min(board, mirror)), mirror < board


def mirrored(step: Step, cols: int) -> Step:
    (row, col), (to_row, to_col) = step.origin, step.target
    return Step((row, cols - 1 - col), (to_row, cols - 1 - to_col))


def full_box(view: HexapawnState) -> Box:
    """Return a box with a bead per move; on a symmetric board mirrored moves share one bead."""
    (_, board), flipped = labelled(view)
    cols = len(board[0])
    symmetric = all(row == row[::-1] for row in board)
    moves = set()
    for move in view.legal_moves():
        mirror = mirrored(move, cols)
        moves.add(min(move, mirror, key=_written) if symmetric else mirror if flipped else move)
    return dict.fromkeys(sorted(moves, key=_written), 1)


def _written(step: Step) -> str:
    """Return a move as a person types it: `2,0 1,0`."""
    (row, col), (to_row, to_col) = step.origin, step.target
    return f"{row},{col} {to_row},{to_col}"


# -- the file -----------------------------------------------------------------------------------


_Beads: TypeAlias = dict[str, Annotated[int, Meta(ge=0, le=1)]]


class _File(Struct, forbid_unknown_fields=True):
    """For each seat: the rows of a board, and the beads of its moves."""

    her: Literal[1]
    """The version of the file format."""
    first: dict[str, _Beads]
    second: dict[str, _Beads]


def saved(path: str, boxes: dict[Label, Box]) -> None:
    """Write all boxes, one per line, and replace the file atomically."""
    sections = []
    for seat, name in enumerate(("first", "second")):
        lines = [
            f"  {json.dumps('/'.join(label.board))}: {json.dumps({_written(m): n for m, n in box.items()})}"
            for label, box in sorted(boxes.items())
            if label.seat == seat
        ]
        sections.append(f' "{name}": {{\n' + ",\n".join(lines) + "\n }" if lines else f' "{name}": {{}}')
    text = '{\n "her": 1,\n' + ",\n".join(sections) + "\n}\n"
    beside = f"{path}.{os.getpid()}.{secrets.token_hex(4)}.tmp"
    try:
        with open(beside, "x", encoding="ascii") as file:
            file.write(text)
        os.replace(beside, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def loaded(path: str) -> dict[Label, Box]:
    """Return the saved boxes; none if there is no file yet. ValueError if the file is not one of ours."""
    if not os.access(os.path.dirname(path) or ".", os.W_OK):  # fail now rather than after the first game
        raise ValueError(f"{path}: its folder is not there, or cannot be written to")
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return _unpacked(data)
    except (ValueError, RecursionError) as error:  # msgspec's errors are values too
        raise ValueError(
            f"{path}: this is not a matchbox file: {error}; name another file, or move this one away"
        ) from None


def _unpacked(data: bytes) -> dict[Label, Box]:
    if len(data) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES} bytes")
    file = msgspec.json.decode(data, type=_File)
    if len(file.first) + len(file.second) > MOST_BOXES:
        raise ValueError(f"it has more than {MOST_BOXES} boxes")
    boxes = {}
    for seat, section in enumerate((file.first, file.second)):
        for board, beads in section.items():
            label = Label(seat, tuple(board.split("/")))
            try:
                boxes[label] = _box(label, beads)
            except ValueError as error:
                raise ValueError(f"box {board[:80]!r}: {error}") from None
    return boxes


def _box(label: Label, beads: dict[str, int]) -> Box:
    """Return the box with these beads; ValueError if the label and the beads do not fit together."""
    board = label.board
    view = Hexapawn(rows=len(board), cols=len(board[0])).restore(HexapawnPosition(board, label.seat))
    if view.to_move is None:
        raise ValueError("nobody can move here")
    if labelled(view)[0] != label:
        raise ValueError("its mirror image is the one that has a box")
    moves = {_written(move): move for move in full_box(view)}
    if moves.keys() != beads.keys():
        raise ValueError(f"its moves are {', '.join(moves)}")
    return {move: beads[text] for text, move in moves.items()}

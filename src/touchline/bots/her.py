"""HER, the matchbox player that learns Hexapawn by losing, and HIM, the same as first seat.

Martin Gardner described it in 1962. There is a box for every position that it meets, with a bead for every
legal move. It draws a bead and plays that move. If it wins, nothing changes. If it loses, the bead of its
last move, and only that one, is removed for ever. At an empty box it resigns, and the bead of the move that
led there is removed. On three by three, after about a dozen lost games, it cannot be beaten.

Law of this file: it knows only the rules of the board and the results of its games.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, ClassVar

from touchline.bots.base import LearningBot, Level, Thought
from touchline.bots.hexapawn.matchboxes import (
    MOST_BOXES,
    Box,
    Label,
    full_box,
    labelled,
    loaded,
    mirrored,
    saved,
)
from touchline.bots.shared.evaluation import worth
from touchline.core.messages import Resigned

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.core.events import Result
    from touchline.core.rules import Seat
    from touchline.games.hexapawn import HexapawnState, Step

log = logging.getLogger(__name__)


class Her(LearningBot):
    """Learn from every lost game; with a memory file it continues where it stopped."""

    game: ClassVar[str | None] = "hexapawn"
    seats: ClassVar[range | None] = range(2, 3)
    chance: ClassVar[bool] = True
    levels: ClassVar[tuple[Level, ...]] = (Level(10),)

    def __init__(self, rng: Rng, memory: str | None = None) -> None:
        self._rng = rng
        self._path = None if memory is None else os.path.realpath(memory)
        self._boxes = {} if self._path is None else loaded(self._path)
        self._unsaved = False
        self._warned = False
        self._drawn: tuple[Label, Step] | None = None
        """The bead that `think` has drawn and `choose` has not played yet."""
        self._played: dict[Seat, tuple[Label, Step]] = {}
        """For each seat the last box of this game and the bead played from it."""

    def choose(self, view: HexapawnState, turn: int = 0) -> Step:
        seat = view.to_move
        assert seat is not None
        if turn < 2:  # the seat's first move: an earlier game whose result was not told is forgotten
            self._played.pop(seat, None)
        thought = self.think(view)
        if not thought.line:
            self._take(seat)
            self._keep()
            raise Resigned(thought.says)
        assert self._drawn is not None
        label, _ = self._played[seat] = self._drawn
        self._drawn = None
        if label not in self._boxes and len(self._boxes) < MOST_BOXES:
            self._boxes[label] = full_box(view)
            self._unsaved = True
        step: Step = thought.line[0]
        return step

    def think(self, view: HexapawnState) -> Thought:
        """Draw a bead, if there is one; it stays drawn until `choose` plays it."""
        label, flipped = labelled(view)
        box = self._box(label, view)
        left = [move for move, beads in box.items() if beads]
        if not left:
            return Thought((0.0, 1.0) if label.seat == 0 else (1.0, 0.0), (), "the box is empty")
        if self._drawn is None or self._drawn[0] != label:
            self._drawn = label, self._rng.choice(left)
        bead = self._drawn[1]
        beads = f"{len(left)} bead{'s' if len(left) > 1 else ''} in the box"
        says = beads if len(left) == len(box) else f"{beads}, {len(box) - len(left)} taken away"
        return Thought(tuple(worth(view, 2)), (_shown(bead, flipped, view),), says)

    def told(self, seat: Seat, result: Result) -> None:
        """Learn from a loss on the board; a void game or one lost by a fault says nothing about its moves."""
        at_fault = result.verdict != "finished" or seat in result.expelled
        if not at_fault and result.outcome is not None and seat not in result.outcome.winners:
            self._take(seat)
        self._played.pop(seat, None)
        self._keep()

    def may_play(self, view: HexapawnState) -> list[Step]:
        """Return the moves that still have a bead."""
        label, flipped = labelled(view)
        return [_shown(move, flipped, view) for move, beads in self._box(label, view).items() if beads]

    def learnt(self) -> dict[str, int]:
        """Return how many boxes, beads and removed beads there are."""
        beads = [count for box in self._boxes.values() for count in box.values()]
        return {"boxes": len(self._boxes), "beads": sum(beads), "beads taken": beads.count(0)}

    def save(self) -> None:
        """Write the memory file, if there is one and something changed. OSError if that fails."""
        if self._path is not None and self._unsaved:
            saved(self._path, self._boxes)
            self._unsaved = False

    def _keep(self) -> None:
        """Save, and only log a failure, once: a full disk must not cost a match."""
        try:
            self.save()
        except OSError as error:
            if not self._warned:
                log.warning("cannot save the memory file %s: %s", self._path, error.strerror)
            self._warned = True

    def _box(self, label: Label, view: HexapawnState) -> Box:
        return self._boxes.get(label) or full_box(view)

    def _take(self, seat: Seat) -> None:
        """Remove the bead of the last move."""
        label, bead = self._played.pop(seat, (None, None))
        if label in self._boxes and bead is not None:
            self._boxes[label][bead] = 0
            self._unsaved = True


def _shown(move: Step, flipped: bool, view: HexapawnState) -> Step:
    """Return a move of the box as it is on this board."""
    return mirrored(move, view.grid.cols) if flipped else move

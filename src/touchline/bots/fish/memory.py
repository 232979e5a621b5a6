"""What the shark has found out in a game so far, and the lines of play that follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.bots.kernels import ALL
from touchline.bots.kernels import fish_count as count
from touchline.bots.kernels import fish_desk as rows
from touchline.bots.kernels import fish_search as search

if TYPE_CHECKING:
    from touchline.bots.fish.allowance import Allowance
    from touchline.bots.fish.sea import Sea
    from touchline.core.rules import Seat
    from touchline.games.fish import FishState, Move

ROOT = rows.FRAMES
PATIENCE = 1000
"""Nodes of a count to begin with."""


class Haul(NamedTuple):
    """What penguins can collect that share no tile with anybody."""

    units: int
    moves: list[int]
    proven: bool


class Desk:
    """The rows on which the kernels write, and how to read them."""

    def __init__(self) -> None:
        self.words, self.book = rows.desk()

    def forget(self, salt: int) -> None:
        """Begin another game, with a number that tells its positions from those of other games."""
        self.book[rows.SALT] = salt

    def begin(self, sea: Sea, rival: Seat | None, depth: int) -> None:
        """Set up a search against one other seat, or with nobody else on the floe."""
        me = sea.mover
        theirs = 0 if rival is None else sea.penguins[rival]
        side = int(rival is not None and rival < me)
        search.begin(self.words, self.book, sea.free, sea.penguins[me], theirs, side, sea.left, depth)

    def search(self, sea: Sea, nodes: int) -> tuple[bool, int]:
        """Go on with it; whether it is done, and how many nodes it took."""
        before = int(self.book[rows.NODES])
        done = search.search(sea.floe, self.words, self.book, nodes)
        return bool(done), int(self.book[rows.NODES]) - before

    def best(self) -> tuple[int, int] | None:
        """The best move so far and its value; None if none was looked at to the end."""
        move, value = int(self.book[ROOT + rows.CHOSEN]), int(self.book[ROOT + rows.BEST])
        return (move, value) if value > -rows.FAR else None

    def guessed(self) -> bool:
        """Whether the search took any position for more or less than it is known to be worth."""
        return bool(self.book[rows.GUESSES])

    def gather(self, sea: Sea, penguins: int, tiles: int) -> tuple[Haul, int]:
        """The most that penguins can collect among tiles of their own, and the nodes it took to find out."""
        self.book[rows.COUNTED] = 0
        count.gather(tiles, penguins, sea.floe, self.words, self.book, PATIENCE)
        return self._haul()

    def pursue(self, sea: Sea, nodes: int) -> tuple[Haul, int]:
        """Go on with the last count, which was not proven."""
        self.book[rows.COUNTED] = 0
        count.pursue(sea.floe, self.words, self.book, nodes)
        return self._haul()

    def _haul(self) -> tuple[Haul, int]:
        moves = [int(self.book[rows.LINE + step]) for step in range(int(self.book[rows.LINE_LENGTH]))]
        haul = Haul(int(self.book[rows.MOST]), moves, bool(self.book[rows.PROVEN]))
        return haul, int(self.book[rows.COUNTED])

    def alone(self, sea: Sea, seat: Seat) -> int:
        """What a seat collects if nobody else moves any more."""
        return int(count.alone(sea.free, sea.penguins[seat], sea.floe, self.words, self.book, PATIENCE))

    def line(self, sea: Sea, move: Move, allowance: Allowance) -> tuple[tuple[Move, ...], FishState]:
        """A move and those that are expected after it, and the state they lead to.

        That is what is remembered to be best; where a seat is cut off, what it collects. It ends early if
        the time is out.
        """
        line, state = [move], sea.state.play(move)
        hauls: dict[Seat, list[int]] = {}
        while state.to_move is not None and not allowance.late():
            then = sea.after(state)
            if then.mover not in hauls and then.is_cut_off(then.mover):
                hauls[then.mover] = self._collected(then)
            number = hauls[then.mover].pop(0) if then.mover in hauls else self._remembered(then)
            if number is None or (found := then.move(number)) not in state.legal_moves():
                break
            line.append(found)
            state = state.play(found)
        return tuple(line), state

    def _collected(self, sea: Sea) -> list[int]:
        """All that the mover still does, one group after the other."""
        return [
            move
            for penguins, tiles in sea.groups(sea.mover)
            for move in self.gather(sea, penguins, tiles)[0].moves
        ]

    def _remembered(self, sea: Sea) -> int | None:
        rivals = sea.rivals(sea.mover)
        if len(rivals) != 1:
            return None
        salt = int(self.book[rows.SALT])
        if sea.left:
            salt ^= (1 + int(rivals[0] < sea.mover)) * rows.SPREAD & ALL
        key = int(rows.key_of(sea.free, sea.penguins[sea.mover], sea.penguins[rivals[0]], salt))
        kept = int(rows.remembered(self.words, key))
        return kept & 4095 if kept >= 0 and kept >> 20 & 3 == rows.EXACT else None

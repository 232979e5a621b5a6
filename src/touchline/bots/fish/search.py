"""The alpha-beta and endgame searches of Fish: run the kernels, and read their results and lines of play."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.bots.fish.bitboard import BOARD_KERNELS
from touchline.bots.kernels import ALL, compile_kernels
from touchline.bots.kernels import fish_endgame as endgame
from touchline.bots.kernels import fish_search as kernel
from touchline.bots.kernels import fish_search_state as layout

if TYPE_CHECKING:
    from touchline.bots.fish.bitboard import FishBitboard
    from touchline.bots.fish.node_budget import NodeBudget
    from touchline.core.rules import Seat
    from touchline.games.fish import FishState, Move

ROOT = layout.FRAMES
PATIENCE = 1000
"""Nodes of the first part of an endgame search."""
KERNELS = (
    *BOARD_KERNELS, layout.key_of, layout.remembered,
    endgame.gather, endgame.pursue, endgame.alone, kernel.begin, kernel.search,
)  # fmt: skip
"""What a `FishSearch` calls."""


class Haul(NamedTuple):
    """What some penguins can collect from tiles that no other seat can reach."""

    units: int
    moves: list[int]
    proven: bool


class FishSearch:
    """The memory of the kernels for one bot: search stacks, transposition table and results."""

    def __init__(self) -> None:
        self.words, self.book = layout.search_state()

    def begin_game(self, salt: int) -> None:
        """Invalidate what is remembered: the salt gives the positions of this game other hash keys."""
        compile_kernels("shark", KERNELS)
        self.book[layout.SALT] = salt

    def begin(self, board: FishBitboard, rival: Seat | None, depth: int) -> None:
        """Set up a search against one other seat, or against none."""
        me = board.mover
        theirs = 0 if rival is None else board.penguins[rival]
        side = int(rival is not None and rival < me)
        kernel.begin(self.words, self.book, board.free, board.penguins[me], theirs, side, board.left, depth)

    def search(self, board: FishBitboard, nodes: int) -> tuple[bool, int]:
        """Continue the search for a number of nodes. Return whether it is done, and the nodes it took."""
        before = int(self.book[layout.NODES])
        done = kernel.search(board.floe, self.words, self.book, nodes)
        return bool(done), int(self.book[layout.NODES]) - before

    def best(self) -> tuple[int, int] | None:
        """Return the best move so far and its value; None if no move was searched to the end."""
        move, value = int(self.book[ROOT + layout.CHOSEN]), int(self.book[ROOT + layout.BEST])
        return (move, value) if value > -layout.FAR else None

    def guessed(self) -> bool:
        """Return whether the search relied on any estimate, so that its value is not proven."""
        return bool(self.book[layout.GUESSES])

    def gather(self, board: FishBitboard, penguins: int, tiles: int) -> tuple[Haul, int]:
        """Begin an endgame search: the most that penguins can collect, and the nodes it took."""
        self.book[layout.COUNTED] = 0
        endgame.gather(tiles, penguins, board.floe, self.words, self.book, PATIENCE)
        return self._haul()

    def pursue(self, board: FishBitboard, nodes: int) -> tuple[Haul, int]:
        """Continue the last endgame search, which was not proven yet."""
        self.book[layout.COUNTED] = 0
        endgame.pursue(board.floe, self.words, self.book, nodes)
        return self._haul()

    def _haul(self) -> tuple[Haul, int]:
        moves = [int(self.book[layout.LINE + step]) for step in range(int(self.book[layout.LINE_LENGTH]))]
        haul = Haul(int(self.book[layout.MOST]), moves, bool(self.book[layout.PROVEN]))
        return haul, int(self.book[layout.COUNTED])

    def alone(self, board: FishBitboard, seat: Seat) -> int:
        """Return what a seat collects if nobody else moves any more."""
        return int(
            endgame.alone(board.free, board.penguins[seat], board.floe, self.words, self.book, PATIENCE)
        )

    def line(self, board: FishBitboard, move: Move, budget: NodeBudget) -> tuple[tuple[Move, ...], FishState]:
        """Return the line that begins with a move, and the state it leads to.

        The moves come from the transposition table; a seat that is cut off follows its best path. The line
        ends early if the time is up.
        """
        line, state = [move], board.state.play(move)
        hauls: dict[Seat, list[int]] = {}
        while state.to_move is not None and not budget.late():
            then = board.after(state)
            if then.mover not in hauls and then.is_cut_off(then.mover):
                hauls[then.mover] = self._collected(then)
            number = hauls[then.mover].pop(0) if then.mover in hauls else self._remembered(then)
            if number is None or (found := then.move(number)) not in state.legal_moves():
                break
            line.append(found)
            state = state.play(found)
        return tuple(line), state

    def _collected(self, board: FishBitboard) -> list[int]:
        """Return all moves that the mover still makes, one group of penguins after the other."""
        return [
            move
            for penguins, tiles in board.groups(board.mover)
            for move in self.gather(board, penguins, tiles)[0].moves
        ]

    def _remembered(self, board: FishBitboard) -> int | None:
        rivals = board.rivals(board.mover)
        if len(rivals) != 1:
            return None
        salt = int(self.book[layout.SALT])
        if board.left:
            salt ^= (1 + int(rivals[0] < board.mover)) * layout.SPREAD & ALL
        key = int(layout.key_of(board.free, board.penguins[board.mover], board.penguins[rivals[0]], salt))
        kept = int(layout.remembered(self.words, key))
        return kept & 4095 if kept >= 0 and kept >> 20 & 3 == layout.EXACT else None

"""Perfect play in Hexapawn: it wins as fast as possible and loses as slowly as possible.

A small board is solved completely before the first move, once; the tablebase is cached on disk. On a larger
board the bot searches until the result is known or its time is up: first for the exact number of plies, then
for a proof that it wins at all. It never plays a move that is known to lose while there is another, and it
says when its move is not proven.
"""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.time_budget import thinking
from touchline.core.errors import BadOptions
from touchline.games.hexapawn import Hexapawn

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.bots.hexapawn.lookahead import Lookahead
    from touchline.bots.hexapawn.tablebase import KernelPosition, Tablebase
    from touchline.core.rules import Game
    from touchline.games.hexapawn import HexapawnState, Step

MOST_SQUARES = 64
AT_LAUNCH, AT_LAUNCH_PLAIN = 8_000_000, 250_000
"""The most positions of a board that is solved at preparation, with and without compiled kernels."""
FOR_THE_END, FOR_A_PROOF = 0.6, 0.9
"""The shares of its time after which the search for the exact end, and for a proof, are given up."""
LAUNCH = 10.0
"""Seconds of search in the first position of a larger board when the bot is prepared, at most."""
WARM_UP = 0.01
"""Seconds of a first search, because the first call of a kernel is slower."""
GAMES = 2000
"""Random games per move when nothing is known; fewer if there is less than half a second in all."""


class _Judgement(NamedTuple):
    """A move and its value for the seat that plays it."""

    move: Step
    plies: int | None
    """Plies to the end, if known."""
    chance: float
    says: str


class Perfect(HouseBot):
    """Play Hexapawn without a mistake; on boards too large to solve, search up to `seconds` per move."""

    game: ClassVar[str | None] = "hexapawn"
    seats: ClassVar[range | None] = range(2, 3)
    levels: ClassVar[tuple[Level, ...]] = (Level(100),)
    judging: ClassVar[dict[str, int | float]] = {"seconds": 0.5}

    def __init__(self, seconds: float = 5.0) -> None:
        if isinstance(seconds, bool) or not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        self._seconds = seconds

    @classmethod
    def compile_kernels(cls, game: Game | str | None, seats: int | None) -> None:
        """Compile the solver for a small board, the search for a larger one; both if it is not known."""
        from touchline.bots.hexapawn import lookahead, tablebase
        from touchline.bots.kernels import compile_kernels

        solver = (*tablebase.LOOK_UP, *tablebase.SOLVE)
        if isinstance(game, Hexapawn):
            compile_kernels("perfect", solver if _small(game.rows, game.cols) else lookahead.KERNELS)
        else:
            compile_kernels("perfect", (*solver, *lookahead.KERNELS))

    def prepare(self, game: Game) -> None:
        """Load or solve the tablebase of this board; on a larger board search its first position."""
        assert isinstance(game, Hexapawn)
        rows, cols = _checked(game.rows, game.cols)
        if _tablebase(rows, cols) is not None:
            return
        ahead = _lookahead(rows, cols)
        ahead.wins(ahead.start, perf_counter() + WARM_UP)
        if ahead.micros == 0:  # there is no result in the cache
            begun = perf_counter()
            ahead.work(LAUNCH)
            ahead.micros = round((perf_counter() - begun) * 1_000_000)
            ahead.keep()

    def choose(self, view: HexapawnState, turn: int = 0) -> Step:
        return self._judged(view, perf_counter()).move

    def think(self, view: HexapawnState) -> Thought:
        """Evaluate a state; the line goes as far as the result is certain."""
        seat = view.to_move
        assert seat is not None, "the game is over"
        begun = perf_counter()
        judged = self._judged(view, begun)
        values = (judged.chance, 1 - judged.chance) if seat == 0 else (1 - judged.chance, judged.chance)
        line, state, following = [judged.move], view.play(judged.move), judged
        while following.plies is not None and state.to_move is not None:
            following = self._judged(state, begun)
            if following.plies is not None:
                line.append(following.move)
                state = state.play(following.move)
        return Thought(values, tuple(line), judged.says)

    def _judged(self, view: HexapawnState, begun: float) -> _Judgement:
        """Look the position up in the tablebase; search if it is not there."""
        rows, cols = _checked(view.grid.rows, view.grid.cols)
        after = [(move, view.play(move)) for move in view.legal_moves()]
        book = _tablebase(rows, cols)
        if book is not None:
            ends = [0 if state.to_move is None else book.plies_from(_position(state)) for _, state in after]
            known = [plies for plies in ends if plies is not None]
            if len(known) == len(after):
                best = min(known, key=lambda plies: (plies % 2, -plies if plies % 2 else plies))
                return _ending(after[known.index(best)][0], best + 1)
        return _Search(_lookahead(rows, cols), view, after, begun, self._seconds).made()


def _ending(move: Step, plies: int) -> _Judgement:
    """Return the judgement of a known end: the seat that makes the last ply wins."""
    wins = plies % 2 == 1
    return _Judgement(move, plies, float(wins), f"{'wins' if wins else 'loses'} in {plies}")


class _Search:
    """The search for a move within a time limit."""

    def __init__(
        self,
        ahead: Lookahead,
        view: HexapawnState,
        after: list[tuple[Step, HexapawnState]],
        begun: float,
        seconds: float,
    ) -> None:
        self._ahead, self._view, self._after = ahead, view, after
        time, self._games = thinking(seconds), round(GAMES * min(1.0, 2 * seconds))
        self._for_the_end, self._for_a_proof = begun + FOR_THE_END * time, begun + FOR_A_PROOF * time

    def made(self) -> _Judgement:
        plies = self._ahead.plies_from(_position(self._view), self._for_the_end)
        if plies is not None:
            return self._ending_in(plies)
        deep = self._ahead.deep
        if (proven := self._proven()) is not None:
            return _Judgement(proven, None, 1.0, f"wins, proven, but in more than {deep}")
        return self._likely(deep)

    def _ending_in(self, plies: int) -> _Judgement:
        """Return the first move that ends in this many plies."""
        wins = plies % 2 == 1
        for until in (self._for_a_proof, float("inf")):  # an entry that was replaced is soon found again
            for move, state in self._after:
                if state.to_move is None or plies == 2:
                    ends: bool | None = True
                elif wins:
                    ends = self._ahead.ends_within(_position(state), plies - 1, until)
                else:  # the opponent does not win sooner
                    ends = self._ahead.ends_within(_position(state), plies - 3, until) is False
                if ends:
                    return _ending(move, plies)
        raise AssertionError("some move is the best")

    def _proven(self) -> Step | None:
        """Return a move that is proven to win, or None."""
        if self._ahead.wins(_position(self._view), self._for_a_proof) is not True:
            return None
        for until in (0.0, float("inf")):  # an entry that was replaced is soon proven again
            for move, state in self._after:
                if self._ahead.wins(_position(state), until) is False:
                    return move
        raise AssertionError("some move is proven to win")

    def _likely(self, deep: int) -> _Judgement:
        """Return the move that wins most random games, among those not known to lose."""
        still_open = [(move, state) for move, state in self._after if not self._loses(state, deep)]
        rest = still_open or self._after
        shares = [1 - self._ahead.share(_position(state), self._games) for _, state in rest]
        best = max(shares)
        move = rest[shares.index(best)][0]
        if not still_open:
            return _Judgement(move, None, 0.0, f"loses, proven, but in more than {deep}")
        says = f"not proven: open after {deep} plies, and it wins {best:.0%} of random games"
        return _Judgement(move, None, best, says)

    def _loses(self, state: HexapawnState, deep: int) -> bool:
        """Return whether the opponent is known to win from here, without searching."""
        sooner = deep - 1 if deep % 2 == 0 else deep - 2  # an odd number of plies is a win
        position, no_time = _position(state), 0.0
        if sooner > 0 and self._ahead.ends_within(position, sooner, no_time):
            return True
        return self._ahead.wins(position, no_time) is True


def _position(state: HexapawnState) -> KernelPosition:
    if state.to_move == 0:
        return state.pawns0, state.pawns1, 0
    return state.pawns1, state.pawns0, 1


def _checked(rows: int, cols: int) -> tuple[int, int]:
    if rows * cols > MOST_SQUARES:
        raise BadOptions(f"perfect plays on boards of up to {MOST_SQUARES} squares, not on {rows} x {cols}")
    return rows, cols


def _small(rows: int, cols: int) -> bool:
    """Return whether a board is solved completely at preparation."""
    from touchline.bots.hexapawn import tablebase
    from touchline.bots.kernels import COMPILES

    most = AT_LAUNCH if COMPILES else AT_LAUNCH_PLAIN
    return tablebase.fits(rows, cols) and tablebase.estimated_positions(rows, cols) <= most


def _tablebase(rows: int, cols: int) -> Tablebase | None:
    from touchline.bots.shared import table_cache

    return _tablebase_in(table_cache.folder(), rows, cols)


@lru_cache(maxsize=8)
def _tablebase_in(folder: Path, rows: int, cols: int) -> Tablebase | None:
    """Load the tablebase of a board, or solve a small one now; None if it is too large. Bots share it."""
    from touchline.bots.hexapawn import tablebase

    if not tablebase.fits(rows, cols):
        return None
    kept = tablebase.load_tablebase(rows, cols)
    if kept is not None or not _small(rows, cols):
        return kept
    solver, begun = tablebase.Solver(rows, cols), perf_counter()
    while not solver.work():
        pass
    solver.micros = round((perf_counter() - begun) * 1_000_000)
    solver.keep()
    return solver.tablebase()


def _lookahead(rows: int, cols: int) -> Lookahead:
    from touchline.bots.shared import table_cache

    return _lookahead_in(table_cache.folder(), rows, cols)


@lru_cache(maxsize=2)
def _lookahead_in(folder: Path, rows: int, cols: int) -> Lookahead:
    """Return the search of a larger board, with what the cache has; shared by all bots."""
    from touchline.bots.hexapawn.lookahead import Lookahead

    ahead = Lookahead(rows, cols)
    ahead.resume()
    return ahead

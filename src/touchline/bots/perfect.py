"""Hexapawn without a mistake: wins as fast as can be, and loses as slowly.

A small board is solved whole before the first move, once; its book is kept on disk. On a larger board the
player looks ahead until it knows how the position ends, or its time is up: first for the exact number of
plies, then for a proof that it wins at all. It never plays a move that is known to lose while there is
another, and it says when what it plays is not proven.
"""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from touchline.bots.base import Thought
from touchline.bots.shared.time_budget import thinking
from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.bots.hexapawn.book import Book, Position
    from touchline.bots.hexapawn.lookahead import Lookahead
    from touchline.games.hexapawn import Hexapawn, HexapawnState, Step

MOST_SQUARES = 64
AT_LAUNCH, AT_LAUNCH_PLAIN = 8_000_000, 250_000
"""Boards of about so many positions are solved at launch, and without compiled kernels."""
FOR_THE_END, FOR_A_PROOF = 0.6, 0.9
"""The shares of its time after which the player gives up on the exact end, and on a proof."""
LAUNCH = 10.0
"""Seconds that the player thinks about the first position of a larger board at launch, at most."""
A_MOMENT = 0.01
GAMES = 2000
"""Random games a move when nothing is known; fewer if there is less than half a second for all."""


class _Judgement(NamedTuple):
    """What to play, and what comes of it for whoever plays it."""

    move: Step
    plies: int | None
    """To the end, if that is known."""
    chance: float
    says: str


class Perfect:
    """Play Hexapawn without a mistake; on boards too large to solve, think up to `seconds` a move."""

    game: ClassVar[str] = "hexapawn"
    strongest: ClassVar[bool] = True

    def __init__(self, seconds: float = 5.0) -> None:
        if isinstance(seconds, bool) or not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        self._seconds = seconds
        from touchline.bots.hexapawn import lookahead as _lookahead  # noqa: F401  # compiled here if it never was, not on the clock

    def prepare(self, game: Hexapawn) -> None:
        """Before any clock runs: read the book of this board, or solve it, or think about its beginning."""
        rows, cols = _checked(game.rows, game.cols)
        if _book(rows, cols) is not None:
            return
        ahead = _lookahead(rows, cols)
        ahead.wins(ahead.start, perf_counter() + A_MOMENT)  # what is done for the first time takes longer
        if ahead.micros == 0:  # nobody has thought about it, neither here nor before
            begun = perf_counter()
            ahead.work(LAUNCH)
            ahead.micros = round((perf_counter() - begun) * 1_000_000)
            ahead.keep()

    def choose(self, view: HexapawnState, turn: int = 0) -> Step:
        return self._judged(view, perf_counter()).move

    def think(self, view: HexapawnState) -> Thought:
        """The move it would play, what it expects after it as far as that is certain, and how it ends."""
        seat = view.to_move
        assert seat is not None, "nobody thinks about a game that is over"
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
        """By the book if it has the position, else by looking ahead."""
        rows, cols = _checked(view.grid.rows, view.grid.cols)
        after = [(move, view.play(move)) for move in view.legal_moves()]
        book = _book(rows, cols)
        if book is not None:
            ends = [0 if state.to_move is None else book.plies_from(_position(state)) for _, state in after]
            known = [plies for plies in ends if plies is not None]
            if len(known) == len(after):
                best = min(known, key=lambda plies: (plies % 2, -plies if plies % 2 else plies))
                return _ending(after[known.index(best)][0], best + 1)
        return _Choice(_lookahead(rows, cols), view, after, begun, self._seconds).made()


def _ending(move: Step, plies: int) -> _Judgement:
    """Whoever makes the last ply wins."""
    wins = plies % 2 == 1
    return _Judgement(move, plies, float(wins), f"{'wins' if wins else 'loses'} in {plies}")


class _Choice:
    """A move that has to be found by looking ahead, in time."""

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
        """The first move that keeps to the plies that are known: it loses at once for the other, or last."""
        wins = plies % 2 == 1
        for until in (self._for_a_proof, float("inf")):  # what was known a moment ago is soon known again
            for move, state in self._after:
                if state.to_move is None or plies == 2:
                    ends: bool | None = True
                elif wins:
                    ends = self._ahead.ends_within(_position(state), plies - 1, until)
                else:  # the other does not win sooner
                    ends = self._ahead.ends_within(_position(state), plies - 3, until) is False
                if ends:
                    return _ending(move, plies)
        raise AssertionError("some move is the best")

    def _proven(self) -> Step | None:
        """A move that is proven to win."""
        if self._ahead.wins(_position(self._view), self._for_a_proof) is not True:
            return None
        for until in (0.0, float("inf")):  # what was forgotten since is soon proven again
            for move, state in self._after:
                if self._ahead.wins(_position(state), until) is False:
                    return move
        raise AssertionError("some move is proven to win")

    def _likely(self, deep: int) -> _Judgement:
        """Of the moves that are not known to lose the one that wins most random games."""
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
        """Whether the other is known to win from here."""
        sooner = deep - 1 if deep % 2 == 0 else deep - 2  # an odd number of plies is a win
        position, no_time = _position(state), 0.0
        if sooner > 0 and self._ahead.ends_within(position, sooner, no_time):
            return True
        return self._ahead.wins(position, no_time) is True


def _position(state: HexapawnState) -> Position:
    if state.to_move == 0:
        return state.pawns0, state.pawns1, 0
    return state.pawns1, state.pawns0, 1


def _checked(rows: int, cols: int) -> tuple[int, int]:
    if rows * cols > MOST_SQUARES:
        raise BadOptions(f"perfect plays on boards of up to {MOST_SQUARES} squares, not on {rows} x {cols}")
    return rows, cols


def _book(rows: int, cols: int) -> Book | None:
    from touchline.bots.shared import table_cache

    return _book_in(table_cache.folder(), rows, cols)


@lru_cache(maxsize=8)
def _book_in(folder: Path, rows: int, cols: int) -> Book | None:
    """The book of a board: kept, or made now if that is soon done; all players share it."""
    from touchline.bots.hexapawn import book as _whole
    from touchline.bots.kernels import COMPILES

    if not _whole.fits(rows, cols):
        return None
    kept = _whole.kept_book(rows, cols)
    if kept is not None or _whole.about(rows, cols) > (AT_LAUNCH if COMPILES else AT_LAUNCH_PLAIN):
        return kept
    solver, begun = _whole.Solver(rows, cols), perf_counter()
    while not solver.work():
        pass
    solver.micros = round((perf_counter() - begun) * 1_000_000)
    solver.keep()
    return solver.book()


def _lookahead(rows: int, cols: int) -> Lookahead:
    from touchline.bots.shared import table_cache

    return _lookahead_in(table_cache.folder(), rows, cols)


@lru_cache(maxsize=2)
def _lookahead_in(folder: Path, rows: int, cols: int) -> Lookahead:
    """What is known about a larger board; all players share it."""
    from touchline.bots.hexapawn.lookahead import Lookahead

    ahead = Lookahead(rows, cols)
    ahead.resume()
    return ahead

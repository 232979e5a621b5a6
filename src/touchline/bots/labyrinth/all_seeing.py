"""The value of a Labyrinth position to somebody who sees all goals: a race of all seats, each home first.

A seat has a number of targets to go, and in each of its turns a chance to reach the next one: certain or none
for the seat to move, likely or not for the others, whose way may be pushed away before their turn. From that
follows when each seat comes home, counted in turns of anybody, so a value does not depend on who asks, and
does not swing when the turn is handed on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.bots.base import Thought
from touchline.bots.labyrinth.boards import KernelBoards, TrackNumbers, apart, bits, boards_of
from touchline.bots.shared.evaluation import worth
from touchline.games.boards.maze import DEGREES
from touchline.games.labyrinth import PASS, Slide

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from touchline.core.rules import Seat
    from touchline.games.labyrinth import LabyrinthState, Move, Seeker

KEPT, LUCKY = 0.7, 0.25
"""The chance to reach a target in the next turn, if there is a way now, and if there is none."""
LATER = 0.45
"""The chance to reach a target in any turn after the next."""
AHEAD = 40
"""Turns of a seat that are looked ahead; in practice all have come home by then."""
FEW = 12
"""Slides that are looked into on a board without kernels, where each takes long."""


class Runner(NamedTuple):
    """A seat in the race."""

    seat: Seat
    wait: int
    """The turns of others before its next one."""
    stages: int
    """Targets to go, home included."""
    chance: float
    """The chance to reach the next target in its next turn."""
    found: int


def progress(runner: Runner) -> list[list[float]]:
    """Return for each of its next turns how likely it is to have reached so many targets after it."""
    now, rows, chance = [1.0] + [0.0] * runner.stages, [], runner.chance
    for _ in range(AHEAD):
        steps = [chance * share for share in now[:-1]]
        now = [
            share - (steps[done] if done < len(steps) else 0.0) + (steps[done - 1] if done else 0.0)
            for done, share in enumerate(now)
        ]
        rows.append(now)
        chance = LATER
    return rows


def race(runners: Sequence[Runner], seats: int) -> tuple[float, ...]:
    """Return each seat's chance to win: who comes home ends the game, and most treasures win.

    >>> ahead, behind = Runner(0, 0, 1, 1.0, 1), Runner(1, 1, 2, KEPT, 0)
    >>> race([ahead, behind], 2)
    (1.0, 0.0)
    >>> [round(share, 2) for share in race([Runner(0, 0, 2, LUCKY, 0), Runner(1, 1, 2, LUCKY, 0)], 2)]
    [0.57, 0.43]
    """
    values, round_ = [0.0] * seats, len(runners)
    rows = {runner.seat: progress(runner) for runner in runners}

    def done(runner: Runner, ply: int) -> list[float]:
        """Return how many targets it has reached before this turn of anybody, as shares."""
        turns = (ply - runner.wait - 1) // round_ + 1 if ply > runner.wait else 0
        return rows[runner.seat][min(turns, AHEAD) - 1] if turns else [1.0] + [0.0] * runner.stages

    for ply in range(AHEAD * round_):
        home = next(runner for runner in runners if ply % round_ == runner.wait)
        share = rows[home.seat][ply // round_][-1] - done(home, ply)[-1]
        most = home.found + home.stages - 1
        level, above = {}, {}
        for other in runners:
            if other is not home:
                reached = done(other, ply)[:-1]
                level[other.seat] = sum(reached[: max(0, most - other.found + 1)])
                above[other.seat] = sum(reached) - level[other.seat]
        first = share
        for part in level.values():
            first *= part
        values[home.seat] += first
        rest = share - first
        if rest > 0 and any(above.values()):  # somebody else has more treasures, or was home before
            for part in level:
                share *= level[part] + above[part]
            for seat, part in above.items():
                values[seat] += (share - first) * part / sum(above.values())
    whole = sum(values)
    return tuple(value / whole if whole else 1 / seats for value in values)


class AllSeeing:
    """The queries about one position that its value needs."""

    def __init__(self, state: LabyrinthState) -> None:
        grid = state.maze.grid
        self.state, self.cols = state, grid.cols
        self.lines, self.boards = TrackNumbers(grid), boards_of(grid)
        here = [seat for seat, cell in enumerate(state.avatars) if cell is not None]
        assert state.to_move is not None, "the game is over"
        start = here.index(state.to_move)
        self.order = [*here[start:], *here[:start]]
        """The seats from the one to move on."""

    def number(self, cell: tuple[int, int] | None) -> int:
        assert cell is not None, "the whole state is seen, so nothing is hidden"
        return cell[0] * self.cols + cell[1]

    def stages(self, seeker: Seeker) -> int:
        """Return the targets to go: the further goals are shared by all."""
        if seeker.homeward:
            return 1
        return 2 + len(self.state.pool or ()) // len(self.order)

    def values(self) -> tuple[float, ...]:
        """Return each seat's chance to win."""
        board, last = self.boards.board(self.state.maze), self.lines.last(self.state.last)
        return race([*self._runners(board, last, STAY)], len(self.state.seekers))

    def _runners(self, board: Any, last: int, slide: int, mover: Runner | None = None) -> Iterator[Runner]:
        """Yield the seats on a board; after a slide, the mover is given, and its turn is the last."""
        for wait, seat in enumerate(self.order):
            if wait == 0 and mover is not None:
                yield mover
                continue
            seeker, cell = self.state.seekers[seat], self.state.avatars[seat]
            assert cell is not None
            wait -= mover is not None
            near = self.boards.sources(board, last, self.number(seeker.goal))
            way = bool(near >> self.lines.carried(cell, slide) & 1)
            yield Runner(seat, wait, self.stages(seeker), chance_of(way, wait), seeker.found or 0)

    def best(self) -> Move:
        """Return the move after which the seat to move is best off."""
        board, last = self.boards.board(self.state.maze), self.lines.last(self.state.last)
        found: list[tuple[float, float, Move]] = []
        for slide, reach in self._slides(board, last):
            after = self.boards.pushed(board, slide)
            found += [
                (self._value(after, slide, runner), -far, self._move(slide, to))
                for runner, to, far in self._walks(after, slide, reach)
            ]
        seat = self.order[0]
        passed = self.state.play(PASS)
        value = worth(passed, seat + 1)[seat] if passed.to_move is None else 0.0
        found.append((value, float("-inf"), PASS))
        return max(found, key=lambda each: each[:2])[2]

    def _slides(self, board: Any, last: int) -> list[tuple[int, int]]:
        """Return the slides that allow a walk; on a large board the few that lead nearest to the target."""
        cell, goal = self.state.avatars[self.order[0]], self.number(self.state.seekers[self.order[0]].goal)
        assert cell is not None
        kinds = self.boards.kinds(board)
        found = [
            (slide, reach)
            for slide, reach in enumerate(self.boards.walks(board, last, cell))
            if reach and slide & 3 < kinds
        ]
        if isinstance(self.boards, KernelBoards):
            return found
        return sorted(found, key=lambda pair: min(apart(self.cols, tile, goal) for tile in bits(pair[1])))[
            :FEW
        ]

    def _walks(self, board: Any, slide: int, reach: int) -> Iterator[tuple[Runner, int, float]]:
        """Yield the mover at the tiles that are worth a walk: its target, one near it, and the nearest."""
        seat, last = self.order[0], slide >> 2
        seeker, wait, pool = self.state.seekers[seat], len(self.order) - 1, self.state.pool or ()
        goal, stages, found = self.number(seeker.goal), self.stages(seeker), seeker.found or 0
        if reach >> goal & 1:
            if stages == 1:
                yield Runner(seat, wait, 0, 1.0, found), goal, -1.0
                return
            then = self.number(pool[0] if pool else seeker.home)
            way = bool(self.boards.sources(board, last, then) >> goal & 1)
            yield Runner(seat, wait, stages - 1, chance_of(way, wait), found + 1), goal, 0.0
        near = self.boards.sources(board, last, goal)
        for way, tiles in ((True, reach & near), (False, reach & ~near & ~(1 << goal))):
            if tiles:
                to = min(bits(tiles), key=lambda tile: apart(self.cols, tile, goal))
                far = float(apart(self.cols, to, goal))
                yield Runner(seat, wait, stages, chance_of(way, wait), found), to, far

    def _value(self, board: Any, slide: int, mover: Runner) -> float:
        if mover.stages == 0:  # it comes home: the game is over
            after = self.state.play(self._move(slide, self.number(self.state.seekers[mover.seat].goal)))
            return worth(after, mover.seat + 1)[mover.seat]
        runners = [*self._runners(board, slide >> 2, slide, mover)]
        return race(runners, len(self.state.seekers))[mover.seat]

    def _move(self, slide: int, to: int) -> Slide:
        index, direction = self.lines.tracks[slide >> 2].push
        return Slide(index, direction, DEGREES[slide & 3], self.state.maze.grid.cells[to])


STAY = -1
"""The number of a slide that pushes nothing."""


def chance_of(way: bool, wait: int) -> float:
    """Return the chance to reach a target in the next turn, after so many turns of others.

    >>> chance_of(True, 0), chance_of(True, 1), chance_of(False, 0), chance_of(False, 1)
    (1.0, 0.7, 0.0, 0.25)
    """
    if wait == 0:
        return float(way)
    return max(LUCKY, KEPT**wait) if way else LUCKY


def judged(state: LabyrinthState) -> Thought:
    """Return the value of a whole state to every seat, and the best move of the seat to move."""
    seen = AllSeeing(state)
    return Thought(seen.values(), (seen.best(),), "with all goals open")

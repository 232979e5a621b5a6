"""The strongest house bot for Labyrinth: it measures distance in turns, not in tiles, and blocks the others.

It uses only what its seat may see. It infers the goals of the others from their moves, so it keeps a model of
them during the match; if it first sees a match in the middle, it starts from a prior.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.kernels import compile_kernels
from touchline.bots.labyrinth.boards import KERNELS, KernelBoards
from touchline.bots.labyrinth.opponent_model import OpponentModel
from touchline.bots.labyrinth.replies import STAY
from touchline.bots.labyrinth.turn_search import PlannedTurn, TurnSearch
from touchline.bots.shared.time_budget import undisturbed
from touchline.games.boards.maze import DEGREES
from touchline.games.labyrinth import PASS, LabyrinthState, Pass, Slide

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game, Seat
    from touchline.games.labyrinth import Move

GAIN = 0.8
"""The share of the time limit that is used for the search."""


class Minotaur(HouseBot):
    """Go where the goal can be reached soonest, and push so that the others cannot reach theirs.

    It searches for a number of seconds per turn, or for a number of nodes (replies looked into), which is
    reproducible.
    """

    game: ClassVar[str | None] = "labyrinth"
    levels: ClassVar[tuple[Level, ...]] = (Level(100),)

    def __init__(self, seconds: float = 0.2, nodes: int | None = None) -> None:
        if not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes is a whole number from 1, not {nodes}")
        self._seconds, self._nodes = seconds, nodes
        self._opponents = OpponentModel()

    @classmethod
    def compile_kernels(cls, game: Game | str | None, seats: int | None) -> None:
        """Compile the queries about boards."""
        compile_kernels("minotaur", KERNELS)

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        move: Slide | Pass = self.think(view).line[0]
        return move

    @undisturbed()
    def think(self, view: LabyrinthState) -> Thought:
        """Evaluate a state by what its seat may see of it, even if the state is complete."""
        more = self._until(perf_counter())
        seat = view.to_move
        assert seat is not None, "the game is over"
        view = view.view(seat)
        search = TurnSearch(view, seat, self._opponents.see(view, seat))
        choice = search.best(more)
        line = expected(search, choice)
        self._opponents.leave(view.play(line[0]))
        return Thought(shares(view, seat, choice.value), line, said(search, choice))

    def _until(self, start: float) -> Callable[[int], bool]:
        """Return a function that says whether the search may go on after a number of looks."""
        if self._nodes is not None:
            most = self._nodes
            return lambda looked: looked < most
        until, before, longest = start + GAIN * self._seconds, start, 0.0

        def more(looked: int) -> bool:
            nonlocal before, longest
            now = perf_counter()
            before, longest = now, max(longest, now - before)
            return now + longest < until

        return more


def expected(search: TurnSearch, choice: PlannedTurn) -> tuple[Move, ...]:
    """Return the choice and the likeliest reply to it."""
    if choice.slide == STAY:
        return (PASS,)
    move = move_of(search, choice.slide, choice.to)
    reply = search.replied(choice)
    return (move,) if reply is None else (move, move_of(search, reply.slide, reply.to))


def move_of(search: TurnSearch, slide: int, to: int) -> Slide:
    """Return the move that consists of a slide and a walk."""
    index, direction = search.lines.tracks[slide >> 2].push
    return Slide(index, direction, DEGREES[slide & 3], search.view.maze.grid.cells[to])


def shares(view: LabyrinthState, seat: Seat, value: float) -> tuple[float, ...]:
    """Return the values per seat: the others share what this one leaves."""
    value = min(1.0, max(0.0, value))
    others = sum(cell is not None for cell in view.avatars) - 1
    return tuple(
        value if number == seat else 0.0 if cell is None else (1 - value) / others
        for number, cell in enumerate(view.avatars)
    )


def said(search: TurnSearch, choice: PlannedTurn) -> str:
    """Return the choice in words."""
    reached = choice.slide != STAY and choice.to == search.goal
    if reached and search.homeward:
        return "comes home"
    if choice.slide == STAY and search.last_pass:
        return "ends the game by passing"
    what = "home" if reached or search.homeward else "goal"
    does = "reaches its goal, then " if reached else "passes, " if choice.slide == STAY else ""
    if choice.chance > 0.995:
        return f"{does}{what} next turn whatever the others push"
    if choice.chance > 0.1 or not isinstance(search.boards, KernelBoards):
        return f"{does}{what} next turn with {round(100 * choice.chance)} %"
    return f"{does}{what} in {away(search, search.boards, choice)} turns at best"


def away(search: TurnSearch, boards: KernelBoards, choice: PlannedTurn) -> str:
    """Return in how many turns the next target can be reached after a choice, if nobody else pushes."""
    reached = choice.slide != STAY and choice.to == search.goal
    board, last = boards.board(search.view.maze), search.lines.last(search.view.last)
    if choice.slide != STAY:
        board, last = boards.pushed(board, choice.slide), choice.slide >> 2
    target = search.home if reached else search.goal
    return "2" if boards.sources(board, last, target, 2) >> choice.to & 1 else "3 or more"

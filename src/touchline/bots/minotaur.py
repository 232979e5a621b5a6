"""The strongest house bot for Labyrinth: it measures distance in turns, not in tiles, and blocks the others.

It uses only what its seat may see. It infers the goals of the others from their moves, so it keeps a model of
them during the match; if it first sees a match in the middle, it starts from a prior.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from touchline.bots.base import HouseBot, Level, Thought
from touchline.bots.shared.time_budget import undisturbed

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game
    from touchline.games.labyrinth import LabyrinthState, Pass, Slide

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
        # Imported here because they import Numba: only a bot that plays should wait for that.
        from touchline.bots.labyrinth import chosen_turn, turn_search  # noqa: F401 - not on its clock
        from touchline.bots.labyrinth.opponent_model import OpponentModel

        self._opponents = OpponentModel()

    @classmethod
    def compile_kernels(cls, game: Game | str | None, seats: int | None) -> None:
        """Compile the queries about boards."""
        from touchline.bots.kernels import compile_kernels
        from touchline.bots.labyrinth.boards import KERNELS

        compile_kernels("minotaur", KERNELS)

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        move: Slide | Pass = self.think(view).line[0]
        return move

    @undisturbed()
    def think(self, view: LabyrinthState) -> Thought:
        """Evaluate a state by what its seat may see of it, even if the state is complete."""
        from touchline.bots.labyrinth.chosen_turn import expected, said, shares
        from touchline.bots.labyrinth.turn_search import TurnSearch

        more = self._until(perf_counter())
        seat = view.to_move
        assert seat is not None, "the game is over"
        view = view.view(seat)
        search = TurnSearch(view, seat, self._opponents.see(view, seat))
        choice = search.best(more)
        line = expected(search, choice)
        self._opponents.leave(view.play(line[0]))
        return Thought(shares(view, seat, choice.value), line, said(search, choice))

    def judge(self, state: LabyrinthState) -> Thought:
        """Evaluate a whole state, with the goals of all seats."""
        from touchline.bots.labyrinth.all_seeing import judged

        return judged(state)

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

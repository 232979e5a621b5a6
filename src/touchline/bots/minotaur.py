"""The house's own player of Labyrinth: it counts in turns rather than in tiles, and blocks the way home.

It knows only what its seat may see. What the others are after it concludes from what they do, so it keeps a
memory of the match; shown a match from the middle it begins with a guess.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from touchline.bots.base import Thought
from touchline.bots.labyrinth.belief import Memory
from touchline.bots.labyrinth.ground import Ground
from touchline.bots.labyrinth.plan import Choice, Plan
from touchline.bots.labyrinth.replies import STAY
from touchline.bots.shared.time_budget import undisturbed
from touchline.games.boards.maze import DEGREES
from touchline.games.labyrinth import PASS, LabyrinthState, Pass, Slide

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Seat
    from touchline.games.labyrinth import Move

GAIN = 0.8
"""How much of the given time is used: the rest is for being in time."""


class Minotaur:
    """Go where a goal can be reached soonest, and push so that the others cannot; for so many seconds a turn,
    or always for so many looks at what may be answered, its nodes, which makes it the same on every machine.
    """

    game: ClassVar[str] = "labyrinth"
    strongest: ClassVar[bool] = True

    def __init__(self, seconds: float = 0.2, nodes: int | None = None) -> None:
        if not 0 < seconds < 3600:
            raise ValueError(f"seconds is more than 0 and less than an hour, not {seconds}")
        if nodes is not None and (type(nodes) is not int or nodes < 1):
            raise ValueError(f"nodes is a whole number from 1, not {nodes}")
        self._seconds, self._nodes = seconds, nodes
        self._memory = Memory()

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        move: Slide | Pass = self.think(view).line[0]
        return move

    @undisturbed()
    def think(self, view: LabyrinthState) -> Thought:
        """What it makes of a state. It looks at nothing that its seat may not see, whatever it is shown."""
        more = self._until(perf_counter())
        seat = view.to_move
        assert seat is not None, "the game is over"
        view = view.view(seat)
        plan = Plan(view, seat, self._memory.see(view, seat))
        choice = plan.best(more)
        line = expected(plan, choice)
        self._memory.leave(view.play(line[0]))
        return Thought(shares(view, seat, choice.value), line, said(plan, choice))

    def _until(self, start: float) -> Callable[[int], bool]:
        """Whether there may be more after so many looks: always so many, or as time allows."""
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


def expected(plan: Plan, choice: Choice) -> tuple[Move, ...]:
    """The choice, and the likeliest answer to it."""
    if choice.slide == STAY:
        return (PASS,)
    move = made(plan, choice.slide, choice.to)
    answer = plan.answered(choice)
    return (move,) if answer is None else (move, made(plan, answer.slide, answer.to))


def made(plan: Plan, slide: int, to: int) -> Slide:
    """The move of a slide and a walk."""
    index, direction = plan.lines.tracks[slide >> 2].push
    return Slide(index, direction, DEGREES[slide & 3], plan.view.maze.grid.cells[to])


def shares(view: LabyrinthState, seat: Seat, value: float) -> tuple[float, ...]:
    """What each seat can expect: the others share what this one leaves."""
    value = min(1.0, max(0.0, value))
    others = sum(cell is not None for cell in view.avatars) - 1
    return tuple(
        value if number == seat else 0.0 if cell is None else (1 - value) / others
        for number, cell in enumerate(view.avatars)
    )


def said(plan: Plan, choice: Choice) -> str:
    """The choice in words."""
    reached = choice.slide != STAY and choice.to == plan.goal
    if reached and plan.homeward:
        return "comes home"
    if choice.slide == STAY and plan.last_pass:
        return "ends the game by passing"
    what = "home" if reached or plan.homeward else "goal"
    does = "reaches its goal, then " if reached else "passes, " if choice.slide == STAY else ""
    if choice.chance > 0.995:
        return f"{does}{what} next turn whatever the others push"
    if choice.chance > 0.1 or not isinstance(plan.ground, Ground):
        return f"{does}{what} next turn with {round(100 * choice.chance)} %"
    return f"{does}{what} in {away(plan, plan.ground, choice)} turns at best"


def away(plan: Plan, ground: Ground, choice: Choice) -> str:
    """How many turns the next target is away after a choice, if nobody else pushes."""
    reached = choice.slide != STAY and choice.to == plan.goal
    board, last = ground.board(plan.view.maze), plan.lines.last(plan.view.last)
    if choice.slide != STAY:
        board, last = ground.pushed(board, choice.slide), choice.slide >> 2
    target = plan.home if reached else plan.goal
    return "2" if ground.sources(board, last, target, 2) >> choice.to & 1 else "3 or more"

"""A turn that Minotaur has chosen: as moves, as values per seat, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.bots.labyrinth.boards import KernelBoards
from touchline.bots.labyrinth.replies import STAY
from touchline.games.boards.maze import DEGREES
from touchline.games.labyrinth import PASS, Slide

if TYPE_CHECKING:
    from touchline.bots.labyrinth.turn_search import PlannedTurn, TurnSearch
    from touchline.core.rules import Seat
    from touchline.games.labyrinth import LabyrinthState, Move


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
    return "2" if boards.within_two_turns(board, last, choice.to, target) else "3 or more"

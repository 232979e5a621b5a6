"""What Minotaur thinks that the others are after, from what everybody can see.

Of another seat only its home and its tile are known. What it is after is guessed from what it does: a seat
that could have walked to a tile and did not is not after it, and one that walked as near to a tile as it
could may well be. Law of this file: nothing is read but views of one's own seat, and what was made of them.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from touchline.bots.labyrinth.ground import Lines, apart, bits, ground_of
from touchline.games.boards.maze import OPPOSITE, Maze, Push

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Seat
    from touchline.games.labyrinth import LabyrinthState

STRAIGHT = 0.95
"""How surely a seat goes to its goal when it can."""
DRAWN = 0.7
"""How far a seat that cannot is drawn to the tiles near its goal, rather than to any."""
REACH = 2.0
"""The square of a distance over which that fades."""
SHARED = 0.1
"""How likely it is that another seat is after one's own goal, beside any other: they are drawn apart."""
FAINTEST = 1e-4


class Quest(NamedTuple):
    """What a seat may be after."""

    goal: int
    homeward: bool
    found: int


Belief: TypeAlias = "dict[Quest, float]"
"""How likely each quest is; together 1."""


class Memory:
    """What one seat has seen of a match."""

    def __init__(self) -> None:
        self._view: LabyrinthState | None = None
        self._left: LabyrinthState | None = None
        """How this seat left the board at the end of its last turn, if it did what it chose."""
        self._beliefs: dict[Seat, Belief] = {}

    def see(self, view: LabyrinthState, seat: Seat) -> dict[Seat, Belief]:
        """What the others are after, by this view and those before it."""
        if view != self._view:
            if not self._goes_on(view, seat):
                self._begin(view, seat)
            else:
                self._go_on(view, seat)
            self._view = view
        return {rival: self._beliefs[rival] for rival in in_turn(view, seat)}

    def leave(self, state: LabyrinthState) -> None:
        """Remember the state after one's own choice."""
        self._left = state

    def _goes_on(self, view: LabyrinthState, seat: Seat) -> bool:
        """Whether this is the same match, one round later, and no board was pushed that was not seen."""
        before = self._view
        return (
            before is not None
            and before.to_move == seat
            and before.maze.grid is view.maze.grid
            and [seeker.home for seeker in before.seekers] == [seeker.home for seeker in view.seekers]
            and before.round + 1 == view.round
        )

    def _begin(self, view: LabyrinthState, seat: Seat) -> None:
        self._left = None
        self._beliefs = {rival: _prior(view, seat, rival) for rival in in_turn(view, seat)}
        if view.round == 1:
            for rival in in_turn(view, seat):
                if rival in view.moved:
                    self._learn(view, seat, rival, _before_last(view, rival))

    def _go_on(self, view: LabyrinthState, seat: Seat) -> None:
        rivals = in_turn(view, seat)
        for number, rival in enumerate(rivals):
            left = self._left if number == 0 else None
            known = left is not None and (len(rivals) > 1 or _follows(left, view))
            ways = _reach(left.maze, left.last, left.avatars[rival]) if left is not None and known else None
            self._learn(view, seat, rival, ways)

    def _learn(self, view: LabyrinthState, seat: Seat, rival: Seat, ways: int | None) -> None:
        """Weigh the quests of a seat by where it is now; `ways` are the tiles that it could walk to."""
        grid, here, old = view.maze.grid, view.avatars[rival], self._beliefs[rival]
        assert here is not None
        home = _number(view.seekers[rival].home, grid.cols)
        idle = _passed(view, seat, rival)
        new: Belief = {}
        for quest, chance in old.items():
            likely = chance * _likelihood(quest.goal, here, ways, idle, grid.cols, len(grid.cells))
            if quest.goal != here or idle:
                new[quest] = new.get(quest, 0.0) + likely
            elif not quest.homeward:  # had it come home the game would be over
                for following, share in _following(view, seat, home, quest.found + 1):
                    new[following] = new.get(following, 0.0) + likely * share
        total = sum(new.values())
        if total > 0:
            kept = {quest: chance / total for quest, chance in new.items() if chance > FAINTEST * total}
            whole = sum(kept.values())
            self._beliefs[rival] = {quest: chance / whole for quest, chance in kept.items()}


def in_turn(view: LabyrinthState, seat: Seat) -> list[Seat]:
    """The other seats that are still there, in the order in which they move after this one."""
    count = len(view.avatars)
    order = [(seat + step) % count for step in range(1, count)]
    return [rival for rival in order if view.avatars[rival] is not None]


def _number(cell: Cell, cols: int) -> int:
    return cell[0] * cols + cell[1]


def _places(view: LabyrinthState) -> list[int]:
    """Where goals lie: on the tiles that never move, if there are any."""
    grid = view.maze.grid
    return [_number(cell, grid.cols) for cell in grid.fixed or grid.cells]


def _prior(view: LabyrinthState, seat: Seat, rival: Seat) -> Belief:
    """What a seat may be after whose past is unknown: its first treasure, or later perhaps its home."""
    me, cols = view.seekers[seat], view.maze.grid.cols
    mine = None if me.homeward or me.goal is None else _number(me.goal, cols)
    places, home = _places(view), _number(view.seekers[rival].home, cols)
    here = view.avatars[rival]
    homeward = 0.0 if view.round == 1 else 0.5 if here in places and here != home else 0.25
    weights = {place: SHARED if place == mine else 1.0 for place in places}
    total = sum(weights.values())
    belief = {Quest(place, False, 0): (1 - homeward) * weight / total for place, weight in weights.items()}
    if homeward:
        belief[Quest(home, True, 1)] = homeward
    return belief


def _following(view: LabyrinthState, seat: Seat, home: int, found: int) -> list[tuple[Quest, float]]:
    """What a seat is after once it has reached its goal: its home, or a further goal if there are any."""
    me = view.seekers[seat]
    further = 0.0 if me.homeward else 0.7 if me.found else 0.05
    places = _places(view)
    return [
        (Quest(home, True, found), 1 - further),
        *((Quest(place, False, found), further / len(places)) for place in places if further),
    ]


def _likelihood(goal: int, here: int, ways: int | None, idle: bool, cols: int, cells: int) -> float:
    """How likely it is that a seat after this goal ends its turn here."""
    if ways is None:  # how the board was when it moved is not known: any goal may have been out of reach
        return 0.6 if here == goal else 0.02 + 0.12 * exp(-apart(cols, here, goal) / (4 * REACH))
    if ways >> goal & 1:
        return STRAIGHT if here == goal else (1 - STRAIGHT) / cells
    if idle or not ways:
        return 0.3
    pull = sum(exp(-apart(cols, cell, goal) / REACH) for cell in bits(ways))
    drawn = exp(-apart(cols, here, goal) / REACH) / pull if pull else 0.0
    return (1 - DRAWN) / ways.bit_count() + DRAWN * drawn


def _passed(view: LabyrinthState, seat: Seat, rival: Seat) -> bool:
    """Whether a seat is known to have passed in its last turn."""
    if rival < seat:
        return rival not in view.moved
    return bool(view.closed) and rival not in view.closed


def _reach(maze: Maze, last: Push | None, cell: int | None) -> int | None:
    """All tiles to which one turn can lead."""
    if cell is None:
        return None
    ground, found = ground_of(maze.grid), 0
    for reach in ground.walks(ground.board(maze), Lines(maze.grid).last(last), cell):
        found |= reach
    return found


def _before_last(view: LabyrinthState, rival: Seat) -> int | None:
    """Where a seat could have walked in the first turn of a match, if it made the push that was last.

    A push is taken back by the opposite one: the tile that dropped out comes back in as it was.
    """
    order = [seat for seat in range(len(view.avatars)) if seat in view.moved]
    row, col = view.seekers[rival].home
    if not order or order[-1] != rival or view.last is None or not (row % 2 and col % 2):
        return None
    index, direction = view.last
    track = view.maze.grid.tracks.get((index, OPPOSITE[direction]))
    if track is None:
        return None
    return _reach(view.maze.pushed(track, 0), None, _number((row, col), view.maze.grid.cols))


def _follows(left: LabyrinthState, view: LabyrinthState) -> bool:
    """Whether one turn of one seat can lead from one board to the other; else somebody else has pushed."""
    if left.maze == view.maze:
        return True
    if view.last is None or (track := left.maze.grid.tracks.get(view.last)) is None:
        return False
    return any(left.maze.pushed(track, degree).sides == view.maze.sides for degree in (0, 90, 180, 270))

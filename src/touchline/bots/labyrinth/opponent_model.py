"""Minotaur's model of its opponents: a probability distribution over what each of them is after.

Of another seat only its home and its tile are public. Its goal is inferred from its moves by Bayes' rule: a
seat that could have walked to a tile and did not is not after it, and one that walked as near to a tile as it
could may well be. Law of this file: the only input is the views of one's own seat.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from touchline.bots.labyrinth.boards import TrackNumbers, apart, bits, boards_of
from touchline.games.boards.maze import OPPOSITE, Maze, Push

if TYPE_CHECKING:
    from touchline.core.rules import Cell, Seat
    from touchline.games.labyrinth import LabyrinthState

STRAIGHT = 0.95
"""The probability that a seat goes to its goal when it can."""
DRAWN = 0.7
"""The weight of tiles near the goal, against any tile, for a seat that cannot reach it."""
REACH = 2.0
"""The square of the distance over which that weight fades."""
SHARED = 0.1
"""The relative probability that another seat has the same goal as oneself: goals are dealt apart."""
FAINTEST = 1e-4
"""Quests with a smaller share of the probability are dropped."""


class Quest(NamedTuple):
    """What a seat may be after: a treasure, or its home."""

    goal: int
    homeward: bool
    found: int


Belief: TypeAlias = "dict[Quest, float]"
"""The probability of each quest; the sum is 1."""


class OpponentModel:
    """The beliefs of one seat about the others during a match."""

    def __init__(self) -> None:
        self._view: LabyrinthState | None = None
        self._left: LabyrinthState | None = None
        """The state after this seat's last turn, if its choice was played."""
        self._beliefs: dict[Seat, Belief] = {}

    def see(self, view: LabyrinthState, seat: Seat) -> dict[Seat, Belief]:
        """Return the beliefs about the others after this view and those before it."""
        if view != self._view:
            if not self._goes_on(view, seat):
                self._begin(view, seat)
            else:
                self._go_on(view, seat)
            self._view = view
        return {rival: self._beliefs[rival] for rival in in_turn(view, seat)}

    def leave(self, state: LabyrinthState) -> None:
        """Store the state after one's own choice."""
        self._left = state

    def _goes_on(self, view: LabyrinthState, seat: Seat) -> bool:
        """Return whether this is the same match one round later, with no turn missed."""
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
        """Update the belief about a seat by where it is now; `ways` are the tiles that it could reach."""
        grid, here, old = view.maze.grid, view.avatars[rival], self._beliefs[rival]
        assert here is not None
        home = _number(view.seekers[rival].home, grid.cols)
        idle = _passed(view, seat, rival)
        new: Belief = {}
        for quest, chance in old.items():
            likely = chance * _likelihood(quest.goal, here, ways, idle, grid.cols, len(grid.cells))
            if quest.goal != here or idle:
                new[quest] = new.get(quest, 0.0) + likely
            elif not quest.homeward:  # otherwise it has come home and the game would be over
                for following, share in _following(view, seat, home, quest.found + 1):
                    new[following] = new.get(following, 0.0) + likely * share
        total = sum(new.values())
        if total > 0:
            kept = {quest: chance / total for quest, chance in new.items() if chance > FAINTEST * total}
            whole = sum(kept.values())
            self._beliefs[rival] = {quest: chance / whole for quest, chance in kept.items()}


def in_turn(view: LabyrinthState, seat: Seat) -> list[Seat]:
    """Return the other present seats in the order in which they move after this one."""
    count = len(view.avatars)
    order = [(seat + step) % count for step in range(1, count)]
    return [rival for rival in order if view.avatars[rival] is not None]


def _number(cell: Cell, cols: int) -> int:
    return cell[0] * cols + cell[1]


def _places(view: LabyrinthState) -> list[int]:
    """Return the tiles where goals can lie: those that never move, if there are any."""
    grid = view.maze.grid
    return [_number(cell, grid.cols) for cell in grid.fixed or grid.cells]


def _prior(view: LabyrinthState, seat: Seat, rival: Seat) -> Belief:
    """Return the prior belief: a first treasure, or, later in the match, perhaps its home."""
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
    """Return what a seat may be after once it has reached a goal: its home, or a further goal."""
    me = view.seekers[seat]
    further = 0.0 if me.homeward else 0.7 if me.found else 0.05
    places = _places(view)
    return [
        (Quest(home, True, found), 1 - further),
        *((Quest(place, False, found), further / len(places)) for place in places if further),
    ]


def _likelihood(goal: int, here: int, ways: int | None, idle: bool, cols: int, cells: int) -> float:
    """Return the probability that a seat with this goal ends its turn here."""
    if ways is None:  # the board at its turn is unknown: any goal may have been out of reach
        return 0.6 if here == goal else 0.02 + 0.12 * exp(-apart(cols, here, goal) / (4 * REACH))
    if ways >> goal & 1:
        return STRAIGHT if here == goal else (1 - STRAIGHT) / cells
    if idle or not ways:
        return 0.3
    pull = sum(exp(-apart(cols, cell, goal) / REACH) for cell in bits(ways))
    drawn = exp(-apart(cols, here, goal) / REACH) / pull if pull else 0.0
    return (1 - DRAWN) / ways.bit_count() + DRAWN * drawn


def _passed(view: LabyrinthState, seat: Seat, rival: Seat) -> bool:
    """Return whether a seat is known to have passed in its last turn."""
    if rival < seat:
        return rival not in view.moved
    return bool(view.closed) and rival not in view.closed


def _reach(maze: Maze, last: Push | None, cell: int | None) -> int | None:
    """Return all tiles that one turn can lead to."""
    if cell is None:
        return None
    boards, found = boards_of(maze.grid), 0
    for reach in boards.walks(boards.board(maze), TrackNumbers(maze.grid).last(last), cell):
        found |= reach
    return found


def _before_last(view: LabyrinthState, rival: Seat) -> int | None:
    """Return where a seat could have walked in the first turn of a match, if it made the last push.

    The opposite push undoes a push: the tile that dropped out comes back as it was.
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
    """Return whether one turn can lead from one board to the other; otherwise another seat has pushed too."""
    if left.maze == view.maze:
        return True
    if view.last is None or (track := left.maze.grid.tracks.get(view.last)) is None:
        return False
    return any(left.maze.pushed(track, degree).sides == view.maze.sides for degree in (0, 90, 180, 270))

"""The three ways in which the shark thinks: against one other seat, against several, and cut off from all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.bots.base import Thought
from touchline.bots.fish.sea import prospects, room_for_state
from touchline.bots.kernels import blank
from touchline.bots.kernels import fish_tree as engine
from touchline.bots.kernels.fish import STANDING, TILES, UNIT

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.bots.fish.allowance import Allowance
    from touchline.bots.fish.memory import Desk, Haul
    from touchline.bots.fish.sea import Sea
    from touchline.core.rules import Seat
    from touchline.games.fish import Move

COLLECTED = 0.85
"""How much of what is left is collected by somebody, as a rule."""
DOUBT, DOUBT_PER_TILE = 1.5, 1 / 16
"""By how many fish an expectation may be wrong, and by how many more for every tile that is free."""
DEEPEST = 126
"""More moves than a game has left: then what was guessed before is not good enough and looked at again."""
BRANCHES = 250_000
"""Nodes of the tree."""
A_PLAYOUT = 8
"""A playout takes as long as so many nodes of a search."""
AT_LEAST = 200
"""Nodes that are done in any case: some move has to be found."""
SURE = 50
"""Times that a move was tried before it is expected."""


def duel(desk: Desk, sea: Sea, rival: Seat | None, allowance: Allowance) -> Thought:
    """Look further and further ahead, until the end of the game or of the allowance."""
    move, value, depth, solved, done = -1, 0, 0, False, True
    while done and not solved and depth < DEEPEST:
        depth += 1
        desk.begin(sea, rival, depth)
        done = False
        while not done and (nodes := allowance.portion(0 if depth > 1 or desk.best() else AT_LEAST)) > 0:
            done, took = desk.search(sea, nodes)
            allowance.spend(took)
        move, value = desk.best() or (move, value)  # the best of the last depth is looked at first
        solved = done and not desk.guessed()
    line, end = desk.line(sea, sea.move(move), allowance)
    finals = sea.finals()
    pool = COLLECTED * sea.units(sea.free if sea.left else sea.reach(sea.everybody()))
    for seat, gain in ((sea.mover, pool + value), (rival, pool - value)):
        if seat is not None:
            finals[seat] = sea.scores[seat] + gain / 2
    if solved and end.to_move is None:
        finals = sea.after(end).finals()
    ahead = "to the end" if solved else f"{depth} moves ahead"
    says = f"{ahead}: {_fish(finals, sea.mover)} fish"
    if rival is not None:
        says += f" to {_fish(finals, rival)}"
    return Thought(prospects(finals, 0 if solved else _doubt(sea)), line, says)


def count(desk: Desk, sea: Sea, allowance: Allowance) -> Thought:
    """Cut off from all others: collect as much as can be collected, in whatever order of the groups."""
    finals, rivals = sea.finals(), sea.rivals(sea.mover)
    for seat in rivals:
        finals[seat] = float(sea.scores[seat] + desk.alone(sea, seat))
    hauls = [_haul(desk, sea, *group, allowance) for group in sea.groups(sea.mover)]
    more = sum(haul.units for haul in hauls)
    if sea.floe[STANDING]:
        stuck = sea.penguins[sea.mover] & ~sum(penguins for penguins, _ in sea.groups(sea.mover))
        more += sea.units(stuck)
    finals[sea.mover] = float(sea.scores[sea.mover] + more)
    apart = all(sea.is_cut_off(seat) for seat in rivals)
    says = f"cut off: {more // UNIT} more fish"
    if apart and len(rivals) == 1:
        says += f" to {_fish(finals, rivals[0]) - sea.scores[rivals[0]] // UNIT}"
    sure = apart and all(haul.proven for haul in hauls)
    line, _ = desk.line(sea, sea.move(hauls[0].moves[0]), allowance)
    return Thought(prospects(finals, 0 if sure else _doubt(sea)), line, says)


def _haul(desk: Desk, sea: Sea, penguins: int, tiles: int, allowance: Allowance) -> Haul:
    """Count to the end, or as far as it is allowed."""
    haul, took = desk.gather(sea, penguins, tiles)
    allowance.spend(took)
    while not haul.proven and (nodes := allowance.portion()) > 0:
        haul, took = desk.pursue(sea, nodes)
        allowance.spend(took)
    return haul


class Crowd:
    """A tree of playouts, grown anew for every move."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._tree: Any = None
        """The nodes; made when they are needed, for they are many."""

    def think(self, sea: Sea, allowance: Allowance) -> Thought:
        """Try everything, and more often what came out well for whoever tried it."""
        if self._tree is None:
            self._tree = blank(BRANCHES * engine.NODE)
        tree, rows = self._tree, sea.rows(self._rng.getrandbits(63) | 1)
        for part in range(engine.NODE):
            tree[part] = 0
        self._grow(sea, rows, allowance)
        line: list[Move] = []
        state, node = sea.state, 0
        while tree[node + engine.KIDS] and (not line or tree[node + engine.VISITS] >= SURE):
            if line and allowance.late():
                break
            node = self._favourite(node)
            line.append(sea.after(state).move(int(tree[node + engine.MOVE])))
            state = state.play(line[-1])
        best = self._favourite(0)
        mine = int(tree[best + engine.TOTAL]) / int(tree[best + engine.VISITS]) / engine.SHARE
        says = f"{mine:.0%} of {int(tree[engine.VISITS]):,} playouts"
        return Thought(_shared(sea, rows, mine), tuple(line), says)

    def _grow(self, sea: Sea, rows: tuple[Any, Any], allowance: Allowance) -> None:
        now, targets, room, used = room_for_state(), blank(TILES, "uint64"), blank(engine.ROOM), 1
        while (nodes := allowance.portion(AT_LEAST if used == 1 else 0)) > 0:
            times = 1 + nodes // A_PLAYOUT
            used = engine.explore(sea.floe, *rows, self._tree, used, times, *now, targets, room)
            allowance.spend(times * A_PLAYOUT)

    def _favourite(self, node: int) -> int:
        """Where the child begins that was tried most often."""
        first, kids = int(self._tree[node + engine.FIRST]), int(self._tree[node + engine.KIDS])
        starts = range(first * engine.NODE, (first + kids) * engine.NODE, engine.NODE)
        return max(starts, key=lambda start: int(self._tree[start + engine.VISITS]))


def _shared(sea: Sea, rows: tuple[Any, Any], mine: float) -> tuple[float, ...]:
    """What everybody can expect: the mover so much, the others of the rest what their territories say."""
    finals = blank(4)
    engine.territories(sea.floe, *rows, finals)
    expected = [int(finals[seat]) if seat in sea.present else None for seat in range(sea.seats)]
    values = list(prospects(expected, _doubt(sea)))
    rest = 1 - values[sea.mover]
    values = [value * (1 - mine) / rest if rest else 0.0 for value in values]
    values[sea.mover] = mine
    return tuple(values)


def _doubt(sea: Sea) -> float:
    return UNIT * (DOUBT + DOUBT_PER_TILE * sea.free.bit_count())


def _fish(finals: list[float | None], seat: Seat) -> int:
    return round((finals[seat] or 0.0) // UNIT)

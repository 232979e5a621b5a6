"""Shark's three strategies: against one other seat, against several, and cut off from all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.bots.base import Thought
from touchline.bots.fish.bitboard import prospects, room_for_state
from touchline.bots.kernels import blank, compile_kernels
from touchline.bots.kernels import fish_tree as kernel
from touchline.bots.kernels.fish import STANDING, TILES, UNIT

if TYPE_CHECKING:
    from random import Random as Rng

    from touchline.bots.fish.bitboard import FishBitboard
    from touchline.bots.fish.node_budget import NodeBudget
    from touchline.bots.fish.search import FishSearch, Haul
    from touchline.core.rules import Seat
    from touchline.games.fish import Move

COLLECTED = 0.85
"""The share of the reachable fish that is usually collected by somebody."""
DOUBT, DOUBT_PER_TILE = 1.5, 1 / 16
"""The uncertainty of an expected score in fish, and how much more per free tile."""
DEEPEST = 126
"""A depth beyond the end of every game: at this depth no estimate of the table is accepted."""
BRANCHES = 250_000
"""Capacity of the tree, in nodes."""
NODES_PER_PLAYOUT = 8
"""Nodes of the alpha-beta search that take as long as one playout."""
AT_LEAST = 200
"""Nodes that are searched in any case: some move has to be found."""
KERNELS = (kernel.explore, kernel.territories)
"""What a `PlayoutTree` calls."""
SURE = 50
"""Visits from which on a node is trusted to predict the next move."""


def duel(
    search: FishSearch, board: FishBitboard, rival: Seat | None, budget: NodeBudget, *, even: bool = False
) -> Thought:
    """Iterative deepening against one seat, until the game is solved or the budget is spent.

    An estimate favours the seat that moves last before it. `even` values the position by the mean of the last
    two whole depths, one of which ends with a move of each seat.
    """
    move, value, depth, solved, done = -1, 0.0, 0, False, True
    whole: list[float] = []
    while done and not solved and depth < DEEPEST:
        depth += 1
        search.begin(board, rival, depth)
        done = False
        while not done and (nodes := budget.portion(0 if depth > 1 or search.best() else AT_LEAST)) > 0:
            done, took = search.search(board, nodes)
            budget.spend(took)
        move, value = search.best() or (move, value)  # the best move of the last depth is searched first
        solved = done and not search.guessed()
        whole += [value] * done
    if even and not solved and len(whole) > 1:
        value = (whole[-2] + whole[-1]) / 2
    line, end = search.line(board, board.move(move), budget)
    finals = board.finals()
    pool = COLLECTED * board.units(board.free if board.left else board.reach(board.everybody()))
    for seat, gain in ((board.mover, pool + value), (rival, pool - value)):
        if seat is not None:
            finals[seat] = board.scores[seat] + gain / 2
    if solved and end.to_move is None:
        finals = board.after(end).finals()
    ahead = "to the end" if solved else f"{depth} moves ahead"
    says = f"{ahead}: {_fish(finals, board.mover)} fish"
    if rival is not None:
        says += f" to {_fish(finals, rival)}"
    return Thought(prospects(finals, 0 if solved else _doubt(board)), line, says)


def collect(search: FishSearch, board: FishBitboard, budget: NodeBudget) -> Thought:
    """Cut off from all others: collect the most; the order of the groups does not matter."""
    finals, rivals = board.finals(), board.rivals(board.mover)
    for seat in rivals:
        finals[seat] = float(board.scores[seat] + search.alone(board, seat))
    hauls = [_haul(search, board, *group, budget) for group in board.groups(board.mover)]
    more = sum(haul.units for haul in hauls)
    if board.floe[STANDING]:
        stuck = board.penguins[board.mover] & ~sum(penguins for penguins, _ in board.groups(board.mover))
        more += board.units(stuck)
    finals[board.mover] = float(board.scores[board.mover] + more)
    apart = all(board.is_cut_off(seat) for seat in rivals)
    says = f"cut off: {more // UNIT} more fish"
    if apart and len(rivals) == 1:
        says += f" to {_fish(finals, rivals[0]) - board.scores[rivals[0]] // UNIT}"
    sure = apart and all(haul.proven for haul in hauls)
    line, _ = search.line(board, board.move(hauls[0].moves[0]), budget)
    return Thought(prospects(finals, 0 if sure else _doubt(board)), line, says)


def _haul(search: FishSearch, board: FishBitboard, penguins: int, tiles: int, budget: NodeBudget) -> Haul:
    """Search one group until its best paths are proven or the budget is spent."""
    haul, took = search.gather(board, penguins, tiles)
    budget.spend(took)
    while not haul.proven and (nodes := budget.portion()) > 0:
        haul, took = search.pursue(board, nodes)
        budget.spend(took)
    return haul


class PlayoutTree:
    """Monte Carlo tree search against several seats, with a new tree for every move."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._tree: Any = None
        """The nodes; allocated on first use, because they need much memory."""

    def think(self, board: FishBitboard, budget: NodeBudget) -> Thought:
        """Grow the tree, and return the most visited line."""
        if self._tree is None:
            compile_kernels("shark", KERNELS)
            self._tree = blank(BRANCHES * kernel.NODE)
        tree, rows = self._tree, board.rows(self._rng.getrandbits(63) | 1)
        for part in range(kernel.NODE):
            tree[part] = 0
        self._grow(board, rows, budget)
        line: list[Move] = []
        state, node = board.state, 0
        while tree[node + kernel.KIDS] and (not line or tree[node + kernel.VISITS] >= SURE):
            if line and budget.late():
                break
            node = self._favourite(node)
            line.append(board.after(state).move(int(tree[node + kernel.MOVE])))
            state = state.play(line[-1])
        best = self._favourite(0)
        mine = int(tree[best + kernel.TOTAL]) / int(tree[best + kernel.VISITS]) / kernel.SHARE
        says = f"{mine:.0%} of {int(tree[kernel.VISITS]):,} playouts"
        return Thought(_shared(board, rows, mine), tuple(line), says)

    def _grow(self, board: FishBitboard, rows: tuple[Any, Any], budget: NodeBudget) -> None:
        now, targets, room, used = room_for_state(), blank(TILES, "uint64"), blank(kernel.ROOM), 1
        while (nodes := budget.portion(AT_LEAST if used == 1 else 0)) > 0:
            times = 1 + nodes // NODES_PER_PLAYOUT
            used = kernel.explore(board.floe, *rows, self._tree, used, times, *now, targets, room)
            budget.spend(times * NODES_PER_PLAYOUT)

    def _favourite(self, node: int) -> int:
        """Return the offset of the most visited child."""
        first, kids = int(self._tree[node + kernel.FIRST]), int(self._tree[node + kernel.KIDS])
        starts = range(first * kernel.NODE, (first + kids) * kernel.NODE, kernel.NODE)
        return max(starts, key=lambda start: int(self._tree[start + kernel.VISITS]))


def _shared(board: FishBitboard, rows: tuple[Any, Any], mine: float) -> tuple[float, ...]:
    """Return the values per seat: the mover's, and the rest divided by the other seats' territories."""
    finals = blank(4)
    kernel.territories(board.floe, *rows, finals)
    expected = [int(finals[seat]) if seat in board.present else None for seat in range(board.seats)]
    values = list(prospects(expected, _doubt(board)))
    rest = 1 - values[board.mover]
    values = [value * (1 - mine) / rest if rest else 0.0 for value in values]
    values[board.mover] = mine
    return tuple(values)


def foreseen(search: FishSearch, board: FishBitboard) -> tuple[float, ...]:
    """Return the values of all seats by what each can still collect, whoever is to move.

    A seat that is cut off collects what it can alone; the others share the tiles that they reach first. While
    penguins are placed, nobody is ahead.
    """
    if board.left:
        return tuple(1 / len(board.present) if seat in board.present else 0.0 for seat in range(board.seats))
    found, finals = blank(4), board.finals()
    kernel.territories(board.floe, *board.rows(1), found)
    sure = True
    for seat in board.present:
        if board.is_cut_off(seat):
            finals[seat] = float(board.scores[seat] + search.alone(board, seat))
        else:
            finals[seat], sure = float(found[seat]), False
    # Who has just moved looks better than it is, until the others have answered: so doubt it twice as much.
    return prospects(finals, 0 if sure else 2 * _doubt(board))


def _doubt(board: FishBitboard) -> float:
    return UNIT * (DOUBT + DOUBT_PER_TILE * board.free.bit_count())


def _fish(finals: list[float | None], seat: Seat) -> int:
    return round((finals[seat] or 0.0) // UNIT)

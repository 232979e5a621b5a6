"""Players of the Labyrinth course's specs, good and bad, and a referee for them.

A bad player fails in `setUp`, `takeTurn` or `win`: in the first call, or in the k-th call of that method if
the spec has a number. The referee treats an exception and an endless loop alike, so nothing waits. The
staff's cheats answer `takeTurn` with a certain illegal move.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from touchline.bots.euclid import Euclid
from touchline.bots.riemann import Riemann
from touchline.conducts.course import CONDUCT as COURSE
from touchline.core.clock import UNTIMED
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.core.happenings import Failed, Heard, Tell
from touchline.core.messages import Act, Onward, Ready
from touchline.core.referee import Referee
from touchline.dialects.notation.labyrinth import referee_state
from touchline.games.labyrinth import OPPOSITE, LabyrinthState, Pass, Slide

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Seat

MOST_TURNS = 1_000_000
"""Turn cap: more turns than a game can have."""

METHODS = ("setUp", "takeTurn", "win")


class Misbehaved(Exception):
    """A method of the player raised, or never returned."""


def _bad_row(view: LabyrinthState) -> Slide:
    return Slide(view.maze.grid.rows, "LEFT", 0, (0, 0))


def _bad_column(view: LabyrinthState) -> Slide:
    return Slide(view.maze.grid.cols, "DOWN", 0, (0, 0))


def _bad_coordinate(view: LabyrinthState) -> Slide:
    return Slide(0, "LEFT", 0, (view.maze.grid.rows, 0))


def _unreachable(view: LabyrinthState) -> Slide | None:
    for track, degree, reach in view.walks():
        for number, cell in enumerate(view.maze.grid.cells):
            if not reach >> number & 1:
                return Slide(*track.push, degree, cell)
    return None


def _no_move(view: LabyrinthState) -> Slide | None:
    assert view.to_move is not None
    standing = view.avatars[view.to_move]
    assert standing is not None
    for track, degree, _ in view.walks():
        return Slide(*track.push, degree, view.maze.grid.cells[track.carried.get(standing, standing)])
    return None


def _undo(view: LabyrinthState) -> Slide | None:
    if view.last is None:
        return None
    index, direction = view.last
    return Slide(index, OPPOSITE[direction], 0, (0, 0))


CHEATS: dict[str, Callable[[LabyrinthState], Slide | None]] = {
    "row": _bad_row,
    "column": _bad_column,
    "coordinate": _bad_coordinate,
    "unreachable": _unreachable,
    "no-move": _no_move,
    "undo": _undo,
}
"""The staff's cheats by name; where a cheat is impossible the player moves honestly."""


class Actor:
    """A player of a spec: `[name, strategy]`, `[name, strategy, fault]` or `[name, strategy, fault, k]`."""

    def __init__(self, name: str, bot: Riemann | Euclid, fault: str | None, at_call: int) -> None:
        self.name, self._bot = name, bot
        self._fault, self._at_call = fault, at_call
        self._calls: Counter[str] = Counter()

    def _called(self, method: str) -> None:
        self._calls[method] += 1
        if method == self._fault and self._calls[method] == self._at_call:
            raise Misbehaved(method)

    def set_up(self) -> None:
        self._called("setUp")

    def choose(self, view: LabyrinthState, turn: int = 0) -> Slide | Pass:
        """Answer a `takeTurn` call."""
        self._called("takeTurn")
        cheat = CHEATS.get(self._fault or "")
        return (cheat and cheat(view)) or self._bot.choose(view)

    def win(self) -> None:
        self._called("win")


STRATEGIES: dict[str, type[Riemann] | type[Euclid]] = {"Riemann": Riemann, "Euclid": Euclid}


def actors(spec: Any, name: str) -> list[Actor]:
    """Return the players of a spec; names need not be unique. Errors refer to the spec by `name`."""
    if not isinstance(spec, list):
        raise BadInput("expected an array of players", name)
    return [_actor(entry, f"{name}[{place}]") for place, entry in enumerate(spec)]


def _actor(entry: Any, where: str) -> Actor:
    if not isinstance(entry, list) or not 2 <= len(entry) <= 4:
        raise BadInput(
            "expected [name, strategy], [name, strategy, fault] or [name, strategy, fault, k]", where
        )
    name, strategy, *fault = entry
    if not isinstance(name, str):
        raise BadInput("expected a name, which is a string", f"{where}[0]")
    if not isinstance(strategy, str) or strategy not in STRATEGIES:
        raise BadInput('a strategy is "Riemann" or "Euclid"', f"{where}[1]")
    bad = fault[0] if fault else None
    if fault and (not isinstance(bad, str) or bad not in (*METHODS, *CHEATS)):
        raise BadInput(f"a fault is one of {', '.join((*METHODS, *CHEATS))}", f"{where}[2]")
    count = fault[1] if len(fault) == 2 else 1
    if type(count) is not int or count < 1:
        raise BadInput("calls are counted from 1", f"{where}[3]")
    return Actor(name, STRATEGIES[strategy](), bad, count)


def server_state(written: Any, players: int) -> LabyrinthState:
    """Return the state of a server's RefereeState2 for this number of players.

    Raise BadInput if it has fewer places.
    """
    live = referee_state(written, "RefereeState2", players)
    if players > len(live.avatars):
        raise BadInput(f"{players} players for {len(live.avatars)} places", "RefereeState2.plmt")
    return live


def play(live: LabyrinthState, cast: list[Actor]) -> tuple[list[str], list[str]]:
    """Referee a game by the course's rules; return the names of the winners and of the misbehaving."""
    if not cast:
        return [], []
    referee = Referee(
        live,
        names=tuple(actor.name for actor in cast),
        conduct=COURSE,
        limits=UNTIMED,
        turn_cap=MOST_TURNS,
        seed=0,
        nonce="",
        talks=range(len(cast)),
    )
    referee.begin()
    for seat, actor in enumerate(cast):
        referee.take(_called(seat, actor.set_up) or Heard(seat, Ready(guided=True)))
    while referee.result is None:
        (seat,) = referee.awaited
        _turn(referee, seat, cast[seat])
    outcome = referee.result.outcome
    kicked = [*referee.expelled]
    assert outcome is not None
    winners = []
    for seat in (
        *outcome.winners,
        *(seat for seat, rank in enumerate(outcome.ranks) if rank not in (None, 1)),
    ):
        if _called(seat, cast[seat].win):
            kicked.append(seat)
        elif seat in outcome.winners:
            winners.append(seat)
    return sorted(cast[seat].name for seat in winners), sorted(cast[seat].name for seat in kicked)


def _turn(referee: Referee, seat: Seat, actor: Actor) -> None:
    """Play one turn, and make the `setUp` call that tells a player its next goal if it reached one.

    "If that setup call fails the player is kicked; its move stays on the board."
    """
    view: Any = referee.state.view(seat)
    try:
        move = actor.choose(view)
    except Misbehaved as error:
        referee.take(Failed(seat, Offence.GONE, str(error)))
        return
    effects = referee.take(Heard(seat, Act(move)))
    if any(isinstance(effect, Tell) and isinstance(effect.message, Onward) for effect in effects):
        referee.take(_called(seat, actor.set_up) or Heard(seat, Ready()))


def _called(seat: Seat, method: Callable[[], None]) -> Failed | None:
    """Call a method of a player; return the failure, or None if it returned."""
    try:
        method()
    except Misbehaved as error:
        return Failed(seat, Offence.GONE, str(error))
    return None

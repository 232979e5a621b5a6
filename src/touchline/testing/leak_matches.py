"""The same match in two worlds, for `check_leaks`: every frame, every event, and what bots are handed.

A match is played once in the true world, by bots that follow their goals. In another world the same seats
make the same moves in the same turns, and the same seat commits the same offence. Law of this file: two
worlds are compared only up to the turn in which they come to differ in something that the seat may see, such
as the end of the game.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec

from touchline.bots.greedy import Greedy
from touchline.core import registry
from touchline.core.clock import Clock, Limits
from touchline.core.conduct import Offence
from touchline.core.happenings import Failed, Lapsed, Note
from touchline.core.registry import CONDUCTS
from touchline.core.rules import IllegalMove
from touchline.drivers.match import agreed, announced, opened
from touchline.testing.in_memory_match import Dialogue
from touchline.testing.leak_drivers import NAMES
from touchline.testing.leak_worlds import alike, starting_with

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.events import Event
    from touchline.core.happenings import Effect
    from touchline.core.rules import Game, Seat, State
    from touchline.dialects.base import Dialect, Exchange
    from touchline.drivers.match import MatchSpec
    from touchline.testing.in_memory_match import Reply

NOISE = b'["nonsense"'
"""A frame that no dialect can read."""
Slip: TypeAlias = Literal["none", "illegal", "malformed", "late", "out of turn", "gone"]
SLIPS: dict[Slip, str] = {
    "illegal": "moves illegally",
    "malformed": "sends garbage",
    "late": "is late",
    "out of turn": "speaks out of turn",
    "gone": "hangs up",
}
"""The offences, and how a finding names the match with one."""


class Scene(NamedTuple):
    """A match to be played in several worlds: a dialect for all seats, and the offence of one seat."""

    dialect: type[Dialect]
    seats: int
    rounds: int
    slip: Slip = "none"
    by: Seat | None = None

    def __str__(self) -> str:
        if self.slip == "none":
            return "an honest match"
        return f"a match in which seat {self.by} {SLIPS[self.slip]}"


class Script:
    """The moves of a match by turn: chosen in the true world, repeated in the others.

    All seats follow their goals, except the one that is the audience. It moves at random, because a seat that
    reaches its goal is told the next one, and from then on may tell the worlds apart.
    """

    def __init__(self, game: Game, seed: object, audience: Seat | None, known: dict[Any, Any]) -> None:
        self._strangers, self._seed, self._audience = list(game.all_moves()), seed, audience
        self._known = known
        """Moves of earlier scripts by state: the matches of a search begin alike, and bots are slow."""
        self._moves: dict[tuple[int, bool], Any] = {}

    def move(self, turn: int, state: State, *, illegal: bool = False) -> Any:
        """Return the move of this turn. It is drawn when it is first asked for."""
        if (turn, illegal) not in self._moves:
            rng = Random(f"{self._seed} {turn}")
            self._moves[turn, illegal] = self._illegal(state, rng) if illegal else self._legal(state, rng)
        return self._moves[turn, illegal]

    def _legal(self, state: State, rng: Random) -> Any:
        if state.to_move == self._audience:
            return rng.choice(state.legal_moves())
        if state not in self._known:
            self._known[state] = Greedy(rng).choose(state.view(state.to_move))
        return self._known[state]

    def _illegal(self, state: State, rng: Random) -> Any:
        """Return a move that the rules forbid here, or a legal one if none is found."""
        legal = set(state.legal_moves())
        found = (move for move in rng.sample(self._strangers, len(self._strangers)))
        return next((move for move in found if move not in legal), next(iter(legal)))


class PlayedWorld(Dialogue):
    """A match of a scene in one world, with everything that was sent and noted, by turn."""

    def __init__(self, scene: Scene, game: Game, start: State, script: Script) -> None:
        self._scene, self._script = scene, script
        kind, seats = scene.dialect, scene.seats
        spec = agreed(
            starting_with(game, start),
            NAMES[:seats],
            seed=1,
            nonce="1",
            # Nobody is left alone and wins: the end of a match, which tells the scores, would end the search.
            conduct=msgspec.structs.replace(CONDUCTS[kind.conduct], alone="play_on"),
            limits=Limits(clock=Clock(per_move=kind.per_move)),
            turn_cap=scene.rounds * seats,
        )
        super().__init__(spec, [kind(game) for _ in range(seats)], self._reply_of)
        self._faces = [kind.face(_Scripted(self), rng=Random(1)) for _ in range(seats)]
        self.spec, self.start = spec, start
        self.frames: list[tuple[Seat, int, bytes]] = []
        self.notes: list[tuple[int, Event]] = [(0, announced(spec, opened(spec), range(seats)))]
        self.states: dict[int, list[State]] = {0: [start]}
        self.strayed: int | None = None
        """The first turn whose move is not legal here."""
        self._asked = self._slipped = False

    def choose(self) -> Any:
        """Return the move that the seat to move must send now."""
        turn, state = self.referee.turn, self.referee.state
        self._asked = True
        if self._slips_now("illegal", state.to_move):
            self._slipped = True
            return self._script.move(turn, state, illegal=True)
        move = self._script.move(turn, state)
        try:
            state.check(move)
        except IllegalMove:
            self.strayed = turn if self.strayed is None else self.strayed
        return move

    def _slips_now(self, slip: Slip, seat: Seat | None) -> bool:
        scene = self._scene
        return (
            scene.slip == slip
            and scene.by == seat
            and not self._slipped
            and self.referee.turn >= scene.seats  # not before the second round
        )

    def _reply_of(self, seat: Seat, frame: bytes) -> Sequence[Reply]:
        self._asked = False
        honest: list[bytes] = self._faces[seat].hear(frame)
        slip = self._scene.slip
        if not self._asked or slip == "illegal" or not self._slips_now(slip, seat):
            return honest
        self._slipped = True
        replies: dict[str, list[Reply]] = {
            "malformed": [NOISE],
            "late": [Lapsed(seat)],
            "gone": [Failed(seat, Offence.GONE, "hung up")],
            "out of turn": [*honest, *honest],
        }
        return replies.get(slip, [*honest])

    def _do(self, effects: list[Effect]) -> None:
        turn, state = self.referee.turn, self.referee.state
        known = self.states.setdefault(turn, [])
        if not known or known[-1] != state:
            known.append(state)
        self.notes += [(turn, effect.event) for effect in effects if isinstance(effect, Note)]
        super()._do(effects)

    def _exchanged(self, seat: Seat, exchange: Exchange) -> None:
        self.frames += [(seat, self.referee.turn, frame) for frame in exchange.frames]
        super()._exchanged(seat, exchange)

    def frames_of(self, seat: Seat, until: int) -> list[bytes]:
        """Return the frames that a seat was sent before a turn."""
        return [frame for other, turn, frame in self.frames if other == seat and turn < until]

    def events_before(self, until: int) -> list[Event]:
        """Return the events before a turn."""
        return [event for turn, event in self.notes if turn < until]


class _Scripted:
    """The player behind a face: it sends what the script says, whatever it sees."""

    def __init__(self, world: PlayedWorld) -> None:
        self._world = world

    def choose(self, view: Any, turn: int = 0) -> Any:
        return self._world.choose()


class MatchChannel(NamedTuple):
    """A way to follow a match: `show` returns what a seat, or a spectator, is sent about these events."""

    name: str
    show: Callable[[MatchSpec, State, Sequence[Event], Seat | None], Sequence[bytes]]


def _record_lines(
    spec: MatchSpec, start: State, events: Sequence[Event], seat: Seat | None
) -> Sequence[bytes]:
    return [msgspec.json.encode(event) for event in events]


RECORD = MatchChannel("the record", _record_lines)


def played(scene: Scene, game: Game, start: State, script: Script) -> PlayedWorld:
    """Play a scene in the world that starts with this state."""
    world = PlayedWorld(scene, game, start, script)
    world.run()
    return world


def parting(one: PlayedWorld, other: PlayedWorld, seat: Seat | None) -> int:
    """Return the first turn in which two worlds differ in something that the seat may see."""
    strayed = other.strayed
    for turn in range(max(*one.states, *other.states) + 1):
        mine, theirs = one.states.get(turn, []), other.states.get(turn, [])
        same = len(mine) == len(theirs) and all(map(alike, mine, theirs, [seat] * len(mine)))
        if not same or turn == strayed:
            return turn
    return max(*one.states, *other.states) + 1


def scenes(dialect: type[Dialect], seats: int, rounds: int) -> list[Scene]:
    """Return an honest match, and one with each kind of offence by the first and by the last seat."""
    slips = (Scene(dialect, seats, rounds, slip, by) for slip in SLIPS for by in (0, seats - 1))
    return [Scene(dialect, seats, rounds), *slips]


def dialects_for(game: Game) -> list[type[Dialect]]:
    """Return every installed dialect that has words for this game."""
    kinds = (registry.dialect(name) for name in registry.names("dialects"))
    return [kind for kind in kinds if not kind.games or game.name in kind.games]

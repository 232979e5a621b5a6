"""The specification of a match, and the driver for trusted bots in this process.

Law of this file: the referee decides, drivers carry out. `play_now` makes legal moves of trusted bots on the
fast lane, without asking the referee about each, and leaves everything else to the referee.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import secrets
from abc import ABC, abstractmethod
from functools import cache
from random import Random
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from touchline.bots.base import Bot as Bot
from touchline.bots.base import Learner as Learner
from touchline.bots.base import is_clocked
from touchline.conducts.standard import CONDUCT as STANDARD
from touchline.core.clock import UNTIMED, Limits
from touchline.core.conduct import Conduct, Offence
from touchline.core.errors import BadOptions
from touchline.core.events import FORMAT, Begun, Event, Module, Refused, Result
from touchline.core.fast_lane import FastLane
from touchline.core.happenings import Effect, Failed, Heard, Note, Restarted, Tell
from touchline.core.messages import Act, Resign, Resigned, YourTurn
from touchline.core.referee import Referee
from touchline.core.rules import IllegalMove, RevisedStart
from touchline.core.text import MOST_NAME, clipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from touchline.core.rules import Game, Seat, State
    from touchline.drivers.past import Past

log = logging.getLogger(__name__)

UNSEEN_MICROS = 10_000
"""Thinking time of bots whose moves a batching observer may not have seen, 10 ms: no person notices it."""
MOVE_MICROS = 39
"""Counted for each move besides its thinking time, in µs, so that at most 256 moves are unseen."""
TURN_CAP = 20_000
"""The default limit of turns in a match, so that a game without progress ends."""


def tell_learners(bots: Iterable[tuple[Seat, Bot]], result: Result) -> None:
    """Tell the result to those bots that learn from it."""
    for seat, bot in bots:
        try:
            if _learns(type(bot)):
                cast("Learner", bot).told(seat, result)
        except Exception:
            log.exception("a bot failed when it was told the result: %r", bot)


@cache
def _learns(kind: type) -> bool:
    """Return whether bots of this class learn; cached, because a protocol check takes microseconds."""
    return issubclass(kind, Learner)


class MatchSpec(Struct, frozen=True, kw_only=True):
    """Everything that is fixed before a match begins."""

    game: Any
    names: tuple[str, ...]
    conduct: Conduct = STANDARD
    limits: Limits = UNTIMED
    seed: int
    nonce: str = ""
    seed_given: bool = True
    """Whether somebody chose the seed; else it was drawn."""
    turn_cap: int = TURN_CAP
    isolation: str | tuple[str | None, ...] = ()
    """The tier of isolation of each seat, None where no program runs; a text in older records."""
    ponders: bool = True
    """Whether programs may think in the turns of others; else they are frozen."""
    dialects: tuple[str | None, ...] = ()
    """The dialect of each seat, None where none is needed; empty if no seat needs one."""
    modules: tuple[Module | None, ...] = ()
    """The WebAssembly module of each seat, None for another player; empty if there is no module."""
    format: int = FORMAT
    """The format of the record."""
    proposals: tuple[Any, ...] = ()
    """The starting positions that seats proposed, by seat; empty if there are none."""
    refused: tuple[Refused, ...] = ()
    """Seats whose players failed before the match began."""
    opening: tuple[Any, ...] = ()
    """The moves that are made for the seats before the match begins."""
    takeback: bool = False
    """Whether seats may take turns back, as `AsyncMatch.take_back` does; not in games that hide anything."""


def agreed(
    game: Game, names: Sequence[str], seed: int | None = None, *, nonce: str | None = None, **terms: Any
) -> MatchSpec:
    """Return the specification of a match. Without a seed, draw an unpredictable one.

    The nonce has 128 random bits, whether the seed was chosen or not: else the commitment to a chosen seed
    could be inverted by trying seeds.
    """
    return MatchSpec(
        game=game,
        names=tuple(names),
        seed=secrets.randbits(63) if seed is None else seed,
        nonce=secrets.token_hex(16) if nonce is None else nonce,
        **{"seed_given": seed is not None, **terms},
    )


def commitment(seed: int, nonce: str) -> str:
    """Return a cryptographic commitment to the seed: it is binding, and hides the seed until the end."""
    return hashlib.sha256(f"{nonce} {seed}".encode()).hexdigest()


def started_in(format_: int, game: Game, seats: int, rng: Random, proposals: Sequence[Any] = ()) -> State:
    """Return the first state of a game, as it is drawn for records of this format."""
    if format_ < FORMAT and isinstance(game, RevisedStart):
        return game.start_in(format_, seats, rng, proposals)
    return game.start(seats, rng, proposals)


class _LazyRandom:
    """A random generator that is seeded on first use: many games draw nothing, and seeding is slow."""

    __slots__ = ("_rng", "_seed")

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def __getattr__(self, name: str) -> Any:
        if name == "_rng":
            self._rng = Random(self._seed)
            return self._rng
        return getattr(self._rng, name)


def opened(spec: MatchSpec) -> State:
    """Return the initial state of a match. BadOptions if the game cannot be played like this."""
    game: Game = spec.game
    if spec.takeback and game.hidden:
        raise BadOptions(f"{game.name} hides what seats must not know, so no turn can be taken back")
    seats, rng = len(spec.names), cast("Random", _LazyRandom(spec.seed))
    try:
        state = started_in(spec.format, game, seats, rng, spec.proposals)
    except ValueError as error:
        raise BadOptions(f"{game.name}: {error}") from None
    return _after_opening(state, spec) if spec.opening else state


def _after_opening(state: State, spec: MatchSpec) -> State:
    """Return the state after the moves of the opening. BadOptions if one of them is illegal."""
    for number, move in enumerate(spec.opening, 1):
        try:
            state.check(move)
        except IllegalMove as error:
            raise BadOptions(f"{spec.game.name}: move {number} of the opening is illegal: {error}") from None
        state = state.play(move)
    return state


def announced(spec: MatchSpec, state: State, talks: Sequence[int] = ()) -> Begun:
    """Return the first event of a match."""
    old = spec.format == 1
    refused, names = spec.refused, spec.names
    if refused:
        refused = tuple(replace(failed, why=clipped(failed.why)) for failed in refused)
    if max(map(len, names), default=0) > MOST_NAME:
        names = tuple(clipped(name, MOST_NAME) for name in names)
    return Begun(
        format=spec.format,
        game=spec.game.name,
        options=msgspec.to_builtins(spec.game),
        names=names,
        conduct=spec.conduct,
        limits=spec.limits,
        turn_cap=spec.turn_cap,
        talks=tuple(talks),
        dialects=UNSET if old else spec.dialects or (None,) * len(spec.names),
        modules=spec.modules or UNSET,
        isolation="none" if old else spec.isolation or (None,) * len(spec.names),
        ponders=UNSET if old or spec.ponders else False,
        commitment=commitment(spec.seed, spec.nonce),
        seed_given=UNSET if old else spec.seed_given,
        proposals=spec.proposals,
        refused=refused,
        opening=spec.opening or UNSET,
        takeback=spec.takeback or UNSET,
        position=state.view(None).position(),
    )


def referee_for(spec: MatchSpec, state: State, talks: Sequence[int] = ()) -> Referee:
    """Return a new referee for a match; `talks` are the seats whose players exchange messages."""
    return Referee(
        state,
        names=spec.names,
        conduct=spec.conduct,
        limits=spec.limits,
        turn_cap=spec.turn_cap,
        seed=spec.seed,
        nonce=spec.nonce,
        talks=talks,
        kind=spec.game.Move,
        discreet=spec.format > 1,
        takeback=spec.takeback,
    )


class Batching(ABC):
    """An observer that may be given several moves of bots at once, which saves a call for each."""

    @abstractmethod
    def __call__(self, event: Event) -> None:
        """See an event."""

    @abstractmethod
    def unseen(self) -> list[Event] | None:
        """Return the list to which events may be appended; None if each must be seen at once."""

    @abstractmethod
    def flush(self) -> None:
        """See the events in the list. Raises no exception."""


class Watchers:
    """The observers of a match. An observer that raises an exception is dropped, and the match goes on."""

    def __init__(self, observers: Sequence[Callable[[Event], None]]) -> None:
        self._observers = tuple(observers)

    def for_moves(self) -> tuple[Callable[[Event], None] | None, Callable[[], None] | None]:
        """Return what sees the moves of bots, None without observers; and for a batch, what ends it."""
        if len(self._observers) == 1:
            (only,) = self._observers
            if isinstance(only, Batching) and (batch := only.unseen()) is not None:
                return batch.append, only.flush
        return self.see if self._observers else None, None

    def __bool__(self) -> bool:
        return bool(self._observers)

    def see(self, event: Event) -> None:
        for observer in self._observers:
            try:
                observer(event)
            except Exception:
                log.exception("an observer failed and is dropped: %r", observer)
                self._observers = tuple(other for other in self._observers if other is not observer)

    def see_all(self, effects: list[Effect]) -> None:
        if not self._observers:
            return
        for effect in effects:
            if type(effect) is Note:
                self.see(effect.event)


def play_now(
    spec: MatchSpec,
    bots: Sequence[Bot],
    observers: Sequence[Callable[[Event], None]] = (),
    past: Past | None = None,
) -> Result:
    """Play a match between trusted bots in this thread, and return its result; with a past, resume it.

    >>> from touchline.bots.random import Random as RandomBot
    >>> from touchline.games.hexapawn import Hexapawn
    >>> play_now(agreed(Hexapawn(), ["a", "b"], seed=1), [RandomBot(Random(0))] * 2).verdict
    'finished'
    """
    if len(bots) != len(spec.names):
        raise BadOptions(f"{len(bots)} players for {len(spec.names)} seats")
    state = opened(spec)
    referee, watchers = referee_for(spec, state), Watchers(observers)
    if watchers:
        watchers.see(announced(spec, state))
    if past is not None:
        _catch_up(referee, spec, bots, watchers, past)
    elif spec.refused:
        watchers.see_all(referee.begin(spec.refused))
    choosers = [_chooser(referee, seat, bot) for seat, bot in enumerate(bots)]
    while referee.result is None:
        happening = _play_fast_lane(referee, choosers, watchers, hidden=spec.game.hidden)
        watchers.see_all(referee.proceed())
        if happening is not None:
            watchers.see_all(referee.take(happening))
    tell_learners(enumerate(bots), referee.result)
    return referee.result


def _chooser(referee: Referee, seat: Seat, bot: Bot) -> Callable[[Any, int], Any]:
    """Return what asks a bot for a move; it tells those their time that want to know it."""
    chooser = bot.choose
    if not is_clocked(bot):
        return chooser
    allow = bot.allow

    def choose(view: Any, turn: int) -> Any:
        budget = referee.clocks[seat].budget
        allow(None if budget is None else budget - referee.used)
        return chooser(view, turn)

    return choose


def _catch_up(referee: Referee, spec: MatchSpec, bots: Sequence[Bot], watchers: Watchers, past: Past) -> None:
    """Replay the past. Each bot is asked again, so that it has the same memory; its answers are dropped."""
    effects = referee.begin(spec.refused)
    watchers.see_all(effects)
    for happening in past.happenings:
        for effect in effects:
            if isinstance(effect, Tell) and effect.seat not in past.kept:
                question = effect.message
                if isinstance(question, YourTurn):
                    with contextlib.suppress(Exception):  # if it failed then, the happening says so
                        bots[effect.seat].choose(question.view, question.turn)
        effects = referee.take(happening)
        watchers.see_all(effects)
    watchers.see_all(referee.take(Restarted()))


def left(seat: int, error: Exception) -> Failed | Heard:
    """Return what a bot's exception means for the referee: the bot resigns, or it has crashed."""
    raised = f"raised {type(error).__name__}"
    try:
        why = str(error) if isinstance(error, Resigned) else f"{raised}: {error}"
    except Exception:
        why = raised
    why = why.encode("utf-8", "replace").decode()
    return Heard(seat, Resign(why)) if isinstance(error, Resigned) else Failed(seat, Offence.GONE, why)


def _play_fast_lane(
    referee: Referee, choosers: list[Callable[[Any, int], Any]], watchers: Watchers, *, hidden: bool
) -> Heard | Failed | None:
    """Play legal moves on the fast lane; return what interrupted them, or None at the end of the match."""
    see, end_batch = watchers.for_moves()
    unseen = 0
    timed, took = see is not None or referee.limits.clock.per_move is not None, 0
    seats = tuple(range(len(choosers)))
    if referee.absent:
        seats = tuple(seat for seat in seats if seat not in referee.absent)
    lane = FastLane(referee, seats, see)
    make_move = lane.move
    happening: Heard | Failed | None = None
    while (seat := lane.seat) is not None:
        state = lane.state
        try:
            start = perf_counter_ns() if timed else 0
            move = choosers[seat](state.view(seat) if hidden else state, lane.turn)
        except Exception as error:
            happening = left(seat, error)
            break
        if timed:
            took = (perf_counter_ns() - start) // 1000
        if not make_move(move, took):
            happening = Heard(seat, Act(move), took)
            break
        if end_batch is not None:
            unseen += took + MOVE_MICROS
            if unseen >= UNSEEN_MICROS:
                end_batch()
                unseen = 0
    lane.end()
    return happening

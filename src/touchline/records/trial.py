"""Try a player on a script: referee a match in which the script is played, and the player is asked.

The player is asked at each of its turns, and the script's move is made whatever it answers, until it fails.
From there on its own answers count. So the events are those of a match that the referee can replay: all seats
move as scripted, and the failure of the player and the verdict on it are at the end.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.core.clock import Clock, micros
from touchline.core.conduct import Offence
from touchline.core.events import Event, Faulted, Moved, Skipped
from touchline.core.happenings import Broken, Failed, Heard, Lapsed, Note, Tell
from touchline.core.messages import Act, Begin, Garbled, Onward, Rejected, Resign, YourTurn
from touchline.core.rules import IllegalMove
from touchline.drivers.match import announced, opened, referee_for
from touchline.drivers.pipes import micros_now
from touchline.players.by_name import spoken_by
from touchline.records.script import states_along

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros
    from touchline.core.happenings import Effect, Happening
    from touchline.core.rules import Seat, State
    from touchline.drivers.match import MatchSpec
    from touchline.drivers.one_player import OnePlayer, Said
    from touchline.records.replay import Replay
    from touchline.records.script import Script, Step

LEFT_OUT = "the rest of the game is left out: touchline shrink"
"""The reason of the void result, where the verdict on the failure does not end the match."""
DIFFERENT = "different"
"""The kind of failure that is no offence: a legal move that is not the recorded one."""
WITH_DIALECTS = 2
"""The first format with the dialects of the seats. Later records keep theirs, on which the start depends."""
LIMIT: Micros = micros(10)
"""The time limit, 10 s, of an answer where the record has none: a trial must end."""


class Failure(Struct, kw_only=True):
    """A failure of the player, and the match in which it happens."""

    turn: int
    offence: str
    """The kind of offence; `different` for a legal move that is not the recorded one."""
    reason: str
    steps: int
    """The number of steps of the script before the question."""
    events: list[Event]
    notes: str = ""
    """The stderr output of the program."""

    @property
    def way(self) -> tuple[str, ...]:
        """The way it fails: the offence and, for a crash, the exit code or exception."""
        if self.offence != Offence.GONE.value:
            return (self.offence,)
        return (self.offence, self.reason.partition(":")[0], _exception(self.notes))


def _exception(notes: str) -> str:
    """Return the name of the exception at the end of a traceback; empty if there is none."""
    name = (notes.strip().splitlines() or [""])[-1].partition(":")[0]
    return name if name.replace(".", "").replace("_", "").isalnum() else ""


def trial_spec(replay: Replay, seat: Seat, name: str, seconds: float | None) -> MatchSpec:
    """Return the terms of the trials: those of the record, with this player in its seat, and time limits."""
    spec = replay.spec()
    names = tuple(name if other == seat else old for other, old in enumerate(spec.names))
    clock = spec.limits.clock if seconds is None else Clock(micros(seconds))
    limits = replace(
        spec.limits,
        set_up=LIMIT if spec.limits.set_up is None else spec.limits.set_up,
        clock=Clock(LIMIT) if clock.per_move is None else clock,
    )
    refused = tuple(one for one in spec.refused if one.seat != seat)
    dialects = tuple(
        spoken_by(name) if other == seat else old
        for other, old in enumerate(spec.dialects or (None,) * len(names))
    )
    return replace(
        spec, names=names, limits=limits, refused=refused, dialects=dialects,
        format=max(WITH_DIALECTS, spec.format), nonce=secrets.token_hex(16),
    )  # fmt: skip


class Trials:
    """Trials of one player, each with a new instance; they look for the same failure as the first."""

    def __init__(self, spec: MatchSpec, seat: Seat, make: Callable[[], OnePlayer]) -> None:
        self._spec, self._seat, self._make = spec, seat, make
        self._recorded: Any = None
        self.failure: Failure | None = None
        """The failure with the fewest steps before it; None if there was none."""

    def first(self, script: Script, *, different: bool = False) -> Failure | None:
        """Try the player on a whole script; return its first failure.

        With `different`, a legal move that is not the script's own is a failure, too.
        """

        def own(steps: int) -> Any:
            step = script[steps] if different and steps < len(script) else None
            return step.move if step is not None and step.seat == self._seat else None

        self.failure = self._tried(script, own)
        if self.failure is not None and self.failure.offence == DIFFERENT:
            self._recorded = own(self.failure.steps)
        return self.failure

    def fails(self, script: Script) -> int | None:
        """Return after how many steps the player fails in the same way as at first; None if it does not."""
        failure = self._tried(script, lambda steps: self._recorded if steps == len(script) else None)
        if failure is None or self.failure is None or failure.way != self.failure.way:
            return None
        if failure.steps < self.failure.steps:
            self.failure = failure
        return failure.steps

    def wanted(self, script: Script) -> Callable[[State], bool] | None:
        """Return which states are like the one in which the player differs; None if any failure counts.

        A recorded move says nothing about another position, so a shorter script must lead to the same view.
        """
        if self._recorded is None:
            return None
        view = states_along(opened(self._spec), script)[-1].view(self._seat)
        return lambda state: state.view(self._seat) == view

    def _tried(self, script: Script, recorded: Callable[[int], Any]) -> Failure | None:
        player = self._make()
        try:
            failure = _Trial(self._spec, self._seat, player, recorded).run(script)
        finally:
            player.close()
        if failure is not None:
            failure.notes = player.notes()
        return failure


def _retries(effect: Effect, turn: int) -> bool:
    """Return whether an effect is a rejection, or asks for this turn again: the offence is not its own."""
    if not isinstance(effect, Tell):
        return False
    asks = isinstance(effect.message, YourTurn) and effect.message.turn == turn
    return asks or isinstance(effect.message, Rejected)


class _Trial:
    """One match of a script."""

    def __init__(
        self, spec: MatchSpec, seat: Seat, player: OnePlayer, recorded: Callable[[int], Any]
    ) -> None:
        """`recorded(steps)` is the move to compare an answer with after this many steps, or None."""
        self._spec, self._seat, self._player, self._recorded = spec, seat, player, recorded
        state, talks = opened(spec), (seat,) if player.talks else ()
        self._events: list[Event] = [announced(spec, state, talks)]
        self._referee = referee_for(spec, state, talks)
        self._asked_at: Micros = 0
        self._unready = False
        """Whether the player was told something that it must confirm."""
        self._question: YourTurn | None = None

    def run(self, script: Script) -> Failure | None:
        self._player.propose(self._spec.limits.set_up)
        self._do(self._referee.begin(self._spec.refused))
        for steps in range(len(script) + 1):
            failure = self._questioned(steps)
            if failure is not None or steps == len(script) or self._referee.result is not None:
                return failure
            if not self._make(script[steps]):
                return None
        return None

    def _questioned(self, steps: int) -> Failure | None:
        """Read the player's answer, if it is asked here; return its failure."""
        heard = len(self._events)
        if self._unready:
            self._unready = False
            self._hear(self._player.answer(self._spec.limits.set_up), 0)
        if self._question is not None and self._fault(heard) is None:
            said, took = self._answer()
            if isinstance(said, Resign):
                self._do(self._referee.take(Broken("the player resigned")))
                return None
            if self._is_legal(said, took):
                return self._compared(said, took, steps)
            self._hear(said, took)
        fault = self._fault(heard)
        return None if fault is None else self._failure(fault.turn, fault.offence.value, fault.reason, steps)

    def _compared(self, said: Said | None, took: Micros, steps: int) -> Failure | None:
        """Return a failure if a legal move should be the recorded one, and is not."""
        recorded, turn = self._recorded(steps), self._referee.turn
        if recorded is None or not isinstance(said, Act) or said.move == recorded:
            return None
        self._hear(said, took)
        answered, other = (msgspec.json.encode(move).decode() for move in (said.move, recorded))
        return self._failure(turn, DIFFERENT, f"answered {answered}, and the record has {other}", steps)

    def _fault(self, since: int) -> Faulted | None:
        """Return the first offence of the player among the events from this one on."""
        mine = (one for one in self._events[since:] if isinstance(one, Faulted) and one.seat == self._seat)
        return next(mine, None)

    def _failure(self, turn: int, offence: str, reason: str, steps: int) -> Failure:
        """End the match after a failure: a player that may try again is asked until its turn is over."""
        while self._question is not None and self._question.turn == turn:
            self._hear(*self._answer())
        if self._referee.result is None:
            self._do(self._referee.take(Broken(LEFT_OUT)))
        return Failure(turn=turn, offence=offence, reason=reason, steps=steps, events=self._events)

    # -- the player -----------------------------------------------------------------------------

    def _answer(self) -> tuple[Said | None, Micros]:
        """Return the answer to the open question and its time; answers to earlier questions are dropped."""
        question = self._question
        assert question is not None
        self._question = None
        said = self._player.answer(self._left(question.allowance))
        while isinstance(said, Act | Garbled) and said.turn is not None and said.turn < question.turn:
            said = self._player.answer(self._left(question.allowance))
        took = micros_now() - self._asked_at
        if question.allowance is not None and not self._player.in_process:
            took = min(took, question.allowance)  # it was read in time: what is late is None
        return said, took

    def _left(self, allowance: Micros | None) -> Micros | None:
        return None if allowance is None else max(0, self._asked_at + allowance - micros_now())

    def _is_legal(self, said: Said | None, took: Micros) -> bool:
        """Return whether this is a legal move in time."""
        if not isinstance(said, Act) or said.turn not in (None, self._referee.turn):
            return False
        try:
            self._referee.state.check(said.move)
        except IllegalMove:
            return False
        return not self._referee.clocks[self._seat].late(took)

    def _hear(self, said: Said | None, took: Micros) -> None:
        """Pass an answer on to the referee."""
        happening: Happening
        if said is None:
            happening = Lapsed(self._seat)
        elif isinstance(said, Failed):
            happening = said
        else:
            if isinstance(said, Act | Garbled) and said.turn is None:
                said = replace(said, turn=self._referee.turn)
            happening = Heard(self._seat, said, took)
        self._do(self._referee.take(happening))

    # -- the referee ----------------------------------------------------------------------------

    def _make(self, step: Step) -> bool:
        """Carry out a step of the script; return whether the referee did what the script says."""
        referee, turn, before = self._referee, self._referee.turn, len(self._events)
        self._question = None
        if step.kind == "leave":
            self._do(referee.take(Heard(step.seat, Resign("left the match here"))))
            return step.seat in referee.expelled
        if step.kind == "skip":
            for cause in step.causes:
                self._do([effect for effect in referee.take(cause) if not _retries(effect, turn)])
            if step.seat == self._seat and isinstance(step.causes[-1], Lapsed):
                late = Garbled("an answer that came too late")  # its own answer, which was dropped
                self._do(referee.take(Heard(self._seat, late)))
            return any(isinstance(event, Skipped) for event in self._events[before:])
        self._do(referee.take(Heard(step.seat, Act(step.move, turn))))
        moved = [event for event in self._events[before:] if isinstance(event, Moved)]
        return [event.seat for event in moved] == [step.seat]

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Note):
                self._events.append(effect.event)
            elif isinstance(effect, Tell) and effect.seat == self._seat:
                self._asked_at = micros_now()
                self._player.tell(effect.message)
                if isinstance(effect.message, YourTurn):
                    self._question = effect.message
                elif isinstance(effect.message, Begin | Onward):
                    self._unready = True

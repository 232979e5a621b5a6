"""Put the questions of a recorded match to a player, and compare its answers with the recorded ones.

The match goes on as recorded, whatever the player answers. Laws of this file:

1. The player is told what a player of its dialect would have been told at this seat, with the turn numbers
   and the allowances of the record. A referee that is fed the recorded happenings decides what that is.
2. The player's own `ready` decides whether it is told updates and next goals, whatever the recorded player
   wanted: those are the words that its dialect relies on.
3. It is told that an answer was rejected, and asked again, only if it made that same illegal move. Otherwise
   the recorded rejection is about somebody else's mistake, and its one answer stands for the turn.
4. There is no time limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.core.errors import BadInput
from touchline.core.events import Faulted, Moved, Resigned, Skipped
from touchline.core.fold import Fold
from touchline.core.happenings import Failed, Heard, Lapsed, Note, Tell, TookBack
from touchline.core.messages import Act, Begin, Garbled, Onward, Ready, Rejected, Resign, YourTurn
from touchline.core.rules import Guiding, IllegalMove
from touchline.drivers.match import referee_for
from touchline.records.rerun import first_state, rerun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.events import Event
    from touchline.core.happenings import Effect, Happening
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Seat, State
    from touchline.drivers.one_player import OnePlayer, Said
    from touchline.records.replay import Replay


class Compared(Struct, kw_only=True):
    """One question: what the record has for an answer, and what the player answered."""

    turn: int
    recorded: Any = None
    """The recorded move; None if there was none."""
    recorded_fault: str | None = None
    """What was wrong with the recorded answer, or why there was none."""
    answered: Any = None
    """The player's move; None if it gave none."""
    fault: str | None = None
    """What is wrong with the player's answer."""

    @property
    def same(self) -> bool:
        return self.answered is not None and self.answered == self.recorded


def questions(
    replay: Replay, player: OnePlayer, seat: Seat, until: int | None = None, name: str = "the player"
) -> Iterator[Compared]:
    """Put every question of a seat before turn `until` to a player, and yield the answers.

    BadInput, after the last answer, if the player fails, is not ready, or sends what cannot be decoded.
    """
    yield from _Questions(replay, player, seat, until, name).put()


class _Questions:
    """One seat of a recorded match, with another player in it."""

    def __init__(self, replay: Replay, player: OnePlayer, seat: Seat, until: int | None, name: str) -> None:
        self._replay, self._player, self._seat = replay, player, seat
        self._until, self._name = until, name
        self._spec = spec = replay.spec()
        talks = sorted({*replay.begun.talks, seat})
        self._referee = referee_for(spec, first_state(spec, replay), talks)
        self._fold = Fold(self._referee.state, takeback=spec.takeback)
        """The state before the events that have not been carried out yet."""
        self._wish: Ready | None = None
        """What the player said when it was greeted; None if it has not been."""
        self._onward: Onward | None = None
        """The next goal of the player, if it has not been told yet."""
        self._sat = self._over = False
        """Whether the recorded player was ready, and whether to stop here."""
        self._open: Compared | None = None
        self._fatal: str | None = None

    def put(self) -> Iterator[Compared]:
        self._player.propose()
        for happening, _ in rerun(self._replay):
            if happening is None:
                self._carry_out(self._referee.begin(self._spec.refused))
                if self._wish is not None and self._seat not in self._replay.begun.talks:
                    ready = Heard(self._seat, Ready(self._wish.updates))
                    self._carry_out(self._referee.take(ready))
            else:
                yield from self._happened(happening)
            if self._over:
                break
        if self._open is not None:
            self._open.recorded_fault = self._open.recorded_fault or "the match ended before it answered"
            yield self._closed()
        self._check()

    def _happened(self, happening: Happening) -> Iterator[Compared]:
        """Feed the referee a recorded happening; yield the open question if this answers it."""
        ours = _seat_of(happening) == self._seat
        effects = self._referee.take(self._as_wished(happening) if ours else happening)
        if ours and self._open is not None:
            if self._open.turn == self._referee.turn and self._referee.result is None and not self._left():
                effects, again = self._rejected(happening, effects)
                if again:
                    yield self._closed()
            else:
                self._open.recorded, self._open.recorded_fault = _recorded(happening, effects)
                yield self._closed()
            self._check()
        elif ours:
            effects = [effect for effect in effects if not _is(effect, Rejected)]
        elif isinstance(happening, TookBack) and self._open is not None:
            self._open.recorded_fault = "turns were taken back before it answered"
            yield self._closed()
            self._check()
        self._carry_out(effects)

    def _left(self) -> bool:
        return self._seat in self._referee.expelled or self._seat in self._referee.absent

    def _rejected(self, happening: Happening, effects: list[Effect]) -> tuple[list[Effect], bool]:
        """Return what to tell of a recorded answer that is not final, and whether the player gave it, too."""
        open_question = self._open
        assert open_question is not None
        recorded, fault = _recorded(happening, effects)
        if not any(_is(effect, Rejected) for effect in effects):
            return [], False  # an answer to an earlier question, which was ignored
        if open_question.fault is not None and recorded == open_question.answered:
            open_question.recorded, open_question.recorded_fault = recorded, fault
            return effects, True
        return [], False

    def _closed(self) -> Compared:
        closed, self._open = self._open, None
        assert closed is not None
        return closed

    def _check(self) -> None:
        """Raise BadInput if the player cannot go on, once its last question has been reported."""
        if self._fatal is not None and self._open is None:
            raise BadInput(self._fatal, self._name)

    def _as_wished(self, happening: Happening) -> Happening:
        """Return the recorded `ready` with the wishes of the player that is here now."""
        if self._sat or not isinstance(happening, Heard) or not isinstance(happening.said, Ready):
            return happening
        self._sat, wish = True, self._wish or happening.said
        return Heard(self._seat, Ready(wish.updates, happening.said.guided), happening.took)

    def _carry_out(self, effects: list[Effect]) -> None:
        """Tell the player what the referee tells its seat, and read its answers to questions."""
        for effect in effects:
            if isinstance(effect, Note):
                self._send_on()
                self._see(effect.event)
            elif isinstance(effect, Tell) and effect.seat == self._seat:
                self._tell(effect.message)
        self._send_on()

    def _tell(self, message: ToPlayer) -> None:
        if isinstance(message, YourTurn):
            self._send_on()
            self._over = self._over or (self._until is not None and message.turn >= self._until)
        if self._over or isinstance(message, Onward):  # `_send_on` tells it, if the player wants to know
            return
        if isinstance(message, Begin):
            self._player.tell(message)
            self._wish = self._ready("did not say that it is ready")
        elif self._wish is not None:
            self._player.tell(message)
            if isinstance(message, YourTurn):
                self._open = self._ask(message, self._referee.state)

    def _see(self, event: Event) -> None:
        """Follow the state, and note the player's next goal when its seat has reached one."""
        state = self._fold.take(event)
        if isinstance(event, Moved | Skipped) and isinstance(state, Guiding):
            wanted = self._wish is not None and self._wish.guided
            if wanted and state.reached == self._seat:
                self._onward = Onward(event.turn + 1, state.view(self._seat))

    def _send_on(self) -> None:
        """Tell the player its next goal, after the other messages about the move that reached one."""
        message, self._onward = self._onward, None
        if message is not None and not self._over:
            self._player.tell(message)
            self._ready(f"did not confirm its next goal at turn {message.turn}")

    def _ready(self, otherwise: str) -> Ready:
        said = self._player.answer()
        if isinstance(said, Ready):
            return said
        raise BadInput(said.why if isinstance(said, Failed) else f"{otherwise}: {_worded(said)}", self._name)

    def _ask(self, question: YourTurn, state: State) -> Compared:
        """Read the answer to a question, and say what is wrong with it."""
        turn, said = question.turn, self._player.answer()
        while isinstance(said, Act | Garbled) and said.turn is not None and said.turn < turn:
            said = self._player.answer()  # an answer to an earlier question
        asked = Compared(turn=turn)
        if isinstance(said, Act) and said.turn in (None, turn):
            asked.fault = _broken_rule(state, said)
            asked.answered = said.move if _has_json(said.move) else None
        else:
            asked.fault = _worded(said)
            if not isinstance(said, Resign):
                self._fatal = f"turn {turn}: {asked.fault}"
        return asked


def _is(effect: Effect, kind: type[ToPlayer]) -> bool:
    return isinstance(effect, Tell) and isinstance(effect.message, kind)


def _recorded(happening: Happening, effects: list[Effect]) -> tuple[Any, str | None]:
    """Return the move of a recorded answer, and what the referee found wrong with the answer."""
    move = happening.said.move if isinstance(happening, Heard) and isinstance(happening.said, Act) else None
    for effect in effects:
        match effect:
            case Note(Faulted(seat=seat, offence=offence, reason=why)) if seat == _seat_of(happening):
                return move, f"{offence.value}: {why}"
            case Note(Resigned(seat=seat, why=why)) if seat == _seat_of(happening):
                return move, f"resigned: {why}"
    return move, None


def _seat_of(happening: Happening) -> Seat | None:
    return happening.seat if isinstance(happening, Heard | Lapsed | Failed) else None


def _worded(said: Said | None) -> str:
    """Return an answer that is not a move in words."""
    match said:
        case None:
            return "did not answer"
        case Failed(_, _, why):
            return why
        case Garbled(why):
            return f"malformed: {why}"
        case Resign(why):
            return f"resigned: {why}"
        case Act(_, turn):
            return f"malformed: a move for turn {turn}, which was not asked for"
        case Ready():
            return "malformed: it said that it is ready, and was asked for a move"


def _broken_rule(state: State, said: Act) -> str | None:
    try:
        state.check(said.move)
    except IllegalMove as reason:
        return f"illegal: {reason.worded(said.counted_from or 0)}"
    return None


def _has_json(move: Any) -> bool:
    """Return whether a move can be shown; a bot in this process may answer with any object."""
    try:
        msgspec.json.encode(move)
    except Exception:
        return False
    return True

"""Read a record, step through it, and verify it by replaying the match.

Law of this file: only a replay proves a record. The seed in the last line must match the commitment in the
first line, and gives the first state. The referee is fed the input in the record, and must reproduce every
line byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from touchline.core import events, messages, registry
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput, TouchlineError
from touchline.core.events import Begun, Ended, Event, encode
from touchline.core.fold import after
from touchline.core.messages import Act, Ready, Resign
from touchline.core.referee import Broken, Effect, Failed, Happening, Heard, Lapsed, Note
from touchline.drivers.match import Bot, MatchSpec, announced, commitment, opened, referee_for
from touchline.drivers.pipes import Pipes
from touchline.players.process import Program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import Game, Seat, State

MOST_BYTES = 256 << 20
"""The longest record, 256 MiB, because a record is held in memory as a whole."""
_decode = msgspec.json.Decoder(Event).decode


class Replay:
    """A record in memory: the terms, every event, and the result if the match ended.

    >>> import touchline, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> replay = touchline.play("hexapawn", ["random", "greedy"], seed=1, record=path).replay()
    >>> replay
    <Replay hexapawn: random, greedy, 20 events, reached the far row>
    >>> replay.verify()
    """

    def __init__(self, data: bytes, where: str) -> None:
        if len(data) > MOST_BYTES:
            raise BadInput(f"the record is longer than {MOST_BYTES >> 20} MiB", where)
        self.where = where
        *self.lines, cut = data.split(b"\n")
        if cut and self._whole(cut):
            self.lines.append(cut)
        self.events = [self._event(number, line) for number, line in enumerate(self.lines, 1)]
        if not self.events or not isinstance(self.events[0], Begun):
            raise BadInput("a record must begin with the event `begun`", f"{where}, line 1")
        self.begun = self.events[0]
        if self.begun.format != events.FORMAT:
            raise BadInput(
                f"the record has format {self.begun.format}; only {events.FORMAT} is supported",
                f"{where}, line 1",
            )
        last = self.events[-1]
        self.ended = last if isinstance(last, Ended) else None
        try:
            self.game: Game = registry.game(self.begun.game, self.begun.options)
        except TouchlineError as error:
            raise BadInput(str(error), f"{where}, line 1") from None

    @staticmethod
    def _whole(line: bytes) -> bool:
        """Return whether a last line without a newline is a whole event; else the writer was cut off."""
        try:
            _decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return False
        return True

    def _event(self, number: int, line: bytes) -> Event:
        try:
            event: Event = _decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadInput(f"not an event: {error}", f"{self.where}, line {number}") from None
        return event

    def __repr__(self) -> str:
        ending = "not ended" if self.ended is None else self.ended.result.reason
        names = ", ".join(self.begun.names)
        return f"<Replay {self.begun.game}: {names}, {len(self.events)} events, {ending}>"

    def _repr_html_(self) -> str:
        """Return the last position and the result as HTML, for notebooks."""
        from touchline.draw.notebook import html_table
        from touchline.draw.svg import picture, svg
        from touchline.records.story import story

        lines = [] if self.ended is None else story(self.ended.result, self.begun.names)
        *_, (_, last) = self.states()
        drawn = svg(picture((last if last.to_move is None else last.view(None)).sketch()))
        return drawn + html_table([{"result": line} for line in lines], repr(self).strip("<>"))

    def move_of(self, written: Any) -> Any:
        """Return a move of the game from its JSON form in an event."""
        try:
            return msgspec.convert(written, self.game.Move)
        except msgspec.ValidationError:
            return written

    def _proposal(self, written: Any) -> Any:
        try:
            return None if written is None else msgspec.convert(written, self.game.Proposal)
        except (msgspec.ValidationError, TypeError) as error:
            raise BadInput(f"not a proposal: {error}", f"{self.where}, line 1") from None

    def spec(self) -> MatchSpec:
        """Return the terms with the seed. BadInput if the match did not end, so that the seed is unknown."""
        if self.ended is None:
            raise BadInput("the match did not end: without its last line there is no seed", self.where)
        if any(not 0 <= refused.seat < len(self.begun.names) for refused in self.begun.refused):
            raise BadInput("`refused` names a seat that does not exist", f"{self.where}, line 1")
        return MatchSpec(
            game=self.game,
            names=self.begun.names,
            conduct=self.begun.conduct,
            limits=self.begun.limits,
            seed=self.ended.seed,
            nonce=self.ended.nonce,
            turn_cap=self.begun.turn_cap,
            isolation=self.begun.isolation,
            proposals=tuple(map(self._proposal, self.begun.proposals)),
            refused=self.begun.refused,
        )

    def opening(self) -> State:
        """Return the first state: from the seed or, if the match did not end and hides nothing, line 1."""
        if self.ended is not None or self.game.hidden:
            return opened(self.spec())
        try:
            return self.game.restore(msgspec.convert(self.begun.position, self.game.Position))
        except (msgspec.ValidationError, ValueError) as error:
            raise BadInput(f"not a position of this game: {error}", f"{self.where}, line 1") from None

    def states(self) -> Iterator[tuple[Event, State]]:
        """Yield every event with the state after it. BadInput names a line that breaks the rules."""
        state = self.opening()
        for number, event in enumerate(self.events, 1):
            try:
                state = after(state, self._checked(state, event))
            except Exception as error:  # a record that is not verified can fail in any way
                raise BadInput(f"impossible event: {error}", f"{self.where}, line {number}") from None
            yield event, state

    def _checked(self, state: State, event: Event) -> Event:
        """Return the event with its move decoded. IllegalMove if the rules forbid it."""
        if not isinstance(event, events.Moved):
            return event
        move = self.move_of(event.move)
        state.check(move)
        return replace(event, move=move)

    def verify(self) -> None:
        """Replay the match. BadInput names the first line that differs."""
        spec = self.spec()
        if commitment(spec.seed, spec.nonce) != self.begun.commitment:
            raise BadInput("the seed does not match the commitment in line 1", self.where)
        try:
            state = opened(spec)
        except TouchlineError as error:
            raise BadInput(str(error), f"{self.where}, line 1") from None
        talks = self.begun.talks
        referee = referee_for(spec, state, talks)
        said = [encode(announced(spec, state, talks)), *_lines(referee.begin(spec.refused))]
        for number, (line, event) in enumerate(zip(self.lines, self.events, strict=True)):
            if number == len(said):
                happening = self._happening(event)
                if happening is None:
                    raise BadInput("no input can have caused this event", f"{self.where}, line {number + 1}")
                said += _lines(referee.take(happening))
            if number >= len(said) or said[number] != line:
                again = said[number].decode() if number < len(said) else "nothing"
                raise BadInput(f"replayed, this line is {again}", f"{self.where}, line {number + 1}")
        if len(said) != len(self.lines):
            raise BadInput("replayed, the match goes on after the last line", self.where)

    def _happening(self, event: Event) -> Happening | None:
        """Return the input that made the referee note this event; None if no input does."""
        if not 0 <= getattr(event, "seat", 0) < len(self.begun.names):
            return None
        match event:
            case events.SatDown(seat, updates, took, guided):
                return Heard(seat, Ready(updates, guided), took)
            case events.SentOn(_, seat, took):
                return Heard(seat, Ready(), took)
            case events.Resigned(_, seat, why):
                return Heard(seat, Resign(why))
            case events.Moved(turn, seat, move, took, wire, "seat"):
                return Heard(seat, Act(self.move_of(move), turn), took, wire)
            case events.Faulted(_, seat, offence, reason, _, said, took):
                if said is not None:
                    if isinstance(said, Act):
                        said = replace(said, move=self.move_of(said.move))
                    return Heard(seat, said, took)
                return Lapsed(seat) if offence is Offence.LATE else Failed(seat, offence, reason)
            case events.Ignored(_, seat, said):
                if isinstance(said, Act):
                    said = replace(said, move=self.move_of(said.move))
                return Heard(seat, said)
            case Ended(result):
                return Broken(result.reason) if result.verdict == "void" else None
        return None


def _lines(effects: list[Effect]) -> list[bytes]:
    return [encode(effect.event) for effect in effects if isinstance(effect, Note)]


def questions(
    replay: Replay, player: Bot | Program, seat: Seat, until: int | None
) -> Iterator[tuple[int, Any, Any]]:
    """Ask a player every question of a seat again; yield the turn, the recorded move and the new answer.

    The match continues as recorded. BadInput if a program exits or sends what cannot be decoded.
    """
    asker = _Program(replay, player, seat) if isinstance(player, Program) else player
    state = opened(replay.spec())
    for event, following in replay.states():
        if isinstance(event, events.Moved):
            if until is not None and event.turn >= until:
                return
            if event.seat == seat and event.by == "seat":
                yield event.turn, replay.move_of(event.move), asker.choose(state.view(seat), event.turn)
        state = following


class _Program:
    """A program with the interface of an in-process bot, and without time limits."""

    def __init__(self, replay: Replay, program: Program, seat: Seat) -> None:
        self._program, self._pipes = program, Pipes({seat: program}, replay.game)
        self._seat, self._turn = seat, 0
        view = opened(replay.spec()).view(seat)
        said = self._answer(messages.Begin(seat, replay.begun.names, view))
        if not isinstance(said, Ready):
            raise BadInput(f"did not say that it is ready: {said}", " ".join(program.command))

    def choose(self, view: Any, turn: int = 0) -> Any:
        said = self._answer(messages.YourTurn(self._turn, view, None))
        self._turn += 1
        if not isinstance(said, Act):
            raise BadInput(f"did not answer with a move: {said}", " ".join(self._program.command))
        return said.move

    def _answer(self, message: messages.ToPlayer) -> messages.FromPlayer:
        self._pipes.tell(self._seat, message)
        arrival, *_ = self._pipes.wait(None)
        if isinstance(arrival.what, Failed):
            raise BadInput(arrival.what.why, " ".join(self._program.command))
        return arrival.what

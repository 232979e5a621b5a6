"""Read a record, step through it, and replay the match.

Law of this file: only a replay shows that a record follows from the rules. The seed must match the commitment
in the first line, and gives the first state. The referee is fed the input in the record, and must reproduce
every line byte for byte.
"""

from __future__ import annotations

import contextlib
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from touchline.core import events, registry
from touchline.core.conduct import LATENESS, Offence
from touchline.core.errors import BadInput, TouchlineError
from touchline.core.events import FORMATS, Begun, Ended, Event, encode
from touchline.core.fold import Fold
from touchline.core.happenings import (
    Broken,
    Effect,
    Failed,
    Happening,
    Heard,
    Lapsed,
    Note,
    Restarted,
    TookBack,
)
from touchline.core.messages import Act, Ready, Resign
from touchline.core.text import clipped
from touchline.drivers.match import MatchSpec, announced, commitment, opened, referee_for
from touchline.records.fast_replay import follows_quickly
from touchline.records.recorder import SEALED, Seal
from touchline.records.side_file import read_secret, side_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from touchline.core.rules import Game, State
    from touchline.records.side_file import Secret

MOST_BYTES = 256 << 20
"""The longest record, 256 MiB, because a record is held in memory as a whole."""
MOST_LINE = 4 << 20
"""The longest line of a record, 4 MiB: the position of the largest board has a hundredth of it."""
MOST_LINES = 1_000_000
"""The most lines of a record; a match of 20,000 turns has a twentieth of them."""
_decode = msgspec.json.Decoder(Event).decode
_decode_lines = msgspec.json.Decoder(Event).decode_lines
_decode_seal = msgspec.json.Decoder(Seal).decode
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def split_records(data: bytes) -> list[bytes]:
    """Split the bytes of a file with several records; each but the last ends with its seal.

    >>> split_records(b'a\\n{"type":"sealed"}\\nb\\n')
    [b'a\\n{"type":"sealed"}\\n', b'b\\n']
    """
    parts, start = list[bytes](), 0
    while (seal := data.find(b"\n" + SEALED, start)) >= 0:
        end = data.find(b"\n", seal + 1) + 1
        if not end:
            break
        parts.append(data[start:end])
        start = end
    return [*parts, data[start:]] if start < len(data) or not parts else parts


class Replay:
    """A record in memory: the terms, every event, and the result if the match ended.

    >>> import touchline, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> replay = touchline.play("hexapawn", ["random", "greedy"], seed=1, record=path).replay()
    >>> replay
    <Replay hexapawn: random, greedy, 20 events, reached the far row>
    >>> replay.verify()
    """

    def __init__(self, data: bytes, where: str, secret: Secret | None = None) -> None:
        """`secret` is the side file of a match that did not end, if it is there."""
        if len(data) > MOST_BYTES:
            raise BadInput(f"the record is longer than {MOST_BYTES >> 20} MiB", where)
        if data.count(b"\n") > MOST_LINES:
            raise BadInput(f"the record has more than {MOST_LINES:,} lines", where)
        self.where, self._secret = where, secret
        *self.lines, rest = data.split(b"\n")
        if _is_old_end(rest):
            self.lines.append(rest)
            rest = b""
        self.seal, body = self._split_seal(data)
        self.digest = hashlib.sha256(body).hexdigest()
        """The SHA-256 of all bytes but the seal."""
        self.events = self._decoded()
        if not self.events or not isinstance(self.events[0], Begun):
            raise BadInput("a record must begin with the event `begun`", f"{where}, line 1")
        self.begun = self.events[0]
        if self.begun.format not in FORMATS:
            raise BadInput(
                f"the record has format {self.begun.format}, and this touchline reads the formats "
                f"{FORMATS[0]} to {FORMATS[-1]}: get a newer touchline",
                f"{where}, line 1",
            )
        last = self.events[-1]
        self.ended = last if isinstance(last, Ended) else None
        self._check_end(rest)
        self.written = b"".join(line + b"\n" for line in self.lines)
        """The whole lines, without the seal."""
        try:
            self.game = _game(self.begun.game, msgspec.json.encode(self.begun.options))
        except TouchlineError as error:
            raise BadInput(str(error), f"{where}, line 1") from None

    @classmethod
    def read(cls, path: Path) -> Replay:
        """Read the record in a file, with its side file if the match did not end."""
        return cls(read_file(path), str(path), read_secret(side_file(path)))

    def _split_seal(self, data: bytes) -> tuple[Seal | None, bytes]:
        """Return the seal and the bytes before it; removes it from the lines."""
        if not self.lines or not self.lines[-1].startswith(SEALED):
            return None, data
        line = self.lines.pop()
        try:
            seal = _decode_seal(line)
        except _UNREADABLE as error:
            raise BadInput(f"not a seal: {error}", f"{self.where}, line {len(self.lines) + 1}") from None
        if encode(seal) != line:
            raise BadInput("the seal is not as it is written", f"{self.where}, line {len(self.lines) + 1}")
        return seal, data[: -len(line) - 1]

    def _check_end(self, rest: bytes) -> None:
        """Raise BadInput if anything follows the end of the match, or if a seal has no end before it."""
        place = f"{self.where}, line {len(self.lines) + (self.seal is not None) + 1}"
        if self.seal is not None and (rest or self.ended is None or self.begun.format == 1):
            raise BadInput(
                "a seal must be the last line, after the end of a match of format 2 or later", place
            )
        if self.ended is not None and rest and not _is_cut_seal(rest):
            raise BadInput("something follows the end of the match", place)

    def _decoded(self) -> list[Event]:
        """Return the events: decoded with one call, or line by line to name the one that fails."""
        data = b"\n".join(self.lines)
        # One object in each line: an object that goes on in the next line has no `}` before it and `{` after.
        plain = data[:1] == b"{" and data[-1:] == b"}" and data.count(b"}\n{") == len(self.lines) - 1
        if plain and max(map(len, self.lines)) <= MOST_LINE:
            with contextlib.suppress(*_UNREADABLE):
                found = _decode_lines(data)
                if len(found) == len(self.lines):
                    return found
        return [self._event(number, line) for number, line in enumerate(self.lines, 1)]

    def _event(self, number: int, line: bytes) -> Event:
        try:
            if len(line) > MOST_LINE:
                raise msgspec.ValidationError(f"the line is longer than {MOST_LINE >> 20} MiB")
            event: Event = _decode(line)
        except _UNREADABLE as error:
            raise BadInput(f"not an event: {error}", f"{self.where}, line {number}") from None
        return event

    def __repr__(self) -> str:
        ending = "not ended" if self.ended is None else self.ended.result.reason
        names = ", ".join(self.begun.names)
        return f"<Replay {self.begun.game}: {names}, {len(self.events)} events, {ending}>"

    def _repr_html_(self) -> str:
        """Return the last position and the result as HTML, for notebooks."""
        from touchline.draw.notebook import html_table
        from touchline.draw.sheet import sheet_of
        from touchline.draw.svg import picture, svg
        from touchline.records.story import LastMover, story

        mover = LastMover(self.events).seat
        lines = [] if self.ended is None else story(self.ended.result, self.begun.names, mover)
        *_, (_, last) = self.states()
        sketch = (last if last.to_move is None else last.view(None)).sketch()
        drawn = svg(picture(sketch, sheet_of(type(self.game))))
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

    def _check_seats(self) -> None:
        """Raise BadInput if a list of the first line does not fit the number of seats."""
        begun, where = self.begun, f"{self.where}, line 1"
        if any(not 0 <= refused.seat < len(begun.names) for refused in begun.refused):
            raise BadInput("`refused` names a seat that does not exist", where)
        if sorted({*begun.talks}.intersection(range(len(begun.names)))) != sorted(begun.talks):
            raise BadInput("`talks` names a seat twice, or one that does not exist", where)
        untimed = begun.limits.untimed or ()
        if sorted({*untimed}.intersection(range(len(begun.names)))) != sorted(untimed):
            raise BadInput("`limits.untimed` names a seat twice, or one that does not exist", where)
        if begun.dialects and len(begun.dialects) != len(begun.names):
            raise BadInput("there must be as many dialects as names", where)
        if len(begun.proposals) > len(begun.names):
            raise BadInput("there must not be more proposals than names", where)

    @property
    def has_seed(self) -> bool:
        """Whether the seed is known, from the last line or the side file."""
        return self.ended is not None or self._secret is not None

    def spec(self) -> MatchSpec:
        """Return the terms with the seed. BadInput if the match did not end, and its side file is missing."""
        revealed = self.ended or self._secret
        if revealed is None:
            raise BadInput(
                "the match did not end: without its last line or its side file there is no seed", self.where
            )
        self._check_seats()
        dialects = () if self.begun.dialects is UNSET else self.begun.dialects
        return MatchSpec(
            game=self.game,
            names=self.begun.names,
            conduct=self.begun.conduct,
            limits=self.begun.limits,
            seed=revealed.seed,
            nonce=revealed.nonce,
            seed_given=self.begun.seed_given is not False,
            dialects=dialects if any(dialects) else (),
            modules=() if self.begun.modules is UNSET else self.begun.modules,
            format=self.begun.format,
            turn_cap=self.begun.turn_cap,
            isolation=() if not any(self.begun.isolation) else self.begun.isolation,
            ponders=self.begun.ponders is not False,
            proposals=tuple(map(self._proposal, self.begun.proposals)),
            refused=self.begun.refused,
            opening=() if self.begun.opening is UNSET else tuple(map(self.move_of, self.begun.opening)),
            takeback=self.begun.takeback is True,
        )

    def opening(self) -> State:
        """Return the first state: from the seed or, if the match did not end and hides nothing, line 1."""
        if self.ended is not None or self._secret is not None or self.game.hidden:
            return opened(self.spec())
        try:
            return self.game.restore(msgspec.convert(self.begun.position, self.game.Position))
        except (msgspec.ValidationError, ValueError) as error:
            raise BadInput(f"not a position of this game: {error}", f"{self.where}, line 1") from None

    def states(self) -> Iterator[tuple[Event, State]]:
        """Yield every event with the state after it. BadInput names a line that breaks the rules."""
        fold = Fold(self.opening())
        for number, event in enumerate(self.events, 1):
            try:
                state = fold.take(self._checked(fold.state, event))
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
        """Replay the match. BadInput names the first line that differs.

        A match that did not end is replayed as far as it came, if its side file is there.
        """
        spec = self.spec()
        if not follows_quickly(self, spec):
            self.verify_by_line(spec)

    def verify_by_line(self, spec: MatchSpec) -> None:
        """Replay the match, and compare line by line. BadInput names the first line that differs."""
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
                happening = self.happening_of(event)
                if happening is None:
                    raise BadInput("no input can have caused this event", f"{self.where}, line {number + 1}")
                said += _lines(referee.take(happening))
            if number >= len(said) or said[number] != line:
                again = clipped(said[number].decode(), 500) if number < len(said) else "nothing"
                raise BadInput(f"replayed, this line is {again}", f"{self.where}, line {number + 1}")
        if self.ended is not None and len(said) != len(self.lines):
            raise BadInput("replayed, the match goes on after the last line", self.where)

    def happening_of(self, event: Event) -> Happening | None:
        """Return the input that made the referee note this event; None if no input does."""
        if not 0 <= getattr(event, "seat", 0) < len(self.begun.names):
            return None
        match event:
            case events.SatDown(seat, updates, took, guided, raw):
                return Heard(seat, Ready(updates, guided), took, 0, raw, UNSET, event.fuel)
            case events.SentOn(_, seat, took):
                return Heard(seat, Ready(), took)
            case events.Resigned(_, seat, why, raw):
                return Heard(seat, Resign(why), 0, 0, raw, UNSET, event.fuel)
            case events.Moved(turn, seat, move, took, wire, "seat", raw, cpu, fuel):
                return Heard(seat, Act(self.move_of(move), turn), took, wire, raw, cpu, fuel)
            case events.Faulted(_, seat, offence, reason, _, said, took, raw, cpu, fuel):
                if said is not None:
                    if isinstance(said, Act):
                        said = replace(said, move=self.move_of(said.move))
                    return Heard(seat, said, took, 0, raw, cpu, fuel, offence is Offence.OUT_OF_TURN)
                if offence in LATENESS:
                    return Lapsed(seat, offence is Offence.STARVED, cpu, fuel, reason)
                return Failed(seat, offence, reason)
            case events.Ignored(_, seat, said, raw):
                if isinstance(said, Act):
                    said = replace(said, move=self.move_of(said.move))
                return Heard(seat, said, 0, 0, raw, UNSET, event.fuel)
            case events.TakenBack(_, seat, to):
                return TookBack(seat, to)
            case events.Resumed():
                return Restarted()
            case Ended(result):
                return Broken(result.reason) if result.verdict == "void" else None
        return None


@lru_cache(maxsize=64)
def _game(name: str, options: bytes) -> Game:
    """Return a game; cached, because many records are of the same game, and checking options is slow."""
    return registry.game(name, msgspec.json.decode(options))


def read_file(path: Path) -> bytes:
    """Return the bytes of a file of records. BadInput if it cannot be read, or is too long."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", str(path)) from None
    if len(data) > MOST_BYTES:
        raise BadInput(f"the file is longer than {MOST_BYTES >> 20} MiB", str(path))
    return data


def _is_old_end(rest: bytes) -> bool:
    """Return whether a last line without a newline is the end of a match of format 1."""
    try:
        return bool(rest) and isinstance(_decode(rest), Ended)
    except _UNREADABLE:
        return False


def _is_cut_seal(rest: bytes) -> bool:
    """Return whether these bytes are the beginning of a seal: the writer was killed before it was done."""
    return rest.startswith(SEALED) or SEALED.startswith(rest)


def _lines(effects: list[Effect]) -> list[bytes]:
    return [encode(effect.event) for effect in effects if isinstance(effect, Note)]

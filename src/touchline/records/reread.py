"""Read the raw messages of a record again, with the dialects as they are in this version.

A dialect has state: what a frame means may depend on what the player was told before. So a referee is fed the
recorded happenings, each seat's dialect is told what the referee tells the seat, and hears the recorded
frames.

Laws of this file:

1. A record does not say whether a frame came just before or just after a message was sent to its player. A
   message is read differently only if no order gives the recorded reading.
2. Nothing is invented. Where the raw message is missing or was cut, what was understood then stands.
"""

from __future__ import annotations

from collections import Counter, deque
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from touchline.core import events, registry
from touchline.core.errors import TouchlineError
from touchline.core.happenings import Happening, Heard, Note, Tell
from touchline.core.messages import Act, FromPlayer, Garbled, Ready, Resign
from touchline.core.referee import recordable
from touchline.core.rules import Seat
from touchline.core.text import beginnings_of, clipped, frames_of
from touchline.records.rerun import rerun

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Event
    from touchline.core.happenings import Effect
    from touchline.core.messages import ToPlayer
    from touchline.dialects.base import Dialect
    from touchline.records.replay import Replay

MOST_ORDERS = 64
"""Orders of a frame and the messages to its player that are tried, at most."""

NO_RAW = "there is no raw message"
NO_DIALECT = "no dialect of the player is known"
CUT = "the raw message was cut"
FAILED = "the dialect failed"
OUT_OF_STEP = "an earlier message of the seat could not be read again"


class Reading(Struct, frozen=True, kw_only=True):
    """A message that is read differently now."""

    line: int
    """The line of the record, counted from 1."""
    turn: int
    seat: Seat
    name: str
    then: FromPlayer
    now: tuple[FromPlayer, ...]
    """What the frames say now: usually one message, but it may be none or several."""


class Rereading(Struct, frozen=True, kw_only=True):
    """The messages of a match as this version reads them."""

    happened: tuple[tuple[Happening, ...], ...]
    """For each recorded happening what it is now."""
    readings: tuple[Reading, ...]
    """The messages that are read differently."""
    reread: int
    """The number of messages that were read again."""
    not_reread: dict[str, int]
    """The number of messages that were not, by the reason."""


def reread(replay: Replay) -> Rereading:
    """Read the raw messages of a record again. BadInput if the record does not follow from the rules.

    >>> import touchline, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> replay = touchline.play("hexapawn", ["seed-002+random", "random"], seed=1, record=path).replay()
    >>> again = reread(replay)
    >>> again.readings, again.reread, again.not_reread
    ((), 10, {'there is no raw message': 8})
    """
    return _Rereader(replay).run()


class _Rereader:
    """One record that is read again."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._listeners = _listeners(replay)
        self._readings: list[Reading] = []
        self._not_reread: Counter[str] = Counter()
        self._reread, self._line = 0, 2

    def run(self) -> Rereading:
        now = list[tuple[Happening, ...]]()
        for happening, effects in rerun(self._replay):
            if isinstance(happening, Heard):
                now.append(self._again(happening, effects))
            elif happening is not None:
                now.append((happening,))
            self._tell(effects)
        return Rereading(
            happened=tuple(now), readings=tuple(self._readings), reread=self._reread,
            not_reread=dict(self._not_reread),
        )  # fmt: skip

    def _tell(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Tell) and (listener := self._listeners.get(effect.seat)) is not None:
                listener.tell(effect.message)
            elif isinstance(effect, Note):
                self._line += 1

    def _again(self, heard: Heard, effects: list[Effect]) -> tuple[Happening, ...]:
        """Return a recorded message as it is read now."""
        noted = next(effect.event for effect in effects if isinstance(effect, Note))
        kind, listener = self._replay.game.Move, self._listeners.get(heard.seat)
        said, why = _read(heard, listener, lambda said: _same(heard.said, said, noted, kind))
        if listener is not None and listener.in_step and said is None and isinstance(noted, events.SentOn):
            listener.hear_confirmation()
        if said is None:
            self._not_reread[why] += 1
            return (heard,)
        self._reread += 1
        if len(said) == 1 and _same(heard.said, said[0], noted, kind):
            return (heard,)
        now = tuple(recordable(one, kind) for one in said)
        self._readings.append(
            Reading(
                line=self._line, turn=_turn(noted), seat=heard.seat,
                name=self._replay.begun.names[heard.seat], then=heard.said, now=now,
            )
        )  # fmt: skip
        return tuple(replace(heard, said=one) for one in said)


def _turn(noted: Event) -> int:
    """Return the turn of an event; 0 before the first."""
    return 0 if isinstance(noted, events.Begun | events.SatDown | events.Ended) else noted.turn


def _listeners(replay: Replay) -> dict[Seat, _Listener]:
    """Return a listener for each seat whose dialect is known here."""
    listeners: dict[Seat, _Listener] = {}
    for seat, name in enumerate(replay.begun.dialects or ()):
        if name is None or name not in registry.DIALECTS:
            continue
        try:
            kind = registry.dialect(name)
            if not kind.games or replay.game.name in kind.games:
                listeners[seat] = _Listener(kind, replay.game)
        except TouchlineError:  # it cannot be loaded, or has no words for this game now
            continue
    return listeners


def _read(
    heard: Heard, listener: _Listener | None, same: Callable[[FromPlayer], bool]
) -> tuple[tuple[FromPlayer, ...] | None, str]:
    """Return what a message says now; or None, and why it is not read again."""
    if listener is None:
        return None, NO_RAW if heard.raw is UNSET else NO_DIALECT
    if not listener.in_step:
        return None, OUT_OF_STEP
    try:
        if heard.raw is not UNSET and frames_of(heard.raw) is None:
            listener.hear_cut(heard)
            return None, CUT
        return listener.read(heard, same), NO_RAW
    except Exception:  # a forged record may name any dialect, and a plug-in may fail
        listener.in_step = False
        return None, FAILED


class _Listener:
    """The dialect of one seat, which is told what the seat was told, and hears its frames."""

    def __init__(self, kind: type[Dialect], game: Any) -> None:
        self._game = game
        self._ahead = kind(game)
        """Tries the usual order first: a frame comes after all messages that were sent before it."""
        self._dialect = kind(game)
        """Follows when the order is known, so that another one can be tried on a copy."""
        self._unsaid: list[ToPlayer] = []
        """Messages that the referee sent after the last frame that was heard."""
        self._more: deque[FromPlayer] = deque()
        """Messages that were read and are not in use yet: one frame may say several."""
        self.in_step = True

    def tell(self, message: ToPlayer) -> None:
        self._unsaid.append(message)

    def read(self, heard: Heard, same: Callable[[FromPlayer], bool]) -> tuple[FromPlayer, ...] | None:
        """Return what the frames of a message say now; None if there is no frame that says it."""
        if heard.raw is UNSET:
            return (self._more.popleft(),) if self._more else self._said_for_it()
        frames = frames_of(heard.raw)
        assert frames is not None
        extra, waited, usual = [*self._more], heard.took + heard.wire, len(self._unsaid)
        self._more.clear()
        said, told = self._exchanged(self._ahead, frames, waited, usual), usual
        if said and same(said[0]):
            self._exchanged(self._dialect, frames, waited, usual)
        else:
            said, told = self._in_another_order(frames, waited, same) or (said, usual)
            if told == usual:
                self._exchanged(self._dialect, frames, waited, usual)
        self._unsaid = self._unsaid[told:]
        self._more.extend(said[1:])
        return (*extra, *said[:1])

    def _in_another_order(
        self, frames: Sequence[bytes], waited: Micros, same: Callable[[FromPlayer], bool]
    ) -> tuple[list[FromPlayer], int] | None:
        """Return what the frames say if they came before the last messages, and the number of those before.

        None if no such order gives the recorded reading.
        """
        usual = len(self._unsaid)
        for told in range(usual - 1, max(-1, usual - MOST_ORDERS), -1):
            tried = self._copy(self._dialect)
            said = self._exchanged(tried, frames, waited, told)
            if said and same(said[0]):
                self._dialect, self._ahead = tried, self._copy(tried)
                return said, told
        return None

    def _exchanged(
        self, dialect: Dialect, frames: Sequence[bytes], waited: Micros, told: int
    ) -> list[FromPlayer]:
        """Tell a dialect `told` messages, let it hear the frames, and return what they say."""
        said = [one for message in self._unsaid[:told] for one in dialect.say(message).said]
        return said + [one for frame in frames for one in dialect.hear(frame, waited).said]

    def _copy(self, dialect: Dialect) -> Dialect:
        return deepcopy(dialect, {id(self._game): self._game})

    def _said_for_it(self) -> tuple[FromPlayer, ...] | None:
        """Return what the dialect says in place of its player, whose protocol has no word for it."""
        for told in range(1, len(self._unsaid) + 1):
            if said := self._ahead.say(self._unsaid[told - 1]).said:
                self._exchanged(self._dialect, (), 0, told)
                self._unsaid = self._unsaid[told:]
                self._more.extend(said[1:])
                return (said[0],)
        self._ahead = self._copy(self._dialect)
        return None

    def hear_confirmation(self) -> None:
        """Hear that the player confirms its next goal; a record does not keep it, as it tells of a goal."""
        frame = self._dialect.confirmation
        if frame is None:
            self.in_step = False
            return
        for dialect in (self._ahead, self._dialect):
            self._exchanged(dialect, [frame], 0, len(self._unsaid))
        self._unsaid = []

    def hear_cut(self, heard: Heard) -> None:
        """Hear a message that was cut, as far as it was kept, so that the dialect stays in step."""
        frames = None if heard.raw is UNSET else beginnings_of(heard.raw)
        if frames is None:
            self.in_step = False
            return
        for dialect in (self._ahead, self._dialect):
            self._exchanged(dialect, frames, heard.took + heard.wire, len(self._unsaid))
        self._unsaid = []


def _same(then: FromPlayer, now: FromPlayer, noted: Event, kind: Any) -> bool:
    """Return whether two readings of a message are the same; the words of an error do not count.

    `noted` is the event of the recorded reading, which does not keep all of it.
    """
    match then, recordable(now, kind):
        case Act() as before, Act() as after:
            if isinstance(noted, events.Moved):
                return bool(before.move == after.move) and after.turn in (None, before.turn)
            return before == after
        case Garbled() as before, Garbled() as after:
            return (before.turn, before.owed) == (after.turn, after.owed)
        case Ready() as before, Ready() as after:
            return isinstance(noted, events.SentOn) or before == after
        case Resign(why), Resign(again):
            return why == clipped(again)
    return False

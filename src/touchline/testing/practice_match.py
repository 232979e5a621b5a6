"""A practice match for authors of players: one seat is played by hand, and every frame is explained.

The match runs in memory, without I/O or time. House players sit at the other seats, and a callback decides
what the own seat does. Law of this file: the callback is given what an honest player would send.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import asdict, replace

from touchline.core import events
from touchline.core.conduct import Offence, Sanction
from touchline.core.events import Refused
from touchline.core.happenings import Failed, Heard, Lapsed, Note, Tell
from touchline.core.messages import Expelled, Garbled, Over
from touchline.drivers.match import opened, referee_for
from touchline.testing.transcript import Deed, word_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from touchline.core.events import Event, Result
    from touchline.core.happenings import Effect, Happening
    from touchline.core.messages import FromPlayer
    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect, Exchange
    from touchline.drivers.match import MatchSpec

COSTS = {
    Sanction.RETRY: "you may try again",
    Sanction.SKIP: "your turn is taken away",
    Sanction.DEFAULT: "the referee makes the game's default move for you",
    Sanction.RANDOM: "the referee makes a random move for you",
    Sanction.EXPEL: "you are out, and the others play on",
    Sanction.FORFEIT: "you lose the match",
    Sanction.VOID: "the match is over and does not count",
}
"""The meaning of each sanction for the player that gets it."""
SIGN_UP = "you sign up after connecting; a program over pipes does not sign up"
CLOSED = "the referee closes your connection without a message"


class Explained(NamedTuple):
    """A frame in one direction with its meaning; without a frame, a note of the referee."""

    source: Literal["referee", "player"]
    frame: bytes | None
    means: str


Ask: TypeAlias = "Callable[[Sequence[bytes]], bytes | Deed]"
"""Given the frames an honest player would send, return a frame to send instead, or a deed."""


def in_words(move: Any, counted_from: int = 0) -> str:
    """Return a move in plain words, with rows and columns counted from `counted_from`.

    >>> from touchline.games.hexapawn import Step
    >>> in_words(Step((0, 1), (1, 1)))
    'step, origin row 0 column 1, target row 1 column 1'
    """
    if not isinstance(move, msgspec.Struct):
        return str(move)
    fields = [f"{name} {_value(value, counted_from)}" for name, value in asdict(move).items()]
    return ", ".join([type(move).__name__.lower(), *fields])


def _value(value: Any, counted_from: int) -> str:
    match value:
        case (int(row), int(column)):
            return f"row {row + counted_from} column {column + counted_from}"
    return str(value)


class PracticeMatch:
    """One practice match: `ask` decides for seat `mine`, and `tell` gets every frame with its meaning."""

    def __init__(
        self,
        spec: MatchSpec,
        dialect: type[Dialect],
        bots: Sequence[Any],
        mine: Seat,
        ask: Ask,
        tell: Callable[[Explained], None],
    ) -> None:
        self._spec, self._dialect, self._mine, self._ask, self._tell = spec, dialect, mine, ask, tell
        rngs = [Random(f"{spec.seed} {seat}") for seat in range(len(bots))]
        self._faces = [dialect.face(bot, rng=rng) for bot, rng in zip(bots, rngs, strict=True)]
        self._dialects: list[Dialect] = [dialect(spec.game) for _ in bots]
        self._referee: Any = None
        self._sent: deque[tuple[Seat, bytes]] = deque()
        self._happened: deque[Happening] = deque()
        self._honest: list[bytes] = []
        """Frames that an honest player would have sent, and that were not sent."""
        self._closed = self._gone = False
        self.last_word = ""
        """The name of the last message to the own seat; empty if it was closed without one."""

    def run(self) -> Result:
        """Play from the sign-up to the last message, and return the result."""
        self._sign_up()
        spec = self._proposed()
        self._referee = referee_for(spec, opened(spec), range(len(spec.names)))
        self._do(self._referee.begin(spec.refused))
        while self._happened or self._sent or self._referee.result is None:
            if self._happened:
                self._do(self._referee.take(self._happened.popleft()))
            elif self._sent:
                self._deliver(*self._sent.popleft())
            elif self._mine in self._referee.awaited:
                self._remind()
            else:
                self._do(self._referee.take(Lapsed(min(self._referee.awaited))))
        result: Result = self._referee.result
        return result

    # -- before the match ---------------------------------------------------------------------

    def _sign_up(self) -> None:
        name = self._spec.names[self._mine]
        for frame in self._faces[self._mine].sign_up(name):
            self._tell(Explained("player", frame, SIGN_UP))
        for frame in self._dialect.welcome(name, "0" * 32):
            self._tell(Explained("referee", frame, self._dialect.words[word_of(frame)]))

    def _proposed(self) -> MatchSpec:
        """Ask every seat for a board where the dialect can, and return the spec with the proposals."""
        proposals, refused = [], []
        for seat, dialect in enumerate(self._dialects):
            if not dialect.proposes:
                return self._spec
            (frame,) = dialect.propose().frames
            why = self._propose(seat, frame)
            if why is not None:
                refused.append(why)
                self._gone = True
            proposals.append(dialect.proposal)
        return replace(self._spec, proposals=tuple(proposals), refused=tuple(refused))

    def _propose(self, seat: Seat, frame: bytes) -> Refused | None:
        """Ask one seat for a board; return why the seat is refused, or None if it is not."""
        honest = self._faces[seat].hear(frame)
        if seat != self._mine:
            self._dialects[seat].hear(honest[0])
            return None
        self._explain(frame)
        deed = self._ask(honest)
        if deed in (Deed.LATE, Deed.GONE):
            offence = Offence.LATE if deed is Deed.LATE else Offence.GONE
            refused = Refused(seat, offence, "proposed no board")
            self._tell(Explained("player", None, self._cost(offence, refused.why)))
            return refused
        answer = deed if isinstance(deed, bytes) else honest[0]
        (said,) = self._dialects[seat].hear(answer).said
        if isinstance(said, Garbled):
            self._tell(Explained("player", answer, self._cost(Offence.MALFORMED, said.why)))
            return Refused(seat, Offence.MALFORMED, said.why)
        suits = self._dialects[seat].proposal is not None
        self._tell(
            Explained("player", answer, f"a board that {'suits' if suits else 'does not suit'} the game")
        )
        return None

    def _cost(self, offence: Offence, why: str) -> str:
        return _offended(offence, why, self._spec.conduct.ladder(offence).sanction(1))

    # -- the match ----------------------------------------------------------------------------

    def _do(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Note):
                self._note(effect.event)
            elif isinstance(effect, Tell):
                exchange = self._dialects[effect.seat].say(effect.message)
                self._exchange(effect.seat, exchange)
                if effect.seat == self._mine and isinstance(effect.message, Expelled | Over):
                    self._close(isinstance(effect.message, Expelled), exchange)

    def _close(self, expelled: bool, exchange: Exchange) -> None:
        """Mark the own seat as finished, and say so if its dialect has no last message."""
        self._closed = True
        waiting = self._dialects[self._mine].owes and not expelled
        if not exchange.frames and not waiting:
            self.last_word = ""
            if not self._gone:
                self._tell(Explained("referee", None, CLOSED))

    def _exchange(self, seat: Seat, exchange: Exchange) -> None:
        self._sent += [(seat, frame) for frame in exchange.frames]
        self._happened += [Heard(seat, said) for said in exchange.said]

    def _note(self, event: Event) -> None:
        """Report the moves of the other seats."""
        if isinstance(event, events.Moved) and event.seat != self._mine:
            move = f"{self._spec.names[event.seat]} moves: {in_words(event.move, self._dialect.counted_from)}"
            self._tell(Explained("referee", None, move))

    def _deliver(self, seat: Seat, frame: bytes) -> None:
        """Deliver a frame to a seat."""
        if seat == self._mine:
            if not self._gone:
                self._hear(frame)
            return
        for answer in self._faces[seat].hear(frame):
            self._exchange(seat, self._dialects[seat].hear(answer))

    # -- the own seat -------------------------------------------------------------------------

    def _explain(self, frame: bytes) -> None:
        self.last_word = word_of(frame)
        means = self._dialect.words.get(self.last_word, "the dialect has no explanation for this message")
        self._tell(Explained("referee", frame, means))

    def _hear(self, frame: bytes) -> None:
        honest: list[bytes] = self._faces[self._mine].hear(frame)
        self._explain(frame)
        if honest:
            self._honest = honest
        elif self._closed:
            return
        elif self._still_asked():
            honest = self._honest
        self._act(self._ask(honest), honest)

    def _still_asked(self) -> bool:
        """Return whether the own seat is still awaited although no further frame is on its way."""
        coming = any(seat == self._mine for seat, _ in self._sent)
        return self._mine in self._referee.awaited and not coming

    def _remind(self) -> None:
        """Ask the own seat again, because the match cannot go on without it."""
        self._tell(Explained("referee", None, "the referee waits for you"))
        deed = self._ask(self._honest)
        if deed is Deed.HONEST and not self._honest:
            deed = Deed.LATE
        self._act(deed, self._honest)

    def _act(self, deed: bytes | Deed, honest: Sequence[bytes]) -> None:
        match deed:
            case Deed.HONEST:
                for frame in honest:
                    self._send(frame)
            case Deed.LATE:
                self._fail(Lapsed(self._mine), "you let your time run out")
            case Deed.GONE:
                self._gone = True
                self._fail(Failed(self._mine, Offence.GONE, "hung up"), "you hang up")
            case frame:
                self._send(frame)

    def _send(self, frame: bytes) -> None:
        """Send a frame, and report the referee's verdict on it."""
        exchange = self._dialects[self._mine].hear(frame)
        effects: list[Effect] = []
        for said in exchange.said:
            effects += self._referee.take(Heard(self._mine, said))
        self._tell(Explained("player", frame, self._understood(exchange.said, effects)))
        self._sent += [(self._mine, answer) for answer in exchange.frames]
        self._do(effects)
        if self._mine not in self._referee.awaited:
            self._honest = []

    def _fail(self, happening: Happening, what: str) -> None:
        effects = self._referee.take(happening)
        found = self._found(effects)
        self._tell(
            Explained("player", None, f"{what}: {found or 'nothing was asked, so there is no sanction'}")
        )
        self._do(effects)

    def _understood(self, things: Sequence[FromPlayer], effects: Iterable[Effect]) -> str:
        if found := self._found(effects):
            return found
        why = next((said.why for said in things if isinstance(said, Garbled)), None)
        if why is not None:  # the referee ignores a seat that is out
            return f"malformed: {why}; you are out already, so there is no further sanction"
        return "an acknowledgement of the call, nothing more"

    def _found(self, effects: Iterable[Effect]) -> str | None:
        """Return the first note of the referee about the own seat, if there is one."""
        notes = (self._noted(effect.event) for effect in effects if isinstance(effect, Note))
        return next((note for note in notes if note is not None), None)

    def _noted(self, event: Event) -> str | None:
        if isinstance(event, events.Moved) and event.seat == self._mine:
            return f"a legal move: {in_words(event.move, self._dialect.counted_from)}"
        return _noted(event, self._mine)


def _noted(event: Event, mine: Seat) -> str | None:
    if getattr(event, "seat", None) != mine:
        return None
    match event:
        case events.SatDown():
            return "you have taken your seat"
        case events.SentOn():
            return "you know where to go next"
        case events.Faulted(_, _, offence, reason, sanction):
            return _offended(offence, reason, sanction)
        case events.Ignored():
            return "an answer to an old question: it is ignored"
        case events.Resigned(_, _, why):
            return f"you give up: {why}"
    return None


def _offended(offence: Offence, reason: str, sanction: Sanction) -> str:
    return f"{offence.value.replace('_', ' ')}: {reason}; it costs: {sanction.value} ({COSTS[sanction]})"

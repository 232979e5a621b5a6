"""A match in a dialect with one seat played by hand and every frame explained, for authors of players.

No wires and no time: the referee and the dialects are driven directly, house players sit at the other seats,
and what happens at one's own seat is asked of a function. Law of this file: what an honest player would send
is known before it is asked for.
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
from touchline.core.messages import Expelled, Garbled, Over
from touchline.core.referee import Failed, Heard, Lapsed, Note, Tell
from touchline.drivers.match import opened, referee_for
from touchline.testing.transcript import Deed, word_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from touchline.core.events import Event, Result
    from touchline.core.messages import FromPlayer
    from touchline.core.referee import Effect, Happening
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
"""What a sanction means for who gets it."""
SIGN_UP = "you sign up, when you have connected; a program over pipes does not sign up"
CLOSED = "the referee closes your connection, without a word"


class Line(NamedTuple):
    """Something that happened: a frame in one direction, or without a frame what the referee noted."""

    source: Literal["referee", "player"]
    frame: bytes | None
    means: str


Ask: TypeAlias = "Callable[[Sequence[bytes]], bytes | Deed]"
"""What to do now, given what an honest player would send: a frame, or a deed."""


def in_words(move: Any, counted_from: int = 0) -> str:
    """Return a move in plain words, with rows and columns counted from this number.

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


class Rehearsal:
    """One match. `run()` it; `tell` hears of every line, `ask` says what to do at seat `mine`."""

    def __init__(
        self,
        spec: MatchSpec,
        dialect: type[Dialect],
        bots: Sequence[Any],
        mine: Seat,
        ask: Ask,
        tell: Callable[[Line], None],
    ) -> None:
        self._spec, self._dialect, self._mine, self._ask, self._tell = spec, dialect, mine, ask, tell
        rngs = [Random(f"{spec.seed} {seat}") for seat in range(len(bots))]
        self._faces = [dialect.face(bot, rng=rng) for bot, rng in zip(bots, rngs, strict=True)]
        self._dialects: list[Dialect] = [dialect(spec.game) for _ in bots]
        self._referee: Any = None
        self._sent: deque[tuple[Seat, bytes]] = deque()
        self._happened: deque[Happening] = deque()
        self._honest: list[bytes] = []
        """What an honest player would have sent, and was not."""
        self._closed = self._gone = False
        self.last_word = ""
        """The last word that was said to the seat."""

    def run(self) -> Result:
        """Play from the sign-up to the last word."""
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
            self._tell(Line("player", frame, SIGN_UP))
        for frame in self._dialect.welcome(name, "0" * 32):
            self._tell(Line("referee", frame, self._dialect.words[word_of(frame)]))

    def _proposed(self) -> MatchSpec:
        """Ask for boards, where the dialect has a word for that."""
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
        """Let a seat propose a board; why it may not sit down, if it may not."""
        honest = self._faces[seat].hear(frame)
        if seat != self._mine:
            self._dialects[seat].hear(honest[0])
            return None
        self._explain(frame)
        deed = self._ask(honest)
        if deed in (Deed.LATE, Deed.GONE):
            offence = Offence.LATE if deed is Deed.LATE else Offence.GONE
            refused = Refused(seat, offence, "proposed no board")
            self._tell(Line("player", None, self._cost(offence, refused.why)))
            return refused
        answer = deed if isinstance(deed, bytes) else honest[0]
        (said,) = self._dialects[seat].hear(answer).said
        if isinstance(said, Garbled):
            self._tell(Line("player", answer, self._cost(Offence.MALFORMED, said.why)))
            return Refused(seat, Offence.MALFORMED, said.why)
        suits = self._dialects[seat].proposal is not None
        self._tell(Line("player", answer, f"a board that {'suits' if suits else 'does not suit'} the game"))
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
        """This seat has been told its last word, or there is none in its dialect."""
        self._closed = True
        waiting = self._dialects[self._mine].owes and not expelled
        if not exchange.frames and not waiting:
            self.last_word = ""
            if not self._gone:
                self._tell(Line("referee", None, CLOSED))

    def _exchange(self, seat: Seat, exchange: Exchange) -> None:
        self._sent += [(seat, frame) for frame in exchange.frames]
        self._happened += [Heard(seat, said) for said in exchange.said]

    def _note(self, event: Event) -> None:
        """Tell what happens at the other seats."""
        if isinstance(event, events.Moved) and event.seat != self._mine:
            move = f"{self._spec.names[event.seat]} moves: {in_words(event.move, self._dialect.counted_from)}"
            self._tell(Line("referee", None, move))

    def _deliver(self, seat: Seat, frame: bytes) -> None:
        """Have a seat hear a frame."""
        if seat == self._mine:
            if not self._gone:
                self._hear(frame)
            return
        for answer in self._faces[seat].hear(frame):
            self._exchange(seat, self._dialects[seat].hear(answer))

    # -- one's own seat -----------------------------------------------------------------------

    def _explain(self, frame: bytes) -> None:
        self.last_word = word_of(frame)
        means = self._dialect.words.get(self.last_word, "a word that has no explanation yet")
        self._tell(Line("referee", frame, means))

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
        """Whether the turn lasts after a rejection, and nothing more will be said about it."""
        coming = any(seat == self._mine for seat, _ in self._sent)
        return self._mine in self._referee.awaited and not coming

    def _remind(self) -> None:
        """Nothing else can happen before this seat does something."""
        self._tell(Line("referee", None, "the referee waits for you"))
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
        """Send a frame, and tell what the referee makes of it."""
        exchange = self._dialects[self._mine].hear(frame)
        effects: list[Effect] = []
        for said in exchange.said:
            effects += self._referee.take(Heard(self._mine, said))
        self._tell(Line("player", frame, self._understood(exchange.said, effects)))
        self._sent += [(self._mine, answer) for answer in exchange.frames]
        self._do(effects)
        if self._mine not in self._referee.awaited:
            self._honest = []

    def _fail(self, happening: Happening, what: str) -> None:
        effects = self._referee.take(happening)
        found = self._found(effects)
        self._tell(Line("player", None, f"{what}: {found or 'nothing was asked, so it costs nothing'}"))
        self._do(effects)

    def _understood(self, things: Sequence[FromPlayer], effects: Iterable[Effect]) -> str:
        if found := self._found(effects):
            return found
        why = next((said.why for said in things if isinstance(said, Garbled)), None)
        if why is not None:  # the referee hears nobody who is out
            return f"malformed: {why}; it costs nothing any more"
        return "an answer that says no more than that you have heard the call"

    def _found(self, effects: Iterable[Effect]) -> str | None:
        """What the referee notes about this seat first."""
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

"""The referee: told what happened, it says what to tell whom. The only place that decides.

Laws of this file:

1. It never waits, never looks at a clock, and draws no number: time comes in with what happened, and a move
   it must choose itself follows from the seed and the turn.
2. Every match ends: the game does, or a ladder does, or the cap on turns does.
3. Every seat hears exactly one last word, `Expelled` or `Over`, and nothing after it.
4. Nobody is sanctioned once the outcome is known.

The priority of verdicts, written once, here; the first that applies decides:

| # | what came | verdict |
|---|---|---|
| 1 | anything, after the seat's last word | nothing: it is not heard |
| 2 | the player is gone, floods, does not read, or was refused | that offence; or it resigns |
| 3 | an answer to a question that no longer stands | ignored, and noted |
| 4 | anything from a seat that was not asked | out of turn; malformed, if it owed another answer |
| 5 | an answer after the time was up | late, whatever it says; one in time counts, even of the dead |
| 6 | something that could not be read | malformed |
| 7 | a move that breaks the rules | illegal, with the rule |
| 8 | a legal move | it is made |
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Struct

from touchline.core import events, messages
from touchline.core.clock import Micros
from touchline.core.conduct import ABSENT, FINAL, PLAYING, Conduct, Offence, Sanction
from touchline.core.events import Event, Fault, Refused, Result
from touchline.core.fast_lane import FastLane
from touchline.core.messages import Act, FromPlayer, Garbled, Ready, Resign, ToPlayer
from touchline.core.rules import Guiding, IllegalMove, Outcome, Seat, Skippable, State, first

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.core.clock import Clock, Limits


MOST_STALE = 10
"""How many answers to old questions a seat may give in one turn; more are out of turn."""


LOTS = 1 << 16
"""So many lots there are: too few to tell anything about the seed."""
BEFORE_THE_FIRST = -1
"""The number of the turn that lots are drawn in."""


class Tell(Struct, frozen=True, gc=False):
    """Say this to a seat."""

    seat: Seat
    message: ToPlayer


class Dismiss(Struct, frozen=True, gc=False):
    """The seat has heard its last word: let it go."""

    seat: Seat


class Note(Struct, frozen=True, gc=False):
    """This happened: for the record, and for whoever watches."""

    event: Event


Effect: TypeAlias = Tell | Dismiss | Note


class Heard(Struct, frozen=True, gc=False):
    """A seat said something, so long after it was last asked."""

    seat: Seat
    said: FromPlayer
    took: Micros = 0
    wire: Micros = 0


class Lapsed(Struct, frozen=True, gc=False):
    """The time of a seat that was asked is up."""

    seat: Seat


class Failed(Struct, frozen=True, gc=False):
    """A seat's player is gone, floods, does not read, or never sat down."""

    seat: Seat
    offence: Offence
    why: str


class Broken(Struct, frozen=True, gc=False):
    """Something of ours broke: nobody's loss."""

    why: str


Happening: TypeAlias = Heard | Lapsed | Failed | Broken


class Referee:
    """One match. `begin()`, then `take()` whatever happens, until `result` is there.

    Who must answer, and within how long, is in `awaited`. `talks` names the seats that are greeted,
    must say that they are ready, and hear a last word; the others, bots in this process, are only ever
    told to move.
    """

    def __init__(
        self,
        state: State,
        *,
        names: tuple[str, ...],
        conduct: Conduct,
        limits: Limits,
        turn_cap: int,
        seed: int,
        nonce: str,
        talks: Sequence[Seat] = (),
        kind: Any = Any,
    ) -> None:
        self.state = state
        self.turn = 0
        self.result: Result | None = None
        self.awaited: dict[Seat, Micros | None] = {}
        self.names, self.conduct, self.limits, self.turn_cap = names, conduct, limits, turn_cap
        self.clocks: list[Clock] = [limits.clock] * len(names)
        self.faults: list[Fault] = []
        self.expelled: list[Seat] = []
        """Who is out, also by its own wish."""
        self.resigned: list[Seat] = []
        self._seed, self._nonce = seed, nonce
        self._kind = kind  # of a move: what does not read back as one cannot be recorded as one
        self._talks = frozenset(talks)
        self._curious: set[Seat] = set()
        self._guided: set[Seat] = set()
        self._sent_on: Seat | None = None
        """Who has reached its goal and must say that it has heard where to go next."""
        self._playing = False
        self._asked: Seat | None = None
        self.used: Micros = 0
        """What the seat that is asked has used of its time before it was asked again."""
        self._owing: set[Seat] = set()
        self._old: dict[Seat, tuple[int, int]] = {}
        self.absent: dict[Seat, Offence] = {}
        """At these seats nobody answers any more."""
        self._idle = [0] * len(names)
        self._counts: dict[tuple[Seat, Offence], tuple[int, int]] = {}
        self._effects: list[Effect] = []

    # -- what comes in ------------------------------------------------------------------------

    def begin(self, refused: Sequence[Refused] = ()) -> list[Effect]:
        """Seat everybody but those who have failed already; those who talk must say that they are ready."""
        for failed in refused:
            if self.result is None and failed.seat not in self.expelled:
                self._offend(failed.seat, failed.offence, failed.why)
        lot = _drawn(self._seed, BEFORE_THE_FIRST, LOTS)
        for seat in sorted(self._talks.difference(self.expelled)) if self.result is None else ():
            self._effects.append(Tell(seat, messages.Begin(seat, self.names, self.state.view(seat), lot)))
            self.awaited[seat] = self.limits.set_up
        self._proceed()
        return self._out()

    def take(self, happening: Happening) -> list[Effect]:
        """Decide about one thing that happened."""
        if self.result is not None:
            return []
        match happening:
            case Heard(seat, said, took, wire):
                if seat not in self.expelled and seat not in self.absent:
                    self._hear(seat, said, took, wire)
            case Failed(seat, offence, why):
                if seat not in self.expelled and seat not in self.absent:
                    self._offend(seat, offence, why)
            case Lapsed(seat):
                if seat in self.awaited:
                    self._offend(seat, Offence.LATE, "no answer in time")
            case Broken(why):
                self._end_void(why)
        self._proceed()
        return self._out()

    @property
    def fresh(self) -> bool:
        """Whether one seat has just been asked, for the first time in its turn, and nobody wants updates."""
        alone = len(self.awaited) == 1 and self._sent_on is None
        return self._playing and alone and not self.used and not self._curious and not self._guided

    def resume(self, state: State, turn: int, moved: Iterable[Seat], asked: Seat | None) -> None:
        """Take over from the fast lane, where these seats have moved and this one has been asked."""
        self._start_playing()
        if turn > self.turn:
            self.state, self.turn = state, turn
            self._settled()
            for seat in moved:
                self._behaved(seat)
            if asked is not None:
                self._asked, self.awaited = asked, {asked: self.clocks[asked].budget}

    def proceed(self) -> list[Effect]:
        """Say what comes next, once the fast lane has ended."""
        self._proceed()
        return self._out()

    def _hear(self, seat: Seat, said: FromPlayer, took: Micros, wire: Micros) -> None:
        if isinstance(said, Resign):
            self._give_up(seat, said.why)
            return
        if self._stale(seat, said) and self._stales(seat) <= MOST_STALE:
            self._owing.discard(seat)
            self._note(events.Ignored(self.turn, seat, _sayable(said, self._kind)))
            return
        if not isinstance(said, Ready) and said.turn is not None:
            self._owing.discard(seat)  # it numbers its answers: none can be mistaken
        if seat not in self.awaited and isinstance(said, Garbled) and said.owed:
            self._offend(seat, Offence.MALFORMED, said.why, said)
        elif seat not in self.awaited or self._stale(seat, said):
            self._offend(seat, Offence.OUT_OF_TURN, "it is not your turn", said)
        elif seat == self._sent_on:
            self._send_on(seat, said, took)
        elif not self._playing:
            self._seat(seat, said, took)
        elif self.clocks[seat].late(self.used + took):
            self._offend(seat, Offence.LATE, "the answer came too late", said, took)
        elif isinstance(said, Act) and said.turn in (None, self.turn):
            self._judge(seat, said, took, wire)
        else:
            said = _sayable(said, self._kind)
            why = said.why if isinstance(said, Garbled) else "a move was asked for"
            self._offend(seat, Offence.MALFORMED, why, said, took)

    def _stale(self, seat: Seat, said: Ready | Act | Garbled) -> bool:
        """Whether this answers a question that no longer stands."""
        numbered = None if isinstance(said, Ready) else said.turn
        if numbered is not None:
            return numbered < self.turn
        return seat in self._owing

    def _stales(self, seat: Seat) -> int:
        """How many such answers of this seat there have been in this turn, this one included."""
        turn, count = self._old.get(seat, (self.turn, 0))
        count = count + 1 if turn == self.turn else 1
        self._old[seat] = (self.turn, count)
        return count

    def _seat(self, seat: Seat, said: FromPlayer, took: Micros) -> None:
        limit = self.limits.set_up
        if limit is not None and took > limit:
            self._offend(seat, Offence.LATE, "was not ready in time", said, took)
        elif isinstance(said, Ready):
            del self.awaited[seat]
            if said.updates:
                self._curious.add(seat)
            if said.guided:
                self._guided.add(seat)
            self._note(events.SatDown(seat, said.updates, took, said.guided))
        else:
            self._not_ready(seat, said, took)

    def _send_on(self, seat: Seat, said: FromPlayer, took: Micros) -> None:
        limit = self.limits.set_up
        if limit is not None and took > limit:
            self._offend(seat, Offence.LATE, "had reached its goal and did not listen in time", said, took)
        elif isinstance(said, Ready):
            self._sent_on = None
            self.awaited.clear()
            self._note(events.SentOn(self.turn, seat, took))
        else:
            self._not_ready(seat, said, took)

    def _not_ready(self, seat: Seat, said: FromPlayer, took: Micros) -> None:
        said = _sayable(said, self._kind)
        why = said.why if isinstance(said, Garbled) else "it had to say that it is ready"
        self._offend(seat, Offence.MALFORMED, why, said, took)

    def _give_up(self, seat: Seat, why: str) -> None:
        """A seat leaves because it wants to, which is no offence."""
        self._note(events.Resigned(self.turn, seat, why))
        self.resigned.append(seat)
        self._remove(seat, messages.Expelled(why))

    def _judge(self, seat: Seat, said: Act, took: Micros, wire: Micros) -> None:
        made: list[Event] = []
        lane = FastLane(self, (seat,), made.append)
        if lane.move(said.move, took, wire):
            moved, *passed_over = made
            self._note(moved)
            self._inform(seat, messages.Accepted(self.turn))
            self._effects.extend(map(Note, passed_over))
            self.resume(lane.state, lane.turn, (seat,), None)
            self._announce_turn()
            return
        heard = _sayable(said, self._kind)
        if isinstance(heard, Garbled):
            self._offend(seat, Offence.MALFORMED, heard.why, heard, took)
        else:
            self._offend(seat, Offence.ILLEGAL, self._broken_rule(said), heard, took)

    def _broken_rule(self, said: Act) -> str:
        """Return why a move is illegal, with rows and columns counted as the player counts them."""
        try:
            self.state.check(said.move)
        except IllegalMove as reason:
            return reason.worded(said.counted_from or 0)
        raise AssertionError("the move is legal")

    def _behaved(self, seat: Seat) -> None:
        """A good move ends a row of bad ones."""
        self._idle[seat] = 0
        for key in [key for key in self._counts if key[0] == seat]:
            if self.conduct.ladder(key[1]).counted == "row":
                del self._counts[key]

    # -- what is done -------------------------------------------------------------------------

    def _make(self, seat: Seat, move: Any) -> None:
        """Make a move in a seat's place."""
        self._note(events.Moved(self.turn, seat, move, by="referee"))
        self._advance(self.state.play(move))

    def _advance(self, state: State) -> None:
        """End a turn that was taken away or played by the referee."""
        self.state = state
        self.turn += 1
        self._settled()
        self._pass_over()
        self._announce_turn()

    def _announce_turn(self) -> None:
        """Tell the seats that want to know how things stand after a turn."""
        state = self.state
        self._show_all()
        for seat in state.passed_over:
            self._inform(seat, messages.Skipped(self.turn, "no move is possible"))
        if self._guided and isinstance(state, Guiding):
            self._guide(state.reached)

    def _guide(self, seat: Seat | None) -> None:
        """The turn is over only when the seat that has reached its goal knows where to go next."""
        if seat is not None and seat in self._guided and seat not in {*self.expelled, *self.absent}:
            self._sent_on, self.awaited = seat, {seat: self.limits.set_up}
            self._effects.append(Tell(seat, messages.Onward(self.turn, self.state.view(seat))))

    def _pass_over(self) -> None:
        if self.state.passed_over:
            self._note(events.PassedOver(self.turn, self.state.passed_over))

    def _settled(self) -> None:
        """Nobody owes an answer to this turn any more."""
        self._asked, self.used = None, 0
        self.awaited.clear()

    def _show_all(self) -> None:
        if self._curious and self.state.outcome() is None:
            for seat in sorted(self._curious):
                self._inform(seat, messages.Update(self.turn, self.state.view(seat)))

    def _inform(self, seat: Seat, message: ToPlayer) -> None:
        """Tell a seat, if it wants to know."""
        if seat in self._curious and seat not in self.expelled and seat not in self.absent:
            self._effects.append(Tell(seat, message))

    def _offend(
        self, seat: Seat, offence: Offence, reason: str, said: FromPlayer | None = None, took: Micros = 0
    ) -> None:
        """Name the sanction, and carry it out."""
        if offence in ABSENT:
            self.absent.setdefault(seat, offence)
        sanction = self._sanction(seat, offence)
        said, on_turn = _sayable(said, self._kind), self._on_turn(seat)
        under_way = said is None and offence is Offence.LATE  # perhaps its answer is
        if seat == self._sent_on:
            self._sent_on = None
            self.awaited.clear()
            if under_way:
                self._owing.add(seat)
        self._note(events.Faulted(self.turn, seat, offence, reason, sanction, said, took))
        self.faults.append(Fault(seat, self.turn, offence, reason, sanction))
        if sanction is Sanction.RETRY:
            if seat in self._talks:
                self._effects.append(Tell(seat, messages.Rejected(self.turn, reason, offence)))
            if seat == self._asked:  # it is asked again, with the time it has left
                self.used = 0 if offence is Offence.LATE else self.used + took
                self._asked = None
        elif sanction in FINAL:
            self._close(seat, sanction, f"{offence.value}: {reason}", offence)
        elif on_turn:
            if under_way:
                self._owing.add(seat)
            self._play_for(seat, sanction, reason, offence)

    def _on_turn(self, seat: Seat) -> bool:
        """Whether a seat has a turn to lose; while one is sent on, the next has not begun."""
        return self._playing and seat == self.state.to_move and self._sent_on is None

    def _sanction(self, seat: Seat, offence: Offence) -> Sanction:
        """What this offence costs now. Where a step of the ladder cannot be done, the seat is expelled."""
        rungs, key = self.conduct.ladder(offence), (seat, self.conduct.counted_as(offence))
        count, turn = self._counts.get(key, (0, self.turn))
        count = 1 if rungs.counted == "turn" and turn != self.turn else count + 1
        self._counts[key] = (count, self.turn)
        sanction = rungs.sanction(count)
        if sanction in FINAL:
            return sanction
        if not self._playing:
            return Sanction.RETRY if offence is Offence.OUT_OF_TURN else Sanction.EXPEL
        if not self._on_turn(seat):
            return sanction if offence in ABSENT else Sanction.RETRY
        if sanction is Sanction.SKIP:
            can = isinstance(self.state, Skippable) and self._idle[seat] + 1 < self.conduct.idle
            return sanction if can else Sanction.EXPEL
        return sanction

    def _play_for(self, seat: Seat, sanction: Sanction, reason: str, offence: Offence) -> None:
        """Take the turn away, or play it in the seat's place."""
        if sanction is Sanction.SKIP:
            self._idle[seat] += 1
            self._note(events.Skipped(self.turn, seat, reason))
            self._inform(seat, messages.Skipped(self.turn, reason, offence))
            assert isinstance(self.state, Skippable)
            self._advance(self.state.skip())
            return
        assert sanction in PLAYING
        moves = self.state.legal_moves()
        chosen = 0 if sanction is Sanction.DEFAULT else _drawn(self._seed, self.turn, len(moves))
        self._make(seat, moves[chosen])

    def _close(self, seat: Seat, sanction: Sanction, reason: str, offence: Offence) -> None:
        """Expel a seat, or end the match over it."""
        if sanction is Sanction.VOID:
            self._end_void(f"seat {seat}: {reason}")
        elif sanction is Sanction.FORFEIT:
            self._end("forfeited", self._forfeited(seat, reason), f"seat {seat} forfeits: {reason}")
        else:
            self._note(events.Expelled(self.turn, seat, reason))
            self._remove(seat, messages.Expelled(reason, offence))

    def _remove(self, seat: Seat, last_word: messages.Expelled) -> None:
        """Take a seat out of the game, which goes on."""
        self.expelled.append(seat)
        if seat in self._talks:
            self._effects.append(Tell(seat, last_word))
        self._effects.append(Dismiss(seat))
        self.awaited.pop(seat, None)
        if seat == self._sent_on:
            self._sent_on = None
        on_turn = self._playing and self.state.to_move == seat
        self.state = self.state.without(seat)
        if on_turn:
            self.turn += 1
            if self._sent_on is None:
                self._settled()
            self._pass_over()
        if self._playing:
            self._show_all()
            for other in self.state.passed_over if on_turn else ():
                self._inform(other, messages.Skipped(self.turn, "no move is possible"))

    def _forfeited(self, loser: Seat, reason: str) -> Outcome:
        """All who are left share the win; the one who forfeits is behind them."""
        left = [seat for seat in range(len(self._idle)) if seat != loser and seat not in self.expelled]
        ranks = tuple(
            1 if seat in left else None if seat in self.expelled else 1 + max(1, len(left))
            for seat in range(len(self._idle))
        )
        return Outcome(first(ranks), ranks, tuple(int(rank == 1) for rank in ranks), reason)

    # -- what comes next ----------------------------------------------------------------------

    def _proceed(self) -> None:
        """Until somebody must be waited for, or the match is over."""
        while self.result is None and self._sent_on is None:
            outcome = self.state.outcome()
            if outcome is not None:
                self._end("finished", outcome, outcome.reason)
            elif not self._playing and self.awaited:
                return
            elif self.turn >= self.turn_cap:
                self._end_void(f"the cap of {self.turn_cap} turns is reached")
            else:
                self._start_playing()
                seat = self.state.to_move
                assert seat is not None
                if seat in self.absent:
                    self._offend(seat, self.absent[seat], "nobody is there")
                    continue
                if self._asked != seat:
                    self._ask(seat)
                return

    def _start_playing(self) -> None:
        """Begin the first turn; a seat that was removed before it is news to the others."""
        if not self._playing:
            self._playing = True
            if self.expelled:
                self._show_all()

    def _ask(self, seat: Seat) -> None:
        if self._asked is not None:
            self._owing.add(self._asked)  # the turn left it, for no fault of its own
        budget = self.clocks[seat].budget
        allowance = None if budget is None else max(0, budget - self.used)
        self._asked, self.awaited = seat, {seat: allowance}
        view = self.state.view(seat)
        self._effects.append(Tell(seat, messages.YourTurn(self.turn, view, allowance)))

    def _end_void(self, why: str) -> None:
        self._end("void", None, why)

    def _end(self, verdict: Any, outcome: Outcome | None, reason: str) -> None:
        self.result = Result(
            verdict=verdict,
            outcome=outcome,
            reason=reason,
            turns=self.turn,
            expelled=tuple([seat for seat in self.expelled if seat not in self.resigned]),
            resigned=tuple(self.resigned),
            faults=tuple(self.faults),
        )
        self.awaited.clear()
        self._note(events.Ended(self.result, self._seed, self._nonce))
        for seat in range(len(self._idle)):
            if seat not in self.expelled:
                if seat in self._talks and seat not in self.absent:
                    view = self.state.view(seat)
                    self._effects.append(Tell(seat, messages.Over(view, verdict, outcome, reason)))
                self._effects.append(Dismiss(seat))

    def _note(self, event: Event) -> None:
        self._effects.append(Note(event))

    def _out(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects


def _drawn(seed: int, turn: int, count: int) -> int:
    """A number below `count` that follows from the seed and the turn."""
    digest = hashlib.sha256(f"{seed} {turn}".encode()).digest()
    return int.from_bytes(digest[:16]) % count


def _sayable(said: Any, kind: Any) -> Any:
    """What was said in a form that a record can hold: a bot in this process can return anything.

    What looks like a move but is none, a Step of lists or of floats, would be read back as one.
    """
    if not isinstance(said, Act):
        return said
    try:
        text = msgspec.json.encode(said.move)
        again = msgspec.json.decode(text, type=kind)
        if again == said.move and msgspec.json.encode(again) == text:
            return said
    except Exception:  # whatever it is, it cannot be written down
        return Garbled(f"not a move: {type(said.move).__name__}", said.turn)
    return Garbled(f"not a move: {type(said.move).__name__}", said.turn)

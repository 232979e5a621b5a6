"""The referee: a state machine without I/O that takes happenings and returns effects. It alone decides.

Laws of this file:

1. It never waits, reads no clock and draws no random number: a happening carries its times, and a move that
   the referee must choose is derived from the seed and the turn.
2. Every match ends: by the rules of the game, by a ladder of sanctions, by the cap on turns, or, if the
   conduct says so, when one seat is left.
3. Every seat is sent exactly one last word, `Expelled` or `Over`, and nothing after it.
4. No seat is sanctioned once the outcome is known.

The priority of verdicts; the first row that applies decides:

| # | what came | verdict |
|---|---|---|
| 1 | anything, after the seat's last word | nothing: it is not heard |
| 2 | the player is gone, floods, does not read, or was refused | that offence; or it resigns |
| 3 | an answer to a question that no longer stands | ignored, and noted |
| 4 | anything from a seat that was not yet asked | out of turn; malformed, if it owed another answer |
| 5 | an answer after the time was up | late, whatever it says; one in time counts, even of the dead |
| 6 | something that could not be read | malformed |
| 7 | a move that breaks the rules | illegal, with the rule |
| 8 | a legal move | it is made |
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from touchline.core import events, messages
from touchline.core.conduct import ABSENT, FINAL, LATENESS, PLAYING, Conduct, Offence, Sanction
from touchline.core.events import Event, Fault, Refused, Result
from touchline.core.fast_lane import FastLane
from touchline.core.fuel import SET_UP_MOVES, exceeded
from touchline.core.happenings import (
    Broken,
    Dismiss,
    Effect,
    Failed,
    Happening,
    Heard,
    Lapsed,
    Note,
    Restarted,
    Tell,
    TookBack,
)
from touchline.core.messages import Act, FromPlayer, Garbled, Ready, Resign, ToPlayer
from touchline.core.rules import Guiding, IllegalMove, Outcome, Scored, Seat, Skippable, State, first
from touchline.core.text import MOST_SAID, clipped
from touchline.core.undo import UndoStack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.core.clock import Clock, Limits, Micros


MOST_STALE = 10
"""Stale answers that a seat may give in one turn; more are out of turn, so they cannot fill the record."""

LOTS = 1 << 16
"""The number of different lots, 65,536: too few to reveal the seed."""
NO_ANSWER = ("no answer in time", "no answer in time, because the machine was busy")
"""The reasons of a late turn and of a starved one, if the driver gives none."""
ALONE = "everybody else has left"
"""The reason of an outcome that the conduct declares when one seat is left."""
BEFORE_THE_FIRST = -1
"""The turn number from which the lot is derived; no real turn has it."""


class Referee:
    """The referee of one match: call `begin()`, then `take()` for every happening, until `result` is set.

    `awaited` maps each seat that must answer to its time limit. `talks` names the seats that are greeted,
    must answer that they are ready, and are sent a last word; the others, bots in this process, are only
    asked to move.
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
        discreet: bool = True,
        takeback: bool = False,
    ) -> None:
        self.state = state
        self.turn = 0
        self.result: Result | None = None
        self.awaited: dict[Seat, Micros | None] = {}
        self.names, self.conduct, self.limits, self.turn_cap = names, conduct, limits, turn_cap
        self.clocks: list[Clock] = [limits.clock_of(seat) for seat in range(len(names))]
        self.faults: list[Fault] = []
        self.expelled: list[Seat] = []
        """The seats that were removed, including those that resigned."""
        self.resigned: list[Seat] = []
        self._seed, self._nonce = seed, nonce
        self._kind = kind  # the type of a move: only a value that decodes back to it is recorded as a move
        self._talks = frozenset(talks)
        self._discreet = discreet
        """Whether the events hide which moves reached a goal; false for records that were made without it."""
        self._undo = UndoStack() if takeback else None
        """The states to which seats may go back; None if turns cannot be taken back."""
        self._subscribers: set[Seat] = set()
        self._guided: set[Seat] = set()
        self._sent_on: Seat | None = None
        """The seat that has reached its goal and must confirm that it knows the next one."""
        self._playing = False
        self._asked: Seat | None = None
        self.used: Micros = 0
        """The time that the asked seat has already used in this turn, before a retry."""
        self._owing: set[Seat] = set()
        """The seats whose next unnumbered answer belongs to an earlier question."""
        self._stale_counts: dict[Seat, tuple[int, int]] = {}
        """Per seat the turn of its last stale answer, and the number of them in that turn."""
        self.absent: dict[Seat, Offence] = {}
        """The seats whose player no longer answers, each with the offence that ended it."""
        self._idle = [0] * len(names)
        self._counts: dict[tuple[Seat, Offence], tuple[int, int]] = {}
        self._effects: list[Effect] = []
        self._raw: tuple[str, ...] | UnsetType = UNSET
        """The message that is being judged, as it came."""
        self._cpu: Micros | UnsetType = UNSET
        """The processor time that it took."""
        self._fuel: int | UnsetType = UNSET
        """The fuel of the message that is being judged."""
        self._burnt = [0] * len(names)
        """The fuel that each seat has used since its last turn was over."""

    # -- input --------------------------------------------------------------------------------

    def begin(self, refused: Sequence[Refused] = ()) -> list[Effect]:
        """Sanction the refused seats, and greet those that talk, which must answer that they are ready."""
        for failed in refused:
            if self.result is None and failed.seat not in self.expelled:
                self._offend(failed.seat, failed.offence, clipped(failed.why))
        lot = _drawn(self._seed, BEFORE_THE_FIRST, LOTS)
        for seat in sorted(self._talks.difference(self.expelled)) if self.result is None else ():
            self._effects.append(Tell(seat, messages.Begin(seat, self.names, self.state.view(seat), lot)))
            self.awaited[seat] = self.limits.set_up_of(seat)
        self._proceed()
        return self._drain()

    def take(self, happening: Happening) -> list[Effect]:
        """Decide about one happening, and return the effects."""
        if self.result is not None:
            return []
        match happening:
            case Heard(seat, said, took, wire, raw, cpu, fuel, unasked):
                if seat not in self.expelled and seat not in self.absent:
                    self._raw, self._cpu = raw, cpu
                    self._burn(seat, fuel)
                    self._hear(seat, said, took, wire, unasked=unasked)
                    self._raw = self._cpu = self._fuel = UNSET
            case Failed(seat, offence, why):
                if seat not in self.expelled and seat not in self.absent:
                    self._offend(seat, offence, clipped(why))
            case Lapsed(seat, starved, cpu, fuel, seen):
                if seat in self.awaited:
                    self._cpu = cpu
                    self._burn(seat, fuel)
                    why = self._out_of_fuel(seat) or clipped(seen) or NO_ANSWER[starved]
                    self._offend(seat, Offence.STARVED if starved else Offence.LATE, why)
                    self._cpu = self._fuel = UNSET
            case TookBack(seat, to):
                self._take_back(seat, to)
            case Broken(why):
                self._end_void(clipped(why))
            case Restarted():
                self._note(events.Resumed(self.turn))
        self._proceed()
        return self._drain()

    @property
    def phase(self) -> Literal["ready", "move", "goal"]:
        """What the awaited seats are asked: to be ready, for a move, or to confirm the next goal."""
        if self._sent_on is not None:
            return "goal"
        return "move" if self._playing else "ready"

    @property
    def fresh(self) -> bool:
        """Whether exactly one seat is asked, for the first time in its turn, and no seat wants updates.

        Never in a match with take-backs, because the fast lane does not keep the states between.
        """
        alone = len(self.awaited) == 1 and self._sent_on is None and self._undo is None
        return self._playing and alone and not self.used and not self._subscribers and not self._guided

    @property
    def owed(self) -> bool:
        """Whether an answer to an earlier question may still arrive: a numbered answer settles that."""
        return bool(self._owing)

    def resume(self, state: State, turn: int, moved: Iterable[Seat], asked: Seat | None) -> None:
        """Take over from the fast lane, in which the seats `moved` made moves and `asked` was asked."""
        self._start_playing()
        if turn > self.turn:
            self.state, self.turn = state, turn
            self._withdraw_questions()
            for seat in moved:
                self._burnt[seat] = 0
                self._owing.discard(seat)  # it has answered the question of its own turn
                self._reset_rows(seat)
            if asked is not None:
                self._asked, self.awaited = asked, {asked: self.clocks[asked].budget}

    def proceed(self) -> list[Effect]:
        """Continue after the fast lane, and return the effects."""
        self._proceed()
        return self._drain()

    def _burn(self, seat: Seat, fuel: int | UnsetType) -> None:
        """Charge the fuel of a message, whatever it says, so that no message makes the next one cheaper."""
        self._fuel = fuel
        if fuel is not UNSET:
            self._burnt[seat] += fuel

    def _out_of_fuel(self, seat: Seat) -> str | None:
        """Return the reason if a seat has used more fuel than its limit; None if it has not."""
        limit = self.limits.fuel
        if limit is UNSET or self._fuel is UNSET:
            return None
        limit = limit if self._playing else limit * SET_UP_MOVES
        return exceeded(limit) if self._burnt[seat] > limit else None

    def _hear(self, seat: Seat, said: FromPlayer, took: Micros, wire: Micros, *, unasked: bool) -> None:
        if isinstance(said, Resign):
            self._give_up(seat, said.why)
            return
        if isinstance(said, Garbled) and len(said.why) > MOST_SAID:
            said = replace(said, why=clipped(said.why))
        if self._stale(seat, said) and self._count_stale(seat) <= MOST_STALE:
            self._owing.discard(seat)
            self._note(events.Ignored(self.turn, seat, recordable(said, self._kind), self._raw, self._fuel))
            return
        if not isinstance(said, Ready) and said.turn is not None:
            self._owing.discard(seat)  # the turn number shows which question this answers
        if seat not in self.awaited and isinstance(said, Garbled) and said.owed:
            self._offend(seat, Offence.MALFORMED, said.why, said)
        elif seat not in self.awaited or self._stale(seat, said):
            self._offend(seat, Offence.OUT_OF_TURN, "it is not your turn", said)
        elif unasked:
            self._offend(seat, Offence.OUT_OF_TURN, "you were not asked yet", said)
        elif seat == self._sent_on:
            self._send_on(seat, said, took)
        elif not self._playing:
            self._seat(seat, said, took)
        elif self.clocks[seat].late(self.used + took):
            self._offend(seat, Offence.LATE, "the answer came too late", said, took)
        elif (why := self._out_of_fuel(seat)) is not None:
            self._offend(seat, Offence.LATE, why, said, took)
        elif isinstance(said, Act) and said.turn in (None, self.turn):
            self._judge(seat, said, took, wire)
        else:
            said = recordable(said, self._kind)
            why = said.why if isinstance(said, Garbled) else "a move was asked for"
            self._offend(seat, Offence.MALFORMED, why, said, took)

    def _stale(self, seat: Seat, said: Ready | Act | Garbled) -> bool:
        """Return whether this answers a question that no longer stands."""
        numbered = None if isinstance(said, Ready) else said.turn
        if numbered is not None:
            return numbered < self.turn
        return seat in self._owing

    def _count_stale(self, seat: Seat) -> int:
        """Count a stale answer, and return how many this seat has given in this turn."""
        turn, count = self._stale_counts.get(seat, (self.turn, 0))
        count = count + 1 if turn == self.turn else 1
        self._stale_counts[seat] = (self.turn, count)
        return count

    def _seat(self, seat: Seat, said: FromPlayer, took: Micros) -> None:
        limit = self.limits.set_up_of(seat)
        if limit is not None and took > limit:
            self._offend(seat, Offence.LATE, "was not ready in time", said, took)
        elif (why := self._out_of_fuel(seat)) is not None:
            self._offend(seat, Offence.LATE, why, said, took)
        elif isinstance(said, Ready):
            del self.awaited[seat]
            self._burnt[seat] = 0
            if said.updates:
                self._subscribers.add(seat)
            if said.guided:
                self._guided.add(seat)
            self._note(events.SatDown(seat, said.updates, took, said.guided, self._raw, self._fuel))
        else:
            self._not_ready(seat, said, took)

    def _send_on(self, seat: Seat, said: FromPlayer, took: Micros) -> None:
        limit = self.limits.set_up_of(seat)
        if limit is not None and took > limit:
            self._offend(seat, Offence.LATE, "the answer came too late", said, took)
        elif isinstance(said, Ready):
            self._sent_on = None
            self.awaited.clear()
            self._burnt[seat] = 0  # the event has no fuel, because it must not tell that a goal was reached
            self._note(events.SentOn(self.turn, seat, 0 if self._discreet else took))
        else:
            self._not_ready(seat, said, took)

    def _not_ready(self, seat: Seat, said: FromPlayer, took: Micros) -> None:
        said = recordable(said, self._kind)
        why = said.why if isinstance(said, Garbled) else "it had to say that it is ready"
        self._offend(seat, Offence.MALFORMED, why, said, took)

    def _give_up(self, seat: Seat, why: str) -> None:
        """Remove a seat that resigns, which is no offence."""
        why = clipped(why)
        self._note(events.Resigned(self.turn, seat, why, self._raw, self._fuel))
        self.resigned.append(seat)
        self._remove(seat, messages.Expelled(why))

    def last_turn_of(self, seat: Seat) -> int | None:
        """Return the last turn that this seat may take back; None if there is none."""
        return None if self._undo is None or self.result is not None else self._undo.last_turn_of(seat)

    def _take_back(self, seat: Seat, to: int) -> None:
        """Go back to the state before an earlier turn of this seat. The time that was spent stays spent."""
        before = None if self._undo is None else self._undo.before(to)
        if self._undo is None or before is None or before.to_move != seat or seat in self.absent:
            return
        self._note(events.TakenBack(self.turn, seat, to))
        for asked in (self._asked, self._sent_on):
            if asked is not None:
                self._owing.add(asked)  # its answer may still arrive
        self._sent_on = None
        self.state = self._undo.undo(to)
        self.turn += 1  # numbers are not used again, so late answers are seen to be stale, and the cap holds
        self._withdraw_questions()
        self._show_all()

    def _judge(self, seat: Seat, said: Act, took: Micros, wire: Micros) -> None:
        made: list[Event] = []
        lane = FastLane(self, (seat,), made.append)
        if lane.move(said.move, took, wire, self._raw, self._cpu, self._fuel):
            moved, *passed_over = made
            self._note(moved)
            self._inform(seat, messages.Accepted(self.turn))
            self._effects.extend(map(Note, passed_over))
            self._keep_state()
            self.resume(lane.state, lane.turn, (seat,), None)
            self._announce_turn(seat)
            return
        heard = recordable(said, self._kind)
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

    def _reset_rows(self, seat: Seat) -> None:
        """Reset the counts of offences in consecutive turns, after a legal move."""
        self._idle[seat] = 0
        for key in [key for key in self._counts if key[0] == seat]:
            if self.conduct.ladder(key[1]).counted == "row":
                del self._counts[key]

    # -- turns and sanctions ------------------------------------------------------------------

    def _make(self, seat: Seat, move: Any) -> None:
        """Make a move on behalf of a seat."""
        self._note(events.Moved(self.turn, seat, move, by="referee"))
        self._advance(self.state.play(move), seat)

    def _advance(self, state: State, mover: Seat | None = None) -> None:
        """End a turn that was taken away, or played by the referee for `mover`."""
        self._keep_state()
        self.state = state
        self.turn += 1
        self._withdraw_questions()
        self._pass_over()
        self._announce_turn(mover)

    def _keep_state(self) -> None:
        """Keep the state before a turn that is over, if it may be taken back."""
        if self._undo is not None:
            self._undo.push(self.turn, self.state)

    def _announce_turn(self, mover: Seat | None) -> None:
        """Send updates after a turn, and the next goal to a seat that reached one."""
        state = self.state
        self._show_all()
        for seat in state.passed_over:
            self._inform(seat, messages.Skipped(self.turn, "no move is possible"))
        if self._guided and isinstance(state, Guiding):
            self._guide(mover, state.reached)

    def _guide(self, mover: Seat | None, reached: Seat | None) -> None:
        """Send a seat that has reached its goal the next one; the turn lasts until it confirms.

        That a goal was reached is secret, so any other move of a guided seat is noted with the same event.
        """
        listening = self._guided.difference(self.expelled, self.absent)
        if reached in listening:
            assert reached is not None
            self._sent_on, self.awaited = reached, {reached: self.limits.set_up_of(reached)}
            self._effects.append(Tell(reached, messages.Onward(self.turn, self.state.view(reached))))
        elif mover in listening and self._discreet:
            assert mover is not None
            self._note(events.SentOn(self.turn, mover, 0))

    def _pass_over(self) -> None:
        if self.state.passed_over:
            self._note(events.PassedOver(self.turn, self.state.passed_over))

    def _withdraw_questions(self) -> None:
        """Stop waiting for an answer to this turn."""
        self._asked, self.used = None, 0
        self.awaited.clear()

    def _show_all(self) -> None:
        if self._subscribers and self.state.outcome() is None:
            for seat in sorted(self._subscribers):
                self._inform(seat, messages.Update(self.turn, self.state.view(seat)))

    def _inform(self, seat: Seat, message: ToPlayer) -> None:
        """Send a message to a seat that wants updates."""
        if seat in self._subscribers and seat not in self.expelled and seat not in self.absent:
            self._effects.append(Tell(seat, message))

    def _offend(
        self, seat: Seat, offence: Offence, reason: str, said: FromPlayer | None = None, took: Micros = 0
    ) -> None:
        """Record an offence, choose its sanction, and carry it out."""
        if offence in ABSENT:
            self.absent.setdefault(seat, offence)
        sanction = self._sanction(seat, offence)
        said, on_turn = recordable(said, self._kind), self._on_turn(seat)
        under_way = said is None and offence in LATENESS  # its answer may still arrive
        if seat == self._sent_on:
            self._sent_on = None
            self.awaited.clear()
            if under_way:
                self._owing.add(seat)
        self._note(
            events.Faulted(
                self.turn, seat, offence, reason, sanction, said, took, self._raw, self._cpu, self._fuel
            )
        )
        self.faults.append(Fault(seat, self.turn, offence, reason, sanction))
        if offence in LATENESS:
            self._burnt[seat] = 0
        if sanction is Sanction.RETRY:
            if seat in self._talks:
                self._effects.append(Tell(seat, messages.Rejected(self.turn, reason, offence)))
            if seat == self._asked:  # ask it again, with the time it has left
                self.used = 0 if offence in LATENESS else self.used + took
                self._asked = None
        elif sanction in FINAL:
            self._close(seat, sanction, f"{offence.value}: {reason}", offence)
        elif on_turn:
            if under_way:
                self._owing.add(seat)
            self._play_for(seat, sanction, reason, offence)

    def _on_turn(self, seat: Seat) -> bool:
        """Return whether a seat has a turn to lose; the next turn begins after `_sent_on` has confirmed."""
        return self._playing and seat == self.state.to_move and self._sent_on is None

    def _sanction(self, seat: Seat, offence: Offence) -> Sanction:
        """Count an offence, and return its sanction: expulsion where the ladder's step cannot be applied."""
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
        """Take the turn away, or make a move on behalf of the seat."""
        self._burnt[seat] = 0
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
        """Expel a seat, or end the match as forfeited or void."""
        if sanction is Sanction.VOID:
            self._end_void(f"seat {seat}: {reason}")
        elif sanction is Sanction.FORFEIT:
            self._end("forfeited", self._forfeited(seat, reason), f"seat {seat} forfeits: {reason}")
        else:
            self._note(events.Expelled(self.turn, seat, reason))
            self._remove(seat, messages.Expelled(reason, offence))

    def _remove(self, seat: Seat, last_word: messages.Expelled) -> None:
        """Remove a seat from the game, which continues without it."""
        self.expelled.append(seat)
        if seat in self._talks:
            self._effects.append(Tell(seat, last_word))
        self._effects.append(Dismiss(seat))
        self.awaited.pop(seat, None)
        if seat == self._sent_on or self._last_seat() is not None:
            self._sent_on = None
        on_turn = self._playing and self.state.to_move == seat
        self.state = self.state.without(seat)
        if self._undo is not None:
            self._undo.clear()  # a seat that left does not come back
        if on_turn:
            self.turn += 1
            if self._sent_on is None:
                self._withdraw_questions()
            self._pass_over()
        if self._playing:
            self._show_all()
            for other in self.state.passed_over if on_turn else ():
                self._inform(other, messages.Skipped(self.turn, "no move is possible"))

    def _forfeited(self, loser: Seat, reason: str) -> Outcome:
        """Return the outcome of a forfeit: the other seats share the win, and the loser ranks behind them."""
        left = [seat for seat in range(len(self._idle)) if seat != loser and seat not in self.expelled]
        ranks = tuple(
            1 if seat in left else None if seat in self.expelled else 1 + max(1, len(left))
            for seat in range(len(self._idle))
        )
        return Outcome(first(ranks), ranks, tuple(int(rank == 1) for rank in ranks), reason)

    def _last_seat(self) -> Seat | None:
        """Return the seat that is left alone, if the conduct ends the match then; else None."""
        if not self.expelled or self.conduct.alone != "end":
            return None
        left = [seat for seat in range(len(self._idle)) if seat not in self.expelled]
        return left[0] if len(left) == 1 else None

    def _end_alone(self, seat: Seat) -> None:
        """End the match: the only seat that is left has won, and the scores are as they stand."""
        ranks = tuple(1 if other == seat else None for other in range(len(self._idle)))
        outcome = Outcome((seat,), ranks, _shown_scores(self.state, ranks), ALONE)
        other, fate = self.names[self.expelled[-1]], "resigned"
        if self.expelled[-1] not in self.resigned:
            fate = "was removed"
        reason = f"{other} {fate}" if len(ranks) == 2 else f"only {self.names[seat]} is left"
        self._end("finished", outcome, clipped(reason))

    # -- the next question, or the end --------------------------------------------------------

    def _proceed(self) -> None:
        """Continue until an answer must be waited for, or the match is over."""
        while self.result is None and self._sent_on is None:
            outcome = self.state.outcome()
            if outcome is not None:
                self._end("finished", outcome, outcome.reason)
            elif (last := self._last_seat()) is not None:
                self._end_alone(last)
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
        """Begin the first turn; if a seat was removed before it, send updates to the others."""
        if not self._playing:
            self._playing = True
            if self.expelled:
                self._show_all()

    def _ask(self, seat: Seat) -> None:
        if self._asked is not None:
            self._owing.add(self._asked)  # the turn passed on without its answer, which may still arrive
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

    def _drain(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects


def _shown_scores(state: State, ranks: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the scores that a state shows; if it shows none, 1 for the winner and 0 for the others."""
    shown = state.scores if isinstance(state, Scored) else ()
    if len(shown) == len(ranks) and all(type(score) is int for score in shown):
        return tuple(shown)
    return tuple(int(rank == 1) for rank in ranks)


def _drawn(seed: int, turn: int, count: int) -> int:
    """Return a number below `count`, derived from the seed and the turn."""
    digest = hashlib.sha256(f"{seed} {turn}".encode()).digest()
    return int.from_bytes(digest[:16]) % count


def recordable(said: Any, kind: Any) -> Any:
    """Return a message that a record can hold: Garbled in place of a move that does not survive JSON.

    A bot in this process can return any object. One that resembles a move, such as a Step of lists or floats,
    would be decoded as a real move.
    """
    if not isinstance(said, Act):
        return said
    try:
        text = msgspec.json.encode(said.move)
        again = msgspec.json.decode(text, type=kind)
        if again == said.move and msgspec.json.encode(again) == text:
            return said
    except Exception:  # an arbitrary object can fail in any way
        pass
    what = "None" if said.move is None else f"a {clipped(type(said.move).__name__, 200)}"
    return Garbled(f"choose() returned {what}, not a move; return one of view.legal_moves()", said.turn)

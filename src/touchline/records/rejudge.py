"""Judge a recorded match again, under another conduct, other time limits, or another reading of the messages.

Two referees are fed the same happenings: one as recorded, one with the new terms. Laws of this file:

1. An answer counts for as long as its player was told the same by both referees: then it would have given the
   same answer. The time limit of a question is no difference; a player is taken to play as it did.
2. No answer is invented. When the new referee waits for an answer that is not in the record, or the next
   recorded answer does not count, the match diverges, and what would have followed is not known.
3. Under the recorded terms nothing changes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from touchline.core import events
from touchline.core.conduct import Offence
from touchline.core.events import Ended, Faulted, Moved, Result, encode
from touchline.core.happenings import Broken, Lapsed, Note, Restarted, Tell
from touchline.core.messages import YourTurn
from touchline.core.rules import Seat
from touchline.drivers.match import referee_for
from touchline.records.rerun import first_state, happenings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.core.clock import Limits
    from touchline.core.conduct import Conduct
    from touchline.core.events import Event
    from touchline.core.happenings import Effect, Happening
    from touchline.core.messages import ToPlayer
    from touchline.core.referee import Referee
    from touchline.drivers.match import MatchSpec
    from touchline.records.replay import Replay
    from touchline.records.reread import Rereading

WORDS: dict[type[Event], str] = {
    events.SatDown: "ready",
    events.SentOn: "confirmed",
    events.Ignored: "ignored",
    events.Resigned: "resigned",
    events.Skipped: "skipped",
    events.Expelled: "expelled",
    events.PassedOver: "passed over",
    events.TakenBack: "taken back",
    events.Ended: "ended",
}
"""What became of a message, by the event that notes it, where it is no offence."""


class Verdict(Struct, frozen=True, kw_only=True):
    """What a referee made of a message, a lapse or a failure."""

    what: str
    """The sanction of an offence; otherwise a word such as `moved` or `ignored`."""
    offence: Offence | None = None
    reason: str | None = None
    """What the referee said about the offence."""


NOTHING = Verdict(what="nothing")
IN_TIME = Verdict(what="still in time")


class Change(Struct, frozen=True, kw_only=True):
    """A verdict that is not the recorded one."""

    line: int
    """The line of the record, counted from 1."""
    turn: int
    seat: Seat
    name: str
    then: Verdict
    now: Verdict


class Rejudged(Struct, frozen=True, kw_only=True):
    """A match as it would have been judged."""

    changes: tuple[Change, ...]
    """The verdicts that change, up to the end or to where the match diverges."""
    diverges: int | None
    """The turn from which on it is not known what would have happened; None if the record tells all."""
    why: str | None
    """Why what would have followed is not known."""
    result: Literal["same", "changed", "unknown"]
    then: Result | None
    """The recorded result; None if the match did not end."""
    now: Result | None
    """The result as it would have been; None if it is not known."""
    offences_then: dict[str, int]
    """The number of offences of each kind in the record."""
    offences_now: dict[str, int]
    """The number of offences of each kind as far as the match was judged again."""

    @property
    def changed(self) -> bool:
        """Whether any verdict changes, or the result does."""
        return bool(self.changes) or self.result != "same"


def rejudge(
    replay: Replay,
    *,
    conduct: Conduct | None = None,
    limits: Limits | None = None,
    rereading: Rereading | None = None,
) -> Rejudged:
    """Judge a recorded match under other terms. BadInput if the record does not follow from the rules.

    >>> import touchline, tempfile, pathlib
    >>> from touchline.conducts.base import conduct_of
    >>> class Lost:
    ...     def choose(self, view, turn):
    ...         return "where am I?"
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "match.jsonl"
    >>> replay = touchline.play("hexapawn", ["random", Lost], seed=1, record=path).replay()
    >>> again = rejudge(replay, conduct=conduct_of("seed-002"))
    >>> again.changes[0].then.what, again.changes[0].now.what, again.result
    ('expel', 'retry', 'unknown')
    >>> again.why
    'what seat 1 would have answered is not in the record'
    """
    spec = replay.spec()
    new = replace(spec, conduct=conduct or spec.conduct, limits=limits or spec.limits)
    return _Rejudge(replay, spec, new, rereading).run()


class _Told:
    """What each seat was told by the two referees, and whether that is the same."""

    def __init__(self) -> None:
        self.differs: set[Seat] = set()

    def compare(self, then: Iterable[Effect], now: Iterable[Effect]) -> None:
        """Compare what the referees say at one moment."""
        before, after = _told(then), _told(now)
        for seat in before.keys() | after.keys():
            if before.get(seat) != after.get(seat):
                self.differs.add(seat)


def _told(effects: Iterable[Effect]) -> dict[Seat, list[ToPlayer]]:
    """Return the messages to each seat, without the time limits."""
    told = defaultdict[Seat, list["ToPlayer"]](list)
    for effect in effects:
        if isinstance(effect, Tell):
            message = effect.message
            if isinstance(message, YourTurn):
                message = replace(message, allowance=None)
            told[effect.seat].append(message)
    return told


class _Rejudge:
    """One match before two referees."""

    def __init__(self, replay: Replay, spec: MatchSpec, new: MatchSpec, rereading: Rereading | None) -> None:
        self._replay, self._spec, self._new = replay, spec, new
        talks = replay.begun.talks
        self._then: Referee = referee_for(spec, first_state(spec, replay), talks)
        self._now: Referee = referee_for(new, first_state(new, replay), talks)
        self._happened = happenings(replay)
        self._heard_now: Sequence[tuple[Happening, ...]] = (
            [(happening,) for happening in self._happened] if rereading is None else rereading.happened
        )
        self._told = _Told()
        self._line = 2  # line 1 is the event `begun`
        self._changes: list[Change] = []
        self._diverges: int | None = None
        self._why: str | None = None

    def run(self) -> Rejudged:
        self._compare(self._then.begin(self._spec.refused), self._now.begin(self._new.refused))
        for then, now in zip(self._happened, self._heard_now, strict=True):
            if self._now.result is not None or not self._in_step(then):
                break
            self._compare(self._then.take(then), [effect for one in now for effect in self._now.take(one)])
        if self._now.result is None and self._replay.ended is not None and self._diverges is None:
            self._diverge(_unknown(min(self._now.awaited)))
        return self._judged()

    def _in_step(self, happening: Happening) -> bool:
        """Return whether the next happening would have come; otherwise note where the match diverges."""
        waiting = sorted(self._told.differs.intersection(self._now.awaited))
        if waiting:
            self._diverge(_unknown(waiting[0]))
        elif not isinstance(happening, Broken | Restarted) and happening.seat in self._told.differs:
            self._diverge(_unknown(happening.seat))
        elif isinstance(happening, Lapsed) and self._has_longer(happening.seat):
            self._note(self._line, self._replay.events[self._line - 1], IN_TIME)
            self._diverge(f"seat {happening.seat} would have had more time")
        return self._diverges is None

    def _has_longer(self, seat: Seat) -> bool:
        """Return whether a seat has more time now than it had."""
        then, now = self._then.awaited.get(seat), self._now.awaited.get(seat)
        return seat in self._now.awaited and then is not None and (now is None or now > then)

    def _diverge(self, why: str) -> None:
        self._diverges = self._changes[-1].turn if self._changes else self._now.turn
        self._why = why

    def _compare(self, then: list[Effect], now: list[Effect]) -> None:
        """Compare what both referees noted and said at one moment; note the first verdict that differs."""
        both_ended = bool(self._then.result) and bool(self._now.result)
        before, after = (_noted(effects, ends=not both_ended) for effects in (then, now))
        most = max(len(before), len(after))
        for at in range(most):
            old, new = (notes[at] if at < len(notes) else None for notes in (before, after))
            if old is None or new is None or encode(old) != encode(new):
                self._note(self._line + at, old, NOTHING if new is None else _verdict(new), new)
                break
        self._line += sum(isinstance(effect, Note) for effect in then)
        self._told.compare(then, now)

    def _note(self, line: int, then: Event | None, now: Verdict, new: Event | None = None) -> None:
        event = new if then is None else then
        turn, seat = _place(event)
        self._changes.append(
            Change(
                line=line, turn=turn, seat=seat, name=self._spec.names[seat],
                then=NOTHING if then is None else _verdict(then), now=now,
            )
        )  # fmt: skip

    def _judged(self) -> Rejudged:
        then = None if self._replay.ended is None else self._replay.ended.result
        now = self._now.result
        faults = [event for event in self._replay.events if isinstance(event, Faulted)]
        return Rejudged(
            changes=tuple(self._changes),
            diverges=self._diverges,
            why=self._why,
            result="unknown" if self._diverges is not None else _compared(then, now),
            then=then,
            now=now,
            offences_then=_counted(fault.offence for fault in faults),
            offences_now=_counted(fault.offence for fault in self._now.faults),
        )


def _place(event: Event | None) -> tuple[int, Seat]:
    """Return the turn and the seat of an event; 0 before the first turn."""
    match event:
        case events.SatDown(seat=seat):
            return 0, seat
        case events.PassedOver(turn=turn, seats=(seat, *_)):
            return turn, seat
        case events.Ended(result):
            return result.turns, result.outcome.winners[0] if result.outcome and result.outcome.winners else 0
        case None | events.Begun() | events.PassedOver() | events.Resumed():
            return 0, 0
    return event.turn, event.seat


def _unknown(seat: Seat) -> str:
    return f"what seat {seat} would have answered is not in the record"


def _noted(effects: list[Effect], *, ends: bool) -> list[Event]:
    """Return the noted events; the end only if `ends`: where both end, the results are compared."""
    notes = [effect.event for effect in effects if isinstance(effect, Note)]
    return [event for event in notes if ends or not isinstance(event, Ended)]


def _verdict(event: Event) -> Verdict:
    match event:
        case Faulted(offence=offence, reason=reason, sanction=sanction):
            return Verdict(what=sanction.value, offence=offence, reason=reason)
        case Moved(by=by):
            return Verdict(what="moved" if by == "seat" else "moved for it")
    return Verdict(what=WORDS.get(type(event), "nothing"))


def _compared(then: Result | None, now: Result | None) -> Literal["same", "changed"]:
    """Compare two results: who won, with which rank and score, and who was removed; not the reasons."""
    return "same" if _outcome(then) == _outcome(now) else "changed"


def _outcome(result: Result | None) -> object:
    if result is None:
        return None
    outcome = result.outcome and (result.outcome.winners, result.outcome.ranks, result.outcome.scores)
    return result.verdict, outcome, result.expelled, result.resigned


def _counted(offences: Iterable[Offence]) -> dict[str, int]:
    return dict(sorted(Counter(offence.value for offence in offences).items()))

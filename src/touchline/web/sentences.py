"""Events, results and terms in sentences, for the log and the status line of the page.

Rules of this file: a sentence says no more than its event, and an event says only what is public; names,
reasons and sentences are cut, since a record from elsewhere may have any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core import events
from touchline.core.conduct import Offence, Sanction
from touchline.records.sentences import MOST_SENTENCE, Sentences, cut, cut_names
from touchline.records.story import headline, verdicts, why
from touchline.web import schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Clock, Limits
    from touchline.core.conduct import Conduct, Ladder
    from touchline.core.events import Event, Result
    from touchline.core.rules import Seat, State


class Teller(Sentences):
    """Puts the events of one match into the form of the API."""

    technical = False

    def tell(self, n: int, event: Event, before: State | None = None) -> schema.EventSummary:
        """Return the summary of event number `n`, without the spots of a move; `before` is its state."""
        text, seat, turn, fault = self.of(event, before)
        text = cut(text, MOST_SENTENCE)
        kind: Any = type(event).__struct_config__.tag
        if isinstance(event, events.Moved):
            return schema.EventSummary(
                n=n, kind=kind, turn=turn, seat=seat, text=text, fault=fault,
                move=event.move, took=event.took // 1000, by=event.by,
            )  # fmt: skip
        if isinstance(event, events.Faulted):
            return schema.EventSummary(
                n=n, kind=kind, turn=turn, seat=seat, text=text, fault=fault,
                offence=event.offence.value, sanction=event.sanction.value, detail=cut(event.reason),
            )  # fmt: skip
        return schema.EventSummary(n=n, kind=kind, turn=turn, seat=seat, text=text, fault=fault)


def result_summary(result: Result, names: Sequence[str], mover: Seat | None) -> schema.ResultSummary:
    """Return a result in the form of the API; `mover` made the last move."""
    outcome = result.outcome
    return schema.ResultSummary(
        verdict=result.verdict,
        reason=cut(result.reason),
        winners=outcome.winners if outcome else (),
        ranks=outcome.ranks if outcome else (),
        scores=outcome.scores if outcome else (),
        turns=result.turns,
        expelled=result.expelled,
        resigned=result.resigned,
        says=tuple(map(cut, verdicts(result, cut_names(names), mover))),
        headline=cut(headline(result, cut_names(names))),
        why=cut(why(result, cut_names(names), mover)),
    )


_FAULTS = {
    Offence.ILLEGAL: "A forbidden move",
    Offence.MALFORMED: "An unreadable message",
    Offence.LATE: "Too slow",
    Offence.STARVED: "Too slow on a busy machine",
    Offence.LIMIT: "A program that uses too much",
    Offence.OUT_OF_TURN: "Speaking out of turn",
    Offence.GONE: "Leaving the table",
    Offence.FLOOD: "Sending too much",
    Offence.NOT_READING: "Not reading",
    Offence.REFUSED: "Never sitting down",
}
_COSTS = {
    Sanction.RETRY: "try again",
    Sanction.SKIP: "the turn is lost",
    Sanction.DEFAULT: "a move is made instead",
    Sanction.RANDOM: "a random move is made instead",
    Sanction.EXPEL: "out of the game",
    Sanction.FORFEIT: "the match is lost",
    Sanction.VOID: "the match does not count",
}
_COUNTED = {"match": "", "turn": ", counted in each turn", "row": ", counted in turns in a row"}


def _steps(ladder: Ladder) -> str:
    """Return the sanctions of a ladder in words."""
    steps = [
        _COSTS[step.sanction] + (f" ({step.times} times)" if step.times > 1 else "") for step in ladder.steps
    ]
    return ", then ".join(steps) + (_COUNTED[ladder.counted] if len(steps) > 1 else "")


def conduct_offer(conduct: Conduct) -> schema.ConductOffer:
    """Return a conduct in words, one line per offence, and one about the last player."""
    about = [f"{_FAULTS[offence]}: {_steps(conduct.ladder(offence))}" for offence in Offence]
    alone = "has won" if conduct.alone == "end" else "plays on"
    return schema.ConductOffer(cut(conduct.name), (*about, f"The last one who is left: {alone}"))


def clock_terms(clock: Clock) -> schema.ClockTerms | None:
    """Return a clock in seconds; None is no limit."""
    if clock.per_move is None:
        return None
    return schema.ClockTerms(clock.per_move / 1e6, clock.bank / 1e6, clock.increment / 1e6)


def terms_summary(game: Any, conduct: Conduct, limits: Limits, turn_cap: int) -> schema.TermsSummary:
    return schema.TermsSummary(
        options=msgspec.to_builtins(game),
        conduct=conduct_offer(conduct),
        clock=clock_terms(limits.clock),
        turn_cap=turn_cap,
    )

"""Describe a result in words: for people on the page, and with seat numbers for the command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from touchline.core.events import Moved, TakenBack
from touchline.records.fault_words import deed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from touchline.core.events import Event, Result
    from touchline.core.rules import Outcome, Seat

_REASONS = {
    "nobody can move": "Nobody could move any more",
    "nobody is left": "Nobody was left",
    "everybody passed": "Everybody passed",
    "came home": "{mover} came home",
    "reached the far row": "{winner} got through to the far row",
    "opponent cannot move": "{loser} could not move any more",
}
"""Reasons that read better as a sentence in the past; any other is told as the game has it.

In both, `{winner}`, `{loser}` and `{mover}`, who made the last move, stand for names.
"""


class LastMover:
    """An observer that knows who made the last move, which a result does not say."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.seat: Seat | None = None
        for event in events:
            self(event)

    def __call__(self, event: Event) -> None:
        if isinstance(event, Moved):
            self.seat = event.seat
        elif isinstance(event, TakenBack):
            self.seat = None


def reason_of(result: Result, names: Sequence[str], mover: Seat | None) -> str:
    """Return why a match is over: the game's own words, but with a name if the last mover ended it."""
    said = _REASONS.get(result.reason, "")
    return _named(said if mover is not None and "{mover}" in said else result.reason, result, names, mover)


def _named(words: str, result: Result, names: Sequence[str], mover: Seat | None) -> str:
    """Return the words of a reason with names in them; braces of any other kind, or in a name, stay."""
    if result.outcome is None:
        return words
    winners = result.outcome.winners
    people = {
        "{winner}": listed([names[seat] for seat in winners]),
        "{loser}": listed([name for seat, name in enumerate(names) if seat not in winners]),
        "{mover}": "A player" if mover is None else names[mover],
    }
    return re.sub("|".join(map(re.escape, people)), lambda found: people[found[0]], words)


def story(result: Result, names: Sequence[str], mover: Seat | None = None) -> list[str]:
    """Return one line per seat, the winners first; a void match has a single line."""
    who = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
    if result.outcome is None:
        return [f"void: {result.reason}; nobody has lost"]
    faults = {fault.seat: fault for fault in result.faults}
    lines: list[str] = []
    for seat, rank in enumerate(result.outcome.ranks):
        score = result.outcome.scores[seat]
        if seat in result.outcome.winners:
            lines.insert(0, f"{who[seat]} won with {score}: {reason_of(result, who, mover)}")
        elif seat in result.resigned:
            lines.append(f"{who[seat]} resigned")
        elif seat in result.expelled or (result.verdict == "forfeited" and seat in faults):
            fault = faults[seat]
            fate = "was expelled" if seat in result.expelled else "forfeited"
            lines.append(f"{who[seat]} {fate} at turn {fault.turn}: {fault.offence.value}: {fault.reason}")
        else:
            lines.append(f"{who[seat]} lost with {score}, rank {rank}")
    return lines if result.outcome.winners else ["nobody won", *lines]


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, numbered where several seats have the same one.

    >>> distinct(["Ann", "Pip", "Pip"])
    ('Ann', 'Pip (1)', 'Pip (2)')
    """
    names = tuple(names)
    return tuple(
        f"{name} ({names[: seat + 1].count(name)})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listed(["Ann"]), listed(["Ann", "Bo"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann and Bo', 'Ann, Bo and Cy')
    """
    return " and ".join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def headline(result: Result, names: Sequence[str]) -> str:
    """Return who won, with the scores where they say more than that.

    >>> from touchline.core.events import Result
    >>> from touchline.core.rules import Outcome
    >>> outcome = Outcome(winners=(0,), ranks=(1, 2), scores=(40, 26), reason="nobody can move")
    >>> headline(Result(verdict="finished", outcome=outcome, reason=outcome.reason, turns=24), ("Ann", "Bo"))
    'Ann won 40–26'
    """
    outcome = result.outcome
    if outcome is None:
        return "The match does not count"
    if not outcome.winners:
        return "Nobody won"
    who = listed([distinct(names)[seat] for seat in outcome.winners])
    scores = "–".join(map(str, _scores(outcome)))
    if len(outcome.winners) > 1:
        return f"{who} share the win, {scores}" if scores else f"{who} share the win"
    return f"{who} won {scores}" if scores else f"{who} won"


def _scores(outcome: Outcome) -> list[int]:
    """Return the scores of the seats that stayed, the winners' first; empty if they say nothing."""
    best = [outcome.scores[seat] for seat in outcome.winners]
    rest = [
        outcome.scores[seat]
        for seat, rank in sorted(enumerate(outcome.ranks), key=lambda ranked: ranked[1] or 0)
        if rank is not None and seat not in outcome.winners
    ]
    flags = min(best) <= 1 and not any(rest)  # 1 for a win and 0 for a loss, as Hexapawn counts
    if len(best) + len(rest) < 2 or flags or max(rest, default=min(best) - 1) >= min(best):
        return []
    return [*best, *rest]


def why(result: Result, names: Sequence[str], mover: Seat | None = None) -> str:
    """Return how the match ended, as a sentence; of a game that nobody else stayed in, who left and why.

    `mover` is the seat that made the last move, if it is known.

    >>> from touchline.core.events import Result
    >>> from touchline.core.rules import Outcome
    >>> outcome = Outcome(winners=(0,), ranks=(1, None), scores=(1, 0), reason="opponent removed")
    >>> over = Result(verdict="finished", outcome=outcome, reason=outcome.reason, turns=9, resigned=(1,))
    >>> why(over, ("Ann", "Bo"))
    'Bo resigned.'
    """
    names, outcome = distinct(names), result.outcome
    if outcome is None:
        return _void(result, names)
    stayed = [seat for seat in range(len(names)) if seat not in (*result.expelled, *result.resigned)]
    if result.verdict == "forfeited" or len(stayed) < 2:
        left = [*_departures(result, names)]
        if left:
            return ". ".join(left) + "."
    said = _REASONS.get(result.reason) or result.reason[:1].upper() + result.reason[1:]
    return f"{_named(said, result, names, mover)}."


def _void(result: Result, names: Sequence[str]) -> str:
    last = result.faults[-1] if result.faults else None
    if last is None or not result.reason.startswith(f"seat {last.seat}:"):
        return result.reason[:1].upper() + result.reason[1:] + "."
    found = deed(last.offence, last.reason)
    return "Our helper process stopped." if found.ours else f"{names[last.seat]} {found.did}."


def _departures(result: Result, names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence about every seat that left before the end, without a full stop."""
    faults = {fault.seat: fault for fault in result.faults}
    for seat, name in enumerate(names):
        if seat in result.resigned:
            yield f"{name} resigned"
        elif seat in faults and (seat in result.expelled or faults[seat].sanction.value == "forfeit"):
            found = deed(faults[seat].offence, faults[seat].reason)
            yield (
                f"Our helper process stopped, so {name} had to leave" if found.ours else f"{name} {found.did}"
            )


def verdicts(result: Result, names: Sequence[str], mover: Seat | None = None) -> tuple[str, ...]:
    """Return the result as lines for people: who won, how it ended, and who left before."""
    lines = [headline(result, names), why(result, names, mover).removesuffix(".")]
    if result.outcome is not None:
        lines += [line for line in _departures(result, distinct(names)) if line not in lines[1]]
    return tuple(lines)

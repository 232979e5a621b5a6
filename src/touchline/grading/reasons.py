"""Offences and results in plain words: what a submission did, what was expected, what it cost.

A student reads these without knowing the referee. A reason that a program caused is cut, because it may be
any text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.conduct import Offence, Sanction

if TYPE_CHECKING:
    from touchline.core.clock import Limits
    from touchline.core.events import Fault, Result

MOST_REASON = 600
"""Characters of the referee's reason."""
MOST_STDERR = 4_000
"""Characters of stderr that are kept, from its end."""

DID = {
    Offence.ILLEGAL: "it made a move that the rules do not allow",
    Offence.MALFORMED: "it sent an answer that cannot be read",
    Offence.LATE: "it did not answer in time",
    Offence.STARVED: "it did not answer in time, because the machine was busy",
    Offence.OUT_OF_TURN: "it sent something although nothing was asked",
    Offence.GONE: "its program ended before the game was over",
    Offence.FLOOD: "it sent more than the limit",
    Offence.NOT_READING: "it did not read its messages",
    Offence.REFUSED: "it never took its seat",
    Offence.LIMIT: "its program used more than it may, and was killed",
}
COST = {
    Sanction.RETRY: "It was asked again.",
    Sanction.SKIP: "It lost its turn.",
    Sanction.DEFAULT: "The referee played the default move for it.",
    Sanction.RANDOM: "The referee played a random move for it.",
    Sanction.EXPEL: "It was expelled from the game.",
    Sanction.FORFEIT: "It forfeited the game.",
    Sanction.VOID: "The game was void.",
}


def expected(offence: Offence, limits: Limits) -> str:
    """Return what a program has to do instead of this offence.

    >>> from touchline.core.clock import Limits
    >>> expected(Offence.ILLEGAL, Limits())
    'a move that is legal in the position of the question'
    """
    clock, set_up = limits.clock, limits.set_up
    move = f"{(clock.per_move or 0) / 1e6:g} s"
    if clock.bank:
        move += f" and {clock.bank / 1e6:g} s of spare time for the whole game"
    return {
        Offence.ILLEGAL: "a move that is legal in the position of the question",
        Offence.MALFORMED: "one answer to each question in the form of the dialect, and nothing else on "
        "stdout (print what is for you to stderr)",
        Offence.LATE: f"an answer within {move}",
        Offence.STARVED: f"an answer within {move}",
        Offence.OUT_OF_TURN: "no output but the answers to questions",
        Offence.GONE: "a program that runs until it is told that the game is over",
        Offence.FLOOD: "one answer to each question, of ordinary length",
        Offence.NOT_READING: "a program that reads every line of its stdin",
        Offence.REFUSED: f"a program that starts, and is ready within {(set_up or 0) / 1e6:g} s",
        Offence.LIMIT: "a program that stays within its limits of memory, disk and processor time",
    }[offence]


def fault_text(fault: Fault) -> str:
    """Return what happened, why it was an offence, and what it cost.

    >>> from touchline.core.events import Fault
    >>> fault_text(Fault(0, 7, Offence.ILLEGAL, "no such tile", Sanction.EXPEL))
    'At turn 7 it made a move that the rules do not allow: no such tile. It was expelled from the game.'
    """
    when = "Before the game" if fault.offence is Offence.REFUSED else f"At turn {fault.turn}"
    return f"{when} {DID[fault.offence]}: {_cut(fault.reason)}. {COST[fault.sanction]}"


def result_text(result: Result, seat: int, names: tuple[str, ...]) -> str:
    """Return how a game ended on the board, from the view of one seat."""
    assert result.outcome is not None
    outcome, why = result.outcome, f"after {result.turns} turns: {_cut(result.reason)}"
    scores = ""
    if any(outcome.scores):
        own = outcome.scores[seat]
        others = ", ".join(
            f"{names[other]} {score}" for other, score in enumerate(outcome.scores) if other != seat
        )
        scores = f" (it had {own}; {others})"
    winners = [names[winner] for winner in outcome.winners if winner != seat]
    if seat in result.resigned:
        return f"It resigned {why}"
    if seat in outcome.winners:
        return f"{'It tied with ' + ', '.join(winners) if winners else 'It won'} {why}{scores}"
    return f"It lost to {', '.join(winners) or 'nobody'} {why}{scores}"


def stderr_tail(text: str) -> str:
    """Return the end of a program's stderr."""
    text = text.strip()
    return text if len(text) <= MOST_STDERR else f"[...]\n{text[-MOST_STDERR:]}"


def shortened(text: str, most: int) -> str:
    """Return a text, or its beginning with an ellipsis if it is longer than `most` characters.

    >>> shortened("abc", 3), shortened("abcd", 3)
    ('abc', 'abc…')
    """
    return text if len(text) <= most else f"{text[:most]}…"


def _cut(text: str) -> str:
    return shortened(text.strip().rstrip("."), MOST_REASON)

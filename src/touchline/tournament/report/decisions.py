"""Say which tie-break decided each rank of the standings.

Law of this file: standings are ordered by their tie-breaks alone, so of two neighbours the first number that
differs is the one that decided.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.tournament.standings import Standing, format_points

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACE, REACHED = "place at the table", "round reached"
"""Tie-breaks that are stored otherwise than people count: as a negative number, and from 0."""


class Decision(Struct, frozen=True):
    """Why an entrant is above the next one in the standings."""

    entrant: str
    above: str
    tiebreak: str | None
    """The tie-break that decided; None if they are equal in all, and share their rank."""
    mine: float = 0.0
    theirs: float = 0.0

    def text(self) -> str:
        """
        >>> Decision("ann", "bob", "Buchholz", 7.5, 6).text()
        'above bob by Buchholz 7.5 to 6'
        """
        if self.tiebreak is None:
            return f"equal to {self.above} in every tie-break"
        mine, theirs = (tiebreak_text(self.tiebreak, value) for value in (self.mine, self.theirs))
        return f"above {self.above} by {self.tiebreak} {mine} to {theirs}"


def tiebreak_text(name: str, value: float) -> str:
    """Return a tie-break's number for people.

    >>> tiebreak_text("Buchholz", 7.5), tiebreak_text("place at the table", -2.0), tiebreak_text(PLACE, 0.0)
    ('7.5', '2', '–')
    >>> tiebreak_text("round reached", 0.0)
    '1'
    """
    if name == PLACE:
        return format_points(-value) if value else "–"
    return format_points(value + 1 if name == REACHED else value)


def decisions(standings: Sequence[Standing], tiebreaks: Sequence[str]) -> tuple[Decision, ...]:
    """Return a decision for each entrant but the last."""
    return tuple(_decision(one, other, tiebreaks) for one, other in pairwise(standings))


def _decision(one: Standing, other: Standing, tiebreaks: Sequence[str]) -> Decision:
    for name, mine, theirs in zip(tiebreaks, one.tiebreaks, other.tiebreaks, strict=False):
        if mine != theirs:
            return Decision(one.entrant, other.entrant, name, mine, theirs)
    return Decision(one.entrant, other.entrant, None)

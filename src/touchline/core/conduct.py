"""Offences, sanctions, and the conduct of a match: for each offence a ladder of sanctions, as data.

Law of this file: every ladder ends. A conduct with a ladder that could run for ever is refused when it is
built, so a match ends even if all of its players misbehave all the time.

The conducts themselves are plug-ins, one file each in `conducts/`; an organiser writes another in TOML.
"""

from __future__ import annotations

import enum
from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class Offence(enum.Enum):
    """The kinds of offence of a player.

    A frame that cannot be decoded is malformed; an answer that breaks the rules is illegal; anything sent
    when nothing was asked is out of turn.

    >>> Offence("late").name
    'LATE'
    """

    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    LATE = "late"
    OUT_OF_TURN = "out_of_turn"
    GONE = "gone"
    """Crashed, exited, or hung up."""
    FLOOD = "flood"
    """Sent more than the limit."""
    NOT_READING = "not_reading"
    """Does not read its messages, so that unsent data piles up."""
    REFUSED = "refused"
    """Never took its seat: the program did not start, or did not sign up."""
    LIMIT = "limit"
    """Used more memory, disk or processor time than its program may, and was killed."""
    STARVED = "starved"
    """Late, while the machine and not the program was busy."""


class Sanction(enum.Enum):
    """The sanctions that the referee can impose.

    >>> Sanction("expel") in FINAL
    True
    """

    RETRY = "retry"
    """Refuse it and say why; the seat may try again while its turn lasts."""
    SKIP = "skip"
    """Take the turn away."""
    DEFAULT = "default"
    """Play the game's default move in its place."""
    RANDOM = "random"
    """Play a legal move in its place, drawn from the match's seed."""
    EXPEL = "expel"
    """Remove the seat by the game's own rule; the others play on."""
    FORFEIT = "forfeit"
    """End the match: this seat has lost it."""
    VOID = "void"
    """End the match: it does not count."""


FINAL = frozenset({Sanction.EXPEL, Sanction.FORFEIT, Sanction.VOID})
"""These remove the seat or end the match, so no step can follow them."""
PLAYING = frozenset({Sanction.DEFAULT, Sanction.RANDOM})
"""These advance the game, so a ladder may end in one of them."""

MOST_RETRIES = 100
"""The upper bound of a step's count and of `idle`: a ladder ends after a limited number of offences."""


class LadderStep(Struct, frozen=True):
    """One step of a ladder: a sanction, and the number of offences it applies to."""

    sanction: Sanction
    times: int = 1


class Ladder(Struct, frozen=True):
    """The steps for consecutive offences; the last one applies to all further offences."""

    steps: tuple[LadderStep, ...]
    counted: Literal["turn", "row", "match"] = "match"
    """The scope of the count: one turn, consecutive turns of the seat, or the whole match."""

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a ladder has at least one step")
        if any(not 1 <= step.times <= MOST_RETRIES for step in self.steps):
            raise ValueError(f"a step applies to 1 to {MOST_RETRIES} offences")
        if any(step.sanction in FINAL for step in self.steps[:-1]):
            raise ValueError("nothing comes after expel, forfeit or void")

    @property
    def last(self) -> Sanction:
        return self.steps[-1].sanction

    def sanction(self, count: int) -> Sanction:
        """Return the sanction for the `count`-th offence, counted from 1."""
        for step in self.steps:
            if count <= step.times:
                return step.sanction
            count -= step.times
        return self.last


def ladder(*steps: str, counted: Literal["turn", "row", "match"] = "match") -> Ladder:
    """Return the ladder with these steps, given as text.

    >>> ladder("retry 2", "expel").sanction(3)
    <Sanction.EXPEL: 'expel'>
    """
    return Ladder(tuple(map(_step, steps)), counted)


def _step(text: str) -> LadderStep:
    word, _, times = text.strip().partition(" ")
    try:
        return LadderStep(Sanction(word), int(times) if times else 1)
    except ValueError:
        known = ", ".join(sanction.value for sanction in Sanction)
        raise ValueError(f"{text!r} is not a sanction ({known}) with an optional count: 'retry 2'") from None


class Conduct(Struct, frozen=True, kw_only=True):
    """The conduct of a match: a ladder of sanctions for each offence.

    >>> at_once = ladder("expel")
    >>> kind = Conduct(name="kind", illegal=ladder("retry 2", "skip", counted="turn"), late=ladder("skip"),
    ...                gone=at_once, out_of_turn=at_once)
    >>> kind.ladder(Offence.ILLEGAL).sanction(3)
    <Sanction.SKIP: 'skip'>
    """

    name: str
    illegal: Ladder
    late: Ladder
    gone: Ladder
    out_of_turn: Ladder
    malformed: Ladder | None = None
    """None: a malformed answer counts as illegal, on the same ladder and in the same count."""
    flood: Ladder = ladder("expel")
    not_reading: Ladder = ladder("expel")
    refused: Ladder = ladder("expel")
    limit: Ladder | UnsetType = UNSET
    """Unset: a program that breaks a limit is sanctioned as if it had crashed."""
    starved: Ladder | UnsetType = UNSET
    """Unset: a starved turn counts as late, on the same ladder and in the same count."""
    idle: int = 3
    """A seat is expelled when this many of its turns in a row are taken away."""
    alone: Literal["end", "play_on"] | UnsetType = UNSET
    """What happens when all seats but one have left: the match ends and this seat has won, or it plays on.

    Unset: it plays on, as in the courses and in all records of before there was this field.
    """

    def __post_init__(self) -> None:
        if not 1 <= self.idle <= MOST_RETRIES:
            raise ValueError(f"idle must be 1 to {MOST_RETRIES} turns")
        for offence in Offence:
            rungs = self.ladder(offence)
            if rungs.last is Sanction.RETRY:
                raise ValueError(f"{offence.value}: a ladder must not end in retry; add a last step")
            if offence in ABSENT and any(step.sanction is Sanction.RETRY for step in rungs.steps):
                raise ValueError(f"{offence.value}: no player is left to ask again")

    def ladder(self, offence: Offence) -> Ladder:
        """Return the ladder for an offence."""
        rungs: Ladder = getattr(self, self.counted_as(offence).value)
        return rungs

    def counted_as(self, offence: Offence) -> Offence:
        """Return the offence under which this one is counted."""
        other = COUNTED_AS.get(offence)
        own = other is None or isinstance(getattr(self, offence.value), Ladder)
        return offence if own or other is None else other


COUNTED_AS = {
    Offence.MALFORMED: Offence.ILLEGAL,
    Offence.LIMIT: Offence.GONE,
    Offence.STARVED: Offence.LATE,
}
"""The offences that count as another one if a conduct has no ladder for them."""
LATENESS = frozenset({Offence.LATE, Offence.STARVED})
"""Offences after which the answer may still arrive."""
ABSENT = frozenset({Offence.GONE, Offence.FLOOD, Offence.NOT_READING, Offence.REFUSED, Offence.LIMIT})
"""Offences after which the seat has no player that could answer."""

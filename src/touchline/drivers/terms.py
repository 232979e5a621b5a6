"""The terms of a table: which conduct holds, and how long a move may take.

One rule for every way in: `play`, `serve`, cups and the page. House players speak whatever the others do. If
all players from outside speak one dialect, its terms are the default; at a mixed table the organiser's are.
Terms that somebody chose override both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import registry
from touchline.core.clock import Limits
from touchline.core.registry import CONDUCTS
from touchline.dialects import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.core.conduct import Conduct

UNCHOSEN = Limits()


class Terms(NamedTuple):
    """What holds at one table."""

    conduct: Conduct
    limits: Limits
    why: str
    """Why it is this conduct, for people."""

    def __str__(self) -> str:
        per_move = self.limits.clock.per_move
        pace = "no time limit" if per_move is None else f"{per_move / 1e6:g} s a move"
        return f"conduct {self.conduct.name} ({self.why}), {pace}"


def terms_of(
    spoken: Iterable[str | None],
    *,
    conduct: Conduct | None = None,
    limits: Limits = UNCHOSEN,
    paced: bool = False,
    organiser: Conduct = COURSE,
) -> Terms:
    """Return the terms of a table whose seats speak these dialects; None stands for a house player.

    `conduct` is one that somebody chose; `paced` says that somebody chose the time for a move, which is in
    `limits` then. `organiser` is the conduct of a mixed table.

    >>> str(terms_of(["seed-001", None]))
    'conduct seed-001 (all players from outside speak seed-001), 10 s a move'
    >>> str(terms_of(["seed-003", "seed-004"]))
    'conduct course (players from outside speak seed-003, seed-004), 10 s a move'
    """
    outside = sorted({name for name in spoken if name is not None})
    only = registry.dialect(outside[0] if outside else DEFAULT) if len(outside) < 2 else None
    if only is not None and not paced:
        limits = replace(limits, clock=replace(limits.clock, per_move=only.per_move))
    if conduct is not None:
        return Terms(conduct, limits, "chosen")
    return Terms(organiser if only is None else CONDUCTS[only.conduct], limits, _why(outside))


def _why(outside: Sequence[str]) -> str:
    if not outside:
        return "only house players"
    if len(outside) == 1:
        return f"all players from outside speak {outside[0]}"
    return f"players from outside speak {', '.join(outside)}"

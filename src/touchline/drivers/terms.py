"""The terms of a table: its conduct, and the time limit of a move.

`play`, `serve`, cups and the web page use the same rule. House players have no dialect of their own. If all
other players speak one dialect, its terms are the default; at a mixed table the organiser's terms are.
Terms that were chosen explicitly override both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from touchline.conducts.course import CONDUCT as COURSE
from touchline.core import registry
from touchline.core.clock import Clock, Limits
from touchline.core.registry import CONDUCTS
from touchline.dialects import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.core.conduct import Conduct
    from touchline.core.rules import Seat

UNCHOSEN = Limits()
"""The default limits, where none were chosen."""


class Terms(NamedTuple):
    """The conduct and the limits of one table."""

    conduct: Conduct
    limits: Limits
    why: str
    """The reason for this conduct, as text for people."""

    def __str__(self) -> str:
        per_move = self.limits.clock.per_move
        pace = "no time limit" if per_move is None else f"{per_move / 1e6:g} s a move"
        if self.limits.untimed is not UNSET:
            pace = f"you have no time limit; {pace} for the others"
        if self.limits.fuel is not UNSET:
            pace += f", {self.limits.fuel:,} fuel a move for WebAssembly"
        return f"conduct {self.conduct.name} ({self.why}), {pace}"


def terms_of(
    dialects: Iterable[str | None],
    *,
    conduct: Conduct | None = None,
    limits: Limits = UNCHOSEN,
    paced: bool = False,
    people: Sequence[Seat] = (),
    organiser: Conduct = COURSE,
) -> Terms:
    """Return the terms of a table whose seats speak these dialects; None stands for a house player.

    `conduct` is the chosen conduct, if any. `paced` says that the time for a move in `limits` was chosen.
    `people` are the seats of people at this terminal, who have no time limit unless a clock was chosen.
    `organiser` is the conduct of a mixed table.

    >>> str(terms_of(["seed-001", None]))
    'conduct seed-001 (all players from outside speak seed-001), 10 s a move'
    >>> str(terms_of(["seed-003", "seed-004"]))
    'conduct course (players from outside speak seed-003, seed-004), 10 s a move'
    >>> str(terms_of(["seed-001", None], people=[0])).partition(", ")[2]
    'you have no time limit; 10 s a move for the others'
    """
    spoken = [*dialects]
    outside = sorted({name for name in spoken if name is not None})
    only = registry.dialect(outside[0] if outside else DEFAULT) if len(outside) < 2 else None
    if only is not None and not paced:
        limits = replace(limits, clock=replace(limits.clock, per_move=only.per_move))
    if people and not _clock_chosen(limits, paced=paced):
        alone = len(people) == len(spoken)
        limits = (
            replace(limits, clock=Clock(per_move=None)) if alone else replace(limits, untimed=tuple(people))
        )
    if conduct is not None:
        return Terms(conduct, limits, "chosen")
    return Terms(organiser if only is None else CONDUCTS[only.conduct], limits, _why(outside))


def _clock_chosen(limits: Limits, *, paced: bool) -> bool:
    """Return whether somebody asked for a clock: a time for a move, or a time bank."""
    return paced or bool(limits.clock.bank or limits.clock.increment)


def _why(outside: Sequence[str]) -> str:
    if not outside:
        return "only house players"
    if len(outside) == 1:
        return f"all players from outside speak {outside[0]}"
    return f"players from outside speak {', '.join(outside)}"

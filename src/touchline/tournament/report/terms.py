"""The terms of a cup in words: boards, format, clock, conduct, isolation, seed. And what its entrants are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct

from touchline.tournament.isolation_notes import isolation_of
from touchline.tournament.versions import version_marks, versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.core.clock import Limits
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger import LogEntry


class Term(Struct, frozen=True):
    """One of the terms of a cup."""

    name: str
    value: str


class EntrantFacts(Struct, frozen=True, kw_only=True):
    """What an entrant is, and what the machine did to it."""

    entrant: str
    player: str
    """The player's word, as in the cup; a remote entrant's key is not part of it."""
    untrusted: bool
    versions: tuple[str, ...]
    """The hashes of its files, the latest last; empty for a house player."""
    mark: str
    """What tables show behind its name, if it was changed during the cup: `version 2`."""
    starved: int
    """Turns in which its program waited for a processor, and ran out of time."""


def terms_of(cup: Cup, log: Sequence[LogEntry]) -> tuple[Term, ...]:
    """Return the terms of a cup."""
    tier = isolation_of(log)
    found = {
        "game": cup.game,
        "boards": "; ".join(_options(board) for board in cup.boards),
        "format": _options({"name": cup.format, **cup.options}).removeprefix("name "),
        "conduct": cup.conduct.name,
        "clock": clock_text(cup.limits),
        "isolation of programs": tier or "no programs",
        "programs think in the turns of others": "yes" if cup.ponder is True else "no",
        "turns after which a game is void": f"{cup.turn_cap:,}",
        "seed": str(cup.seed),
    }
    return tuple(Term(name, value) for name, value in found.items() if value)


def _options(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items())


def clock_text(limits: Limits) -> str:
    """Return the time limits in words.

    >>> from touchline.core.clock import UNTIMED, Clock, Limits
    >>> clock_text(UNTIMED), clock_text(Limits(clock=Clock(2_000_000, 60_000_000, 0), set_up=5_000_000))
    ('no time limit', '2 s a move, a bank of 60 s, 5 s to set up')
    """
    clock, fuel = limits.clock, limits.fuel
    parts = []
    if clock.per_move is not None:
        parts.append(f"{_seconds(clock.per_move)} a move")
        parts += [f"a bank of {_seconds(clock.bank)}"] if clock.bank else []
        parts += [f"{_seconds(clock.increment)} more after each move"] if clock.increment else []
        parts += [f"{_seconds(limits.set_up)} to set up"] if limits.set_up else []
    if fuel is not UNSET:
        parts.append(f"{fuel:,} units of fuel a move")
    return ", ".join(parts) or "no time limit"


def _seconds(micros: int) -> str:
    return f"{micros / 1e6:g} s"


def entrant_facts(cup: Cup, log: Sequence[LogEntry], starved: Mapping[str, int]) -> tuple[EntrantFacts, ...]:
    """Return what each entrant is, in the order of the cup."""
    known, marks = versions(log), version_marks(log)
    return tuple(
        EntrantFacts(
            entrant=one.name, player=one.player, untrusted=one.untrusted is True,
            versions=tuple(version.digest for version in known.get(one.name, ())),
            mark=marks.get(one.name, ""), starved=starved.get(one.name, 0),
        )
        for one in cup.entrants
    )  # fmt: skip

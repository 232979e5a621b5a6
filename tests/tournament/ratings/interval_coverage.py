"""Simulated cups: how often do the error bars of ratings hold the truth?

`python tests/tournament/ratings/interval_coverage.py` prints the table of docs/tournaments.md, and
`test_coverage.py` checks it. Strengths are drawn from a normal distribution, and games by the Plackett-Luce
model.
"""

from __future__ import annotations

import sys
from math import log
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from touchline.tournament.formats.round_robin import RoundRobin
from touchline.tournament.formats.swiss import Swiss
from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.ratings.bradley_terry import SCALE, bradley_terry

if TYPE_CHECKING:
    from collections.abc import Mapping

SPREAD = 200
"""The standard deviation of the strengths of a field, in Elo points."""


class Case(NamedTuple):
    """Cups of one kind: their size, their format, and how many of them are simulated."""

    entrants: int
    rules: RoundRobin | Swiss
    cups: int

    def __str__(self) -> str:
        rounds = self.rules.rounds or (self.entrants - 1).bit_length()
        return f"{self.entrants} | {self.rules.name} | {self.rules.seats} | {rounds} | {self.rules.games}"


CASES = [
    Case(4, RoundRobin(games=4), 400),
    Case(4, RoundRobin(games=20), 400),
    Case(4, Swiss(rounds=3, games=4), 400),
    Case(6, RoundRobin(seats=3, games=3), 250),
    Case(12, RoundRobin(games=2), 120),
    Case(12, RoundRobin(seats=6, rounds=2, games=6), 80),
    Case(16, Swiss(games=2), 120),
    Case(20, RoundRobin(seats=5, games=5), 30),
    Case(24, Swiss(seats=4, games=4), 60),
    Case(36, Swiss(seats=3, rounds=6, games=3), 30),
    Case(40, RoundRobin(games=2), 30),
    Case(60, Swiss(seats=6, games=6), 24),
    Case(100, Swiss(games=2), 40),
    Case(160, Swiss(games=2), 12),
    Case(160, RoundRobin(games=2), 4),
    Case(200, Swiss(seats=4, games=4), 10),
    Case(400, RoundRobin(), 2),
    Case(400, Swiss(), 6),
    Case(400, Swiss(games=2), 5),
    Case(400, Swiss(seats=6, games=1), 4),
]


def game(pairing: Pairing, strengths: Mapping[str, float], rng: Random, *, halves: bool = False) -> Played:
    """Draw a game by the Plackett-Luce model: the best of independent performances, and so on.

    With `halves`, a game of two has two halves, and is tied if each wins one.
    """
    ranks = _ranks(pairing, strengths, rng)
    if halves and ranks != _ranks(pairing, strengths, rng):
        ranks = (1, 1)
    return Played(pairing, "finished", tuple(seat for seat, rank in enumerate(ranks) if rank == 1), ranks)


def _ranks(pairing: Pairing, strengths: Mapping[str, float], rng: Random) -> tuple[int, ...]:
    performance = [strengths[name] - log(-log(rng.random())) for name in pairing.entrants]
    order = sorted(performance, reverse=True)
    return tuple(1 + order.index(own) for own in performance)


def cup(rules: Any, strengths: Mapping[str, float], rng: Random, *, halves: bool = False) -> list[Played]:
    """Play a whole cup."""
    played: list[Played] = []
    names = [*strengths]
    while due := rules.due(names, played):
        played += [game(pairing, strengths, rng, halves=halves) for pairing in due]
    return played


def field(entrants: int, spread: float, rng: Random) -> dict[str, float]:
    """Draw the strengths of a field."""
    return {f"p{index:03}": rng.gauss(0, spread / SCALE) for index in range(entrants)}


def coverage(case: Case, spread: float = SPREAD, *, halves: bool = False) -> float:
    """Return the share of entrants whose true strength lies within the bars."""
    rng, held = Random(f"{case} {spread} {halves}"), list[bool]()
    for _ in range(case.cups):
        strengths = field(case.entrants, spread, rng)
        middle = fmean(strengths.values())
        for rating in bradley_terry(cup(case.rules, strengths, rng, halves=halves), [*strengths]):
            truth = 1500 + SCALE * (strengths[rating.entrant] - middle)
            held.append(rating.low <= truth <= rating.high)
    return fmean(held)


if __name__ == "__main__":
    spreads = [*map(int, sys.argv[1:])] or [100, SPREAD, 300]
    sys.stdout.write(f"| entrants | format | seats | rounds | games | {' | '.join(map(str, spreads))} |\n")
    for case in CASES:
        found = " | ".join(f"{100 * coverage(case, spread):.1f} %" for spread in spreads)
        sys.stdout.write(f"| {case} | {found} |\n")
        sys.stdout.flush()

"""The harnesses of the Labyrinth course against the obvious referee."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from harness.labyrinth_specs import ask, random_state
from obvious.seekers import TooLong, referee, server
from touchline.games import labyrinth


def random_spec(rng: Random, seats: int) -> list[list[Any]]:
    """Players of both strategies, about half of them with a fault."""
    spec: list[list[Any]] = []
    for name in rng.sample(["a", "B", "c", "D", "e5", "6"], seats):
        entry: list[Any] = [name, rng.choice(["Riemann", "Euclid"])]
        if rng.random() < 0.6:
            entry += [rng.choice(["setUp", "takeTurn", "win"]), rng.choice([1, 1, 2, 2, 3, 5])]
        spec.append(entry)
    return spec


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("harness", ["xbad2", "xserver10"])
def test_as_the_obvious_referee(seed: int, harness: str) -> None:
    """On random boards with random faults, winners and misbehaving are those of the obvious referee."""
    rng = Random(f"{seed} {harness}")
    played = 0
    for _ in range(40):
        seats = rng.randint(2, 4)
        value = random_state(rng, seats, rng.choice([(2, 2), (3, 3), (3, 4), (2, 5), (4, 4), (5, 3)]))
        spec = random_spec(rng, seats)
        try:
            expected = (referee if harness == "xbad2" else server)(spec, value, patience=25)
        except TooLong:
            continue
        played += 1
        assert ask(harness, spec, value) == expected, (spec, value)
    assert played > 15


@pytest.mark.parametrize("seed", range(4))
def test_round_limit(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of a few rounds, games that are cut off by it end as with the obvious referee."""
    rng = Random(seed)
    for _ in range(25):
        rounds = rng.randint(1, 6)
        monkeypatch.setattr(labyrinth, "ROUNDS", rounds)
        seats = rng.randint(1, 4)
        value = random_state(rng, seats, rng.choice([(3, 3), (3, 4), (4, 4), (5, 5)]))
        spec = random_spec(rng, seats)
        assert ask("xbad2", spec, value) == referee(spec, value, rounds), (spec, value, rounds)

"""Seeds reproduce a match, and the promise binds its seed without showing it."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.dialogue import FISH, MAZE
from referee.played import Scripted, lines
from touchline.bots.random import Random as RandomBot
from touchline.core.events import Begun, Ended, Event, encode
from touchline.drivers.match import agreed, commitment, play_now


def test_seeds_reproduce() -> None:
    """The same seed and the same bots give the same match; another seed another one."""

    def run(seed: int) -> list[Any]:
        seen: list[Event] = []
        spec = agreed(FISH, "ab", seed=seed, nonce="")
        play_now(spec, [RandomBot(Random(1)), RandomBot(Random(2))], [seen.append])
        return lines(seen)

    assert run(1) == run(1)
    assert run(1) != run(2)
    assert run(1)[0]["position"] != run(2)[0]["position"]


def test_a_seed_is_drawn() -> None:
    """A seed that is not given is drawn anew each time, and the nonce always."""
    specs = [agreed(FISH, "ab") for _ in range(20)]
    assert len({spec.seed for spec in specs}) == len({spec.nonce for spec in specs}) == 20
    assert all(len(spec.nonce) == 32 for spec in specs)
    assert not any(spec.seed_given for spec in specs)
    first, second = (agreed(FISH, "ab", seed=5) for _ in range(2))
    assert first.seed_given
    assert first.seed == second.seed == 5
    assert first.nonce != second.nonce
    assert agreed(FISH, "ab", seed=5, nonce="a") == agreed(FISH, "ab", seed=5, nonce="a")


def test_the_promise_binds() -> None:
    """Another seed or another nonce keeps another promise."""
    promises = {commitment(seed, nonce) for seed in range(50) for nonce in ("", "a", "b", "1", "11")}
    assert len(promises) == 250
    assert all(len(promise) == 64 for promise in promises)
    assert commitment(1, "1 2") != commitment(2, "1 1")


def test_the_promise_hides() -> None:
    """Nothing that is seen before the end holds seed or nonce, and a seed alone does not tell the promise."""
    spec = agreed(MAZE, "ab", seed=987654321, turn_cap=6)
    seen: list[Event] = []
    play_now(spec, [Scripted(), Scripted()], [seen.append])
    for event in seen[:-1]:
        assert b"987654321" not in encode(event)
        assert spec.nonce.encode() not in encode(event)
    assert isinstance(seen[-1], Ended)
    assert (seen[-1].seed, seen[-1].nonce) == (spec.seed, spec.nonce)
    begun = seen[0]
    assert isinstance(begun, Begun)
    assert begun.commitment == commitment(spec.seed, spec.nonce)
    assert begun.commitment != commitment(spec.seed, "")
    drawn = {commitment(7, agreed(MAZE, "ab").nonce) for _ in range(5)}
    assert len(drawn) == 5

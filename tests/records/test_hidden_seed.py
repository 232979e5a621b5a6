"""A seed cannot be found before the end of a match: the commitment follows from nothing that is known."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import TYPE_CHECKING

import pytest

import touchline
from cli.commands import result
from cli.commands import touchline as command
from touchline.core.events import Begun, Ended, Event
from touchline.drivers.match import agreed, commitment
from touchline.games.labyrinth import Labyrinth

if TYPE_CHECKING:
    from pathlib import Path

MAZE = Labyrinth(rows=5, cols=5)


def begun_and_ended(seed: int | None) -> tuple[Begun, Ended]:
    seen: list[Event] = []
    touchline.play(MAZE, ["euclid", "random"], seed=seed, turn_cap=4, observers=[seen.append])
    first, last = seen[0], seen[-1]
    assert isinstance(first, Begun)
    assert isinstance(last, Ended)
    return first, last


def guesses(seed: int) -> set[str]:
    """The commitments that somebody can compute who knows the seed, or tries it, but not the nonce."""
    nonces = ["", "0", f"{seed}", f"{seed} 0", f"{seed} 1", "0" * 32, f"{seed:032x}", f"{seed:x}"]
    hashes = [hashlib.new(kind, f"{seed}".encode()).hexdigest() for kind in ("md5", "sha1", "sha256")]
    texts = [f"{seed}", f" {seed}", f"{seed} ", f"0 {seed}"]
    return {commitment(seed, nonce) for nonce in (*nonces, *hashes, *(text[:32] for text in hashes))} | {
        hashlib.sha256(text.encode()).hexdigest() for text in texts
    }


@pytest.mark.parametrize("given", [None, 0, 1, 2**62])
def test_the_commitment_follows_from_no_seed(given: int | None) -> None:
    """It is none of the hashes of the seed, also if the seed was chosen; the end reveals both."""
    begun, ended = begun_and_ended(given)
    assert begun.seed_given == (given is not None)
    assert begun.commitment not in guesses(ended.seed)
    assert begun.commitment == commitment(ended.seed, ended.nonce)
    assert len(bytes.fromhex(ended.nonce)) == 16


def test_no_two_nonces_are_the_same() -> None:
    """The same seed has another commitment each time."""
    matches = [begun_and_ended(1) for _ in range(20)]
    assert len({ended.nonce for _, ended in matches}) == 20
    assert len({begun.commitment for begun, _ in matches}) == 20


def test_nonce_and_seed_come_from_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """128 bits for the nonce, always; 63 bits for a seed that is not given. Nothing else is drawn."""
    drawn: list[tuple[str, int]] = []

    def token_hex(size: int) -> str:
        drawn.append(("nonce", size))
        return "ab" * size

    def randbits(bits: int) -> int:
        drawn.append(("seed", bits))
        return (1 << bits) - 1

    monkeypatch.setattr(secrets, "token_hex", token_hex)
    monkeypatch.setattr(secrets, "randbits", randbits)
    spec = agreed(MAZE, ["a", "b"])
    assert (spec.seed, spec.nonce, spec.seed_given) == (2**63 - 1, "ab" * 16, False)
    assert sorted(drawn) == [("nonce", 16), ("seed", 63)]
    drawn.clear()
    spec = agreed(MAZE, ["a", "b"], seed=7)
    assert (spec.seed, spec.nonce, spec.seed_given) == (7, "ab" * 16, True)
    assert drawn == [("nonce", 16)]


def test_the_command_line_draws_63_bits(tmp_path: Path) -> None:
    """Each seed is another, and no small number; the record says that it was drawn."""
    path = tmp_path / "match.jsonl"
    seeds = {result("play", "hexapawn", "random", "random")["seed"] for _ in range(2)}
    done = command("play", "hexapawn", "random", "random", "--games", "20", "--record", str(path))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    seeds |= {line["seed"] for line in lines if line["type"] == "ended"}
    assert len(seeds) == 22
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert sum(seed >= 2**60 for seed in seeds) > 11  # 7 of 8 are
    assert {line["seed_given"] for line in lines if line["type"] == "begun"} == {False}

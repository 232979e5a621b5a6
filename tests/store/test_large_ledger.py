"""A hundred thousand games in one ledger: reading takes a flat amount of memory, and claiming stays quick."""

from __future__ import annotations

import time
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from store.ledgers import NOW, done, games

if TYPE_CHECKING:
    from touchline.tournament.ledger import Ledger

COUNT = 100_000


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hundred_thousand_games(ledger: Ledger) -> None:
    ledger.schedule(games(COUNT))
    slowest = 0.0
    while claims := ledger.claim("w", 1_000, 60, NOW):
        ledger.finish([done(claim) for claim in claims], NOW)
        start = time.perf_counter()
        ledger.claim("w", 1, 0, NOW)  # and it is free again
        slowest = max(slowest, time.perf_counter() - start)
    assert slowest < 1, "a claim must not look through all games"
    tracemalloc.start()
    try:
        assert sum(1 for _ in ledger.results()) == COUNT
        assert len(ledger.digest()) == 64
        assert ledger.counts(NOW).done == COUNT
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20, f"{peak >> 20} MiB for pages of a thousand"

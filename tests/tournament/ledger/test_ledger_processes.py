"""Several real processes at one ledger, and processes that are killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from random import Random
from threading import Barrier
from typing import TYPE_CHECKING

import pytest

from touchline.tournament.ledger import Claim, cup_digest, open_ledger
from tournament.ledger.ledgers import NOW, SPEC, done, finished, games, record_of
from tournament.ledger.places import fresh

if TYPE_CHECKING:
    from touchline.tournament.ledger import Ledger

WORKER = Path(__file__).with_name("ledger_worker.py")
TESTS = Path(__file__).parents[2]
GAMES = games(600)
FINISHED = {game.id: finished(Claim(game, 1)) for game in GAMES}


def worker(where: str, name: str, *, batch: int, most: int, now: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, WORKER, where, name, str(batch), str(most), str(now)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": f"{TESTS}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"},
    )  # fmt: skip


def ready(one: subprocess.Popen[str]) -> None:
    assert one.stdout
    assert one.stdout.readline() == "ready\n"


def go(one: subprocess.Popen[str]) -> None:
    assert one.stdin
    one.stdin.write("go\n")
    one.stdin.flush()


def test_a_game_is_played_by_one_process(where: str) -> None:
    """All of them open a ledger that is not there yet, and go for the same games; none can have them all."""
    every = {game.id for game in GAMES[:100]}
    with ExitStack() as stack:
        workers = [stack.enter_context(worker(where, f"w{n}", batch=2, most=40, now=NOW)) for n in range(3)]
        for one in workers:
            ready(one)
        ledger = stack.enter_context(open_ledger(where, durable=False))
        ledger.create(SPEC)
        ledger.schedule(GAMES[:100])
        for one in workers:
            go(one)
        said = [one.communicate(timeout=60)[0].split() for one in workers]
        assert sorted(chain(*said)) == sorted(every)
        by = Counter(result.worker for result in ledger.results())
        assert by == {f"w{n}": len(ids) for n, ids in enumerate(said)}
        assert ledger.digest() == digest_of(every)
        assert ledger.log() == []
    assert [one.returncode for one in workers] == [0, 0, 0]


def test_a_ledger_is_made_once_however_many_open_it(server: str | None) -> None:
    def opened(where: str, all_there: Barrier) -> None:
        all_there.wait(30)
        open_ledger(where, durable=False).close()

    with ThreadPoolExecutor(4) as pool:
        for _ in range(3 if server else 25):
            with fresh(server) as where:
                all_there = Barrier(4)
                for opening in [pool.submit(opened, where, all_there) for _ in range(4)]:
                    opening.result()


def digest_of(ids: set[str]) -> str:
    """The digest of a cup in which these games are finished, and nobody was disturbed."""
    return cup_digest(SPEC, (FINISHED[game.id] for game in GAMES if game.id in ids))


@pytest.mark.slow
def test_killed_at_any_instant(where: str, server: str | None) -> None:
    """What a worker was told is there stays there, nothing is there by half, and all else is free."""
    rng = Random(6)
    with open_ledger(where, durable=False) as ledger:
        ledger.create(SPEC)
        ledger.schedule(GAMES)
    acknowledged: set[str] = set()
    killed = 0
    for life in range(5 if server else 20):
        now = NOW + 1_000 * life
        with worker(where, f"w{life}", batch=rng.choice([1, 3, 9]), most=len(GAMES), now=now) as one:
            ready(one)
            go(one)
            first = one.stdout.readline() if life == 0 and one.stdout else ""  # one life is long enough
            time.sleep(rng.uniform(0, 0.06))
            one.kill()
            *lines, _cut = (first + one.communicate()[0]).split("\n")
        killed += one.returncode == -9
        acknowledged |= {*" ".join(lines).split()}
        with open_ledger(where, readonly=True) as ledger:
            there = {result.id for result in ledger.results()}
            assert acknowledged <= there
            assert ledger.digest() == digest_of(there)
            assert ledger.counts(now + 1_000).due == len(GAMES) - len(there)
    assert killed > 3, "the games were over too soon"
    assert acknowledged
    with open_ledger(where, durable=False) as ledger:
        finish_all(ledger, NOW + 1_000_000)
        assert ledger.digest() == digest_of({*FINISHED})
        for game in GAMES:
            assert ledger.record(game.id) == record_of(game)
        assert ledger.log() == []


def finish_all(ledger: Ledger, now: float) -> None:
    while claims := ledger.claim("last", 500, 60, now):
        assert len(ledger.finish([done(claim) for claim in claims], now)) == len(claims)

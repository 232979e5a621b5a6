"""A league of 200 submissions, 20 of them hostile; the rest have known strengths, which the table finds.

Hostile programs and some honest ones are checked by real workers, in the cage. Games are drawn by strength.
"""

from __future__ import annotations

from concurrent.futures import Executor
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from league.hostile_uploads import ENDLESS, FORKS, bomb, link, named
from league.leagues import FakePool, Hall, bot, by_strength, league
from touchline.tournament.executors.cores import Cores
from touchline.tournament.worker import Job

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path

    from touchline.core.events import Result

ENTRANTS = 200
HOSTILE = {
    **{f"bomb {n}": bomb() for n in range(5)},
    **{f"traversal {n}": named(f"../../{n}.txt") for n in range(6)},
    **{f"link {n}": link() for n in range(5)},
    **{f"endless {n}": ENDLESS for n in range(2)},
    **{f"forks {n}": FORKS for n in range(2)},
}
REAL = 4
"""Honest players that are checked in the cage, too."""
GAMES = 100


class MixedPool(FakePool):
    """Games are drawn; checks of some versions are played by worker processes."""

    def __init__(self, draw: Callable[[Job, tuple[str, ...]], Result], real: set[str]) -> None:
        super().__init__(draw, slots=4)
        self.workers, self.real, self.caged = Cores(2), real, 0
        self._processes: Executor | None = None

    def start(self) -> Executor:
        return _Mixed(self)

    def processes(self) -> Executor:
        """The worker processes, which are started again if they were stopped."""
        self._processes = self._processes or self.workers.start()
        return self._processes

    def stop(self, *, now: bool) -> None:
        self.workers.stop(now=now)
        self._processes = None


class _Mixed(Executor):
    def __init__(self, pool: MixedPool) -> None:
        self._pool, self._fake = pool, FakePool.start(pool)

    def submit(self, work: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        job = msgspec.json.decode(args[0], type=Job)
        names = {name for claim in job.games for name in claim.pairing.entrants}
        check = any(name.startswith("random ") for name in names)
        if check and names & self._pool.real:
            self._pool.caged += 1
            return self._pool.processes().submit(work, *args)
        return self._fake.submit(work, *args)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_two_hundred_submissions(tmp_path: Path) -> None:
    """Hostile ones are rejected and hold up nobody; the table is within 5 % of the true order."""
    rng = Random(16)
    honest = [f"e{number}" for number in range(ENTRANTS - len(HOSTILE))]
    strength = {f"{name} v1": rng.gauss(0, 400) for name in honest} | {"random": -300.0, "greedy": -100.0}
    real = {f"{name} v1" for name in [*HOSTILE, *honest[:REAL]]}
    draw = by_strength(lambda name: strength.get(name, -1000.0), rng)
    hall = Hall(tmp_path, league(f"[quotas]\ngames = {GAMES}"), MixedPool(draw, real), isolation="auto")
    hall.desk.submit(hall.token(honest[0]), bot(honest[0]), "bot.py")
    hall.until(lambda: hall.run.gallery.games >= 4)
    tokens = {name: hall.token(name) for name in [*HOSTILE, *honest[1:]]}
    for name, token in tokens.items():
        data = HOSTILE.get(name, bot(name))
        hall.desk.submit(token, data, "bot.zip" if data.startswith(b"PK") else "bot.py")
    progress: list[tuple[int, int]] = []

    def hostile_left() -> int:
        versions = hall.run.roster.versions
        return sum(versions[f"{name} v1"].status == "checking" for name in HOSTILE)

    def over() -> bool:
        progress.append((hostile_left(), hall.run.gallery.games))
        rests = all(hall.run.skills.of(f"{name} v1").games >= GAMES for name in honest)
        return rests and hall.run.view.checking == 0

    hall.until(over)
    statuses = {name: hall.run.roster.versions[f"{name} v1"].status for name in [*HOSTILE, *honest]}
    assert {statuses[name] for name in HOSTILE} == {"rejected"}
    assert {statuses[name] for name in honest} == {"active"}
    during = [games for left, games in progress if left]
    assert during[-1] - during[0] > 1000  # games went on while hostile versions were checked
    assert hall.run._pool.caged >= 4 + 2 * REAL  # type: ignore[attr-defined]
    order = [row.version for row in hall.run.view.table if row.version in strength and row.status == "active"]
    swapped = sum(strength[better] < strength[worse] for better, worse in combinations(order, 2))
    assert len(order) == len(honest)
    assert swapped / (len(order) * (len(order) - 1) / 2) <= 0.05
    hall.close()

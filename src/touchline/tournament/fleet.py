"""What the coordinator knows about its workers: who plays, who has trouble, and who is set aside.

Law of this file: a worker that plays nothing, or whose games fail much more often than those of the others,
gets no more work where the executor allows it, and the log says so.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, NamedTuple

from touchline.core.errors import TouchlineError
from touchline.tournament.jobs import submit
from touchline.tournament.ledger.base import Unavailable
from touchline.tournament.worker import OURS

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from touchline.bundles.store import BundleStore
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.worker import GameReport, Job, JobReply

ODD = 3
"""Void games by our fault from which a worker is set aside, if its share is five times that of the others."""
SET_ASIDE, TROUBLE = "set aside", "trouble"
"""Acts of the log, about a worker."""
MOST_TROUBLES = 200
"""The most entries about trouble in the log of one run."""


class NoWorkers(Unavailable):
    """No worker can be given work at the moment."""


class FleetLost(TouchlineError):
    """There are no workers any more; the cup can be resumed."""

    exit_code = 5


class WorkerNote(NamedTuple):
    """An entry for the log."""

    act: str
    worker: str
    why: str

    def __str__(self) -> str:
        return f"worker {self.worker}: {self.why}" if self.act == TROUBLE else f"{self.worker} is {self.why}"


class Fleet:
    """The workers of one run."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool = pool
        self._executor: Executor | None = None
        self._from: Counter[str] = Counter()
        self._void_from: Counter[str] = Counter()
        self._why: dict[str, str] = {}
        """The last reason of a void game, by worker."""
        self._aside: dict[str, str] = {}
        self._told: set[tuple[str, str]] = set()
        self._gone_since: float | None = None
        self.notes: list[WorkerNote] = []
        """What the log does not have yet; the coordinator takes it from here."""

    def hand_over(
        self, job: Job, store: BundleStore | None, avoid: frozenset[str] = frozenset()
    ) -> Future[JobReply]:
        """Submit a job, to a new executor if the current one is broken; if possible to none of `avoid`."""
        for last in (False, True):
            try:
                if self._executor is None:
                    self._executor = self.pool.start()
                    self._note_refusals()
                other = self.pool.elsewhere(avoid) if avoid else None
                sent = submit(other or self._executor, job, store)
                self._gone_since = None
                return sent
            except (BrokenExecutor, OSError, EOFError) as error:  # the fork server may be dead too
                self._executor = None
                if last:
                    raise NoWorkers(f"no worker can be started: {type(error).__name__}: {error}") from None
        raise AssertionError("the loop returns or raises")

    def broke(self) -> None:
        """Note that a worker died: the next job goes to a new executor."""
        self._executor = None

    def others(self, tried: frozenset[str]) -> bool:
        """Return whether there are workers besides these."""
        return self.pool.elsewhere(tried) is not None

    def look_after(self) -> None:
        """Check the workers' health."""
        try:
            self.pool.look_after()
            self._gone_since = None
        except OSError as error:
            raise NoWorkers(str(error)) from None
        finally:
            self._note_refusals()

    def _note_refusals(self) -> None:
        """Note the workers that the pool itself has set aside."""
        for worker, why in self.pool.refusals():
            self._aside[worker] = why
            self.notes.append(WorkerNote(SET_ASIDE, worker, f"set aside: {why}"))

    def wait_for_workers(self, error: NoWorkers) -> None:
        """Note that there are no workers. FleetLost if that has been so for longer than the pool allows."""
        now, most = time.monotonic(), self.pool.patience()
        self._gone_since = now if self._gone_since is None else self._gone_since
        if most is not None and now - self._gone_since >= most:
            raise FleetLost(f"no workers for {most:g} s: {error}") from None

    # -- trouble ------------------------------------------------------------------------------

    def saw(self, game: GameReport) -> None:
        """Count a game, and set its worker aside if its games fail unusually often."""
        self._from[game.worker] += 1
        if not game.played.reason.startswith(OURS):
            return
        self._void_from[game.worker] += 1
        self._why[game.worker] = why = game.played.reason.removeprefix(OURS).strip()
        if (game.worker, why) not in self._told and len(self._told) < MOST_TROUBLES:
            self._told.add((game.worker, why))
            self.notes.append(WorkerNote(TROUBLE, game.worker, why))
        for worker in self.odd_workers():
            if worker not in self._aside:
                count = f"{self._void_from[worker]} of its {self._from[worker]} games failed"
                self._set_aside(worker, f"{count}, the last one because {self._why[worker]}")

    def refused(self, worker: str, why: str) -> None:
        """Set a worker aside that plays nothing. FleetLost if no other is left."""
        if worker not in self._aside and not self._set_aside(worker, why):
            raise FleetLost(f"worker {worker} plays nothing: {why}; install the same version everywhere")

    def _set_aside(self, worker: str, why: str) -> bool:
        self._aside[worker] = why
        done = self.pool.set_aside(worker)
        what = f"set aside: {why}" if done else f"still given work, although {why}"
        self.notes.append(WorkerNote(SET_ASIDE, worker, what))
        return done

    def odd_workers(self) -> list[str]:
        """Return the workers whose games are void by our fault much more often than those of the others."""
        odd = []
        for worker, void in self._void_from.items():
            others = self._from.total() - self._from[worker]
            elsewhere = (self._void_from.total() - void) / max(1, others)
            if others and void >= ODD and void / self._from[worker] > 5 * elsewhere:
                odd.append(worker)
        return odd

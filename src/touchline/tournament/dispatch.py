"""Hand claimed games to workers, and retry what was lost: between a coordinator's claims and its results.

Laws of this file: a claimed game waits, runs, or has been reported. The games of a worker that died are
retried alone, so that the one that kills workers is found; it is void in the end. A game that a worker could
not start is tried elsewhere first. Neither is ever a player's fault.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, TypeAlias

from touchline.tournament.fleet import Fleet
from touchline.tournament.ledger.base import Unavailable
from touchline.tournament.worker import OURS, GameReport, void_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future

    from touchline.bundles.store import BundleStore
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ledger.base import Claim
    from touchline.tournament.worker import Job, JobReply

    MakeJob: TypeAlias = Callable[[list[Claim], float], tuple[Job, BundleStore | None]]

BATCH = 0.2
"""Seconds of work in one job: enough to make its overhead small, little enough to lose with a worker."""
SMALL_BATCH = 0.05
"""Seconds of work in one job where there is a single slot."""
AHEAD = 2
"""Jobs for each slot, so that a worker finds the next one queued when it has finished one."""
LONG = 1.0
"""Seconds per game from which there is only one job for each slot: a stop waits until all jobs are done."""
MOST_DEATHS = 3
"""A game is void when this many workers have died while they played nothing else."""
MOST_ATTEMPTS = 3
"""The most attempts at a game that is void by our own fault."""
MOST_WORKERS = 20
"""The most workers that are tried for a game that none of them can start."""


class Dispatch:
    """The claimed games of one coordinator, which signs the reports of lost games with its name, `me`."""

    def __init__(self, pool: WorkerPool, me: str, most_in_batch: int) -> None:
        self.pool, self.fleet = pool, Fleet(pool)
        self._me, self._most_in_batch = me, most_in_batch
        self._queue: deque[Claim] = deque()
        self.running: dict[Future[JobReply], list[Claim]] = {}
        self._suspects: deque[Claim] = deque()
        """Games that were running when a worker died: they are retried one at a time."""
        self._deaths: Counter[str] = Counter()
        self._elsewhere: deque[Claim] = deque()
        """Games that a worker could not start: they are tried on other workers."""
        self._tried: dict[str, list[str]] = {}
        """The workers that could not start a game, by game."""
        self._pace = BATCH
        """Seconds per game, a moving average. It starts high, so the first jobs have one game each."""
        self.given_up: set[str] = set()
        """The games that no worker could start: they are void."""

    @property
    def queued(self) -> int:
        """The number of claimed games that wait for any worker."""
        return len(self._queue)

    @property
    def busy(self) -> bool:
        """Whether a claimed game waits or runs."""
        return bool(self._queue or self.running or self._suspects or self._elsewhere)

    def held(self) -> list[Claim]:
        """Return all claimed games that are not reported yet: their leases must be renewed."""
        running = (claim for claims in self.running.values() for claim in claims)
        return [*self._queue, *self._suspects, *self._elsewhere, *running]

    def add(self, claims: Iterable[Claim]) -> None:
        """Queue claimed games."""
        self._queue.extend(claims)

    def forget(self) -> None:
        """Forget the games that wait, because their claims were revoked."""
        for waiting in (self._queue, self._suspects, self._elsewhere):
            waiting.clear()

    # -- handing out --------------------------------------------------------------------------

    def fill(self, claim: Callable[[int], None], make: MakeJob) -> None:
        """Hand out jobs until every worker has enough; `claim` is asked to add so many games."""
        if self._suspects:
            if not self.running:
                self._submit([self._suspects.popleft()], BATCH, make)
            return
        worth = BATCH if self.pool.slots > 1 else SMALL_BATCH
        size = max(1, min(self._most_in_batch, int(worth / self._pace)))
        most = self.pool.slots * (AHEAD if self._pace < LONG else 1)
        while self._elsewhere and len(self.running) < most:
            game = self._elsewhere.popleft()
            self._submit([game], worth, make, frozenset(self._tried[game.id]))
        while len(self.running) < most and not self._suspects:
            if len(self._queue) < size:
                claim(most * size)
            if not self._queue:
                return
            games = [self._queue.popleft() for _ in range(min(size, len(self._queue)))]
            self._submit(games, worth, make)

    def _submit(
        self, claims: list[Claim], seconds: float, make: MakeJob, avoid: frozenset[str] = frozenset()
    ) -> None:
        try:
            job, store = make(claims, seconds)
            self.running[self.fleet.hand_over(job, store, avoid)] = claims
        except Unavailable:
            self._queue.extendleft(reversed(claims))
            raise

    # -- taking in ----------------------------------------------------------------------------

    def collect(self, future: Future[JobReply]) -> list[GameReport]:
        """Return the reports of a job that has ended, and queue the games that it did not play."""
        claims, error = self.running.pop(future), future.exception()
        reports = self._played(claims, future.result()) if error is None else self._lost(claims, error)
        for report in reports:
            if report.seconds:  # else it was not played
                self._pace += 0.1 * (report.seconds - self._pace)
            if report.begun:
                self.fleet.saw(report)
        return reports

    def _played(self, claims: list[Claim], reply: JobReply) -> list[GameReport]:
        """Return the games of a reply, and queue those that were not played."""
        if reply.refused:
            self.fleet.refused(reply.worker, reply.refused)
        reported = {game.played.pairing.id: game for game in reply.games}
        for claim in reversed(claims):
            game = reported.get(claim.id)
            if game is None:  # the worker refused the job, or its time budget was used up
                self._queue.appendleft(claim)
            elif not game.begun and not self._give_up(game):
                self._elsewhere.append(claim)
                del reported[claim.id]
        return [*reported.values()]

    def _give_up(self, game: GameReport) -> bool:
        """Return whether to give up on a game that a worker could not start: no other can either."""
        tried = self._tried.setdefault(game.played.pairing.id, [])
        tried.append(game.worker)
        self.fleet.saw(game)
        if len(tried) < MOST_ATTEMPTS or (len(tried) < MOST_WORKERS and self.fleet.others(frozenset(tried))):
            return False
        self.given_up.add(game.played.pairing.id)
        return True

    def _lost(self, claims: list[Claim], error: BaseException) -> list[GameReport]:
        """Queue the games of a worker that died for a retry, each alone; return those that are void now."""
        self.fleet.broke()
        alone, void = len(claims) == 1 and not self.running, []
        for claim in claims:
            self._deaths[claim.id] += alone
            if self._deaths[claim.id] < MOST_DEATHS:
                self._suspects.append(claim)
                continue
            why = f"{OURS} {MOST_DEATHS} workers died while playing it ({type(error).__name__})"
            void.append(void_report(claim, why, self._me))
        return void

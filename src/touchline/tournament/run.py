"""The coordinator of a tournament: it claims due games, hands them to workers, and commits their results.

Laws of this file: a game counts once its result is committed, and not before; whatever crashes, the ledger is
consistent and the rest is played again. Results are committed within a fraction of a second. While the ledger
cannot be written, the coordinator retries, says so, and hands out no work.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TYPE_CHECKING

from msgspec.structs import replace

from touchline.core.errors import TouchlineError
from touchline.tournament import commitment
from touchline.tournament.distinct import DistinctGames
from touchline.tournament.earlier_draw import refuse_changed_draw, refuse_unfinished
from touchline.tournament.fleet import Fleet, NoWorkers
from touchline.tournament.house_kernels import compile_house_kernels
from touchline.tournament.job_maker import JobMaker
from touchline.tournament.jobs import submission_of
from touchline.tournament.ledger.base import Claim, Submission, Unavailable, ejected, stopped
from touchline.tournament.ledger.shared.digest import GamesDigest
from touchline.tournament.pairing import Interner
from touchline.tournament.worker import OURS, GameReport, JobReply, void_report

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from touchline.tournament.commitment import Reveal, Signer
    from touchline.tournament.cup import Cup
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ledger.base import Ledger
    from touchline.tournament.pairing import Pairing, Played
    from touchline.tournament.seeds import CupSeeds

BATCH = 0.2
"""Seconds of work in one job: enough to make its overhead small, little enough to lose with a worker."""
MOST_IN_BATCH = 500
AHEAD = 2
"""Jobs for each slot, so that a worker finds the next one queued when it has finished one."""
LONG = 1.0
"""Seconds per game from which there is only one job for each slot: a stop waits until all jobs are done."""
LEASE = 60.0
"""The lease of a claim, in seconds. It is renewed three times as often."""
UNSAVED = 100
"""The most results in one commit."""
UNSAVED_SECONDS = 0.05
"""The longest that a result waits for its commit, in seconds."""
MOST_DEATHS = 3
"""A game is void when this many workers have died while they played nothing else."""
MOST_ATTEMPTS = 3
"""The most attempts at a game that is void by our own fault."""
MOST_WORKERS = 20
"""The most workers that are tried for a game that none of them can start."""
LOOK = 0.5
"""Seconds between two reads of the organiser's log, and between two retries of a failing ledger."""
IDLE = 0.002
"""Seconds to sleep when no job is running."""


class Run:
    """Plays a cup to its end, or until it is stopped. `see` is called several times a second.

    A new cup draws its secret salt, unless `salt` is given. `signer` signs the seal at the end. A change of
    an entrant's files since the cup began is an error, unless `accept_changes`. Programs run in the tier
    `isolation`.
    """

    def __init__(
        self,
        ledger: Ledger,
        cup: Cup,
        pool: WorkerPool,
        folder: Path,
        see: Callable[[Run], None] = lambda run: None,
        *,
        salt: bytes | None = None,
        signer: Signer | None = None,
        accept_changes: bool = False,
        isolation: str = "auto",
    ) -> None:
        self._ledger, self.cup, self._pool, self._fleet = ledger, cup, pool, Fleet(pool)
        self._jobs = JobMaker(cup, folder, isolation)
        self._see, self._salt, self._signer, self._accept = see, salt, signer, accept_changes
        self._seeds: CupSeeds | None = None
        self._checked: Reveal | None = None
        """The last entry of a cup that was over when this run began."""
        self._rules = cup.rules()
        self._asked: tuple[tuple[str, ...], Sequence[Pairing] | None] | None = None
        """What the format asked for, and who was out; None if there are new results."""
        self._me = f"{socket.gethostname()}:{os.getpid()}"
        self._queue: deque[Claim] = deque()
        self._running: dict[Future[JobReply], list[Claim]] = {}
        self._suspects: deque[Claim] = deque()
        """Games that were running when a worker died: they are retried one at a time."""
        self._deaths: Counter[str] = Counter()
        self._elsewhere: deque[Claim] = deque()
        """Games that a worker could not start: they are tried on other workers."""
        self._tried: dict[str, list[str]] = {}
        """The workers that could not start a game, by game."""
        self._unsaved: list[Submission] = []
        self._unsaved_since = self._renewed = self._looked = 0.0
        self._over = self._unsure = False
        self._pace = BATCH
        """Seconds per game, a moving average. It starts high, so the first jobs have one game each."""
        self._lean = Interner().intern
        self.played: dict[str, Played] = {}
        """The results that stand, by game."""
        self.out: tuple[str, ...] = ()
        """The ejected entrants, in the order in which they were ejected."""
        self.paused: str | None = None
        self.trouble: str | None = None
        """Why the ledger or the workers are unavailable; None while all works."""
        self.lacks_workers = False
        """Whether it is the workers."""
        self.distinct = DistinctGames()
        """Which of them are no copies."""
        self.digest: str | None = None
        """The games digest when all results were read; None if there are new ones."""
        self.given_up: set[str] = set()
        """The games that no worker could start: they are void."""
        self.news: deque[str] = deque()
        """Lines about workers that have trouble, for whoever shows the run."""
        self.stopping = False
        """Set it to stop after the running games."""
        self.stopped: str | None = None
        """Why the organiser stopped the cup while it ran; None if nobody did."""
        self.scheduled = 0
        self.committed: str | None = None
        """The commitment to the secret salt; None before it is made, and in a cup that has none."""
        self.end: Reveal | None = None
        """The last entry of the log, when the cup is over."""

    # -- the loop -----------------------------------------------------------------------------

    def go(self) -> bool:
        """Play; return True when the cup is over, False when it was stopped before."""
        try:
            self._retry(self._begin)
            self._see(self)  # the commitment is shown before the first game
            while not self._done():
                if not self.stopping and self.paused is None:
                    self._retry(self._fill)
                self._retry(self._keep)
                self._see(self)
                self._collect()
            if self._over:
                self._retry(self._end)
        finally:
            self._pool.stop(now=bool(self._running))
            self._leave()
        return self._over

    def _leave(self) -> None:
        """Commit what is finished and give up all claims, if the ledger is available.

        `take_over` revokes every claim: Ctrl-C may have come anywhere, so our own list may be incomplete.
        """
        with contextlib.suppress(TouchlineError):
            self._save()
            if not self._over:
                self._ledger.take_over()

    def _done(self) -> bool:
        return not self._running and not self._unsaved and (self.stopping or self._over)

    def _retry(self, work: Callable[[], None]) -> None:
        """Do some work, again and again while the ledger is unavailable."""
        while True:
            try:
                work()
            except Unavailable as error:
                self.trouble, self.lacks_workers = str(error), isinstance(error, NoWorkers)
                self._see(self)
                if isinstance(error, NoWorkers):
                    self._fleet.wait_for_workers(error)
                time.sleep(LOOK)
            else:
                self.trouble, self.lacks_workers = None, False
                return

    def _begin(self) -> None:
        refuse_changed_draw(self._ledger, self.cup)
        self._ledger.create(self.cup.bytes())
        self._ledger.take_over()
        self._checked = commitment.check_final(self._ledger)
        self._seeds = commitment.begin(self._ledger, self.cup, self._salt)
        self.committed = commitment.secrecy(self._ledger.log()).commitment
        self._read()
        self._obey()
        if (due := self._due()) is not None:
            refuse_unfinished(self.cup, due, self._ledger.unfinished())
            self._jobs.prepare(self._ledger, accept=self._accept, games=len(self.played))
            compile_house_kernels([self.cup], self._pool)
        self.scheduled = len(self.played) + sum(1 for _ in self._ledger.unfinished())

    def _end(self) -> None:
        assert self._seeds is not None, "a cup begins before it ends"
        self.end = commitment.end(self._ledger, self._seeds, self._signer, self._checked)

    # -- handing out --------------------------------------------------------------------------

    def _fill(self) -> None:
        """Hand out jobs until every worker has enough."""
        if self._suspects:
            if not self._running:
                self._submit([self._suspects.popleft()], BATCH)
            return
        worth = BATCH if self._pool.slots > 1 else UNSAVED_SECONDS
        size = max(1, min(MOST_IN_BATCH, int(worth / self._pace)))
        most = self._pool.slots * (AHEAD if self._pace < LONG else 1)
        while self._elsewhere and len(self._running) < most:
            claim = self._elsewhere.popleft()
            self._submit([claim], worth, frozenset(self._tried[claim.id]))
        while len(self._running) < most and not self._suspects:
            if len(self._queue) < size:
                self._claim(most * size)
            if not self._queue:
                return
            self._submit([self._queue.popleft() for _ in range(min(size, len(self._queue)))], worth)

    def _claim(self, most: int) -> None:
        """Claim games from the ledger; when there are none left, ask the format for the next ones."""
        if self._unsure and not self._revoke_claims():
            return
        self._take_claims(most)
        if self._queue or self._running or self._unsaved or self._elsewhere:
            return
        due = self._due()
        if not due:
            self._over = due is None
            return
        refuse_unfinished(self.cup, due)
        self.scheduled += self._ledger.schedule(due)
        self._take_claims(most)

    def _due(self) -> Sequence[Pairing] | None:
        """Return the games that the format asks for now; None when the cup is over."""
        if self._asked is None or self._asked[0] != self.out:
            self._asked = self.out, self._rules.due(self.cup.names, [*self.played.values()], self.out)
        return self._asked[1]

    def _take_claims(self, most: int) -> None:
        """Claim games. Those of ejected entrants are not due any more: they stay claimed, unplayed."""
        self._unsure = True
        claims = self._ledger.claim(self._me, most, LEASE, time.time())
        self._unsure = False
        self._queue.extend(claim for claim in claims if not {*self.out} & {*claim.pairing.entrants})

    def _revoke_claims(self) -> bool:
        """Start over after a claim of unknown outcome, once no job is running; False until then."""
        if self._running or self._unsaved:
            return False
        self._ledger.take_over()
        for waiting in (self._queue, self._suspects, self._elsewhere):
            waiting.clear()
        self._unsure = False
        return True

    def _submit(self, claims: list[Claim], seconds: float, avoid: frozenset[str] = frozenset()) -> None:
        assert self._seeds is not None, "a cup begins before its first game"
        job = self._jobs.job(claims, self._seeds, self._pool.at_once, seconds)
        try:
            self._running[self._fleet.hand_over(job, self._jobs.store, avoid)] = claims
        except Unavailable:
            self._queue.extendleft(reversed(claims))
            raise

    # -- taking in ----------------------------------------------------------------------------

    def _collect(self) -> None:
        """Wait for results, for a moment."""
        if not self._running:
            if not (self._unsaved or self._queue or self._over or self.stopping) or self.paused is not None:
                time.sleep(IDLE)
            return
        done, _ = wait(self._running, timeout=UNSAVED_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            claims = self._running.pop(future)
            error = future.exception()
            if error is None:
                self._take_reply(claims, future.result())
            else:
                self._worker_died(claims, error)

    def _take_reply(self, claims: list[Claim], reply: JobReply) -> None:
        """Take the games of a job, and queue those that were not played."""
        if reply.refused:
            self._fleet.refused(reply.worker, reply.refused)
        reported = {game.played.pairing.id: game for game in reply.games}
        for claim in reversed(claims):
            game = reported.get(claim.id)
            if game is None:  # the worker refused the job, or its time budget was used up
                self._queue.appendleft(claim)
            elif not game.begun and not self._give_up(game):
                self._elsewhere.append(claim)
                del reported[claim.id]
        self._take([*reported.values()])

    def _give_up(self, game: GameReport) -> bool:
        """Return whether to give up on a game that a worker could not start: no other can either."""
        tried = self._tried.setdefault(game.played.pairing.id, [])
        tried.append(game.worker)
        self._fleet.saw(game)
        if len(tried) < MOST_ATTEMPTS or (len(tried) < MOST_WORKERS and self._fleet.others(frozenset(tried))):
            return False
        self.given_up.add(game.played.pairing.id)
        return True

    def _take(self, games: list[GameReport]) -> None:
        if not self._unsaved:
            self._unsaved_since = time.monotonic()
        for game in games:
            self._pace += 0.1 * (game.seconds - self._pace)
            if game.begun:
                self._fleet.saw(game)
            self._unsaved.append(submission_of(game))

    def _worker_died(self, claims: list[Claim], error: BaseException) -> None:
        """Queue the games of a worker that died for a retry, each alone; give up on the third death."""
        self._fleet.broke()
        alone = len(claims) == 1 and not self._running
        for claim in claims:
            self._deaths[claim.id] += alone
            if self._deaths[claim.id] < MOST_DEATHS:
                self._suspects.append(claim)
                continue
            why = f"{OURS} {MOST_DEATHS} workers died while playing it ({type(error).__name__})"
            self._take([void_report(claim, why, self._me)])

    # -- the ledger ---------------------------------------------------------------------------

    def _keep(self) -> None:
        """Commit results, renew leases, and read the organiser's log, each when it is time."""
        now = time.monotonic()
        late = now - self._unsaved_since >= UNSAVED_SECONDS
        if self._unsaved and (late or len(self._unsaved) >= UNSAVED or not self._running):
            self._save()
        if now - self._renewed > LEASE / 3:
            running = (claim for claims in self._running.values() for claim in claims)
            self._ledger.renew(
                [*self._queue, *self._suspects, *self._elsewhere, *running], LEASE, time.time()
            )
            self._renewed = now
        while self._fleet.notes:
            act, worker, why = note = self._fleet.notes[0]
            self._ledger.note(act, worker, why, time.time())
            self.news.append(str(note))
            del self._fleet.notes[0]
        if now - self._looked > LOOK:
            self._fleet.look_after()
            self._obey()

    def _save(self) -> None:
        while self._unsaved:
            part = self._unsaved[:UNSAVED]
            taken = {*self._ledger.finish(part, time.time())}
            del self._unsaved[:UNSAVED]
            counting = [done for done in part if done.id in taken]
            self._asked = self.digest = None
            for done in counting:
                self.played[done.id] = lean = self._lean(done.played)
                self.distinct.add(lean, done.digest)
            self._play_again(
                [done.played.pairing for done in counting if done.played.reason.startswith(OURS)]
            )

    def _play_again(self, pairings: list[Pairing]) -> None:
        """Schedule another attempt at games that are void by our own fault, up to the limit."""
        again = [
            replace(pairing, attempt=pairing.attempt + 1)
            for pairing in pairings
            if pairing.attempt + 1 < MOST_ATTEMPTS and pairing.id not in self.given_up
        ]
        if again:
            self.scheduled += self._ledger.schedule(again)

    def _obey(self) -> None:
        """Read the organiser's log: pauses, a stop, ejected entrants, games declared void."""
        self._looked = time.monotonic()
        self.paused = self._ledger.paused()
        acts = self._ledger.log()
        self.out = ejected(acts)
        self.stopped = stopped(acts)
        self.stopping = self.stopping or self.stopped is not None
        voided = {act.about for act in acts if act.act == "void"}
        if voided & self.played.keys():
            self._read()

    def _read(self) -> None:
        """Read all results, and schedule another attempt at those that were declared void."""
        again, standing, digest = [], {}, GamesDigest(self.cup.bytes())
        self.distinct = DistinctGames()
        for finished in self._ledger.results():
            digest.add(finished)
            pairing = finished.played.pairing
            if finished.voided is None:
                standing[finished.id] = lean = self._lean(finished.played)
                self.distinct.add(lean, finished.digest)
            else:
                again.append(replace(pairing, attempt=pairing.attempt + 1))
        self.played, self.digest, self._asked = standing, digest.text(), None
        self.scheduled += self._ledger.schedule(again)

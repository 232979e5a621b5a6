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
from collections import deque
from concurrent.futures import FIRST_COMPLETED, wait
from typing import TYPE_CHECKING

from msgspec.structs import replace

from touchline.core.errors import TouchlineError
from touchline.tournament import commitment
from touchline.tournament.dispatch import MOST_ATTEMPTS, Dispatch
from touchline.tournament.distinct import DistinctGames
from touchline.tournament.earlier_draw import refuse_changed_draw, refuse_unfinished
from touchline.tournament.fleet import NoWorkers
from touchline.tournament.house_kernels import compile_house_kernels
from touchline.tournament.job_maker import JobMaker
from touchline.tournament.jobs import submission_of
from touchline.tournament.ledger.base import Submission, Unavailable, ejected, stopped
from touchline.tournament.ledger.shared.digest import GamesDigest
from touchline.tournament.pairing import Interner
from touchline.tournament.worker import OURS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from touchline.bundles.store import BundleStore
    from touchline.tournament.commitment import Reveal, Signer
    from touchline.tournament.cup import Cup
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ledger.base import Claim, Ledger
    from touchline.tournament.pairing import Pairing, Played
    from touchline.tournament.seeds import CupSeeds
    from touchline.tournament.worker import Job

MOST_IN_BATCH = 500
"""Games in one job, at most."""
LEASE = 60.0
"""The lease of a claim, in seconds. It is renewed three times as often."""
UNSAVED = 100
"""The most results in one commit."""
UNSAVED_SECONDS = 0.05
"""The longest that a result waits for its commit, in seconds."""
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
        self._ledger, self.cup, self._pool = ledger, cup, pool
        self._me = f"{socket.gethostname()}:{os.getpid()}"
        self._dispatch = Dispatch(pool, self._me, MOST_IN_BATCH)
        self._jobs = JobMaker(cup, folder, isolation)
        self._see, self._salt, self._signer, self._accept = see, salt, signer, accept_changes
        self._seeds: CupSeeds | None = None
        self._checked: Reveal | None = None
        """The last entry of a cup that was over when this run began."""
        self._rules = cup.rules()
        self._asked: tuple[tuple[str, ...], Sequence[Pairing] | None] | None = None
        """What the format asked for, and who was out; None if there are new results."""
        self._unsaved: list[Submission] = []
        self._unsaved_since = self._renewed = self._looked = 0.0
        self._over = self._unsure = False
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

    @property
    def given_up(self) -> set[str]:
        """The games that no worker could start: they are void."""
        return self._dispatch.given_up

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
            self._pool.stop(now=bool(self._dispatch.running))
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
        return not self._dispatch.running and not self._unsaved and (self.stopping or self._over)

    def _retry(self, work: Callable[[], None]) -> None:
        """Do some work, again and again while the ledger is unavailable."""
        while True:
            try:
                work()
            except Unavailable as error:
                self.trouble, self.lacks_workers = str(error), isinstance(error, NoWorkers)
                self._see(self)
                if isinstance(error, NoWorkers):
                    self._dispatch.fleet.wait_for_workers(error)
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
        self._dispatch.fill(self._claim, self._job)

    def _job(self, claims: list[Claim], seconds: float) -> tuple[Job, BundleStore | None]:
        assert self._seeds is not None, "a cup begins before its first game"
        return self._jobs.job(claims, self._seeds, self._pool.at_once, seconds), self._jobs.store

    def _claim(self, most: int) -> None:
        """Claim games from the ledger; when there are none left, ask the format for the next ones."""
        if self._unsure and not self._revoke_claims():
            return
        self._take_claims(most)
        if self._dispatch.busy or self._unsaved:
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
        self._dispatch.add(claim for claim in claims if not {*self.out} & {*claim.pairing.entrants})

    def _revoke_claims(self) -> bool:
        """Start over after a claim of unknown outcome, once no job is running; False until then."""
        if self._dispatch.running or self._unsaved:
            return False
        self._ledger.take_over()
        self._dispatch.forget()
        self._unsure = False
        return True

    # -- taking in ----------------------------------------------------------------------------

    def _collect(self) -> None:
        """Wait for results, for a moment."""
        running = self._dispatch.running
        if not running:
            waits = self._unsaved or self._dispatch.queued or self._over or self.stopping
            if not waits or self.paused is not None:
                time.sleep(IDLE)
            return
        done, _ = wait(running, timeout=UNSAVED_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            games = self._dispatch.collect(future)
            if not self._unsaved:
                self._unsaved_since = time.monotonic()
            self._unsaved += map(submission_of, games)

    # -- the ledger ---------------------------------------------------------------------------

    def _keep(self) -> None:
        """Commit results, renew leases, and read the organiser's log, each when it is time."""
        now = time.monotonic()
        late = now - self._unsaved_since >= UNSAVED_SECONDS
        if self._unsaved and (late or len(self._unsaved) >= UNSAVED or not self._dispatch.running):
            self._save()
        if now - self._renewed > LEASE / 3:
            self._ledger.renew(self._dispatch.held(), LEASE, time.time())
            self._renewed = now
        fleet = self._dispatch.fleet
        while fleet.notes:
            act, worker, why = note = fleet.notes[0]
            self._ledger.note(act, worker, why, time.time())
            self.news.append(str(note))
            del fleet.notes[0]
        if now - self._looked > LOOK:
            fleet.look_after()
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

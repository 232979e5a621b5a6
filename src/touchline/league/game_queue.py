"""The games of a league between the ledger and the workers: planned, claimed, running, to be committed.

Laws of this file: a game is scheduled in the ledger before it is claimed, and claimed before it is played.
Results are committed in the order of their commits: the time of a commit is later than that of the one
before, also if the clock was set back. A game that is void by our own fault is played again.
"""

from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from touchline.league.matchmaking import Matchmaking
from touchline.tournament.dispatch import MOST_ATTEMPTS, Dispatch
from touchline.tournament.jobs import submission_of
from touchline.tournament.ledger.base import Finished
from touchline.tournament.worker import OURS, GameReport, void_report

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from touchline.bundles.store import BundleStore
    from touchline.league.jobs import LeagueJobs
    from touchline.league.league_file import League
    from touchline.league.roster import Roster
    from touchline.league.skills import Skills
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ledger.base import Claim, Ledger
    from touchline.tournament.pairing import Pairing, Played
    from touchline.tournament.seeds import CupSeeds
    from touchline.tournament.worker import Job, JobReply

MOST_IN_BATCH = 50
MOST_PLANNED = 64
"""Games that are chosen at once: those chosen later know more results."""
LEASE = 60.0
UNSAVED = 100
UNSAVED_SECONDS = 0.05
"""The most results in one commit, and the longest that a result waits for its commit."""
LOOK = 0.5
"""Seconds between two reads of the log, and between two retries of a failing ledger."""


class Commit(NamedTuple):
    """Results that are committed together, again and again until the ledger has them."""

    at: float
    reports: list[GameReport]


class GameQueue:
    """Hands games to workers, and their results to the ledger."""

    def __init__(
        self, ledger: Ledger, league: League, pool: WorkerPool, seeds: CupSeeds, jobs: LeagueJobs
    ) -> None:
        self._ledger, self._league, self._pool, self._seeds, self._jobs = ledger, league, pool, seeds, jobs
        self._me = f"{socket.gethostname()}:{os.getpid()}"
        self._matchmaking = Matchmaking(len(league.cup.boards), league.seats, league.quotas.games)
        self._latest = 0.0
        """The time of the last commit."""
        self._dispatch = Dispatch(pool, self._me, MOST_IN_BATCH)
        self._planned: list[Pairing] = []
        self._unsaved: list[GameReport] = []
        self._unsaved_since = 0.0
        self._commit: Commit | None = None
        self._renewed = 0.0
        self._unsure = False
        """Whether a claim failed, so that games may be claimed that we do not know of."""

    @property
    def running(self) -> dict[Future[JobReply], list[Claim]]:
        """The jobs that are with workers."""
        return self._dispatch.running

    @property
    def is_empty(self) -> bool:
        """Whether nothing runs and nothing is to be committed."""
        return not (self.running or self._unsaved or self._commit)

    @property
    def count(self) -> int:
        """The number of games that are with workers."""
        return sum(map(len, self.running.values()))

    def read(self, finished: Sequence[Finished]) -> None:
        """Take over the games of the ledger, which are finished, in the order of commits, or not."""
        self._latest = finished[-1].at if finished else 0.0
        made = Matchmaking(len(self._league.cup.boards), self._league.seats, self._league.quotas.games)
        for game in finished:
            made.note(game.played.pairing, done=True)
        for pairing in [*self._ledger.unfinished(), *self._planned]:
            made.note(pairing, done=False)
        self._matchmaking = made

    # -- handing out --------------------------------------------------------------------------

    def fill(self, roster: Roster, skills: Skills) -> None:
        """Hand out jobs until every worker has enough."""

        def job(claims: list[Claim], seconds: float) -> tuple[Job, BundleStore | None]:
            secrets = [self._seeds.of(claim.pairing) for claim in claims]
            made = self._jobs.job(self._league.cup, roster.versions, claims, secrets, seconds)
            return made, self._jobs.store

        self._dispatch.fill(lambda most: self._claim(roster, skills, most), job)

    def _claim(self, roster: Roster, skills: Skills, most: int) -> None:
        """Claim games from the ledger; when there are none left, choose the next ones."""
        if self._unsure and not self._revoke_claims():
            return
        self._take_claims(roster, most)
        if self._dispatch.queued:
            return
        while not self._planned or len(self._planned) < min(most, MOST_PLANNED):
            games = self._matchmaking.next_games(roster.playing(), skills)
            if not games:
                break
            self._planned += games
        if self._planned:
            self._ledger.schedule(self._planned)
            self._planned = []
            self._take_claims(roster, most)

    def _take_claims(self, roster: Roster, most: int) -> None:
        """Claim games; those of ejected entrants are void, unplayed."""
        self._unsure = True
        claims = self._ledger.claim(self._me, most, LEASE, time.time())
        self._unsure = False
        for claim in claims:
            out = [name for name in claim.pairing.entrants if roster.versions[name].status == "ejected"]
            if out:
                self._take([void_report(claim, f"not played: {out[0]} was ejected", self._me)])
            else:
                self._dispatch.add([claim])

    def _revoke_claims(self) -> bool:
        """Start over after a claim of unknown outcome, once nothing runs; False until then."""
        if not self.is_empty:
            return False
        self._ledger.take_over()
        self._dispatch.forget()
        self._unsure = False
        return True

    def hand_over(self, job: Job, avoid: frozenset[str] = frozenset()) -> Future[JobReply]:
        """Submit a job, to a new executor if the current one is broken; if possible to none of `avoid`."""
        return self._dispatch.fleet.hand_over(job, self._jobs.store, avoid)

    # -- taking in ----------------------------------------------------------------------------

    def collect(self, future: Future[JobReply]) -> None:
        """Take the results of a job that has ended."""
        self._take(self._dispatch.collect(future))

    def greet(self, reply: JobReply) -> None:
        """Set a worker aside that plays nothing. FleetLost if no other is left."""
        if reply.refused:
            self._dispatch.fleet.refused(reply.worker, reply.refused)

    def broke(self) -> None:
        """Note that a worker has died: the next job starts a new executor."""
        self._dispatch.fleet.broke()

    def _take(self, reports: list[GameReport]) -> None:
        if not self._unsaved:
            self._unsaved_since = time.monotonic()
        self._unsaved += reports

    # -- the ledger ---------------------------------------------------------------------------

    def keep(self, taken: Callable[[list[Finished], dict[str, dict[int, str]]], None]) -> None:
        """Commit results and renew leases, each when it is time; `taken` gets the games that count."""
        now = time.monotonic()
        late = now - self._unsaved_since >= UNSAVED_SECONDS
        if self._commit or (self._unsaved and (late or len(self._unsaved) >= UNSAVED or not self.running)):
            self.save(taken)
        if now - self._renewed > LEASE / 3:
            self._ledger.renew(self._dispatch.held(), LEASE, time.time())
            self._renewed = now
        fleet = self._dispatch.fleet
        while fleet.notes:
            act, worker, why = fleet.notes[0]
            self._ledger.note(act, worker, why, time.time())
            del fleet.notes[0]

    def look_after(self) -> None:
        """Check the workers' health."""
        self._dispatch.fleet.look_after()

    def save(self, taken: Callable[[list[Finished], dict[str, dict[int, str]]], None]) -> None:
        """Commit all results that have come."""
        while self._commit or self._unsaved:
            if self._commit is None:
                at = max(time.time(), self._latest + 1e-5)  # a float of this size has a step of 2e-7
                self._commit = Commit(at, self._unsaved[:UNSAVED])
                del self._unsaved[:UNSAVED]
            at, reports = self._commit
            counting = {*self._ledger.finish([submission_of(one) for one in reports], at)}
            games = [_finished(one, at) for one in reports if one.played.pairing.id in counting]
            begun = {one.played.pairing.id for one in reports if one.begun}
            self._play_again([game.played for game in games if game.id in begun])
            self._commit, self._latest = None, at
            for game in games:
                self._matchmaking.finished(game.played.pairing)
            if games:
                taken(games, {one.played.pairing.id: one.notes for one in reports if one.notes})

    def _play_again(self, played: list[Played]) -> None:
        """Schedule another attempt at games that are void by our own fault, up to the limit."""
        again = [
            replace(one.pairing, attempt=one.pairing.attempt + 1)
            for one in played
            if one.reason.startswith(OURS) and one.pairing.attempt + 1 < MOST_ATTEMPTS
        ]
        if again:
            self._ledger.schedule(again)
            for pairing in again:
                self._matchmaking.note(pairing, done=False)


def _finished(report: GameReport, at: float) -> Finished:
    """Return a game as the ledger has it."""
    return Finished(
        played=report.played, result=bytes(report.result), digest=report.digest, worker=report.worker,
        seconds=report.seconds, oversubscribed=report.oversubscribed, at=at, voided=None,
    )  # fmt: skip

"""The coordinator of a league: it checks versions, chooses games, hands both to workers, commits results.

Laws of this file: the ledger is the only state that counts; what is in memory is read from it at the start,
and follows from it at any time. A game counts once its result is committed. Only this thread uses the ledger
that it is given. While the ledger cannot be written, no work is handed out.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from concurrent.futures import FIRST_COMPLETED, wait
from typing import TYPE_CHECKING, Any

from touchline.core.errors import TouchlineError
from touchline.league import opening
from touchline.league.checks import Checks, verdict_on
from touchline.league.game_queue import LOOK, UNSAVED_SECONDS, GameQueue
from touchline.league.jobs import LeagueJobs
from touchline.league.roster import ACCEPT, REJECT, Roster, read_roster
from touchline.league.skills import Skills, rated
from touchline.league.standings import MOST_OLDER, MOST_ROWS, RANKED, UNRANKED, Gallery, LeagueView, table
from touchline.tournament.house_kernels import compile_house_kernels
from touchline.tournament.ledger.base import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from touchline.bundles.store import BundleStore
    from touchline.league.checks import Check, Verdict
    from touchline.league.feedback import Feedback
    from touchline.league.league_file import League
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ledger.base import Finished, Ledger
    from touchline.tournament.worker import JobReply

log = logging.getLogger(__name__)

REST = 20.0
"""The pause between two reads of the log is also this many times the duration of a read: a log grows long."""
SHOWN = 0.25
"""Seconds between two views for the page, at least."""


class Coordinator:
    """Runs a league until it is stopped."""

    def __init__(
        self,
        ledger: Ledger,
        league: League,
        pool: WorkerPool,
        store: BundleStore,
        feedback: Feedback,
        *,
        isolation: str = "auto",
        salt: bytes | None = None,
        told: Callable[[dict[str, Any]], None] = lambda news: None,
        see: Callable[[Coordinator], None] = lambda run: None,
    ) -> None:
        """`told` gets news for the webhook; `see` is called several times a second."""
        self._ledger, self.league, self._pool = ledger, league, pool
        self._store, self._feedback, self._told, self._see = store, feedback, told, see
        self._isolation, self._salt = isolation, salt
        self._checks = Checks(league, pool.slots)
        self._checking: dict[Future[JobReply], Check] = {}
        self._next_look = self._shown = 0.0
        self._log_length = -1
        self._awake = threading.Event()
        self.stopping = threading.Event()
        self._abandoned = False
        self.paused: str | None = None
        self.trouble: str | None = None
        """Why the ledger is unavailable; None while it works."""
        self.gallery = Gallery()
        self.skills = Skills()
        self.roster = Roster(tokens={}, versions={}, ejected={}, resets=())
        self.view = LeagueView(name=league.cup.name, game=league.cup.game)
        """What the page shows; replaced as a whole, so that other threads may read it."""

    def wake(self) -> None:
        """Tell the coordinator, from any thread, that there may be something new in the log."""
        self._awake.set()

    def stop(self, *, now: bool = False) -> None:
        """Stop, from any thread, when the running games have ended; with `now`, kill them."""
        self._abandoned = self._abandoned or now
        self.stopping.set()
        self._awake.set()

    # -- the loop -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Take the ledger over and read it. A Conflict if another process runs this league."""
        seeds = opening.begin(self._ledger, self.league.cup, self._salt)
        tier = opening.note_isolation(self._ledger, self._isolation)
        hidden = (*self._ledger.files(), self._feedback.folder)
        self._jobs = LeagueJobs(self._store, self._pool.at_once, tier, hidden)
        compile_house_kernels([self.league.cup], self._pool)
        self._games = GameQueue(self._ledger, self.league, self._pool, seeds, self._jobs)
        self._obey()
        self._show(now=True)

    def go(self) -> None:
        """Run until stopped; then finish the running games. Call `begin` first."""
        try:
            while not self._done():
                self._retry(self._keep)
                if not self.stopping.is_set() and self.paused is None:
                    self._retry(self._fill)
                self._show()
                self._collect()
        finally:
            self._pool.stop(now=bool(self._games.running or self._checking))
            with contextlib.suppress(TouchlineError):
                self._games.save(self._taken)
                self._ledger.take_over()  # revokes all claims: a restart begins at once
            self._show(now=True)

    def _done(self) -> bool:
        idle = self._games.is_empty and not self._checking
        return self.stopping.is_set() and (idle or self._abandoned)

    def _retry(self, work: Callable[[], None]) -> None:
        """Do some work, again and again while the ledger is unavailable."""
        while True:
            try:
                work()
            except Unavailable as error:
                self.trouble = str(error)
                self._show()
                if self._abandoned:
                    raise
                time.sleep(LOOK)
            else:
                self.trouble = None
                return

    def _fill(self) -> None:
        for one in self._checks.due(self.roster.versions.values(), time.monotonic()):
            self._start(self._checks.begin(one))
        self._games.fill(self.roster, self.skills)

    def _keep(self) -> None:
        """Commit results, renew leases, and read the log, each when it is time."""
        self._games.keep(self._taken)
        if self._awake.is_set() or time.monotonic() > self._next_look:
            self._awake.clear()
            self._games.look_after()
            self._obey()

    def _collect(self) -> None:
        """Wait for results or for news, for a moment."""
        futures = {*self._games.running, *self._checking}
        if not futures:
            if self._games.is_empty:
                self._awake.wait(LOOK)
            return
        done, _ = wait(futures, timeout=UNSAVED_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            if future in self._checking:
                self._checked(future)
            else:
                self._games.collect(future)

    # -- checks -------------------------------------------------------------------------------

    def _start(self, check: Check) -> None:
        """Hand a game of a check to a worker."""
        claim, secrets = self._checks.game(check)
        job = self._jobs.job(self._checks.cup(check), self._checks.lineup(check), [claim], [secrets], 0.0)
        try:
            self._checking[self._games.hand_over(job)] = check
        except Unavailable:
            self._checks.put_off(check, time.monotonic())
            raise

    def _checked(self, future: Future[JobReply]) -> None:
        """Judge a game of a check; go on with the next one, or note the verdict."""
        check, error = self._checking.pop(future), future.exception()
        verdict: Verdict | None = None
        why = "the worker played nothing"
        if error is None:
            reply = future.result()
            self._games.greet(reply)
            for report in reply.games:
                failures, clock = self._checks.failures(check), self.league.cup.limits.clock
                verdict, why = verdict_on(check, report, failures, clock), report.played.reason
        else:
            why = f"{type(error).__name__}: {error}"
            self._games.broke()
        if verdict is None:
            log.warning("the check of %s could not be run, and is tried again: %s", check.version.name, why)
            self._checks.put_off(check, time.monotonic())
        elif verdict.late and not check.patient:
            self._checks.was_late(check)
        elif verdict.accepted and (following := self._checks.next(check)) and not self.stopping.is_set():
            with contextlib.suppress(Unavailable):  # then the whole check was put off
                self._start(following)
        elif verdict.accepted and self._checks.next(check):
            self._checks.put_off(check, time.monotonic())  # we stop: the whole check is run again
        else:
            self._decide(check, verdict)

    def _decide(self, check: Check, verdict: Verdict) -> None:
        name = check.version.name
        self._feedback.keep_check(name, verdict.notes)
        act, why = (ACCEPT, "it passed its check") if verdict.accepted else (REJECT, verdict.reason)
        self._retry(lambda: self._ledger.note(act, name, why, time.time()))
        self._checks.end(check)
        self._retry(self._obey)
        self._tell_verdict(name)

    def _tell_verdict(self, name: str) -> None:
        one = self.roster.versions[name]
        self._told({"type": "submission", "version": name, "status": one.status, "reason": one.reason})

    # -- the ledger ---------------------------------------------------------------------------

    def _obey(self) -> None:
        """Read the log: submissions, pauses, ejected entrants, ratings that begin anew."""
        start = time.monotonic()
        self.paused = self._ledger.paused()
        entries = self._ledger.log()
        now = time.monotonic()
        self._next_look = now + max(LOOK, REST * (now - start))
        if len(entries) == self._log_length:
            return
        before = self.roster
        self.roster = read_roster(self.league.cup, entries, self.league.quotas.versions)
        if self._log_length < 0 or self.roster.resets != before.resets:
            self._read()
        if self._log_length >= 0:
            for name in self.roster.versions.keys() - before.versions.keys():
                if self.roster.versions[name].status == "rejected":  # its upload could not be read
                    self._tell_verdict(name)
        self._log_length = len(entries)

    def _read(self) -> None:
        """Read all games of the ledger."""
        finished = sorted(self._ledger.results(), key=lambda game: (game.at, game.played.pairing))
        skills, gallery = rated(finished, self.roster.resets), Gallery()
        for game in finished:
            if game.voided is None:
                gallery.add(game)
        skills.settle(time.time())
        self.skills, self.gallery = skills, gallery
        self._games.read(finished)

    def _taken(self, games: list[Finished], notes: dict[str, dict[int, str]]) -> None:
        """Take note of games that were committed together."""
        self.skills.add(games[0].at, games)
        for game in games:
            seen = self.gallery.add(game)
            for seat, text in notes.get(game.id, {}).items():
                self._feedback.keep(game.played.pairing.entrants[seat], game.id, text)
            self._told(
                {"type": "result", "game": seen.game, "versions": seen.versions, "verdict": seen.verdict,
                 "ranks": game.played.ranks, "reason": seen.reason, "at": seen.at}
            )  # fmt: skip

    def _show(self, *, now: bool = False) -> None:
        """Make a new view, if it is time."""
        if not now and time.monotonic() - self._shown < SHOWN:
            return
        self._shown = time.monotonic()
        self.view = LeagueView(
            name=self.league.cup.name, game=self.league.cup.game,
            table=table(self.roster, self.skills, RANKED)[:MOST_ROWS],
            older=table(self.roster, self.skills, UNRANKED)[:MOST_OLDER],
            recent=tuple(reversed(self.gallery.recent)), games=self.gallery.games,
            running=self._games.count, paused=self.paused, trouble=self.trouble,
            checking=sum(one.status == "checking" for one in self.roster.versions.values()),
        )  # fmt: skip
        self._see(self)

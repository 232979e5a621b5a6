"""The coordinator of a tournament: what is due is claimed, handed out, and entered in the ledger.

Laws of this file: a game counts once its result is committed, and not before; whatever dies, what is in the
ledger is true and the rest is played again. It holds no result longer than a moment, and when the ledger
cannot be written it waits and says so; it never plays on in the hope of better times.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from touchline.core.errors import TouchlineError
from touchline.core.events import Result
from touchline.tournament.ledger.base import Claim, Done, Unavailable
from touchline.tournament.pairing import Thrift
from touchline.tournament.report.data import ejected
from touchline.tournament.worker import OURS, Claimed, Game, Job, counted, play_job

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from pathlib import Path

    from touchline.tournament.cup import Cup
    from touchline.tournament.executors import Engine
    from touchline.tournament.ledger.base import Ledger
    from touchline.tournament.pairing import Pairing, Played

BATCH = 0.2
"""Seconds of work that are handed out at a time: less is lost on the way, and not much if a worker dies."""
MOST_IN_BATCH = 500
AHEAD = 2
"""Batches for each slot, so that nobody waits for work;"""
LONG = 1.0
"""but one if a game takes so many seconds, for whoever stops the cup waits until all of them are played."""
LEASE = 60.0
"""Seconds for which games are claimed at a time."""
UNSAVED = 100
"""Finished games that are committed together, at most;"""
UNSAVED_SECONDS = 0.05
"""and how long the first of them waits."""
MOST_DEATHS = 3
"""A game during which so many workers died, playing nothing else, is void."""
MOST_ATTEMPTS = 3
"""How often a game is played that is void by our own fault."""
LOOK = 0.5
"""Seconds between two looks at what the organiser wants, and between two attempts at a ledger that fails."""
IDLE = 0.002
"""Seconds between two looks when there is nothing to wait for."""
ODD = 3
"""A worker with so many games void by our fault, and a share of them five times that of all, is reported."""


class Run:
    """Plays a cup to its end, or until it is stopped."""

    def __init__(
        self,
        ledger: Ledger,
        cup: Cup,
        engine: Engine,
        folder: Path,
        see: Callable[[Run], None] = lambda run: None,
    ) -> None:
        self._ledger, self.cup, self._engine, self._folder = ledger, cup, engine, folder
        self._see = see
        self._rules = cup.rules()
        self._packed = msgspec.Raw(cup.bytes())
        self._me = f"{socket.gethostname()}:{os.getpid()}"
        self._executor: Executor | None = None
        self._queue: deque[Claim] = deque()
        self._running: dict[Future[bytes], list[Claim]] = {}
        self._suspects: deque[Claim] = deque()
        """Games that were being played when a worker died: they are played alone."""
        self._deaths: Counter[str] = Counter()
        self._unsaved: list[Done] = []
        self._unsaved_since = 0.0
        self._renewed = self._looked = 0.0
        self._over = self._unsure = False
        self._pace = BATCH
        """Seconds that a game takes, as it was lately; we begin with one at a time."""
        self._from: Counter[str] = Counter()
        self._void_from: Counter[str] = Counter()
        self._lean = Thrift().lean
        self.played: dict[str, Played] = {}
        """The results that stand, by game."""
        self.out: tuple[str, ...] = ()
        """Entrants that were ejected, in that order."""
        self.paused: str | None = None
        self.trouble: str | None = None
        """Why the ledger cannot be written just now."""
        self.stopping = False
        """Set it, and what is running is finished and no more is begun."""
        self.scheduled = 0

    # -- the loop -----------------------------------------------------------------------------

    def go(self) -> bool:
        """Play; True when the cup is over, False when it was stopped before."""
        try:
            self._insist(self._begin)
            while not self._done():
                if not self.stopping and self.paused is None:
                    self._insist(self._fill)
                self._insist(self._keep)
                self._see(self)
                self._collect()
        finally:
            self._engine.stop(now=bool(self._running))
            self._leave()
        return self._over

    def _leave(self) -> None:
        """What was finished is entered and all the rest is free, if the ledger lets us: it need not.

        Ctrl-C may have come anywhere, so what we remember of our claims may not be all of them.
        """
        with contextlib.suppress(TouchlineError):
            self._save()
            if not self._over:
                self._ledger.take_over()

    def _done(self) -> bool:
        return not self._running and not self._unsaved and (self.stopping or self._over)

    def _insist(self, work: Callable[[], None]) -> None:
        """Until the ledger lets us."""
        while True:
            try:
                work()
            except Unavailable as error:
                self.trouble = str(error)
                self._see(self)
                time.sleep(LOOK)
            else:
                self.trouble = None
                return

    def _begin(self) -> None:
        self._ledger.create(bytes(self._packed))
        self._ledger.take_over()
        self._read()
        self._obey()
        self.scheduled = len(self.played) + sum(1 for _ in self._ledger.unfinished())

    # -- handing out --------------------------------------------------------------------------

    def _fill(self) -> None:
        """Hand out work until everybody has enough."""
        if self._suspects:
            if not self._running:
                self._submit([self._suspects.popleft()], BATCH)
            return
        worth = BATCH if self._engine.slots > 1 else UNSAVED_SECONDS
        size = max(1, min(MOST_IN_BATCH, int(worth / self._pace)))
        most = self._engine.slots * (AHEAD if self._pace < LONG else 1)
        while len(self._running) < most and not self._suspects:
            if len(self._queue) < size:
                self._claim(most * size)
            if not self._queue:
                return
            self._submit([self._queue.popleft() for _ in range(min(size, len(self._queue)))], worth)

    def _claim(self, most: int) -> None:
        """Take games from the ledger; when there are none left, ask the format what is next."""
        if self._unsure and not self._sure_again():
            return
        self._take_claims(most)
        if self._queue or self._running or self._unsaved:
            return
        due = self._rules.due(self.cup.names, [*self.played.values()], self.out)
        if not due:
            self._over = due is None
            return
        self.scheduled += self._ledger.schedule(due)
        self._take_claims(most)

    def _take_claims(self, most: int) -> None:
        """Claim games; those of ejected entrants are not due any more, and nobody else shall have them."""
        self._unsure = True
        claims = self._ledger.claim(self._me, most, LEASE, time.time())
        self._unsure = False
        self._queue.extend(claim for claim in claims if not {*self.out} & {*claim.pairing.entrants})

    def _sure_again(self) -> bool:
        """A claim failed, and may have been made all the same: when nothing is under way we begin anew."""
        if self._running or self._unsaved:
            return False
        self._ledger.take_over()
        self._queue.clear()
        self._suspects.clear()
        self._unsure = False
        return True

    def _submit(self, claims: list[Claim], seconds: float) -> None:
        games = tuple(Claimed(claim.pairing, claim.fence) for claim in claims)
        job = msgspec.json.encode(Job(self._packed, str(self._folder), games, self._engine.at_once, seconds))
        try:
            self._running[self._handed_over(job)] = claims
        except Unavailable:
            self._queue.extendleft(reversed(claims))
            raise

    def _handed_over(self, job: bytes) -> Future[bytes]:
        """A worker has it. If the one we knew has died there is another; if there is none, we wait."""
        for last in (False, True):
            try:
                if self._executor is None:
                    self._executor = self._engine.start()
                return self._executor.submit(play_job, job)
            except (BrokenExecutor, OSError, EOFError) as error:  # whoever starts workers may have died too
                self._executor = None
                if last:
                    raise Unavailable(f"no worker can be started: {type(error).__name__}: {error}") from None
        raise AssertionError("the loop returns or raises")

    # -- taking in ----------------------------------------------------------------------------

    def _collect(self) -> None:
        """Wait a moment for results."""
        if not self._running:
            if not (self._unsaved or self._queue or self._over or self.stopping) or self.paused is not None:
                time.sleep(IDLE)
            return
        done, _ = wait(self._running, timeout=UNSAVED_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            claims = self._running.pop(future)
            error = future.exception()
            if error is None:
                games = msgspec.json.decode(future.result(), type=list[Game])
                self._take(games)
                self._queue.extendleft(reversed(claims[len(games) :]))  # there was no time for these
            else:
                self._mourn(claims, error)

    def _take(self, games: list[Game]) -> None:
        if not self._unsaved:
            self._unsaved_since = time.monotonic()
        for game in games:
            self._pace += 0.1 * (game.seconds - self._pace)
            self._from[game.worker] += 1
            self._void_from[game.worker] += game.played.reason.startswith(OURS)
            self._unsaved.append(
                Done(
                    played=game.played, fence=game.fence, result=bytes(game.result),
                    record=game.record.encode(), digest=game.digest, worker=game.worker,
                    seconds=game.seconds, oversubscribed=game.oversubscribed,
                )
            )  # fmt: skip

    def _mourn(self, claims: list[Claim], error: BaseException) -> None:
        """A worker died over these games: they are played again, each alone."""
        self._executor = None
        alone = len(claims) == 1 and not self._running
        for claim in claims:
            self._deaths[claim.id] += alone
            if self._deaths[claim.id] < MOST_DEATHS:
                self._suspects.append(claim)
                continue
            why = f"{OURS} {MOST_DEATHS} workers died over it ({type(error).__name__})"
            result = Result(verdict="void", outcome=None, reason=why, turns=0)
            self._take(
                [Game(claim.fence, counted(claim.pairing, result), msgspec.Raw(msgspec.json.encode(result)),
                      "", "", 0.0, self._me, False)]
            )  # fmt: skip

    # -- the ledger ---------------------------------------------------------------------------

    def _keep(self) -> None:
        """Enter what has been played, hold what has not, and look at what the organiser wants."""
        now = time.monotonic()
        late = now - self._unsaved_since >= UNSAVED_SECONDS
        if self._unsaved and (late or len(self._unsaved) >= UNSAVED or not self._running):
            self._save()
        if now - self._renewed > LEASE / 3:
            held = [
                *self._queue,
                *self._suspects,
                *(claim for claims in self._running.values() for claim in claims),
            ]
            self._ledger.renew(held, LEASE, time.time())
            self._renewed = now
        if now - self._looked > LOOK:
            self._engine.look_after()
            self._obey()

    def _save(self) -> None:
        while self._unsaved:
            part = self._unsaved[:UNSAVED]
            taken = {*self._ledger.finish(part, time.time())}
            del self._unsaved[:UNSAVED]
            counting = [done.played for done in part if done.id in taken]
            self.played |= {played.pairing.id: self._lean(played) for played in counting}
            self._play_again([played.pairing for played in counting if played.reason.startswith(OURS)])

    def _play_again(self, pairings: list[Pairing]) -> None:
        """Games that are void by our own fault are given another attempt, but not for ever."""
        again = [
            replace(pairing, attempt=pairing.attempt + 1)
            for pairing in pairings
            if pairing.attempt + 1 < MOST_ATTEMPTS
        ]
        if again:
            self.scheduled += self._ledger.schedule(again)

    def _obey(self) -> None:
        """What the organiser has said since."""
        self._looked = time.monotonic()
        self.paused = self._ledger.paused()
        acts = self._ledger.log()
        self.out = ejected(acts)
        voided = {act.about for act in acts if act.act == "void"}
        if voided & self.played.keys():
            self._read()

    def _read(self) -> None:
        """The results that stand; those that were declared void are played again."""
        again, standing = [], {}
        for finished in self._ledger.results():
            pairing = finished.played.pairing
            if finished.voided is None:
                standing[finished.id] = self._lean(finished.played)
            else:
                again.append(replace(pairing, attempt=pairing.attempt + 1))
        self.played = standing
        self.scheduled += self._ledger.schedule(again)

    def odd_workers(self) -> list[str]:
        """Workers whose games are void by our fault much more often than those of the others."""
        odd = []
        for worker, void in self._void_from.items():
            others = self._from.total() - self._from[worker]
            elsewhere = (self._void_from.total() - void) / max(1, others)
            if others and void >= ODD and void / self._from[worker] > 5 * elsewhere:
                odd.append(worker)
        return odd

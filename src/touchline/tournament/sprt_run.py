"""Run a sequential test: play pairs of games between two players until the test has decided.

Law of this file: the two games of a pair begin from the same position with seats swapped, and pairs are
judged in their order, whenever they were finished; so the same players give the same verdict after the same
number of games on any number of cores. A pair that is a copy of an earlier one is no evidence.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import TYPE_CHECKING

import msgspec

from touchline.core.errors import BadOptions
from touchline.tournament.entrant_bundles import entrant_bundles, travelling
from touchline.tournament.house_kernels import compile_house_kernels
from touchline.tournament.jobs import submit
from touchline.tournament.ledger.base import Claim
from touchline.tournament.pairing import Pairing, duel_score
from touchline.tournament.seeds import CupSeeds
from touchline.tournament.worker import Job
from touchline.tournament.worker_bundles import stored

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from pathlib import Path

    from touchline.tournament.cup import Cup
    from touchline.tournament.executors.base import WorkerPool
    from touchline.tournament.ratings.sprt import Judgement, Sprt
    from touchline.tournament.worker import GameReport, JobReply

NEW, OLD = "new", "old"
BATCH = 0.2
"""Seconds of work in one job."""
MOST_IN_BATCH = 64
MOST_DEATHS = 3
LEAST_COPIES, MOST_COPIES = 20, 200
"""Copies in a row after which a test ends, at least; and at most, if the openings are not listed."""
LOOK = 1.0
"""Seconds without a result after which the workers' health is checked."""


class SprtRun:
    """The games of a cup of two entrants, called new and old."""

    def __init__(self, cup: Cup, folder: Path, pool: WorkerPool, test: Sprt, most: int) -> None:
        """`most` is the largest number of pairs to play."""
        made = entrant_bundles(cup, folder)
        self._store = stored(one.bundle for one in made.values())
        self._bundles = {name: one.bundle.digest for name, one in made.items()}
        self._packed, self._folder, self._pool = msgspec.Raw(travelling(cup, made).bytes()), folder, pool
        self._test, self._most = test, most
        self._seeds = CupSeeds(cup, None)  # a test is repeated with its seed, and hides nothing
        self._running: dict[Future[JobReply], range] = {}
        self._played: dict[int, list[GameReport]] = {}
        self._next = 0
        self._again: list[range] = []
        """Pairs that were running when a worker died, to be retried."""
        self._deaths: Counter[range] = Counter()
        """How often a worker died while it played these pairs."""
        self._executor: Executor | None = None
        self._pace = 0.05
        self.counts = [0] * 5
        """The number of pairs in which the new one made 0, ½, 1, 1½ and 2 points."""
        self.void = 0
        """Pairs with a void game: they do not count."""
        self._seen: set[tuple[str, ...]] = set()
        """The digests of the pairs that count."""
        self.copies = 0
        """Pairs that are copies of an earlier one: they are no evidence."""
        self._in_a_row = 0
        book = self._seeds.book(0, 2)
        self._openings = MOST_COPIES if book is None or book.size is None else book.size

    @property
    def exhausted(self) -> bool:
        """Whether the test ended because the last pairs, as many as there are openings, were all copies."""
        return self._in_a_row >= max(self._openings, LEAST_COPIES)

    def go(self) -> Iterator[Judgement]:
        """Yield the test's judgement after every pair that counts, until it has decided.

        It also ends when the players only repeat earlier pairs.
        """
        judged = 0
        compile_house_kernels([self._seeds.cup], self._pool)
        try:
            while judged < self._most and not self.exhausted:
                self._hand_out()
                done, _ = wait(self._running, timeout=LOOK, return_when=FIRST_COMPLETED)
                if not done:
                    self._pool.look_after()
                for future in done:
                    self._take(future)
                while judged in self._played and not self.exhausted:
                    if self._count(self._played.pop(judged)):
                        judgement = self._test.judge(self.counts)
                        yield judgement
                        if judgement.verdict != "continue":
                            return
                    judged += 1
        finally:
            self._pool.stop(now=True)

    def _hand_out(self) -> None:
        if self._executor is None:
            self._executor = self._pool.start()
        while len(self._running) < 2 * self._pool.slots:
            if not self._again and self._next >= self._most:
                return
            pairs = self._again.pop() if self._again else self._fresh()
            try:
                self._running[submit(self._executor, self._job(pairs), self._store)] = pairs
            except (BrokenExecutor, OSError, EOFError) as error:
                self._worker_died(pairs, error)
                return

    def _fresh(self) -> range:
        size = max(1, min(MOST_IN_BATCH, int(BATCH / (2 * self._pace))))
        pairs = range(self._next, min(self._next + size, self._most))
        self._next = pairs.stop
        return pairs

    def _job(self, pairs: range) -> Job:
        games = tuple(
            Claim(Pairing(0, 2 * pair + game, (NEW, OLD) if game == 0 else (OLD, NEW), pair), 0)
            for pair in pairs
            for game in (0, 1)
        )
        secrets = tuple(self._seeds.of(game.pairing) for game in games)
        return Job(
            self._packed, str(self._folder), games, secrets, self._pool.at_once,
            bundles=self._bundles, store=str(self._store.folder),
        )  # fmt: skip

    def _take(self, future: Future[JobReply]) -> None:
        pairs = self._running.pop(future)
        try:
            reply = future.result()
        except Exception as error:  # each executor has its own exception for a dead worker
            self._worker_died(pairs, error)
            return
        if reply.refused:
            raise BadOptions(f"worker {reply.worker} plays nothing: {reply.refused}")
        games = reply.games
        for pair in pairs:
            self._played[pair] = [game for game in games if game.played.pairing.board == pair]
        self._pace += 0.2 * (sum(game.seconds for game in games) / len(games) - self._pace)

    def _worker_died(self, pairs: range, error: Exception) -> None:
        """Queue pairs for a retry; give up when workers keep dying while they play them."""
        self._again.append(pairs)
        self._deaths[pairs] += 1
        if self._deaths[pairs] > MOST_DEATHS:
            raise BadOptions(
                f"workers die while they play pairs {pairs.start} to {pairs.stop - 1}: {error}"
            ) from None
        if not self._running:  # the executor is broken, and all its jobs have failed by now
            self._executor = None

    def _count(self, pair: list[GameReport]) -> bool:
        """Count a pair; return whether it counts: it does not with a void game, or as a copy."""
        if any(game.played.verdict == "void" for game in pair):
            self.void += 1
            return False
        mark = tuple(game.digest for game in pair)
        if mark in self._seen:
            self.copies += 1
            self._in_a_row += 1
            return False
        self._seen.add(mark)
        self._in_a_row = 0
        score = sum(duel_score(game.played, NEW) for game in pair)
        self.counts[round(2 * score)] += 1
        return True

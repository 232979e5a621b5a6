"""A duel: is the new one better than the old one? Pairs of games until a sequential test has decided.

Law of this file: the two games of a pair begin from the same position with seats swapped, and pairs are
judged in their order, whenever they were finished; so the same players come to the same verdict after the
same number of games on any number of cores.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import TYPE_CHECKING

import msgspec

from touchline.core.errors import BadOptions
from touchline.tournament.pairing import Pairing, duelled
from touchline.tournament.worker import Claimed, Game, Job, play_job

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor
    from pathlib import Path

    from touchline.tournament.cup import Cup
    from touchline.tournament.executors import Engine
    from touchline.tournament.pairing import Played
    from touchline.tournament.ratings.sprt import Judgement, Sprt

NEW, OLD = "new", "old"
BATCH = 0.2
"""Seconds of work that are handed out at a time."""
MOST_IN_BATCH = 64
MOST_DEATHS = 3
LOOK = 1.0
"""Seconds without a result after which we look whether the workers are well."""


class Duel:
    """The games of a cup of two entrants, called new and old."""

    def __init__(self, cup: Cup, folder: Path, engine: Engine, test: Sprt, most: int) -> None:
        """At most so many pairs."""
        self._packed, self._folder, self._engine = msgspec.Raw(cup.bytes()), folder, engine
        self._test, self._most = test, most
        self._running: dict[Future[bytes], range] = {}
        self._played: dict[int, list[Played]] = {}
        self._next = 0
        self._again: list[range] = []
        """Pairs that were being played when a worker died,"""
        self._deaths: Counter[range] = Counter()
        """and how often that was so."""
        self._executor: Executor | None = None
        self._pace = 0.05
        self.counts = [0] * 5
        """Pairs in which the new one made 0, ½, 1, 1½ and 2 points."""
        self.void = 0
        """Pairs of which a game was void: they count for nothing."""

    def go(self) -> Iterator[Judgement]:
        """What the test says after every pair that counts; the last one is the verdict, if there is one."""
        judged = 0
        try:
            while judged < self._most:
                self._hand_out()
                done, _ = wait(self._running, timeout=LOOK, return_when=FIRST_COMPLETED)
                if not done:
                    self._engine.look_after()
                for future in done:
                    self._take(future)
                while judged in self._played:
                    if self._count(self._played.pop(judged)):
                        judgement = self._test.judge(self.counts)
                        yield judgement
                        if judgement.verdict != "continue":
                            return
                    judged += 1
        finally:
            self._engine.stop(now=True)

    def _hand_out(self) -> None:
        if self._executor is None:
            self._executor = self._engine.start()
        while len(self._running) < 2 * self._engine.slots:
            if not self._again and self._next >= self._most:
                return
            pairs = self._again.pop() if self._again else self._fresh()
            try:
                self._running[self._executor.submit(play_job, self._job(pairs))] = pairs
            except (BrokenExecutor, OSError, EOFError) as error:
                self._mourn(pairs, error)
                return

    def _fresh(self) -> range:
        size = max(1, min(MOST_IN_BATCH, int(BATCH / (2 * self._pace))))
        pairs = range(self._next, min(self._next + size, self._most))
        self._next = pairs.stop
        return pairs

    def _job(self, pairs: range) -> bytes:
        games = tuple(
            Claimed(Pairing(0, 2 * pair + game, (NEW, OLD) if game == 0 else (OLD, NEW), pair), 0)
            for pair in pairs
            for game in (0, 1)
        )
        return msgspec.json.encode(Job(self._packed, str(self._folder), games, self._engine.at_once))

    def _take(self, future: Future[bytes]) -> None:
        pairs = self._running.pop(future)
        try:
            games = msgspec.json.decode(future.result(), type=list[Game])
        except Exception as error:  # each engine has words of its own for a worker that died
            self._mourn(pairs, error)
            return
        for pair in pairs:
            self._played[pair] = [game.played for game in games if game.played.pairing.board == pair]
        self._pace += 0.2 * (sum(game.seconds for game in games) / len(games) - self._pace)

    def _mourn(self, pairs: range, error: Exception) -> None:
        """These pairs are played again, unless they cost a worker every time."""
        self._again.append(pairs)
        self._deaths[pairs] += 1
        if self._deaths[pairs] > MOST_DEATHS:
            raise BadOptions(f"workers die over pairs {pairs.start} to {pairs.stop - 1}: {error}") from None
        if not self._running:  # all that ran in it has failed as well by now
            self._executor = None

    def _count(self, pair: list[Played]) -> bool:
        """Whether this pair counts."""
        if any(game.verdict == "void" for game in pair):
            self.void += 1
            return False
        score = sum(duelled(game, NEW) for game in pair)
        self.counts[round(2 * score)] += 1
        return True

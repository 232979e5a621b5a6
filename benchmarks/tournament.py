"""What a tournament costs: its ledger, its coordinator, its cluster; and how long a long one takes to tell.

Hexapawn throughout, between players of the house. Workers are warm before the clock starts, on both sides.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from concurrent.futures import wait
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import rows
from measure import Claim, interleaved, report
from verdict import judge

from touchline.core.events import Result
from touchline.core.rules import Outcome
from touchline.tournament.cup import Cup, parse
from touchline.tournament.executors.cores import Cores
from touchline.tournament.executors.dask import Dask
from touchline.tournament.executors.here import Here
from touchline.tournament.ledger import Claim as Held
from touchline.tournament.ledger import LogEntry, Submission, open_ledger
from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.run import Run
from touchline.tournament.seeds import CupSeeds
from touchline.tournament.worker import GameReport, Job, play_job, read_reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor

    from verdict import Judged

    from touchline.tournament.executors.base import WorkerPool

ROUNDS = 6
CUP = """
name = "bench"
seed = 1
game = {{name = "hexapawn", rows = 5, cols = 5}}
clock = {{no_timeout = true}}
format = {{name = "round_robin", games = {games}}}
entrants = [{entrants}]
"""
TELLINGS = 3
"""How often each ledger is shown and reported."""
SECONDS_TO_TELL = 3.0
"""A ledger of 100,000 games is shown, reported and resumed within so many seconds each;"""
COLD_ROUNDS = 3
"""How often a cup of a minute is played on each executor."""
MORE = 0.5
"""and its 90,000 games more than one of 10,000 take no more kilobytes each than this."""


def cup(games: int, *players: str) -> Cup:
    entrants = ", ".join(f'{{name = "p{number}", player = "{word}"}}' for number, word in enumerate(players))
    return parse(CUP.format(games=games, entrants=entrants), "bench")


QUICK = cup(400, "random", "greedy")
"""Games that are over in a moment: what is measured is what comes with them."""
WORTHY = cup(300, "minimax:depth=3", "minimax:depth=2", "minimax:depth=3")
"""Games worth some milliseconds each, for several seconds on two cores."""


class Memory:
    """A ledger that forgets everything: results and records are kept in lists."""

    def __init__(self) -> None:
        self._due: deque[Pairing] = deque()
        self.done: list[Submission] = []
        self._log: list[LogEntry] = []

    def keep_salt(self, salt: bytes) -> None: ...
    def drop_salt(self) -> None: ...
    def create(self, spec: bytes) -> None: ...
    def take_over(self) -> None: ...
    def release(self, claims: Sequence[Held]) -> None: ...

    def schedule(self, games: Sequence[Pairing]) -> int:
        self._due.extend(games)
        return len(games)

    def claim(self, worker: str, most: int, lease: float, now: float) -> list[Held]:
        return [Held(self._due.popleft(), 1) for _ in range(min(most, len(self._due)))]

    def renew(self, claims: Sequence[Held], lease: float, now: float) -> list[str]:
        return []

    def finish(self, done: Sequence[Submission], now: float) -> list[str]:
        self.done.extend(done)
        return [one.id for one in done]

    def results(self) -> Iterator[Any]:
        return iter(())

    def unfinished(self) -> Iterator[Pairing]:
        return iter(())

    def note(self, act: str, about: str, why: str, now: float) -> None:
        self._log.append(LogEntry(now, act, about, why))

    def log(self) -> list[LogEntry]:
        return self._log

    def seal(self, *, whole: bool = False) -> str:
        return "0" * 64

    def paused(self) -> str | None:
        return None

    def files(self) -> tuple[Path, ...]:
        return ()


class Warm(Cores):
    """Workers that are there before they are needed, and stay for the next cup."""

    def __init__(self) -> None:
        super().__init__(2)
        self.pool: Executor = self.start()
        warm(self.pool)

    def start(self) -> Executor:
        if not hasattr(self, "pool"):
            return super().start()
        return self.pool

    def stop(self, *, now: bool) -> None:
        """It stays, until `close`."""

    def close(self) -> None:
        super().stop(now=True)


class WarmCluster(Dask):
    """The same on a cluster of this machine's own."""

    def __init__(self) -> None:
        super().__init__(2)
        self._warm = super().start()
        warm(self._warm)

    def start(self) -> Executor:
        return self._warm

    def stop(self, *, now: bool) -> None:
        """It stays, until `close`."""

    def close(self) -> None:
        super().stop(now=True)


def warm(pool: Executor) -> None:
    """Let every worker of two load what it needs."""
    job = _job(QUICK, first_games(QUICK)[:400])
    wait([pool.submit(play_job, job) for _ in range(6)])


def first_games(made: Cup) -> list[Pairing]:
    """Return the games that are due at the beginning of a cup."""
    return made.rules().due(made.names, [], ()) or []


def _job(made: Cup, pairings: Sequence[Pairing]) -> bytes:
    games, seeds = tuple(Held(pairing, 1) for pairing in pairings), CupSeeds(made, bytes(32))
    secrets = tuple(seeds.of(pairing) for pairing in pairings)
    return msgspec.json.encode(Job(msgspec.Raw(made.bytes()), ".", games, secrets, 2))


def tournament(made: Cup, pool: WorkerPool, folder: Path | None) -> Callable[[], int]:
    """A whole cup in a new ledger; in none on a disk if there is no folder."""

    def play() -> int:
        if folder is None:
            run = Run(Memory(), made, pool, Path())  # type: ignore[arg-type]
            assert run.go()
            return len(run.played)
        with tempfile.TemporaryDirectory(dir=folder) as place, open_ledger(f"{place}/cup.db") as ledger:
            run = Run(ledger, made, pool, Path())
            assert run.go()
            return len(run.played)

    return play


def independent(made: Cup, pool: Executor) -> Callable[[], int]:
    """Two processes that play a half each and hand it over at the end: nobody coordinates them."""
    due = first_games(made)
    Random(1).shuffle(due)  # a half each, and both worth the same

    def play() -> int:
        halves = [pool.submit(play_job, _job(made, due[half::2])) for half in (0, 1)]
        games = [read_reply(half.result()).games for half in halves]
        return sum(map(len, games))

    return play


CLAIMS = [
    Claim("games/s with the ledger on disk : in memory", "a durable ledger", "records in memory", 0.5),
    Claim("games/s of two workers : two processes by themselves", "two workers", "two processes", 0.95),
    Claim("games/s on Dask : on the local pool", "Dask, two workers", "two workers", 0.9),
]


# -- a long one ---------------------------------------------------------------------------------------


def long_ledger(path: Path, games: int) -> None:
    """So many results between 21 entrants, each with a record of a game that was really played."""
    pairs = 210
    made = cup(-(-games // pairs), *["random", "greedy", "minimax:depth=2"] * 7)
    due = first_games(made)[:games]
    (sample,) = read_reply(play_job(_job(made, due[:1]))).games
    rng = Random(1)
    with open_ledger(str(path), durable=False) as ledger:
        ledger.create(made.bytes())
        for start in range(0, len(due), 2000):
            ledger.schedule(due[start : start + 2000])
            claims = ledger.claim("bench", 2000, 60, time.time())
            ledger.finish([_done(claim, sample, rng) for claim in claims], time.time())


def _done(claim: Held, sample: GameReport, rng: Random) -> Submission:
    winner = int(rng.random() < 0.4)
    ranks, scores = ((1, 2), (1, 0)) if winner == 0 else ((2, 1), (0, 1))
    outcome = Outcome((winner,), ranks, scores, "reached the far row")
    result = Result(verdict="finished", outcome=outcome, reason=outcome.reason, turns=9)
    return Submission(
        played=Played(claim.pairing, "finished", (winner,), ranks, scores, (), outcome.reason),
        fence=claim.fence, result=msgspec.json.encode(result), record=sample.record.encode(),
        digest=f"{rng.getrandbits(256):064x}", worker="bench", seconds=sample.seconds,
    )  # fmt: skip


def told(*words: str) -> tuple[float, float]:
    """Seconds and peak megabytes of a command."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "touchline", *words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)  # fmt: skip
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return time.perf_counter() - start, used.ru_maxrss / 1024


def long_cups(folder: Path) -> list[Judged]:
    """How long ledgers of 10,000 and 100,000 games take to be told, and how much memory each game adds."""
    found: list[Judged] = []
    peaks: dict[str, list[list[float]]] = {"show": [], "report": [], "resume": []}
    for games in (few := 10_000, many := 100_000):
        ledger = folder / f"{games}.db"
        long_ledger(ledger, games)
        for name, words in {
            "show": ("show", str(ledger)),
            "report": ("report", str(ledger), "--html", str(folder / "cup.html")),
            "resume": ("resume", str(ledger), "--on", "here"),
        }.items():
            runs = [told("tournament", *words) for _ in range(TELLINGS)]
            peaks[name].append([peak for _, peak in runs])
            seconds = [spent for spent, _ in runs]
            found.append(judge(f"seconds to {name} {games:,} games", seconds, SECONDS_TO_TELL, cost=True))
    for name, (less, more) in peaks.items():
        added = [(high - low) * 1024 / (many - few) for low, high in zip(less, more, strict=True)]
        found.append(judge(f"KB of memory that a game adds, {name}", added, MORE, cost=True))
    return found


def cold_start(folder: Path) -> Judged:
    """A cup of about a minute as a command: on Dask, its start included, against the local pool."""
    words = [f"minimax:depth={depth}" for depth in (3, 2, 3, 3)]
    entrants = ", ".join(f'{{name = "p{number}", player = "{word}"}}' for number, word in enumerate(words))
    toml = CUP.format(games=1000, entrants=entrants)
    (folder / "minute.toml").write_text(toml)
    ratios = []
    for _ in range(COLD_ROUNDS):
        seconds = {}
        for on in ("cores", "dask"):
            with tempfile.TemporaryDirectory(dir=folder) as place:
                ledger = f"{place}/cup.db"
                run = ("run", str(folder / "minute.toml"), "--ledger", ledger, "--on", on, "--workers", "2")
                seconds[on], _ = told("tournament", *run)
        ratios.append(seconds["cores"] / seconds["dask"])
    return judge("games/s of a cup of a minute on Dask with its start : on the local pool", ratios, 0.9)


def main() -> int:
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as place:
        folder = Path(place)
        found = [] if rows.asked() else [*long_cups(folder), cold_start(folder)]
        pool, cluster = Warm(), WarmCluster()
        try:
            contenders = {
                "records in memory": tournament(QUICK, Here(), None),
                "a durable ledger": tournament(QUICK, Here(), folder),
                "two processes": independent(WORTHY, pool.pool),
                "two workers": tournament(WORTHY, pool, folder),
                "Dask, two workers": tournament(WORTHY, cluster, folder),
            }
            code = report(interleaved(contenders, ROUNDS), CLAIMS)
        finally:
            pool.close()
            cluster.close()
    aside = sys.stderr if "--json" in sys.argv else sys.stdout
    for row in found:
        print(row.line(), file=aside)
    return code or int(not all(row.kept for row in found))


if __name__ == "__main__":
    sys.exit(main())

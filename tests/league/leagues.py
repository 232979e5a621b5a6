"""Small leagues for the tests, with workers that draw results from known strengths."""

from __future__ import annotations

import hashlib
import io
import zipfile
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.bundles.store import BundleStore
from touchline.core.conduct import Offence, Sanction
from touchline.core.events import Fault, Result
from touchline.core.rules import Outcome
from touchline.league.coordinator import Coordinator
from touchline.league.feedback import Feedback
from touchline.league.front_desk import FrontDesk
from touchline.league.league_file import League, parse
from touchline.league.roster import TOKEN, new_token
from touchline.tournament.executors.base import WorkerPool
from touchline.tournament.ledger import open_ledger
from touchline.tournament.worker import GameReport, Job, JobReply, to_played

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from touchline.tournament.ledger import Ledger

SALT = bytes(range(32))
LEAGUE = """
name = "small league"
seed = 3
[game]
name = "hexapawn"
rows = 4
cols = 4
[clock]
seconds = 2
set_up = 10
{more}
"""
BOT = """
class Bot:
    # {mark}
    def choose(self, view, turn):
        return next(iter(view.legal_moves()))
"""


def league(more: str = "") -> League:
    """A league of Hexapawn, with two house players."""
    return parse(LEAGUE.format(more=more), "test")


def bot(mark: str = "") -> bytes:
    """The source of a player that makes the first legal move."""
    return BOT.format(mark=mark).encode()


def zipped(**files: bytes) -> bytes:
    """A zip with these files; `__` in a name stands for a dot."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return packed.getvalue()


class FakePool(WorkerPool):
    """Workers that play nothing: `result` says how a game ends. One job at a time, in this process."""

    slots = at_once = 1

    def __init__(
        self, result: Callable[[Job, tuple[str, ...]], Result], slots: int = 1, *, begun: bool = True
    ) -> None:
        self._result, self.slots, self._begun = result, slots, begun
        self.jobs: list[Job] = []

    def start(self) -> Executor:
        return _Faking(self)

    def look_after(self) -> None:
        """There are no workers."""

    def stop(self, *, now: bool) -> None:
        """There are no workers."""

    def play(self, data: bytes) -> bytes:
        job = msgspec.json.decode(data, type=Job)
        self.jobs.append(job)
        return msgspec.json.encode(JobReply("fake", [self._report(job, claim) for claim in job.games]))

    def _report(self, job: Job, claim: Any) -> GameReport:
        result = self._result(job, claim.pairing.entrants)
        if not self._begun:
            result = Result(verdict="void", outcome=None, reason="ours: no such program", turns=0)
        return GameReport(
            claim.fence, to_played(claim.pairing, result), msgspec.Raw(msgspec.json.encode(result)),
            "", hashlib.sha256(claim.pairing.id.encode()).hexdigest(), 0.02, "fake", False, begun=self._begun,
        )  # fmt: skip


class _Faking(Executor):
    def __init__(self, pool: FakePool) -> None:
        self._pool = pool

    def submit(self, work: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(self._pool.play(*args))
        except Exception as error:
            future.set_exception(error)
        return future


def won_by(seat: int, seats: int = 2) -> Result:
    ranks = tuple(1 if one == seat else 2 for one in range(seats))
    outcome = Outcome(winners=(seat,), ranks=ranks, scores=tuple(3 - rank for rank in ranks), reason="")
    return Result(verdict="finished", outcome=outcome, reason="it won", turns=9)


def at_fault(seat: int, offence: Offence = Offence.ILLEGAL) -> Result:
    """The seat is expelled, for an illegal move if nothing else is said; the other one wins."""
    fault = Fault(seat=seat, turn=0, offence=offence, reason="no such move", sanction=Sanction.EXPEL)
    ranks = (2, 1) if seat == 0 else (1, 2)
    outcome = Outcome(winners=(1 - seat,), ranks=ranks, scores=(0, 0), reason="")
    return Result(
        verdict="forfeited", outcome=outcome, reason="expelled", turns=1, faults=(fault,), expelled=(seat,)
    )


def by_strength(strength: Callable[[str], float], rng: Random) -> Callable[[Job, tuple[str, ...]], Result]:
    """Results drawn by Elo strengths."""

    def result(job: Job, names: tuple[str, ...]) -> Result:
        one, other = (strength(name) for name in names)
        return won_by(0 if rng.random() < 1 / (1 + 10 ** ((other - one) / 400)) else 1)

    return result


class Hall:
    """A league with its ledger, bundles and front desk."""

    def __init__(self, folder: Path, made: League, pool: Any, isolation: str = "none") -> None:
        self.league, self.folder, self.where = made, folder, str(folder / "league.db")
        self.ledger: Ledger = open_ledger(self.where, durable=False)
        self.store = BundleStore(folder / "bundles")
        self.feedback = Feedback(folder / "feedback")
        self.news: list[dict[str, Any]] = []
        self.run = Coordinator(
            self.ledger, made, pool, self.store, self.feedback, salt=SALT, isolation=isolation,
            told=self.news.append,
        )  # fmt: skip
        self.run.begin()
        self.desk = FrontDesk(self.ledger, self.store, made, self.run.wake)

    def token(self, name: str) -> str:
        token, hashed = new_token(self.desk.roster(), name)
        self.ledger.note(TOKEN, hashed, name, 1.0)
        return token

    def until(self, done: Callable[[], bool]) -> None:
        """Run the coordinator until this is so; it is looked at in every round of its loop."""
        self.run._see = lambda run: run.stop() if done() else None
        import touchline.league.coordinator as module

        shown, module.SHOWN = module.SHOWN, 0.0
        try:
            self.run.stopping.clear()
            self.run.go()
        finally:
            module.SHOWN = shown

    def close(self) -> None:
        self.ledger.close()

"""The coordinator: the same digest whatever happens, and nothing lost."""

from __future__ import annotations

import time
from concurrent.futures import BrokenExecutor, Executor, Future
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from touchline.bots.random import Random as RandomBot
from touchline.core import registry
from touchline.core.registry import CONDUCTS
from touchline.drivers.match import play_now
from touchline.tournament import run as run_module
from touchline.tournament.executors.cores import Cores
from touchline.tournament.executors.here import Here
from touchline.tournament.ledger import Conflict, Unavailable, open_ledger
from touchline.tournament.ledger.shared.sql import SqlLedger
from touchline.tournament.pairing import Pairing
from touchline.tournament.seeds import CupSeeds, spec_of
from touchline.tournament.verify import verify
from touchline.tournament.worker import OURS, Job, play_job, to_played
from tournament.cups import SALT, cup, played

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from touchline.tournament.run import Run


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for a better moment looks again at once."""
    monkeypatch.setattr(run_module, "LOOK", 0.0)


def whole(folder: Path, **options: Any) -> str:
    """The digest of a run that nothing disturbs."""
    over, digest = played(cup(**options), str(folder / "whole.db"), folder)
    assert over
    return digest


@pytest.mark.parametrize("format", registry.names("formats"))
def test_every_format_to_its_end_and_proven(format: str, tmp_path: Path) -> None:
    made = cup(format=format, options="", game="fish") if format == "fish_manager" else cup(format, "")
    over, _ = played(made, str(tmp_path / "cup.db"), tmp_path)
    assert over
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        found = verify(ledger)
    assert found.wrong == ()
    assert found.games > 0


def test_a_cup_that_is_over_stays_over(tmp_path: Path) -> None:
    digest = whole(tmp_path)
    assert played(cup(), str(tmp_path / "whole.db"), tmp_path) == (True, digest)


def test_stopped_again_and_again(tmp_path: Path) -> None:
    """Whenever it is stopped, going on comes to the same."""
    digest, rng = whole(tmp_path), Random(1)
    for number in range(8):
        where, over, stops = str(tmp_path / f"{number}.db"), False, 0
        while not over:
            left = rng.randrange(1, 4)

            def stop(run: Run, left: int = left) -> None:
                run.stopping = len(run.played) % 4 >= left or run.stopping

            over, found = played(cup(), where, tmp_path, stop if stops < 5 else lambda run: None)
            stops += 1
        assert found == digest


def test_another_cup_in_its_ledger(tmp_path: Path) -> None:
    whole(tmp_path)
    with pytest.raises(Conflict, match="another cup"):
        played(cup(options="games = 2"), str(tmp_path / "whole.db"), tmp_path)


def test_nobody_runs_it_twice_at_once(tmp_path: Path) -> None:
    where = str(tmp_path / "cup.db")
    with open_ledger(where) as other:
        other.create(cup().bytes())
        other.take_over()
        with pytest.raises(Conflict, match="another process runs this cup"):
            played(cup(), where, tmp_path)
    assert played(cup(), where, tmp_path)[0]


METHODS = (
    "create", "take_over", "schedule", "claim", "finish", "renew", "results", "log", "paused", "note", "seal",
    "salt", "keep_salt", "drop_salt",
)  # fmt: skip


@pytest.mark.parametrize("after", [False, True])
def test_the_nth_request_fails(after: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each once, before it is done or when it is done and nobody knows: it waits, says so, and goes on."""
    digest, number = whole(tmp_path), 0
    left = 0
    for name in METHODS:
        monkeypatch.setattr(SqlLedger, name, _failing(getattr(SqlLedger, name), lambda: _count(), after))

    def _count() -> bool:
        nonlocal left
        left -= 1
        return left == 0

    while left <= 0:
        number += 1
        left, said = number, list[str]()

        def see(run: Run, said: list[str] = said) -> None:
            if run.trouble is not None:
                said.append(run.trouble)

        assert played(cup(), str(tmp_path / f"{number}.db"), tmp_path, see) == (True, digest)
        assert said == (["the disk is full"] if left <= 0 else [])
    assert number > 8


def _failing(method: Callable[..., Any], due: Callable[[], bool], after: bool) -> Callable[..., Any]:
    def call(self: Any, *given: Any, **options: Any) -> Any:
        if not due():
            return method(self, *given, **options)
        if after:
            method(self, *given, **options)
        raise Unavailable("the disk is full")

    return call


class Mortal(Executor):
    """Dies over some jobs."""

    def __init__(self, dies: Callable[[Job], bool]) -> None:
        self._dies, self._dead = dies, False

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        import msgspec

        if self._dead:
            raise BrokenExecutor("dead")
        future: Future[Any] = Future()
        if self._dies(msgspec.json.decode(args[0], type=Job)):
            self._dead = True
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            future.set_result(work(*args))
        return future


class Deadly(Here):
    """A worker pool of executors that die."""

    def __init__(self, dies: Callable[[Job], bool]) -> None:
        self._dies, self.started = dies, 0

    def start(self) -> Executor:
        self.started += 1
        return Mortal(self._dies)


def test_workers_that_die(tmp_path: Path) -> None:
    digest, deaths = whole(tmp_path), iter((False, True, True))
    pool = Deadly(lambda job: next(deaths, False))
    assert played(cup(), str(tmp_path / "cup.db"), tmp_path, pool=pool) == (True, digest)
    assert pool.started > 1


class Barren(Here):
    """A worker pool that cannot start a worker for a while."""

    def __init__(self, failures: int) -> None:
        self.left = failures

    def start(self) -> Executor:
        self.left -= 1
        if self.left >= 0:
            raise OSError(12, "Cannot allocate memory")
        return super().start()


@pytest.mark.parametrize("failures", range(6))
def test_no_worker_can_be_started(failures: int, tmp_path: Path) -> None:
    """It waits, says so, and goes on."""
    digest, said = whole(tmp_path), set[str]()

    def see(run: Run) -> None:
        said.update([run.trouble] if run.trouble else [])

    found = played(cup(), str(tmp_path / "cup.db"), tmp_path, see, pool=Barren(failures))
    assert found == (True, digest)
    assert said == (
        {"no worker can be started: OSError: [Errno 12] Cannot allocate memory"} if failures > 1 else set()
    )


def test_a_game_that_kills_every_worker_is_void(tmp_path: Path) -> None:
    """And harms no other game."""
    made, where = cup(), str(tmp_path / "cup.db")

    def dies(job: Job) -> bool:
        return any(game.pairing.id.startswith("r0000-t0001") for game in job.games)

    assert played(made, where, tmp_path, pool=Deadly(dies))[0]
    with open_ledger(where, readonly=True) as ledger:
        found = {game.id: game.played for game in ledger.results()}
    void = [name for name, game in found.items() if game.verdict == "void"]
    assert void == ["r0000-t0001", "r0000-t0001-a1", "r0000-t0001-a2"]
    assert all(found[name].reason.startswith(OURS) for name in void)


def test_the_organiser_declares_a_game_void(tmp_path: Path) -> None:
    made, where = cup(), str(tmp_path / "cup.db")
    played(made, where, tmp_path)
    with open_ledger(where) as ledger:
        ledger.void("r0000-t0000", "the lights went out", time.time())
    over, _ = played(made, where, tmp_path)
    assert over
    with open_ledger(where, readonly=True) as ledger:
        games = {game.id: game for game in ledger.results()}
        assert games["r0000-t0000"].voided == "the lights went out"
        assert games["r0000-t0000-a1"].voided is None
        assert verify(ledger).wrong == ()


def test_the_organiser_declares_a_game_void_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "MOST_IN_BATCH", 2)  # else it has all games in hand at once
    made, where = cup(options="games = 60"), str(tmp_path / "cup.db")
    with open_ledger(where) as organiser:

        def see(run: Run) -> None:
            if "r0000-t0000" in run.played:
                organiser.void("r0000-t0000", "the lights went out", time.time())

        assert played(made, where, tmp_path, see)[0]
        assert "r0000-t0000-a1" in {game.id for game in organiser.results()}
        assert verify(organiser).wrong == ()


def test_a_forfeit_is_the_fault_of_whoever_lost_it() -> None:
    """And not of somebody who is in its place by the rules."""
    made = cup(ann="random", bob="random")
    pairing = Pairing(0, 0, ("ann", "bob"), 0)
    spec = replace(spec_of(made, pairing, CupSeeds(made, None).of(pairing)), conduct=CONDUCTS["seed-002"])

    class Liar:
        def choose(self, view: Any, turn: int) -> Any:
            return "a lie"

    result = play_now(spec, [Liar(), RandomBot(Random(0))])
    assert (result.verdict, result.expelled) == ("forfeited", ())
    assert to_played(pairing, result).expelled == (0,)


def test_the_organiser_pauses_and_ejects_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "MOST_IN_BATCH", 2)  # else it has all games in hand at once
    made, where = cup(options="games = 150"), str(tmp_path / "cup.db")
    acts = iter(("pause", "go on", "eject"))
    with open_ledger(where) as organiser:

        def see(run: Run) -> None:
            if run.played and (act := next(acts, None)):
                about = "ann" if act == "eject" else ""
                organiser.note(act, about, "because", time.time())

        over, _ = played(made, where, tmp_path, see)
        assert over
        assert [act.act for act in organiser.log()] == ["commit", "pause", "go on", "eject", "reveal"]
        standings = made.rules().standings(
            made.names, [game.played for game in organiser.results()], frozenset({"ann"})
        )
    assert {line.entrant: line.out for line in standings} == {"ann": True, "bob": False, "cy": False}


def test_a_stop_ends_the_run_and_a_later_one_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The running games are finished; without "go on" no game is begun any more."""
    monkeypatch.setattr(run_module, "MOST_IN_BATCH", 2)
    monkeypatch.setattr(run_module, "UNSAVED_SECONDS", 0.0)  # else all games may be over before a commit
    monkeypatch.setattr(run_module, "LOOK", 0.0)
    made, where = cup(options="games = 20"), str(tmp_path / "cup.db")
    runs: list[Run] = []
    with open_ledger(where) as organiser:

        def stop(run: Run) -> None:
            if run.played and not runs:
                runs.append(run)
                organiser.note("stop", "", "the night", time.time())

        assert played(made, where, tmp_path, stop)[0] is False
        done = organiser.counts(time.time()).done
        assert (runs[0].stopped, 0 < done < 60) == ("the night", True)
        assert played(made, where, tmp_path)[0] is False, "it is still stopped"
        assert organiser.counts(time.time()).done == done
        organiser.note("go on", "", "the day", time.time())
    whole = played(made, where, tmp_path)
    assert whole == (True, played(made, str(tmp_path / "other.db"), tmp_path)[1])


def test_an_entrant_that_ends_at_once_loses_and_harms_nobody(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "other.py").write_text("print('no class')\n")
    made = cup(options="", ann="random", bob="broken.py", cy="other.py")
    assert played(made, str(tmp_path / "cup.db"), tmp_path)[0]
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        games = [game.played for game in ledger.results()]
        assert verify(ledger).wrong == ()
    for game in games:
        at_fault = {game.pairing.entrants[seat] for seat in game.expelled}
        assert game.verdict != "void"
        assert at_fault <= {"bob", "cy"}
        assert at_fault
    assert all(
        game.pairing.entrants[game.winners[0]] == "ann" for game in games if "ann" in game.pairing.entrants
    )


def test_on_all_cores(tmp_path: Path) -> None:
    assert played(cup(), str(tmp_path / "cores.db"), tmp_path, pool=Cores(2)) == (True, whole(tmp_path))


def test_a_job_is_a_function_of_its_bytes(tmp_path: Path) -> None:
    import msgspec

    from touchline.tournament.ledger import Claim
    from touchline.tournament.pairing import Pairing
    from touchline.tournament.worker import read_reply

    pairing = Pairing(0, 0, ("ann", "cy"), 5)
    secrets = (CupSeeds(cup(), SALT).of(pairing),)
    job = Job(msgspec.Raw(cup().bytes()), str(tmp_path), (Claim(pairing, 4),), secrets, 99)
    first, second = (read_reply(play_job(msgspec.json.encode(job))).games[0] for _ in range(2))
    assert (first.played, first.digest, first.fence) == (second.played, second.digest, 4)
    assert first.oversubscribed

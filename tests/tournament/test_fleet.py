"""Workers that lack something, have another version, or fail: no player loses by it, and the log says so."""

from __future__ import annotations

import os
import stat
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from touchline.bundles.bundle import Bundle, BundleFile, packed
from touchline.bundles.store import BundleStore
from touchline.tournament import run as run_module
from touchline.tournament import worker_bundles
from touchline.tournament.executors.base import WorkerPool
from touchline.tournament.executors.here import Here
from touchline.tournament.fleet import FleetLost
from touchline.tournament.installation import Installation, installed
from touchline.tournament.jobs import submit
from touchline.tournament.ledger import open_ledger
from touchline.tournament.ledger.base import Claim
from touchline.tournament.pairing import Pairing
from touchline.tournament.seeds import CupSeeds
from touchline.tournament.worker import OURS, Job, JobReply, play_job, read_reply
from touchline.tournament.worker_bundles import bundle_folders
from tournament.cups import cup, played

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from touchline.tournament.run import Run

BOT = Bundle((BundleFile("bot.py", b"class First:\n    def choose(self, view, turn): ...\n"),))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BundleStore:
    """A worker with an empty cache."""
    store = BundleStore(tmp_path / "cache")
    monkeypatch.setattr(worker_bundles, "_cache", lambda: store)
    return store


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "LOOK", 0.0)


# -- workers that are not alike ----------------------------------------------------------------


class Mixed(WorkerPool):
    """A pool of named workers, in turn, each of which may spoil its replies."""

    slots = at_once = 2

    def __init__(self, **spoil: Callable[[JobReply], JobReply]) -> None:
        self.spoil, self.aside, self.given = spoil, set[str](), list[str]()

    def start(self) -> Executor:
        return _Named(self, frozenset())

    def look_after(self) -> None: ...

    def stop(self, *, now: bool) -> None: ...

    def set_aside(self, worker: str) -> bool:
        self.aside.add(worker)
        return len(self.aside) < len(self.spoil)

    def elsewhere(self, avoid: frozenset[str]) -> Executor | None:
        return _Named(self, avoid) if {*self.spoil} - self.aside - avoid else None


class _Named(Executor):
    def __init__(self, pool: Mixed, avoid: frozenset[str]) -> None:
        self._pool, self._avoid = pool, avoid

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        free = [name for name in self._pool.spoil if name not in self._pool.aside | self._avoid]
        name = free[len(self._pool.given) % len(free)]
        self._pool.given.append(name)
        reply = self._pool.spoil[name](read_reply(work(*args)))
        games = [msgspec.structs.replace(game, worker=name) for game in reply.games]
        future: Future[Any] = Future()
        future.set_result(msgspec.json.encode(msgspec.structs.replace(reply, worker=name, games=games)))
        return future


def well(reply: JobReply) -> JobReply:
    return reply


def cannot_start(reply: JobReply) -> JobReply:
    """Every game is one that this worker cannot start."""
    games = []
    for game in reply.games:
        void = msgspec.structs.replace(
            game.played, verdict="void", winners=(), ranks=(), scores=(), reason=f"{OURS} cannot run 'node'"
        )
        games.append(msgspec.structs.replace(game, played=void, begun=False, record="", digest=""))
    return msgspec.structs.replace(reply, games=games)


def test_what_one_worker_cannot_start_is_played_by_another(tmp_path: Path) -> None:
    """The table is the one of a sound fleet; the worker is set aside, and the log says why."""
    pool, said = Mixed(good=well, bad=cannot_start), list[str]()
    where = str(tmp_path / "cup.db")
    found = played(cup(), where, tmp_path, lambda run: said.extend(run.news), pool=pool)
    assert found == played(cup(), str(tmp_path / "whole.db"), tmp_path)
    assert pool.aside == {"bad"}
    with open_ledger(where, readonly=True) as ledger:
        acts = [(entry.act, entry.about, entry.why) for entry in ledger.log()]
        assert all(game.played.verdict == "finished" for game in ledger.results())
    assert ("trouble", "bad", "cannot run 'node'") in acts
    assert any(act == "set aside" and "the last one because cannot run 'node'" in why for act, _, why in acts)
    assert "worker bad: cannot run 'node'" in said


def test_what_nobody_can_start_is_void_and_never_a_loss(tmp_path: Path) -> None:
    runs: list[Run] = []
    pool = Mixed(one=cannot_start, two=cannot_start)
    where = str(tmp_path / "cup.db")
    assert played(cup(), where, tmp_path, runs.append, pool=pool)[0]
    with open_ledger(where, readonly=True) as ledger:
        games = [game.played for game in ledger.results()]
    assert {(game.verdict, game.reason, game.expelled) for game in games} == {
        ("void", f"{OURS} cannot run 'node'", ())
    }
    assert len(games) == len(runs[-1].given_up) == 12
    assert {*pool.given} == {"one", "two"}


def other_version(reply: JobReply) -> JobReply:
    return JobReply(reply.worker, refused="it has touchline 0.1, the coordinator touchline 0.2")


def test_a_worker_with_another_version_plays_nothing(tmp_path: Path) -> None:
    pool, where = Mixed(good=well, old=other_version), str(tmp_path / "cup.db")
    found = played(cup(), where, tmp_path, pool=pool)
    assert found == played(cup(), str(tmp_path / "whole.db"), tmp_path)
    with open_ledger(where, readonly=True) as ledger:
        (why,) = [entry.why for entry in ledger.log() if (entry.act, entry.about) == ("set aside", "old")]
    assert why == "set aside: it has touchline 0.1, the coordinator touchline 0.2"


def test_a_fleet_of_another_version_ends_the_run(tmp_path: Path) -> None:
    """Nothing is played, and nothing is claimed any more."""
    where = str(tmp_path / "cup.db")
    with pytest.raises(FleetLost, match=r"worker one plays nothing: it has touchline 0.1, .* same version"):
        played(cup(), where, tmp_path, pool=Mixed(one=other_version))
    with open_ledger(where, readonly=True) as ledger:
        counts = ledger.counts(0)
    assert (counts.done, counts.claimed) == (0, 0)


class Gone(Here):
    """A pool whose scheduler does not come back."""

    def patience(self) -> float:
        return 0.0

    def start(self) -> Executor:
        raise OSError("the scheduler does not answer")


def test_a_scheduler_that_does_not_come_back(tmp_path: Path) -> None:
    """The run waits as long as its patience is, says so, and can be resumed."""
    said: list[tuple[str | None, bool]] = []
    where = str(tmp_path / "cup.db")
    with pytest.raises(FleetLost, match=r"no workers for 0 s: .*the scheduler does not answer"):
        played(cup(), where, tmp_path, lambda run: said.append((run.trouble, run.lacks_workers)), pool=Gone())
    assert said[-1] == ("no worker can be started: OSError: the scheduler does not answer", True)
    assert played(cup(), where, tmp_path) == played(cup(), str(tmp_path / "whole.db"), tmp_path)


# -- versions ----------------------------------------------------------------------------------


def job(folder: Path, **options: Any) -> Job:
    made = cup(ann="bot.py", bob="random")
    pairing = Pairing(0, 0, ("ann", "bob"), 0)
    secrets = (CupSeeds(made, bytes(32)).of(pairing),)
    return Job(msgspec.Raw(made.bytes()), str(folder), (Claim(pairing, 1),), secrets, 1, **options)


def test_a_job_of_another_version_is_refused(tmp_path: Path) -> None:
    """The reply names both versions; and an earlier version cannot even read the job."""
    other = Installation("9.9", "0123456789ab", "2.7")
    reply = read_reply(play_job(msgspec.json.encode(job(tmp_path, installation=other))))
    assert reply.games == []
    assert reply.refused == f"it has {installed()}, the coordinator {other}"

    class OldJob(msgspec.Struct):
        cup: msgspec.Raw
        folder: str
        games: tuple[Claim, ...]

    with pytest.raises(msgspec.ValidationError, match="games"):
        msgspec.json.decode(msgspec.json.encode(job(tmp_path)), type=OldJob)


# -- bundles -----------------------------------------------------------------------------------


def test_a_worker_asks_for_what_it_lacks_and_keeps_it(tmp_path: Path, own_cache: BundleStore) -> None:
    """The second job comes without the bytes."""
    store, sent = BundleStore(tmp_path / "coordinator"), list[Job]()
    digest = store.put(BOT)

    class Far(Executor):
        def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
            sent.append(msgspec.json.decode(args[0], type=Job))
            return Here().start().submit(work, *args)

    for _ in range(2):
        reply = submit(Far(), job(tmp_path, bundles={"ann": digest}), store).result()
        assert (len(reply.games), reply.lacks) == (1, [])
    assert [[*one.sent] for one in sent] == [[], [digest], []]
    (file,) = own_cache.folder_of(digest).iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o444


def test_a_bundle_from_the_store_of_the_same_machine(tmp_path: Path, own_cache: BundleStore) -> None:
    """It is copied, and not run from there: somebody else may be able to write there."""
    store = BundleStore(tmp_path / "coordinator")
    digest = store.put(BOT)
    folders, lacking = bundle_folders([digest], str(store.folder), {})
    assert lacking == []
    assert folders[digest].is_relative_to(own_cache.folder)


def test_bytes_that_are_not_the_bundle_are_refused(tmp_path: Path, own_cache: BundleStore) -> None:
    """Sent or planted: nothing runs that does not have the digest of the job."""
    other = Bundle((BundleFile("bot.py", b"import os"),))
    reply = read_reply(
        play_job(
            msgspec.json.encode(job(tmp_path, bundles={"ann": BOT.digest}, sent={BOT.digest: packed(other)}))
        )
    )
    assert [(game.begun, game.played.verdict) for game in reply.games] == [(False, "void")]
    assert "the bundle is damaged" in reply.games[0].played.reason
    (own_cache.folder / "packed" / BOT.digest).write_bytes(packed(other))
    assert bundle_folders([BOT.digest], "", {}) == ({}, [BOT.digest])
    assert not own_cache.has(BOT.digest), "the damaged copy is gone, so that a sound one can be kept"


def test_a_changed_file_in_the_cache_is_noticed(own_cache: BundleStore) -> None:
    folders, _ = bundle_folders([BOT.digest], "", {BOT.digest: packed(BOT)})
    file = folders[BOT.digest] / "bot.py"
    file.chmod(0o644)
    file.write_text("import os")
    assert bundle_folders([BOT.digest], "", {}) == ({}, [BOT.digest])


def test_the_cache_is_bounded(own_cache: BundleStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not used for longest goes, unless a process uses it."""
    monkeypatch.setattr(worker_bundles, "MOST_CACHED", 2_500)
    leases: dict[Path, int] = {}
    monkeypatch.setattr(worker_bundles, "_leases", leases)
    bundles = [Bundle((BundleFile("bot.py", bytes([number]) * 1_000),)) for number in range(4)]
    for bundle in bundles:
        bundle_folders([bundle.digest], "", {bundle.digest: packed(bundle)})
        if bundle is not bundles[0]:
            os.close(leases.pop(own_cache.folder / f"{bundle.digest}.lock"))  # that process has ended
    assert [own_cache.has(bundle.digest) for bundle in bundles] == [True, False, False, True]

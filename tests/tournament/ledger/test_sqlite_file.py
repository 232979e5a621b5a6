"""A ledger in a file: full disks, locks, and files that are not what they should be."""

from __future__ import annotations

import fcntl
import resource
import shutil
import sqlite3
from contextlib import closing, contextmanager
from random import Random
from typing import TYPE_CHECKING

import pytest

from touchline.core.errors import BadInput, TouchlineError
from touchline.tournament.ledger import Unavailable, Unreadable, open_ledger
from touchline.tournament.ledger.shared.schema import VERSION
from touchline.tournament.ledger.sqlite import Sqlite
from tournament.ledger.ledgers import NOW, SPEC, done, games

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a cup?.db"


@pytest.fixture
def ledger(path: Path) -> Iterator[Sqlite]:
    with open_ledger(str(path), patience=0.05) as made:
        assert isinstance(made, Sqlite)
        made.create(SPEC)
        made.schedule(games(200))
        yield made


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """The system refuses to write beyond, as it does when a disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_commit_is_on_the_disk(ledger: Sqlite, path: Path) -> None:
    assert ledger._database.read("PRAGMA synchronous") == [(2,)], "FULL"
    assert ledger._database.read("PRAGMA journal_mode") == [("wal",)]
    with open_ledger(str(path), durable=False) as lazy:
        assert isinstance(lazy, Sqlite)
        assert lazy._database.read("PRAGMA synchronous") == [(1,)], "NORMAL"


def test_the_disk_is_full_and_then_it_is_not(ledger: Sqlite) -> None:
    claims = ledger.claim("w", 200, 60, NOW)
    ledger.finish([done(claim) for claim in claims[:10]], NOW)
    before = ledger.digest()
    ((pages,),) = ledger._database.read("PRAGMA page_count")
    ledger._database.read(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(Unavailable, match="the disk is full"):
        ledger.finish([done(claim) for claim in claims[10:]], NOW)
    assert ledger.digest() == before
    assert len(ledger.finish([done(claim) for claim in claims[10:]], NOW)) == 190
    assert ledger.counts(NOW).done == 200


def test_the_system_refuses_to_write_and_then_it_does_not(ledger: Sqlite, path: Path) -> None:
    claims = ledger.claim("w", 200, 60, NOW)
    before = ledger.digest()
    log = path.with_name(path.name + "-wal")
    with files_no_larger_than(log.stat().st_size + 5_000):
        for _ in range(3):
            with pytest.raises(Unavailable, match=r"a cup\?\.db: the disk (is full|reports an error)"):
                ledger.finish([done(claim) for claim in claims], NOW)
        assert ledger.digest() == before
    assert len(ledger.finish([done(claim) for claim in claims], NOW)) == 200


def test_locked_by_another_and_then_free(ledger: Sqlite, path: Path) -> None:
    claims = ledger.claim("w", 3, 60, NOW)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="another process has been writing for too long"):
            ledger.finish([done(claim) for claim in claims], NOW)
        assert ledger.spec() == SPEC, "it can be read"
        with open_ledger(str(path), readonly=True) as reader:
            assert reader.counts(NOW).claimed == 3
    assert len(ledger.finish([done(claim) for claim in claims], NOW)) == 3


def test_who_begins_to_write_has_the_file_at_once(ledger: Sqlite, path: Path) -> None:
    """Else two could read that a game is free."""
    with closing(sqlite3.connect(path, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE").connection.rollback()
        locked = pytest.raises(sqlite3.OperationalError, match="locked")
        with ledger._database.transaction(), locked:
            other.execute("BEGIN IMMEDIATE")


def test_a_file_that_is_gone_is_not_made_anew(ledger: Sqlite, path: Path) -> None:
    ledger.close()
    aside = path.with_name("aside")
    path.rename(aside)
    with pytest.raises(Unavailable, match="it may be gone"):
        ledger.spec()
    assert not path.exists()
    aside.rename(path)
    assert ledger.spec() == SPEC


def test_places_where_no_ledger_can_be(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        open_ledger(str(tmp_path / "nowhere" / "cup.db"))
    with pytest.raises(TouchlineError, match="cannot be opened"):
        open_ledger(str(tmp_path))


def unchanged(path: Path, message: str) -> None:
    """It is refused, to read and to write, and left as it is."""
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(Unreadable, match=message):
            open_ledger(str(path), readonly=readonly)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_what_is_no_database(path: Path) -> None:
    path.write_text('[cup]\nname = "spring"\n' * 100)
    unchanged(path, "no ledger, or a damaged one")


def test_somebody_elses_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE games (id TEXT)")
    unchanged(path, "not a ledger of touchline")


def test_a_newer_version(ledger: Sqlite, path: Path) -> None:
    ledger._database.read(f"PRAGMA user_version = {VERSION + 1}")
    ledger.close()
    unchanged(path, f"version {VERSION + 1}, .* version {VERSION}: it is damaged, or get a newer touchline")


def test_a_ledger_without_its_tables(ledger: Sqlite, path: Path) -> None:
    ledger._database.read("DROP TABLE records")
    with pytest.raises(Unreadable, match="tables are missing"):
        ledger.record(games(1)[0].id)


def test_an_empty_file_becomes_a_ledger(path: Path) -> None:
    path.touch()
    with pytest.raises(Unreadable, match="it holds no cup"):
        open_ledger(str(path), readonly=True)
    with open_ledger(str(path)) as made:
        made.create(SPEC)
    with open_ledger(str(path), readonly=True) as reader:
        assert reader.spec() == SPEC


def read_all(path: Path) -> None:
    with open_ledger(str(path), readonly=True) as ledger:
        ledger.counts(NOW)
        ledger.log()
        ledger.paused()
        assert all(game.id for game in ledger.unfinished())
        for one in ledger.results():
            ledger.record(one.id)
        ledger.digest()


def test_a_damaged_file(ledger: Sqlite, path: Path, tmp_path: Path) -> None:
    """Whatever was overwritten or cut off: it says so, or was not touched where it counts."""
    claims = ledger.claim("w", 100, 60, NOW)
    ledger.finish([done(claim) for claim in claims], NOW)
    ledger.note("pause", "", "why", NOW)
    ledger.close()
    whole, damaged = path.read_bytes(), tmp_path / "damaged.db"
    shutil.copy(path, damaged)
    read_all(damaged)
    found = 0
    rng = Random(7)
    for _ in range(150):
        at, length = rng.randrange(len(whole)), rng.choice([1, 8, 500])
        piece = rng.choice([rng.randbytes(length), b"", bytes(length)])
        damaged.write_bytes(whole[:at] + piece + whole[at + len(piece) :] if piece else whole[:at])
        try:
            read_all(damaged)
        except Unreadable:
            found += 1
    assert found > 50


@pytest.mark.parametrize(
    "change",
    [
        "played = '{}'",
        "played = 7",
        "verdict = 'won'",
        "id = 'r0000-t0007-a1'",
        "result = '[]'",
        "result = CAST(x'ff' AS TEXT)",
        "entrants = '[1]'",
        "entrants = 7",
        "round = 'one'",
        "record = x'00'",
        "record = 'text'",
    ],
)
def test_values_that_are_none(ledger: Sqlite, path: Path, change: str) -> None:
    (claim,) = ledger.claim("w", 1, 60, NOW)
    ledger.finish([done(claim)], NOW)
    ledger.close()
    read_all(path)
    table = "records" if "record" in change else "games"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA ignore_check_constraints = ON")
        due = "entrants" in change or "round" in change
        which = "" if table == "records" else f"WHERE id = '{games(5)[4 if due else 0].id}'"
        other.execute(f"UPDATE {table} SET {change} {which}")
    with pytest.raises(Unreadable):
        read_all(path)


def test_reading_leaves_no_trace(ledger: Sqlite, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it where nothing can be written."""
    ledger.close()
    before = path.read_bytes()
    for writable in (True, False):
        monkeypatch.setattr("os.access", lambda *_, answer=writable: answer)
        read_all(path)
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        assert path.read_bytes() == before


def test_a_lock_that_was_removed_meanwhile_is_no_lock(
    path: Path, ledger: Sqlite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last holder removes the file between our opening and locking it: we lock the new one instead."""
    lock = path.with_name(f"{path.name}-run")
    real = fcntl.flock
    removed: list[Path] = []

    def slow(file: object, flags: int) -> None:
        if not removed:
            removed.append(lock)
            lock.unlink()
        real(file, flags)  # type: ignore[arg-type]

    monkeypatch.setattr("fcntl.flock", slow)
    assert ledger._database.hold()
    assert removed
    assert lock.exists()
    with open_ledger(str(path)) as other:
        assert isinstance(other, Sqlite)
        assert not other._database.hold()
        ledger._database.let_go()
        assert not lock.exists()
        assert other._database.hold()

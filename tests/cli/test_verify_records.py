"""`touchline replay verify` for several records: files, folders, digests and keys."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from cli.commands import environment, refused, result, touchline
from touchline.games.hexapawn import Hexapawn
from touchline.matches.fixture import fixture
from touchline.matches.many import RecordFiles, play_fixture
from touchline.records import verify_many
from touchline.records.signing import SigningKey, save_public
from touchline.records.verify_many import Worker, cut, verify_files

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Hexapawn(rows=3, cols=3)


def play(place: Path, games: int, signer: SigningKey | None = None) -> Path:
    """Record matches in a folder, or in one file."""
    files = RecordFiles(place, signer=signer)
    play_fixture(fixture(SMALL, ["random", "random"]), games, 1, files=files)
    files.check()
    return place


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return SigningKey.new()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    """Five signed records in a folder, and five more in one file of it."""
    folder = play(tmp_path_factory.mktemp("records"), 5, key)
    play(folder / "more.jsonl", 5, key)
    save_public(folder / "key.pub", key.public)
    save_public(folder / "other.pub", SigningKey.new().public)
    return folder


def digest_of(path: Path) -> str:
    digest: str = json.loads(path.read_bytes().splitlines()[-1])["digest"]
    return digest


def test_a_folder_is_summed_up(folder: Path) -> None:
    """One line counts the records; what was not checked is said once for all of them."""
    done = touchline("replay", "verify", str(folder))
    assert done.returncode == 0
    *reasons, summary = done.stdout.splitlines()
    assert summary == "10 records: 10 follow, 0 sealed, 0 signed, 0 wrong, 0 not ended"
    assert all(line.startswith("not checked of 10: ") for line in reasons)
    assert len(reasons) == 2


def test_a_folder_with_the_key(folder: Path) -> None:
    """All are sealed and signed, and nothing is left unchecked; by another key all are wrong."""
    done = touchline("replay", "verify", str(folder), "--key", str(folder / "key.pub"))
    assert (done.returncode, done.stdout) == (
        0, "10 records: 10 follow, 10 sealed, 10 signed, 0 wrong, 0 not ended\n",
    )  # fmt: skip
    done = touchline("replay", "verify", str(folder), "--key", str(folder / "other.pub"))
    assert done.returncode == 4
    assert done.stdout.count("signed by another key") == 10
    assert "10 follow, 0 sealed, 0 signed, 10 wrong" in done.stdout


def test_a_published_digest(folder: Path) -> None:
    """The right one seals the record; another is wrong; with several records there is no one digest."""
    path = folder / "000000.jsonl"
    said = result("replay", "verify", str(path), "--digest", digest_of(path).upper())
    assert (said["follows"], said["sealed"], said["signed"]) == (True, True, False)
    done = touchline("replay", "verify", str(path), "--digest", digest_of(folder / "000001.jsonl"))
    assert done.returncode == 4
    assert "not the published one" in done.stdout
    assert "sealed: no" in done.stdout
    assert "these are 10" in refused("replay", "verify", str(folder), "--digest", digest_of(path))
    assert "must be 64 hex digits" in refused("replay", "verify", str(path), "--digest", "5f1c")


def test_wrong_records_among_good_ones(folder: Path, tmp_path: Path) -> None:
    """Each has one line with its place, also those that cannot be read; the others are verified."""
    whole = (folder / "more.jsonl").read_bytes()
    damaged = whole.replace(b'"took":', b'"took":1', 1)
    (tmp_path / "a.jsonl").write_bytes(damaged)
    (tmp_path / "b.jsonl").write_bytes(b"not a record\n")
    (tmp_path / "c.jsonl").mkdir()
    (tmp_path / "d.jsonl").write_bytes(b"")
    done = touchline("replay", "verify", str(tmp_path))
    assert "Traceback" not in done.stderr
    assert done.returncode == 4
    wrong = [line for line in done.stdout.splitlines() if line.startswith("wrong: ")]
    assert len(wrong) == 4
    assert wrong[0].startswith(f"wrong: {tmp_path}/a.jsonl, record 1: the digest in the last line")
    assert wrong[1].startswith(f"wrong: {tmp_path}/b.jsonl, line 1: ")
    assert "Is a directory" in wrong[2]
    assert done.stdout.splitlines()[-1].startswith("8 records: 5 follow, 0 sealed, 0 signed, 4 wrong")
    said = json.loads(touchline("replay", "verify", str(tmp_path), "--json").stdout)
    assert (said["records"], said["follow"], said["wrong"]) == (8, 5, 4)
    assert next(one["record"] for one in said["each"]) == f"{tmp_path}/a.jsonl, record 1"


def test_a_match_that_did_not_end_is_5(folder: Path, tmp_path: Path) -> None:
    """Nothing is wrong, and the exit code is not 0; half a seal is no seal."""
    path = tmp_path / "cut.jsonl"
    whole = (folder / "000000.jsonl").read_bytes()
    for size, reason in ((len(whole) - 5, "whether it is whole"), (whole.rfind(b"\n", 0, -400), "the end: ")):
        path.write_bytes(whole[:size])
        done = touchline("replay", "verify", str(path))
        assert done.returncode == 5, done.stdout
        assert f"not checked: {reason}" in done.stdout


def test_nothing_to_verify(tmp_path: Path) -> None:
    """An empty folder and a missing file are errors, not a success."""
    assert "has no records" in refused("replay", "verify", str(tmp_path))
    refused("replay", "verify", str(tmp_path / "none.jsonl"))


def summary(found: list[Any]) -> list[tuple[str, bool, tuple[str, ...]]]:
    return [(one.where, one.found.follows, one.found.wrong) for one in found]


def test_worker_processes_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file is cut between records; all cores give the same results in the same order."""
    path = play(tmp_path / "many.jsonl", 60)
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 4, len(data), len(data) // 4):
        data[at] ^= 1
    path.write_bytes(data)
    (tmp_path / "one.jsonl").write_bytes(b"")
    paths = sorted(tmp_path.glob("*.jsonl"))
    once = summary([*verify_files(paths, Worker())])
    assert sum(bool(wrong) for _, _, wrong in once) >= 3
    monkeypatch.setattr(verify_many, "PIECE", 8 << 10)
    assert len(cut(path)) > 4
    assert summary([*verify_files(paths, Worker())]) == once
    monkeypatch.setattr(verify_many, "PAYS_FROM", 1)
    told = list[tuple[int, int]]()
    assert summary([*verify_files(paths, Worker(), lambda *done: told.append(done), cores=2)]) == once
    assert told[-1] == (len(data), len(data))


ENDLESS = """
import os, signal, sys, threading, time
from pathlib import Path
from touchline.records import verify_many
verify_many.PAYS_FROM = 1
verify_many.PIECE = 4096
def told(done, of):
    os.kill(os.getpid(), signal.SIGINT)
list(verify_many.verify_files([Path(sys.argv[1])] * 200, verify_many.Worker(), told, cores=2))
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    """Workers are killed when the command is interrupted."""
    path, mark = play(tmp_path / "many.jsonl", 60), f"MARK_{os.getpid()}"
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS, str(path)],
        capture_output=True, text=True, timeout=60, check=False, env=environment(**{mark: "1"}),
    )  # fmt: skip
    assert done.returncode == -signal.SIGINT, done.stderr
    left = []
    for process in os.listdir("/proc"):
        if process.isdecimal():
            try:
                with open(f"/proc/{process}/environ", "rb") as file:
                    left += [process] if mark.encode() in file.read() else []
            except OSError:
                continue
    assert left == []

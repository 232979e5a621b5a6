"""The n-th call of the disk fails, for every n: a typed error or success, and never half a record."""

from __future__ import annotations

import asyncio
import errno
import os
import subprocess
import sys
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

import touchline
from cli.commands import refused, rogue
from cli.commands import touchline as command
from records.faulty_disk import FAULTS, FaultyDisk, with_fault
from records.tampering import verified
from touchline.core.errors import BadOptions
from touchline.games.hexapawn import Hexapawn
from touchline.matches.many import play_many
from touchline.records.recording import NotRecorded
from touchline.records.replay import split_records
from touchline.records.side_file import side_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from touchline.records.verification import Verification

SMALL = Hexapawn(rows=3, cols=3)
BOTS = ["random", "random"]
GAMES = 4


def whole_records(path: Path) -> list[Verification]:
    """What is shown of the whole records of a file. All follow, and half a record can only be the last."""
    if not path.exists():
        return []
    parts = [verified(part) for part in split_records(path.read_bytes())]
    whole = [one for one in parts if one is not None and one.whole]
    assert all(one.follows and not one.wrong for one in whole)
    assert whole == parts[: len(whole)]
    assert len(parts) - len(whole) <= 1
    return whole


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def every_fault(
    monkeypatch: pytest.MonkeyPatch, fault: str, tmp_path: Path
) -> Iterator[tuple[Path, FaultyDisk]]:
    """A folder for each n, and the disk whose n-th call fails; ends when none did. No file stays open."""
    for nth in count(1):
        folder = tmp_path / f"{nth}"
        folder.mkdir()
        before = open_files()
        with monkeypatch.context() as patch:
            disk = with_fault(patch, nth, fault)
            yield folder, disk
        assert open_files() == before
        if not disk.fired:
            assert nth > 5
            return


def outcome(play: Callable[[], Any]) -> Any:
    """The result, or the error, which is one of two kinds."""
    try:
        return play()
    except (BadOptions, NotRecorded) as error:
        return error


@pytest.mark.parametrize("fault", FAULTS)
def test_one_match(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str) -> None:
    """BadOptions before the match, NotRecorded with its result after it, or a whole record."""
    true = touchline.play(SMALL, BOTS, seed=1)
    kinds = set()
    for folder, disk in every_fault(monkeypatch, fault, tmp_path):
        path, seen = folder / "match.jsonl", list[Any]()
        found = outcome(lambda: touchline.play(SMALL, BOTS, seed=1, record=path, observers=[seen.append]))  # noqa: B023
        kinds.add(type(found))
        match found:
            case BadOptions():
                assert seen == []
                assert whole_records(path) == []
            case NotRecorded():
                assert found.match is not None
                assert found.match.result == true.result
                assert found.match.record is None
                assert seen
                whole_records(path)
            case _:
                assert found.record == path
                assert disk.fired != "fsync" or fault == "a short write"
                assert [one.digest for one in whole_records(path)] == [found.digest]
    assert kinds == {touchline.MatchResult, BadOptions, NotRecorded} or fault == "a short write"


def check_many(found: Any, path: Path, files: list[Path]) -> None:
    """See that the error names as many matches as have no whole record."""
    whole = sum(len(whole_records(file)) for file in files)
    match found:
        case BadOptions():
            assert whole == 0
        case NotRecorded():
            assert found.matches is not None
            assert len(found.matches) == GAMES
            lost = int(str(found).split(": ")[1].split(" ")[0])
            assert lost >= GAMES - whole
            assert str(path) in str(found)
        case _:
            assert whole == GAMES


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["folder", "file.jsonl"])
def test_many_matches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str, name: str) -> None:
    """All are played; the error says how many have no record, and has the results of all of them."""
    kinds = set()
    for folder, disk in every_fault(monkeypatch, fault, tmp_path):
        path = folder / name
        found = outcome(lambda: play_many(SMALL, BOTS, GAMES, seed=1, record=path))  # noqa: B023
        kinds.add(type(found))
        assert disk.fired != "fsync" or isinstance(found, NotRecorded) or fault == "a short write"
        files = [path] if path.suffix else sorted(path.glob("*.jsonl"))
        check_many(found, path, files)
    assert kinds == {touchline.Matches, BadOptions, NotRecorded} or fault == "a short write"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_match_on_an_event_loop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: str) -> None:
    """As on a server: the match goes on without its record."""
    true = touchline.play(SMALL, ["seed-002+random", "random"], seed=1)
    for folder, _ in every_fault(monkeypatch, fault, tmp_path):
        path = folder / "match.jsonl"

        async def play() -> touchline.MatchResult:
            players = ["seed-002+random", "random"]
            return await touchline.play_async(SMALL, players, seed=1, record=path)  # noqa: B023

        found = outcome(lambda: asyncio.run(play()))
        if isinstance(found, NotRecorded):
            assert found.match is not None
            assert found.match.result == true.result
        whole = whole_records(path)
        assert isinstance(found, BadOptions | NotRecorded) or len(whole) == 1
        assert not isinstance(found, BadOptions) or not whole


@pytest.mark.parametrize("code", [errno.EAGAIN, errno.ENOMEM, errno.EMFILE])
def test_programs_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int) -> None:
    """The n-th start of a process fails: BadOptions, no match, no record, no process left."""
    real, path = subprocess.Popen, tmp_path / "match.jsonl"
    for nth in (1, 2):
        started: list[Any] = []

        def start(*args: Any, **how: Any) -> Any:
            if len(started) + 1 == nth:  # noqa: B023
                raise OSError(code, os.strerror(code))
            started.append(real(*args, **how))  # noqa: B023
            return started[-1]  # noqa: B023

        monkeypatch.setattr(subprocess, "Popen", start)
        with pytest.raises(BadOptions, match=f"cannot be started: {os.strerror(code)}"):
            touchline.play(SMALL, [rogue("honest"), rogue("honest")], seed=1, record=path)
        assert all(process.poll() is not None for process in started)
        assert not path.exists()


# -- real disks -------------------------------------------------------------------------------

LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.argv = ["touchline", *sys.argv[2:]]
from touchline.cli.main import main
main()
"""


def on_a_small_disk(size: int, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose files cannot grow beyond a size, as on a disk that is full."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, f"{size}", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("size", [300, 1500, 2000])
def test_a_disk_that_is_full(tmp_path: Path, size: int) -> None:
    """`play --record` plays, says `recorded: no`, and exits with 1; what is on the disk is not whole."""
    path = tmp_path / "match.jsonl"
    done = on_a_small_disk(size, "play", "hexapawn", *BOTS, "--record", str(path), "--seed", "1")
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "won with 1" in done.stdout
    assert "recorded: no (File too large)" in done.stderr
    assert whole_records(path) == []
    again = command("replay", "verify", str(path))
    assert again.returncode in (4, 5), again.stdout


def test_a_disk_that_is_full_after_some_matches(tmp_path: Path) -> None:
    """The records before are whole, the count says how many, and the exit code is 1."""
    path = tmp_path / "many.jsonl"
    words = ("play", "hexapawn", *BOTS, "--games", "9", "--record", str(path), "--seed", "1", "--json")
    done = on_a_small_disk(9000, *words)
    assert done.returncode == 1, done.stderr
    whole = len(whole_records(path))
    assert 0 < whole < 9
    assert f'"recorded":{whole}' in done.stdout
    assert f"{9 - whole} matches have no record" in done.stderr
    assert not side_file(path).exists()


def is_root() -> bool:
    return os.geteuid() == 0


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    """It is said before the match; one that is removed meanwhile costs the later records only."""
    path = tmp_path / "gone" / "match.jsonl"
    assert "cannot record to" in refused("play", "hexapawn", *BOTS, "--record", str(path))
    folder = tmp_path / "folder"

    def remove(done: int, of: int) -> None:
        if done == 2:
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()

    with pytest.raises(NotRecorded, match=r"2 matches have no record \(2, 3\): No such file") as caught:
        play_many(SMALL, BOTS, GAMES, seed=1, record=folder, progress=remove)
    assert caught.value.matches is not None
    assert len(caught.value.matches) == GAMES


@pytest.mark.skipif(is_root(), reason="root may write everywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    """It is said before the match, in one line."""
    tmp_path.chmod(0o500)
    assert "Permission denied" in refused(
        "play", "hexapawn", *BOTS, "--record", str(tmp_path / "match.jsonl")
    )


@pytest.mark.skipif(not is_root(), reason="only root can mount")
def test_a_small_file_system(tmp_path: Path) -> None:
    """A real file system without space: the record fails, the match does not."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mount does not work here")
    try:
        with pytest.raises(NotRecorded, match="No space left on device") as caught:
            play_many(SMALL, BOTS, 200, seed=1, record=disk / "many.jsonl")
        assert caught.value.matches is not None
        assert len(caught.value.matches) == 200
        assert len(whole_records(disk / "many.jsonl")) > 5
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


# -- what is there already --------------------------------------------------------------------


def test_a_record_is_not_overwritten(tmp_path: Path) -> None:
    """Neither a file nor one in a folder, unless --force is given; nothing is played before that is known."""
    path, folder = tmp_path / "match.jsonl", tmp_path / "folder"
    words = ("play", "hexapawn", *BOTS, "--record")
    path.write_text("precious")
    assert "--force" in refused(*words, str(path))
    folder.mkdir()
    (folder / "000003.jsonl").write_text("precious")
    assert "000003.jsonl exists already" in refused(*words, str(folder), "--games", "5")
    assert [file.name for file in folder.iterdir()] == ["000003.jsonl"]
    assert path.read_text() == (folder / "000003.jsonl").read_text() == "precious"
    assert command(*words, str(path), "--force").returncode == 0
    assert command(*words, str(folder), "--games", "5", "--force").returncode == 0
    assert len(whole_records(path)) == len(whole_records(folder / "000003.jsonl")) == 1


def test_the_side_file_is_for_its_owner(tmp_path: Path) -> None:
    """While a match runs its secret has mode 0600; afterwards it is gone."""
    path, modes = tmp_path / "match.jsonl", set[int]()
    side = side_file(path)

    def see(event: object) -> None:
        modes.add(side.stat().st_mode & 0o777)

    touchline.play(SMALL, BOTS, seed=1, record=path, observers=[see])
    assert modes == {0o600}
    assert not side.exists()

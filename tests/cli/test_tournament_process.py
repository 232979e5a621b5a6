"""A tournament as a real process: Ctrl-C once and twice, a worker killed, a full disk, a locked ledger.

Every process carries a mark, and in the end there is none left; and going on comes to the same digest.
"""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment
from players.survivors import MARK, gone, marked, until
from touchline.core.errors import TouchlineError
from touchline.tournament.cup import load
from touchline.tournament.ledger import open_ledger
from tournament.cups import SALT, played

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CUP = """
name = "spring"
seed = 3
game = {{name = "hexapawn", rows = 4, cols = 4}}
clock = {{seconds = 20}}
format = {{name = "round_robin", games = {games}}}
entrants = [
  {{name = "ann", player = "minimax:depth=2"}},
  {{name = "bob", player = "{bob}"}},
]
"""
RESIGNS = """
import json, sys, time
for line in sys.stdin:
    said = json.loads(line)["type"]
    if said == "begin":
        print('{"type":"ready"}', flush=True)
    elif said == "your_turn":
        time.sleep(0.1)
        print('{"type":"resign"}', flush=True)
"""
PROGRAM = f"process:{sys.executable} -I -S resigns.py"
TO_GO_ON = "resume with: touchline tournament resume cup.db"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(MARK, str(tmp_path))
    (tmp_path / "resigns.py").write_text(RESIGNS)
    return tmp_path


def write(folder: Path, games: int, bob: str) -> None:
    (folder / "cup.toml").write_text(CUP.format(games=games, bob=bob))


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*TOUCHLINE, "tournament", *words, "--workers", "2", "--salt", SALT.hex()],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=environment(), start_new_session=True,
    ) as run:  # fmt: skip
        try:
            yield run
        finally:
            run.kill()


def said(run: subprocess.Popen[str], words: str) -> str:
    """What it says up to a line with these words; the test's own time limit ends the wait."""
    assert run.stderr is not None
    heard = ""
    for line in run.stderr:
        heard += line
        if words in line:
            return heard
    raise AssertionError(f"it never said {words!r} but:\n{heard}")


def rest(run: subprocess.Popen[str]) -> tuple[int, str]:
    _, err = run.communicate(timeout=60)
    assert "Traceback" not in err, err
    return run.returncode, err


def done(folder: Path) -> int:
    try:
        with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
            return ledger.counts(0).done
    except TouchlineError:  # it is just being made
        return 0


def digest(folder: Path) -> str:
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        assert not [*ledger.unfinished()]
        return ledger.digest()


def resumed(folder: Path) -> str:
    """The digest when it has been gone on with."""
    assert played(load(folder / "cup.toml"), str(folder / "cup.db"), folder)[0]
    return digest(folder)


def undisturbed(folder: Path) -> str:
    """The digest of a run that nothing disturbs."""
    return played(load(folder / "cup.toml"), str(folder / "whole.db"), folder)[1]


def test_pause_keeps_the_process_and_stop_ends_it(folder: Path) -> None:
    """It says that it is paused, and waits; stopped, it ends with 5 and the command to go on."""
    write(folder, 60, PROGRAM)
    with running("run", "cup.toml", "--on", "here") as run:
        assert until(lambda: done(folder) >= 2, 30)
        act("pause", "lunch")
        said(run, "paused: lunch")
        assert run.poll() is None
        act("stop", "the night")
        code, err = rest(run)
    assert (code, TO_GO_ON in err, "stopped: the night" in err) == (5, True, True)
    assert gone(str(folder), 5) == []
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        assert (ledger.counts(0).claimed, ledger.paused()) == (0, "the night")


def act(name: str, why: str) -> None:
    """Let the organiser do something to the cup that runs."""
    command = [*TOUCHLINE, "tournament", name, "cup.db", "--why", why]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment(), timeout=60)


@pytest.mark.parametrize("on", ["cores", "here"])
def test_ctrl_c_once_finishes_what_runs(on: str, folder: Path) -> None:
    """The terminal tells all of its processes: players do not hear it, and lose nothing by it."""
    write(folder, 60, PROGRAM)
    with running("run", "cup.toml", "--on", on) as run:
        assert until(lambda: done(folder) >= 2, 30)
        os.killpg(run.pid, signal.SIGINT)
        code, err = rest(run)
    assert code == 5
    assert TO_GO_ON in err
    assert gone(str(folder), 5) == []
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        counts, games = ledger.counts(0), [*ledger.results()]
    assert 2 <= counts.done < 60
    assert counts.claimed == 0
    assert {(game.played.verdict, game.played.expelled) for game in games} == {("finished", ())}


def test_kill_9_of_the_coordinator_leaves_no_process(folder: Path) -> None:
    """Its workers, their fork server and the players end by themselves, and going on comes to the same."""
    write(folder, 8, PROGRAM)
    expected = undisturbed(folder)
    with running("run", "cup.toml", "--on", "cores") as run:
        assert until(lambda: done(folder) >= 1, 30)
        assert len(marked(str(folder))) > 2, "the coordinator and its workers"
        run.kill()
        run.wait()
        assert gone(str(folder), 30) == []
    assert resumed(folder) == expected


@pytest.mark.parametrize("on", ["cores", "here"])
def test_ctrl_c_twice_stops_now(on: str, folder: Path) -> None:
    write(folder, 6, PROGRAM)
    expected = undisturbed(folder)
    with running("run", "cup.toml", "--on", on) as run:
        assert until(lambda: done(folder) >= 1, 30)
        run.send_signal(signal.SIGINT)
        said(run, "finishing the running games; press Ctrl-C again to stop now")
        run.send_signal(signal.SIGINT)
        code, err = rest(run)
    assert code in (5, 0)  # it may have had nothing more to do when it was told again
    assert code == 0 or TO_GO_ON in err
    assert gone(str(folder), 5) == []
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        assert ledger.counts(0).claimed == 0
    assert resumed(folder) == expected


@pytest.mark.slow
def test_a_worker_is_killed(folder: Path) -> None:
    """Others play its games; a program that it had started does not stay behind."""
    write(folder, 8, PROGRAM)
    expected = undisturbed(folder)
    with running("run", "cup.toml") as run:
        assert until(lambda: done(folder) >= 1, 30)
        with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
            worker = next(game.worker for game in ledger.results())
        os.kill(int(worker.rpartition(":")[2]), signal.SIGKILL)
        code, _ = rest(run)
    assert code == 0
    assert gone(str(folder), 5) == []
    assert digest(folder) == expected


@pytest.mark.slow
def test_a_full_disk(folder: Path) -> None:
    """It waits, says so, and goes on when there is room."""
    write(folder, 600, "minimax:depth=3")
    expected = undisturbed(folder)
    with running("run", "cup.toml") as run:
        assert until(lambda: done(folder) >= 1, 30)
        size = (folder / "cup.db-wal").stat().st_size
        resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        heard = said(run, "waiting for the ledger")
        assert "cup.db" in heard
        assert run.poll() is None
        resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        code, _ = rest(run)
    assert code == 0
    assert digest(folder) == expected


@pytest.mark.slow
def test_a_locked_ledger(folder: Path) -> None:
    write(folder, 40, PROGRAM)
    with running("run", "cup.toml") as run:
        assert until(lambda: done(folder) >= 1, 30)
        with closing(sqlite3.connect(folder / "cup.db", isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            heard = said(run, "waiting for the ledger")
            assert "another process has been writing for too long" in heard
            before = done(folder)
            other.execute("ROLLBACK")
        assert until(lambda: done(folder) > before, 30)
        run.send_signal(signal.SIGTERM)
        code, err = rest(run)
    assert code == 5
    assert TO_GO_ON in err
    assert gone(str(folder), 5) == []

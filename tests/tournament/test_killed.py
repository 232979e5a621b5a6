"""kill -9 at random instants: the coordinator, a worker, or all of them; nothing is lost and nothing doubled.

Over SQLite and PostgreSQL, on a local pool and on Dask. After each the cup is run again, and in the end the
digest is that of a run which nothing disturbed. No process outlives its coordinator. `scripts/kills 300` runs
the whole campaign; without that, these tests kill a few times.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from players.survivors import MARK, gone
from touchline.tournament.ledger import open_ledger
from touchline.tournament.verify import verify
from tournament.cups import SALT
from tournament.ledger.places import fresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CUP = """
name = "mortal"
seed = 11
game = {name = "hexapawn", rows = 4, cols = 4}
clock = {no_timeout = true}
format = {name = "round_robin", games = 12}
entrants = [
  {name = "ann", player = "minimax:depth=3"},
  {name = "bob", player = "minimax:depth=2"},
  {name = "cy", player = "greedy"},
  {name = "dan", player = "random"},
  {name = "eve", player = "eve.py"},
]
"""
EVE = """
class Eve:
    def choose(self, view, turn):
        return view.legal_moves()[0]
"""
GAMES = 10 * 12
SHARES = {
    ("sqlite", "cores"): 0.4,
    ("postgres", "cores"): 0.3,
    ("sqlite", "dask"): 0.15,
    ("postgres", "dask"): 0.15,
}
KILLS = int(os.environ.get("TOUCHLINE_KILLS", "20"))
"""How often somebody is killed, in all four."""
LONGEST = 120
LEFT_WITHIN = 30.0
"""Seconds in which all processes of a coordinator that was killed must be gone; the campaign says how many it
took."""


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The file, and the digest of a run that nothing disturbs."""
    folder = tmp_path_factory.mktemp("cup")
    file = folder / "cup.toml"
    file.write_text(CUP)
    (folder / "eve.py").write_text(EVE)
    with _run(file, str(folder / "whole.db"), "here") as run:
        assert run.wait(LONGEST) == 0
    with open_ledger(str(folder / "whole.db"), readonly=True) as ledger:
        return file, ledger.digest()


@contextlib.contextmanager
def _run(cup: Path, where: str, on: str) -> Iterator[subprocess.Popen[bytes]]:
    """A coordinator in a session of its own, so that all that it starts can be found."""
    command = [sys.executable, "-m", "touchline", "tournament", "run", str(cup), "--ledger", where]
    with subprocess.Popen(
        [*command, "--on", on, "--workers", "2", "--salt", SALT.hex()],
        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as run:  # fmt: skip
        try:
            yield run
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)


def _session(leader: int) -> list[int]:
    """The processes of a session, its leader not among them."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != leader:
            with contextlib.suppress(OSError):
                if int((entry / "stat").read_text().rpartition(")")[2].split()[3]) == leader:
                    found.append(int(entry.name))
    return found


def _kill(run: subprocess.Popen[bytes], rng: Random) -> str:
    """Somebody dies; who."""
    who = rng.choice(("coordinator", "worker", "all"))
    workers = _session(run.pid)
    with contextlib.suppress(ProcessLookupError):
        if who == "all":
            os.killpg(run.pid, signal.SIGKILL)
        elif who == "worker" and workers:
            os.kill(rng.choice(workers), signal.SIGKILL)
        else:
            run.kill()
    return who


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize(("store", "on"), SHARES)
def test_killed(
    store: str,
    on: str,
    cup: tuple[Path, str],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    """Nothing is lost or doubled, the digest is the same, and no process is left."""
    file, digest = cup
    server = request.getfixturevalue("postgres") if store == "postgres" else None
    monkeypatch.setenv(MARK, mark := f"{file.parent.name} {store} {on}")  # not a mark of the server
    rng, left, seconds = Random(f"{store} {on}"), round(KILLS * SHARES[store, on]), list[float]()
    while left > 0:
        with fresh(server) as where:
            left -= _one_cup(file, where, on, rng, left, mark, seconds)
            with open_ledger(where, readonly=True) as ledger:
                proven = verify(ledger)
                games = [game.id for game in ledger.results()]
                assert not list(ledger.unfinished())
            assert proven.wrong == ()
            assert len(games) == len({*games}) == GAMES
            assert proven.games_digest == digest
            assert proven.salt == SALT.hex()
    record_property("kills", round(KILLS * SHARES[store, on]))
    if seconds:
        most = f"all processes gone after at most {max(seconds):.2f} s, {len(seconds)} times"
        sys.stdout.write(f"\n{store}, {on}: {most}\n")


def _one_cup(file: Path, where: str, on: str, rng: Random, most: int, mark: str, seconds: list[float]) -> int:
    """A cup from its beginning to its end, with deaths on the way; how many."""
    kills = 0
    while True:
        with _run(file, where, on) as run:
            while run.poll() is None and kills < most:
                time.sleep(rng.uniform(0.2, 2.5 if on == "cores" else 5))
                if run.poll() is None:
                    kills += 1
                    if _kill(run, rng) != "worker":
                        run.wait()
                        died = time.monotonic()
                        assert gone(mark, LEFT_WITHIN) == []
                        seconds.append(time.monotonic() - died)
                        break
            code = run.wait(LONGEST)
        if code == 0:
            return kills
        # A cluster whose workers die while it is being started is an error; one runs the cup again.
        assert code == -signal.SIGKILL or (on == "dask" and code == 2)

"""A cup over a Dask fleet whose workers share no folder, and one of which lacks an interpreter."""

from __future__ import annotations

import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.commands import TOUCHLINE, environment
from players.survivors import MARK, gone
from touchline.tournament.cup import load
from touchline.tournament.ledger import open_ledger
from tournament.cups import SALT, played

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
CUP = """
name = "case"
seed = 3
game = {name = "hexapawn", rows = 4, cols = 4}
format = {name = "round_robin", games = 4}
entrants = [
  {name = "last", player = "bots/last.py"},
  {name = "js", player = "process:node bots/hexapawn.js"},
  {name = "house", player = "minimax:depth=2"},
  {name = "chance", player = "random"},
]
"""
LAST = """
class Last:
    def choose(self, view, turn):
        return view.legal_moves()[-1]
"""


@contextmanager
def fleet(*words: str) -> Iterator[list[str]]:
    """What `scripts/fleet` says when it is ready."""
    command = [sys.executable, str(ROOT / "scripts/_fleet.py"), "--port", "0", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        try:
            said = []
            for line in run.stdout:
                said.append(line)
                if line.startswith("Ctrl-C"):
                    break
            if "Ctrl-C" not in "".join(said[-1:]):
                why = run.stderr.read()
                if "unshare" in why or "mount" in why:
                    pytest.skip(f"namespaces cannot be had here: {why.strip()[-300:]}")
                raise AssertionError(why)
            yield said
        finally:
            run.terminate()


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.skipif(shutil.which("node") is None, reason="one of the players needs node")
def test_workers_that_cannot_see_the_folder_of_the_cup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is right, the exit code 0, and a line says which worker had what trouble."""
    monkeypatch.setenv(MARK, tmp_path.name)
    (tmp_path / "cup.toml").write_text(CUP)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots/last.py").write_text(LAST)
    shutil.copy(ROOT / "examples/bots/hexapawn.js", tmp_path / "bots")
    with fleet("--without", "node") as said:
        address = next(line.split()[1].rstrip(":") for line in said if line.startswith("scheduler"))
        (lacking,) = [line.split()[1].rstrip(",") for line in said if "without node" in line]
        words = ["tournament", "run", "cup.toml", "--on", address, "--salt", SALT.hex()]
        done = subprocess.run(
            [*TOUCHLINE, *words], cwd=tmp_path, capture_output=True, text=True, env=environment(), check=False
        )
    assert done.returncode == 0, done.stderr
    assert f"note: worker {lacking}: cannot run 'node': there is no such program" in done.stderr
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        assert {(game.played.verdict, game.faults()) for game in ledger.results()} == {("finished", ())}
        digest = ledger.digest()
    assert played(load(tmp_path / "cup.toml"), str(tmp_path / "here.db"), tmp_path) == (True, digest)
    assert gone(tmp_path.name, 20) == []

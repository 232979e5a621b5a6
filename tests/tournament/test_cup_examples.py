"""The cups of `examples/`: each is sound, is played to its end and proven, and shows what it says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from touchline.players.wasm import problem
from touchline.tournament.check import check_entrants
from touchline.tournament.cup import load
from touchline.tournament.executors.cores import Cores
from touchline.tournament.ledger import open_ledger
from touchline.tournament.report.data import build_report
from touchline.tournament.verify import verify
from tournament.cups import played

FOLDER = Path(__file__).parents[2] / "examples" / "tournaments"
CUPS = sorted(FOLDER.glob("*.toml"))


@pytest.fixture(params=CUPS, ids=lambda path: path.stem)
def file(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    if "node" in path.read_text() and shutil.which("node") is None:
        pytest.skip("one of its entrants needs node, not on this machine")
    if "wasm:" in path.read_text() and problem() is not None:
        pytest.skip("one of its entrants needs wasmtime, not on this machine")
    return path


def test_there_are_four() -> None:
    assert [path.stem for path in CUPS] == ["fuel", "labyrinth", "languages", "penguins"]
    page = (FOLDER.parent / "README.md").read_text()
    assert all(f"touchline tournament run examples/tournaments/{path.name}" in page for path in CUPS)


def test_check(file: Path) -> None:
    made = load(file)
    found = [*check_entrants(made, FOLDER, 1)]
    assert [(row.entrant, row.wrong) for row in found] == [(name, "") for name in made.names]


@pytest.mark.slow
def test_run(file: Path, tmp_path: Path) -> None:
    assert played(load(file), str(tmp_path / "cup.db"), FOLDER, pool=Cores(2))[0]
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        proven, found = verify(ledger), build_report(ledger)
        sizes = {len(game.played.pairing.entrants) for game in ledger.results()}
    assert (proven.wrong, proven.over, found.faults) == ((), True, ())
    assert sizes == ({3, 4} if file.stem == "penguins" else {2})

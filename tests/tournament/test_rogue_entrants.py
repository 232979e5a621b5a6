"""Rogues among the entrants: none blocks a round, and none harms another's result."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from players.survivors import MARK, gone
from touchline.testing.rogues import ROGUES
from touchline.tournament.cup import parse
from touchline.tournament.ledger import open_ledger
from touchline.tournament.pairing import points
from touchline.tournament.report.data import build_report
from touchline.tournament.verify import verify
from tournament.cups import played

if TYPE_CHECKING:
    from pathlib import Path

CUP = """
name = "rogues"
game = {{name = "{game}", rows = 4, cols = 4}}
clock = {{seconds = 0.5, set_up = 2}}
format = {format}
entrants = [{entrants}]
"""
FEW = ("dozer", "crasher", "liar", "babbler", "flooder", "stubborn")
HOUSE = {"ann": "random", "bob": "greedy"}


def rogue(name: str) -> str:
    return f"process:{shlex.join([sys.executable, '-m', 'touchline.testing.rogues', name])}"


def offences(folder: Path, mark: str, game: str, format: str, players: dict[str, str]) -> dict[str, set[str]]:
    """Play a cup to its end: what each entrant did wrong. Nobody is left, and all of it is proven."""
    entrants = ", ".join(f"{{name = '{name}', player = '{word}'}}" for name, word in players.items())
    made = parse(CUP.format(game=game, format=format, entrants=entrants), "rogues")
    assert played(made, str(folder / "cup.db"), folder)[0]
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        proven, found = verify(ledger), build_report(ledger)
    assert (proven.wrong, proven.unproven, found.void) == ((), 0, 0)
    assert gone(mark, 5) == []
    blamed: dict[str, set[str]] = {}
    for fault in found.faults:
        blamed.setdefault(fault.entrant, set()).add(fault.offence)
    for line in found.standings:
        assert (line.forfeits + line.expulsions > 0) == (line.entrant in blamed)
    return blamed


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Every process that is started from here on carries it."""
    monkeypatch.setenv(MARK, tmp_path.name)
    return tmp_path.name


@pytest.mark.slow
def test_each_against_one_of_the_house(tmp_path: Path, mark: str) -> None:
    """The house is blamed for nothing, and plays its own games to the end."""
    players = HOUSE | {name: rogue(name) for name in FEW}
    blamed = offences(tmp_path, mark, "hexapawn", '{name = "gauntlet"}', players)
    assert blamed == {name: {ROGUES[name][1].value} for name in FEW}


def test_at_a_table_of_three(tmp_path: Path, mark: str) -> None:
    """Who is thrown out is last, and the others play on."""
    players = HOUSE | {"liar": rogue("liar"), "sleeper": rogue("sleeper")}
    format = '{name = "round_robin", seats = 3}'
    assert offences(tmp_path, mark, "fish", format, players) == {"liar": {"illegal"}, "sleeper": {"late"}}
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        games = [game.played for game in ledger.results()]
    for game in games:
        assert {game.pairing.entrants[seat] for seat in game.winners} & HOUSE.keys()
        assert all((game.ranks[seat], points(game)[seat]) == (None, 0) for seat in game.expelled)
    assert any(len(game.expelled) == 2 for game in games)


@pytest.mark.slow
def test_all_rogues_against_each_other(tmp_path: Path, mark: str) -> None:
    names = [name for name in ROGUES if name not in ("forker", "flooder", "long_line")]
    players = HOUSE | {name: rogue(name) for name in names}
    blamed = offences(tmp_path, mark, "hexapawn", '{name = "swiss", rounds = 5}', players)
    assert blamed.keys() <= {*names}
    assert len(blamed) > 10

"""A cup with a limit in fuel: its games prove who was late, and the modules can be run again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.commands import refused, touchline
from players.wasm_modules import HOSTILE, saved
from touchline.records.module_rerun import Given
from touchline.tournament.cup import parse
from touchline.tournament.ledger import open_ledger
from touchline.tournament.verify import verify
from tournament.cups import played

if TYPE_CHECKING:
    from pathlib import Path

CUP = """
name = "fuel"
game = {name = "hexapawn", rows = 4, cols = 3}
format = {name = "round_robin", games = 1}
clock = {fuel = "1M", seconds = 60, set_up = 60}
entrants = [{name = "ann", player = "wasm:bad.wasm"}, {name = "bob", player = "greedy"}]
"""


def test_a_cup_proves_who_was_late(tmp_path: Path) -> None:
    """Whoever has the module can confirm it; whoever has another one is told."""
    saved(tmp_path / "bad.wasm", HOSTILE["spins"])
    saved(tmp_path / "other.wasm", "(call $ready)")
    where = str(tmp_path / "cup.db")
    assert played(parse(CUP, "cup.toml"), where, tmp_path)[0]
    with open_ledger(where, readonly=True) as ledger:
        (game,) = ledger.results()
        shown = verify(ledger, modules=[Given(str(tmp_path / "bad.wasm"))])
        other = verify(ledger, modules=[Given(str(tmp_path / "other.wasm"))])
    assert [game.played.pairing.entrants[seat] for seat in game.played.expelled] == ["ann"]
    assert (shown.follows, shown.modules, shown.wrong) == (True, 1, ())
    assert (other.follows, other.modules, other.wrong) == (True, 0, ())
    assert any("in 1 seats of games" in line for line in other.not_checked)
    done = touchline("verify", where, "--wasm", str(tmp_path / "bad.wasm"))
    assert "fuel: run again, the modules in 1 seats of games give these answers with it" in done.stdout
    assert "without a seat" in refused("verify", where, "--wasm", f"0={tmp_path / 'bad.wasm'}")

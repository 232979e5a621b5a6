"""Programs that this machine cannot start, and programs that are broken: only the latter lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from touchline.sandbox.tiers import problem
from touchline.tournament.ledger import open_ledger
from touchline.tournament.worker import OURS
from tournament.cups import cup, played

if TYPE_CHECKING:
    from pathlib import Path


def verdicts(folder: Path, word: str, isolation: str = "auto") -> set[tuple[str, tuple[int, ...], str]]:
    """The verdict, the expelled and the reason of each game between bob, who plays by this word, and ann."""
    made = cup(options="games = 1", ann="random", bob=word)
    assert played(made, str(folder / "cup.db"), folder, isolation=isolation)[0]
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        games = [game.played for game in ledger.results()]
    return {(game.verdict, game.expelled, game.reason) for game in games}


def test_an_interpreter_that_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "bot.x").write_text("")
    why = f"{OURS} cannot run 'no-such-interpreter': there is no such program"
    assert verdicts(tmp_path, "process:no-such-interpreter bot.x") == {("void", (), why)}


def test_a_program_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    ((verdict, expelled, why),) = verdicts(tmp_path, "process:./bot")
    assert (verdict, expelled) == ("void", ())
    assert why.startswith(f"{OURS} cannot run ")


@pytest.mark.parametrize("tier", ["A", "B", "C", "none"])
def test_a_script_whose_interpreter_is_missing(tier: str, tmp_path: Path) -> None:
    """The kernel cannot execute it, in whichever cage."""
    if (why := problem(tier)) is not None:
        pytest.skip(f"isolation {tier} does not work here: {why}")
    (tmp_path / "bot").write_text("#!/no/such/interpreter\n")
    (tmp_path / "bot").chmod(0o755)
    ((verdict, expelled, why),) = verdicts(tmp_path, "process:./bot", tier)
    assert (verdict, expelled) == ("void", ())
    assert "its interpreter '/no/such/interpreter' is missing" in why


def test_a_module_that_is_none_loses(tmp_path: Path) -> None:
    """Its own file is wrong, on every machine alike."""
    pytest.importorskip("wasmtime")
    (tmp_path / "bot.wasm").write_bytes(b"no module")
    ((verdict, expelled, _),) = verdicts(tmp_path, "wasm:bot.wasm")
    assert verdict != "void"
    assert expelled


def test_a_cage_that_cannot_be_set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine lacks something, such as memory for a namespace: that is no fault of the program."""
    if (why := problem("A")) is not None:
        pytest.skip(f"isolation A does not work here: {why}")
    (tmp_path / "bot.py").write_text("raise SystemExit(1)\n")
    ((verdict, expelled, _),) = verdicts(tmp_path, "bot.py", "A")
    assert (verdict, expelled) == ("finished", (1,)), "a program that ends at once loses"
    monkeypatch.setattr("touchline.sandbox.launch.HOME", "/proc/no/such/place")
    (tmp_path / "cup.db").unlink()
    assert verdicts(tmp_path, "bot.py", "A") == {("void", (), f"{OURS} bubblewrap could not set up the cage")}

"""Where the runtime of WebAssembly is not installed, everything else works, and one line says what to do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cli.commands import environment, refused
from touchline.core.errors import BadOptions
from touchline.games.hexapawn import Hexapawn
from touchline.players import wasm
from touchline.players.by_name import checked, player

MODULE = str(Path(__file__).parents[2] / "examples" / "wasm" / "hexapawn.wasm")


@pytest.mark.parametrize("make", [checked, lambda word, game: player(word, game, 0)])
def test_a_missing_runtime_is_named(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    monkeypatch.setattr(wasm, "version", lambda: None)
    assert callable(make)
    with pytest.raises(BadOptions, match=r"need the package wasmtime: pip install 'touchline\[wasm\]'"):
        make(f"wasm:{MODULE}", Hexapawn())


def test_the_referee_never_imports_the_runtime() -> None:
    """Not even to play with a module: that is done in the module's own process."""
    import subprocess

    code = f"""
import sys
from touchline.drivers import lineup
from touchline.players.by_name import command_of, is_program
from touchline.records import module_rerun
assert is_program("wasm:{MODULE}")
sys.exit("wasmtime" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=environment())


def test_a_record_is_no_module(tmp_path: Path) -> None:
    """`--wasm` names the file that is none."""
    record = tmp_path / "match.jsonl"
    record.write_text("{}\n")
    said = refused("replay", "verify", str(record), "--wasm", str(record))
    assert "is no WebAssembly module" in said or "need the package wasmtime" in said

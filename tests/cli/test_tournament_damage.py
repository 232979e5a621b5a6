"""A damaged ledger is one line and exit code 4 for every command that reads it.

Single bits are flipped all over three ledgers, and the files are cut off. Each command reports the damage, or
its output is exactly that of the undamaged ledger, because the bit is in a part that it does not use.
"""

from __future__ import annotations

import re
import shutil
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cli.shell import Shell
from touchline.tournament.ledger import open_ledger
from tournament.cups import cup, played

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.run import Run

CUP = """
name = "small"
seed = 3
game = {name = "hexapawn", rows = 4, cols = 4}
clock = {no_timeout = true}
format = {name = "round_robin", games = 4}
entrants = [
  {name = "ann", player = "random"}, {name = "bob", player = "random"}, {name = "cy", player = "greedy"},
]
"""
READING = {
    "show": ("tournament", "show", "cup.db"),
    "report": ("tournament", "report", "cup.db"),
    "verify": ("verify", "cup.db"),
    "serve": ("serve", "--cup", "cup.db", "--no-page"),
}
WRITING = {
    "run": ("tournament", "run", "cup.toml", "--on", "here"),
    "resume": ("tournament", "resume", "cup.db", "--on", "here"),
    "stop": ("tournament", "stop", "cup.db", "--why", "x"),
    "eject": ("tournament", "eject", "cup.db", "ann", "--why", "x"),
    "void": ("tournament", "void", "cup.db", "r0000-t0001", "--why", "x"),
}
LEDGERS = ("over", "stopped", "with acts")


class Answer(NamedTuple):
    """What a command did: its exit code and its output, without the hash of times."""

    code: int
    out: str


class Bench:
    """A ledger that can be damaged, and commands that meet it."""

    def __init__(self, shell: Shell, folder: Path, whole: bytes, salt: bytes | None) -> None:
        self._shell, self._folder, self.whole, self._salt = shell, folder, whole, salt
        self._right: dict[str, Answer] = {}

    def _answer(self, name: str, data: bytes) -> tuple[Answer, str]:
        for old in self._folder.glob("cup.db*"):
            old.unlink()
        (self._folder / "cup.db").write_bytes(data)
        if self._salt is not None:
            (self._folder / "cup.db-salt").write_bytes(self._salt)
        if name == "serve":
            return self._serve()
        done = self._shell.touchline(*(READING | WRITING)[name])
        return Answer(done.returncode, re.sub(r"(?m)^seal .*$", "seal", done.stdout)), done.stderr

    def _serve(self) -> tuple[Answer, str]:
        """What `serve --cup` does before it serves."""
        from touchline.cli._web_page import _cups
        from touchline.core.errors import TouchlineError

        try:
            return Answer(0, str(_cups([str(self._folder / "cup.db")]))), ""
        except TouchlineError as error:
            return Answer(error.exit_code, ""), f"Error: {error}\n"

    def check(self, name: str, data: bytes, what: str) -> bool:
        """Return whether a command reports the damage. Fail if it neither does nor answers as it should."""
        if name not in self._right:
            self._right[name], _ = self._answer(name, self.whole)
            assert self._right[name].code == 0, name
        found, err = self._answer(name, data)
        assert "Traceback" not in err, f"{name}, {what}: {err}"
        if found == self._right[name]:
            return False
        errors = [line for line in err.splitlines() if line.startswith("Error: ")]
        assert (found.code, len(errors)) == (4, 1), f"{name}, {what}: {found}\n{err}"
        return True


def _made(kind: str, folder: Path) -> None:
    """Play the cup: to its end, half of it, or to its end with a void game and an ejected entrant."""
    where = str(folder / "cup.db")

    def see(run: Run) -> None:
        run.stopping = run.stopping or (kind == "stopped" and len(run.played) > 3)

    made = cup()
    played(made, where, folder, see)
    if kind == "with acts":
        with open_ledger(where) as ledger:
            ledger.void("r0001-t0000", "the lights went out", 1.5)
            ledger.note("eject", "cy", "left", 2.5)
        played(made, where, folder)


@pytest.fixture(params=LEDGERS)
def bench(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Bench:
    from touchline.tournament import run as run_module

    monkeypatch.setattr(run_module, "MOST_IN_BATCH", 2)
    monkeypatch.setattr(run_module, "LOOK", -1.0)  # waiting for a damaged ledger is an error
    source = tmp_path / "source"
    source.mkdir()
    _made(request.param, source)
    (tmp_path / "cup.toml").write_text(CUP)
    monkeypatch.chdir(tmp_path)
    salt = source / "cup.db-salt"
    kept = salt.read_bytes() if salt.exists() else None
    assert (kept is not None) == (request.param == "stopped")
    made = Bench(Shell(monkeypatch, capsys), tmp_path, (source / "cup.db").read_bytes(), kept)
    shutil.rmtree(source)
    return made


def _flipped(whole: bytes, bit: int) -> bytes:
    changed = bytearray(whole)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _campaign(bench: Bench, flips: list[int], cuts: list[int], names: list[str]) -> int:
    """Try every damage with every command; return how often it was reported."""
    reported = 0
    for name in names:
        for bit in flips:
            reported += bench.check(name, _flipped(bench.whole, bit), f"bit {bit % 8} of byte {bit // 8}")
        for length in cuts:
            assert bench.check(name, bench.whole[:length], f"cut to {length} bytes"), (name, length)
            reported += 1
    return reported


def test_damage_is_one_line_and_exit_code_4(bench: Bench) -> None:
    rng, size = Random(5), len(bench.whole)
    flips = [rng.randrange(8 * size) for _ in range(8)] + [rng.randrange(8 * 100) for _ in range(3)]
    cuts = [size - 3_000, size - 4_096, 700]
    assert _campaign(bench, flips, cuts, ["show", "verify", "run"]) > 9 + 3


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_damage_everywhere(bench: Bench) -> None:
    rng, size = Random(6), len(bench.whole)
    flips = [rng.randrange(8 * size) for _ in range(300)] + [*range(0, 800, 7)]
    cuts = [1, 99, 100, 511, 512, 4_095, 4_096, size // 2, size - 4_096, size - 4_095, size - 1_000, size - 1]
    assert _campaign(bench, flips, cuts, [*READING, *WRITING]) > 300

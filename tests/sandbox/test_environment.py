"""What a program gets: a user of its own, a clean environment, its own folder; and nothing else of ours."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from touchline.core.errors import BadOptions
from touchline.sandbox import tiers
from touchline.sandbox.launch import KEPT, Sandbox
from touchline.sandbox.start import run
from touchline.sandbox.tiers import best, chosen, problem, require_strong

if TYPE_CHECKING:
    from pathlib import Path

TIERS = [tier for tier in ("A", "B", "C", "none") if problem(tier) is None]
TELL = """
import json, os
print(json.dumps({"uid": os.getuid(), "environment": dict(os.environ), "folder": os.getcwd(),
                  "descriptors": sorted(map(int, os.listdir("/proc/self/fd")))[:-1]}))
"""


def told(tier: str, code: str = TELL) -> Any:
    out, err = run([sys.executable, "-I", "-S", "-c", code], Sandbox(tier=tier), 60)
    assert out, err
    return json.loads(out)


@pytest.mark.parametrize("tier", TIERS)
def test_no_program_runs_as_root(tier: str) -> None:
    """Whoever started the referee; each of two programs has a user of its own if root did."""
    uids = [told(tier)["uid"] for _ in range(2)]
    assert 0 not in uids
    if os.getuid() == 0 and tier != "A":  # there everybody is the same user of another namespace
        assert uids[0] != uids[1]


@pytest.mark.parametrize("tier", TIERS)
def test_a_program_gets_nothing_of_our_environment(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own variables in no tier, and in a cage only the few that programs need."""
    monkeypatch.setenv("TOUCHLINE_KEY", "secret")
    monkeypatch.setenv("DATABASE_URL", "secret")
    found = told(tier)["environment"]
    assert "TOUCHLINE_KEY" not in found
    if tier != "none":
        assert "secret" not in found.values()
        extra = {"HOME", "TMPDIR", "NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PWD"}
        assert set(found) <= {*KEPT, *extra}


@pytest.mark.parametrize("tier", TIERS)
def test_a_program_gets_three_descriptors(tier: str) -> None:
    """stdin, stdout and stderr: no pipe or socket of ours."""
    assert told(tier)["descriptors"] == [0, 1, 2]


@pytest.mark.parametrize("tier", TIERS)
def test_a_program_in_a_closed_folder_starts(tier: str, tmp_path: Path) -> None:
    """As root the folder of a program may be closed to its user; the program is shown, not its neighbours."""
    closed = tmp_path / "closed"
    inner = closed / "bots"
    inner.mkdir(parents=True)
    (inner / "bot.py").write_text("import os; print(sorted(os.listdir('.')), os.path.exists('../secret'))")
    (closed / "secret").write_text("x")
    closed.chmod(0o700)
    from touchline.players.process import Program

    program = Program([sys.executable, "bot.py"], inner, Sandbox(tier=tier))
    try:
        program.stop(30)
    finally:
        said = program.notes.text()
    assert said == ""
    assert program.exit_code() == 0


def test_a_tier_that_does_not_work_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """With why, and with what to do instead; `auto` takes the next one."""
    monkeypatch.setattr(tiers, "problem", {"A": "bubblewrap is not installed"}.get)
    assert (chosen("auto"), best()) == ("B", "B")
    with pytest.raises(BadOptions, match=r"isolation A does not work .* bubblewrap .* --isolation auto"):
        chosen("A")


def test_strangers_need_a_strong_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below B only with the flag."""
    monkeypatch.setattr(tiers, "problem", {"A": "no", "B": "no"}.get)
    require_strong("A", allow_weak=False)
    require_strong("C", allow_weak=True)
    with pytest.raises(BadOptions, match=r"untrusted programs need .* --allow-weak-isolation"):
        require_strong("C", allow_weak=False)


def test_without_bubblewrap_the_next_tier_is_b(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The trial runs: nothing is concluded from versions."""
    if tiers.problem("B") is not None:
        pytest.skip("Landlock does not work here")
    tiers.problem.cache_clear()
    try:
        monkeypatch.setenv("PATH", str(tmp_path))
        assert "bubblewrap is not installed" in str(tiers.problem("A"))
        assert best() == "B"
        (tmp_path / "bwrap").write_text(f"#!{sys.executable}\nraise SystemExit('no permission')")
        (tmp_path / "bwrap").chmod(0o755)
        tiers.problem.cache_clear()
        assert tiers.problem("A") is not None
    finally:
        tiers.problem.cache_clear()

"""`touchline doctor` says what works here, what does not, and what mends it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.commands import touchline
from touchline.cli._diagnosis import Check, Finding, examine, lacking, ok, select
from touchline.cli._library_checks import library, library_checks
from touchline.cli._machine_checks import CONTAINER, freezer, machine_checks, own_group, why_no_namespaces
from touchline.core.errors import BadOptions

CHECKS = [check.name for check in [*machine_checks(), *library_checks()]]
BAD = Finding("broken", "why", "mend")


def planted(folder: Path, module: str, code: str) -> str:
    """Write a module that hides the installed one; return the PYTHONPATH that finds it first."""
    (folder / f"{module}.py").write_text(code)
    return os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])


def checked(*words: str, code: int = 0, **env: str) -> dict[str, Any]:
    done = touchline("doctor", *words, "--json", **env)
    assert done.returncode == code, (done.stdout, done.stderr)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_the_doctor_checks_all_that_can_be_missing() -> None:
    """Each check has a name of its own, and tells what it is for."""
    machine = "A B C bubblewrap landlock seccomp namespaces freezer controllers descriptors processors"
    libraries = "wasm uvloop kernels web browser postgres dask signatures"
    assert {*machine.split(), *libraries.split()} <= set(CHECKS)
    assert len(CHECKS) == len(set(CHECKS))
    assert all(check.use for check in [*machine_checks(), *library_checks()])


def test_the_page_lists_every_check() -> None:
    """docs/isolation.md says what each check is for."""
    page = (Path(__file__).parents[2] / "docs" / "isolation.md").read_text()
    rows = [f"| `{check.name}` | {check.use} |" for check in [*machine_checks(), *library_checks()]]
    assert [row for row in rows if row not in page] == []


@pytest.mark.slow
def test_every_check_gives_a_status_and_a_way_to_mend() -> None:
    """What does not work has a reason and a fix, and what works has none."""
    said = checked()
    assert [row["name"] for row in said["checks"]] == CHECKS
    assert {row["status"] for row in said["checks"]} <= {"ok", "missing", "broken"}
    assert all(row["detail"] for row in said["checks"])
    assert [row for row in said["checks"] if (row["status"] == "ok") == ("fix" in row)] == []


def test_named_checks_run_alone() -> None:
    """`touchline doctor descriptors processors` is quick; it prints a line for each."""
    done = touchline("doctor", "processors", "descriptors")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split()[:2] for line in done.stdout.splitlines()]
    assert rows == [["descriptors", "ok"], ["processors", "ok"]]


def test_a_library_that_is_needed_and_missing_fails_the_check(tmp_path: Path) -> None:
    """The exit code is 1, and the command that installs it is printed."""
    path = planted(tmp_path, "wasmtime", "raise ModuleNotFoundError('planted', name='wasmtime')")
    assert checked("wasm", PYTHONPATH=path)["ok"] is True
    said = checked("descriptors", "--need", "wasm", code=4, PYTHONPATH=path)
    assert (said["ok"], said["lacking"]) == (False, ["wasm"])
    row = next(row for row in said["checks"] if row["name"] == "wasm")
    assert (row["status"], row["fix"]) == ("missing", "pip install 'touchline[wasm]'")
    done = touchline("doctor", "wasm", "--need", "wasm", PYTHONPATH=path)
    assert done.returncode == 4
    assert "missing" in done.stdout
    assert "mend it: pip install 'touchline[wasm]'" in done.stdout
    assert done.stderr == "needed, and does not work: wasm\n"


def test_a_library_that_cannot_be_used_is_told_from_a_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is installed, but raises or lacks a dependency of its own."""
    for code, why in (("raise OSError('a shared object')", "a shared object"), ("import no_such", "no_such")):
        monkeypatch.setenv("PYTHONPATH", planted(tmp_path, "planted_library", code))
        found = library("planted_library", "speed", "")
        assert found.status == "broken"
        assert why in found.detail


def test_a_library_that_crashes_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor itself survives."""
    monkeypatch.setenv("PYTHONPATH", planted(tmp_path, "planted_crash", "import os; os.abort()"))
    assert library("planted_crash", "speed", "").status == "broken"


@pytest.mark.skipif(sys.platform != "linux", reason="tiers need Linux")
def test_without_bubblewrap_tier_a_says_what_to_install(tmp_path: Path) -> None:
    """The package's name is in the fix; A alone is not needed while B works."""
    said = checked("A", "bubblewrap", PATH=str(tmp_path))
    assert [row["status"] for row in said["checks"]] == ["missing", "missing"]
    assert {row["fix"] for row in said["checks"]} == {"apt install bubblewrap"}
    assert checked("bubblewrap", "--need", "A", code=4, PATH=str(tmp_path))["lacking"] == ["A"]


def test_one_strong_tier_is_always_needed() -> None:
    """Others' programs run in A or B only; what was not checked is not missed."""
    assert lacking({"A": BAD, "B": BAD}, []) == ["isolation A or B"]
    assert lacking({"A": BAD, "B": ok("")}, []) == []
    assert lacking({"A": BAD}, []) == []
    assert lacking({"A": BAD, "B": ok(""), "wasm": BAD}, ["A", "wasm"]) == ["A", "wasm"]


def test_a_check_that_raises_is_a_finding() -> None:
    """The other checks go on."""

    def fails() -> Finding:
        raise RuntimeError("planted")

    found = examine([Check("one", "", fails), Check("two", "", lambda: ok("fine"))])
    assert (found["one"].status, found["two"].status) == ("broken", "ok")
    assert "planted" in found["one"].detail


def test_an_unknown_check_is_refused() -> None:
    """The message lists the checks."""
    with pytest.raises(BadOptions, match="there is no check 'teeth'; there are: A, B, C"):
        select(machine_checks(), ["A", "teeth"])
    done = touchline("doctor", "--need", "teeth")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(
    ("settings", "fix"),
    [
        ({"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1"},
         "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
        ({"/proc/sys/kernel/unprivileged_userns_clone": "0"}, "sysctl -w kernel.unprivileged_userns_clone=1"),
        ({"/proc/sys/user/max_user_namespaces": "0"}, "sysctl -w user.max_user_namespaces=15000"),
        ({"/.dockerenv": ""}, CONTAINER),
        ({"/proc/sys/user/max_user_namespaces": "96349"}, ""),
    ],
)  # fmt: skip
def test_the_setting_that_forbids_namespaces_is_named(settings: dict[str, str], fix: str) -> None:
    """Ubuntu's AppArmor, Debian's switch, the limit of the kernel, a container."""
    assert why_no_namespaces(settings.get)[1] == fix


def test_the_freezer_leaves_no_group_behind() -> None:
    """The doctor makes a cgroup to try it, and removes it."""
    freezer()
    group = own_group()
    if group is None:
        pytest.skip("this machine has no cgroups of version 2")
    trial = group / f"touchline-doctor-{os.getpid()}"
    left = trial.exists()
    if left:
        trial.rmdir()
    assert not left

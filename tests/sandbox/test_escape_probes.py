"""No escape probe gets through in a tier of isolation that claims to block it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from touchline.sandbox import tiers
from touchline.testing.escape_probes import __main__ as runner
from touchline.testing.escape_probes.expected import CANNOT_BLOCK, NEEDS_KERNEL
from touchline.testing.escape_probes.namespaces import command
from touchline.testing.escape_probes.probe import ALL, NEEDS, PROBES
from touchline.testing.escape_probes.syscalls import supported

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).parents[2]
USER = 20_000 + os.getpid() % 40_000
"""An ordinary user without files or a name; another one in each process, because limits count per user."""
QUICK = [name for name, probe in ALL.items() if not probe.alone]
AS_ROOT = os.getuid() == 0
assert runner.TOPICS


class Setting(NamedTuple):
    """A tier, and who runs the referee where."""

    tier: str
    user: bool = False
    container: bool = False

    def words(self) -> list[str]:
        user = ["--user", str(USER)] if self.user else []
        return [*user, *(["--no-namespaces"] if self.container else [])]

    def __str__(self) -> str:
        return f"{self.tier}-{'user' if self.user else 'root'}{'-in-container' if self.container else ''}"


# Who is no superuser can try only what such a user can.
if AS_ROOT:
    SETTINGS = [Setting(tier, user) for tier in "AB" for user in (False, True)] + [Setting("B", True, True)]
else:
    SETTINGS = [Setting("A", True), Setting("B", True)]
EVERYDAY = [SETTINGS[0], SETTINGS[-1]]


def missing(what: str) -> None:
    """Skip a test that cannot run here; where it must, fail."""
    if os.environ.get("TOUCHLINE_NEED_SANDBOX") == "1":
        pytest.fail(what)
    pytest.skip(what)


def perform(setting: Setting, probes: Iterable[str], *words: str) -> dict[str, Any]:
    """Run the stage; return the verdict on each probe."""
    if not supported():
        pytest.skip("the system calls of this processor are not known")
    if setting.tier in tiers.TIERS and (why := tiers.problem(setting.tier)) is not None:
        missing(f"tier {setting.tier}: {why}")
    if AS_ROOT and shutil.which("unshare") is None:
        missing("root runs probes in fresh namespaces: apt install util-linux")
    user = setting.words() if AS_ROOT else []
    line = command(setting.tier, *user, *words, *probes)
    done = subprocess.run(line, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    verdicts: dict[str, Any] = json.loads(done.stdout)["probes"]
    return verdicts


def escaped(verdicts: dict[str, Any], tier: str) -> dict[str, str]:
    """Return the probes that got through although the tier blocks them, and how."""
    return {
        name: said["how"]
        for name, said in verdicts.items()
        if name in PROBES and said["through"] and name not in CANNOT_BLOCK[tier]
    }


def unable(verdicts: dict[str, Any]) -> dict[str, str]:
    """Return what an honest program needs and could not do."""
    return {name: said["how"] for name, said in verdicts.items() if name in NEEDS and not said["through"]}


@pytest.mark.parametrize("setting", EVERYDAY, ids=str)
def test_no_quick_probe_gets_through(setting: Setting) -> None:
    """Probes of processes, files, sockets and the kernel, all in one program, which can do what it needs."""
    verdicts = perform(setting, QUICK)
    assert len(verdicts) == len(QUICK)
    assert (escaped(verdicts, setting.tier), unable(verdicts)) == ({}, {})


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_no_probe_gets_through(setting: Setting) -> None:
    """All probes, those that break limits in a program of their own each."""
    verdicts = perform(setting, ALL)
    assert len(verdicts) == len(ALL)
    assert (escaped(verdicts, setting.tier), unable(verdicts)) == ({}, {})


@pytest.mark.slow
def test_every_exception_of_a_tier_is_one() -> None:
    """A probe that a tier is said not to block gets through there in some setting."""
    for tier in CANNOT_BLOCK:
        names = list(CANNOT_BLOCK[tier])
        through = {
            name
            for setting in SETTINGS
            if setting.tier == tier and names
            for name, said in perform(setting, names).items()
            if said["through"]
        }
        assert through == set(names), tier


@pytest.mark.slow
@pytest.mark.skipif(not AS_ROOT, reason="an ordinary user cannot do most of it without a sandbox either")
def test_every_probe_gets_through_without_a_sandbox() -> None:
    """A probe that never gets through shows nothing. Root without a sandbox does all that the kernel has."""
    verdicts = perform(Setting("bare"), ALL, "--hold", "0")
    blocked = {name: said["how"] for name, said in verdicts.items() if not said["through"]}
    assert {name: how for name, how in blocked.items() if name not in NEEDS_KERNEL} == {}


def test_the_tables_name_probes_that_exist() -> None:
    """There are probes enough, and the tables of exceptions know no others; tier A has no exception."""
    assert len(PROBES) >= 40
    assert CANNOT_BLOCK["A"] == {}
    assert {name for names in CANNOT_BLOCK.values() for name in names} <= set(PROBES)
    assert set(NEEDS_KERNEL) <= set(PROBES)


def test_the_page_lists_every_probe() -> None:
    """docs/isolation.md has one row for each probe, with what the tiers do about it."""
    page = (ROOT / "docs" / "isolation.md").read_text()
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| (.+?) \| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    assert rows == [
        (name, probe.tries, *("blocked" if name not in CANNOT_BLOCK[tier] else "**open**" for tier in "AB"))
        for name, probe in PROBES.items()
    ]
    for names in CANNOT_BLOCK.values():
        assert [name for name, why in names.items() if f"`{name}`: {why}" not in page] == []


@pytest.mark.skipif(not AS_ROOT, reason="only root can do harm")
def test_root_runs_no_probe_outside_of_fresh_namespaces() -> None:
    """The stage refuses to start."""
    whole = command("bare", "tcp")
    stage = whole[whole.index("--") + 1 :]
    done = subprocess.run(stage, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "root runs the probes in fresh namespaces only" in done.stderr

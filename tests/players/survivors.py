"""Who is still there after a match: processes that carry a mark, open descriptors, and the unburied."""

from __future__ import annotations

import os
import sys
import time
from functools import cache
from pathlib import Path
from subprocess import run
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

MARK = "MARK_OF_A_TEST"
"""Every process that a test starts inherits this variable; its value belongs to the test."""


def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition comes true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def marked(mark: str) -> list[str]:
    """The names of the living processes with this mark, ourselves left out."""
    names, needle = [], f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if needle in (folder / "environ").read_bytes().split(b"\0"):
                    names.append((folder / "comm").read_text().strip())
            except OSError:
                continue
    return names


def gone(mark: str, seconds: float = 10) -> list[str]:
    """The marked processes that are still there after so many seconds; empty as soon as all are gone."""
    until(lambda: not marked(mark), seconds)
    return marked(mark)


def descriptors() -> int:
    """How many descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))


def zombies() -> int:
    """How many of our children have ended and were not waited for."""
    count = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            count += state == "Z" and int(parent) == os.getpid()
    return count


APART = ["unshare", "--pid", "--mount", "--net", "--fork", "--kill-child", "--mount-proc"]
"""Run what follows where it can do no harm: its own processes, mounts and network."""
UNCONFINED = [
    sys.executable, str(Path(__file__).with_name("own_user_ids.py")), *APART,
    "sh", "-c", 'echo 0 > /proc/sys/user/max_pid_namespaces && exec "$@"', "sh",
]  # fmt: skip
"""The same, and in there nobody can have a pid namespace of their own."""


@cache
def _works(*prefix: str) -> str:
    """Why this does not work here; nothing if it does."""
    try:
        done = run([*prefix, "true"], capture_output=True, text=True, timeout=20, check=False)
    except OSError as error:
        return str(error)
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"


def needs(prefix: list[str]) -> list[str]:
    """The prefix, or a skipped test where it does not work."""
    if why := _works(*prefix):
        pytest.skip(f"rogues that fork or flood run only in namespaces, which cannot be had here: {why}")
    return prefix

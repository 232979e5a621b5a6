"""Tests start programs: they must die of signals, even ignored ones, and may use the tests' folders."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    with contextlib.suppress(ValueError):  # not the main thread: then it is as it is
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
with contextlib.suppress(ValueError):
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job
        signal.signal(signal.SIGINT, signal.default_int_handler)

_numbers = itertools.count()
collect_ignore = ["sample"]  # a package of its own, which test_sample_package.py installs


@pytest.fixture(autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the page of each test a folder of its own for the games that it keeps; it is made if needed."""
    number = next(_numbers)
    folder = tmp_path_factory.getbasetemp() / f"state-{os.getpid()}-{number}"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """Let programs use the folder: started by root, they run as unprivileged users."""
    if os.getuid() == 0:
        tmp_path.chmod(0o777)
        for folder in tmp_path.parents:
            if folder.owner() == "root" and folder.name.startswith(("pytest-", "popen-")):
                folder.chmod(0o755)
    return tmp_path

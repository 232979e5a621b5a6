"""Every page does what it says: its commands, files and Python run as written, in an empty folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

from docs.blocks import blocks
from docs.pages import ROOT, all_pages

PAGES = [name for name in all_pages() if blocks((ROOT / name).read_text())]
RUNNER = f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r}); from docs.page_runner import main; main()"
OWN_NETWORK = ["unshare", "--net"]


@cache
def has_own_network() -> bool:
    """Whether this process may make networks: then pages run side by side, with the ports that they name."""
    if os.getuid() != 0 or shutil.which("unshare") is None:
        return False
    return subprocess.run([*OWN_NETWORK, "true"], capture_output=True, check=False).returncode == 0


def ran(page: str, folder: Path) -> str:
    """Run a page, and return what went otherwise than it says."""
    words = [sys.executable, "-c", RUNNER, str(ROOT / page), str(folder)]
    if has_own_network():
        done = subprocess.run(
            [*OWN_NETWORK, *words, "--own-network"], capture_output=True, text=True, check=False
        )
    else:
        with Path(tempfile.gettempdir(), "touchline-pages.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two pages may use the same port
            done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, tmp_path: Path) -> None:
    """Its blocks run one after the other, and print what the page shows."""
    failed = ran(page, tmp_path)
    assert not failed, failed

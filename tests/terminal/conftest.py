"""A terminal for each test."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from terminal.tmux import Tmux

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def terminal() -> Iterator[Tmux]:
    """A window of 80 × 24; its folder has a short path, since that of a socket is bounded."""
    with tempfile.TemporaryDirectory(prefix="tl-") as folder:
        window = Tmux(Path(folder))
        try:
            yield window
        finally:
            window.close()

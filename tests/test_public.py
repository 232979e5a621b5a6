"""The package's face: a few names, and nothing loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

import touchline


def test_every_public_name_is_there() -> None:
    """What `__all__` promises can be imported."""
    for name in touchline.__all__:
        assert getattr(touchline, name) is not None
    assert dir(touchline) == touchline.__all__


def test_no_other_name_is_there() -> None:
    """A name that is not public fails as in any module."""
    with pytest.raises(AttributeError, match="no attribute 'referee_manager'"):
        touchline.referee_manager  # noqa: B018


def _loaded_by(code: str) -> set[str]:
    words = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    """`import touchline` waits with everything else."""
    heavy = {"msgspec", "click", "rich", "asyncio", "importlib.metadata"}
    assert not heavy & _loaded_by("import touchline")


def test_help_loads_nothing_heavy() -> None:
    """`touchline --help` needs click and no more."""
    code = "import sys\nsys.argv = ['touchline', '--help']\nfrom touchline.cli.main import run\nrun()"
    assert not {"msgspec", "rich", "asyncio", "importlib.metadata"} & _loaded_by(code)

"""The front door: `import touchline` offers the product and loads nothing early; names have examples."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys

import pytest

import touchline


def test_every_public_name_is_there() -> None:
    """What `__all__` promises can be imported."""
    for name in touchline.__all__:
        assert getattr(touchline, name) is not None
    assert dir(touchline) == sorted(touchline.__all__)


def test_no_other_name_is_there() -> None:
    """A name that is not public fails as in any module."""
    with pytest.raises(AttributeError, match="no attribute 'referee_manager'"):
        touchline.referee_manager  # noqa: B018


def test_no_public_name_is_hidden_by_a_package() -> None:
    """`import touchline.games` sets the attribute `games`, so no function may be called like a package."""
    import pkgutil

    packages = {module.name for module in pkgutil.iter_modules(touchline.__path__)}
    assert not packages & set(touchline.__all__)


@pytest.mark.parametrize("name", touchline.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    """A class or function has one in its docstring, a constant or alias in the package's own.

    pytest collects the docstrings below src/ and runs their examples.
    """
    value = getattr(touchline, name)
    if (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__.startswith("touchline"):
        assert doctest.DocTestParser().get_examples(value.__doc__ or ""), f"{name} has no example"
        return
    examples = doctest.DocTestParser().get_examples(touchline.__doc__ or "")
    assert any(f"touchline.{name}" in example.source for example in examples), f"{name} has no example"


def test_the_docstring_is_an_introduction() -> None:
    """`help(touchline)` shows how to play a match and many, and where to go on."""
    for word in ("touchline.play(", "touchline.play_many(", "read_record", "play_async", "touchline.testing"):
        assert word in (touchline.__doc__ or "")


def _loaded_by(code: str) -> set[str]:
    words = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy() -> None:
    """`import touchline` waits with everything else."""
    heavy = {"msgspec", "click", "rich", "asyncio", "importlib.metadata", "pathlib", "inspect"}
    loaded = _loaded_by("import touchline") - _loaded_by("import importlib, typing")
    assert not heavy & loaded


def test_a_game_loads_no_match() -> None:
    """Rules alone need neither processes nor an event loop."""
    assert not {"asyncio", "subprocess"} & _loaded_by("import touchline; touchline.Fish()")


def test_help_loads_nothing_heavy() -> None:
    """`touchline --help` needs click and no more."""
    code = "import sys\nsys.argv = ['touchline', '--help']\nfrom touchline.cli.main import run\nrun()"
    assert not {"msgspec", "rich", "asyncio", "importlib.metadata"} & _loaded_by(code)

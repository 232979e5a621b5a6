"""The worked examples in the README files of the plug-in rooms."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from touchline import games

if TYPE_CHECKING:
    from types import ModuleType

    import pytest


def example_code(room: ModuleType) -> str:
    """Return the only Python example in a room's README."""
    readme = Path(room.__path__[0], "README.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    return str(code)


def example(room: ModuleType) -> dict[str, Any]:
    """Execute the example in a room's README, and return its names."""
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(example_code(room), f"{room.__name__} README.md", "exec", dont_inherit=True), names)
    return names


def install_example(
    monkeypatch: pytest.MonkeyPatch, folder: Path, room: ModuleType, group: str, name: str, kind: str
) -> None:
    """Install the example of a room as another package would: as an entry point of a distribution."""
    install(monkeypatch, folder, example_code(room), group, name, kind)


def install_nim(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """Install the game of the games' README; return the path at which its rules file may be."""
    readme = Path(games.__path__[0], "README.md").read_text()
    code = next(iter(re.findall(r"```python\n(.*?)```", readme, re.DOTALL)))
    install(monkeypatch, folder, code, "touchline.games", "nim", "Nim")
    monkeypatch.delitem(sys.modules, "nim_of_others", raising=False)
    return folder / "nim_of_others.md"


def install(
    monkeypatch: pytest.MonkeyPatch, folder: Path, code: str, group: str, name: str, kind: str
) -> None:
    """Install a module with one plug-in as a distribution of somebody else."""
    module = f"{name}_of_others"
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (folder / f"{module}.py").write_text(code)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {module}:{kind}\n")
    monkeypatch.syspath_prepend(str(folder))

"""The example in bots/README.md runs as it stands, installed by another package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import touchline.bots

README = Path(touchline.bots.__file__).with_name("README.md").read_text()
CODE, CHECK = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """Install the example as a package, and return the environment in which it is found."""
    (tmp_path / "careful_of_others.py").write_text(CODE)
    info = tmp_path / "careful_of_others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: careful-of-others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[touchline.bots]\ncareful = careful_of_others:Careful\n")
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def ran(environment: dict[str, str], *words: str) -> str:
    """Run Python and return what it prints."""
    command = [sys.executable, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_keeps_the_contract() -> None:
    """Both blocks run as they stand."""
    namespace: dict[str, Any] = {"__name__": "careful_of_others"}
    exec(CODE + CHECK, namespace)


def test_the_example_plays(installed: dict[str, str]) -> None:
    """It is found by its name, with its options."""
    words = ("-m", "touchline", "play", "hexapawn", "careful:slack=1", "random", "--seed", "1", "--json")
    assert json.loads(ran(installed, *words))["result"]["verdict"] == "finished"


def test_the_example_is_offered_by_its_strength(installed: dict[str, str]) -> None:
    """It stands between the others, and is not taken for the strongest."""
    code = """
from touchline.bots.shared import factory
print(*(factory.label(name, level.options) for name, level, _ in factory.opponents("fish")))
print(factory.strongest("fish"), factory.strongest(None))
"""
    offered, strongest = ran(installed, "-c", code).splitlines()
    assert offered.split()[:4] == ["random", "careful:slack=1", "careful", "greedy"]
    assert strongest == "shark mcts"

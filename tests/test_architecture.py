"""The architecture page names files that exist, and the layers that are checked."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "touchline"
PAGE = (ROOT / "docs" / "architecture.md").read_text()
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LAYERS: list[str] = next(one["layers"] for one in CONTRACTS if one["name"] == "Layers")


def test_every_file_that_the_page_names_exists() -> None:
    named = re.findall(r"`([a-z_]+(?:/[a-z_]+)+\.(?:py|js))`", PAGE)
    assert len(named) > 30
    assert [file for file in named if not (SOURCE / file).is_file()] == []


def test_every_room_is_on_the_page() -> None:
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    table = PAGE[PAGE.index("## The rooms") : PAGE.index("## Who may import whom")]
    assert rooms == {room for room in rooms if f"`{room}/`" in table}


def test_the_page_shows_the_layers_that_are_checked() -> None:
    assert f"```text\n{chr(10).join(LAYERS)}\n```" in PAGE
    assert len(LAYERS) <= 13


def test_the_top_level_holds_rooms_only() -> None:
    assert {path.name for path in SOURCE.glob("*.py")} == {"__init__.py", "__main__.py"}


IMPORT = re.compile(
    r"^\s*(?:from touchline((?:\.\w+)*) import ([\w, ()]+)|import touchline((?:\.\w+)+))", re.MULTILINE
)


def test_a_private_module_is_imported_by_its_own_package_alone() -> None:
    strangers = []
    for path in SOURCE.rglob("*.py"):
        package = path.parent.relative_to(SOURCE).as_posix()
        for room, names, whole in IMPORT.findall(path.read_text()):
            dotted = [*(room or whole).split(".")[1:], *re.findall(r"(?<!as )(?<![\w.])_\w+", names)]
            private = next((at for at, part in enumerate(dotted) if re.match(r"_[a-z]", part)), None)
            if private is not None and not f"{package}/".startswith("/".join(dotted[:private]) + "/"):
                strangers.append((path.name, ".".join(dotted)))
    assert strangers == []


def test_few_attributes_are_looked_up_by_name() -> None:
    """A hook that may be missing belongs in a base class or a protocol."""
    looked_up = re.compile(r"\b(?:getattr|hasattr)\([^,()]+(?:\([^()]*\))?, *\"")
    found = [path.name for path in SOURCE.rglob("*.py") for _ in looked_up.findall(path.read_text())]
    assert len(found) <= 10, found

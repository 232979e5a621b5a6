"""The schema of the native dialect is what its types say today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("schema", ROOT / "scripts" / "_schema.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_schema_is_fresh() -> None:
    """docs/wire/native.json is what scripts/schema would write."""
    assert (ROOT / "docs" / "wire" / "native.json").read_text() == script().text(), "run scripts/schema"


def test_the_schema_knows_every_word() -> None:
    """Each message has its tag, its fields and what it is for."""
    defs = script().schema()["$defs"]
    for word in (
        "Begin",
        "YourTurn",
        "Accepted",
        "Rejected",
        "Update",
        "Skipped",
        "Expelled",
        "Over",
        "Ready",
    ):
        assert defs[word]["description"]
        assert "type" in defs[word]["properties"]

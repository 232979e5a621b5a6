"""What is installed on a machine, as far as the result of a game depends on it: compared before a game.

A worker with another version of Touchline could play by other rules, or blame a player for its own failure.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from touchline.players.wasm import version as wasm_version

PACKAGE = Path(__file__).parents[1]


class Installation(Struct, frozen=True):
    """The versions on a machine."""

    touchline: str
    source: str
    """A hash of the source files: two working copies of one version may differ."""
    python: str
    wasmtime: str | None = None

    def __str__(self) -> str:
        return f"touchline {self.touchline} (source {self.source}), Python {self.python}"


@cache
def installed() -> Installation:
    """Return what is installed here, as it was when this process first asked."""
    try:
        version = metadata.version("touchline")
    except metadata.PackageNotFoundError:  # run from a source folder
        version = "unknown"
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Installation(version, _source_hash(PACKAGE), python, wasm_version())


def _source_hash(package: Path) -> str:
    """Return the first digits of a hash of the package's Python files."""
    whole = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        whole.update(path.relative_to(package).as_posix().encode() + b"\0")
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:12]


def difference(ours: Installation, theirs: Installation, *, modules: bool = False) -> str | None:
    """Return how two installations differ, in a sentence; None if games come out the same on both.

    `modules` says whether WebAssembly modules play: another runtime may count fuel in another way.

    >>> one = Installation("1.0", "aa", "3.11", "50.0")
    >>> difference(one, Installation("1.0", "aa", "3.11", None))
    >>> difference(one, Installation("1.0", "bb", "3.12", None))
    'it has touchline 1.0 (source bb), Python 3.12, the coordinator touchline 1.0 (source aa), Python 3.11'
    >>> difference(one, Installation("1.0", "aa", "3.11", None), modules=True)
    'it has wasmtime None, the coordinator 50.0'
    """
    if (ours.touchline, ours.source, ours.python) != (theirs.touchline, theirs.source, theirs.python):
        return f"it has {theirs}, the coordinator {ours}"
    if modules and ours.wasmtime != theirs.wasmtime:
        return f"it has wasmtime {theirs.wasmtime}, the coordinator {ours.wasmtime}"
    return None

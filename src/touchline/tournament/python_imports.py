"""Find the modules beside a Python file that it imports, so that they travel with it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_SOURCE = 1 << 20
"""The most bytes of a source file that is searched for imports."""


def imported_beside(file: Path) -> list[Path]:
    """Return the modules and packages in the folder of a Python file that it imports, also indirectly.

    A package is named by its folder. Source that cannot be read or parsed imports nothing.
    """
    found: dict[Path, None] = {}
    unread = [file]
    while unread:
        for name in sorted({*_imports(unread.pop())}):
            for path in (file.parent / f"{name}.py", file.parent / name):
                if path in found or path == file or not path.exists():
                    continue
                found[path] = None
                unread += [path] if path.is_file() else sorted(path.rglob("*.py"))
                break
    return [*found]


def _imports(file: Path) -> Iterator[str]:
    """Iterate over the top-level names of the modules that a file imports."""
    try:
        if file.stat().st_size > MOST_SOURCE:
            return
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]

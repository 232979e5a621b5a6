"""Find the art of a game for a page: one JavaScript file beside the game's Python module."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

NO_ART = b"export {};\n"
"""The art module of a game without art: a page then draws the game from its sketch."""


def art_of(game: type) -> bytes:
    """Return the art of a game, ours or a third party's, as a JavaScript module."""
    file = _art_file(game.__module__)
    return file.read_bytes() if file.is_file() else NO_ART


def _art_file(module_name: str) -> Traversable:
    """Return the path: `<module>.js` beside the game's `<module>.py`, or within its package."""
    module = sys.modules[module_name]
    package, _, name = module.__name__.rpartition(".")
    if module.__spec__ is not None and module.__spec__.submodule_search_locations is not None:
        package = module.__name__
    if package:
        return resources.files(package) / f"{name}.js"
    return Path(module.__file__ or "").with_suffix(".js")

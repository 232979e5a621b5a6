"""Find the files that a game brings along, such as `fish.js` and `fish.md` beside `fish.py`."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def file_beside(game: type, suffix: str) -> Traversable:
    """Return the path: `<module><suffix>` beside the game's `<module>.py`, or within its package.

    >>> from touchline.games.fish import Fish
    >>> file_beside(Fish, ".md").name
    'fish.md'
    """
    module = sys.modules[game.__module__]
    package, _, name = module.__name__.rpartition(".")
    if module.__spec__ is not None and module.__spec__.submodule_search_locations is not None:
        package = module.__name__
    if package:
        return resources.files(package) / f"{name}{suffix}"
    return Path(module.__file__ or "").with_suffix(suffix)

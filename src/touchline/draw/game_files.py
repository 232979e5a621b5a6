"""Find the files that a game brings along, such as `fish.js` and `fish.md` beside `fish.py`."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from types import ModuleType


def file_beside(game: type, suffix: str) -> Traversable | None:
    """Return the file `<module><suffix>` beside the game's `<module>.py`; None if there is none.

    >>> from touchline.games.fish import Fish
    >>> file_beside(Fish, ".js").name
    'fish.js'
    """
    module = sys.modules.get(game.__module__)
    if module is None or vars(module).get("__file__") is None:
        return None  # defined in a notebook or by exec()
    found = _place(module, suffix)
    return found if found.is_file() else None


def file_name(game: type, suffix: str) -> str:
    """Return the name that a file beside a game has."""
    return f"{game.__module__.rpartition('.')[2]}{suffix}"


def _place(module: ModuleType, suffix: str) -> Traversable:
    package, _, name = module.__name__.rpartition(".")
    if module.__spec__ is not None and module.__spec__.submodule_search_locations is not None:
        package = module.__name__
    if package:
        return resources.files(package) / f"{name}{suffix}"
    return Path(module.__file__ or name).with_suffix(suffix)

"""Name -> class: the house's own by the name of their file, everybody else's by an entry point.

A file `games/fish.py` that defines `Fish` is the game `fish`; there is no list to edit. Another package
adds a game of its own under the entry-point group `touchline.games`. Law of this file: nothing is
imported before it is asked for by name.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any

from touchline.errors import BadOptions, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint
    from types import ModuleType

    from touchline.rules import Game


@cache
def _ours(kind: str) -> tuple[str, ...]:
    folder = importlib.import_module(f"touchline.{kind}").__path__
    found = (module.name for module in pkgutil.iter_modules(folder) if not module.name.startswith("_"))
    return tuple(name for name in found if name != "base")


def _theirs(kind: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # takes longer to import than all the rest here

    return {point.name: point for point in entry_points(group=f"touchline.{kind}")}


def names(kind: str) -> list[str]:
    """What is installed of a kind: `games`, `bots`.

    >>> names("games")[:3]
    ['fish', 'hexapawn', 'labyrinth']
    """
    return sorted({*_ours(kind), *_theirs(kind)})


def find(kind: str, name: str) -> Any:
    """The class of that name. The house's own names cannot be taken by others."""
    if name in _ours(kind):
        module = importlib.import_module(f"touchline.{kind}.{name}")
        return getattr(module, "".join(part.capitalize() for part in name.split("_")))
    if name in (theirs := _theirs(kind)):
        return theirs[name].load()
    raise UnknownName(f"no {kind.removesuffix('s')} is called {name!r}; there are: {', '.join(names(kind))}")


def dialects() -> list[str]:
    """The dialects that are installed.

    >>> "native" in dialects()
    True
    """
    return [name.replace("_", "-") for name in names("dialects")]


def dialect(name: str) -> ModuleType:
    """The module of a dialect: its `DIALECT` is the referee's side, its `FACE` the player's.

    >>> dialect("native").DIALECT.__name__
    'Native'
    """
    file = name.replace("-", "_")
    if name in dialects():
        if file in _ours("dialects"):
            return importlib.import_module(f"touchline.dialects.{file}")
        module: ModuleType = _theirs("dialects")[file].load()
        return module
    raise UnknownName(f"no dialect is called {name!r}; there are: {', '.join(dialects())}")


def game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """A game with its options, which may be given as text.

    >>> game("hexapawn", {"rows": "3", "cols": 3})
    Hexapawn(rows=3, cols=3)
    """
    import msgspec

    kind: type[Game] = find("games", name)
    known = {field.name for field in msgspec.structs.fields(kind)}  # type: ignore[arg-type]
    if strange := sorted(set(options or {}) - known):
        raise BadOptions(f"{name} has no option {strange[0]!r}; it has: {', '.join(sorted(known))}")
    try:
        return msgspec.convert(options or {}, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadOptions(f"{name}: {error}") from None

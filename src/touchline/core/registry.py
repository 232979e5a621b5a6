"""Name -> class: the house's own by the name of their file, everybody else's by an entry point.

A file `games/fish.py` that defines `Fish` is the game `fish`; there is no list to edit. Another package
adds a game of its own under the entry-point group `touchline.games`. The same goes for what is in `bots/`,
`dialects/` and `tournament/formats/`. Law of this file: nothing is imported before it is asked for by name.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

from touchline.core.errors import BadOptions, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect

FOLDERS = {"formats": "touchline.tournament.formats"}
"""Where a kind is kept, if not in the folder of its name."""


def _folder(kind: str) -> str:
    return FOLDERS.get(kind, f"touchline.{kind}")


@cache
def _ours(kind: str) -> dict[str, str]:
    """Name -> module of our own. A room may name its files otherwise than users know them, in `NAMES`."""
    room = importlib.import_module(_folder(kind))
    files = (module.name for module in pkgutil.iter_modules(room.__path__) if not module.ispkg)
    known = {file: name for name, file in vars(room).get("NAMES", {}).items()}
    return {
        known.get(file, file): f"{room.__name__}.{file}"
        for file in files
        if file != "base" and not file.startswith("_")
    }


def _theirs(kind: str) -> dict[str, EntryPoint]:
    return _installed(kind, tuple(sys.path))


@cache
def _installed(kind: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """What packages on this path add: to look takes milliseconds."""
    from importlib.metadata import entry_points  # takes longer to import than all the rest here

    return {point.name: point for point in entry_points(group=f"touchline.{kind}")}


def names(kind: str) -> list[str]:
    """What is installed of a kind: `games`, `bots`, `formats`.

    >>> names("games")[:3]
    ['fish', 'hexapawn', 'labyrinth']
    """
    return sorted({*_ours(kind), *_theirs(kind)})


def find(kind: str, name: str) -> Any:
    """The class of that name. The house's own names cannot be taken by others."""
    if name in _ours(kind):
        module = importlib.import_module(_ours(kind)[name])
        file = module.__name__.rpartition(".")[2]
        return vars(module)["".join(part.capitalize() for part in file.split("_"))]
    if name in (theirs := _theirs(kind)):
        return theirs[name].load()
    raise UnknownName(f"no {kind.removesuffix('s')} is called {name!r}; there are: {', '.join(names(kind))}")


def dialects() -> list[str]:
    """The dialects that are installed.

    >>> "native" in dialects()
    True
    """
    return [name.replace("_", "-") for name in names("dialects")]


def dialect(name: str) -> type[Dialect]:
    """Return the class of a dialect: the referee's side; its `face` is the player's.

    >>> dialect("native").__name__, dialect("native").face.__name__
    ('Native', 'Face')
    """
    file, kind = name.replace("-", "_"), "dialects"
    if name in dialects():
        if file in _ours(kind):
            found: type[Dialect] = importlib.import_module(_ours(kind)[file]).DIALECT
        else:
            found = _theirs(kind)[file].load()
        return found
    raise UnknownName(f"no dialect is called {name!r}; there are: {', '.join(dialects())}")


def game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """A game with its options, which may be given as text.

    >>> game("hexapawn", {"rows": "3", "cols": 3})
    Hexapawn(rows=3, cols=3)
    """
    made: Game = _with_options(find("games", name), name, options or {})
    return made


def format(name: str, options: Mapping[str, Any] | None = None) -> Any:
    """A format of tournaments with its options; a hyphen in its name is as good as an underscore.

    >>> format("round-robin", {"seats": 3})
    RoundRobin(seats=3, rounds=1, games=1, paired=True, seed=0)
    """
    return _with_options(find("formats", name.replace("-", "_")), name, options or {})


def _with_options(kind: Any, name: str, options: Mapping[str, Any]) -> Any:
    import msgspec

    known = {field.name for field in msgspec.structs.fields(kind)}
    if strange := sorted(set(options) - known):
        it_has = f"it has: {', '.join(sorted(known))}" if known else "it has none"
        raise BadOptions(f"{name} has no option {strange[0]!r}; {it_has}")
    try:
        return msgspec.convert(options, kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadOptions(f"{name}: {error}") from None

"""Find plug-ins by name: our own by file name, those of other packages by entry point.

A file `games/fish.py` that defines the class `Fish` is the game `fish`: there is no list to edit. Another
package adds a game under the entry point group `touchline.games`; it cannot take a name of ours. All kinds
of plug-ins work alike, and `KINDS` lists them.

Law of this file: a plug-in is imported when it is asked for by name, and not before.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from touchline.core.errors import BadOptions, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType

    from touchline.core.conduct import Conduct
    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect

T = TypeVar("T")

CLASS = "a class"
"""The default of `gives`: a plug-in is the class named like its file (`round_robin.py`: `RoundRobin`)."""


class Kind(Mapping[str, T]):
    """The plug-ins of one kind: a read-only mapping from name to plug-in.

    >>> list(GAMES)[:3], GAMES["fish"].__name__
    (['fish', 'hexapawn', 'labyrinth'], 'Fish')
    >>> FORMATS["round-robin"] is FORMATS["round_robin"]  # a hyphen and an underscore are the same
    True
    >>> GAMES["ludo"]
    Traceback (most recent call last):
    ...
    touchline.core.errors.UnknownName: no game is called 'ludo'; there are: fish, hexapawn, labyrinth
    """

    def __init__(
        self, plural: str, *, room: str = "", one: str = "", gives: str = CLASS, joined_by: str = "_"
    ) -> None:
        """Define a kind. `room` is the package of our own plug-ins; `joined_by` joins the words of a name.

        `gives` says where a module keeps its plug-in: CLASS, or the name of a constant.
        """
        self.plural, self.one = plural, one or plural.removesuffix("s")
        self.group = f"touchline.{plural}"
        """The entry point group for plug-ins of other packages."""
        self.room = room or self.group
        self._gives, self._joined_by = gives, joined_by

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self.ours(), *self._theirs()}))

    def __len__(self) -> int:
        return len({*self.ours(), *self._theirs()})

    def __contains__(self, name: object) -> bool:
        known = self._canonical(name) if isinstance(name, str) else ""
        return known in self.ours() or known in self._theirs()

    def __getitem__(self, name: str) -> T:
        known = self._canonical(name)
        if known in (ours := self.ours()):
            found: T = self._of_module(importlib.import_module(ours[known]))
            return found
        if known in (theirs := self._theirs()):
            return self._loaded(theirs[known])
        raise UnknownName(f"no {self.one} is called {name!r}; there are: {', '.join(self)}")

    def __hash__(self) -> int:
        return hash(self.plural)

    def __eq__(self, other: object) -> bool:
        return self is other

    def ours(self) -> dict[str, str]:
        """Return our own plug-ins: name -> module."""
        return _files(self.room, self._joined_by)

    def _theirs(self) -> dict[str, EntryPoint]:
        return {
            self._canonical(name): point for name, point in _installed(self.group, tuple(sys.path)).items()
        }

    def _canonical(self, name: str) -> str:
        return _spelled(name, self._joined_by)

    def _of_module(self, module: ModuleType) -> Any:
        if self._gives != CLASS:
            return vars(module)[self._gives]
        file = module.__name__.rpartition(".")[2]
        return vars(module)["".join(part.capitalize() for part in file.split("_"))]

    def _loaded(self, point: EntryPoint) -> T:
        """Load a plug-in of another package. UnknownName says what is wrong, and where it comes from."""
        try:
            found: T = point.load()
        except Exception as error:
            raise self._unfit(point, f"cannot be loaded: {type(error).__name__}: {error}") from None
        wanted = type if self._gives == CLASS else object
        if not isinstance(found, wanted):
            raise self._unfit(point, f"is a {type(found).__name__}, not {self._gives}")
        return found

    def _unfit(self, point: EntryPoint, why: str) -> UnknownName:
        return UnknownName(f"the {self.one} {point.name!r} ({point.value}) {why}")


def _spelled(name: str, joined_by: str) -> str:
    return name.replace("-", "_").replace("_", joined_by)


@cache
def _files(room_name: str, joined_by: str) -> dict[str, str]:
    """Return name -> module. A package whose plug-in names are not its file names lists them in `NAMES`."""
    room = importlib.import_module(room_name)
    files = (module.name for module in pkgutil.iter_modules(room.__path__) if not module.ispkg)
    known = {file: name for name, file in vars(room).get("NAMES", {}).items()}
    return {
        _spelled(known.get(file, file), joined_by): f"{room_name}.{file}"
        for file in files
        if file != "base" and not file.startswith("_")
    }


@cache
def _installed(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Return the entry points on this path. The result is cached, because a search takes milliseconds."""
    from importlib.metadata import entry_points  # slower to import than all other modules here

    return {point.name: point for point in entry_points(group=group)}


GAMES: Kind[type[Game]] = Kind("games")
BOTS: Kind[Any] = Kind("bots")
"""A package above this one types its kind in its `base.py`: `BOTS: Kind[type[Bot]] = registry.BOTS`."""
DIALECTS: Kind[type[Dialect]] = Kind("dialects", gives="DIALECT", joined_by="-")
TRANSPORTS: Kind[Any] = Kind("transports")
CONDUCTS: Kind[Conduct] = Kind("conducts", gives="CONDUCT", joined_by="-")
FORMATS: Kind[Any] = Kind("formats", room="touchline.tournament.formats")
EXECUTORS: Kind[Any] = Kind("executors", room="touchline.tournament.executors")
LEDGERS: Kind[Any] = Kind("ledgers", room="touchline.tournament.ledger")

KINDS: dict[str, Kind[Any]] = {
    kind.plural: kind for kind in (GAMES, BOTS, DIALECTS, TRANSPORTS, CONDUCTS, FORMATS, EXECUTORS, LEDGERS)
}
"""All kinds of plug-ins, by their plural."""


def names(kind: str) -> list[str]:
    """Return the names of a kind, ours and those of other packages.

    >>> names("games")[:3]
    ['fish', 'hexapawn', 'labyrinth']
    """
    return [*KINDS[kind]]


def find(kind: str, name: str) -> Any:
    """Return the plug-in of that kind and name. UnknownName lists the available names.

    >>> find("games", "fish").__name__
    'Fish'
    """
    return KINDS[kind][name]


def dialects() -> list[str]:
    """Return the names of the dialects.

    >>> "native" in dialects()
    True
    """
    return [*DIALECTS]


def dialect(name: str) -> type[Dialect]:
    """Return the class of a dialect; its `face` is the player's side.

    >>> dialect("native").__name__
    'Native'
    """
    return DIALECTS[name]


def game(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """Return a game with its options, which may be given as text.

    >>> game("hexapawn", {"rows": "3", "cols": 3})
    Hexapawn(rows=3, cols=3)
    """
    made: Game = with_options(GAMES[name], name, options or {})
    return made


def format(name: str, options: Mapping[str, Any] | None = None) -> Any:
    """Return a tournament format with its options. What it is told about a cup, the cup fills in.

    >>> format("round-robin", {"seats": 3})
    RoundRobin(seats=3)
    """
    return with_options(FORMATS[name], name, options or {}, filled_in=("boards", "draw"))


def with_options(
    struct: type[T], name: str, options: Mapping[str, Any], *, filled_in: Collection[str] = ()
) -> T:
    """Return a msgspec struct made from options. BadOptions names the first invalid one.

    The fields that are `filled_in` by somebody else are no options.
    """
    import msgspec

    known = {*struct.__struct_fields__}.difference(filled_in)  # type: ignore[attr-defined]
    if strange := sorted(set(options) - known):
        it_has = f"it has: {', '.join(sorted(known))}" if known else "it has none"
        raise BadOptions(f"{name} has no option {strange[0]!r}; {it_has}")
    try:
        return msgspec.convert(options, struct, strict=False)
    except msgspec.ValidationError as error:
        raise BadOptions(f"{name}: {error}") from None

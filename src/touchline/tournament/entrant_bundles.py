"""What an entrant consists of: the files that its player's word names, as a bundle that can travel.

The bundle has the files and folders that the word names, the modules beside a Python file that it imports,
and what the entrant lists under `files`. If the named files lie in a sub-folder of the cup's folder that no
other entrant's files lie in, the bundle has that whole sub-folder.

Laws of this file: a bundle never holds the ledger, nor its salt; nothing of another entrant gets into it by
accident; and a path in a bundle does not say where the cup's folder is, so moving a cup changes no digest.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from touchline.bundles.bundle import MOST_BYTES, MOST_FILES, Bundle, BundleFile, bundled
from touchline.core.errors import BadInput
from touchline.players.by_name import WASM, dialect_of, is_program, without_dialect
from touchline.sandbox.visible import RUNTIME
from touchline.tournament.python_imports import imported_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from touchline.tournament.cup import Cup, Entrant

PROCESS = "process:"


class Named(NamedTuple):
    """A word of a player, split at the paths that it names."""

    texts: list[str]
    """The parts of the word: the path of a file, or the arguments of a command."""
    paths: dict[int, Path]
    """The paths that parts name, by the number of the part."""


class EntrantBundle(NamedTuple):
    """The files of an entrant."""

    player: str
    """The player's word, with paths that start at the unpacked bundle."""
    bundle: Bundle


class EntrantFiles:
    """The files of a cup's entrants. `hidden` are files that are in no bundle."""

    def __init__(self, cup: Cup, folder: Path, hidden: Iterable[Path] = ()) -> None:
        self._folder = Path(os.path.abspath(folder))
        self._never = {path.resolve() for path in hidden}
        self._named: dict[str, Named | BadInput] = {}
        self._owners: dict[Path, set[frozenset[Path]]] = {}
        """Who has files at or below a path. Entrants that name the same files count as one owner."""
        for entrant in cup.entrants:
            if is_program(entrant.player):
                self._find(entrant)

    def _find(self, entrant: Entrant) -> None:
        try:
            named = named_paths(entrant.player, self._folder)
        except BadInput as error:
            self._named[entrant.name] = error
            return
        self._named[entrant.name] = named
        owner = frozenset(path.resolve() for path in named.paths.values())
        for path in owner:
            for place in (path, *path.parents):
                self._owners.setdefault(place, set()).add(owner)

    def bundle_of(self, entrant: Entrant) -> EntrantBundle:
        """Return the bundle of an entrant that is a program.

        BadInput says which of its files are missing, too many or too large.
        """
        try:
            named = self._named[entrant.name]
            if isinstance(named, BadInput):
                raise named
            owner = frozenset(path.resolve() for path in named.paths.values())
            others = {path for path, owners in self._owners.items() if owners - {owner}}
            return _Collection(self._folder, self._never, others).bundle(entrant, named)
        except BadInput as error:
            raise BadInput(str(error), f"entrant {entrant.name}") from None


def entrant_bundles(cup: Cup, folder: Path, hidden: Iterable[Path] = ()) -> dict[str, EntrantBundle]:
    """Return the bundles of the entrants that are programs, by name. BadInput names a bad one."""
    files = EntrantFiles(cup, folder, hidden)
    return {one.name: files.bundle_of(one) for one in cup.entrants if is_program(one.player)}


def travelling(cup: Cup, bundles: Mapping[str, EntrantBundle]) -> Cup:
    """Return the cup as workers get it: the words of its players start at their unpacked bundles."""
    entrants = [
        replace(one, player=bundles[one.name].player) if one.name in bundles else one for one in cup.entrants
    ]
    return replace(cup, entrants=tuple(entrants))


def named_paths(word: str, folder: Path) -> Named:
    """Split a player's word at the files and folders that it names. BadInput if its own file is missing.

    >>> named_paths("process:no-such-interpreter --fast no_such_file", Path("/cup")).paths
    {}
    """
    bare = without_dialect(word)
    if bare.startswith(PROCESS):
        return _named_by_command(bare.removeprefix(PROCESS), folder)
    text = bare.removeprefix(WASM) if bare.startswith(WASM) else bare.partition(":")[0]
    path = Path(os.path.normpath(folder / text))
    if not path.is_file():
        raise BadInput(f"there is no file {text!r} in {folder}")
    return Named([text], {0: path})


def _named_by_command(command: str, folder: Path) -> Named:
    try:
        texts = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"{PROCESS}{command}: {error}") from None
    if not texts:
        raise BadInput("process: needs a command, as in process:./mybot")
    paths: dict[int, Path] = {}
    if os.sep in texts[0] and not _installed(Path(os.path.normpath(folder / texts[0]))):
        paths[0] = Path(os.path.normpath(folder / texts[0]))
        if not paths[0].is_file():
            raise BadInput(f"there is no file {texts[0]!r} in {folder}")
    for number, text in enumerate(texts[1:], 1):
        _, path = _path_in(text, folder)
        if path is not None:
            paths[number] = path
    return Named(texts, paths)


def _path_in(text: str, folder: Path) -> tuple[str, Path | None]:
    """Return the part of an argument that names something, as in `bot.py:Name` and `--net=net.bin`."""
    for part in (text, text.partition("=")[2], text.rpartition(":")[0]):
        path = Path(os.path.normpath(folder / part))
        try:
            if part and path.exists() and not _installed(path) and not _is_above(path, folder):
                return part, path
        except OSError:  # too long for a path
            continue
    return text, None


def _is_above(path: Path, folder: Path) -> bool:
    """Return whether a path is a folder that many things share: it cannot travel as a whole."""
    shared = (folder.parent, Path(tempfile.gettempdir()), Path(os.path.expanduser("~")))
    return any(place.is_relative_to(path) for place in shared)


def _installed(path: Path) -> bool:
    """Return whether a path belongs to the system or to this Python, which every worker has its own of."""
    return str(path) == sys.executable or any(path.is_relative_to(place) for place in RUNTIME)


class _Collection:
    """Collects the files of one entrant."""

    def __init__(self, folder: Path, never: set[Path], others: set[Path]) -> None:
        """`others` are the paths at or below which other entrants have files."""
        self._folder, self._never, self._others = folder, never, others
        self._found: dict[str, Path] = {}
        self._size = 0

    def bundle(self, entrant: Entrant, named: Named) -> EntrantBundle:
        places = {number: self._place(path) for number, path in named.paths.items()}
        for number, path in named.paths.items():
            self._add(path, places[number])
            for beside in imported_beside(path) if path.suffix == ".py" else ():
                if beside.is_file() and beside.resolve() in self._others:
                    continue
                self._add(beside, places[number].parent / os.path.relpath(beside, path.parent))
        if (whole := self._own_folder(named)) is not None:
            self._add(whole, self._place(whole))
        for text in () if entrant.files is UNSET else entrant.files:
            path = Path(os.path.normpath(self._folder / text))
            if not path.exists() or not path.is_relative_to(self._folder):
                raise BadInput(f"files: there is no {text!r} below {self._folder}")
            self._add(path, self._place(path))
        files = [_read(name, path) for name, path in self._found.items()]
        return EntrantBundle(_word(entrant.player, named, places, self._folder), bundled(files))

    def _place(self, path: Path) -> PurePosixPath:
        """Return the path in the bundle: as below the cup's folder, or what follows the `..` of it."""
        parts = [part for part in Path(os.path.relpath(path, self._folder)).parts if part != ".."]
        below = PurePosixPath(*parts)
        return below if path.is_relative_to(self._folder) or len(parts) <= 2 else PurePosixPath(*parts[-2:])

    def _own_folder(self, named: Named) -> Path | None:
        """Return the sub-folder of the cup's folder that is this entrant's alone, if there is one."""
        paths = [*named.paths.values()]
        if not paths or not all(path.is_relative_to(self._folder) for path in paths):
            return None
        common = Path(os.path.commonpath([path if path.is_dir() else path.parent for path in paths]))
        alone = common.resolve() not in self._others
        return common if common != self._folder and alone else None

    def _add(self, path: Path, place: PurePosixPath) -> None:
        """Add a file, or the files in a folder."""
        if path.is_dir():
            for file in _walk(path):
                if file.resolve() not in self._others:
                    self._add_file(file, place / file.relative_to(path).as_posix())
        else:
            self._add_file(path, place)

    def _add_file(self, path: Path, place: PurePosixPath) -> None:
        real, name = path.resolve(), str(place)
        if path.is_relative_to(self._folder) and not real.is_relative_to(self._folder.resolve()):
            raise BadInput(f"{path} is a link that leads out of the cup's folder")
        if real in self._never:
            return
        known = self._found.setdefault(name, path)
        if known is not path and known.resolve() != real:
            raise BadInput(f"{known} and {path} have the same place {name!r} among its files: rename one")
        if len(self._found) > MOST_FILES:
            raise BadInput(f"it has more than {MOST_FILES:,} files in {self._folder}")
        self._size += path.stat().st_size if path.exists() else 0
        if self._size > 2 * MOST_BYTES:  # a file may be added twice
            raise BadInput(f"its files have more than {MOST_BYTES >> 20} MB: {path} is one of them")


def _walk(folder: Path) -> Iterator[Path]:
    """Iterate over the files in a folder, without dot files, compiled Python, and links that lead out."""
    real = folder.resolve()
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name != "__pycache__")
        for name in sorted(names):
            path = Path(place, name)
            if name[0] != "." and path.is_file() and path.resolve().is_relative_to(real):
                yield path


def _read(name: str, path: Path) -> BundleFile:
    try:
        return BundleFile(name, path.read_bytes(), bool(path.stat().st_mode & 0o111))
    except OSError as error:
        raise BadInput(error.strerror or str(error), str(path)) from None


def _word(word: str, named: Named, places: Mapping[int, PurePosixPath], folder: Path) -> str:
    """Return a player's word with its paths changed to their places in the bundle, where they differ."""
    texts = list(named.texts)
    for number, path in named.paths.items():
        part = _path_in(texts[number], folder)[0] if number else texts[number]
        if os.path.isabs(part) or not path.is_relative_to(folder):
            begin = "./" if number == 0 and without_dialect(word).startswith(PROCESS) else ""
            texts[number] = texts[number].replace(part, f"{begin}{places[number]}", 1)
    if texts == named.texts:
        return word
    spoken, bare = dialect_of(word), without_dialect(word)
    start = f"{spoken}+" if spoken else ""
    if bare.startswith(PROCESS):
        return f"{start}{PROCESS}{shlex.join(texts)}"
    if bare.startswith(WASM):
        return f"{start}{WASM}{texts[0]}"
    _, colon, name = bare.partition(":")
    return f"{start}{texts[0]}{colon}{name}"

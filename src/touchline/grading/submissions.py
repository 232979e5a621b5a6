"""What was handed in, and by whom: each path is one submission, or holds one in each of its entries."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.bundles.submissions import read_submission
from touchline.core.errors import BadInput, BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.bundles.store import BundleStore

MOST_SUBMISSIONS = 5_000
MOST_STUDENT = 200
"""Characters in the name of a student; the rest is cut off."""
UNREADABLE = "unreadable"


class HandedIn(Struct, frozen=True, kw_only=True):
    """A submission: whose it is, what starts it, and where its files are."""

    student: str
    digest: str
    """The hash of its files, or of the reason why it cannot be read."""
    player: str = ""
    folder: str = ""
    trouble: str = ""
    """Why it cannot be graded at all; empty if it can."""

    @property
    def folder_name(self) -> str:
        return folder_name(self.student)


def folder_name(student: str) -> str:
    """Return a safe folder name for a student; two students never share one.

    >>> folder_name("ann"), folder_name("../<b>")
    ('ann', 'b-9f46aef2')
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", student).strip("._-")[:60]
    if plain == student and plain.lower() == plain:
        return plain
    mark = hashlib.sha256(student.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{plain or 'student'}-{mark}"


def found_in(paths: Sequence[Path], *, each: bool) -> list[Path]:
    """Return the paths of the submissions; with `each`, those in the folders. BadOptions if there is none."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise BadInput("there is no such file or folder", str(path))
        if each and not path.is_dir():
            raise BadOptions(
                f"--each needs a folder that holds one submission per entry, and {path} is a file"
            )
        entries = sorted(path.iterdir()) if each else [path]
        found += [entry for entry in entries if not (each and entry.name.startswith("."))]
    if not 1 <= len(found) <= MOST_SUBMISSIONS:
        raise BadOptions(f"there are {len(found)} submissions; 1 to {MOST_SUBMISSIONS:,} can be graded")
    return found


def read_all(paths: Iterable[Path], store: BundleStore, *, links: bool = False) -> list[HandedIn]:
    """Read submissions and unpack them in a store. One that cannot be read has that as its trouble.

    Links are followed only with `links`: what a student handed in must not lead to files of the staff.
    """
    read: dict[str, HandedIn] = {}
    places: dict[str, Path] = {}
    for path in paths:
        name = student_of(path)
        if (other := places.setdefault(folder_name(name), path)) is not path:
            raise BadOptions(f"{path} and {other} would be the same student, {name!r}: rename one of them")
        read[name] = _linked(name) if path.is_symlink() and not links else _read(name, path, store)
    return [*read.values()]


def student_of(path: Path) -> str:
    """Return the name of a student: that of the file without its ending, or of the folder.

    >>> from pathlib import Path
    >>> student_of(Path("in/ann.zip")), student_of(Path("in/bob.lee/"))
    ('ann', 'bob.lee')
    """
    path = Path(os.path.abspath(path))  # without following links
    name = path.name if path.is_dir() or path.suffix not in (".zip", ".py", ".wasm") else path.stem
    return name.encode(errors="replace").decode()[:MOST_STUDENT] or "student"


def _linked(name: str) -> HandedIn:
    return _unusable(name, "it is a link; hand in the file or folder itself")


def _unusable(name: str, why: str) -> HandedIn:
    why = f"What was handed in cannot be used: {why}."
    return HandedIn(student=name, digest=hashlib.sha256(why.encode()).hexdigest(), trouble=why)


def _read(name: str, path: Path, store: BundleStore) -> HandedIn:
    try:
        found = read_submission(path)
    except BadInput as error:
        return _unusable(name, str(error).removeprefix(f"{path}: "))
    digest = store.put(found.bundle)
    return HandedIn(student=name, digest=digest, player=found.player, folder=str(store.folder_of(digest)))

"""The files that a program sees: its runtime, its own folder, and nothing of anybody else.

The own folder is the folder of the program, or of the script that an interpreter is given; other paths among
the arguments are shown, too. A folder that many things share, such as a home folder, is not shown as a whole:
of that the program sees only the files that its command names.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RUNTIME = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store")
SETTINGS = (
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "nsswitch.conf",
    "mono", "ssl/openssl.cnf",
)  # fmt: skip
"""What runtimes read in /etc. The settings of a JVM are there, too: `java*`."""
PARTS = ("bin", "lib", "lib32", "lib64", "libexec", "share", "include", "pyvenv.cfg")
"""What is shown of the folder that an interpreter is installed in; it may be somebody's home."""
SHIM_PARTS = ("shims", "versions", "version", "installs", "plugins", "pyenv.d", "rbenv.d", "nodenv.d", *PARTS)
"""What is shown of a version manager (pyenv, rbenv, nodenv, asdf); its programs are scripts in `shims`."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
PROCESS_FILES = (
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/filesystems",
    "/proc/version",
)
"""What a program sees of /proc where it has no /proc of its own."""
MOST_ENTRIES = 4096


class Visible(NamedTuple):
    """What a program sees, as absolute paths."""

    runtime: tuple[str, ...]
    own: tuple[str, ...]
    folder: str
    """Where it starts."""


def visible_to(
    command: Sequence[str], folder: Path, hidden: Iterable[Path] = (), whole: Path | None = None
) -> Visible:
    """Return what a program sees that is started with this command in `folder`.

    `hidden` are paths that it must not see although they lie in its folder: the programs of others, records.
    `whole` is a folder that is the program's own, of which it sees everything.
    """
    folder = folder.resolve()
    runtime = [path for path in RUNTIME if os.path.exists(path)] + _settings() + _our_python()
    program = shutil.which(command[0])
    if program is not None and not _is_own(command[0]):
        runtime += _installed(Path(program))
    own, start = _named(command, folder)
    if whole is not None:
        own, start = [whole.resolve(), *own], folder
    its_own = named_files(command, folder)
    hidden = [path.resolve() for path in hidden if path.resolve() not in its_own]
    shown = tuple(dict.fromkeys(path for one in own for path in _without(one, hidden)))
    return Visible(tuple(dict.fromkeys(runtime)), shown, str(start or folder))


def named_files(command: Sequence[str], folder: Path) -> list[Path]:
    """Return the files that a command names: the program itself or its script, and its arguments."""
    words = command if _is_own(command[0]) else command[1:]
    found = [_existing(word, folder.resolve()) for word in words]
    return [path for path in found if path is not None and path.is_file()]


def _settings() -> list[str]:
    names = [f"/etc/{name}" for name in SETTINGS]
    return [path for path in [*names, *map(str, Path("/etc").glob("java*"))] if os.path.exists(path)]


def _our_python() -> list[str]:
    """Return what a player in a Python file needs: this interpreter, its packages, and this package.

    Packages may lie anywhere on the interpreter's path; the current folder, which is on it too, is left out.
    """
    prefixes, here = {sys.prefix, sys.base_prefix}, Path.cwd()
    parts = [os.path.join(prefix, part) for prefix in prefixes for part in PARTS]
    for path in map(Path, sys.path):
        if path.is_absolute() and not here.is_relative_to(path) and not _shared(path):
            parts.append(str(path))
    packages = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), str(Path(__file__).parents[2])]
    found = [os.path.realpath(path) for path in parts] + parts + packages
    return [path for path in found if os.path.exists(path) and not _inside(path, RUNTIME)]


def _installed(program: Path) -> list[str]:
    """Return the parts of the folder that a program on the PATH is installed in, links followed."""
    found = []
    for path in (program, program.resolve()):
        if path.parent.name in ("bin", "shims"):
            parts = PARTS if path.parent.name == "bin" else SHIM_PARTS
            found += [str(path.parent.parent / part) for part in parts]
        else:
            found.append(str(path))
    return [path for path in found if os.path.exists(path) and not _inside(path, RUNTIME)]


def _named(command: Sequence[str], folder: Path) -> tuple[list[Path], Path | None]:
    """Return the paths that a command names, the program's own folder among them, and where to start it."""
    found: list[Path] = []
    script_found = _is_own(command[0])
    if script_found:
        found.append(_own_folder((folder / command[0]).resolve()))
    for word in command[1:]:
        path = _existing(word, folder)
        if path is None:
            continue
        if path.is_file() and not script_found:
            path, script_found = _own_folder(path), True
        if not _shared(path) or path.is_file():
            found.append(path)
    starts = [path for path in found if path.is_dir()]
    if any(_inside(str(folder), (str(path),)) for path in starts):
        return found, folder
    return found, starts[0] if starts else None


def _is_own(program: str) -> bool:
    """Return whether a command's first word is the player's own program, not an installed one."""
    return os.sep in program and program != sys.executable and not _inside(program, RUNTIME)


def _existing(word: str, folder: Path) -> Path | None:
    """Return the path that a word of a command names: `bot.py`, `bot.py:Name`, `--weights=net.bin`."""
    for text in (word, word.partition("=")[2], word.rpartition(":")[0]):
        try:
            if text and (folder / text).exists():
                return (folder / text).resolve()
        except OSError:  # too long for a path
            continue
    return None


def _own_folder(file: Path) -> Path:
    """Return the folder of a file, or the file itself if many things share that folder."""
    return file if _shared(file.parent) else file.parent


def _shared(path: Path) -> bool:
    home, temporary = Path(os.path.expanduser("~")), Path(tempfile.gettempdir()).resolve()
    return path in (home, temporary, *home.parents, *temporary.parents) or _inside(str(path), RUNTIME)


def _inside(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in folders)


def _without(path: Path, hidden: Sequence[Path]) -> list[str]:
    """Return the path, or its entries but the hidden ones if something in it is hidden."""
    if path in hidden:
        return []
    if not any(path in one.parents for one in hidden):
        return [str(path)]
    entries = sorted(path.iterdir())[:MOST_ENTRIES]
    return [shown for entry in entries if not entry.is_symlink() for shown in _without(entry, hidden)]

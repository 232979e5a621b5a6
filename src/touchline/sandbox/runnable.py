"""Find out whether this machine can execute a program at all, before it starts in a cage.

Inside bubblewrap, a program that cannot be executed ends like one that has failed by itself, and whatever it
writes could be a lie. So this looks for what the kernel would need: the file, its interpreter, its kind.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from difflib import get_close_matches
from functools import cache
from itertools import islice
from pathlib import Path

HEAD = 256
"""Bytes of a program that the kernel looks at."""
ELF, SCRIPT = b"\x7fELF", b"#!"
INTERPRETERS = {".py": "python3", ".js": "node", ".mjs": "node", ".rb": "ruby", ".pl": "perl", ".sh": "sh"}
"""What runs a script, by the end of its name."""
COMPILED = (".c", ".cc", ".cpp", ".rs", ".go", ".java")
"""The ends of names of sources that must be compiled."""
MOST_NAMES = 1000
"""Entries of a folder that are looked at for a name like that of a missing file."""


def problem_with(command: str, written: str | None = None) -> str | None:
    """Return why a program cannot be executed on this machine; None if nothing speaks against it.

    `written` is the command as its user wrote it, for the advice.

    >>> problem_with("no-such-program"), problem_with("/bin/sh")
    ('there is no such program', None)
    """
    found = shutil.which(command)
    if found is None:
        return _missing(command, written or command)
    head = _head(found)
    if head.startswith(SCRIPT):
        return _problem_with_script(head)
    if head.startswith(ELF) and head[4:6] + head[18:20] != _machine():
        return "it is made for another kind of processor"
    if head and not head.startswith(ELF) and b"\0" not in head and os.sep in command:
        return f"it is a text without a first line that names its interpreter{_advice(found, written)}"
    return None


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(HEAD)
    except OSError:  # it may be executable and not readable
        return b""


def _missing(command: str, written: str) -> str:
    """Return why no program is found: there is none, or it must not be executed."""
    if os.sep not in command:
        hint = f"; for the one in this folder write ./{command}" if os.path.isfile(command) else ""
        return f"there is no such program{hint}"
    if os.path.isdir(command):
        return "it is a folder"
    if not os.path.isfile(command):
        return f"there is no such program{beside(Path(command))}"
    head = _head(command)
    advice = "" if head.startswith(ELF) else _advice(command, written)
    return f"it is not executable: run `chmod +x {shlex.quote(written)}`{advice}"


def _advice(path: str, written: str | None) -> str:
    """Return how to run a script without its first line, if the kind of script is known."""
    interpreter = INTERPRETERS.get(os.path.splitext(path)[1])
    if interpreter is None:
        return ""
    return f", or name the interpreter: 'process:{interpreter} {written or path}'"


def beside(path: Path) -> str:
    """Return a hint at files with names like that of a missing one, empty if there are none.

    >>> beside(Path("/no/such/folder/mybot"))
    ''
    """
    try:
        names = sorted(entry.name for entry in islice(os.scandir(path.parent), MOST_NAMES))
    except OSError:
        return ""
    sources = [name for name in names if os.path.splitext(name)[0] == path.name]
    built = next((name for name in sources if os.path.splitext(name)[1] in COMPILED), None)
    if built is not None:
        return f"; {built} is there: compile it first"
    near = sources or get_close_matches(path.name, names, n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _problem_with_script(head: bytes) -> str | None:
    """Return why the interpreter that a script names cannot run it."""
    try:
        words = shlex.split(os.fsdecode(head[2:].partition(b"\n")[0]))
    except ValueError:
        return None
    if not words or shutil.which(words[0]) is None:
        return _no_interpreter(words[0] if words else "")
    if os.path.basename(words[0]) == "env":
        named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if named and shutil.which(named[0]) is None:
            return _no_interpreter(named[0])
    return None


def _no_interpreter(name: str) -> str:
    return f"its interpreter {name!r} is missing: install it, or correct the first line of the script"


@cache
def _machine() -> bytes:
    """Return the class, byte order and processor of this Python, as the head of its file has them."""
    with open(os.path.realpath(sys.executable), "rb") as file:
        head = file.read(HEAD)
    return head[4:6] + head[18:20]

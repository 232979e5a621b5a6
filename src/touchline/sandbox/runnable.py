"""Find out whether this machine can execute a program at all, before it starts in a cage.

Inside bubblewrap, a program that cannot be executed ends like one that has failed by itself, and whatever it
writes could be a lie. So this looks for what the kernel would need: the file, its interpreter, its kind.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from functools import cache

HEAD = 256
"""Bytes of a program that the kernel looks at."""
ELF, SCRIPT = b"\x7fELF", b"#!"


def problem_with(command: str) -> str | None:
    """Return why a program cannot be executed on this machine; None if nothing speaks against it.

    >>> problem_with("no-such-program"), problem_with("/bin/sh")
    ('there is no such program', None)
    """
    found = shutil.which(command)
    if found is None:
        return "there is no such program"
    try:
        with open(found, "rb") as file:
            head = file.read(HEAD)
    except OSError:  # it may be executable and not readable
        return None
    if head.startswith(SCRIPT):
        return _problem_with_script(head)
    if head.startswith(ELF) and head[4:6] + head[18:20] != _machine():
        return "it is made for another kind of processor"
    return None


def _problem_with_script(head: bytes) -> str | None:
    """Return why the interpreter that a script names cannot run it."""
    try:
        words = shlex.split(os.fsdecode(head[2:].partition(b"\n")[0]))
    except ValueError:
        return None
    if not words or shutil.which(words[0]) is None:
        return f"its interpreter {words[0] if words else ''!r} is missing"
    if os.path.basename(words[0]) == "env":
        named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if named and shutil.which(named[0]) is None:
            return f"its interpreter {named[0]!r} is missing"
    return None


@cache
def _machine() -> bytes:
    """Return the class, byte order and processor of this Python, as the head of its file has them."""
    with open(os.path.realpath(sys.executable), "rb") as file:
        head = file.read(HEAD)
    return head[4:6] + head[18:20]

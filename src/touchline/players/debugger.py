"""Debug a player in a Python file: the terminal becomes its stdin and stdout, so that `breakpoint()` works.

The protocol stays on the pipes, which are moved to other descriptors first.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

TERMINAL = "--terminal"


def debugging(terminal: tuple[int, int]) -> list[str]:
    """Return the arguments of `players/python_file.py` for a player that is debugged.

    >>> debugging((7, 8))
    ['--terminal', '7', '8']
    """
    return [TERMINAL, *map(str, terminal)]


def terminal_of(arguments: list[str]) -> tuple[int, int] | None:
    """Take the arguments of `debugging()` away from the end of these; None if they are not there.

    >>> terminal_of(["python_file", "mybot.py", "--terminal", "7", "8"])
    (7, 8)
    """
    if TERMINAL not in arguments[-3:-2]:
        return None
    given, output = arguments[-2:]
    del arguments[-3:]
    return int(given), int(output)


def own_terminal(terminal: tuple[int, int]) -> BinaryIO:
    """Make the terminal stdin, stdout and stderr; return the pipe that was stdin."""
    lines = os.fdopen(os.dup(0), "rb")
    given, output = terminal
    for ours, standard in ((given, 0), (output, 1), (output, 2)):
        os.dup2(ours, standard)
    for ours in terminal:
        os.close(ours)
    return lines


@contextmanager
def post_mortem(*, debugged: bool) -> Iterator[None]:
    """If the player fails while it is debugged, open the debugger where it failed."""
    try:
        yield
    except Exception as error:
        if not debugged:
            raise
        import pdb
        import traceback
        from bdb import BdbQuit

        if not isinstance(error, BdbQuit):
            traceback.print_exc()
            sys.stdout.write("the player has failed; `q` leaves the debugger, and the player is gone\n")
            pdb.post_mortem(error.__traceback__)
        sys.exit(1)

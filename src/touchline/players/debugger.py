"""The standard streams of a player in a Python file, and the debugger at a terminal.

The protocol comes over stdin and stdout. Before the player is loaded, these pipes are moved to other
descriptors: so the player can print, and where it is debugged the terminal is its stdin and stdout.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from io import TextIOWrapper
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


def own_streams(terminal: tuple[int, int] | None) -> BinaryIO:
    """Give the player streams of its own; return the pipe of the protocol, which was stdin.

    In a debugger they are the terminal. Else stdout goes to stderr, stdin is empty, and breakpoint() is
    ignored: input() and the debugger would read the protocol.
    """
    lines = os.fdopen(os.dup(0), "rb")
    given, output = (os.open(os.devnull, os.O_RDONLY), os.dup(2)) if terminal is None else terminal
    for ours, standard in ((given, 0), (output, 1), (output, 2)):
        os.dup2(ours, standard)
    os.close(given)
    os.close(output)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # so that a print() is seen when it is made
    if terminal is None:
        sys.breakpointhook = _ignored
    return lines


def _ignored(*_: object, **__: object) -> None:
    """Say once that breakpoint() needs `--debug`."""
    sys.breakpointhook = _silent
    where = sys._getframe(1)
    place = f"{os.path.basename(where.f_code.co_filename)}, line {where.f_lineno}"
    sys.stderr.write(f"{place}: breakpoint() is ignored; play with --debug SEAT to stop there\n")


def _silent(*_: object, **__: object) -> None:
    """Do nothing at a breakpoint."""


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

"""The last resort of the command line: an exception that nobody expected becomes one line and a file."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from typing import TYPE_CHECKING

from touchline.cli._terminal import echo
from touchline.core.errors import TouchlineError
from touchline.core.exit_codes import ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterator

TRACEBACK = "TOUCHLINE_TRACEBACK"
"""The environment variable that lets unexpected exceptions through, for developers."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
MOST_ERRORS = 5
"""Lines of a group of errors that are shown."""


def reported(error: Exception) -> int:
    """Say in a line what went wrong, and return the exit code.

    >>> reported(ExceptionGroup("both", [TouchlineError("no table"), TouchlineError("no seat")]))
    2
    """
    leaves = list(_leaves(error))
    if all(isinstance(leaf, TouchlineError) for leaf in leaves):
        for leaf in leaves[:MOST_ERRORS]:
            echo(f"Error: {leaf}", err=True)
        return max(leaf.exit_code for leaf in leaves if isinstance(leaf, TouchlineError))
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        close_output()
        where = f" {os.fsdecode(error.filename)}" if error.filename else " the output"
        echo(f"Error: cannot write{where}: {error.strerror}", err=True)
        return ExitCode.OURS
    if os.environ.get(TRACEBACK):
        raise error
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    echo(f"Error: an internal error of touchline, not of your input or a player: {what[:300]}", err=True)
    echo(f"  {_kept(error)}", err=True)
    return ExitCode.OURS


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors of a group, however deep; or the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for part in error.exceptions:
            yield from _leaves(part)
    else:
        yield error


def _kept(error: Exception) -> str:
    """Write the traceback to a file, and say where it is."""
    text = "".join(traceback.format_exception(error))
    try:
        number, path = tempfile.mkstemp(prefix="touchline-crash-", suffix=".txt")
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"touchline {' '.join(sys.argv[1:])}\nPython {sys.version}\n\n{text}")
    except OSError:
        return f"run it again with {TRACEBACK}=1 to see where"
    return f"the details are in {path}; please report it with that file"


def close_output() -> None:
    """Send what is still buffered for stdout nowhere: it cannot be written, and Python would try again."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):  # stdout is no file, as in a test
        return

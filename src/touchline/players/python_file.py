"""Run a player from a Python file: `python -m touchline.players.python_file FILE [DIALECT]`.

The file defines a class with a method `choose(view, turn)`, or with the methods of the dialect's note; if it
defines several, `FILE:NAME` selects one. The player's print() goes to stderr: stdout carries the protocol.
If the player fails, the last line on stderr says why, with the place in the player's own file.
With `--terminal IN OUT` the player is debugged: these descriptors are its stdin, stdout and stderr.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, cast

from touchline.core import registry
from touchline.core.errors import TouchlineError
from touchline.dialects import DEFAULT
from touchline.players.debugger import own_streams, post_mortem, terminal_of
from touchline.players.player_class import HostedPlayer, NoInput, loaded

if TYPE_CHECKING:
    from typing import BinaryIO, TextIO

    from touchline.dialects.base import Face


def serve(face: Face, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer the referee's frames until the match is over."""
    for line in lines:
        for frame in face.hear(line.rstrip(b"\r\n")):
            out.write(frame + b"\n")
            out.flush()
        if face.over:
            return


def main() -> None:
    out = os.fdopen(os.dup(1), "wb", closefd=False)  # its end must not be seen before that of the process
    terminal = terminal_of(sys.argv)
    lines = own_streams(terminal)  # from here on print() and other writes to stdout go to stderr
    path, stdin = sys.argv[1].partition(":")[0], sys.stdin
    if terminal is None:
        sys.stdin = cast("TextIO", NoInput(path))
    try:
        dialect = registry.dialect(sys.argv[2] if len(sys.argv) > 2 else DEFAULT)
        player: Any = HostedPlayer(loaded(sys.argv[1], dialect.face.asked), path)
        sys.stdin = stdin
        with post_mortem(debugged=terminal is not None):
            serve(dialect.face(player), lines, out)
    except TouchlineError as error:
        sys.exit(str(error))
    except Exception as error:
        from touchline.players.own_traceback import told_in_short  # lazy: a player must start fast

        sys.stdout.flush()
        sys.exit(told_in_short(error, path))


if __name__ == "__main__":
    main()

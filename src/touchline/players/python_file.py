"""Run a player from a Python file: `python -m touchline.players.python_file FILE [DIALECT]`.

The file defines a class with a method `choose(view, turn)`, or with the methods of the dialect's note; if it
defines several, `FILE:NAME` selects one. The player's print() goes to stderr: stdout carries the protocol.
With `--terminal IN OUT` the player is debugged: these descriptors are its stdin, stdout and stderr.
"""

from __future__ import annotations

import os
import runpy
import sys
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.errors import BadInput, TouchlineError
from touchline.dialects import DEFAULT
from touchline.players.coroutines import CoroutinePlayer
from touchline.players.debugger import own_streams, post_mortem, terminal_of

if TYPE_CHECKING:
    from typing import BinaryIO

    from touchline.dialects.base import Face


def loaded(source: str, asked: str = "choose") -> Any:
    """Return a new player from `FILE` or `FILE:NAME`: a class with a method `choose` or `asked`."""
    path, _, name = source.partition(":")
    if not os.path.exists(path):
        raise BadInput("there is no such file", path)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # so that it can import its neighbours
    found = runpy.run_path(path, run_name="touchline_player")
    players = {
        key: kind
        for key, kind in found.items()
        if isinstance(kind, type) and kind.__module__ == "touchline_player"
        if hasattr(kind, "choose") or hasattr(kind, asked)
    }
    method = "choose(view, turn)" if asked == "choose" else f"choose(view, turn) or {asked}"
    if name and name not in players:
        raise BadInput(f"there is no class {name!r} with a method {method}", path)
    if not name and len(players) != 1:
        if not players:
            raise BadInput(f"there is no class with a method {method}", path)
        first = next(iter(players))
        raise BadInput(
            f"it defines several players ({', '.join(players)}): choose one with {path}:{first}", path
        )
    return players[name or next(iter(players))]()


def serve(face: Face, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer the referee's frames until the match is over."""
    for line in lines:
        for frame in face.hear(line.rstrip(b"\r\n")):
            out.write(frame + b"\n")
            out.flush()
        if face.over:
            return


def main() -> None:
    out, terminal = os.fdopen(os.dup(1), "wb"), terminal_of(sys.argv)
    lines = own_streams(terminal)  # from here on print() and other writes to stdout go to stderr
    try:
        dialect = registry.dialect(sys.argv[2] if len(sys.argv) > 2 else DEFAULT)
        player = loaded(sys.argv[1], dialect.face.asked)
    except TouchlineError as error:
        sys.exit(str(error))
    with post_mortem(debugged=terminal is not None):
        serve(dialect.face(CoroutinePlayer(player)), lines, out)


if __name__ == "__main__":
    main()

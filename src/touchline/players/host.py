"""Run a Python file with a player in it as a program: `python -m touchline.players.host FILE`.

The file has a class with a method `choose(view, turn)`; if it has several, `FILE:NAME` names one. What the
player prints goes to stderr, for stdout belongs to the protocol.
"""

from __future__ import annotations

import os
import runpy
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from touchline import registry
from touchline.dialects.native import Begin, Expelled, Over, Ready, Said, YourTurn
from touchline.errors import BadInput

if TYPE_CHECKING:
    from typing import BinaryIO

    from touchline.rules import Game


def loaded(source: str) -> Any:
    """A new player from `FILE` or `FILE:NAME`."""
    path, _, name = source.partition(":")
    if not os.path.exists(path):
        raise BadInput("there is no such file", path)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))  # it may import what lies beside it
    found = runpy.run_path(path, run_name="touchline_player")
    players = {
        key: kind
        for key, kind in found.items()
        if isinstance(kind, type) and kind.__module__ == "touchline_player" and hasattr(kind, "choose")
    }
    if name and name not in players:
        raise BadInput(f"there is no class {name!r} with a method choose(view, turn)", path)
    if not name and len(players) != 1:
        many = f"several ({', '.join(players)}): name one, as {path}:NAME" if players else "no class"
        raise BadInput(f"there is {many} with a method choose(view, turn)", path)
    return players[name or next(iter(players))]()


class Answer(msgspec.Struct, tag="act"):
    turn: int
    move: Any


def serve(player: Any, lines: BinaryIO, out: BinaryIO) -> None:
    """Answer the referee until its last word."""
    decode = msgspec.json.Decoder(Said).decode
    encode = msgspec.json.Encoder().encode
    game: Game | None = None
    for line in lines:
        try:
            said = decode(line)
        except msgspec.ValidationError:
            continue  # a word that we do not know: there may be more of them some day
        match said:
            case YourTurn(turn, _, position):
                assert game is not None
                view = game.restore(msgspec.convert(position, game.Position))
                out.write(encode(Answer(turn, player.choose(view, turn))) + b"\n")
                out.flush()
            case Begin(game=name, options=options):
                game = registry.game(name, options)
                out.write(encode(Ready()) + b"\n")
                out.flush()
            case Over() | Expelled():
                return


def main() -> None:
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # from here on print() and whatever else writes to stdout goes to stderr
    try:
        player = loaded(sys.argv[1])
    except BadInput as error:
        sys.exit(str(error))
    serve(player, sys.stdin.buffer, out)


if __name__ == "__main__":
    main()

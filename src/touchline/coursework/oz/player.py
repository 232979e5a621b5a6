"""The note's sample player, which always makes its first legal move."""

from __future__ import annotations

from touchline.coursework.oz import board as boards
from touchline.coursework.oz.ports import Port
from touchline.dialects.hexapawn_ports import PLAYERS
from touchline.dialects.notation.oz import Atom, Record

NIL = Atom("nil")


def create_player(player_type: str, referee_port: Port) -> Port:
    """ "This function returns the port that should be given to the `Referee`".

    `player_type` is "p1" or "p2"; `referee_port` may be an unbound variable.
    """
    if player_type not in PLAYERS:
        raise ValueError(f"a player is p1 or p2, not {player_type!r}")

    def receive(message: object) -> None:
        match message:
            case Record(label="request", fields={"board": board}):
                moves = boards.valid_moves_for(player_type, board)
                referee_port.send(moves[0] if moves else NIL)

    return Port(receive)

"""The note's referee: the referee of this package behind ports.

Law of this file: it decides nothing. The dialect reads what arrives at a port, and words what the referee
tells a seat; the conduct is the note's. There is no clock: as in the note, a player may take forever.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from touchline.conducts.hexapawn_ports import CONDUCT as SEED_002
from touchline.core.clock import UNTIMED
from touchline.core.errors import BadOptions
from touchline.core.happenings import Heard, Tell
from touchline.core.messages import Garbled
from touchline.coursework.oz.ports import Port, Ports
from touchline.dialects.base import Exchange
from touchline.dialects.hexapawn_ports import HexapawnByPorts
from touchline.dialects.notation.oz import read, term, write
from touchline.drivers import match
from touchline.games.hexapawn import Hexapawn

if TYPE_CHECKING:
    from touchline.core.rules import Seat


def referee_for(p1: Port, p2: Port, rows: int, cols: int) -> Ports:
    """Start a match between two players, and return the ports to which they send their moves.

    "There will be sent a message to `P1` immediately": it has its first request when this returns. Raise
    BadOptions if there is no such board.
    """
    try:
        game = Hexapawn(rows=rows, cols=cols)
    except ValueError as error:
        raise BadOptions(str(error)) from None
    return _OzMatch(game, (p1, p2)).ports


class _OzMatch:
    """A match, and the ports of both players."""

    def __init__(self, game: Hexapawn, players: tuple[Port, Port]) -> None:
        spec = match.agreed(game, ("p1", "p2"), seed=0, conduct=SEED_002, limits=UNTIMED)
        self._players = players
        self._dialects = [HexapawnByPorts(game), HexapawnByPorts(game)]
        self._referee = match.referee_for(spec, match.opened(spec), talks=(0, 1))
        self.ports = Ports(Port(partial(self._hear, 0)), Port(partial(self._hear, 1)))
        self._happenings = Port(self._take)
        self._happenings.send(None)

    def _hear(self, seat: Seat, message: object) -> None:
        """Handle a message from a player: a term, or the text of one. The port identifies the seat."""
        try:
            frame = message.encode() if type(message) is str else write(term(message)).encode()
        except (TypeError, ValueError):
            self._exchanged(seat, Exchange((), [Garbled("neither a term nor the text of one")]))
        else:
            self._exchanged(seat, self._dialects[seat].hear(frame))

    def _take(self, happening: object) -> None:
        """Take one happening; answers that players send meanwhile are queued until all seats are told."""
        referee = self._referee
        for effect in referee.take(happening) if isinstance(happening, Heard) else referee.begin():
            if isinstance(effect, Tell):
                self._exchanged(effect.seat, self._dialects[effect.seat].say(effect.message))

    def _exchanged(self, seat: Seat, exchange: Exchange) -> None:
        for frame in exchange.frames:
            self._players[seat].send(read(frame.decode()))
        for said in exchange.said:
            self._happenings.send(Heard(seat, said))

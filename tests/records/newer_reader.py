"""Records of matches in given dialects, and a reader that accepts more than ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from players.tables import played
from touchline.core.clock import UNTIMED
from touchline.core.events import Begun, encode
from touchline.core.registry import CONDUCTS
from touchline.dialects.hexapawn_ports import HexapawnByPorts
from touchline.drivers.match import agreed
from touchline.games.hexapawn import Hexapawn
from touchline.players.in_dialect import InDialect
from touchline.records.rejudge import rejudge
from touchline.records.replay import Replay
from touchline.records.reread import Rereading, reread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Event
    from touchline.dialects.base import Dialect, Exchange

SMALL = Hexapawn(rows=4, cols=4)
CAPITALS = b"MOVE(F(1 1) T(2 1))"
"""A legal first move for a reader that does not mind capitals."""


def in_dialects(events: Sequence[Event], *dialects: str | None) -> Replay:
    """The record of a match in which the seats spoke these dialects."""
    begun, *rest = events
    assert isinstance(begun, Begun)
    lines = [encode(event) for event in (replace(begun, dialects=dialects), *rest)]
    return Replay(b"".join(line + b"\n" for line in lines), "this match")


def check_the_same(replay: Replay) -> Rereading:
    """Rereading changes nothing: no message, no verdict, no result."""
    again = reread(replay)
    assert again.readings == ()
    assert not rejudge(replay, rereading=again).changed
    return again


class Answers:
    """A face of seed 002 that answers each request with the next of these frames, then with legal moves."""

    def __init__(self, *frames: bytes) -> None:
        self._frames = list(frames)
        self._honest = HexapawnByPorts.face(self)

    def choose(self, view: Any, turn: int) -> Any:
        return view.legal_moves()[0]

    def hear(self, frame: bytes) -> list[bytes]:
        answer = self._honest.hear(frame)
        return [self._frames.pop(0)] if answer and self._frames else answer


def oz_match(*frames: bytes, conduct: str = "seed-002", dialect: type[Dialect] = HexapawnByPorts) -> Replay:
    """The record of a match in which seat 0 answers with these frames first."""
    players = [InDialect(face, dialect(SMALL)) for face in (Answers(*frames), Answers())]  # type: ignore[arg-type]
    spec = agreed(SMALL, ["anna", "bert"], 1, conduct=CONDUCTS[conduct], limits=UNTIMED)
    return in_dialects(played(spec, players).events, "seed-002", "seed-002")


class Newer(HexapawnByPorts):
    """A reader that also takes a move in capitals."""

    def hear(self, frame: bytes, waited: Micros = 0) -> Exchange:
        return super().hear(frame.lower() if frame.startswith(b"MOVE") else frame, waited)

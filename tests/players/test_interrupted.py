"""Who talks out of turn gives nobody more time."""

from __future__ import annotations

from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.drivers.match import agreed
from touchline.drivers.programs import play_local
from touchline.games.hexapawn import Hexapawn
from touchline.players.process import Program

READY = """read line; echo '{"type":"ready"}'; """
SLOW = (
    READY
    + """read line; sleep 0.7; echo '{"type":"act","turn":0,"move":{"from":[0,0],"to":[1,0]}}'; sleep 9"""
)
TALKATIVE = READY + "sleep 0.3; echo nonsense; sleep 9"


def test_an_interruption_does_not_stop_the_clock() -> None:
    """A seat with half a second is late after it, though another spoke in between."""
    programs = [Program(["sh", "-c", script]) for script in (SLOW, TALKATIVE)]
    limits = Limits(clock=Clock(micros(0.5)))
    try:
        result = play_local(
            agreed(Hexapawn(rows=3, cols=3), ["slow", "talkative"], 1, limits=limits), programs
        )
    finally:
        for program in programs:
            program.stop()
    assert [(fault.seat, fault.offence) for fault in result.faults] == [
        (1, Offence.OUT_OF_TURN),
        (0, Offence.LATE),
    ]

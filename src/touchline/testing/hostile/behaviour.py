"""The columns of the hostile corpus: what a behaviour is, where it applies, and what it must cost.

Law of this file: what is expected is data, and every cell has an expectation or a reason why it has none.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.testing.hostile.player import Moment, Phase, Script


class Wire(enum.Enum):
    """The transports of the corpus."""

    PROCESS = "process"
    TCP = "tcp"
    WS = "ws"


class Fate(enum.Enum):
    """What becomes of a player that commits no offence at a table."""

    UNPUNISHED = "unpunished"
    """It plays, or has played, to the end."""
    TURNED_AWAY = "turned away"
    """It never gets a seat."""


class Absent(Struct, frozen=True):
    """A cell that does not apply, and why."""

    why: str


Expected: TypeAlias = Offence | Fate | Absent

FREE, AWAY = Fate.UNPUNISHED, Fate.TURNED_AWAY
SILENT_SET_UP = frozenset({"seed-001", "seed-002"})
"""In these dialects nothing is asked before the first turn."""
OWES_AT_ONCE = frozenset({"seed-003"})
"""In these dialects the mover must acknowledge its own move, so a second answer is malformed."""


class But(Struct, frozen=True):
    """An exception to the expectations of a row; a condition that is empty holds everywhere."""

    expected: Expected
    why: str
    phases: tuple[Phase, ...] = ()
    wires: tuple[Wire, ...] = ()
    framings: tuple[str, ...] = ()
    """"lines", "values" or "messages": how the frames of a cell are separated."""
    dialects: frozenset[str] = frozenset()

    def holds(self, cell: Cell) -> bool:
        """Return whether this is about a cell."""
        return (
            (not self.phases or cell.phase in self.phases)
            and (not self.wires or cell.wire in self.wires)
            and (not self.framings or cell.framing in self.framings)
            and (not self.dialects or cell.dialect in self.dialects)
        )


class Behaviour(Struct, frozen=True, kw_only=True):
    """One row of the corpus."""

    name: str
    does: str
    """What it does, in one sentence."""
    act: Callable[[Moment], Script]
    """What it does instead of its honest answer."""
    sign_up: Expected = AWAY
    set_up: Expected
    turn: Expected
    end: Expected = FREE
    """After the last word nothing changes the result."""
    wires: frozenset[Wire] = frozenset(Wire)
    elsewhere: str = ""
    """Why it does not apply to other transports."""
    but: tuple[But, ...] = ()
    lies: bool = False
    """Whether its moves are illegal from this phase on."""
    harmful: bool = False
    """Whether it forks or floods, so that it runs as a process in namespaces only."""

    def at(self, phase: Phase) -> Expected:
        """Return what is expected in a phase, if no exception holds."""
        expected: Expected = getattr(self, phase.name.lower())
        return expected


class Cell(Struct, frozen=True):
    """A behaviour in a dialect, over a transport, in a phase."""

    behaviour: Behaviour
    dialect: str
    wire: Wire
    phase: Phase

    @property
    def framing(self) -> str:
        """How frames are separated here."""
        if self.wire is Wire.TCP:
            return registry.dialect(self.dialect).framing
        return "lines" if self.wire is Wire.PROCESS else "messages"

    @property
    def expected(self) -> Expected:
        """What the referee must make of it."""
        row = self.behaviour
        if self.wire not in row.wires:
            return Absent(row.elsewhere)
        if self.wire is Wire.PROCESS and self.phase is Phase.SIGN_UP:
            return Absent("a program is started and does not sign up")
        if self.phase is Phase.SET_UP and self.dialect in SILENT_SET_UP:
            return Absent("nothing is asked before the first turn")
        found = next((but.expected for but in row.but if but.holds(self)), row.at(self.phase))
        owes = self.phase is Phase.TURN and self.dialect in OWES_AT_ONCE
        return Offence.MALFORMED if found is Offence.OUT_OF_TURN and owes else found

    def __str__(self) -> str:
        return f"{self.behaviour.name} {self.dialect} {self.wire.value} {self.phase.value}"


# -- kinds of rows --------------------------------------------------------------------------------


def malformed(name: str, does: str, act: Callable[[Moment], Script], *but: But) -> Behaviour:
    """Return a row of words that cannot be read."""
    offence = Offence.MALFORMED
    return Behaviour(name=name, does=does, act=act, set_up=offence, turn=offence, but=but)


def late(name: str, does: str, act: Callable[[Moment], Script], *but: But) -> Behaviour:
    """Return a row of a player that does not answer in time."""
    return Behaviour(name=name, does=does, act=act, set_up=Offence.LATE, turn=Offence.LATE, but=but)


def flood(name: str, does: str, act: Callable[[Moment], Script], *but: But) -> Behaviour:
    """Return a row of a player that sends too much."""
    return Behaviour(name=name, does=does, act=act, set_up=Offence.FLOOD, turn=Offence.FLOOD, but=but)


def gone(name: str, does: str, act: Callable[[Moment], Script], *but: But) -> Behaviour:
    """Return a row of a player that goes away."""
    return Behaviour(name=name, does=does, act=act, set_up=Offence.GONE, turn=Offence.GONE, but=but)


def odd(name: str, does: str, act: Callable[[Moment], Script], *but: But) -> Behaviour:
    """Return a row of a player that is odd but honest."""
    return Behaviour(name=name, does=does, act=act, sign_up=FREE, set_up=FREE, turn=FREE, but=but)


def out_of_turn(name: str, does: str, act: Callable[[Moment], Script], *but: But) -> Behaviour:
    """Return a row of a player that speaks unasked."""
    offence = Offence.OUT_OF_TURN
    return Behaviour(name=name, does=does, act=act, set_up=offence, turn=offence, but=but)


def only(row: Behaviour, wires: set[Wire], why: str, *, harmful: bool = False) -> Behaviour:
    """Return the row for these transports only."""
    return replace(row, wires=frozenset(wires), elsewhere=why, harmful=harmful)

"""The hostile corpus in virtual time, and with real processes and sockets when slow.

What differs over WebSocket is the framing alone, so its cells are slow in virtual time, too.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from hostile.real_cells import wrong_apart, wrong_with
from players.survivors import APART, descriptors, needs
from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.testing.hostile import virtual
from touchline.testing.hostile.behaviour import Absent, Cell, Fate, Wire
from touchline.testing.hostile.player import Phase
from touchline.testing.hostile.table import BEHAVIOURS, cells
from touchline.testing.hostile.verdict import THINKS, problems

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUPS = [
    pytest.param(
        dialect,
        wire,
        phase,
        id=f"{dialect}-{wire.value}-{phase.value}",
        marks=[pytest.mark.slow] if wire is Wire.WS else [],
    )
    for dialect in registry.dialects()
    for wire in Wire
    for phase in Phase
    if any(not isinstance(cell.expected, Absent) for cell in cells(dialect, wire, phase))
]


def every_cell() -> Iterator[Cell]:
    for dialect in registry.dialects():
        for wire in Wire:
            for phase in Phase:
                yield from cells(dialect, wire, phase)


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged as an error, but for what an earlier test left to the garbage collector."""
    lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    return [line for line in lines if "never retrieved" not in line]


# -- the table --------------------------------------------------------------------------------------


def test_the_table_is_complete() -> None:
    """Every cell of behaviour, dialect, transport and phase has an expectation, or says why it has none."""
    assert len(BEHAVIOURS) >= 60
    assert len(registry.dialects()) >= 8
    applied = Counter[tuple[str, Wire]]()
    for cell in every_cell():
        if isinstance(cell.expected, Absent):
            assert cell.expected.why, cell
        else:
            applied[cell.behaviour.name, cell.wire] += 1
    for row in BEHAVIOURS.values():
        assert all(applied[row.name, wire] > 0 for wire in row.wires), row.name
        assert row.does.endswith(".")
        assert len(row.wires) == len(Wire) or row.elsewhere


def test_every_kind_of_offence_is_in_the_table() -> None:
    """All that a player can do wrong from outside is expected somewhere, and so are honest oddities."""
    expected = {cell.expected for cell in every_cell() if not isinstance(cell.expected, Absent)}
    outside = {*Offence} - {Offence.NOT_READING, Offence.REFUSED}
    named = {offence for offence in outside if offence.value not in {"limit", "starved"}}
    assert expected >= {*named, *Fate}


# -- in virtual time --------------------------------------------------------------------------------


@pytest.mark.parametrize(("dialect", "wire", "phase"), GROUPS)
def test_the_corpus_in_virtual_time(
    dialect: str, wire: Wire, phase: Phase, caplog: pytest.LogCaptureFixture
) -> None:
    """The verdict is what the conduct says, honest seats are unharmed and not charged, nothing is left."""
    before, ends = descriptors(), set()
    for cell in cells(dialect, wire, phase):
        if isinstance(cell.expected, Absent):
            continue
        played = virtual.play(cell)
        assert problems(cell, played, thinks=THINKS) == [], cell
        ends.add(str(played.result.outcome))
    assert phase is not Phase.END or len(ends) == 1, "what comes after the last word changes no result"
    assert descriptors() == before
    assert errors(caplog) == []


# -- for real ---------------------------------------------------------------------------------------


def real_cells(wire: Wire) -> Iterator[Cell]:
    """Each behaviour in each phase over a transport, in one dialect; which one changes from cell to cell."""
    dialects = registry.dialects()
    for number, row in enumerate(BEHAVIOURS.values()):
        for offset, phase in enumerate(Phase):
            turned = [*dialects[(number + 3 * offset) % 8 :], *dialects[: (number + 3 * offset) % 8]]
            some = (Cell(row, dialect, wire, phase) for dialect in turned)
            yield from [cell for cell in some if not isinstance(cell.expected, Absent)][:1]


PARTS = 3


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("wire", Wire, ids=lambda wire: wire.value)
def test_the_corpus_for_real(wire: Wire, part: int, caplog: pytest.LogCaptureFixture) -> None:
    """The same verdicts with real processes and sockets; no process, descriptor, task or zombie is left."""
    some = [cell for cell in real_cells(wire) if not cell.behaviour.harmful][part::PARTS]
    assert wrong_with(some) == []
    assert errors(caplog) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [row.name for row in BEHAVIOURS.values() if row.harmful])
def test_behaviours_that_fork_run_in_namespaces(name: str) -> None:
    """Those that leave children behind are played where these can do no harm; none of them is left."""
    for cell in real_cells(Wire.PROCESS):
        if cell.behaviour.name == name:
            assert wrong_apart(cell, needs(APART)) == [], cell


# -- as a program -----------------------------------------------------------------------------------


def test_the_program_lists_the_behaviours() -> None:
    """Without arguments it says how it is used, and which behaviours there are."""
    done = subprocess.run(
        [sys.executable, "-m", "touchline.testing.hostile"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert all(name in done.stdout for name in BEHAVIOURS)


@pytest.mark.parametrize(
    "words",
    [["silent"], ["nobody", "native", "turn"], ["silent", "esperanto", "turn"], ["silent", "native", "x"]],
)
def test_a_behaviour_that_does_not_exist(words: list[str]) -> None:
    """The program says what is wrong in a line, and exits with 2."""
    command = [sys.executable, "-m", "touchline.testing.hostile", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr

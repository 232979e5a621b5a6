"""Programs for the tests of processes, and what must be left of them."""

from __future__ import annotations

import sys
import textwrap
from typing import Any

from players.real_match import Report, rogue

HONEST = rogue("honest")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(code)]


def shell(code: str) -> list[str]:
    return ["sh", "-c", code]


def first_fault(report: Report, seat: int = 0) -> Any:
    assert report.result is not None
    return next(fault for fault in report.result.faults if fault.seat == seat)


def nothing_left(report: Report) -> bool:
    assert (report.left, report.descriptors, report.zombies) == ([], 0, 0)
    return True


def honest_won(report: Report, seat: int = 1) -> bool:
    """The honest seat won, nobody blames it, and nothing is left of the others."""
    assert report.result is not None
    assert not [fault for fault in report.result.faults if fault.seat == seat]
    assert seat not in report.result.expelled
    assert report.result.outcome is not None
    assert report.result.outcome.winners == (seat,)
    return nothing_left(report)

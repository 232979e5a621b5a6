"""Run a player of the hostile corpus as a process, or list the behaviours."""

from __future__ import annotations

import sys

from touchline.core.errors import TouchlineError
from touchline.testing.hostile.behaviour import Cell, Wire
from touchline.testing.hostile.player import Phase
from touchline.testing.hostile.table import BEHAVIOURS, script
from touchline.testing.scripts import enact

LIMIT, IN_TIME = 1.0, 0.2
"""The default time limit of an answer, and what is safely in time, in seconds."""
USAGE = """usage: python -m touchline.testing.hostile NAME DIALECT PHASE [LIMIT [IN_TIME]]

The player speaks the dialect on stdin and stdout, plays honestly up to the phase (set-up, turn or end), and
misbehaves there. LIMIT is the time limit of an answer in seconds, IN_TIME what is safely in time.
"""


def main(words: list[str]) -> int:
    """Run one of the players as a process."""
    if not words or words == ["--help"]:
        rows = "".join(f"{row.name:24} {row.does}\n" for row in BEHAVIOURS.values())
        sys.stdout.write(f"{USAGE}\n{rows}")
        return 0
    try:
        name, dialect, phase, *numbers = words
        limit, in_time = [*map(float, numbers), *(LIMIT, IN_TIME)[len(numbers) :]]
        cell = Cell(BEHAVIOURS[name], dialect, Wire.PROCESS, Phase(phase))
    except (ValueError, KeyError) as error:
        sys.stderr.write(f"{error}\n{USAGE}")
        return 2
    try:
        enact(script(cell, None, limit, in_time), lambda line: line.rstrip(b"\r\n"))
    except TouchlineError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

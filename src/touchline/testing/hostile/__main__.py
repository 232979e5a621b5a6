"""Run a player of the hostile corpus as a process, or list the behaviours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from touchline.core.errors import TouchlineError
from touchline.testing.hostile.behaviour import Cell, Wire
from touchline.testing.hostile.player import DialectPlayer, Phase, honest
from touchline.testing.hostile.table import BEHAVIOURS, script
from touchline.testing.scripts import enact

if TYPE_CHECKING:
    from touchline.testing.hostile.player import Script

LIMIT, IN_TIME = 1.0, 0.2
"""The default time limit of an answer, and what is safely in time, in seconds."""
USAGE = """usage: python -m touchline.testing.hostile NAME DIALECT PHASE [LIMIT [IN_TIME]]
       python -m touchline.testing.hostile honest DIALECT

The player speaks the dialect on stdin and stdout, plays honestly up to the phase (set-up, turn or end), and
misbehaves there; in the phase sign-up it does so at once. LIMIT is the time limit of an answer in seconds,
IN_TIME what is safely in time.
"""


def main(words: list[str]) -> int:
    """Run one of the players as a process."""
    if not words or words == ["--help"]:
        rows = "".join(f"{row.name:24} {row.does}\n" for row in BEHAVIOURS.values())
        sys.stdout.write(f"{USAGE}\n{rows}")
        return 0
    try:
        enact(_script(words), lambda line: line.rstrip(b"\r\n"))
    except (ValueError, KeyError) as error:
        sys.stderr.write(f"{error}\n{USAGE}")
        return 2
    except TouchlineError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _script(words: list[str]) -> Script:
    if words[:1] == ["honest"]:
        (dialect,) = words[1:]
        return honest(DialectPlayer(dialect))
    name, dialect, phase, *numbers = words
    limit, in_time = [*map(float, numbers), *(LIMIT, IN_TIME)[len(numbers) :]]
    return script(Cell(BEHAVIOURS[name], dialect, Wire.PROCESS, Phase(phase)), None, limit, in_time)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

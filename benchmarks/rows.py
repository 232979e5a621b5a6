"""Row protocol: a benchmark measures one contender at a time, for the process that started it.

With `--rows` a benchmark prints one JSON line with the names of its contenders and the file of the package
that it runs. It then reads the name of a contender from each line of stdin, measures it once and prints the
rates that it found as one JSON line, `{"row": rate, ...}`. It exits when stdin ends. `against.py` drives it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import TypeAlias

Measure: TypeAlias = Callable[[], Mapping[str, float]]
"""Measures one contender once: the rate of each of its rows, in units of work per second."""


def asked() -> bool:
    """Return whether this process speaks the row protocol."""
    return "--rows" in sys.argv


def serve(measures: Mapping[str, Measure]) -> None:
    """Measure what stdin names until it ends.

    The protocol keeps both streams to itself: a contender's child process can neither read nor write them.
    """
    commands, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    with commands, answers:
        package = sys.modules["touchline"].__file__
        print(json.dumps({"contenders": list(measures), "package": package}), file=answers, flush=True)
        for line in commands:
            print(json.dumps(dict(measures[line.rstrip("\n")]())), file=answers, flush=True)

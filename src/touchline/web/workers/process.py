"""A process that does one job after another for the page: `python -m touchline.web.workers.process`.

Each job comes on stdin as its length in four bytes and then itself; the answers go out by stdout in the same
way: `Started` when it begins to think, then what came of it. Law of this file: whatever a player prints goes
to stderr, and whatever a job raises is an answer.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, BinaryIO

from touchline.core.errors import TouchlineError
from touchline.web.workers import jobs

if TYPE_CHECKING:
    from collections.abc import Callable

NICE = 5
"""Those who serve everybody go first."""


def work(inlet: BinaryIO, outlet: BinaryIO) -> None:
    """Until there is nothing more to do."""

    def say(answer: jobs.Answer) -> None:
        packed = jobs.pack(answer)
        outlet.write(len(packed).to_bytes(4) + packed)
        outlet.flush()

    while len(head := inlet.read(4)) == 4:
        say(_answer(inlet.read(int.from_bytes(head)), lambda: say(jobs.Started())))


def _answer(packed: bytes, started: Callable[[], None]) -> jobs.Answer:
    try:
        return jobs.Done(jobs.pack(jobs.unpack_job(packed).done(started)))
    except TouchlineError as error:
        return jobs.Wrong(type(error).__name__, str(error))
    except Exception as error:
        return jobs.Wrong("", f"{type(error).__name__}: {error}")


def main() -> None:
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us ends us
    outlet = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        work(sys.stdin.buffer, outlet)
    except BrokenPipeError:
        os._exit(0)  # whoever started us has gone


if __name__ == "__main__":
    main()

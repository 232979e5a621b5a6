"""A worker process of the web server: `python -m touchline.web.workers.process NICE`.

It reads jobs from stdin, each with its length in four bytes before it, and writes answers to stdout in the
same way: `JobStarted` when it is ready for jobs, then for each job `JobStarted` when everything is imported,
and the result; `JobCompiling` while it compiles what the job needs, `JobProgress` now and then. Rules of this
file: what a player prints goes to stderr; an exception of a job is an answer.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, BinaryIO

from touchline.bots.shared import compile_progress
from touchline.core.errors import TouchlineError
from touchline.web.workers import job_progress, jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.bots.shared.compile_progress import Compiling


KERNEL = 0.7
"""Seconds that a kernel takes to compile, before the speed of this machine is known."""


class CompilingTold(compile_progress.CompileLog):
    """Logs that kernels are compiled, and tells the web server after each that the job has to wait."""

    def __init__(self, say: Callable[[float], None]) -> None:
        super().__init__()
        self._say = say

    def compiling(self, compiling: Compiling) -> None:
        super().compiling(compiling)
        if not compiling.over:
            left = compiling.of * KERNEL if compiling.left is None else compiling.left
            self._say(left)


def work(inlet: BinaryIO, outlet: BinaryIO) -> None:
    """Do jobs until the input ends."""

    def say(answer: jobs.JobAnswer) -> None:
        packed = jobs.pack(answer)
        outlet.write(len(packed).to_bytes(4) + packed)
        outlet.flush()

    compile_progress.listen(CompilingTold(lambda left: say(jobs.JobCompiling(left))))
    job_progress.listen(lambda done, of: say(jobs.JobProgress(done, of)))
    say(jobs.JobStarted())
    while len(head := inlet.read(4)) == 4:
        say(_answer(inlet.read(int.from_bytes(head)), lambda: say(jobs.JobStarted())))


def _answer(packed: bytes, started: Callable[[], None]) -> jobs.JobAnswer:
    try:
        return jobs.JobDone(jobs.pack(jobs.unpack_job(packed).done(started)))
    except TouchlineError as error:
        return jobs.JobRefused(type(error).__name__, str(error))
    except Exception as error:
        return jobs.JobRefused("", f"{type(error).__name__}: {error}")


def main() -> None:
    os.nice(int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process stops us
    outlet = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        work(sys.stdin.buffer, outlet)
    except BrokenPipeError:
        os._exit(0)  # the parent process is gone


if __name__ == "__main__":
    main()

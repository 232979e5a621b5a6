"""The processor time of a program and its children, and whether it had to wait for a processor.

The kernel counts both, so a program cannot forge them. Reading them costs a few microseconds in a turn.
"""

from __future__ import annotations

import os
from time import clock_gettime_ns, monotonic_ns

from touchline.sandbox import _watch

LONG_TURN = 10_000
"""A turn of more µs than this is worth a new look at the process tree."""
REFRESH_NS = 1_000_000_000
"""The process tree is looked at again after a second at the latest."""
LEAST_WAIT, MOST_CPU = 0.75, 0.25
"""A turn is starved if the program waited for a processor for most of it, and ran for little of it."""
TICK_MICROS = 1_000_000 // os.sysconf("SC_CLK_TCK")
_STEAL = 8
"""The column of `steal` in the first line of /proc/stat."""


def _clock_of(pid: int) -> int:
    """Return the id of the clock that counts the processor time of a process."""
    return (~pid << 3) | 2


class _Process:
    """One process of the tree: its processor clock, and its scheduler statistics, kept open."""

    def __init__(self, pid: int) -> None:
        self.pid, self._clock = pid, _clock_of(pid)
        self._statistics = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)

    def cpu(self) -> int:
        """Return the processor time in µs; OSError if the process has ended."""
        return clock_gettime_ns(self._clock) // 1000

    def waited(self) -> int:
        """Return the time in µs that its first thread was ready to run and had no processor."""
        return int(os.pread(self._statistics, 64, 0).split()[1]) // 1000

    def close(self) -> None:
        os.close(self._statistics)


class Usage:
    """The use of processors by the descendants of one process."""

    def __init__(self, root: int) -> None:
        """`root` is the supervisor of the program, which is not counted itself."""
        self._root = root
        self._processes: dict[int, _Process] = {}
        self._ended = 0
        """Processor time of processes that have ended, in µs."""
        self._looked_at = self._sampled_at = 0
        self._cpu_when_asked = self._waited_when_asked = 0
        self._stolen_when_asked: int | None = None
        """None in a turn soon after another: reading the stolen time in each would cost too much."""
        self._most = 0

    def first_process(self) -> int | None:
        """Return the id of the program's first process; None if the supervisor has not started it yet."""
        started = (pid for pid in _watch.tree(self._root) if not _watch.is_supervisor(pid))
        return next(started, None)

    def asked(self) -> None:
        """Begin to measure a turn."""
        now = monotonic_ns()
        if now - self._looked_at > REFRESH_NS:
            self._look()
        self._stolen_when_asked = None
        if now - self._sampled_at > REFRESH_NS:
            self._sampled_at, self._stolen_when_asked = now, _stolen()
        self._cpu_when_asked, self._waited_when_asked = self._cpu(), self._waited()

    def spent(self, took: int) -> int:
        """Return the processor time in µs since the program was asked, `took` µs ago."""
        if took > LONG_TURN:
            self._look()
        return max(0, self._cpu() - self._cpu_when_asked)

    def starved(self, took: int) -> bool:
        """Return whether the machine, not the program, was busy in the `took` µs since it was asked."""
        spent = self.spent(took)
        waited = self._waited() - self._waited_when_asked
        if self._stolen_when_asked is not None:
            waited += _stolen() - self._stolen_when_asked
        return spent < MOST_CPU * took and waited >= LEAST_WAIT * took

    def is_running(self) -> bool:
        """Return whether any process of the program runs, and has not begun to exit."""
        return any(_watch.state_of(pid) != "X" for pid in _watch.programs(self._root))

    def is_computing(self) -> bool:
        """Return whether the program uses a processor at this moment, or is ready to and has none."""
        return any(_watch.state_of(pid) == "R" for pid in _watch.programs(self._root))

    def close(self) -> None:
        """Close the files of /proc."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()

    def _cpu(self) -> int:
        try:
            total = self._ended + sum([process.cpu() for process in self._processes.values()])
        except OSError:
            self._look()
            total = self._most
        self._most = max(self._most, total)
        return self._most

    def _waited(self) -> int:
        try:
            return max([process.waited() for process in self._processes.values()], default=0)
        except (OSError, IndexError, ValueError):  # it has ended
            return 0

    def _look(self) -> None:
        """Look at the process tree again."""
        self._looked_at = monotonic_ns()
        now = {pid for pid in _watch.tree(self._root) if _watch.name_of(pid) != "bwrap"}
        for pid in [pid for pid in self._processes if pid not in now]:
            self._processes.pop(pid).close()
        for pid in now.difference(self._processes):
            try:
                self._processes[pid] = _Process(pid)
            except OSError:  # it has ended
                continue
        self._ended = TICK_MICROS * sum(_watch.ticks_of_children(pid) for pid in now)


def _stolen() -> int:
    """Return the time in µs that the hypervisor gave our processors to others, averaged over processors."""
    try:
        with open("/proc/stat") as file:
            return int(file.readline().split()[_STEAL]) * TICK_MICROS // (os.cpu_count() or 1)
    except (OSError, IndexError, ValueError):
        return 0

"""A program as a player: start it, exchange bytes over stdin and stdout, and end it with its descendants.

Law of this file: it decides nothing about a match; it carries bytes, keeps a bounded part of stderr, and
leaves no process behind. How the program is confined is in `touchline.sandbox`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import termios
from array import array
from time import monotonic
from typing import IO, TYPE_CHECKING, cast

from touchline.players.crash_report import crash_of
from touchline.sandbox.launch import NONE, Sandbox
from touchline.sandbox.start import CANNOT_START, discard, start
from touchline.sandbox.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from touchline.players.wasm import Meter

KEPT = 32 << 10
"""Bytes of stderr that are kept from the beginning, and as many from the end: enough for a traceback."""
READ = 64 << 10
"""Bytes per read: the capacity of a Linux pipe."""
LAST_RESORT = 2.0
"""Seconds that the supervisor has to kill all processes before it is killed itself."""
BURIAL = 2.0
"""Seconds that the supervisor of a program that has ended is waited for, on a busy machine."""
LAST_READS = 16
"""The most reads of stderr after the end, in case an escaped process keeps writing."""


SIGNALS = {
    signal.SIGSEGV: "it used memory that is not its own; gcc -g -fsanitize=address shows where",
    signal.SIGBUS: "it used memory that is not there",
    signal.SIGFPE: "an arithmetic error, such as a division by 0",
    signal.SIGILL: "an instruction that the processor does not have",
    signal.SIGABRT: "it aborted itself",
    signal.SIGPIPE: "it wrote to a closed pipe",
    signal.SIGSYS: "it made a system call that is not allowed",
    signal.SIGKILL: "perhaps by the system, for lack of memory",
}
"""What the signals that end programs mean."""

TOO_EARLY = ", as if the match were over: go on reading until the last message"


def in_words(code: int) -> str:
    """Return how a program ended, by its exit code; a signal is negative.

    >>> in_words(0), in_words(3)
    ('exited with 0, as if the match were over: go on reading until the last message', 'exited with 3')
    >>> in_words(-6)
    'was killed by signal 6 (SIGABRT: it aborted itself)'
    """
    if code >= 0:
        return f"exited with {code}{'' if code else TOO_EARLY}"
    try:
        known = signal.Signals(-code)
    except ValueError:
        return f"was killed by signal {-code}"
    meaning = f": {SIGNALS[known]}" if known in SIGNALS else ""
    return f"was killed by signal {-code} ({known.name}{meaning})"


class Notes:
    """The stderr output of a program: its beginning and its end."""

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self._all = 0

    def add(self, data: bytes) -> None:
        self._all += len(data)
        room = KEPT - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail = (self._tail + data)[-KEPT:]

    def text(self) -> str:
        left_out = self._all - len(self._head) - len(self._tail)
        middle = f"\n[... {left_out} bytes left out ...]\n".encode() if left_out else b""
        return (self._head + middle + self._tail).decode(errors="replace")


class Program:
    """A running program with non-blocking pipes."""

    meter: Meter | None = None
    """What reads the fuel in its lines, if its fuel is counted: `players/wasm.py`."""

    def __init__(self, command: Sequence[str], folder: Path | None = None, sandbox: Sandbox = NONE) -> None:
        """Start the command, in `folder` if one is given, confined as the sandbox says."""
        self.command = list(command)
        self.notes = Notes()
        self.broken: str | None = None
        """The limit that the program broke, if it was killed for that."""
        self.unstarted: str | None = None
        """Why the program could not be started on this machine, if it could not."""
        self.listener: Callable[[bytes], None] | None = None
        """What else gets the stderr output, as it is read: it must not block."""
        self.sandbox = sandbox
        self._supervisor, self._control, self._scratch = start(self.command, folder, sandbox)
        self.usage = Usage(self._supervisor.pid)
        self._frozen = False
        self._stopped = False
        self._leave_by: float | None = None
        pipes = (self._supervisor.stdin, self._supervisor.stdout, self._supervisor.stderr)
        self._stdin, self._stdout, self._stderr = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", pipes)
        self.stdin, self.stdout, self.stderr = (
            pipe.fileno() for pipe in (self._stdin, self._stdout, self._stderr)
        )
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)

    def write(self, data: bytes) -> int:
        """Write what the pipe takes now; return the number of bytes. BrokenPipeError if it is closed."""
        try:
            return os.write(self.stdin, data)
        except BlockingIOError:
            return 0

    def read(self) -> bytes | None:
        """Return new output of the program; None if there is none yet, b"" at EOF."""
        return _read(self.stdout)

    def unread(self) -> int:
        """Return the number of bytes that were written to the program, and that it has not read."""
        count = array("i", [0])
        try:
            fcntl.ioctl(self.stdin, termios.FIONREAD, count)
        except OSError:  # it is closed
            return 0
        return count[0]

    def drain(self) -> bytes | None:
        """Return new stderr output as `read` does, and add it to `notes`."""
        data = _read(self.stderr)
        if data:
            self.notes.add(data)
            if self.listener is not None:
                self.listener(data)
        return data

    def exit_code(self) -> int | None:
        """Return the exit code, negative for a signal; None while the program runs."""
        return self._supervisor.poll()

    def ending(self, seconds: float = 0.2) -> str:
        """Describe the program's end; wait `seconds` for it, because EOF comes before the exit."""
        self._await_exit(seconds)
        code = self.exit_code()
        if code is None:
            return "closed its output"
        self._read_report()
        if not self._stopped:
            self._drain_all()
        if self.unstarted is not None:
            return self.unstarted
        if self.broken is not None:
            return self.sandbox.broken(self.broken)
        crash = crash_of(self.notes.text()) if code else None
        return in_words(code) if crash is None else f"{in_words(code)}: {crash.line}"

    def _await_exit(self, seconds: float) -> None:
        """Wait `seconds` for the exit, and longer if all that is left of the program is its supervisor."""
        for limit in (seconds, BURIAL):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._supervisor.wait(limit)
                return
            if self.usage.is_running():
                return

    def process_id(self, seconds: float = 5.0) -> int | None:
        """Return the id of the program's first process, for a debugger; wait `seconds` for its start."""
        deadline = monotonic() + seconds
        while self.exit_code() is None and monotonic() < deadline:
            if (pid := self.usage.first_process()) is not None:
                return pid
            select.select([], [], [], 0.01)
        return None

    def let_think(self, thinks: bool) -> None:
        """Freeze the program with all its processes, or thaw it."""
        if self._frozen is thinks:
            self._frozen = not thinks
            with contextlib.suppress(OSError):  # it has ended
                self._control.send(b"t" if thinks else b"f")

    def hang_up(self) -> None:
        """Close the program's stdin."""
        with contextlib.suppress(OSError):
            self._stdin.close()

    def leave_within(self, seconds: float) -> None:
        """Set the deadline for the program's own exit, in seconds from now; later calls change nothing."""
        if self._leave_by is None:
            self._leave_by = monotonic() + seconds

    def kill(self) -> None:
        """Kill the program and all its descendants, without waiting for their end."""
        self.hang_up()
        self._read_report()
        self._control.close()

    def _read_report(self) -> None:
        """Read from the supervisor which limit the program broke, or why it could not be started."""
        if self._control.fileno() >= 0 and self.broken is None and self.unstarted is None:
            with contextlib.suppress(OSError):
                report = self._control.recv(READ).decode(errors="replace")
                if report.startswith(CANNOT_START):
                    self.unstarted = report.removeprefix(CANNOT_START)
                else:
                    self.broken = report or None

    def stop(self, grace: float = 0) -> None:
        """End the program: let it exit within `grace` seconds or until its deadline, then kill it."""
        if self._stopped:
            return
        self._stopped = True
        self.let_think(True)
        self.hang_up()
        self.usage.close()
        if self._leave_by is not None:
            grace = min(grace, self._leave_by - monotonic())
        if grace > 0 and self._control.fileno() >= 0 and self.exit_code() is None:
            self._wait_reading(grace)
        self.kill()
        try:
            self._supervisor.wait(LAST_RESORT)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
            discard(self._scratch)
        self._drain_all()
        self._stdout.close()
        self._stderr.close()

    def _drain_all(self) -> None:
        """Read what a program that has ended wrote to stderr."""
        for _ in range(LAST_READS):
            if not self.drain():
                return

    def _wait_reading(self, grace: float) -> None:
        """Wait for the exit, and read meanwhile, because a full pipe would block the program."""
        pidfd = os.pidfd_open(self._supervisor.pid)
        watch, deadline = [pidfd, self.stdout, self.stderr], monotonic() + grace
        try:
            while (left := deadline - monotonic()) > 0:
                ready, _, _ = select.select(watch, [], [], left)
                if pidfd in ready:
                    return
                if self.stdout in ready and self.read() == b"":
                    watch.remove(self.stdout)
                if self.stderr in ready and self.drain() == b"":
                    watch.remove(self.stderr)
        finally:
            os.close(pidfd)


def _read(descriptor: int) -> bytes | None:
    try:
        return os.read(descriptor, READ)
    except BlockingIOError:
        return None

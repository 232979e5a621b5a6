"""A program as a player: spoken to over its stdin and stdout, and gone after the match with all it started.

Law of this file: nothing here decides anything about a match; it carries bytes, keeps what was
written to stderr within bounds, and leaves no process behind. There is no sandbox: the program runs
with its user's rights.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

SUPERVISOR = Path(__file__).with_name("_supervisor.py")
KEPT = 32 << 10
"""How many of the first and of the last bytes of stderr are kept."""
READ = 64 << 10
LAST_RESORT = 0.5
"""Seconds that the keeper has to clear up before it is killed itself."""
LAST_READS = 16


class Notes:
    """What a program wrote to stderr: the beginning and the end of it."""

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
    """A running program. Its pipes never block us."""

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        """The command is run in the folder, if one is given."""
        self.command = list(command)
        self.notes = Notes()
        ours, theirs = os.pipe()[::-1]
        # Ctrl-C is for us. Before the keeper has a session of its own it would hear it as well, and be dead
        # before it began: so it begins deaf, and one that comes meanwhile is raised here afterwards.
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            try:
                self._supervisor = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(SUPERVISOR), str(theirs), *self.command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=(theirs,),
                    cwd=folder,
                    start_new_session=True,
                    bufsize=0,
                )
            finally:
                os.close(theirs)
                signal.pthread_sigmask(signal.SIG_SETMASK, heard)
        except BaseException:
            os.close(ours)
            raise
        self._control: int | None = ours
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
        """Hand over as much as the program's pipe takes now. BrokenPipeError if it has closed it."""
        try:
            return os.write(self.stdin, data)
        except BlockingIOError:
            return 0

    def read(self) -> bytes | None:
        """What the program has written; None if there is nothing now, b"" if it will write no more."""
        return _read(self.stdout)

    def drain(self) -> bytes | None:
        """The same for what it wrote to stderr, which is kept in `notes`."""
        data = _read(self.stderr)
        self.notes.add(data or b"")
        return data

    def exit_code(self) -> int | None:
        """How it ended, if it did."""
        return self._supervisor.poll()

    def ending(self, seconds: float = 0.2) -> str:
        """How it ended, in words; a program that hangs up may need a moment to be dead."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._supervisor.wait(seconds)
        code = self.exit_code()
        if code is None:
            return "closed its output"
        return f"exited with {code}" if code >= 0 else f"was killed by signal {-code}"

    def hang_up(self) -> None:
        """Tell it that nothing more will come."""
        with contextlib.suppress(OSError):
            self._stdin.close()

    def leave_within(self, seconds: float) -> None:
        """Count the time that it has to leave from now on; the first such call holds."""
        if self._leave_by is None:
            self._leave_by = monotonic() + seconds

    def kill(self) -> None:
        """Have it killed with all that it started, without waiting for its end."""
        self.hang_up()
        if self._control is not None:
            os.close(self._control)
            self._control = None

    def stop(self, grace: float = 0) -> None:
        """Let it go: it may end by itself within `grace` seconds, or what is left to it, then it must."""
        if self._stopped:
            return
        self._stopped = True
        self.hang_up()
        if self._leave_by is not None:
            grace = min(grace, self._leave_by - monotonic())
        if grace > 0 and self._control is not None and self.exit_code() is None:
            self._wait_reading(grace)
        self.kill()
        try:
            self._supervisor.wait(LAST_RESORT)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
        for _ in range(LAST_READS):
            if not self.drain():
                break
        self._stdout.close()
        self._stderr.close()

    def _wait_reading(self, grace: float) -> None:
        """Wait for the end, reading meanwhile, for a full pipe would keep it from ending."""
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

"""Start a program through its supervisor, which confines it, watches it, and ends it with its descendants."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from touchline.sandbox.launch import plan_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.sandbox.launch import Sandbox

CANNOT_START = "!"
"""What the report of a supervisor begins with if the program could not be started."""
SUPERVISOR = Path(__file__).with_name("_supervisor.py")


class Started(NamedTuple):
    """A started program: its supervisor, and our end of the control socket; closing that ends the program."""

    supervisor: subprocess.Popen[bytes]
    control: socket.socket
    scratch: str | None
    """The scratch folder on the disk, if there is one; the supervisor removes it, unless it is killed."""


def start(command: Sequence[str], folder: Path | None, sandbox: Sandbox) -> Started:
    """Start a command in `folder`, confined as the sandbox says; OSError if that is impossible."""
    scratch = tempfile.mkdtemp(prefix="touchline-") if sandbox.tier in ("B", "C") else None
    try:
        plan = msgspec.json.encode(plan_for(command, folder, sandbox, scratch))
        return _started(command, plan, scratch, sandbox.terminal or ())
    except BaseException:
        discard(scratch)
        raise


def _started(command: Sequence[str], plan: bytes, scratch: str | None, inherited: tuple[int, ...]) -> Started:
    """Start the supervisor, and hand it the plan and the descriptors that the program inherits."""
    ours, theirs = socket.socketpair()
    readable, writable = os.pipe()
    os.set_blocking(writable, False)  # a plan that does not fit into a pipe must not block us
    # Ctrl-C is for this process only. Until the supervisor has its own session it would get SIGINT too
    # and die, so it starts with SIGINT blocked. A SIGINT in between is delivered here afterwards.
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        try:
            if os.write(writable, plan) < len(plan):
                raise OSError(f"{command[0]} names too many files")
            os.close(writable)
            writable = -1
            supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", str(SUPERVISOR), str(theirs.fileno()), str(readable)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(theirs.fileno(), readable, *inherited),
                start_new_session=True,
                bufsize=0,
            )
        finally:
            theirs.close()
            os.close(readable)
            if writable >= 0:
                os.close(writable)
            signal.pthread_sigmask(signal.SIG_SETMASK, heard)
    except BaseException:
        ours.close()
        raise
    ours.setblocking(False)
    return Started(supervisor, ours, scratch)


def discard(scratch: str | None) -> None:
    """Remove a scratch folder, if it is still there."""
    if scratch is not None:
        shutil.rmtree(scratch, ignore_errors=True)


def run(command: Sequence[str], sandbox: Sandbox, seconds: float) -> tuple[bytes, bytes]:
    """Run a command to its end, and return what it wrote to stdout and stderr."""
    supervisor, control, scratch = start(command, None, sandbox)
    with control, supervisor:
        try:
            return supervisor.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            control.close()
            supervisor.wait()
            raise
        finally:
            discard(scratch)

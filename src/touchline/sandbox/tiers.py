"""The tiers of isolation, best first, and which of them work on this machine: found by running them.

A     bubblewrap (namespaces, an empty root), a system call filter, resource limits
B     Landlock, a system call filter, resource limits: where namespaces are forbidden
C     resource limits and a process group of its own
none  a clean-up after the match, nothing else
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache

from touchline.core.errors import BadOptions
from touchline.sandbox.launch import Sandbox
from touchline.sandbox.seccomp import seccomp_filter
from touchline.sandbox.start import run

TIERS = ("A", "B", "C", "none")
STRONG = ("A", "B")
"""The tiers in which the programs of strangers may run."""
PATIENCE = 20.0
"""Seconds that a trial of a tier may take; it takes about 50 ms."""
GREETING = b"inside\n"
TRIAL = """
import os, socket, sys
try:
    socket.socket()
    sys.exit("the network is not closed")
except OSError:
    pass
try:
    open("/etc/passwd").read()
    sys.exit("files outside the cage can be read")
except OSError:
    pass
try:
    os.kill(REFEREE, 0)
except OSError:
    pass
else:
    try:  # in its own pid namespace, another process may have the same number
        with open("/proc/REFEREE/cmdline", "rb") as file:
            same = file.read() == COMMAND
    except OSError:
        same = True
    if same:
        sys.exit("other processes can be signalled")
if os.getuid() == 0:
    sys.exit("the program runs as root")
sys.stdout.write("inside\\n")
"""
WHAT = {
    "A": "bubblewrap, seccomp, resource limits",
    "B": "Landlock, seccomp, resource limits",
    "C": "resource limits only",
    "none": "no isolation",
}


@cache
def problem(tier: str) -> str | None:
    """Return why a tier does not work on this machine, found by running a program in it; None if it works."""
    if tier == "none":
        return None
    if sys.platform != "linux":
        return "it needs Linux"
    if tier == "A" and shutil.which("bwrap") is None:
        return "bubblewrap is not installed: install bubblewrap (apt install bubblewrap)"
    try:
        if tier in STRONG:
            seccomp_filter()
    except ValueError as error:
        return str(error)
    return _trial(tier)


def _trial(tier: str) -> str | None:
    """Run a program in the tier that tries to get out, and return what went wrong."""
    with open("/proc/self/cmdline", "rb") as file:
        trial = TRIAL.replace("REFEREE", str(os.getpid())).replace("COMMAND", repr(file.read()))
    code = "print('inside')" if tier == "C" else trial
    try:
        out, err = run([sys.executable, "-I", "-S", "-c", code], Sandbox(tier=tier), PATIENCE)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    if out == GREETING:
        return None
    return (
        err.decode(errors="replace").strip().splitlines()[-1] if err.strip() else "the trial did not answer"
    )


def best() -> str:
    """Return the best tier that works on this machine."""
    return next(tier for tier in TIERS if problem(tier) is None)


def chosen(asked: str) -> str:
    """Return the tier for `auto` or for a tier that was asked for. BadOptions if that does not work here."""
    if asked == "auto":
        return best()
    why = problem(asked)
    if why is not None:
        raise BadOptions(
            f"isolation {asked} does not work on this machine: {why}; use --isolation auto for the best that "
            f"works ({best()}: {WHAT[best()]}), and `touchline doctor` to see what is missing"
        )
    return asked


def require_strong(tier: str, *, allow_weak: bool) -> None:
    """Raise BadOptions if programs of strangers must not run in this tier."""
    if tier in STRONG or allow_weak:
        return
    why = problem("A")
    mend = "use --isolation auto" if why is None else f"A does not work here: {why} (see `touchline doctor`)"
    raise BadOptions(
        f"untrusted programs need isolation A or B, and this is {tier} ({WHAT[tier]}): {mend}, "
        "or use --allow-weak-isolation"
    )

"""Where the stage runs: for root in fresh namespaces, as root or as an ordinary user.

Law of this file: outside of fresh namespaces root runs no probe.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import platform
import secrets
import socket
import struct
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.testing.escape_probes.seats import FOLDERS
from touchline.testing.escape_probes.syscalls import NUMBERS
from touchline.testing.escape_probes.targets import KEY, SETUID_PROGRAM, make_setuid_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NAMESPACES = ("pid", "mount", "net", "ipc", "uts")
MODULE = "touchline.testing.escape_probes.stage"
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2


def command(tier: str, *words: str) -> list[str]:
    """Return the command that runs the stage; for root in fresh namespaces."""
    stage = [sys.executable, "-m", MODULE, tier, *words]
    if os.getuid() != 0:
        return stage
    fresh = [f"--{kind}" for kind in NAMESPACES]
    return ["unshare", *fresh, "--mount-proc", "--fork", "--kill-child", "--", *stage]


def furnish() -> None:
    """Bring up loopback, and cover common folders with empty ones, but `/tmp`, which may hold our source."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
    for folder in FOLDERS:
        if folder != "/tmp" and os.path.isdir(folder) and not os.path.islink(folder):
            subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "none", folder], check=True)


def stay_behind() -> None:
    """Go on in a child process with a large pid; the first process waits for it, and for all orphans.

    A sandbox counts its processes from 1, and none of those must be mistaken for one of ours.
    """
    with contextlib.suppress(OSError):
        Path("/proc/sys/kernel/ns_last_pid").write_text("20000")
    stage = os.fork()
    if stage == 0:
        return
    while True:
        pid, status = os.wait()
        if pid == stage:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def become(user: int, arguments: Sequence[str]) -> None:
    """Run the stage again as an ordinary user, who may not see our folders: mount them elsewhere."""
    source, site = str(Path(__file__).parents[3]), sysconfig.get_path("platlib")
    places = {"python": sys.base_prefix, "src": source, "site": site}
    subprocess.run(["mount", "-t", "tmpfs", "none", "/mnt"], check=True)
    for place, folder in places.items():
        os.mkdir(f"/mnt/{place}")
        subprocess.run(["mount", "--bind", folder, f"/mnt/{place}"], check=True)
    make_setuid_program(SETUID_PROGRAM)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.chdir("/")
    python = f"/mnt/python/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/",
        "PYTHONPATH": "/mnt/src:/mnt/site",
    }
    again(python, arguments, environment)


def again(python: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run the stage with a token in its environment, which a process only has from its start."""
    os.execve(python, [python, "-m", MODULE, *arguments], {**environment, KEY: secrets.token_hex(16)})


def forbid_namespaces() -> None:
    """Let `unshare` fail from now on, as the default filter of containers does."""
    number = NUMBERS["unshare"][platform.machine() == "aarch64"]
    refuse = 0x00050000 | errno.EPERM
    steps = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, refuse), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "cannot install the filter")


def prepare(tier: str, user: int | None, words: Sequence[str], *, namespaces: bool) -> None:
    """Return in the process that is to be the referee: an ordinary user's, or root's in fresh namespaces."""
    if KEY in os.environ:
        return
    arguments = [tier, *words]
    if os.getpid() == 1:
        furnish()
        stay_behind()
        if not namespaces:
            forbid_namespaces()
        if user is not None:
            become(user, arguments)
    elif os.getuid() == 0:
        raise SystemExit("root runs the probes in fresh namespaces only")
    again(sys.executable, arguments, os.environ)

"""Probes of channels between seats: the opponent, a confederate, leaves the token; the probe looks for it.

The names and keys are the same on both sides. `leave_everything` is the opponent's side.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import time
from typing import TYPE_CHECKING

from .probe import Blocked, World, blocked_unless, probe
from .syscalls import call

if TYPE_CHECKING:
    from collections.abc import Callable

CREATE = 0o1000  # IPC_CREAT
NO_KEY = 126  # ENOKEY
FOLDERS = ("/dev/shm", "/tmp", "/var/tmp", "/run/lock", "/var/lock", "/dev/mqueue")
IN_OPEN, IN_NONBLOCK = 0x20, os.O_NONBLOCK
KEY_SPEC_USER_KEYRING, KEYCTL_SEARCH, KEYCTL_GET_KEYRING_ID = -4, 10, 0


def shared_file() -> str:
    """Return a file of the runtime that both seats can read."""
    return os.path.realpath(sys.executable)


def _queue_name(world: World) -> bytes:
    return f"probe-{world.token[:8]}".encode()


def _file_name(world: World) -> str:
    return f"probe-{world.token[:8]}"


def _leave_files(world: World) -> None:
    for folder in (*FOLDERS, os.environ.get("TMPDIR", "/tmp"), world.outside):
        with contextlib.suppress(OSError), open(f"{folder}/{_file_name(world)}", "w") as file:
            os.fchmod(file.fileno(), 0o666)
            file.write(world.token)


def _leave_key(world: World) -> None:
    token = world.token.encode()
    call("add_key", b"user", _queue_name(world), token, len(token), KEY_SPEC_USER_KEYRING)


def leave_everything(world: World) -> list[object]:
    """Leave the token in every channel that the sandbox allows; return what must stay open."""
    open_file = open(shared_file(), "rb")  # noqa: SIM115
    ways: list[Callable[[], object]] = [
        lambda: _leave_files(world),
        lambda: _leave_key(world),
        lambda: call("shmget", world.key, 4096, CREATE | 0o666),
        lambda: call("semget", world.key, 1, CREATE | 0o666),
        lambda: call("msgget", world.key, CREATE | 0o666),
        lambda: call("mq_open", _queue_name(world), os.O_RDWR | os.O_CREAT, 0o666, None),
        lambda: fcntl.flock(open_file, fcntl.LOCK_EX | fcntl.LOCK_NB),
    ]
    for leave in ways:
        with contextlib.suppress(OSError):
            leave()
    return [open_file]


@probe("channel", "find a file that the other seat left in a common folder")
def common_files(world: World) -> str:
    for folder in (*FOLDERS, os.environ.get("TMPDIR", "/tmp"), world.outside):
        with contextlib.suppress(OSError), open(f"{folder}/{_file_name(world)}") as file:
            if file.read() == world.token:
                return f"read the other seat's file in {folder}"
    raise Blocked("no folder holds the other seat's file")


@probe("channel", "find the other seat's System V shared memory")
def sysv_memory(world: World) -> str:
    return f"shared memory {call('shmget', world.key, 4096, 0)}"


@probe("channel", "find the other seat's System V semaphore")
def sysv_semaphore(world: World) -> str:
    return f"semaphore {call('semget', world.key, 1, 0)}"


@probe("channel", "find the other seat's System V message queue")
def sysv_queue(world: World) -> str:
    return f"message queue {call('msgget', world.key, 0)}"


@probe("channel", "find the other seat's POSIX message queue")
def posix_queue(world: World) -> str:
    return f"message queue {call('mq_open', _queue_name(world), os.O_RDWR, 0, None)}"


@probe("channel", "find the other seat's key in the keyring of the user")
def common_keyring(world: World) -> str:
    key = call("keyctl", KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, b"user", _queue_name(world), 0)
    return f"found key {key}"


@probe("channel", "see that the other seat has locked a file of the runtime")
def file_locks(world: World) -> str:
    with open(shared_file(), "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return f"{shared_file()} is locked by the other seat"
    raise Blocked("the other seat's lock is not seen")


@probe("channel", "be told when others open files of the runtime")
def file_watches(world: World) -> str:
    """The stage opens and closes the file again and again while the probes run."""
    descriptor = call("inotify_init1", IN_NONBLOCK)
    call("inotify_add_watch", descriptor, os.fsencode(shared_file()), IN_OPEN)
    deadline = time.monotonic() + 5.0
    while time.monotonic() < deadline:
        with contextlib.suppress(BlockingIOError):
            blocked_unless(os.read(descriptor, 4096), "no event")
            return f"inotify tells when {shared_file()} is opened"
        time.sleep(0.02)
    raise Blocked("nobody was seen to open the file")


@probe("channel", "watch whole file systems with fanotify")
def fanotify(world: World) -> str:
    os.close(call("fanotify_init", 0x200, 0))  # FAN_REPORT_FID, which needs no capability
    return "fanotify_init gave a descriptor"


@probe("kernel", "keep memory in the kernel's keyring")
def add_key(world: World) -> str:
    token = world.token.encode()
    return f"key {call('add_key', b'user', b'probe-own', token, len(token), KEY_SPEC_USER_KEYRING)}"


@probe("kernel", "use the keyring of the session")
def keyctl(world: World) -> str:
    return f"keyring {call('keyctl', KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1)}"


@probe("kernel", "ask the kernel to request a key")
def request_key(world: World) -> str:
    try:
        call("request_key", b"user", b"probe-missing", None, 0)
    except OSError as error:
        if error.errno != NO_KEY:
            raise
    return "request_key looked for a key"

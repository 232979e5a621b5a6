"""Confine the current process before it becomes a player's program: user, mounts, limits, Landlock, seccomp.

Law of this file: it imports only the standard library, because the supervisor runs without site-packages. It
runs in a forked child that executes the program next; a step that fails raises OSError, and the program does
not start.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CLONE_NEWNS = 0x00020000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 4096, 16384, 1 << 18
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, MAKE_CHAR, MAKE_SOCK, MAKE_BLOCK = 1, 2, 4, 8, 64, 512, 2048
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
"""The Landlock rights that apply to a file; the others are rights on folders."""
SCOPED_FROM = 6
"""The Landlock ABI from which signals and abstract sockets can be confined."""
MOST_ENTRIES = 4096
"""The most entries of an unreadable folder that are shown one by one."""

libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int, what: str) -> int:
    """Return the result of a C call; OSError if it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


# -- mounts ------------------------------------------------------------------------------------


def mount(
    source: str | None, target: str, kind: str | None = None, flags: int = 0, options: str | None = None
) -> None:
    words = [None if text is None else os.fsencode(text) for text in (source, target, kind, options)]
    checked(libc.mount(words[0], words[1], words[2], flags, words[3]), f"mount {target}")


def is_open(path: str) -> bool:
    """Return whether any user may search this folder or read this file."""
    mode = os.stat(path).st_mode
    return bool(mode & 0o005 == 0o005 if os.path.isdir(path) else mode & 0o004)


def closed_folder(path: str, uid: int) -> str | None:
    """Return the topmost folder on the way to `path` that this user cannot search, if there is one."""
    way = "/"
    for part in os.path.abspath(path).split("/")[1:]:
        if not os.stat(way).st_mode & 0o001:
            return way
        way = os.path.join(way, part)
    own = os.stat(path).st_uid == uid  # its scratch folder
    return path if os.path.isdir(path) and not own and not is_open(path) else None


def show(paths: Iterable[str], uid: int) -> None:
    """Make paths reachable for an unprivileged user that lie behind folders closed to it.

    In a mount namespace of its own, an empty folder replaces each closed folder, and the paths are bound into
    it. Everything else in the closed folder stays out of sight.
    """
    behind: dict[str, list[str]] = {}
    for path in paths:
        if os.path.exists(path) and (folder := closed_folder(path, uid)) is not None:
            behind.setdefault(folder, []).append(path)
    if not behind:
        return
    checked(libc.unshare(CLONE_NEWNS), "a mount namespace")
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    for folder, inside in behind.items():
        opened = [(name, os.open(name, os.O_PATH)) for path in inside for name in entries(path)]
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=1M,mode=755")
        for path, descriptor in sorted(opened):
            bind(descriptor, path)


def entries(path: str) -> list[str]:
    """Return the path itself, or what is in it if it is a folder that other users cannot read."""
    if not os.path.isdir(path) or is_open(path):
        return [path]
    names = sorted(os.listdir(path))[:MOST_ENTRIES]
    return [os.path.join(path, name) for name in names] or [path]


def bind(descriptor: int, path: str) -> None:
    """Bind an open file or folder to the path it had."""
    source = f"/proc/self/fd/{descriptor}"
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
    mount(source, path, None, MS_BIND | MS_REC)
    os.close(descriptor)


# -- user and limits ---------------------------------------------------------------------------


def become(uid: int) -> None:
    """Become an unprivileged user, for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def limit(limits: Mapping[str, int]) -> None:
    """Set resource limits, given by name; never above the ones that hold already."""
    for name, value in limits.items():
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # At the soft limit of processor time a signal says what happened; at the hard one it is SIGKILL.
        above = value + 1 if name == "CPU" and hard == resource.RLIM_INFINITY else value
        resource.setrlimit(which, (value, above))


def threads_of_user() -> int:
    """Return the number of processes and threads of the current user, which RLIMIT_NPROC counts together."""
    uid, count = os.getuid(), 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == uid:
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:  # it has ended
                continue
    return count


# -- Landlock and seccomp ----------------------------------------------------------------------


def landlock_abi() -> int:
    """Return the version of Landlock that the kernel has; 0 if it has none."""
    version: int = libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    return max(0, version)


def fs_rights(abi: int) -> int:
    """Return all rights on files and folders that this version of Landlock can withhold."""
    bits = 13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16
    return (1 << bits) - 1


def landlock(readable: Iterable[str], writable: Iterable[str], devices: Iterable[str]) -> None:
    """Withhold all files and folders from this process but these, and signals to other processes."""
    abi = landlock_abi()
    if not abi:
        raise OSError(errno.ENOSYS, "this kernel has no Landlock")
    all_rights = fs_rights(abi)
    scoped = 3 if abi >= SCOPED_FROM else 0
    attributes = struct.pack("=QQQ", all_rights, 3 if abi >= 4 else 0, scoped)
    size = 8 if abi < 4 else 16 if abi < SCOPED_FROM else 24
    ruleset = checked(libc.syscall(LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0), "Landlock")
    read = EXECUTE | READ_FILE | READ_DIR
    everything = all_rights & ~(MAKE_CHAR | MAKE_BLOCK | MAKE_SOCK)
    rules = [(path, read) for path in readable] + [(path, everything) for path in writable]
    for path, rights in rules + [(path, READ_FILE | WRITE_FILE) for path in devices]:
        allow(ruleset, path, rights & all_rights)
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    checked(libc.syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0), "Landlock")
    os.close(ruleset)


def allow(ruleset: int, path: str, rights: int) -> None:
    """Add a Landlock rule for what is at this path, if anything is."""
    try:
        opened = os.open(path, os.O_PATH)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= OF_FILES
    rule = struct.pack("=Qi", rights, opened)
    checked(libc.syscall(LANDLOCK_ADD_RULE, ruleset, 1, rule, 0), f"Landlock for {path}")
    os.close(opened)


class _FilterProgram(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def filter_calls(steps: bytes) -> None:
    """Install a seccomp filter in this process."""
    program = _FilterProgram(len(steps) // 8, steps)
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    checked(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")

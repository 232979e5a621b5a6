"""Raw system calls by name, for those that Python does not wrap or that a C library would refuse."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
from typing import Any

NUMBERS: dict[str, tuple[int, int]] = {
    "add_key": (248, 217), "bpf": (321, 280), "clone": (56, 220), "clone3": (435, 435), "chroot": (161, 51),
    "delete_module": (176, 106), "fanotify_init": (300, 262), "finit_module": (313, 273),
    "fsopen": (430, 430), "init_module": (175, 105), "inotify_add_watch": (254, 27),
    "inotify_init1": (294, 26), "io_uring_setup": (425, 425), "ioctl": (16, 29), "ioprio_set": (251, 30),
    "kcmp": (312, 272), "kexec_load": (246, 104), "keyctl": (250, 219), "mount": (165, 40),
    "move_pages": (279, 239), "mq_open": (240, 180), "msgget": (68, 186), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "open_tree": (428, 428), "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438), "pivot_root": (155, 41), "prlimit64": (302, 261),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117),
    "reboot": (169, 142), "request_key": (249, 218), "semget": (64, 190), "sethostname": (170, 161),
    "setns": (308, 268), "shmget": (29, 194), "swapon": (167, 224), "syslog": (103, 116),
    "timer_create": (222, 107), "timer_settime": (223, 110),
    "umount2": (166, 39), "unshare": (272, 97), "userfaultfd": (323, 282),
}  # fmt: skip
"""The numbers on x86_64 and on aarch64."""

_MACHINE = {"x86_64": 0, "aarch64": 1}
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long


def supported() -> bool:
    """Return whether the numbers of this processor's system calls are known."""
    return platform.machine() in _MACHINE


def call(name: str, *arguments: Any) -> int:
    """Make a system call and return its result; OSError if it fails."""
    return call_number(NUMBERS[name][_MACHINE[platform.machine()]], *arguments)


def call_number(number: int, *arguments: Any) -> int:
    """Make a system call by number. Integers are passed with 64 bits, bytes and buffers as pointers."""
    wide = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    ctypes.set_errno(0)
    result: int = _LIBC.syscall(ctypes.c_long(number), *wide)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def permitted(name: str, *arguments: Any, refusals: tuple[int, ...] = ()) -> str:
    """Make a call with invalid arguments: return its error if that shows that the call was permitted.

    The kernel checks permission before the arguments. EPERM, EACCES and ENOSYS, and the `refusals` of this
    call, are raised as OSError.
    """
    try:
        call(name, *arguments)
    except OSError as error:
        if error.errno in {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EOPNOTSUPP, *refusals}:
            raise
        return f"{name} was permitted, and failed only for its arguments: {error.strerror}"
    return f"{name} succeeded"


class Vector(ctypes.Structure):
    """`struct iovec`."""

    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))

"""A seccomp filter, assembled as classic BPF: the system calls that no player's program needs.

A denied call fails with an error number, and the program goes on. Law of this file: what is not listed is
allowed, so listed is everything that reaches other processes, the network, the kernel's configuration or
parts of the kernel with a history of escapes.
"""

from __future__ import annotations

import errno
import platform
import struct
from typing import NamedTuple

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Offsets in the kernel's `struct seccomp_data`."""
X32 = 0x40000000
"""The bit that marks system calls of the x32 ABI, a second door to the same calls."""
NAMESPACES = 0x7E020080
"""The clone flags that create namespaces."""
AF_UNIX = 1
TIOCSTI, TIOCLINUX = 0x5412, 0x541C


class Machine(NamedTuple):
    """A processor architecture: its audit number, and its place in the table of system calls."""

    audit: int
    column: int


MACHINES = {"x86_64": Machine(0xC000003E, 0), "aarch64": Machine(0xC00000B7, 1)}

# Numbers on x86_64 and aarch64; -1 where the call does not exist.
DENIED: dict[str, tuple[int, int]] = {
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "ioprio_set": (251, 30), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    # namespaces and mounts
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "setns": (308, 268), "unshare": (272, 97), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    # network; memory that belongs to no process; channels between players
    "socket": (41, 198), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189),
    "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "inotify_init": (253, -1), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27),
    # timers that can send SIGCONT, which wakes a frozen program
    "timer_create": (222, 107),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # the kernel
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142),
    "syslog": (103, 116), "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "iopl": (172, -1), "ioperm": (173, -1),
    "modify_ldt": (154, -1), "vhangup": (153, 58), "sethostname": (170, 161), "setdomainname": (171, 162),
    "mknod": (133, -1), "mknodat": (259, 33),
}  # fmt: skip
BY_PATH: dict[str, tuple[int, int]] = {
    "chmod": (90, -1), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1), "lchown": (94, -1),
    "fchownat": (260, 54), "utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1),
    "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "removexattr": (197, 14),
    "lremovexattr": (198, 15), "setxattrat": (463, 463), "removexattrat": (466, 466),
}  # fmt: skip
"""Calls that change the attributes of files by their path, which Landlock does not withhold."""
ABSENT = {"clone3": (435, 435)}
"""Calls whose flags a filter cannot read: they fail as if the kernel did not know them."""
PRETENDED = {"flock": (73, 32)}
"""Calls that seem to succeed: locks are a channel between players, and a JVM warns on stdout without."""
OWN_ONLY = {"prlimit64": (302, 261), "sched_setaffinity": (203, 122)}
"""Calls that a program may apply to itself only: their first argument must be 0."""
SIGCONT = 18
SIGNALS = {
    "kill": (1, 62, 129), "tkill": (1, 200, 130), "tgkill": (2, 234, 131), "rt_sigqueueinfo": (1, 129, 138),
    "rt_tgsigqueueinfo": (2, 297, 240), "pidfd_send_signal": (1, 424, 424),
}  # fmt: skip
"""Which argument is the signal, and the numbers: a program that is frozen must not wake itself."""
CLONE, SOCKETPAIR, IOCTL, SETPRIORITY = (56, 220), (53, 199), (16, 29), (141, 140)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _argument(number: int) -> bytes:
    return _step(LOAD, ARGUMENTS + 8 * number)


_DENY = _step(RETURN, FAIL | errno.EPERM)
_ALLOW = _step(RETURN, ALLOW)


def _on(number: int, *steps: bytes) -> bytes:
    """Return the steps for one system call; every other call jumps over them."""
    return _step(EQUAL, number, 0, len(steps)) + b"".join(steps)


def seccomp_filter(machine: str = "", *, by_path: bool = True) -> bytes:
    """Return the filter as an array of `struct sock_filter`; ValueError on an unknown architecture.

    Without `by_path`, the calls of that table are denied, too.
    """
    machine = machine or platform.machine()
    if machine not in MACHINES:
        raise ValueError(f"there is no system call filter for {machine} processors")
    audit, column = MACHINES[machine]
    program = [
        _step(LOAD, ARCHITECTURE), _step(EQUAL, audit, 1, 0), _step(RETURN, KILL), _step(LOAD, NUMBER),
    ]  # fmt: skip
    if machine == "x86_64":
        program += [_step(AT_LEAST, X32, 0, 1), _step(RETURN, FAIL | errno.ENOSYS)]
    denied = DENIED if by_path else DENIED | BY_PATH
    program += [_on(numbers[column], _DENY) for numbers in denied.values() if numbers[column] >= 0]
    program += [_on(numbers[column], _step(RETURN, FAIL)) for numbers in PRETENDED.values()]
    missing = _step(RETURN, FAIL | errno.ENOSYS)
    program += [_on(numbers[column], missing) for numbers in ABSENT.values()]
    program += [
        _on(numbers[column], _argument(0), _step(EQUAL, 0, 0, 1), _ALLOW, _DENY)
        for numbers in OWN_ONLY.values()
    ]
    program += [
        _on(numbers[column], _argument(at), _step(EQUAL, SIGCONT, 0, 1), _DENY, _ALLOW)
        for at, *numbers in SIGNALS.values()
    ]
    program += [
        _on(CLONE[column], _argument(0), _step(ANY_BIT, NAMESPACES, 0, 1), _DENY, _ALLOW),
        _on(SOCKETPAIR[column], _argument(0), _step(EQUAL, AF_UNIX, 0, 1), _ALLOW, _DENY),
        _on(
            IOCTL[column],
            _argument(1), _step(EQUAL, TIOCSTI, 1, 0), _step(EQUAL, TIOCLINUX, 0, 1), _DENY, _ALLOW,
        ),
        _on(
            SETPRIORITY[column],
            _argument(0), _step(EQUAL, 0, 0, 2), _argument(1), _step(EQUAL, 0, 1, 0), _DENY, _ALLOW,
        ),
        _ALLOW,
    ]  # fmt: skip
    return b"".join(program)

"""Probes of files: records, secrets, homes, devices, terminals, the own folder and everybody else's."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import os
import stat
import termios

from .probe import Blocked, World, blocked_unless, probe
from .syscalls import call

HIDDEN = (".bashrc", ".profile", ".bash_history", ".ssh", ".gitconfig", ".npmrc", ".config", ".gnupg")
DISKS = ("/dev/sd[a-z]", "/dev/vd[a-z]", "/dev/xvd[a-z]", "/dev/nvme*n*", "/dev/loop[0-9]", "/dev/dm-*")
KERNEL_DEVICES = (
    "/dev/mem", "/dev/kmem", "/dev/port", "/dev/kvm", "/dev/fuse", "/dev/vsock", "/dev/net/tun",
    "/dev/userfaultfd", "/dev/loop-control", "/dev/tty0", "/dev/console", "/dev/hwrng",
)  # fmt: skip
SETTINGS = (
    "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger",
    "/proc/sys/vm/drop_caches", "/sys/power/state",
)  # fmt: skip


def _reads_token(path: str, world: World) -> str:
    with open(path) as file:
        blocked_unless(world.token in file.read(1 << 16), "another file is there")
    return f"read {path}"


def _opens_any(patterns: tuple[str, ...], flags: int) -> str:
    for path in [path for pattern in patterns for path in sorted(glob.glob(pattern))]:
        with contextlib.suppress(OSError):
            os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))
            return f"opened {path}"
    raise Blocked("none of them can be opened")


@probe("file", "read the running record")
def record_read(world: World) -> str:
    return _reads_token(world.record, world)


@probe("file", "spoil the running record")
def record_write(world: World) -> str:
    os.close(os.open(world.record, os.O_WRONLY | os.O_APPEND))
    return "opened the record for writing"


@probe("file", "change the mode of the running record, so that nobody can write to it")
def record_mode(world: World) -> str:
    os.chmod(world.record, stat.S_IMODE(os.stat(world.record).st_mode))
    return "set the mode of the record"


@probe("file", "change the times of the running record")
def record_times(world: World) -> str:
    os.utime(world.record)
    return "set the times of the record"


@probe("file", "see the size and the times of the running record")
def record_size(world: World) -> str:
    return f"the record has {os.stat(world.record).st_size} bytes"


@probe("file", "read the secret side file of the record")
def record_secret(world: World) -> str:
    return _reads_token(world.secret, world)


@probe("file", "read the record through a symbolic link in the own folder")
def record_by_link(world: World) -> str:
    return _reads_token("record-link", world)


@probe("file", "change files in the own folder")
def own_folder_write(world: World) -> str:
    with open("changed", "w") as file:
        file.write("changed")
    os.unlink("changed")
    return "wrote to its own folder"


@probe("file", "change a file of the own folder in place")
def own_file_write(world: World) -> str:
    with contextlib.suppress(OSError):
        os.chmod("run.py", 0o666)
    os.close(os.open("run.py", os.O_WRONLY | os.O_APPEND))
    return "opened its own program for writing"


@probe("file", "write to folders outside; the stage sees what appears there")
def outside_write(world: World) -> str:
    written = []
    for folder in (world.outside, world.home):
        with contextlib.suppress(OSError), open(f"{folder}/probe-outside-{world.token[:8]}", "w"):
            written.append(folder)
    blocked_unless(written, "every folder refused")
    return f"wrote to {', '.join(written)}"


@probe("file", "read the passwords of the machine")
def shadow(world: World) -> str:
    with open("/etc/shadow") as file:
        blocked_unless(file.read(), "it is empty")
    return "read /etc/shadow"


@probe("file", "read home folders")
def homes(world: World) -> str:
    with contextlib.suppress(OSError, Blocked):
        return _reads_token(f"{world.home}/private.key", world)
    return _opens_any(
        tuple(f"{home}/{name}" for home in ("/root", "/home/*") for name in HIDDEN), os.O_RDONLY
    )


@probe("device", "open the disks of the machine")
def disks(world: World) -> str:
    return _opens_any(DISKS, os.O_RDONLY)


@probe("device", "open devices that reach memory or the kernel")
def kernel_devices(world: World) -> str:
    return _opens_any(KERNEL_DEVICES, os.O_RDONLY)


@probe("device", "make a device file")
def make_device(world: World) -> str:
    for folder in (os.environ.get("TMPDIR", "/tmp"), "."):
        path = f"{folder}/probe-device-{os.getpid()}"
        with contextlib.suppress(OSError):
            os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(254, 0))
            os.unlink(path)
            return f"made a block device in {folder}"
    raise Blocked("no device file can be made")


@probe("device", "open the terminal of the referee")
def terminal(world: World) -> str:
    os.close(os.open(world.terminal, os.O_RDWR | os.O_NOCTTY))
    return f"opened {world.terminal}"


@probe("device", "type into the terminal of the referee")
def terminal_input(world: World) -> str:
    refused = OSError(errno.ENOTTY, "no terminal")
    for path in (world.terminal, "/dev/tty", "/dev/stdin", "/dev/stderr"):
        for high in (0, 1 << 32):  # some filters compare 64 bits, the kernel looks at 32
            try:
                descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                call("ioctl", descriptor, termios.TIOCSTI | high, b"x")
                return f"typed into {path}"
            except OSError as error:
                refused = error
    raise refused


@probe("device", "steal the terminal of the referee as controlling terminal")
def terminal_steal(world: World) -> str:
    os.setsid()
    descriptor = os.open(world.terminal, os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 1)
    return f"{world.terminal} is now its controlling terminal"


@probe("kernel", "change settings of the kernel")
def kernel_settings(world: World) -> str:
    return _opens_any(SETTINGS, os.O_WRONLY)


@probe("kernel", "leave the control groups that limit it")
def control_groups(world: World) -> str:
    groups = "/sys/fs/cgroup"
    return _opens_any(
        (f"{groups}/cgroup.procs", f"{groups}/*/cgroup.procs", f"{groups}/*/tasks"), os.O_WRONLY
    )

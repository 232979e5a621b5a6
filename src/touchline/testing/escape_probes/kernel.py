"""Probes of the kernel: namespaces, mounts, privileges, and calls with a history of escapes."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import platform
import signal
import struct
import subprocess
import tempfile

from .probe import Blocked, World, blocked_unless, probe
from .syscalls import call, call_number, permitted

NEW_USER, NEW_MOUNTS, NEW_NETWORK = 0x10000000, 0x00020000, 0x40000000
X32 = 0x40000000


@probe("kernel", "load a BPF map")
def bpf(world: World) -> str:
    attributes = struct.pack("=IIII", 2, 4, 4, 1).ljust(72, b"\0")  # an array of one 4-byte value
    return f"map {call('bpf', 0, attributes, len(attributes))}"


@probe("kernel", "count events of the processor with perf")
def perf(world: World) -> str:
    # A software counter of this process in user mode, which the usual setting allows to everybody.
    attributes = struct.pack("=IIQQQQQ", 1, 112, 0, 0, 0, 0, 1 << 5 | 1 << 6).ljust(112, b"\0")
    return f"counter {call('perf_event_open', attributes, 0, -1, -1, 0)}"


@probe("kernel", "handle page faults with userfaultfd")
def userfaultfd(world: World) -> str:
    return f"descriptor {call('userfaultfd', 1)}"


@probe("kernel", "read the kernel log")
def kernel_log(world: World) -> str:
    buffer = ctypes.create_string_buffer(4096)
    with contextlib.suppress(OSError):
        return f"syslog gave {call('syslog', 3, buffer, len(buffer))} bytes"
    descriptor = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    return f"/dev/kmsg gave {len(os.read(descriptor, 8192))} bytes"


@probe("kernel", "boot another kernel")
def kexec(world: World) -> str:
    return permitted("kexec_load", 0, 1 << 20, None, 0xFF)


@probe("kernel", "load a kernel module")
def load_module(world: World) -> str:
    return permitted("finit_module", -1, b"", 0)


@probe("kernel", "unload a kernel module")
def unload_module(world: World) -> str:
    return permitted("delete_module", b"touchline_no_such_module", os.O_NONBLOCK)


@probe("kernel", "reboot the machine")
def reboot(world: World) -> str:
    return permitted("reboot", 1, 1, 1, 0)


@probe("kernel", "add swap space")
def swapon(world: World) -> str:
    return permitted("swapon", b"/touchline/no/such/file", 0)


@probe("kernel", "rename the machine")
def hostname(world: World) -> str:
    name = os.uname().nodename.encode()
    call("sethostname", name, len(name))
    return "set the host name"


@probe("kernel", "make calls of another ABI, which a filter may overlook")
def compat_calls(world: World) -> str:
    blocked_unless(platform.machine() == "x86_64", "this processor has one ABI")
    with contextlib.suppress(OSError):
        return f"x32: keyring {call_number(X32 | 250, 0, -4, 1)}"
    # i386: keyctl(KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1) by `int 0x80`
    code = bytes.fromhex("53 b820010000 bb00000000 b9fcffffff ba01000000 cd80 5b c3")
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    result = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
    blocked_unless(result >= 0, f"int 0x80 returned {result}")
    return f"i386: keyring {result}"


@probe("namespace", "make a user namespace, where one is root")
def user_namespace(world: World) -> str:
    call("unshare", NEW_USER)
    return "unshare made a user namespace"


@probe("namespace", "make a mount namespace")
def mount_namespace(world: World) -> str:
    call("unshare", NEW_MOUNTS)
    return "unshare made a mount namespace"


def _child(pid: int) -> str:
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return "started a child in a user namespace"


@probe("namespace", "make a user namespace with clone")
def clone(world: World) -> str:
    return _child(call("clone", NEW_USER | signal.SIGCHLD, 0, 0, 0, 0))


@probe("namespace", "make a user namespace with clone3")
def clone3(world: World) -> str:
    arguments = struct.pack("=11Q", NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0)
    return _child(call("clone3", arguments, len(arguments)))


@probe("namespace", "enter the namespaces of the referee")
def enter_namespace(world: World) -> str:
    for pid in (world.referee, world.opponent, 1):
        for kind in ("user", "net", "mnt", "ipc"):
            with contextlib.suppress(OSError):
                descriptor = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
                call("setns", descriptor, 0)
                return f"entered the {kind} namespace of process {pid}"
    raise Blocked("no namespace of another process can be entered")


@probe("mount", "mount a file system")
def mount(world: World) -> str:
    folder = tempfile.mkdtemp()
    try:
        call("mount", b"none", os.fsencode(folder), b"tmpfs", 0, None)
        call("umount2", os.fsencode(folder), 2)
    finally:
        os.rmdir(folder)
    return f"mounted a tmpfs on {folder}"


@probe("mount", "mount a file system with the newer calls")
def fsopen(world: World) -> str:
    return f"descriptor {call('fsopen', b'tmpfs', 0)}"


@probe("mount", "copy the tree of mounts")
def open_tree(world: World) -> str:
    return f"descriptor {call('open_tree', -100, b'/', 1)}"


@probe("mount", "change the root of all processes")
def pivot_root(world: World) -> str:
    return permitted("pivot_root", b"/touchline/no", b"/touchline/no")


@probe("mount", "change the own root, to build a trap for setuid programs")
def chroot(world: World) -> str:
    call("chroot", b"/")
    return "chroot succeeded"


@probe("mount", "open files by handle, past all paths")
def file_handles(world: World) -> str:
    handle, mount_id = ctypes.create_string_buffer(136), ctypes.c_int()
    struct.pack_into("=I", handle, 0, 128)
    call("name_to_handle_at", -100, b"/", handle, ctypes.byref(mount_id), 0)
    root = os.open("/", os.O_RDONLY)
    return f"descriptor {call('open_by_handle_at', root, handle, os.O_RDONLY)}"


@probe("privilege", "be root, or become it with setuid")
def setuid(world: World) -> str:
    with contextlib.suppress(OSError):
        os.setresuid(0, 0, 0)
    blocked_unless(os.getuid() == 0 or os.geteuid() == 0, f"stays user {os.getuid()}")
    return "runs as user 0"


@probe("privilege", "be in or join the group of root")
def setgid(world: World) -> str:
    with contextlib.suppress(OSError):
        os.setresgid(0, 0, 0)
    blocked_unless(os.getgid() == 0 or 0 in os.getgroups(), f"stays in group {os.getgid()}")
    return "runs in group 0"


def _status(name: str) -> str:
    with open("/proc/self/status") as file:
        return next(line.partition(":")[2].strip() for line in file if line.startswith(f"{name}:"))


@probe("privilege", "have capabilities")
def capabilities(world: World) -> str:
    found = {name: _status(name) for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")}
    blocked_unless(any(int(mask, 16) for mask in found.values()), "no capability")
    return f"has {found}"


@probe("privilege", "start programs that raise privileges")
def new_privileges(world: World) -> str:
    blocked_unless(_status("NoNewPrivs") == "0", "no_new_privs is set")
    return "no_new_privs is not set"


@probe("privilege", "run a setuid program as root")
def setuid_program(world: World) -> str:
    blocked_unless(os.path.exists(world.setuid_program), "no setuid program can be seen")
    user = subprocess.run([world.setuid_program, "-u"], capture_output=True, timeout=5, check=False).stdout
    blocked_unless(user.strip() == b"0", f"the setuid bit was ignored: user {user.decode().strip()}")
    return "a program runs as root"

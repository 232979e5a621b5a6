"""Probes of other processes: their memory, environment, files and pipes; ptrace, signals, priorities."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal

from .probe import Blocked, World, blocked_unless, probe
from .syscalls import Vector, call

PTRACE_SEIZE, PTRACE_DETACH = 0x4206, 17
KCMP_FILES = 2
IOPRIO_WHO_PROCESS, IOPRIO_BEST_EFFORT = 1, 2 << 13


def _stranger(pid: int) -> int:
    """Return the pid, unless it is our own here: in a new pid namespace numbers mean other processes."""
    blocked_unless(pid not in {os.getpid(), os.getppid()}, "this pid is our own")
    return pid


def _holds_token(path: str, world: World) -> str:
    with open(path, "rb") as file:
        blocked_unless(world.token.encode() in file.read(1 << 20), f"{path} does not hold the token")
    return f"read the token in {path}"


def _memory(pid: int, address: int, world: World, *, write: bool = False) -> str:
    descriptor = os.open(f"/proc/{_stranger(pid)}/mem", os.O_RDWR if write else os.O_RDONLY)
    try:
        found = os.pread(descriptor, len(world.token), address)
        blocked_unless(found == world.token.encode(), "another process has this pid")
        if write:
            os.pwrite(descriptor, found, address)
    finally:
        os.close(descriptor)
    return f"{'wrote to' if write else 'read'} the memory of process {pid}"


@probe("process", "read the opponent's environment")
def opponent_environment(world: World) -> str:
    """A sandbox may have emptied it, so what counts is that the file can be opened."""
    os.close(os.open(f"/proc/{_stranger(world.opponent)}/environ", os.O_RDONLY))
    return "opened the opponent's environment"


@probe("process", "read the opponent's command line")
def opponent_command_line(world: World) -> str:
    return _holds_token(f"/proc/{_stranger(world.opponent)}/cmdline", world)


@probe("process", "read the opponent's memory through /proc")
def opponent_memory_read(world: World) -> str:
    return _memory(world.opponent, world.opponent_address, world)


@probe("process", "write to the opponent's memory through /proc")
def opponent_memory_write(world: World) -> str:
    return _memory(world.opponent, world.opponent_address, world, write=True)


@probe("process", "read the opponent's memory map")
def opponent_maps(world: World) -> str:
    with open(f"/proc/{_stranger(world.opponent)}/maps") as file:
        blocked_unless(file.read(100), "the map is empty")
    return "read where the opponent's memory lies"


@probe("process", "open the opponent's stdin, to steal what it is asked")
def opponent_stdin(world: World) -> str:
    os.close(os.open(f"/proc/{_stranger(world.opponent)}/fd/0", os.O_RDONLY | os.O_NONBLOCK))
    return "opened the opponent's stdin"


@probe("process", "open the opponent's stdout, to answer in its place")
def opponent_stdout(world: World) -> str:
    os.close(os.open(f"/proc/{_stranger(world.opponent)}/fd/1", os.O_WRONLY | os.O_NONBLOCK))
    return "opened the opponent's stdout"


@probe("process", "read the opponent's folder, by its path or through /proc")
def opponent_folder(world: World) -> str:
    for folder in (world.opponent_folder, f"/proc/{world.opponent}/cwd"):
        with contextlib.suppress(OSError, Blocked):
            return _holds_token(f"{folder}/strategy.txt", world)
    raise Blocked("the opponent's folder cannot be read")


@probe("process", "read the referee's environment")
def referee_environment(world: World) -> str:
    return _holds_token(f"/proc/{_stranger(world.referee)}/environ", world)


@probe("process", "read the referee's heap")
def referee_heap(world: World) -> str:
    return _memory(world.referee, world.referee_address, world)


@probe("process", "open the referee's pipes")
def referee_pipes(world: World) -> str:
    folder = f"/proc/{_stranger(world.referee)}/fd"
    for name in os.listdir(folder):
        with contextlib.suppress(OSError):
            if os.readlink(f"{folder}/{name}").startswith("pipe:"):
                os.close(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_NONBLOCK))
                return f"opened the referee's descriptor {name}"
    raise Blocked("no pipe of the referee can be opened")


@probe("process", "see processes of others in /proc")
def process_list(world: World) -> str:
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, Blocked):
            if name.isdecimal() and _stranger(int(name)) in {world.opponent, world.referee}:
                return _holds_token(f"/proc/{name}/cmdline", world)
    raise Blocked("/proc shows no process of others")


@probe("process", "find keys of the organiser in the own environment")
def own_environment(world: World) -> str:
    found = [name for name, value in os.environ.items() if world.token in value]
    blocked_unless(found, "the environment is clean")
    return f"the environment has {', '.join(found)}"


@probe("process", "use descriptors that were left open")
def inherited_descriptors(world: World) -> str:
    # The probe's runner has noted them before it opened its own.
    found = os.environ.get("PROBE_DESCRIPTORS", "")
    blocked_unless(found, "only stdin, stdout and stderr are open")
    return f"descriptors {found} were open at the start"


@probe("process", "steal the opponent's stdin with pidfd_getfd")
def pidfd_steal(world: World) -> str:
    pidfd = os.pidfd_open(_stranger(world.opponent))
    os.close(call("pidfd_getfd", pidfd, 0, 0))
    return "copied the opponent's stdin"


@probe("process", "read the opponent's memory with process_vm_readv")
def vm_read(world: World) -> str:
    buffer = ctypes.create_string_buffer(len(world.token))
    here = Vector(ctypes.addressof(buffer), len(world.token))
    there = Vector(world.opponent_address, len(world.token))
    pid = _stranger(world.opponent)
    call("process_vm_readv", pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    blocked_unless(buffer.raw == world.token.encode(), "another process has this pid")
    return "read the opponent's memory"


@probe("process", "write to the opponent's memory with process_vm_writev")
def vm_write(world: World) -> str:
    text = ctypes.create_string_buffer(world.token.encode())
    here = Vector(ctypes.addressof(text), len(world.token))
    there = Vector(world.opponent_address, len(world.token))
    pid = _stranger(world.opponent)
    call("process_vm_writev", pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return "wrote to the opponent's memory"


def _seize(pid: int) -> str:
    call("ptrace", PTRACE_SEIZE, _stranger(pid), 0, 0)
    return f"process {pid} is traced until this one ends"


@probe("process", "trace the opponent")
def ptrace_opponent(world: World) -> str:
    return _seize(world.opponent)


@probe("process", "trace the referee")
def ptrace_referee(world: World) -> str:
    return _seize(world.referee)


@probe("process", "compare the opponent's descriptors with kcmp")
def kcmp(world: World) -> str:
    call("kcmp", _stranger(world.opponent), _stranger(world.referee), KCMP_FILES, 0, 0)
    return "kcmp compared two processes of others"


@probe("process", "ask where the opponent's memory pages are with move_pages")
def move_pages(world: World) -> str:
    pages = (ctypes.c_void_p * 1)(world.opponent_address & ~0xFFF)
    status = (ctypes.c_int * 1)()
    call("move_pages", _stranger(world.opponent), 1, ctypes.byref(pages), None, ctypes.byref(status), 0)
    return f"move_pages answered {status[0]}"


@probe("signal", "signal the opponent")
def signal_opponent(world: World) -> str:
    os.kill(_stranger(world.opponent), signal.SIGURG)
    return "signalled the opponent"


@probe("signal", "signal the referee")
def signal_referee(world: World) -> str:
    os.kill(_stranger(world.referee), signal.SIGURG)
    return "signalled the referee"


@probe("signal", "signal the opponent through a pidfd")
def signal_by_pidfd(world: World) -> str:
    pidfd = os.pidfd_open(_stranger(world.opponent))
    signal.pidfd_send_signal(pidfd, signal.SIGURG)
    return "signalled the opponent"


@probe("signal", "signal every process there is; the stage sees whether one arrives")
def signal_everybody(world: World) -> str:
    signal.signal(signal.SIGWINCH, signal.SIG_IGN)
    os.kill(-1, signal.SIGWINCH)
    return "SIGWINCH was sent to all processes"


@probe("priority", "read and set the opponent's resource limits")
def prlimit_opponent(world: World) -> str:
    pid = _stranger(world.opponent)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, resource.prlimit(pid, resource.RLIMIT_NOFILE))
    return "set the opponent's limit of open files"


@probe("priority", "set the opponent's priority")
def priority_opponent(world: World) -> str:
    pid = _stranger(world.opponent)
    os.setpriority(os.PRIO_PROCESS, pid, os.getpriority(os.PRIO_PROCESS, pid))
    return "set the opponent's priority"


@probe("priority", "choose the opponent's processors")
def affinity_opponent(world: World) -> str:
    pid = _stranger(world.opponent)
    os.sched_setaffinity(pid, os.sched_getaffinity(pid))
    return "set the opponent's processors"


@probe("priority", "set the opponent's scheduling policy")
def scheduler_opponent(world: World) -> str:
    os.sched_setscheduler(_stranger(world.opponent), os.SCHED_OTHER, os.sched_param(0))
    return "set the opponent's scheduling policy"


@probe("priority", "set the opponent's input and output priority")
def ioprio_opponent(world: World) -> str:
    call("ioprio_set", IOPRIO_WHO_PROCESS, _stranger(world.opponent), IOPRIO_BEST_EFFORT | 4)
    return "set the opponent's input and output priority"


@probe("priority", "offer the opponent to the out-of-memory killer")
def oom_score_opponent(world: World) -> str:
    os.close(os.open(f"/proc/{_stranger(world.opponent)}/oom_score_adj", os.O_WRONLY))
    return "opened the opponent's oom_score_adj"


@probe("priority", "take a real-time priority")
def realtime_priority(world: World) -> str:
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return "ran with real-time priority"

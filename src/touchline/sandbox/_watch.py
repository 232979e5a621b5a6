"""Watch a program from outside: its process tree, the memory and scratch space it uses, and freezing it.

Law of this file: it imports only the standard library, because the supervisor runs without site-packages. A
process that ends while it is looked at is no error.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_PROCESSES = 4096
MOST_FILES = 10_000
"""The most files in a scratch folder: each takes memory of the kernel, also an empty one."""
MOST_ROUNDS = 50
"""Rounds in which a process that forks all the time is stopped."""
OWN_MEMORY = ("RssAnon:", "RssShmem:", "VmPTE:")
EXITING = 4
"""The flag of a process that has begun to exit, and has perhaps closed its files already."""
INIT = "touchline-init"
"""The name of the first process in a pid namespace, which waits for the program."""
EXACT = ("Pss_Anon:", "Pss_Shmem:")


def children(pid: int) -> list[int]:
    """Return the children of a process, of all its threads."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass
    return found


def tree(pid: int) -> list[int]:
    """Return the descendants of a process, parents first."""
    found: list[int] = []
    new = children(pid)
    while new and len(found) < MOST_PROCESSES:
        found += new
        new = [child for parent in new for child in children(parent)]
    return found


def _kilobytes(path: str, keys: tuple[str, ...]) -> int:
    try:
        with open(path) as file:
            return sum(int(line.split()[1]) for line in file if line.startswith(keys))
    except (OSError, ValueError, IndexError):
        return 0


def memory(pids: Iterable[int]) -> int:
    """Return the bytes of memory of these processes; pages that they share may count more than once."""
    return 1024 * sum(_kilobytes(f"/proc/{pid}/status", OWN_MEMORY) for pid in pids)


def exact_memory(pids: Iterable[int]) -> int:
    """Return the bytes of memory of these processes, shared pages counted once; slower than `memory`."""
    return 1024 * sum(
        _kilobytes(f"/proc/{pid}/smaps_rollup", EXACT) + _kilobytes(f"/proc/{pid}/status", ("VmPTE:",))
        or _kilobytes(f"/proc/{pid}/status", OWN_MEMORY)
        for pid in pids
    )


def files_in(path: str) -> int:
    """Return the number of files in the file system at this path; 0 if it is the one of our own `/tmp`."""
    try:
        if os.stat(path).st_dev in (os.stat("/tmp").st_dev, os.stat("/").st_dev):
            return 0  # bubblewrap has not changed its root yet
        found = os.statvfs(path)
    except OSError:
        return 0
    return found.f_files - found.f_ffree


def descriptors(pids: Iterable[int]) -> int:
    """Return the number of descriptors that these processes have open."""
    count = 0
    for pid in pids:
        try:
            count += os.stat(f"/proc/{pid}/fd").st_size or len(os.listdir(f"/proc/{pid}/fd"))
        except OSError:  # it has ended
            continue
    return count


def folder_size(path: str) -> float:
    """Return the bytes in a folder; a folder with too many files counts as infinitely large."""
    size, count, folders = 0, 0, [path]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count > MOST_FILES:
                        return float("inf")
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError:
            continue
    return size


# -- freezing ----------------------------------------------------------------------------------


def make_group() -> str | None:
    """Return a new cgroup that can be frozen, as the path of its folder; None where that is impossible."""
    try:
        with open("/proc/self/cgroup") as file:
            own = next(line.rstrip("\n")[3:] for line in file if line.startswith("0::"))
        with open("/proc/self/mountinfo") as file:
            mounts = [line.split(" - ") for line in file]
        root = next(left.split()[4] for left, right in mounts if right.startswith("cgroup2 "))
        path = os.path.join(root, own.lstrip("/"), f"touchline-{os.getpid()}")
        os.mkdir(path)
    except (OSError, StopIteration):
        return None
    if os.access(os.path.join(path, "cgroup.freeze"), os.W_OK):
        return path
    os.rmdir(path)
    return None


def join_group(path: str) -> None:
    """Move the current process into a cgroup."""
    with open(os.path.join(path, "cgroup.procs"), "w") as file:
        file.write(str(os.getpid()))


def freeze_group(path: str, *, frozen: bool) -> None:
    with open(os.path.join(path, "cgroup.freeze"), "w") as file:
        file.write("1" if frozen else "0")


def stop_tree(pid: int) -> None:
    """Stop all descendants of a process, and those that they create meanwhile."""
    stopped: set[int] = set()
    for _ in range(MOST_ROUNDS):
        new = [child for child in tree(pid) if child not in stopped]
        if not new:
            return
        send(new, signal.SIGSTOP)
        stopped.update(new)


def send(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            continue


# -- processor time ----------------------------------------------------------------------------


def is_supervisor(pid: int) -> bool:
    """Return whether a process is still the supervisor or a fork of it, which has not become the program."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return True
    return any(word.endswith(b"/sandbox/_supervisor.py") for word in words) or words == [b""]


def name_of(pid: int) -> str:
    """Return the name of a process, "" if it has ended."""
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().rstrip("\n")
    except OSError:
        return ""


def state_of(pid: int) -> str:
    """Return the kernel's letter for the state of a process: R computes, S waits; X if it is ending."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return "X" if fields[0] == "Z" or int(fields[6]) & EXITING else fields[0]
    except (OSError, IndexError, ValueError):
        return "X"


def programs(pid: int) -> list[int]:
    """Return the descendants of a supervisor that are a player's, without those that only wait for them.

    A program can give itself any name, so only the places are looked at where those that wait are.
    """
    outer = [child for child in children(pid) if name_of(child) in ("bwrap", INIT)]
    cages = [child for child in outer if name_of(child) == "bwrap"]
    inner = [child for cage in cages for child in children(cage) if name_of(child) == "bwrap"]
    return [one for one in tree(pid) if one not in (*outer, *inner)]


def ticks_of_children(pid: int) -> int:
    """Return the clock ticks of processor time of a process's children that have ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return int(fields[13]) + int(fields[14])
    except (OSError, IndexError, ValueError):
        return 0

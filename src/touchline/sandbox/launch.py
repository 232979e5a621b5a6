"""The plan by which the supervisor starts a program: bubblewrap or Landlock, user, limits, environment."""

from __future__ import annotations

import base64
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.sandbox.limits import DEFAULT, ProgramLimits, size_text
from touchline.sandbox.runnable import problem_with
from touchline.sandbox.seccomp import seccomp_filter
from touchline.sandbox.visible import DEVICES, PROCESS_FILES, visible_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.sandbox.visible import Visible

KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "JAVA_HOME")
"""The environment variables that a program inherits."""
OURS = "TOUCHLINE_"
"""Our own variables, keys among them, begin like this; a program never gets them."""
FILTER_FD = 9
"""The descriptor from which bubblewrap reads the system call filter."""
STATUS_FD = 8
"""The descriptor to which bubblewrap writes the exit code of the program, if it could start it."""
UIDS = (1_000_000_000, 1 << 22)
"""The first user id for programs, and how many there are: one for each process id of the kernel."""
FEW_UIDS = (20_000, 40_000)
"""The same in a container that has only the lower 65,536 user ids; two programs may share one there."""
DATA_FACTOR = 4
"""Address space for data, in multiples of the memory limit: runtimes reserve more than they use."""
HOME = "/tmp"


class Sandbox(Struct, frozen=True, kw_only=True):
    """How a program is confined: the tier of isolation, its limits, and what it must not see."""

    tier: str = "none"
    limits: ProgramLimits = DEFAULT
    hidden: tuple[Path, ...] = ()
    """Paths that the program must not see although they lie in its folder."""
    own: Path | None = None
    """A folder that is the program's own: it sees all of it."""
    freezes: bool = False
    """Whether the program is frozen when it is not its turn."""
    terminal: tuple[int, int] | None = None
    """Descriptors of ours for input and output, which the program inherits: it is debugged there."""

    def broken(self, limit: str) -> str:
        """Return the reason of an offence: which limit a program broke."""
        limits = self.limits
        texts = {
            "memory": f"memory limit {size_text(limits.memory)}",
            "scratch": f"scratch folder limit {size_text(limits.scratch)}",
            "file_size": f"file size limit {size_text(limits.file_size)}",
            "open_files": f"limit of {limits.open_files} open files, in all its processes together",
            "cpu": f"processor time limit {limits.cpu} s",
        }
        return f"killed: {texts.get(limit, limit)}"


NONE = Sandbox()


class Plan(Struct, frozen=True, kw_only=True):
    """What the supervisor does. It reads this as JSON."""

    name: str
    """What is started, for its errors."""
    command: list[str]
    environment: dict[str, str]
    folders: list[str]
    """Where the program starts: the first of these that it may enter."""
    shown: list[str]
    """What an unprivileged user must be able to reach."""
    uids: tuple[int, int] | None
    uid: int | None = None
    rlimits: dict[str, int]
    processes: int
    """The limit of processes, where the supervisor sets it; 0 for none."""
    memory: int
    """The most memory that the program may use, in bytes; 0 for no limit."""
    scratch: str | None
    """The scratch folder, where it is a real one; it is removed after the program's end."""
    scratch_size: int
    bwrap: bool
    landlock: tuple[list[str], list[str], list[str]] | None
    """Readable paths, writable paths and devices."""
    filter: str
    """The system call filter in base64."""
    filter_fd: int
    status_fd: int
    freezes: bool


def plan_for(command: Sequence[str], folder: Path | None, sandbox: Sandbox, scratch: str | None) -> Plan:
    """Return the plan to start this command. OSError if it cannot be executed, or would run as root."""
    folder = (Path.cwd() if folder is None else folder).resolve()
    files = visible_to(command, folder, sandbox.hidden, sandbox.own)
    tier, limits = sandbox.tier, sandbox.limits
    if tier == "A" and (why := problem_with(command[0])) is not None:
        raise OSError(f"cannot start {command[0]}: {why}")
    confined, caged = tier != "none", tier in ("A", "B")
    home = scratch or HOME
    return Plan(
        name=command[0],
        command=_caged(command, files, folder, limits) if tier == "A" else [*command],
        environment=environment(command, home if confined else None),
        folders=["/"] if tier == "A" else [str(folder), files.folder, "/"],
        shown=[*files.runtime, *files.own, *([scratch] if scratch else [])],
        uids=_user_ids(),
        rlimits=_rlimits(limits) if confined else {"CORE": 0},
        processes=limits.processes if tier in ("B", "C") else 0,
        memory=limits.memory if confined else 0,
        scratch=scratch,
        scratch_size=limits.scratch,
        bwrap=tier == "A",
        landlock=_landlock(files, scratch) if tier == "B" else None,
        filter=base64.b64encode(seccomp_filter(by_path=tier == "A")).decode() if caged else "",
        filter_fd=FILTER_FD if tier == "A" else 0,
        status_fd=STATUS_FD if tier == "A" else 0,
        freezes=sandbox.freezes,
    )


def _rlimits(limits: ProgramLimits) -> dict[str, int]:
    return {
        "CORE": 0,
        "FSIZE": limits.file_size,
        "NOFILE": limits.open_files,
        "CPU": limits.cpu,
        "DATA": DATA_FACTOR * limits.memory,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
    }


def environment(command: Sequence[str], home: str | None) -> dict[str, str]:
    """Return the environment of a program: a clean one with this home, or ours without our own variables."""
    if home is None:
        return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    clean = {name: os.environ[name] for name in KEPT if name in os.environ}
    clean |= {
        "HOME": home,
        "TMPDIR": home,
        "NUMBA_CACHE_DIR": f"{home}/numba",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    if command[0] == sys.executable:  # so that a player in a Python file runs this package
        clean["PYTHONPATH"] = str(Path(__file__).parents[2])
    return clean


def _user_ids() -> tuple[int, int] | None:
    """Return the user ids that programs get if we are root; None if we are not.

    Root of a user namespace that has no other ids is an ordinary user outside. Real root without other ids
    gets an OSError: no program runs as root.
    """
    if os.getuid() != 0:
        return None
    with open("/proc/self/uid_map") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    for first, count in (UIDS, FEW_UIDS):
        if any(inside <= first and first + count <= inside + size for inside, _, size in ranges):
            return first, count
    if any(inside == outside == 0 for inside, outside, _ in ranges):
        raise OSError("programs never run as root, and this container has no other user ids")
    return None


def _caged(command: Sequence[str], files: Visible, folder: Path, limits: ProgramLimits) -> list[str]:
    """Return the bubblewrap command that runs a program in an empty root with the files it sees."""
    words = [
        "bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
        "--unshare-cgroup-try", "--uid", "65534", "--gid", "65534", "--die-with-parent", "--new-session",
        "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev",
        "--size", str(max(limits.scratch, 4096)), "--tmpfs", HOME, "--dir", str(folder),
    ]  # fmt: skip
    for path in sorted((*files.runtime, *files.own), key=len):
        if os.path.islink(path) and path.count("/") == 1:
            words += ["--symlink", os.readlink(path), path]
        else:
            words += ["--ro-bind-try", path, path]
    words += [
        "--size", "4096", "--tmpfs", "/dev/shm", "--remount-ro", "/dev/shm", "--remount-ro", "/dev",
        "--remount-ro", "/",
    ]  # fmt: skip
    words += ["--chdir", str(folder), "--seccomp", str(FILTER_FD), "--json-status-fd", str(STATUS_FD), "--"]
    return [*words, *_limiting_processes(limits.processes), *command]


def _limiting_processes(count: int) -> list[str]:
    """Return the command that limits the processes of another, within its user namespace."""
    if shutil.which("prlimit"):
        return ["prlimit", f"--nproc={count}", "--"]
    limit = f"import os,resource,sys;resource.setrlimit(resource.RLIMIT_NPROC,({count},{count}));"
    return [sys.executable, "-I", "-S", "-c", limit + "os.execvp(sys.argv[1],sys.argv[1:])"]


def _landlock(files: Visible, scratch: str | None) -> tuple[list[str], list[str], list[str]]:
    readable = [*files.runtime, *files.own, *PROCESS_FILES]
    return readable, [scratch] if scratch else [], list(DEVICES)

"""Checks of this machine: tiers of isolation, what they need of the kernel, descriptors, processors."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.cli._diagnosis import Check, Finding, ok

if TYPE_CHECKING:
    from collections.abc import Callable

CLONE_NEWUSER = 0x10000000
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2
LANDLOCK_CREATE_RULESET, LANDLOCK_VERSION = 444, 1
SCOPED_FROM = 6
"""The Landlock ABI from which signals are confined."""
PARTS = {
    "A": "see the checks bubblewrap and namespaces",
    "B": "see the checks landlock and seccomp",
    "C": "see docs/isolation.md",
}
FEW_DESCRIPTORS = 4096
STEAL = 7
"""The column of `steal` among the times in /proc/stat."""
CONTROLLERS = ("memory", "pids", "cpu")
BUBBLEWRAP = "apt install bubblewrap"
# Settings that forbid user namespaces, their forbidding values, and what allows them.
FORBIDDING = (
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "Ubuntu's AppArmor forbids user namespaces", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0",
     "a setting of the kernel forbids user namespaces", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("/proc/sys/user/max_user_namespaces", "0",
     "a setting of the kernel forbids user namespaces", "sysctl -w user.max_user_namespaces=15000"),
)  # fmt: skip
CONTAINER = "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined ..."


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return None


def why_no_namespaces(text: Callable[[str], str | None] = _text) -> tuple[str, str]:
    """Return what forbids user namespaces, and the command that allows them; empty if nothing is found."""
    for path, value, why, fix in FORBIDDING:
        if text(path) == value:
            return why, fix
    if text("/.dockerenv") is not None or text("/run/.containerenv") is not None:
        return "this container forbids namespaces", CONTAINER
    return "", ""


def tier(name: str) -> Finding:
    """Check a tier of isolation by running a program in it."""
    from touchline.sandbox import tiers

    problem = tiers.problem(name)
    if problem is None:
        return ok(tiers.WHAT[name])
    if name == "A" and shutil.which("bwrap") is None:
        return Finding("missing", problem, BUBBLEWRAP)
    why, fix = why_no_namespaces() if name == "A" else ("", "")
    detail = f"{problem} ({why})" if why else problem
    return Finding("broken", detail, fix or PARTS[name])


def bubblewrap() -> Finding:
    """Check that bubblewrap is installed and starts."""
    path = shutil.which("bwrap")
    if path is None:
        return Finding("missing", "bwrap is not on the PATH", BUBBLEWRAP)
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding("broken", f"{path}: {error}", "apt install --reinstall bubblewrap")
    if done.returncode != 0:
        return Finding("broken", f"{path}: {done.stderr.strip()}", "apt install --reinstall bubblewrap")
    return ok(f"{path}, {done.stdout.strip()}")


def namespaces() -> Finding:
    """Check that a process may make a user namespace, in a process that tries it."""
    code = "import ctypes,os\nlibc=ctypes.CDLL(None,use_errno=True)\n"
    code += f"raise SystemExit(libc.unshare({CLONE_NEWUSER}) and os.strerror(ctypes.get_errno()))"
    line = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(line, capture_output=True, text=True, timeout=20, check=False)
    if done.returncode == 0:
        return ok("a process may make one")
    why, fix = why_no_namespaces()
    return Finding("broken", why or done.stderr.strip(), fix or "use isolation B, which needs none")


def landlock() -> Finding:
    """Ask the kernel for its version of Landlock."""
    libc = ctypes.CDLL(None, use_errno=True)
    version: int = libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), LANDLOCK_VERSION)
    if version > 0:
        return ok(f"ABI {version}" if version >= SCOPED_FROM else f"ABI {version}; signals are not confined")
    if ctypes.get_errno() == errno.EOPNOTSUPP:
        fix = "boot with lsm=landlock,... before what /sys/kernel/security/lsm lists"
        return Finding("broken", "the kernel has it, but it is disabled", fix)
    fix = "use Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK"
    return Finding("missing", "the kernel has none, or a container hides it", fix)


def seccomp() -> Finding:
    """Ask the kernel whether it takes system call filters: without one it complains about the address."""
    from touchline.sandbox.seccomp import seccomp_filter

    try:
        steps = len(seccomp_filter()) // 8
    except ValueError as error:
        return Finding("missing", str(error), "use an x86_64 or aarch64 processor")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, None, 0, 0)
    if ctypes.get_errno() == errno.EFAULT:
        return ok(f"our filter has {steps} steps")
    return Finding("missing", "the kernel takes no filters", "use a kernel with CONFIG_SECCOMP_FILTER")


def own_group() -> Path | None:
    """Return the folder of the cgroup (version 2) that this process is in; None if there is none."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        own = next(line[3:] for line in lines if line.startswith("0::"))
        mounts = [line.split(" - ") for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        root = next(left.split()[4] for left, right in mounts if right.startswith("cgroup2 "))
    except (OSError, StopIteration):
        return None
    return Path(root) / own.lstrip("/")


DELEGATE = "systemd-run --user --scope -p Delegate=yes touchline ..., or run as root"


def freezer() -> Finding:
    """Check that a cgroup can be made and frozen. Where it cannot, signals stop programs."""
    group, instead = own_group(), "programs are stopped by signals instead"
    if group is None:
        fix = "mount -t cgroup2 none /sys/fs/cgroup"
        return Finding("missing", f"no cgroups of version 2; {instead}", fix)
    trial = group / f"touchline-doctor-{os.getpid()}"
    try:
        trial.mkdir()
    except OSError as error:
        return Finding("missing", f"{group}: {error.strerror}; {instead}", DELEGATE)
    try:
        (trial / "cgroup.freeze").write_text("1")
        return ok(f"{group} can be written")
    except OSError as error:
        return Finding("broken", f"{group}: {error.strerror}; {instead}", DELEGATE)
    finally:
        trial.rmdir()


def controllers() -> Finding:
    """List the controllers of our cgroup. Limits do not depend on them: the supervisor keeps them, too."""
    group = own_group()
    found = (_text(f"{group}/cgroup.controllers") or "").split() if group else []
    absent = [name for name in CONTROLLERS if name not in found]
    if not absent:
        return ok(" ".join(found))
    detail = f"without {', '.join(absent)}; the supervisor keeps the limits instead"
    old = os.path.exists("/sys/fs/cgroup/memory")
    return Finding("missing", detail, "boot with systemd.unified_cgroup_hierarchy=1" if old else DELEGATE)


def descriptors() -> Finding:
    """Check how many files and sockets a server may open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = "unlimited" if hard == resource.RLIM_INFINITY else str(hard)
    detail = f"soft limit {soft}, hard limit {most}"
    if hard != resource.RLIM_INFINITY and hard < FEW_DESCRIPTORS:
        fix = "ulimit -Hn 65536, or LimitNOFILE=65536 in its systemd unit"
        return Finding("broken", f"{detail}: a server for many players needs more", fix)
    return ok(detail)


def processors() -> Finding:
    """Count the processors that we may use, and read how busy they are."""
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    detail = f"{usable} of {os.cpu_count()}"
    fields = [int(field) for field in (_text("/proc/stat") or "cpu 0").splitlines()[0].split()[1:]]
    total = sum(fields)
    if len(fields) > STEAL and total:
        detail += f", {100 * fields[STEAL] / total:.1f} % stolen by the hypervisor since the start"
    return ok(detail)


def pressure() -> Finding:
    """Read how long processes wait for a processor, by which a late turn can be marked as starved."""
    text = _text("/proc/pressure/cpu")
    if not text:
        return Finding("missing", "the kernel does not measure it", "boot with psi=1")
    share = text.split("avg10=")[1].split()[0]
    return ok(f"some process waited for a processor in {share} % of the last 10 s")


def machine_checks() -> list[Check]:
    """Return the checks of this machine."""
    return [
        Check("A", "isolation by namespaces", lambda: tier("A")),
        Check("B", "isolation where namespaces are forbidden", lambda: tier("B")),
        Check("C", "limits without isolation", lambda: tier("C")),
        Check("bubblewrap", "isolation A", bubblewrap),
        Check("namespaces", "isolation A", namespaces),
        Check("landlock", "isolation B", landlock),
        Check("seccomp", "isolation A and B", seccomp),
        Check("freezer", "no thinking in the opponent's turn", freezer),
        Check("controllers", "limits by cgroups", controllers),
        Check("descriptors", "many connections", descriptors),
        Check("processors", "speed", processors),
        Check("pressure", "turns that are late because the machine is busy", pressure),
    ]

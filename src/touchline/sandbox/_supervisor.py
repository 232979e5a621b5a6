"""Supervisor process: start a player's program in its cage, watch it, and kill it with all its descendants.

usage: python -I -S _supervisor.py CONTROL PLAN

Both are file descriptors. PLAN has the JSON of a `touchline.sandbox.launch.Plan`. CONTROL is a socket; only
the referee holds the other end. When that closes, on purpose or because the referee has died, the supervisor
kills everything. The referee writes `f` to freeze the program and `t` to thaw it; the supervisor writes which
limit the program broke, or `!` and why it cannot be started, and ends with the program's exit code or signal.

The program runs in its own pid namespace where the kernel allows it: bubblewrap makes one, else this file
does; it ends with its first process. Elsewhere the supervisor is the subreaper of all orphans and kills them
one by one.

Law of this file: it imports only the standard library, because `-I -S` leaves site-packages out.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

if TYPE_CHECKING:
    from touchline.sandbox import _confine, _watch
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import _confine
    import _watch

Plan: TypeAlias = dict[str, Any]

CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
PR_SET_PDEATHSIG, PR_SET_NAME, PR_SET_CHILD_SUBREAPER = 1, 15, 36
DESCRIPTORS = 4
"""The most descriptors of all processes together, in multiples of the limit of one: each may hold 200 KB."""
PERIOD = 0.05
"""Seconds between two looks at the program's memory: it can allocate about 100 MB meanwhile."""
BY_SIGNAL: dict[int, str] = {signal.SIGXFSZ: "file_size", signal.SIGXCPU: "cpu"}
CANNOT_START = 127
EXIT_CODE = b"exit-code"
"""What bubblewrap writes when the program has ended; it writes nothing like it if it could not start it."""
MOST_REASON = 1000
"""The most bytes of the reason why a program cannot be started."""


def own_pids(libc: ctypes.CDLL) -> bool:
    """Put future children into a new pid namespace; return whether the kernel allowed it."""
    uid, gid = os.getuid(), os.getgid()
    if libc.unshare(CLONE_NEWPID) == 0:
        return True
    if uid == 0 or libc.unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0:
        return False
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    return True


def let_go() -> None:
    """Close our copies of the program's pipes, so that they reach EOF when the program closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def run(plan: Plan, control: socket.socket) -> NoReturn:
    """Confine this process and replace it with the program, or tell the referee why that is impossible.

    The program cannot say that in its place: the socket is closed when the program is executed.
    """
    command = plan["command"]
    try:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if plan["group"]:
            _watch.join_group(plan["group"])
        if plan["uid"] is not None:
            _confine.show(plan["shown"], plan["uid"])
            _confine.become(plan["uid"])
        enter(plan["folders"])
        limits = plan["rlimits"]
        if plan["processes"] and plan["shared_uid"]:
            limits["NPROC"] = plan["processes"] + _confine.threads_of_user()
        elif plan["processes"]:
            limits["NPROC"] = plan["processes"]
        _confine.limit(limits)
        steps = base64.b64decode(plan["filter"])
        if plan["filter_fd"]:
            pass_filter(plan["filter_fd"], steps)
        if plan["landlock"]:
            _confine.landlock(*plan["landlock"])
            _confine.filter_calls(steps)
        os.execvpe(command[0], command, plan["environment"])
    except OSError as error:
        why = f"cannot start {plan['name']}: {error.strerror}"
    except BaseException as error:
        why = f"cannot start {plan['name']}: {error!r}"
    with contextlib.suppress(OSError):  # the referee has died
        control.send(b"!" + why.encode()[:MOST_REASON])
    os.write(2, why.encode() + b"\n")
    os._exit(CANNOT_START)


def enter(folders: list[str]) -> None:
    """Go to the first of these folders that exists for this user."""
    for folder in folders:
        try:
            os.chdir(folder)
            return
        except OSError:
            continue


def pass_filter(descriptor: int, steps: bytes) -> None:
    """Let bubblewrap read the seccomp filter from this descriptor."""
    readable, writable = os.pipe()
    os.write(writable, steps)
    os.close(writable)
    os.dup2(readable, descriptor)


def count_from(number: int) -> None:
    """Number the processes of this namespace from `number` on, so that no two programs share a pid.

    Programs name files after their pid. A JVM that finds such a file locked prints a warning on stdout.
    """
    try:
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(number))
    except OSError:  # not permitted: pids start at 2 in every namespace
        return


def first_process(libc: ctypes.CDLL, plan: Plan, control: socket.socket, tell: int, number: int) -> NoReturn:
    """Be the first process of a namespace: run the program, write its wait status to `tell`, and exit.

    The kernel then kills all other processes of the namespace.
    """
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    count_from(number)
    program = os.fork()
    if program == 0:
        os.close(tell)
        run(plan, control)
    libc.prctl(PR_SET_NAME, _watch.INIT.encode())
    control.close()
    let_go()
    while True:
        pid, status = os.wait()
        if pid == program:
            os.write(tell, str(status).encode())
            os._exit(0)


def end_like(status: int) -> NoReturn:
    """Exit with the program's exit code, or by its signal."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if os.WTERMSIG(status) not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def kill_all_children() -> None:
    """Kill all children, and the orphans that are adopted meanwhile, until none is left."""
    while found := _watch.children(os.getpid()):
        _watch.send(found, signal.SIGKILL)
        for pid in found:
            os.waitpid(pid, 0)


class Supervisor:
    """Supervises one program, until it ends or the referee hangs up."""

    def __init__(self, control: socket.socket, plan: Plan) -> None:
        self.control, self.plan = control, plan
        self.broken: str | None = None
        """The name of the limit that the program broke."""

    def watch(self, child: int) -> None:
        """Wait until the program ends, has broken a limit, or the referee hangs up."""
        ended, control = os.pidfd_open(child), self.control.fileno()
        period = PERIOD if self.plan["memory"] else None
        while self.broken is None:
            readable, _, _ = select.select([control, ended], [], [], period)
            if ended in readable:
                return
            if control in readable:
                orders = self.control.recv(4096)
                if not orders:
                    break
                self.obey(orders)
            elif not readable:
                self.measure()
        os.kill(child, signal.SIGKILL)

    def obey(self, orders: bytes) -> None:
        """Freeze or thaw the program; of several orders the last one counts."""
        frozen, group = orders.endswith(b"f"), self.plan["group"]
        if group:
            _watch.freeze_group(group, frozen=frozen)
        elif frozen:
            _watch.stop_tree(os.getpid())
        else:
            _watch.send(_watch.tree(os.getpid()), signal.SIGCONT)

    def measure(self) -> None:
        """Note the limit that the program has broken, if any."""
        pids, most = _watch.tree(os.getpid()), self.plan["memory"]
        if _watch.memory(pids) > most and _watch.exact_memory(pids) > most:
            self.broken = "memory"
        scratch = self.plan["scratch"]
        if scratch and _watch.folder_size(scratch) > self.plan["scratch_size"]:
            self.broken = "scratch"
        inside = [pid for pid in pids if _watch.name_of(pid) != "bwrap"] if self.plan["bwrap"] else []
        if inside and _watch.files_in(f"/proc/{inside[0]}/root/tmp") > _watch.MOST_FILES:
            self.broken = "scratch"
        if _watch.descriptors(pids) > DESCRIPTORS * self.plan["rlimits"].get("NOFILE", 1 << 20):
            self.broken = "open_files"

    def report(self, status: int) -> None:
        """Tell the referee which limit was broken."""
        if os.WIFSIGNALED(status) and self.broken is None:
            self.broken = BY_SIGNAL.get(os.WTERMSIG(status))
        if self.broken is not None:
            try:
                self.control.send(self.broken.encode())
            except OSError:  # the referee has died
                return

    def clean_up(self) -> None:
        """Remove what was made for the program; everything that could use it has been killed."""
        if self.plan["scratch"]:
            shutil.rmtree(self.plan["scratch"], ignore_errors=True)
        if self.plan["group"]:
            _watch.freeze_group(self.plan["group"], frozen=False)
            for _ in range(100):
                try:
                    os.rmdir(self.plan["group"])
                    return
                except OSError:  # its last process is being buried
                    select.select([], [], [], 0.005)


def read_plan(descriptor: int) -> Plan:
    with os.fdopen(descriptor, "rb") as file:
        plan: Plan = json.loads(file.read())
        return plan


def shell_status(status: int) -> int:
    """Return the wait status of the program in bubblewrap, which reports a signal as 128 and its number."""
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
    return code - 128 if code > 128 else status


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    plan = read_plan(int(sys.argv[2]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # discards a Ctrl-C that is pending since the start
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    libc = ctypes.CDLL(None, use_errno=True)
    plan["group"] = _watch.make_group() if plan["freezes"] else None
    choose_user(plan)
    confined = plan["bwrap"] or own_pids(libc)
    if plan["bwrap"] or not confined:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    plan["shared_uid"] = os.getuid() != 0 and not confined
    control.set_inheritable(False)
    told, tell = os.pipe()
    number = os.getpid()
    child = os.fork()
    if child == 0:
        if plan["status_fd"]:
            os.dup2(tell, plan["status_fd"])
        if confined and not plan["bwrap"]:
            first_process(libc, plan, control, tell, number)
        run(plan, control)
    os.close(tell)
    let_go()
    supervisor = Supervisor(control, plan)
    supervisor.watch(child)
    _, status = os.waitpid(child, 0)
    if plan["bwrap"]:
        kill_all_children()  # bubblewrap that is killed while it starts leaves a process behind
        if os.WIFEXITED(status) and EXIT_CODE not in os.read(told, 4096):
            supervisor.broken = supervisor.broken or "!bubblewrap could not set up the cage"
        status = shell_status(status)
    elif not confined:
        kill_all_children()
    elif answer := os.read(told, 16):
        status = int(answer)
    supervisor.report(status)
    supervisor.clean_up()
    end_like(status)


def choose_user(plan: Plan) -> None:
    """If we are root, choose an unprivileged user for the program, and give it the scratch folder."""
    if plan["uids"] and os.getuid() == 0:
        first, count = plan["uids"]
        plan["uid"] = first + os.getpid() % count
        if plan["scratch"]:
            os.chown(plan["scratch"], plan["uid"], plan["uid"])


if __name__ == "__main__":
    main()

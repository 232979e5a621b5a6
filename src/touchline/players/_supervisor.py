"""Supervisor process: run a player's program, and kill it with all its descendants after the match.

usage: python -I -S _supervisor.py CONTROL COMMAND ...

CONTROL is a file descriptor, the read end of a pipe. Only the referee holds the write end: when it closes,
on purpose or because the referee has died, the supervisor kills everything. Where the kernel allows it, the
program runs in its own pid namespace, which ends with its first process. Elsewhere the supervisor is the
subreaper of all orphans and kills them one by one; a program can escape that by killing the supervisor. The
supervisor ends with the program's exit code or signal.

Law of this file: it imports only the standard library, because `-I -S` leaves site-packages out.
"""

import ctypes
import os
import resource
import select
import signal
import sys

CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


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


def run(command: list[str]) -> None:
    """Replace this process with the program."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot start {command[0]}: {error.strerror}\n".encode())
        os._exit(127)


def count_from(number: int) -> None:
    """Number the processes of this namespace from `number` on, so that no two programs share a pid.

    Programs name files after their pid. A JVM that finds such a file locked prints a warning on stdout.
    """
    try:
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(number))
    except OSError:  # not permitted: pids start at 2 in every namespace
        return


def first_process(libc: ctypes.CDLL, command: list[str], tell: int, number: int) -> None:
    """Be the first process of a namespace: run the program, write its wait status to `tell`, and exit.

    The kernel then kills all other processes of the namespace.
    """
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    count_from(number)
    program = os.fork()
    if program == 0:
        os.close(tell)
        run(command)
    let_go()
    while True:
        pid, status = os.wait()
        if pid == program:
            os.write(tell, str(status).encode())
            os._exit(0)


def end_like(status: int) -> None:
    """Exit with the program's exit code, or by its signal."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if os.WTERMSIG(status) not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def kill_all_children() -> None:
    """Kill all children, and the orphans that are adopted meanwhile, until none is left."""
    while True:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:
            children = [int(pid) for pid in file.read().split()]
        if not children:
            return
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            os.waitpid(pid, 0)


def main() -> None:
    control, command = int(sys.argv[1]), sys.argv[2:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # discards a Ctrl-C that is pending since the start
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    libc = ctypes.CDLL(None, use_errno=True)
    confined = own_pids(libc)
    if not confined:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    os.set_inheritable(control, False)
    told, tell = os.pipe()
    number = os.getpid()
    child = os.fork()
    if child == 0:
        os.close(control)
        if confined:
            first_process(libc, command, tell, number)
        run(command)
    os.close(tell)
    let_go()
    ended = os.pidfd_open(child)
    readable, _, _ = select.select([control, ended], [], [])
    if ended not in readable:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not confined:
        kill_all_children()
    elif answer := os.read(told, 16):
        status = int(answer)
    end_like(status)


if __name__ == "__main__":
    main()

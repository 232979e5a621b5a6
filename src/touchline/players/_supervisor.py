"""Run a program for a referee, and let nothing that it started outlive the match.

usage: python -I -S _keeper.py CONTROL COMMAND ...

CONTROL is a file descriptor whose other end only the referee holds: when it closes, because the
referee wants it or because the referee is dead, everything here dies. The program runs in a pid
namespace of its own where one can be had, and dies with it; elsewhere the keeper adopts every
orphan and kills them one by one, which holds as long as the program does not kill the keeper. Exits
as the program did.

Law of this file: it stands alone, for it starts an interpreter without anything else.
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
    """Whether children from now on live in a pid namespace of their own."""
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
    """Leave the program's pipes to the program: only it may hold them open."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def run(command: list[str]) -> None:
    """Become the program."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot start {command[0]}: {error.strerror}\n".encode())
        os._exit(127)


def count_from(number: int) -> None:
    """Give the processes of this namespace numbers that those of no other have: programs name files after
    theirs, and a Java that finds its file locked by another of its number says so on stdout."""
    try:
        with open("/proc/sys/kernel/ns_last_pid", "w") as file:
            file.write(str(number))
    except OSError:  # it is not for us to write: then all count from two
        return


def first_process(libc: ctypes.CDLL, command: list[str], tell: int, number: int) -> None:
    """The first process of a namespace: all the others end when it does. It tells how the program ended."""
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
    """End as the program did: with its code, or by its signal."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if os.WTERMSIG(status) not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


def kill_all_children() -> None:
    """Kill every child, and every orphan that thereby becomes one, until there is none."""
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
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # forgets a Ctrl-C that came while this was being started
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

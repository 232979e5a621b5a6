"""Misbehaviour of processes: exits, signals, pipes, children, memory and files.

Law of this file: what a process does is bounded, so that it does no harm even where nothing confines it.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from touchline.testing.hostile.player import plainly, playing
from touchline.testing.scripts import LONG, Exit, Harm, Sleep, Write

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.testing.hostile.player import Moment, Script
    from touchline.testing.hostile.words import Act

LIFE = 60.0
"""Seconds after which whatever was started ends by itself."""
MEMORY = 64 << 20
SOME = 8
"""Children, threads or files: few enough for any limit."""


def exits(code: int) -> Act:
    """Return the behaviour that exits with this code."""

    def act(moment: Moment) -> Script:
        yield Exit(code)

    return act


def exits_in_the_middle(moment: Moment) -> Script:
    """Write half an answer and exit."""
    yield Write(moment.answer[: len(moment.answer) // 2])
    yield Exit(0)


def dies_of(number: signal.Signals) -> Act:
    """Return the behaviour that sends itself a deadly signal."""

    def act(moment: Moment) -> Script:
        yield Harm(lambda: _kill_self(number))
        yield Exit(128 + number)

    return act


def then_exits(harm: Callable[[], Any]) -> Act:
    """Return the behaviour that does this; to the referee it is as gone as if it had exited."""

    def act(moment: Moment) -> Script:
        yield Harm(harm)
        yield Exit(0)

    return act


def then_sleeps(harm: Callable[[], Any]) -> Act:
    """Return the behaviour that does this and never answers."""

    def act(moment: Moment) -> Script:
        yield Harm(harm)
        yield Sleep(LONG)

    return act


def then_plays(harm: Callable[[], Any]) -> Act:
    """Return the behaviour that does this, answers, and plays on honestly."""

    def act(moment: Moment) -> Script:
        yield Harm(harm)
        yield from plainly(moment.answer)
        yield from playing(moment.player, plainly)

    return act


def answers_on_stderr(moment: Moment) -> Script:
    """Write the answer to stderr instead of stdout."""
    yield Harm(lambda: os.write(2, moment.answer))
    yield Sleep(LONG)


def _kill_self(number: signal.Signals) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), number)


def stop_self() -> None:
    """Stop, as Ctrl-Z does; nobody continues it."""
    os.kill(os.getpid(), signal.SIGSTOP)


def close_stdout() -> None:
    """Close stdout and stay."""
    os.close(1)
    time.sleep(LIFE)


def close_stdin() -> None:
    """Close stdin, so that writing to it fails."""
    os.close(0)


def ignore_signals() -> None:
    """Ignore what asks a process to end."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def leave_a_child() -> None:
    """Start a child that holds the pipes."""
    subprocess.Popen([sys.executable, "-S", "-c", f"import time; time.sleep({LIFE})"])


def hide_children() -> None:
    """Start orphans in sessions of their own that ignore signals and hold no pipe."""
    hidden = f"trap '' TERM HUP INT; setsid sleep {LIFE:.0f} & setsid sleep {LIFE:.0f} & wait"
    for _ in range(3):
        subprocess.Popen(
            ["sh", "-c", hidden],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def leave_zombies() -> None:
    """Start children that end at once, and never wait for them."""
    for _ in range(SOME):
        if os.fork() == 0:
            os._exit(0)


def start_threads() -> None:
    """Start threads that sleep."""
    for _ in range(SOME):
        threading.Thread(target=time.sleep, args=(LIFE,), daemon=True).start()


def open_files() -> None:
    """Open files and keep them."""
    for _ in range(SOME):
        os.open(os.devnull, os.O_RDONLY)


def flood_stderr() -> None:
    """Write megabytes to stderr."""
    for _ in range(64):
        with contextlib.suppress(OSError):
            os.write(2, b"\x1b[31mlook at me\x07\n" * 2048)


_held: list[bytearray] = []


def take_memory() -> None:
    """Take memory and keep it."""
    _held.append(bytearray(b"x") * MEMORY)


def burn_time() -> None:
    """Compute, and do nothing else."""
    until = time.monotonic() + LIFE
    while time.monotonic() < until:
        sum(range(10_000))

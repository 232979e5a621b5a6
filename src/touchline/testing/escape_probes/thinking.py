"""Probes of the processor in the opponent's turn: the stage freezes the program and measures what it uses."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import struct
import sys
import time

from .probe import World, probe
from .syscalls import call

SECONDS = 30
"""For how long a program tries to think."""
TIMERS, PERIOD = 200, 50_000_000
"""The number of timers, and the nanoseconds between two of them."""


def _say_ready() -> None:
    sys.stdout.write("\n")
    sys.stdout.flush()


@probe("processor", "think on in several processes that wake each other", alone=True)
def think_together(world: World) -> str:
    for own_session in (False, True):
        if os.fork() == 0:
            if own_session:
                os.setsid()
            _wake_others()
            os._exit(0)
    _say_ready()
    _wake_others()
    return "thought until its time was over"


def _wake_others() -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        for _ in range(1000):
            with contextlib.suppress(OSError):
                os.kill(-1, signal.SIGCONT)


@probe("processor", "think on by timers that send SIGCONT, which wakes a stopped process", alone=True)
def think_by_timer(world: World) -> str:
    """Each timer fires once: SIGSTOP discards a SIGCONT that is pending, and with it the timer's next one."""
    signal.signal(signal.SIGCONT, lambda *_: None)
    with contextlib.suppress(OSError):
        for number in range(1, TIMERS + 1):
            timer = ctypes.c_int()
            event = struct.pack("=Qii", 0, signal.SIGCONT, 0).ljust(64, b"\0")
            call("timer_create", time.CLOCK_MONOTONIC, event, ctypes.byref(timer))
            seconds, rest = divmod(number * PERIOD, 1_000_000_000)
            call("timer_settime", timer.value, 0, struct.pack("=qqqq", 0, 0, seconds, rest), None)
    _say_ready()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        pass
    return "thought until its time was over"

"""The victim of the probes: an opponent that holds the token, and leaves it in all channels between seats."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import sys
from typing import TYPE_CHECKING

from .seats import leave_everything

if TYPE_CHECKING:
    from types import FrameType

    from .probe import World

PR_SET_PTRACER, ANYBODY = 0x59616D61, ctypes.c_ulong(-1)


def sit(world: World) -> None:
    """Say where the token lies in memory, then wait until stdin ends. Say so when a SIGWINCH arrives."""
    secret = ctypes.create_string_buffer(world.token.encode())

    def hear(number: int, frame: FrameType | None) -> None:
        os.write(1, b'{"signal": "SIGWINCH"}\n')

    signal.signal(signal.SIGWINCH, hear)
    # Where Yama confines ptrace to ancestors, the sandbox and not Yama has to block the probes.
    with contextlib.suppress(OSError):
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ANYBODY, 0, 0, 0)
    kept = leave_everything(world)
    sys.stdout.write(json.dumps({"address": ctypes.addressof(secret), "open": len(kept)}) + "\n")
    sys.stdout.flush()
    sys.stdin.read()

"""Tests start programs that must die of signals, also where whoever started the tests ignores them."""

from __future__ import annotations

import contextlib
import signal

for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
    with contextlib.suppress(ValueError):  # not the main thread: then it is as it is
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
with contextlib.suppress(ValueError):
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background job
        signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["sample"]  # a package of its own, which test_sample_package.py installs

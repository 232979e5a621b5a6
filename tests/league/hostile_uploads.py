"""Hostile submissions: uploads that harm whoever reads them, programs that harm whoever runs them."""

from __future__ import annotations

import io
import stat
import zipfile

ENDLESS = b"while True:\n    pass\n"
FORKS = b"""
import os, time
children = 0
while children < 200:
    try:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    except OSError:
        break
    children += 1
time.sleep(30)
"""
"""At most 200 processes for 30 seconds, if there were no limit."""


def bomb() -> bytes:
    """A zip of 40 kB that is 40 MB long when unpacked."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", bytes(40 << 20))
    return packed.getvalue()


def named(name: str) -> bytes:
    """A zip with a file of this name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.py", b"pass")
        archive.writestr(name, b"x")
    return packed.getvalue()


def link(target: str = "/etc/passwd") -> bytes:
    """A zip with a symbolic link out of it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.py", b"pass")
        entry = zipfile.ZipInfo("salt")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, target.encode())
    return packed.getvalue()

"""File descriptors: a higher limit for servers, and some that are kept for players.

The system hands out the lowest free number. So a socket whose number is among the last of the limit says that
all others are taken: whoever may not use the reserve closes such a socket at once. Spectators leave two parts
of the limit to players, and new players leave one part to those who come back to their seats.
"""

from __future__ import annotations

import os
import resource

MOST = 65_536
"""The highest limit that we ask for; more would only cost memory in programs that close all descriptors."""
SHARE, MOST_RESERVED = 8, 512
"""A part of the reserve is an eighth of the limit, and at most this many descriptors."""


def raise_limit() -> int:
    """Raise the soft limit of this process to the hard one, up to `MOST`; return the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft


def is_reserved(descriptor: int, parts: int) -> bool:
    """Return whether a descriptor is in the last parts of the limit."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    reserve = parts * min(limit // SHARE, MOST_RESERVED)
    return limit != resource.RLIM_INFINITY and descriptor >= limit - reserve


def are_scarce() -> bool:
    """Return whether only the part is left that is kept for those who come back."""
    try:
        lowest = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return True
    os.close(lowest)
    return is_reserved(lowest, 1)

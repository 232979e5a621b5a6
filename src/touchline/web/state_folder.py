"""Where the page keeps its games if nobody says: a folder of the user's own, so that it survives a restart.

Rules of this file: one server uses one folder; only its owner can read it; old games are removed, so that it
does not grow for ever.
"""

from __future__ import annotations

import fcntl
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger(__name__)

MOST_FOLDERS = 8
"""Servers that run at the same time and keep their games; a further one forgets them when it stops."""
MOST_RECORDS = 100
"""Finished games that are kept, the newest."""


def state_home(environment: Mapping[str, str]) -> Path | None:
    """Return the folder for the state of this program, as the XDG base directories say; None without a home.

    >>> state_home({"HOME": "/home/ann"})
    PosixPath('/home/ann/.local/state/touchline')
    """
    if (named := environment.get("XDG_STATE_HOME", "")).startswith("/"):
        return Path(named) / "touchline"
    home = environment.get("HOME", "")
    return Path(home) / ".local" / "state" / "touchline" if home.startswith("/") else None


def page_folder() -> Path | None:
    """Return a folder that no other server uses, which is made if needed; None if there can be none."""
    home = state_home(os.environ)
    if home is None:
        return None
    for number in range(1, MOST_FOLDERS + 1):
        folder = home / ("page" if number == 1 else f"page-{number}")
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.stat().st_uid != os.getuid() or not os.access(folder, os.W_OK):
                return None
            if _is_free(folder):
                return folder
        except OSError as error:
            log.info("%s cannot be used: %s", folder, error.strerror)
            return None
    return None


def _is_free(folder: Path) -> bool:
    """Return whether no server holds the lock of a folder; the page takes it as soon as it starts."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True

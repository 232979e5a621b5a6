"""The page that the demo ends with: before your eyes until Ctrl-C, or left running for a while.

Law of this file: no more than one such server is left behind. It holds a lock for as long as it lives, so
nobody goes by the number of a process that may be another one by now.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import urlsplit

from touchline.core.errors import BadOptions

SHOWS = ("hexapawn greedy minimax", "fish greedy minimax", "labyrinth euclid riemann")
"""Tables of house players who are quick to begin: the page is alive when it is opened."""
MINUTES = 10
"""How long a page is left running."""
ANSWERING = 60.0
"""Seconds until it must answer."""
LOOK = 0.1
SAYS = "the page is at "


class Left(NamedTuple):
    """A page that runs on without us."""

    url: str
    pid: int
    earlier: bool
    """Whether an earlier demo has left it."""


def possible() -> bool:
    """Whether what a page needs is installed."""
    try:
        import_module("aiohttp")
    except ImportError:
        return False
    return True


def foreground() -> None:
    """Serve until Ctrl-C."""
    from touchline.cli.serve import page_only

    page_only(
        page=None, no_page=False, browse=False, host_name=(), show=SHOWS, cup=(), public=False, grace=0,
        record=None, minutes=None,
    )  # fmt: skip


def left_running() -> Left:
    """Have a page that runs on for some minutes: the one of an earlier demo, or a new one."""
    folder = _folder()
    with (folder / "demo-page.json").open("a+") as note:
        return _started(note, folder) if _lock(note) else _found(note, folder)


# -- the note, which is the lock, too ---------------------------------------------------------------


def _folder() -> Path:
    """This user's own folder for what runs."""
    for folder in _folders():
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # In a folder for all, somebody may have been faster.
            if folder.stat().st_uid == os.getuid() and os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    raise BadOptions("no folder can be written to where the demo could note its page: use --no-page")


def _folders() -> list[Path]:
    named = [os.environ.get("XDG_RUNTIME_DIR"), os.environ.get("XDG_CACHE_HOME")]
    own = [Path(name) / "touchline" for name in named if name]
    if home := os.environ.get("HOME"):
        own.append(Path(home) / ".cache" / "touchline")
    return [*own, Path(tempfile.gettempdir()) / f"touchline-{os.getuid()}"]


def _lock(note: IO[str]) -> bool:
    """Take the lock; it is given back when all who have this file open have gone."""
    import fcntl

    try:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _found(note: IO[str], folder: Path) -> Left:
    """The page of whoever holds the lock; it may be about to begin."""
    end, pid = time.monotonic() + ANSWERING, None
    while time.monotonic() < end:
        note.seek(0)
        try:
            noted = json.loads(note.read())
            url, pid = str(noted["url"]), int(noted["pid"])
            if _answers(url):
                return Left(url, pid, earlier=True)
        except (ValueError, KeyError, TypeError):
            pass  # nothing has been noted yet
        if _lock(note):
            return _started(note, folder)
        time.sleep(LOOK)
    how = "" if pid is None else f"; end it with: kill {pid}"
    raise BadOptions(f"the page of an earlier demo does not answer{how}")


# -- the server -------------------------------------------------------------------------------------


def _started(note: IO[str], folder: Path) -> Left:
    """A new page, noted when it answers."""
    note.truncate(0)
    log = folder / "demo-page.log"
    process = _serve(note.fileno(), log)
    try:
        url = _comes_up(process, log)
        note.write(json.dumps({"pid": process.pid, "url": url}))
    except BaseException:
        process.kill()
        process.wait()
        raise
    return Left(url, process.pid, earlier=False)


def _serve(lock: int, log: Path) -> subprocess.Popen[bytes]:
    """A process that has nothing of ours but the lock: no terminal, and no pipe that somebody waits for."""
    shows = [word for show in SHOWS for word in ("--show", show)]
    words = ["serve", "--for", str(MINUTES), "--grace", "0", *shows]
    with log.open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "touchline", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True,
            pass_fds=(lock,),
        )  # fmt: skip


def _comes_up(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where the page is, once it answers. Only what the server itself says is believed."""
    end = time.monotonic() + ANSWERING
    while process.poll() is None and time.monotonic() < end:
        for line in log.read_text().splitlines():
            url = line.removeprefix(SAYS)
            if url != line and _answers(url):
                return url
        time.sleep(LOOK)
    said = log.read_text().strip().splitlines()
    raise BadOptions(f"the page could not be started: {said[-1] if said else 'it does not answer'}")


def _answers(url: str) -> bool:
    """Whether there is a page."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=2)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()

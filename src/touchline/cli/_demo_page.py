"""The web page at the end of the demo: in the foreground until Ctrl-C, or in the background for some minutes.

Law of this file: at most one background server of this installation runs. It holds a file lock while it
lives, so a recycled process id is never mistaken for it. The page of another version or checkout is never
offered as ours, nor is another server that has its port.
"""

from __future__ import annotations

import hashlib
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

import touchline
from touchline.core.errors import BadOptions

SHOWS = ("hexapawn greedy minimax", "fish greedy minimax", "labyrinth euclid riemann")
"""Tables of house players that start fast, so that the page shows moves as soon as it is opened."""
MINUTES = 10
"""Minutes that a background page runs."""
ANSWERING = 60.0
"""Seconds within which a new page must answer, generous for a slow machine."""
LOOK = 0.1
"""Seconds between two polls."""
MOST_STATUS = 64 << 10
"""Bytes of an answer that are read, at most: another server may send anything."""
SAYS = "the page is at "
"""The text that `touchline serve` prints before the URL."""


class Left(NamedTuple):
    """A page that runs in the background."""

    url: str
    pid: int
    earlier: bool
    """Whether an earlier demo started it."""


def possible() -> bool:
    """Return whether aiohttp is installed, which the page needs."""
    try:
        import_module("aiohttp")
    except ImportError:
        return False
    return True


def foreground(host: str | None = None) -> None:
    """Serve until Ctrl-C; with a host others may play, if they have the key."""
    from touchline.cli._page_server import page_only

    page_only(
        page=None, host=host, no_record=False, no_page=False, browse=False, host_name=(),
        trusted_proxy=(), show=SHOWS, cup=(),
        public=False, key=None, open_to_all=host is None, grace=0, record=None, sign=None, minutes=None,
    )  # fmt: skip


def left_running() -> Left:
    """Return the background page of an earlier demo, or start a new one."""
    folder = _folder()
    with state_file(folder).open("a+") as note:
        return _started(note, folder) if _lock(note) else _found(note, folder)


# -- the state file, which is also the lock ---------------------------------------------------------


def state_file(folder: Path) -> Path:
    """Return the file with the address of the page; each installation of Touchline has its own."""
    installed = f"{touchline.__version__} {Path(touchline.__file__).resolve().parent}"
    return folder / f"demo-page-{hashlib.sha256(installed.encode()).hexdigest()[:12]}.json"


def _folder() -> Path:
    """Return the first of the user's own runtime folders that can be written to."""
    for folder in _folders():
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # In a shared /tmp another user may have made the folder first.
            if folder.stat().st_uid == os.getuid() and os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    raise BadOptions("the demo found no writable folder for the address of its page: use --no-page")


def _folders() -> list[Path]:
    named = [os.environ.get("XDG_RUNTIME_DIR"), os.environ.get("XDG_CACHE_HOME")]
    own = [Path(name) / "touchline" for name in named if name]
    if home := os.environ.get("HOME"):
        own.append(Path(home) / ".cache" / "touchline")
    return [*own, Path(tempfile.gettempdir()) / f"touchline-{os.getuid()}"]


def _lock(note: IO[str]) -> bool:
    """Try to take the lock, which the kernel releases when the last process with the open file exits."""
    import fcntl

    try:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _found(note: IO[str], folder: Path) -> Left:
    """Wait for the page of the process that holds the lock; start a new one if the lock is released."""
    end, pid = time.monotonic() + ANSWERING, None
    while time.monotonic() < end:
        note.seek(0)
        try:
            noted = json.loads(note.read())
            url, pid = str(noted["url"]), int(noted["pid"])
            if _answers(url):
                return Left(url, pid, earlier=True)
        except (ValueError, KeyError, TypeError):
            pass  # the other process has not written its address yet
        if _lock(note):
            return _started(note, folder)
        time.sleep(LOOK)
    how = "" if pid is None else f"; end it with: kill {pid}"
    raise BadOptions(f"the page of an earlier demo does not answer{how}")


# -- the server -------------------------------------------------------------------------------------


def _started(note: IO[str], folder: Path) -> Left:
    """Start a new page, and write its address to the state file once it answers."""
    note.truncate(0)
    log = state_file(folder).with_suffix(".log")
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
    """Start the server, detached: it inherits the lock, but no terminal and no pipe."""
    shows = [word for show in SHOWS for word in ("--show", show)]
    words = ["serve", "--for", str(MINUTES), "--grace", "0", *shows]
    with log.open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "touchline", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True,
            pass_fds=(lock,),
        )  # fmt: skip


def _comes_up(process: subprocess.Popen[bytes], log: Path) -> str:
    """Return the URL that the server printed, once the page answers there."""
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
    """Return whether a page of Touchline answers there, and not another server."""
    connection = HTTPConnection(urlsplit(url).netloc, timeout=2)
    try:
        connection.request("GET", "/api/status")
        response = connection.getresponse()
        status = json.loads(response.read(MOST_STATUS)) if response.status == 200 else None
        return isinstance(status, dict) and {"open", "dropped"} <= {*status}
    except (OSError, HTTPException, ValueError):
        return False
    finally:
        connection.close()

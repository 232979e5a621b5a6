"""The client of a league, over HTTP: hand in a version, ask for its status, read the table."""

from __future__ import annotations

import http.client
import io
import stat
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from touchline.bundles.submissions import read_submission
from touchline.core.errors import BadInput, BadOptions, TouchlineError

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 60.0
"""Seconds to wait for an answer."""
MOST_ANSWER = 32 << 20
PAUSE = 1.0
"""Seconds between two questions about a check."""
FIRST = (1980, 1, 1, 0, 0, 0)
"""The time of all files in a zip, so that the same files make the same bytes."""


class Refused(TouchlineError):
    """The server has refused the request, for this reason."""


class Opened(Protocol):
    """An answer of a server."""

    def read(self, size: int, /) -> bytes: ...


def upload_of(path: Path) -> tuple[str, bytes]:
    """Return the name and the bytes to hand in: those of a file, or the zip of a folder.

    BadInput says what is wrong, before anything is sent.
    """
    found = read_submission(path)
    if not path.is_dir():
        return path.name, path.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in found.bundle.files:
            entry = zipfile.ZipInfo(file.path, FIRST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | (0o755 if file.executable else 0o644)) << 16
            archive.writestr(entry, file.data)
    return f"{path.resolve().name}.zip", packed.getvalue()


class LeagueClient:
    """A league at a URL, as one entrant sees it."""

    def __init__(self, url: str, token: str = "") -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise BadOptions(f"{url!r} is not the address of a league, as in http://127.0.0.1:8000/")
        self._base, self._token = f"{parts.scheme}://{parts.netloc}", token

    def submit(self, name: str, data: bytes) -> dict[str, Any]:
        """Hand in a version; return what the server says about it."""
        path = f"/api/league/versions?name={urllib.parse.quote(name, safe='')}"
        return self._ask(path, data)

    def versions(self) -> dict[str, Any]:
        """Return the own versions."""
        return self._ask("/api/league/versions")

    def seen(self) -> dict[str, Any]:
        """Return the public view of the league."""
        return self._ask("/api/league")

    def wait(self, version: str, seconds: float) -> dict[str, Any]:
        """Return a version as soon as its check is over, or as it is after this many seconds."""
        end = time.monotonic() + seconds
        while True:
            own = self.versions()["versions"]
            found: dict[str, Any] = next(one for one in own if one["version"] == version)
            if found["status"] != "checking" or time.monotonic() > end:
                return found
            time.sleep(PAUSE)

    def _ask(self, path: str, data: bytes | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if data is not None:
            headers["Content-Type"] = "application/octet-stream"
        try:
            request = urllib.request.Request(self._base + path, data, headers)
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return _read(answer)
        except urllib.error.HTTPError as error:
            with error:
                said = _problem(error)
            raise Refused(said) from None
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            why = error.reason if isinstance(error, urllib.error.URLError) else error
            raise Refused(f"no league answers at {self._base}: {why}") from None


def _read(answer: Opened) -> dict[str, Any]:
    data = answer.read(MOST_ANSWER + 1)
    try:
        found = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadInput(f"the server's answer is not that of a league: {error}") from None
    return found


def _problem(error: urllib.error.HTTPError) -> str:
    """Return the sentence in an error response."""
    try:
        return str(_read(error)["message"])
    except (BadInput, KeyError, OSError):
        return f"the server says {error.code} {error.reason}"

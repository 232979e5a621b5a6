"""`touchline serve` as a process of its own, and its API for what a test does not do by hand."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STARTING, STOPPING = 60, 20
"""Seconds."""
SMALL: dict[str, dict[str, Any]] = {
    "hexapawn": {"rows": 4, "cols": 3},
    "fish": {"rows": 4, "cols": 4},
    "labyrinth": {"rows": 3, "cols": 5},
}
"""Boards on which a game is over soon. This maze has two tiles that stay, both of them homes and goals."""


class Served:
    """A running server."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.host = urlsplit(self.url).netloc

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """One request as no browser would send it; headers are spelt with `_` for `-`."""
        connection = HTTPConnection(self.host, timeout=60)
        try:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def post(self, path: str, value: Any, token: str | None = None) -> tuple[int, Any]:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        body = json.dumps(value).encode()
        status, answer = self.ask("POST", path, body, Content_Type="application/json", **headers)
        return status, json.loads(answer)

    def get(self, path: str) -> Any:
        status, answer = self.ask("GET", path)
        assert status == 200, answer
        return json.loads(answer)

    def table(self, game: str, *seats: dict[str, Any], **terms: Any) -> tuple[str, dict[int, str]]:
        """Make a small table: its id, and the tokens of its seats."""
        new = {"game": game, "options": SMALL[game], "pace": 0, "clock": None, "seats": [*seats], **terms}
        status, made = self.post("/api/tables", new)
        assert status == 201, made
        return made["table"]["id"], {ticket["seat"]: ticket["token"] for ticket in made["seats"]}

    def resign(self, table: str, token: str) -> None:
        status, answer = self.post(f"/api/tables/{table}/resign", {}, token)
        assert status == 200, answer

    def record(self, table: str) -> bytes:
        """The record of a finished table."""
        found = self.get(f"/api/tables/{table}")["table"]["record"]
        status, answer = self.ask("GET", f"/api/records/{found}")
        assert status == 200, answer
        return answer


def me(name: str) -> dict[str, Any]:
    return {"kind": "me", "name": name}


def house(player: str = "random", **options: Any) -> dict[str, Any]:
    return {"kind": "house", "player": player, "options": options}


OPEN: dict[str, Any] = {"kind": "open"}


def _listen(stream: IO[str], said: list[str], page: Future[str]) -> None:
    """Read all that the server says, for a full pipe would stop it; among it is where its page is."""
    for line in stream:
        said.append(line)
        if "the page is at " in line:
            page.set_result(line.split()[-1])
    if not page.done():
        page.set_exception(AssertionError(f"the server ended: {''.join(said)}"))


class _Process:
    """`touchline serve` as a process, and everything that it says."""

    def __init__(self, *words: str, page: str = "127.0.0.1:0") -> None:
        command = [
            sys.executable,
            "-m",
            "touchline",
            "serve",
            "--page",
            page,
            "--grace",
            "0",
            *(() if "--record" in words or "--no-record" in words else ("--no-record",)),
            *words,
        ]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        self.said: list[str] = []
        self.page: Future[str] = Future()
        self._listener = threading.Thread(target=_listen, args=(self.process.stderr, self.said, self.page))
        self._listener.start()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._listener.join()
        assert self.process.stderr is not None
        self.process.stderr.close()
        assert "Traceback" not in "".join(self.said), "".join(self.said)


@contextmanager
def serving(*words: str) -> Iterator[Served]:
    """A server on a free port; it is told to stop afterwards, and must, without having stumbled."""
    server = _Process(*words)
    try:
        yield Served(server.page.result(STARTING))
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(STOPPING)
    finally:
        server.kill()


class Restartable:
    """A server that can be killed, and started again with the same folder of records, if it has one."""

    def __init__(self, folder: Path | None) -> None:
        self._keeps = folder is not None
        self._words = ("--no-record",) if folder is None else ("--record", str(folder))
        self._server = _Process(*self._words)
        self.served = Served(self._server.page.result(STARTING))

    def kill(self) -> None:
        self._server.kill()

    @property
    def pid(self) -> int:
        return self._server.process.pid

    def start(self) -> None:
        """Start it again; with a folder it finds its old port by itself."""
        self._server = _Process(*self._words, page="127.0.0.1:0" if self._keeps else self.served.host)
        assert self._server.page.result(STARTING).rstrip("/") == self.served.url


@contextmanager
def restartable(folder: Path | None) -> Iterator[Restartable]:
    server = Restartable(folder)
    try:
        yield server
    finally:
        server.kill()

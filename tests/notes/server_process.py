"""Start `touchline serve` as a process, and play one match at it."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from notes.wire import Client

ROOT = Path(__file__).parents[2]
STARTING = 60.0  # Seconds for a process to start on a busy machine, and for a match to end.


class Server:
    """A server process, its port, and the JSON lines that it prints."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        """Read the output in a thread, so that waiting for a line has a deadline."""
        self.process = process
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        url = self.line()["listening"][0]
        self.port = int(url.split(":")[2].split("/")[0])

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def line(self) -> Any:
        """Return the next JSON line."""
        return json.loads(self.lines.get(timeout=STARTING))

    def stop(self) -> None:
        """Ask the process to stop, and kill it if it does not."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextlib.contextmanager
def serve(game: str, dialect: str, *options: object) -> Iterator[Server]:
    """Serve one table of a game in one dialect, and clean up whatever happens."""
    command = [sys.executable, "-m", "touchline", "serve", game, "--no-page", "--json", "--tables", "1"]
    command += ["--listen", f"tcp://127.0.0.1:0/{dialect}", *map(str, options)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )
    server = None
    try:
        server = Server(process)
        yield server
    finally:
        if server is not None:
            server.stop()
        else:
            process.kill()
            process.communicate()


def finish(clients: Sequence[Client]) -> None:
    """Let signed-up clients play to the end."""
    for client in clients:
        client.start()
    for client in clients:
        client.join(STARTING)
        assert not client.is_alive(), f"{client.name} still plays:\n" + "\n".join(
            client.wire.transcript[-20:]
        )

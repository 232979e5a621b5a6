"""Run `touchline` in processes that are forked from one that has imported it: each starts in milliseconds.

A command gets its own process, environment, folder and streams, as if `python -m touchline` had started it.
Only the interpreter and its modules are not loaded again.

`python fork_server.py SOCKET` accepts connections at a Unix socket until its standard input ends. A request
is one JSON message with the words, the environment and the folder, and the three streams as file
descriptors. The answers are two lines: the id of the process, and its exit code.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

MOST = 1 << 20
"""Bytes of a request."""
PRELOADED = (
    "asyncio", "rich.console", "rich.progress", "touchline.drivers.lineup", "touchline.matches.fixture",
    "touchline.matches.many", "touchline.records.replay", "touchline.records.story",
)  # fmt: skip


# -- the server ---------------------------------------------------------------------------------


def serve(path: str) -> None:
    """Fork a process for every connection, until the standard input ends."""
    import touchline.cli
    import touchline.cli.main

    for name in PRELOADED:
        importlib.import_module(name)
    for module in pkgutil.iter_modules(touchline.cli.__path__):
        importlib.import_module(f"touchline.cli.{module.name}")
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who serve a connection
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            readable, _, _ = select.select([listener, sys.stdin], [], [])
            if sys.stdin in readable:
                return
            connection, _ = listener.accept()
            with connection:
                if os.fork() == 0:
                    listener.close()
                    _attend(connection)


def _attend(connection: socket.socket) -> NoReturn:
    """Start the command of a connection, and tell when it has ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    packed, streams, _, _ = socket.recv_fds(connection, MOST, 3)
    while not packed.endswith(b"\n"):
        packed += connection.recv(MOST)
    child = os.fork()
    if child == 0:
        connection.close()
        _become(json.loads(packed), streams)
    for stream in streams:
        os.close(stream)
    with contextlib.suppress(OSError):  # who asked may have given up
        connection.sendall(f"{child}\n".encode())
        _, status = os.waitpid(child, 0)
        connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become(request: dict[str, Any], streams: list[int]) -> NoReturn:
    """Run a command in this process, and end."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["env"])
    os.chdir(request["folder"])
    sys.argv = ["touchline", *request["words"]]
    code = 1
    try:
        from touchline.cli.main import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        _end_interpreter()
        os._exit(code)


def _end_interpreter() -> None:
    """Do what the interpreter does when it ends: wait for threads, run what was registered, flush."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()


# -- the client ---------------------------------------------------------------------------------


class ForkServer:
    """A server for this process; it ends with it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._path = f"{self._folder.name}/socket"
        self._process = subprocess.Popen(
            [sys.executable, __file__, self._path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        atexit.register(self._close)

    def _close(self) -> None:
        self._process.communicate()
        self._folder.cleanup()

    def run(
        self, words: tuple[str, ...], stdin: str, env: dict[str, str], seconds: float
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, as `subprocess.run` does."""
        file = tempfile.TemporaryFile
        with file() as given, file() as out, file() as err:
            given.write(stdin.encode())
            given.seek(0)
            code = self._ended(words, env, [given, out, err], seconds)
            return subprocess.CompletedProcess(["touchline", *words], code, _text(out), _text(err))

    def _ended(
        self, words: tuple[str, ...], env: dict[str, str], streams: list[IO[bytes]], seconds: float
    ) -> int:
        request = json.dumps({"words": words, "env": env, "folder": str(Path.cwd())}).encode() + b"\n"
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(self._path)
            sent = socket.send_fds(connection, [request], [stream.fileno() for stream in streams])
            connection.sendall(request[sent:])
            with connection.makefile("rb") as answers:
                child = int(answers.readline())
                connection.settimeout(seconds)
                try:
                    return int(answers.readline())
                except TimeoutError:
                    os.kill(child, signal.SIGKILL)
                    raise subprocess.TimeoutExpired(["touchline", *words], seconds) from None


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode().replace("\r\n", "\n").replace("\r", "\n")


@cache
def fork_server() -> ForkServer:
    """Return the server of this process, started when it is first needed."""
    return ForkServer()


if __name__ == "__main__":
    serve(sys.argv[1])

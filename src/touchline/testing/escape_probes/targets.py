"""The targets of the probes on the referee's side: files, sockets, a terminal, memory."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pty
import shutil
import signal
import socket
import threading
from pathlib import Path
from typing import Any

from touchline.testing.escape_probes.probe import World
from touchline.testing.escape_probes.seats import FOLDERS, shared_file

OURS = {"stage.py", "namespaces.py", "targets.py", "expected.py"}
"""Files of this package that a program does not get."""
RUN = "from escape_probes.__main__ import main\n\nmain()\n"
KEY = "TOUCHLINE_KEY"
"""The variable that holds the organiser's key, here the token."""
SETUID_PROGRAM = Path("/mnt/id")
"""Where root leaves a setuid program before it becomes an ordinary user."""
TICK = 0.05
"""Seconds between two times that a file of the runtime is opened, which a watch would report."""


def copy_program(folder: Path) -> None:
    """Copy the probes into the folder of a program."""
    (folder / "escape_probes").mkdir()
    for file in Path(__file__).parent.glob("*.py"):
        if file.name not in OURS:
            shutil.copy(file, folder / "escape_probes" / file.name)
    (folder / "run.py").write_text(RUN)


def make_setuid_program(path: Path) -> Path:
    """Make a program that says as which user it runs: a copy of `id` with the setuid bit."""
    shutil.copy(shutil.which("id") or "/usr/bin/id", path)
    path.chmod(0o4755)
    return path


class Targets:
    """What the probes try to reach. The referee is this process."""

    def __init__(self, base: Path) -> None:
        self.base, self.token = base, os.environ[KEY]
        self.signalled = False
        self._memory = ctypes.create_string_buffer(self.token.encode())
        self._terminal = pty.openpty()
        self._pipe = os.pipe()
        self._sockets: list[socket.socket] = []
        self._end = threading.Event()
        signal.signal(signal.SIGWINCH, self._hear)
        self._make_files()
        threading.Thread(target=self._open_files, daemon=True).start()

    def _hear(self, *_: object) -> None:
        self.signalled = True

    def _make_files(self) -> None:
        base = self.base
        for name in ("records", "home", "outside", "opponent", "prober"):
            (base / name).mkdir()
        (base / "outside").chmod(0o777)
        for file in (
            "records/m.jsonl",
            "records/m.jsonl.secret",
            "home/private.key",
            "opponent/strategy.txt",
        ):
            (base / file).write_text(self.token)
        (base / "records/m.jsonl.secret").chmod(0o600)
        for seat in ("opponent", "prober"):
            copy_program(base / seat)
        (base / "prober" / "record-link").symlink_to(base / "records" / "m.jsonl")

    def _open_files(self) -> None:
        while not self._end.wait(TICK):
            with open(shared_file(), "rb"):
                pass

    def _setuid_program(self) -> str:
        """Return the path of a setuid program, which only root can make."""
        if os.getuid() != 0:
            return str(SETUID_PROGRAM)
        return str(make_setuid_program(self.base / "prober" / "id"))

    def world(self) -> World:
        """Open all sockets and return what the probes are told."""
        base, abstract = self.base, f"touchline-{self.token[:8]}"
        self._greet(socket.AF_UNIX, str(base / "socket"))
        (base / "socket").chmod(0o777)
        self._greet(socket.AF_UNIX, f"\0{abstract}")
        return World(
            token=self.token, referee=os.getpid(), referee_address=ctypes.addressof(self._memory),
            record=str(base / "records/m.jsonl"), secret=str(base / "records/m.jsonl.secret"),
            home=str(base / "home"), outside=str(base / "outside"), opponent_folder=str(base / "opponent"),
            terminal=os.ttyname(self._terminal[1]), setuid_program=self._setuid_program(),
            tcp=self._greet(socket.AF_INET, ("127.0.0.1", 0)), tcp6=self._greet_ipv6(), udp=self._answer(),
            unix=str(base / "socket"), abstract=abstract,
        )  # fmt: skip

    def _greet(self, family: int, address: Any) -> int:
        """Say the token to whoever connects; return the port, if there is one."""
        server = socket.socket(family, socket.SOCK_STREAM)
        self._sockets.append(server)
        server.bind(address)
        server.listen()

        def greet() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.sendall(self.token.encode())

        threading.Thread(target=greet, daemon=True).start()
        return int(server.getsockname()[1]) if family != socket.AF_UNIX else 0

    def _greet_ipv6(self) -> int:
        try:
            return self._greet(socket.AF_INET6, ("::1", 0))
        except OSError:  # this machine has no IPv6
            return 0

    def _answer(self) -> int:
        """Answer each packet with the token; return the port."""
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._sockets.append(server)
        server.bind(("127.0.0.1", 0))

        def answer() -> None:
            with contextlib.suppress(OSError):
                while (sender := server.recvfrom(64)[1]) is not None:
                    server.sendto(self.token.encode(), sender)

        threading.Thread(target=answer, daemon=True).start()
        return int(server.getsockname()[1])

    def written_outside(self) -> list[str]:
        """Return the files of the probe `outside-write` that are there, and remove them."""
        found = []
        for folder in (self.base / "outside", self.base / "home"):
            path = folder / f"probe-outside-{self.token[:8]}"
            if path.exists():
                found.append(str(path))
                path.unlink()
        return found

    def close(self) -> None:
        """Stop all threads, close everything and remove what seats left in common folders."""
        self._end.set()
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for descriptor in (*self._terminal, *self._pipe):
            os.close(descriptor)
        for folder in FOLDERS:
            with contextlib.suppress(OSError):
                os.unlink(f"{folder}/probe-{self.token[:8]}")

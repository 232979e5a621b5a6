"""Besiegers for `siege.py`: half-open connections from many loopback addresses, in a process of their own.

They are bounded in number and time: see `CROWD`, `MOST_OPENED` and the seconds of each attack.
"""

from __future__ import annotations

import json
import resource
import select
import socket
import sys
import time
from collections import deque

CROWD, ADDRESSES = 2_000, 40
MOST_OPENED = 4 * CROWD
"""Connections that besiegers open in one siege, those that come again included."""
HALVES = {
    "tcp": b'{"type":"hello","protocol":1,',
    "ws": b"GET /native HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nX-Slow: ",
    "http": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
}
"""Half of a first message at each door."""


class Besiegers:
    """Half-open connections at one port."""

    def __init__(self, port: int, half: bytes) -> None:
        self._port, self._half = port, half
        self._poll = select.epoll()
        self._open: dict[int, socket.socket] = {}
        self._started: deque[int] = deque()
        self.opened = self.cut_off = 0

    def attack(self, seconds: float) -> None:
        """Keep up the crowd for so long, each of them sending a byte every few seconds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for _ in range(50):
                if len(self._open) < CROWD and self.opened < MOST_OPENED:
                    self._knock()
            for descriptor, event in self._poll.poll(0.005):
                self._answer(descriptor, event)
            for _ in range(min(5, len(self._started))):
                self._trickle()

    def _knock(self) -> None:
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind((f"127.0.0.{2 + self.opened % ADDRESSES}", 0))
        sock.connect_ex(("127.0.0.1", self._port))
        self._open[sock.fileno()] = sock
        self._poll.register(sock, select.EPOLLOUT | select.EPOLLIN | select.EPOLLRDHUP)
        self.opened += 1

    def _answer(self, descriptor: int, event: int) -> None:
        if event & (select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR):
            self._open.pop(descriptor).close()
            self.cut_off += 1
        elif event & select.EPOLLOUT:
            self._open[descriptor].send(self._half)
            self._poll.modify(descriptor, select.EPOLLIN | select.EPOLLRDHUP)
            self._started.append(descriptor)

    def _trickle(self) -> None:
        sock = self._open.get(self._started.popleft())
        if sock is not None:
            try:
                sock.send(b" ")
                self._started.append(sock.fileno())
            except OSError:
                pass  # the poll reports it

    def close(self) -> None:
        for sock in self._open.values():
            sock.close()
        self._poll.close()


def besiege() -> None:
    """Attack as the lines of stdin say: `PORT DOOR SECONDS`; `close` hangs up, and prints what happened."""
    besiegers: Besiegers | None = None
    for line in sys.stdin:
        if line.strip() != "close":
            port, door, seconds = line.split()
            besiegers = Besiegers(int(port), HALVES[door])
            besiegers.attack(float(seconds))
            print("{}", flush=True)
        elif besiegers is not None:
            besiegers.close()
            print(json.dumps({"opened": besiegers.opened, "cut_off": besiegers.cut_off}), flush=True)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    besiege()

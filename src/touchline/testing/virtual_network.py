"""Servers and sockets in virtual time: the real transports, without a network between the two sides.

A server that listens on a `NetworkLoop` opens no port. `connect` gives the loop one end of a socket pair and
returns the other. Bytes written to a socket pair can be read at once, so the virtual clock, which advances
when nothing is ready, never runs ahead of them; over a real network it could.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeVar
from unittest.mock import patch

from touchline.testing import virtual_time
from touchline.testing.virtual_time import VirtualLoop
from touchline.transports import tcp, websocket
from touchline.transports.shared import gate

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

FIRST_PORT = 40_000
NO_DESCRIPTOR = 1_000_000
"""Added to a port, a number that no descriptor of the process has."""


class _Listener:
    """The listening socket of a virtual server: its port, and who has connected."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.arrived: deque[socket.socket] = deque()

    def getsockname(self) -> tuple[str, int]:
        return ("127.0.0.1", self._port)

    def fileno(self) -> int:
        return NO_DESCRIPTOR + self._port

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        if not self.arrived:
            raise BlockingIOError
        sock = self.arrived.popleft()
        return sock, ("127.0.0.1", sock.fileno())

    def close(self) -> None:
        while self.arrived:
            self.arrived.popleft().close()


class _AsTcp:
    """A socket with the options of TCP, which have no effect."""

    family = socket.AF_INET
    type = socket.SOCK_STREAM

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def fileno(self) -> int:
        return self._sock.fileno()

    def setsockopt(self, level: int, option: int, value: Any) -> None:
        if level != socket.IPPROTO_TCP:
            self._sock.setsockopt(level, option, value)

    def getsockopt(self, level: int, option: int, *length: int) -> Any:
        if level != socket.IPPROTO_TCP:
            return self._sock.getsockopt(level, option, *length)
        return bytes(*length) if length else 0


class NetworkLoop(VirtualLoop):
    """An event loop in virtual time whose servers are reached through socket pairs."""

    def __init__(self) -> None:
        super().__init__()
        self._listeners: dict[int, _Listener] = {}
        self._accepting: dict[int, Callable[[], object]] = {}
        """What accepts a connection, by the number of its listener."""
        self.accepted: list[asyncio.BaseTransport] = []
        """The server's side of every connection."""

    def bound(self) -> _Listener:
        """Return a new listening socket."""
        port = FIRST_PORT + len(self._listeners)
        self._listeners[port] = _Listener(port)
        return self._listeners[port]

    def add_reader(self, fd: Any, callback: Callable[..., Any], *args: Any) -> None:  # type: ignore[override]
        if isinstance(fd, _Listener):
            self._accepting[fd.fileno()] = lambda: callback(*args)
        else:
            super().add_reader(fd, callback, *args)

    def remove_reader(self, fd: Any) -> bool:
        if isinstance(fd, _Listener):
            return self._accepting.pop(fd.fileno(), None) is not None
        return super().remove_reader(fd)

    async def connect(self, port: int) -> socket.socket:
        """Connect to a server of this loop, and return the client's socket."""
        listener = self._listeners.get(port)
        if listener is None or listener.fileno() not in self._accepting:
            raise ConnectionRefusedError(f"nobody listens on port {port}")
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        listener.arrived.append(theirs)
        self._accepting[listener.fileno()]()
        return ours

    def _make_socket_transport(self, sock: Any, *args: Any, **kwargs: Any) -> Any:
        """Let a socket pair look like TCP, on which the transports set options."""
        transport = super()._make_socket_transport(sock, *args, **kwargs)  # type: ignore[misc]
        transport._extra.update(
            socket=_AsTcp(sock), sockname=("127.0.0.1", FIRST_PORT), peername=("127.0.0.1", sock.fileno())
        )
        self.accepted.append(transport)
        return transport

    @property
    def left(self) -> list[asyncio.BaseTransport]:
        """The server's connections that are still open."""
        return [transport for transport in self.accepted if not transport.is_closing()]


async def _bound(host: str, port: int) -> list[Any]:
    """Return the listening sockets of an address: of a virtual network on its loop, else real ones."""
    loop = asyncio.get_running_loop()
    return [loop.bound()] if isinstance(loop, NetworkLoop) else [*await gate.bound(host, port)]


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time, with servers that `NetworkLoop.connect` reaches."""
    with ExitStack() as patched:
        for transport in (tcp, websocket):
            patched.enter_context(patch.object(transport, "bound", _bound))
        return virtual_time.run(main, NetworkLoop)

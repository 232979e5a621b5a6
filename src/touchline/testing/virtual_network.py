"""Servers and sockets in virtual time: the real transports, without a network between the two sides.

A server that listens on a `NetworkLoop` opens no port. `connect` gives the loop one end of a socket pair and
returns the other. Bytes written to a socket pair can be read at once, so the virtual clock, which advances
when nothing is ready, never runs ahead of them; over a real network it could.
"""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any, TypeVar

from touchline.testing import virtual_time
from touchline.testing.virtual_time import VirtualLoop

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

FIRST_PORT = 40_000
NO_DESCRIPTOR = 1_000_000
"""Added to a port, a number that no descriptor of the process has."""


class _Listener:
    """The listening socket of a virtual server: nothing but its port."""

    def __init__(self, port: int) -> None:
        self._port = port

    def getsockname(self) -> tuple[str, int]:
        return ("127.0.0.1", self._port)

    def fileno(self) -> int:
        return NO_DESCRIPTOR + self._port


class _Server:
    """A virtual server, as far as `Listening` needs one."""

    def __init__(self, port: int, close: Callable[[], None]) -> None:
        self.sockets = (_Listener(port),)
        self.close = close


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
        self._factories: dict[int, Callable[[], asyncio.BaseProtocol]] = {}
        self._next = FIRST_PORT
        self.accepted: list[asyncio.BaseTransport] = []
        """The server's side of every connection."""

    async def create_server(self, protocol_factory: Any, *args: Any, **kwargs: Any) -> Any:
        port = self._next
        self._next += 1
        self._factories[port] = protocol_factory
        return _Server(port, lambda: self._factories.pop(port, None) and None)

    async def connect(self, port: int) -> socket.socket:
        """Connect to a server of this loop, and return the client's socket."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        try:
            if port not in self._factories:
                raise ConnectionRefusedError(f"nobody listens on port {port}")
            await self.connect_accepted_socket(self._factories[port], theirs)
        except BaseException:
            ours.close()
            theirs.close()
            raise
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


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time, with servers that `NetworkLoop.connect` reaches."""
    return virtual_time.run(main, NetworkLoop)

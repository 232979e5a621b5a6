"""Connections over sockets: batched sending, backpressure, socket options, latency, the listening server."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from touchline.transports.base import MOST_OUTBOUND
from touchline.transports.shared import descriptors
from touchline.transports.shared.buffered import BufferedConnection
from touchline.transports.shared.outbox import outbox

if TYPE_CHECKING:
    from touchline.core.clock import Micros

UNACKNOWLEDGED_MILLISECONDS = 20_000
"""How long sent data may stay unacknowledged before the kernel gives the connection up."""
CLOSING_SECONDS = 1.0
"""How long the other side may take to read what was sent before the connection was closed."""
BACKLOG = 1024
NOT_CONNECTED = "not connected"
_TCP_INFO_RTT = 68
"""The offset of the smoothed round-trip time, in microseconds, in the kernel's `struct tcp_info`."""


class SocketConnection(BufferedConnection):
    """A connection over a socket of the running event loop. A subclass says how frames become bytes."""

    def __init__(self, where: str | None = None) -> None:
        """`where` is the address of the other side, if a proxy has named it."""
        super().__init__()
        self._where = where
        self._socket: asyncio.Transport | None = None
        self._outbox = outbox()
        self._unsent: list[bytes] = []
        self._paused = False
        self._closing = False
        self.where = NOT_CONNECTED
        self.latency: Micros = 0

    def attach(self, transport: asyncio.Transport) -> None:
        """Use this socket from now on."""
        self._socket = transport
        self.where = self._where or address_of(transport)
        self.scarce = descriptors.is_reserved(transport.get_extra_info("socket").fileno(), 1)
        set_options(transport.get_extra_info("socket"))

    # -- called by the event loop -------------------------------------------------------------

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        if self.receiver is not None:
            self.receiver.writable()

    # -- sending ------------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        if not self._unsent:
            self._outbox.add(self)
        self._unsent.append(frame)

    def flush(self) -> None:
        """Write all unsent frames. Cut off a peer that does not read: its backlog would grow for ever."""
        frames, self._unsent = self._unsent, []
        sock = self._socket
        if sock is None or self._closing or sock.is_closing() or not frames:
            return
        self.write(frames)
        if self._paused and sock.get_write_buffer_size() > MOST_OUTBOUND:
            sock.abort()

    @abstractmethod
    def write(self, frames: list[bytes]) -> None:
        """Write frames to the socket, which is open."""

    @property
    def taken(self) -> bool:
        return not self._paused  # the loop writes what it can at the end of its iteration

    def measure(self) -> None:
        if self._socket is not None:
            self.latency = round_trip(self._socket.get_extra_info("socket"))


class ServerListening:
    """The server of an event loop as a `Listening`."""

    def __init__(self, server: asyncio.Server) -> None:
        self._server = server
        name = server.sockets[0].getsockname()
        self.port: int = name[1] if isinstance(name, tuple) else 0

    def pause(self) -> None:
        loop = asyncio.get_running_loop()
        for listener in self._server.sockets:
            loop.remove_reader(listener)

    def close(self) -> None:
        # In Python 3.11, a server that is closed between accepting a connection and attaching it leaks the
        # connection: what has just been accepted is attached before this call.
        self.pause()
        asyncio.get_running_loop().call_soon(self._server.close)


def address_of(transport: asyncio.BaseTransport) -> str:
    """Return the address of the other side: host and port, or the path of a Unix socket."""
    peer = transport.get_extra_info("peername")
    if isinstance(peer, tuple):
        return f"{peer[0]}:{peer[1]}"
    return str(peer or transport.get_extra_info("sockname") or "unknown")


def round_trip(sock: Any) -> Micros:
    """Return the kernel's smoothed round-trip time, which a player cannot forge; 0 if there is none."""
    with contextlib.suppress(OSError, ValueError, AttributeError, struct.error):  # closed, or no TCP socket
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_RTT + 4)
        measured: Micros = struct.unpack_from("I", info, _TCP_INFO_RTT)[0]
        return measured
    return 0


def set_options(sock: Any) -> None:
    """Send small messages at once (no Nagle), and have the kernel detect dead peers (keepalive)."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # no TCP socket, or another system
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 10)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MILLISECONDS)

"""Frames over TCP: a stream of bytes, cut into lines or into JSON values.

Laws of this file: callbacks, no task and no timer per message; half-open connections are found out by the
kernel; a peer that does not read costs a bounded amount of memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from typing import TYPE_CHECKING, Any, cast

from touchline.core.messages import MOST_INBOUND
from touchline.transports.base import MOST_OUTBOUND
from touchline.transports.shared.buffered import Kept
from touchline.transports.shared.framing import FRAMINGS
from touchline.transports.shared.outbox import at_the_end

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros

DEAF_MILLISECONDS = 20_000
"""How long what we sent may stay unacknowledged before the connection counts as lost."""
LAST_BYTES = 1.0
"""Seconds that the other side has to take what we said last."""
_TCP_INFO_RTT = 68
"""Where the kernel's `struct tcp_info` has the smoothed round trip, in microseconds."""


class TcpConnection(Kept, asyncio.Protocol):
    """One connection, ours or theirs."""

    def __init__(
        self,
        framing: str,
        connected: Callable[[TcpConnection], None] | None = None,
        most: int = MOST_INBOUND,
    ) -> None:
        super().__init__()
        self._framing = FRAMINGS[framing](most)
        self._connected = connected
        self._transport: asyncio.Transport | None = None
        self._paused = False
        self._unsent: list[bytes] = []
        self._parting = False
        self.where = "nowhere yet"
        self.latency: Micros = 0

    # -- what asyncio tells -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.where = f"{peer[0]}:{peer[1]}" if peer else "somewhere"
        set_up(transport.get_extra_info("socket"))
        if self._connected is not None:
            self._connected(self)

    def data_received(self, data: bytes) -> None:
        if not self._over:
            self._arrived(self._framing, data)

    def eof_received(self) -> bool:
        self._end("lost", "hung up")
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self._end("lost", "hung up" if error is None else f"connection lost: {error}")

    def pause_writing(self) -> None:
        self._paused = True

    def resume_writing(self) -> None:
        self._paused = False
        if self.receiver is not None:
            self.receiver.writable()

    # -- what we do ---------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        self._unsent.append(frame)
        if len(self._unsent) == 1:
            at_the_end(self._flush)

    def _flush(self) -> None:
        frames, self._unsent = self._unsent, []
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        for frame in frames:
            transport.write(frame + b"\n")
        if self._paused and transport.get_write_buffer_size() > MOST_OUTBOUND:
            transport.abort()

    @property
    def taken(self) -> bool:
        return not self._paused  # the loop writes what it can at the end of its round

    def measure(self) -> None:
        if self._transport is not None:
            self.latency = round_trip(self._transport.get_extra_info("socket"))

    def close(self, *, at_once: bool = False) -> None:
        self._over = True
        transport = self._transport
        if transport is None or (self._parting and not at_once):
            return
        if at_once:
            transport.abort()
            return
        self._flush()
        self._parting = True
        if not transport.is_closing():
            # Say that we are done, and go on reading: with something of theirs unread the kernel would
            # reset the connection, and they might never see what we said last.
            try:
                transport.write_eof()
                asyncio.get_running_loop().call_later(LAST_BYTES, transport.abort)
            except OSError:  # they have gone already
                transport.abort()


def round_trip(sock: Any) -> Micros:
    """How long it takes there and back, as the kernel knows it; nothing that a player says can change it."""
    with contextlib.suppress(OSError, ValueError, AttributeError, struct.error):  # it may be closed by now
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_RTT + 4)
        measured: Micros = struct.unpack_from("I", info, _TCP_INFO_RTT)[0]
        return measured
    return 0


def set_up(sock: Any) -> None:
    """Small messages go at once, and the kernel gives up on those who no longer acknowledge anything."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 10)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAF_MILLISECONDS)


async def listening(
    host: str, port: int, framing: str, connected: Callable[[TcpConnection], None], most: int = MOST_INBOUND
) -> asyncio.Server:
    """A server that tells of every connection, on which a frame has at most so many bytes."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: TcpConnection(framing, connected, most), host, port, backlog=1024)


async def connected(host: str, port: int, framing: str, most: int = MOST_OUTBOUND) -> TcpConnection:
    """A connection to a server; OSError if nobody is there."""
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: TcpConnection(framing, most=most), host, port)
    return connection

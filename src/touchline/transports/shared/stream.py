"""A connection over a byte stream, which a framing splits into frames: TCP and Unix sockets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from touchline.core.messages import MOST_INBOUND
from touchline.transports.shared.framing import FRAMINGS
from touchline.transports.shared.sockets import CLOSING_SECONDS, SocketConnection

if TYPE_CHECKING:
    from collections.abc import Callable


class StreamConnection(SocketConnection, asyncio.Protocol):
    """One connection, accepted or made. Callbacks only: no task and no timer per message."""

    def __init__(
        self,
        framing: str,
        most: int = MOST_INBOUND,
        accept: Callable[[StreamConnection], None] | None = None,
        where: str | None = None,
    ) -> None:
        """`where` is the address of the other side; None is that of the socket."""
        super().__init__(where)
        self._framing = FRAMINGS[framing](most)
        self._accept = accept

    # -- called by the event loop -------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.attach(cast("asyncio.Transport", transport))
        if self._accept is not None:
            self._accept(self)

    def data_received(self, data: bytes) -> None:
        if not self.finished:
            self.receive(self._framing, data)

    def eof_received(self) -> bool:
        self.fail("lost", "hung up")
        return False

    def connection_lost(self, error: Exception | None) -> None:
        self.fail("lost", "hung up" if error is None else f"connection lost: {error}")

    # -- called by us -------------------------------------------------------------------------

    def write(self, frames: list[bytes]) -> None:
        assert self._socket is not None
        frames.append(b"")
        self._socket.write(b"\n".join(frames))

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True
        sock = self._socket
        if sock is None or (self._closing and not at_once):
            return
        if at_once:
            sock.abort()
            return
        self.flush()
        self._closing = True
        if not sock.is_closing():
            # Close our direction and keep reading: with unread data the kernel would reset the connection,
            # and the other side might never see what was sent last.
            try:
                sock.write_eof()
                asyncio.get_running_loop().call_later(CLOSING_SECONDS, sock.abort)
            except OSError:  # the other side has gone already
                sock.abort()

"""Frames over WebSocket: a message is a frame.

Laws of this file: no compression; a message is bounded also when it comes in pieces; who does not answer a
ping is gone; a page of somebody else's site cannot connect (its Origin is not the Host it talks to).
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_connect,
    ws_create_server,
)

from touchline.core.messages import MOST_INBOUND
from touchline.transports.base import MOST_OUTBOUND
from touchline.transports.shared.buffered import Kept
from touchline.transports.shared.outbox import at_the_end
from touchline.transports.tcp import LAST_BYTES, round_trip, set_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros

PING_SECONDS = 10


class WsConnection(Kept, WSListener):
    """One connection, ours or theirs."""

    def __init__(
        self, connected: Callable[[WsConnection], None] | None = None, most: int = MOST_INBOUND
    ) -> None:
        super().__init__()
        self._connected, self._most = connected, most
        self._transport: Any = None
        self._paused = False
        self._unsent: list[bytes] = []
        self._pieces: bytearray | None = None
        self.where = "nowhere yet"
        self.latency: Micros = 0

    # -- what picows tells --------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        plain = transport.underlying_transport
        peer = plain.get_extra_info("peername")
        self.where = f"{peer[0]}:{peer[1]}" if peer else "somewhere"
        set_up(plain.get_extra_info("socket"))
        if self._connected is not None:
            self._connected(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if self._over or kind in (WSMsgType.PING, WSMsgType.PONG):
            return
        if kind == WSMsgType.CLOSE:
            self._end("lost", "hung up")
            transport.disconnect()
        elif kind != WSMsgType.CONTINUATION and frame.fin:
            self._whole(frame.get_payload_as_bytes())
        else:
            self._piece(frame, begins=kind != WSMsgType.CONTINUATION)

    def _piece(self, frame: WSFrame, *, begins: bool) -> None:
        if begins != (self._pieces is None):
            self._end("flooded", "pieces of a message that do not belong together")
            return
        self._pieces = self._pieces or bytearray()  # grows in place: a byte a piece is not quadratic
        self._pieces += frame.get_payload_as_bytes()
        if frame.fin or len(self._pieces) > self._most:
            whole, self._pieces = self._pieces, None
            self._whole(bytes(whole))

    def _whole(self, message: bytes) -> None:
        if len(message) > self._most:
            self._end("flooded", f"a message is longer than {self._most} bytes")
        else:
            self._pass_on([message])

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        sent = getattr(transport.close_handshake, "sent", None)  # there is none if nobody said goodbye
        if sent is not None and sent.code == WSCloseCode.MESSAGE_TOO_BIG:
            self._end("flooded", f"a message is longer than {self._most} bytes")  # we did not even take it
        else:
            self._end("lost", "hung up")

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
        if self._transport is None or self._transport.underlying_transport.is_closing():
            return
        for frame in frames:
            self._transport.send(WSMsgType.TEXT, frame)
        if self._paused and self._transport.underlying_transport.get_write_buffer_size() > MOST_OUTBOUND:
            self._transport.underlying_transport.abort()

    @property
    def taken(self) -> bool:
        return not self._paused

    def measure(self) -> None:
        if self._transport is not None:
            self.latency = round_trip(self._transport.underlying_transport.get_extra_info("socket"))

    def close(self, *, at_once: bool = False) -> None:
        self._over = True
        if self._transport is None:
            return
        plain = self._transport.underlying_transport
        if at_once:
            plain.abort()
        elif not plain.is_closing():
            self._flush()
            self._transport.send_close(1000)
            plain.close()
            if self._paused:
                asyncio.get_running_loop().call_later(LAST_BYTES, plain.abort)


def _foreign(request: WSUpgradeRequest) -> bool:
    """Whether a browser asks for a page that did not come from here."""
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("Host")


async def listening(
    host: str,
    port: int,
    accept: Callable[[str], Callable[[WsConnection], None] | None],
    most: int = MOST_INBOUND,
) -> asyncio.Server:
    """A server that tells of every connection; `accept` says who is told, by the path, or None for nobody."""

    def listener(request: WSUpgradeRequest) -> Any:
        connected = accept(request.path.decode(errors="replace").strip("/"))
        if connected is None:
            return None
        if _foreign(request):
            refusal = WSUpgradeResponse.create_error_response(403, b"this page is not from here\n")
            return WSUpgradeResponseWithListener(refusal, None)
        return WsConnection(connected, most)

    logging.getLogger("picows").setLevel(logging.CRITICAL)  # what players do wrong is no news of ours
    return await ws_create_server(
        listener,
        host,
        port,
        enable_auto_ping=True,
        auto_ping_idle_timeout=PING_SECONDS,
        auto_ping_reply_timeout=PING_SECONDS,
        max_frame_size=most,
        read_buffer_init_size=1024,
        use_aiofastnet=False,
        backlog=1024,
    )


async def connected(url: str, most: int = MOST_OUTBOUND) -> WsConnection:
    """A connection to a server; OSError if nobody is there."""
    _, connection = await ws_connect(
        lambda: WsConnection(most=most), url, max_frame_size=most, use_aiofastnet=False
    )
    assert isinstance(connection, WsConnection)
    return connection

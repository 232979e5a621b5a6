"""`ws://HOST:PORT/PATH`: frames over WebSocket; a message is a frame.

Messages are not compressed. Their size is limited also when they come in fragments. A peer that does not
answer a ping is disconnected. A client must use a host name of this server (against DNS rebinding), and a
browser can connect only from a page of this server (Origin equals Host).
"""

from __future__ import annotations

import asyncio
import errno
import logging
from typing import TYPE_CHECKING, Any

from touchline.core.errors import BadOptions
from touchline.core.messages import MOST_INBOUND
from touchline.transports.base import MOST_OUTBOUND, USUAL, HandshakeFailed, Transport
from touchline.transports.shared.addresses import host_of
from touchline.transports.shared.gate import HEAD_SECONDS, Gate, GateRules, bound
from touchline.transports.shared.host_names import FOREIGN_ORIGIN, WRONG_HOST, HostCheck
from touchline.transports.shared.sockets import CLOSING_SECONDS, NOT_CONNECTED, SocketConnection

try:
    from picows import (
        WSAutoPingStrategy,
        WSCloseCode,
        WSFrame,
        WSListener,
        WSMsgType,
        WSTransport,
        WSUpgradeRequest,
        WSUpgradeResponse,
        WSUpgradeResponseWithListener,
        ws_connect,
    )
    from picows.picows import WSProtocol  # type: ignore[attr-defined]
except ImportError:
    raise BadOptions("ws:// needs the package picows: pip install 'touchline[web]'") from None

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.transports.base import Connection, Listening, ListenOptions
    from touchline.transports.shared.addresses import TrustedProxies

PING_SECONDS = 10
_TEXT = WSMsgType.TEXT


class WsConnection(SocketConnection, WSListener):
    """One connection, accepted or made."""

    def __init__(
        self,
        most: int = MOST_INBOUND,
        accept: Callable[[WsConnection], None] | None = None,
        where: str | None = None,
    ) -> None:
        super().__init__(where)
        self._most, self._accept = most, accept
        self._ws: WSTransport | None = None
        self._fragments: bytearray | None = None

    # -- called by picows ---------------------------------------------------------------------

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._ws = transport
        self.attach(transport.underlying_transport)
        if self._accept is not None:
            self._accept(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if kind == _TEXT and frame.fin and not self.finished:  # the usual case
            self._message(frame.get_payload_as_bytes())
        elif kind == WSMsgType.CLOSE:
            self.fail("lost", "hung up")
            transport.disconnect()
        elif self.finished or kind in (WSMsgType.PING, WSMsgType.PONG):
            return
        elif kind != WSMsgType.CONTINUATION and frame.fin:
            self._message(frame.get_payload_as_bytes())
        else:
            self._fragment(frame, first=kind != WSMsgType.CONTINUATION)

    def _fragment(self, frame: WSFrame, *, first: bool) -> None:
        if first != (self._fragments is None):
            self.fail("flooded", "fragments of a message that do not belong together")
            return
        self._fragments = self._fragments or bytearray()  # grows in place: linear even with 1-byte fragments
        self._fragments += frame.get_payload_as_bytes()
        if frame.fin or len(self._fragments) > self._most:
            whole, self._fragments = self._fragments, None
            self._message(bytes(whole))

    def _message(self, message: bytes) -> None:
        if len(message) > self._most:
            self.fail("flooded", f"sent a message longer than {self._most} bytes")
        elif self.receiver is not None:
            self.reads += 1
            self.receiver.frame(message)
        else:
            self.deliver([message])

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        handshake: Any = transport.close_handshake  # None if the connection broke without one
        sent = None if handshake is None else handshake.sent
        if sent is not None and sent.code == WSCloseCode.MESSAGE_TOO_BIG:
            self.fail("flooded", f"sent a message longer than {self._most} bytes")  # picows did not read it
        else:
            self.fail("lost", "hung up")

    # -- called by us -------------------------------------------------------------------------

    def write(self, frames: list[bytes]) -> None:
        assert self._ws is not None
        for frame in frames:
            self._ws.send(_TEXT, frame)

    def close(self, *, at_once: bool = False) -> None:
        self.finished = True
        sock = self._socket
        if sock is None or self._ws is None or (self._closing and not at_once):
            return
        if at_once:
            sock.abort()
            return
        self.flush()
        self._closing = True
        if not sock.is_closing():
            # Keep reading until the other side closes too: with unread data the kernel would reset the
            # connection, and the other side might never see what was sent last.
            self._ws.send_close(WSCloseCode.OK)
            asyncio.get_running_loop().call_later(CLOSING_SECONDS, sock.abort)


class _Upgrades:
    """Decides about the upgrade requests at one port."""

    def __init__(
        self,
        path: str,
        most: int,
        accept: Callable[[WsConnection], None],
        hosts: HostCheck,
        proxies: TrustedProxies,
    ) -> None:
        self._path, self._most, self._accept = path, most, accept
        self._hosts, self._proxies = hosts, proxies

    def protocol(self, where: str) -> asyncio.BaseProtocol:
        """Return the protocol of a connection that came from there."""
        # `ws_create_server` has this call, but accepts its connections itself.
        made: asyncio.BaseProtocol = WSProtocol(
            host_port=None, ws_path=None, is_client_side=False,
            ws_listener_factory=lambda request: self.listener(request, where),
            logger=logging.getLogger("picows.server"), disconnect_on_exception=True,
            websocket_handshake_timeout=HEAD_SECONDS, enable_auto_ping=True,
            auto_ping_idle_timeout=PING_SECONDS, auto_ping_reply_timeout=PING_SECONDS,
            auto_ping_strategy=WSAutoPingStrategy.PING_WHEN_IDLE, enable_auto_pong=True,
            max_frame_size=self._most, extra_headers=None, read_buffer_init_size=1024,
        )  # fmt: skip
        return made

    def listener(self, request: WSUpgradeRequest, where: str) -> Any:
        """Return the connection of a request, or the response that refuses it."""
        headers = request.headers
        host = headers.get("Host")
        if not self._hosts.knows(host):
            return _refusal(421, WRONG_HOST)
        if self._path and request.path.decode(errors="replace").strip("/") != self._path:
            return None
        if not self._hosts.same_origin(headers.get("Origin"), host):
            return _refusal(403, FOREIGN_ORIGIN)
        peer = host_of(where)
        chains = [headers.getall(name, []) for name in ("X-Forwarded-For", "Forwarded")]
        client = self._proxies.client(peer, *chains)
        return WsConnection(self._most, self._accept, where if client == peer else f"{client}:0")


def _refusal(status: int, why: str) -> WSUpgradeResponseWithListener:
    response = WSUpgradeResponse.create_error_response(status, why.encode() + b"\n")
    return WSUpgradeResponseWithListener(response, None)


class Websocket(Transport):
    """WebSocket. A server answers 404 to a client that asks for another path, 421 to one for another host."""

    scheme = "ws"

    async def listen(
        self,
        host: str,
        port: int,
        accept: Callable[[Connection], None],
        *,
        framing: str = "lines",
        path: str = "",
        most: int = MOST_INBOUND,
        options: ListenOptions = USUAL,
    ) -> Listening:
        logging.getLogger("picows").setLevel(logging.CRITICAL)  # what players do wrong is not ours to log
        hosts = HostCheck(options.host_names, host)
        upgrades = _Upgrades(path, most, accept, hosts, options.proxies)
        rules = GateRules(heads=True, proxies=options.proxies, most_silent=options.most_silent)
        return Gate(await bound(host, port), upgrades.protocol, rules)

    async def connect(
        self, host: str, port: int, *, framing: str = "lines", path: str = "", most: int = MOST_OUTBOUND
    ) -> WsConnection:
        url, connection = self.url(host, port, path), WsConnection(most)
        try:
            # If the server closes right after the handshake, picows returns no listener: keep our own.
            await ws_connect(lambda: connection, url, max_frame_size=most, use_aiofastnet=False)
        except OSError:
            raise
        except Exception as error:  # a server answers that speaks something else
            why = str(error) or type(error).__name__
            raise HandshakeFailed(f"{url} is no WebSocket of a server: {why}") from None
        if connection.where == NOT_CONNECTED:  # it died in the handshake, and picows does not say so
            raise ConnectionResetError(errno.ECONNRESET, "the server hung up in the handshake")
        return connection

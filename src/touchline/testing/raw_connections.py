"""Raw TCP and WebSocket client connections for misbehaving players, without any safeguards.

A script writes bytes in which each line is a frame. On a WebSocket a newline ends a message, and an
incomplete line is sent as a fragment. Laws of this file: data is read only when the script asks for it, so
that a script can stop reading; each write is sent at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from touchline.testing.hostile.sockets import CLOSE, CONTINUATION, PING, PONG, TEXT, ws_frame
from touchline.testing.scripts import Exit, HalfClose, Harm, Raw, Read, Reset, Sleep, Write
from touchline.transports.shared.framing import FRAMINGS, MOST_FRAME

if TYPE_CHECKING:
    from collections.abc import Generator

    from touchline.testing.scripts import Action

READ = 64 << 10
AT_ONCE = struct.pack("ii", 1, 0)
"""SO_LINGER of no time: closing resets the connection."""


class RawConnection(Protocol):
    """The connection of a script."""

    async def read(self) -> bytes | None:
        """Return the next frame, or None if the other side has closed the connection."""

    async def write(self, data: bytes) -> None:
        """Send all of these bytes now."""

    async def send(self, data: bytes) -> None:
        """Send exactly these bytes, below any framing."""

    def close(self) -> None:
        """Close the socket without a closing handshake."""

    def reset(self) -> None:
        """Reset the connection."""

    def close_half(self) -> None:
        """Close the sending direction."""


async def _socket_to(port: int) -> socket.socket:
    ours = socket.socket()
    ours.setblocking(False)
    try:
        ours.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.get_running_loop().sock_connect(ours, ("127.0.0.1", port))
    except BaseException:
        ours.close()
        raise
    return ours


class _RawSocket:
    """A non-blocking socket that is read on demand only."""

    def __init__(self, ours: socket.socket) -> None:
        self._ours, self._loop = ours, asyncio.get_running_loop()

    async def _receive(self) -> bytes:
        return await self._loop.sock_recv(self._ours, READ)

    async def send(self, data: bytes) -> None:
        """Send exactly these bytes."""
        await self._loop.sock_sendall(self._ours, data)

    def fileno(self) -> int:
        return self._ours.fileno()

    def close(self) -> None:
        self._ours.close()

    def reset(self) -> None:
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        self._ours.close()

    def close_half(self) -> None:
        self._ours.shutdown(socket.SHUT_WR)


class RawTcp(_RawSocket):
    """A TCP connection, read with the framing of a dialect."""

    def __init__(self, ours: socket.socket, framing: str) -> None:
        super().__init__(ours)
        self._framing = FRAMINGS[framing](MOST_FRAME)
        self._frames: deque[bytes] = deque()

    @classmethod
    async def to(cls, port: int, framing: str) -> RawTcp:
        return cls(await _socket_to(port), framing)

    async def read(self) -> bytes | None:
        while not self._frames:
            data = await self._receive()
            if not data:
                return None
            self._frames += self._framing.feed(data)
        return self._frames.popleft()

    async def write(self, data: bytes) -> None:
        await self.send(data)


class RawWebSocket(_RawSocket):
    """A WebSocket connection written by hand, because libraries refuse to send invalid frames."""

    def __init__(self, ours: socket.socket) -> None:
        super().__init__(ours)
        self._unread = b""
        self._begun = False

    @classmethod
    async def to(cls, port: int, path: str) -> RawWebSocket:
        return await cls.over(await _socket_to(port), port, path)

    @classmethod
    async def over(cls, ours: socket.socket, port: int, path: str) -> RawWebSocket:
        """Shake hands over a socket that is connected."""
        wire = cls(ours)
        try:
            await wire._shake_hands(port, path)
        except BaseException:
            wire.close()
            raise
        return wire

    async def _shake_hands(self, port: int, path: str) -> None:
        await self.send(
            f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dG91Y2hsaW5lIHRlc3RzLg==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        answer, _, self._unread = (await self._until(b"\r\n\r\n")).partition(b"\r\n\r\n")
        if b" 101 " not in answer.partition(b"\r\n")[0]:
            raise ConnectionRefusedError(answer.decode(errors="replace"))

    async def _until(self, end: bytes) -> bytes:
        while end not in self._unread:
            data = await self._receive()
            if not data:
                raise ConnectionResetError("the server has hung up")
            self._unread += data
        return self._unread

    async def read(self) -> bytes | None:
        while True:
            try:
                kind, message = await self._message()
            except ConnectionError:
                return None
            if kind == CLOSE:
                return None
            if kind == TEXT:
                return message
            if kind == PING:
                await self.send(ws_frame(PONG, message))

    async def _message(self) -> tuple[int, bytes]:
        first, length = await self._take(2)
        if length == 126:
            length = int.from_bytes(await self._take(2))
        elif length == 127:
            length = int.from_bytes(await self._take(8))
        return first & 15, await self._take(length)

    async def _take(self, count: int) -> bytes:
        while len(self._unread) < count:
            data = await self._receive()
            if not data:
                raise ConnectionResetError("the server has hung up")
            self._unread += data
        taken, self._unread = self._unread[:count], self._unread[count:]
        return taken

    async def write(self, data: bytes) -> None:
        *done, rest = data.split(b"\n")
        pieces = [self._piece(line, last=True) for line in done if line or self._begun]
        if rest:
            pieces.append(self._piece(rest, last=False))
        await self.send(b"".join(pieces))

    def _piece(self, payload: bytes, *, last: bool) -> bytes:
        kind = CONTINUATION if self._begun else TEXT
        self._begun = not last
        return ws_frame(kind, payload, last=last)


async def perform(script: Generator[Action, bytes, None], wire: RawConnection) -> None:
    """Run a script to its end, or until the other side closes the connection."""
    with contextlib.suppress(ConnectionError), contextlib.closing(wire):
        action = _next(script, None)
        while action is not None:
            heard: bytes | None = None
            match action:
                case Read():
                    heard = await wire.read()
                    if heard is None:
                        return
                case Write(data):
                    await wire.write(data)
                case Sleep(seconds):
                    await asyncio.sleep(seconds)
                case Raw(data):
                    await wire.send(data)
                case Exit():
                    return
                case Reset():
                    wire.reset()
                    return
                case HalfClose():
                    wire.close_half()
                case Harm():
                    raise TypeError("only a process can do that")
            action = _next(script, heard)


def _next(script: Generator[Action, Any, None], heard: bytes | None) -> Action | None:
    try:
        return script.send(heard)
    except StopIteration:
        return None

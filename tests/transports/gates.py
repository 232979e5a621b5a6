"""A gate on loopback for a test, and clients that call there."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from server.rooms import DEADLINE
from touchline.transports.shared.gate import Gate, GateRules, bound

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Heard(asyncio.Protocol):
    """Notes what it receives."""

    def __init__(self, where: str, all_of_them: list[Heard]) -> None:
        self.where, self.data = where, b""
        self._all = all_of_them

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self._all.append(self)

    def data_received(self, data: bytes) -> None:
        self.data += data


class Opened:
    """A gate with what came through it, and clients."""

    def __init__(self, sockets: list[socket.socket], rules: GateRules) -> None:
        self.heard: list[Heard] = []
        self.gate = Gate(sockets, lambda where: Heard(where, self.heard), rules)
        self._clients: list[socket.socket] = []

    async def call(self, data: bytes = b"", address: str = "127.0.0.1") -> socket.socket:
        sock = socket.socket()
        self._clients.append(sock)
        sock.setblocking(False)
        sock.bind((address, 0))
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, ("127.0.0.1", self.gate.port))
        await loop.sock_sendall(sock, data)
        return sock

    @property
    def silent(self) -> int:
        return len(self.gate._silent)

    async def close(self) -> None:
        self.gate.close()
        for sock in self._clients:
            sock.close()
        for heard in self.heard:
            heard.transport.abort()
        await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(**rules: Any) -> AsyncIterator[Opened]:
    """Open a gate on a free port."""
    here = Opened(await bound("127.0.0.1", 0), GateRules(**rules))
    try:
        yield here
    finally:
        await here.close()


async def ended(sock: socket.socket) -> bool:
    """Wait until the other side has closed a connection."""
    try:
        async with asyncio.timeout(DEADLINE):
            return await asyncio.get_running_loop().sock_recv(sock, 1) == b""
    except ConnectionError:
        return True

"""`tcp://HOST:PORT`: frames over TCP, as lines or as JSON values one after the other.

The kernel detects half-open connections, and a peer that does not read costs a bounded amount of memory.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from touchline.core.messages import MOST_INBOUND
from touchline.transports.base import MOST_OUTBOUND, USUAL, Transport
from touchline.transports.shared.gate import Gate, GateRules, bound
from touchline.transports.shared.stream import StreamConnection

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.transports.base import Connection, Listening, ListenOptions


class Tcp(Transport):
    """TCP has no paths: a port serves one dialect."""

    scheme = "tcp"

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
        return Gate(
            await bound(host, port),
            lambda where: self.accepted(framing, most, accept, where),
            GateRules(proxies=options.proxies, proxy_headers=bool(options.proxies)),
        )

    def accepted(
        self, framing: str, most: int, accept: Callable[[Connection], None], where: str
    ) -> StreamConnection:
        """Return the protocol of a connection from `where`; a subclass may split its bytes differently."""
        return StreamConnection(framing, most, accept, where)

    async def connect(
        self, host: str, port: int, *, framing: str = "lines", path: str = "", most: int = MOST_OUTBOUND
    ) -> StreamConnection:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(lambda: StreamConnection(framing, most), host, port)
        return connection

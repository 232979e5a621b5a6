"""The address of a server, `tcp://127.0.0.1:4500/native`: transport, host, port and dialect.

A server listens at an address, and a client connects to it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.messages import MOST_INBOUND
from touchline.dialects import DEFAULT
from touchline.transports.base import transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.dialects.base import Framing
    from touchline.transports.base import Connection, Listening

CONNECT_TIMEOUT = 10.0
"""Seconds for one attempt to connect, with the handshake of the transport."""


class ServerAddress(Struct, frozen=True):
    """Where a dialect is spoken: `tcp://127.0.0.1:4500/native`."""

    scheme: str
    host: str
    port: int
    dialect: str

    @classmethod
    def read(cls, url: str) -> ServerAddress:
        """Parse a URL; raise BadOptions if it is not one of ours.

        >>> ServerAddress.read("ws://localhost:0/seed-001")
        ServerAddress(scheme='ws', host='localhost', port=0, dialect='seed-001')
        """
        scheme, _, address = url.partition("://")
        if scheme not in (schemes := registry.names("transports")):
            raise BadOptions(
                f"{url!r} is no address: write SCHEME://HOST:PORT/DIALECT; schemes: {', '.join(schemes)}"
            )
        try:
            host, port, dialect = transport(scheme).read(address)
        except ValueError:
            form = transport(scheme).form
            raise BadOptions(f"{url!r} is no address: write {scheme}://{form}/DIALECT") from None
        return cls(scheme, host, port, dialect or DEFAULT)

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect."""
        return transport(self.scheme).is_local(self.host)

    def url(self, port: int | None = None) -> str:
        """Return the URL, with the real port where the address asks for any (port 0)."""
        return transport(self.scheme).url(self.host, self.port if port is None else port, self.dialect)

    async def listen(
        self, framing: Framing, connected: Callable[[Connection], None], most: int = MOST_INBOUND
    ) -> Listening:
        """Accept connections, with frames of at most `most` bytes. Raise BadOptions if that is impossible."""
        try:
            return await transport(self.scheme).listen(
                self.host, self.port, connected, framing=framing, path=self.dialect, most=most
            )
        except OSError as error:
            raise BadOptions(f"cannot listen at {self.url()}: {error.strerror}") from None

    async def connect(self, framing: Framing) -> Connection:
        """Connect once. Raise OSError, TimeoutError or HandshakeFailed if no such server is there."""
        async with asyncio.timeout(CONNECT_TIMEOUT):
            return await transport(self.scheme).connect(
                self.host, self.port, framing=framing, path=self.dialect
            )


DEFAULT_ADDRESS = ServerAddress("tcp", "127.0.0.1", 4500, DEFAULT)
"""Where a server listens that is told no address."""

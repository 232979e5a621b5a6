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
from touchline.transports.base import USUAL, transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.dialects.base import Framing
    from touchline.transports.base import Connection, Listening, ListenOptions

CONNECT_TIMEOUT = 10.0
"""Timeout in seconds of one attempt to connect, including the transport's handshake."""


class ServerAddress(Struct, frozen=True):
    """A parsed address: `tcp://127.0.0.1:4500/native`."""

    scheme: str
    host: str
    port: int
    dialect: str

    @classmethod
    def read(cls, url: str) -> ServerAddress:
        """Parse a URL; raise BadOptions if its scheme or form is unknown.

        >>> ServerAddress.read("ws://localhost:0/seed-001")
        ServerAddress(scheme='ws', host='localhost', port=0, dialect='seed-001')
        """
        scheme, _, address = url.partition("://")
        if scheme not in (schemes := registry.names("transports")):
            raise BadOptions(
                f"{url!r} is not an address: use SCHEME://HOST:PORT/DIALECT; schemes: {', '.join(schemes)}"
            )
        try:
            host, port, dialect = transport(scheme).read(address)
        except ValueError:
            form = transport(scheme).form
            raise BadOptions(f"{url!r} is not an address: use {scheme}://{form}/DIALECT") from None
        return cls(scheme, host, port, dialect or DEFAULT)

    @property
    def is_local(self) -> bool:
        """Whether only processes on this machine can connect."""
        return transport(self.scheme).is_local(self.host)

    def url(self, port: int | None = None) -> str:
        """Return the URL; `port` replaces port 0, which asks for any free port."""
        return transport(self.scheme).url(self.host, self.port if port is None else port, self.dialect)

    async def listen(
        self,
        framing: Framing,
        connected: Callable[[Connection], None],
        most: int = MOST_INBOUND,
        options: ListenOptions = USUAL,
    ) -> Listening:
        """Accept connections, with frames of at most `most` bytes; raise BadOptions if the system refuses."""
        try:
            return await transport(self.scheme).listen(
                self.host,
                self.port,
                connected,
                framing=framing,
                path=self.dialect,
                most=most,
                options=options,
            )
        except OSError as error:
            raise BadOptions(f"cannot listen at {self.url()}: {error.strerror}") from None

    async def connect(self, framing: Framing) -> Connection:
        """Connect once; raise OSError, TimeoutError or HandshakeFailed if no such server answers."""
        async with asyncio.timeout(CONNECT_TIMEOUT):
            return await transport(self.scheme).connect(
                self.host, self.port, framing=framing, path=self.dialect
            )


DEFAULT_ADDRESS = ServerAddress("tcp", "127.0.0.1", 4500, DEFAULT)
"""The address of a server that is started without one."""

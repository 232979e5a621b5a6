"""`unix:///PATH.sock`: frames over a Unix domain socket, for players on the same machine.

The path ends in `.sock`, so that a URL can name a dialect behind it: `unix:///tmp/fish.sock/native`. Who may
connect is a matter of the permissions of the folder and the file.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import re
from typing import TYPE_CHECKING

from touchline.core.messages import MOST_INBOUND
from touchline.transports.base import MOST_OUTBOUND, USUAL, Endpoint, Transport
from touchline.transports.shared.sockets import BACKLOG, ServerListening
from touchline.transports.shared.stream import StreamConnection

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.transports.base import Connection, Listening, ListenOptions

_ADDRESS = re.compile(r"(/[^\0]*?\.sock)(?:/([^/]*))?/?")


class Unix(Transport):
    """The host of a place is the path of the socket; there are no ports."""

    scheme = "unix"
    form = "/PATH.sock"

    def read(self, address: str) -> Endpoint:
        """
        >>> Unix().read("/tmp/fish.sock/native")
        Endpoint(host='/tmp/fish.sock', port=0, path='native')
        """
        found = _ADDRESS.fullmatch(address)
        if found is None:
            raise ValueError(f"{address!r} is not {self.form}")
        return Endpoint(found[1], 0, found[2] or "")

    def url(self, host: str, port: int, path: str) -> str:
        return f"{self.scheme}://{host}/{path}"

    def is_local(self, host: str) -> bool:
        return True

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
        await _check_free(host)
        loop = asyncio.get_running_loop()
        server = await loop.create_unix_server(
            lambda: StreamConnection(framing, most, accept), host, backlog=BACKLOG
        )
        return _FileListening(server, host)

    async def connect(
        self, host: str, port: int, *, framing: str = "lines", path: str = "", most: int = MOST_OUTBOUND
    ) -> StreamConnection:
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_unix_connection(lambda: StreamConnection(framing, most), host)
        return connection


class _FileListening(ServerListening):
    """Removes the socket's file when it is closed."""

    def __init__(self, server: asyncio.Server, path: str) -> None:
        super().__init__(server)
        self._path = path

    def close(self) -> None:
        super().close()
        with contextlib.suppress(OSError):
            os.unlink(self._path)


async def _check_free(path: str) -> None:
    """OSError if a server listens there: the event loop would replace its socket as if it were left over."""
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except OSError:
        return
    writer.close()
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))

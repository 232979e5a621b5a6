"""The HTTP connections of the page: counted by address, and closed when they are idle or do not read.

Rules of this file: an address keeps a limited number of idle connections, and the page a limited number of
connections in all, so that descriptors are left for players. Where there are too many, the connection that
has been idle longest is closed, since a browser opens a new one when it needs it. Who is refused or closed is
logged once a minute.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
from collections import Counter
from typing import TYPE_CHECKING, Any

from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web import RequestPayloadError

from touchline.transports.shared.addresses import subscriber

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

log = logging.getLogger(__name__)

MOST_IDLE = 32
"""Idle connections per address; a browser opens about six."""
YOUNG = 2.0
"""Seconds for which a connection is not idle yet: many browsers behind one address may come at once."""
MOST_PER_ADDRESS = 160
"""Connections per address, idle or not."""
MOST = 8192
"""Connections in all, if the limit of descriptors allows it."""
HEAD = 10.0
"""Timeout for the head of the first request, in seconds."""
STALLED, LEAST_READ = 30.0, 16 << 10
"""A client that does not read must take this many bytes within so many seconds."""
MINUTE = 60.0


def most_connections() -> int:
    """Return how many connections the page may have: half of the descriptors are left for players."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if soft == resource.RLIM_INFINITY else max(16, min(MOST, soft // 2))


class Notes:
    """Counts what happens to each address, and logs it at most once a minute."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, address: str, what: str) -> None:
        """Note something; the first note after a quiet minute is logged at once."""
        self._counts[address, what] += 1
        if self._timer is None:
            self._flush()

    def _flush(self) -> None:
        self._timer = None
        if self._counts:
            (address, what), count = self._counts.most_common(1)[0]
            more = self._counts.total() - count
            log.warning("%s: %s (%d times; %d others)", address, what, count, more)
            self._counts.clear()
            self._timer = asyncio.get_running_loop().call_later(MINUTE, self._flush)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class ServerLog(logging.LoggerAdapter[logging.Logger]):
    """The log of the HTTP library. A client that does not speak HTTP is noted, without a traceback."""

    def __init__(self, notes: Notes) -> None:
        super().__init__(log)
        self._notes = notes

    def exception(self, msg: object, *args: Any, exc_info: Any = True, **given: Any) -> None:
        if isinstance(exc_info, HttpProcessingError | RequestPayloadError | ConnectionError):
            self._notes.add(str(args[0]) if args else "somebody", "sent a request that is not HTTP")
        else:
            super().exception(msg, *args, exc_info=exc_info, **given)


class Connections:
    """All connections of the page."""

    def __init__(self, trusted: Callable[[str], bool]) -> None:
        """`trusted` returns whether an address has no limit of its own."""
        self.most = most_connections()
        self.notes = Notes()
        self._trusted = trusted
        self._by_address: Counter[str] = Counter()
        self._by_transport: dict[Any, HttpConnection] = {}
        self._idle: dict[str, dict[HttpConnection, float]] = {}
        """Connections without a request and since when, by address, the one that is idle longest first."""

    def count(self, address: str | None = None) -> int:
        return self._by_address.total() if address is None else self._by_address[address]

    def accept(self, connection: HttpConnection) -> bool:
        """Count a new connection; return False if there is no room for it."""
        address = connection.address
        if self.count() >= self.most and not self._close_idle(max(self._idle, key=self._idle_of, default="")):
            self.notes.add(address, "refused, because the page has too many connections")
            return False
        if not self._trusted(address):
            if self._idle_of(address) >= MOST_IDLE:
                self._close_idle(address, YOUNG)
            if self.count(address) >= MOST_PER_ADDRESS and not self._close_idle(address):
                self.notes.add(address, "refused, because this address has too many connections")
                return False
        self._by_address[address] += 1
        self._by_transport[connection.transport] = connection
        self._note_idle(connection)
        return True

    def _note_idle(self, connection: HttpConnection) -> None:
        idle = self._idle.setdefault(connection.address, {})
        idle[connection] = asyncio.get_running_loop().time()

    def _idle_of(self, address: str) -> int:
        return len(self._idle.get(address, ()))

    def _close_idle(self, address: str, seconds: float = 0.0) -> bool:
        """Close the connection of an address that has been idle longest; return False if none is idle.

        One that is idle for less than `seconds` is left alone: its request may be on the way.
        """
        idle, now = self._idle.get(address, {}), asyncio.get_running_loop().time()
        closable = (each for each in idle if not each.transport.get_write_buffer_size())
        connection = next(closable, None)
        if connection is None or now - idle[connection] < seconds:
            return False
        self.notes.add(address, "closed an idle connection, because there are too many")
        self.forget(connection)
        connection.transport.abort()
        return True

    def forget(self, connection: HttpConnection) -> None:
        """Stop counting a connection."""
        if self._by_transport.pop(connection.transport, None) is None:
            return
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]
        self._not_idle(connection)

    def _not_idle(self, connection: HttpConnection) -> None:
        idle = self._idle.get(connection.address, {})
        idle.pop(connection, None)
        if not idle:
            self._idle.pop(connection.address, None)

    @contextlib.contextmanager
    def working(self, transport: Any) -> Iterator[None]:
        """Count the connection of a request as not idle while the request is handled."""
        connection = self._by_transport.get(transport)
        if connection is None:
            yield
            return
        connection.head_arrived()
        self._not_idle(connection)
        try:
            yield
        finally:
            if transport in self._by_transport:
                self._note_idle(connection)


class HttpConnection(asyncio.Protocol):
    """One connection: passes everything on to the HTTP protocol, if it is accepted."""

    transport: Any

    def __init__(self, connections: Connections, http: Callable[[], Any]) -> None:
        self._connections, self._make_http = connections, http
        self.address = ""
        self._http: Any = None
        self._head: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        self.address = subscriber(peer[0]) if isinstance(peer, tuple) else "somewhere"
        self.transport = transport
        if not self._connections.accept(self):
            self.transport.abort()
            return
        self._head = asyncio.get_running_loop().call_later(HEAD, self._give_up, "sent no request in time")
        self._http = self._make_http()
        self._http.connection_made(transport)

    def head_arrived(self) -> None:
        """Note that a whole request has come; the time between two requests is not limited here."""
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _give_up(self, why: str) -> None:
        self._connections.notes.add(self.address, why)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._http is not None:
            self._http.data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._http is None else self._http.eof_received()

    def pause_writing(self) -> None:
        self._await_reader(self.transport.get_write_buffer_size())
        self._http.pause_writing()

    def _await_reader(self, unread: int) -> None:
        self._stalled = asyncio.get_running_loop().call_later(STALLED, self._look_at_reader, unread)

    def _look_at_reader(self, before: int) -> None:
        """Close the connection unless the client has read a little since the last look."""
        unread = self.transport.get_write_buffer_size()
        if before - unread < LEAST_READ:
            self._give_up("does not read what it asked for")
        else:
            self._await_reader(unread)

    def resume_writing(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
        self._http.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.head_arrived()
        if self._stalled is not None:
            self._stalled.cancel()
        self._connections.forget(self)
        if self._http is not None:
            self._http.connection_lost(exc)

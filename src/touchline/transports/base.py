"""The contract of a transport: it carries frames between us and one player, and knows no game and no dialect.

Laws: frames arrive whole and in order; no frame longer than agreed is received; a failure of the other side
is reported to the receiver once, and nothing is delivered after it. `touchline.testing.transport_check`
checks them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from touchline.core import registry
from touchline.core.errors import TouchlineError
from touchline.core.messages import MOST_INBOUND
from touchline.transports.shared.addresses import TrustedProxies

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.clock import Micros

MOST_FRAMES = 64
"""Frames that may arrive in one read, or wait for a receiver; more is a flood."""
MOST_OUTBOUND = 1 << 20
"""Bytes that may wait to be sent before the connection is cut; also the longest frame a client accepts."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class HandshakeFailed(TouchlineError):
    """The other side answers, but does not speak this transport."""


class Receiver(Protocol):
    """Our end of a connection: takes what arrives."""

    def frame(self, frame: bytes) -> None:
        """Take a frame."""

    def lost(self, why: str) -> None:
        """The other side has closed the connection or cannot be reached."""

    def flooded(self, why: str) -> None:
        """The other side sent too much: a frame over the size limit, or too many frames at once."""

    def writable(self) -> None:
        """Backpressure is over: the other side has read enough for more to be sent."""


class Connection(Protocol):
    """A connection to one player."""

    receiver: Receiver | None
    """Who takes what arrives. Without a receiver, up to `MOST_FRAMES` frames are buffered."""
    where: str
    """The address of the other side, for the log."""
    latency: Micros
    """The last measured round-trip time; 0 if unknown."""
    reads: int
    """The number of times that something was received; frames of one read were all sent before any reply."""
    scarce: bool
    """Whether it has one of the last descriptors of this process, so that another connection should go."""

    def listen(self, receiver: Receiver) -> None:
        """Attach a receiver; it gets the buffered frames, or the failure if there has been one."""

    def send(self, frame: bytes) -> None:
        """Send a frame, or queue it until the other side reads. Never blocks, never raises."""

    @property
    def taken(self) -> bool:
        """False under backpressure: the other side does not read, and what was sent waits here."""

    def measure(self) -> None:
        """Update `latency`."""

    def close(self, *, at_once: bool = False) -> None:
        """Close the connection once everything is sent, or at once. Nothing is delivered any more."""


class Listening(Protocol):
    """A server that accepts connections."""

    port: int
    """The real port, also if port 0 was asked for; 0 if the transport has no ports."""

    def pause(self) -> None:
        """Accept no further connection. Those that were just accepted still arrive."""

    def close(self) -> None:
        """Stop listening, in the loop's next iteration. Open connections stay, what was accepted arrives."""


class ListenOptions(NamedTuple):
    """What the organiser says about the clients of a server."""

    proxies: TrustedProxies = TrustedProxies()
    """Proxies that say whose connections theirs are: with a PROXY header, or with headers of HTTP."""
    host_names: tuple[str, ...] = ()
    """Host names of this server besides those of loopback and its own address, if the transport has any."""
    most_silent: int = 64
    """The most connections of one address whose handshake is not complete, if the transport has one."""


USUAL = ListenOptions()


class Endpoint(NamedTuple):
    """The parts of a URL behind `scheme://`."""

    host: str
    port: int
    path: str


class Transport(ABC):
    """How to listen and how to connect under one URL scheme."""

    scheme: ClassVar[str]
    form: ClassVar[str] = "HOST:PORT"
    """How an address is written, for help texts and errors."""

    def read(self, address: str) -> Endpoint:
        """Return the parts of an address, as it stands behind `scheme://`; ValueError if it is none."""
        address, _, path = address.partition("/")
        host, _, port = address.rpartition(":")
        host = host.strip("[]")
        if not (host.encode("idna") and host.isprintable() and port.isdecimal() and int(port) < 1 << 16):
            raise ValueError(f"{address!r} is not HOST:PORT")
        return Endpoint(host, int(port), path.strip("/"))

    def url(self, host: str, port: int, path: str) -> str:
        """Return the URL of a place: the inverse of `read`."""
        return f"{self.scheme}://{f'[{host}]' if ':' in host else host}:{port}/{path}"

    def is_local(self, host: str) -> bool:
        """Whether only this machine can connect to that host."""
        return host in LOOPBACK

    @abstractmethod
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
        """Listen, and hand every connection to `accept`; OSError if that is impossible.

        `framing` names how frames follow each other in a byte stream (`shared/framing.py`); transports that
        carry whole messages ignore it. Clients must ask for `path`, if it is not empty and the transport has
        paths. A received frame has at most `most` bytes.
        """

    @abstractmethod
    async def connect(
        self, host: str, port: int, *, framing: str = "lines", path: str = "", most: int = MOST_OUTBOUND
    ) -> Connection:
        """Connect; OSError if no server is there, HandshakeFailed if it does not speak this transport."""


def transport(scheme: str) -> Transport:
    """Return the transport of a URL scheme. BadOptions says which package it needs, if that is missing.

    >>> transport("tcp").url("127.0.0.1", 4500, "native")
    'tcp://127.0.0.1:4500/native'
    """
    found: type[Transport] = registry.find("transports", scheme)
    return found()

"""Who may ask, how often, and what every answer says about itself.

Laws of this file: a request for another host is not ours (a name can be rebound to this address); a request
that a browser sends for another site's page is refused; no answer may be framed, sniffed, or run anything
that is not ours.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Collection

    from aiohttp import web

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
MOST_ADDRESSES = 10_000


class Rates(Struct, frozen=True, kw_only=True):
    """How often one address may do something: so many at once, and so many a second."""

    requests: tuple[float, float] = (200, 40)
    tables: tuple[float, float] = (30, 0.5)
    costly: tuple[float, float] = (60, 1)
    """Hints, pictures, dropped records."""
    wrong_tokens: tuple[float, float] = (10, 10 / 60)
    trust_loopback: bool = True
    """Only wrong tokens are counted of this machine's own."""


RATES = Rates()


class Bucket:
    """For each address how much it may still do."""

    def __init__(self, most: float, per_second: float) -> None:
        self._most, self._per_second = most, per_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> float:
        """Seconds to wait until this is allowed: 0 if it is, and then it has been done."""
        left = self.left(address)
        if left < 1:
            return (1 - left) / self._per_second
        self._left[address] = (left - 1, time.monotonic())
        self._left.move_to_end(address)
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return 0.0

    def left(self, address: str) -> float:
        left, at = self._left.get(address, (self._most, 0.0))
        return min(self._most, left + (time.monotonic() - at) * self._per_second)


def address_of(request: web.Request) -> str:
    """Who asks; of a longer IPv6 address the part that one subscriber has."""
    transport = request.transport
    peer: Any = None if transport is None else transport.get_extra_info("peername")
    try:
        address = ipaddress.ip_address(peer[0])
    except (TypeError, ValueError):
        return "somewhere"
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def is_loopback(address: str) -> bool:
    return address in ("127.0.0.1", "::1")


class Doorman:
    """Knows which hosts are this server."""

    def __init__(self, names: Collection[str]) -> None:
        """`names` are hosts besides this machine's own; one with a port is meant with that port alone."""
        self._names = {name.lower() for name in (*LOOPBACK_NAMES, *names)}
        self.port: int | None = None
        """Where the page is; a host may leave it out only if it is the usual one."""

    def knows(self, host: str | None) -> bool:
        """Whether a Host header names this server."""
        if host is None:
            return False
        host = host.lower()
        if host in self._names:
            return True
        name, colon, port = host.rpartition(":")
        return bool(colon) and name in self._names and port == str(self.port)

    def same_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a request comes from our own page; one that no browser sent has no origin."""
        if origin is None:
            return True
        scheme, _, place = origin.partition("://")
        return scheme in ("http", "https") and host is not None and place.lower() == host.lower()

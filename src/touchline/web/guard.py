"""The guard of the web server: host check, origin check, rate limits and security headers.

Rules of this file: a request for another host name is refused (against DNS rebinding), and so is one that a
browser sends for another site's page; no response may be framed, sniffed, or run scripts that are not ours.
"""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

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
    """Rate limits per address: a burst, and a rate per second."""

    requests: tuple[float, float] = (200, 40)
    tables: tuple[float, float] = (30, 0.5)
    costly: tuple[float, float] = (60, 1)
    """Hints, pictures, uploaded records."""
    wrong_tokens: tuple[float, float] = (10, 10 / 60)
    worker_seconds: float = 120.0
    """Worker time that an address may have used lately to ask for more; half is forgotten after a minute."""
    trust_loopback: bool = True
    """Whether requests of this machine are exempt, but for wrong tokens."""


RATES = Rates()


class TokenBucket:
    """A token bucket for each address."""

    def __init__(self, most: float, per_second: float) -> None:
        self._most, self._per_second = most, per_second
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> float:
        """Take one token and return 0, or return the seconds to wait until there is one."""
        left = self.left(address)
        if left < 1:
            return (1 - left) / self._per_second
        self._left[address] = (left - 1, time.monotonic())
        self._left.move_to_end(address)
        if len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return 0.0

    def left(self, address: str) -> float:
        """The tokens of an address."""
        left, at = self._left.get(address, (self._most, 0.0))
        return min(self._most, left + (time.monotonic() - at) * self._per_second)


def address_of(request: web.Request) -> str:
    """Return the address of the client."""
    transport = request.transport
    return address_of_peer(None if transport is None else transport.get_extra_info("peername"))


def address_of_peer(peer: Any) -> str:
    """Return the address of a socket's peer; of an IPv6 address the /64 network, which one subscriber has."""
    try:
        address = ipaddress.ip_address(peer[0])
    except (TypeError, ValueError):
        return "somewhere"
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def same_secret(secret: str, given: str) -> bool:
    """Whether the secret was given, as it is or percent-encoded: a header of a browser is not any text."""
    known, forms = secret.encode("utf-8", "replace"), (given, unquote(given))
    return any(hmac.compare_digest(known, form.encode("utf-8", "replace")) for form in forms)


def is_loopback(address: str) -> bool:
    return address in ("127.0.0.1", "::1")


class HostCheck:
    """Knows the host names of this server."""

    def __init__(self, names: Collection[str]) -> None:
        """`names` are host names besides those of loopback; one with a port is valid with that port alone."""
        self._names = {name.lower() for name in (*LOOPBACK_NAMES, *names)}
        self.port: int | None = None
        """The port of the page: a Host header may leave it out, but may not name another."""

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
        """Whether a request comes from our own page; a request without an Origin header is no browser's."""
        if origin is None:
            return True
        scheme, _, place = origin.partition("://")
        return scheme in ("http", "https") and host is not None and place.lower() == host.lower()

"""The guard of the web server: addresses of clients, rate limits and security headers.

Rule of this file: no response may be framed, sniffed, or run scripts that are not ours. The checks of host
and origin are in `touchline.transports.shared.host_names`.
"""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from typing import Any
from urllib.parse import unquote

from aiohttp import web
from msgspec import Struct

from touchline.transports.shared.addresses import TrustedProxies, subscriber

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
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


PROXIES: web.AppKey[TrustedProxies] = web.AppKey("proxies", TrustedProxies)
"""The key under which the application has the proxies that are believed."""


def address_of(request: web.Request) -> str:
    """Return the client's address, as caps count it; a trusted proxy says whose request it brings."""
    peer: Any = None if request.transport is None else request.transport.get_extra_info("peername")
    if not isinstance(peer, tuple):
        return "somewhere"
    chains = [request.headers.getall(name, []) for name in ("X-Forwarded-For", "Forwarded")]
    return subscriber(request.app[PROXIES].client(peer[0], *chains))


def same_secret(secret: str, given: str) -> bool:
    """Whether the secret was given, as it is or percent-encoded: a header of a browser is not any text."""
    known, forms = secret.encode("utf-8", "replace"), (given, unquote(given))
    return any(hmac.compare_digest(known, form.encode("utf-8", "replace")) for form in forms)


def is_loopback(address: str) -> bool:
    return address in ("127.0.0.1", "::1")

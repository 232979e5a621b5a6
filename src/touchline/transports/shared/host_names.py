"""The host names of a server: what a Host and an Origin header may say.

Law of this file: a request for another host name is refused (against DNS rebinding), and so is one that a
browser sends for another site's page.
"""

from __future__ import annotations

import contextlib
import ipaddress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
WRONG_HOST = "this server has another host name: see --host-name"
FOREIGN_ORIGIN = "requests from another site's pages are refused"


class HostCheck:
    """Knows the host names of this server."""

    def __init__(self, names: Collection[str], bound: str = "") -> None:
        """`names` are host names besides those of loopback; one with a port is valid with that port alone.

        `bound` is the address at which the server listens, if clients may use it as a name. A server that
        listens at all addresses of the machine goes by all of them: any address will do, because a rebound
        name is never one.
        """
        self._names = {name.lower() for name in (*LOOPBACK_NAMES, *names)}
        self._any_address = False
        if bound:
            self._names.add((f"[{bound}]" if ":" in bound else bound).lower())
            with contextlib.suppress(ValueError):
                self._any_address = ipaddress.ip_address(bound).is_unspecified
        self.port: int | None = None
        """The port of the server, which a Host header may leave out. None admits any: ports are forwarded."""

    def knows(self, host: str | None) -> bool:
        """Whether a Host header names this server."""
        if host is None:
            return False
        host = host.lower()
        if self._is_ours(host):
            return True
        name, colon, port = host.rpartition(":")
        return bool(colon) and self._is_ours(name) and (self.port is None or port == str(self.port))

    def _is_ours(self, name: str) -> bool:
        if name in self._names:
            return True
        if self._any_address:
            with contextlib.suppress(ValueError):
                bare = name[1:-1] if name.startswith("[") and name.endswith("]") else name
                return bool(ipaddress.ip_address(bare))
        return False

    def same_origin(self, origin: str | None, host: str | None) -> bool:
        """Whether a request comes from our own page; a request without an Origin header is no browser's."""
        if origin is None:
            return True
        scheme, _, place = origin.partition("://")
        return scheme in ("http", "https") and host is not None and place.lower() == host.lower()

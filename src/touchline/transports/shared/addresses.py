"""Addresses of clients, also behind proxies that the organiser trusts.

Law of this file: only a proxy on the list is believed. Everybody else's headers are ignored, and of a chain
of forwarded addresses the last one that is no trusted proxy counts.
"""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from touchline.core.errors import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def subscriber(host: str) -> str:
    """Return what caps count as one address: of an IPv6 address the /64 network, which one subscriber has.

    >>> subscriber("10.0.0.1"), subscriber("::ffff:10.0.0.1"), subscriber("2001:db8::1"), subscriber("::1")
    ('10.0.0.1', '10.0.0.1', '2001:db8::/64', '::1')
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        if not address.is_loopback:
            return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def host_of(where: str) -> str:
    """Return the host of `HOST:PORT`.

    >>> host_of("10.0.0.1:4500"), host_of("::1:4500")
    ('10.0.0.1', '::1')
    """
    return where.rpartition(":")[0]


class TrustedProxies:
    """The proxies whose word about a client's address is taken."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        """`addresses` are addresses or networks; BadOptions if one is neither."""
        self._networks = [_network(address) for address in addresses]

    def __bool__(self) -> bool:
        return bool(self._networks)

    def trusts(self, host: str) -> bool:
        """Return whether a host is one of the proxies."""
        if not self._networks:
            return False
        try:
            address = ipaddress.ip_address(subscriber(host) if "." in host else host.partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self._networks)

    def client(self, peer: str, x_forwarded_for: Sequence[str], forwarded: Sequence[str]) -> str:
        """Return the host of the client of a request that came from the host `peer`.

        The arguments are the values of the headers of these names. If both kinds are there and disagree, one
        of them is the client's own, and neither is believed.

        >>> proxies = TrustedProxies(["10.0.0.1"])
        >>> proxies.client("10.0.0.1", ["6.6.6.6, 9.9.9.9"], [])
        '9.9.9.9'
        >>> proxies.client("10.0.0.2", ["9.9.9.9"], [])
        '10.0.0.2'
        >>> proxies.client("10.0.0.1", [], ['for=6.6.6.6, for="[2001:db8::1]:80";proto=https'])
        '2001:db8::1'
        """
        if not self.trusts(peer):
            return peer
        chains = [_listed(x_forwarded_for), [_for(hop) for hop in _listed(forwarded)]]
        found = {self._last_untrusted(peer, chain) for chain in chains if chain}
        return found.pop() if len(found) == 1 else peer

    def _last_untrusted(self, peer: str, chain: list[str]) -> str:
        """Return the last hop that is no proxy of ours; an unreadable hop hides what is before it."""
        last = peer
        for hop in reversed(chain):
            host = _host(hop)
            if host is None:
                return last
            last = host
            if not self.trusts(host):
                return last
        return last


def _network(address: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(address, strict=False)
    except ValueError:
        raise BadOptions(
            f"{address!r} is no address of a proxy: use one like 10.0.0.1 or 10.0.0.0/8"
        ) from None


def _listed(values: Sequence[str]) -> list[str]:
    """Return the hops of a header that may be repeated."""
    return [hop.strip() for value in values for hop in value.split(",")]


def _for(hop: str) -> str:
    """Return the client of a hop of the header Forwarded (RFC 7239): `for="[2001:db8::1]:80";proto=https`."""
    for part in hop.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "for":
            return value.strip().strip('"')
    return ""


def _host(hop: str) -> str | None:
    """Return the address of a hop, without its port; None if it has none."""
    host = hop
    if hop.startswith("["):
        host = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        host = hop.partition(":")[0]
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None

"""The address of a web client, as limits count it: its socket's, unless a trusted proxy names another."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from multidict import CIMultiDict

from touchline.transports.shared.addresses import TrustedProxies
from touchline.web.guard import PROXIES, address_of

if TYPE_CHECKING:
    from aiohttp import web


def request(peer: str, **headers: str) -> web.Request:
    """Return what `address_of` looks at of a request."""
    transport = SimpleNamespace(get_extra_info=lambda name: (peer, 4711))
    named = CIMultiDict({name.replace("_", "-"): value for name, value in headers.items()})
    app = {PROXIES: TrustedProxies(["10.0.0.0/8"])}
    return cast("web.Request", SimpleNamespace(transport=transport, headers=named, app=app))


@pytest.mark.parametrize(
    ("peer", "headers", "address"),
    [
        ("192.0.2.1", {}, "192.0.2.1"),
        ("192.0.2.1", {"X_Forwarded_For": "198.51.100.7"}, "192.0.2.1"),
        ("10.1.2.3", {"X_Forwarded_For": "198.51.100.7"}, "198.51.100.7"),
        ("10.1.2.3", {"X_Forwarded_For": "203.0.113.9, 198.51.100.7, 10.9.9.9"}, "198.51.100.7"),
        ("10.1.2.3", {"Forwarded": 'for="[2001:db8::1]"'}, "2001:db8::/64"),
        ("10.1.2.3", {"X_Forwarded_For": "198.51.100.7", "Forwarded": "for=203.0.113.9"}, "10.1.2.3"),
        ("10.1.2.3", {}, "10.1.2.3"),
    ],
)
def test_only_a_trusted_proxy_names_the_client(peer: str, headers: dict[str, str], address: str) -> None:
    """A stranger's header changes nothing, and a proxy's chain counts from its end."""
    assert address_of(request(peer, **headers)) == address

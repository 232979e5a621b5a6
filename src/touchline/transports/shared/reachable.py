"""The address by which others reach a server that listens on every interface."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

EVERYWHERE = ("", "0.0.0.0", "::")
"""Hosts to listen at, which nobody can connect to."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): a datagram socket finds its route, and sends nothing."""


def reachable(host: str, names: Sequence[str] = ()) -> str:
    """Return a host that others can connect to; `names` are the host names of this server.

    >>> reachable("127.0.0.1", ["play.example"])
    '127.0.0.1'
    >>> reachable("0.0.0.0", ["play.example:8443"])
    'play.example'
    """
    if host not in EVERYWHERE:
        return host
    if names:
        name, colon, port = names[0].rpartition(":")
        return name if colon and port.isdecimal() else names[0]
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.connect(ELSEWHERE)
            found: str = asking.getsockname()[0]
            return found
    except OSError:  # no route to anywhere
        return socket.gethostname()

"""The header of the PROXY protocol, versions 1 and 2, with which a TCP proxy names the client's address.

Law of this file: it is pure. It reads the first bytes of a connection, and says how many are the header.
"""

from __future__ import annotations

import ipaddress
from typing import NamedTuple

SIGNATURE = b"\r\n\r\n\x00\r\nQUIT\n"
"""The first bytes of version 2."""
LONGEST_LINE = 107
"""Bytes of the longest header of version 1, by its specification."""
LONGEST = 1024
"""Bytes of the longest header of version 2 that we read; its extensions are skipped."""
ADDRESSES = {0x11: (4, 12), 0x21: (16, 36)}
"""The size of an address, and of both with their ports, of TCP over IPv4 and IPv6 in version 2."""


class BadHeader(ValueError):
    """The first bytes are no header of the PROXY protocol."""


class ProxyHeader(NamedTuple):
    """The size of a header, and the client's `HOST:PORT`; None if the proxy speaks for itself."""

    size: int
    where: str | None


def read_header(data: bytes) -> ProxyHeader | None:
    r"""Return the header at the beginning of `data`; None if more bytes are needed, BadHeader if it is none.

    >>> read_header(b"PROXY TCP4 9.9.9.9 10.0.0.1 4711 4500\r\n{}")
    ProxyHeader(size=39, where='9.9.9.9:4711')
    >>> read_header(b"PROXY TC") is None
    True
    """
    if data.startswith(SIGNATURE):
        return _version_2(data)
    if data.startswith(b"PROXY "):
        return _version_1(data)
    if SIGNATURE.startswith(data) or b"PROXY ".startswith(data):
        return None
    raise BadHeader("a trusted proxy must begin a connection with a PROXY header")


def _version_1(data: bytes) -> ProxyHeader | None:
    line, end, _ = data[:LONGEST_LINE].partition(b"\r\n")
    if not end:
        if len(data) >= LONGEST_LINE:
            raise BadHeader("the PROXY header is too long")
        return None
    size = len(line) + 2
    words = line.split(b" ")
    if words[1:2] == [b"UNKNOWN"]:
        return ProxyHeader(size, None)
    try:
        _, family, client, _, port, _ = words
        address = ipaddress.ip_address(client.decode("ascii"))
        if family != b"TCP%d" % address.version or not port.isdigit() or int(port) > 65_535:
            raise ValueError
    except ValueError:
        raise BadHeader("the PROXY header cannot be read") from None
    return ProxyHeader(size, f"{address}:{int(port)}")


def _version_2(data: bytes) -> ProxyHeader | None:
    if len(data) < 16:
        return None
    command, family, size = data[12], data[13], 16 + int.from_bytes(data[14:16])
    if command not in (0x20, 0x21) or size > LONGEST:
        raise BadHeader("the PROXY header cannot be read")
    if len(data) < size:
        return None
    if command == 0x20 or family not in ADDRESSES:  # LOCAL, or no TCP
        return ProxyHeader(size, None)
    width, needed = ADDRESSES[family]
    if size - 16 < needed:
        raise BadHeader("the PROXY header is too short for its addresses")
    address = ipaddress.ip_address(data[16 : 16 + width])
    port = int.from_bytes(data[16 + 2 * width : 18 + 2 * width])
    return ProxyHeader(size, f"{address}:{port}")

"""The addresses of this machine in its networks. Nothing is sent to find them."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
import sys

from touchline.transports.shared.reachable import ELSEWHERE

SIOCGIFADDR = 0x8915
"""The request of Linux for the IPv4 address of an interface."""
MOST = 8
"""Addresses that are told, at most."""
VIRTUAL = ("docker", "br-", "veth", "virbr", "lxc", "lxdbr", "cni", "flannel")
"""Beginnings of the names of interfaces behind which there are only containers and virtual machines."""


def own_addresses() -> list[str]:
    """Return the IPv4 addresses by which others may reach this machine, that of the usual route first."""
    found = dict.fromkeys([*_routed(), *_of_interfaces()])
    return [address for address in found if _is_useful(address)][:MOST]


def _is_useful(text: str) -> bool:
    address = ipaddress.ip_address(text)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _routed() -> list[str]:
    """Return the address from which a datagram to somewhere else would be sent; none is."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(ELSEWHERE)
        return [str(asking.getsockname()[0])]
    return []


def _of_interfaces() -> list[str]:
    """Return the address of every interface of this machine that is not virtual; only Linux tells them."""
    if not sys.platform.startswith("linux"):
        return []
    import fcntl

    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            if name.startswith(VIRTUAL):
                continue
            with contextlib.suppress(OSError):  # an interface without an address
                asked = struct.pack("256s", name.encode()[:15])
                told = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, asked)
                found.append(socket.inet_ntoa(told[20:24]))
    return found

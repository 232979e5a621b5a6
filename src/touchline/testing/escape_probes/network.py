"""Probes of the network and of every other kind of socket."""

from __future__ import annotations

import ctypes
import socket
import struct

from .probe import Blocked, World, blocked_unless, probe
from .syscalls import call

SECONDS = 2.0
"""Timeout of a connection to loopback, which answers at once or not at all."""
AF_ALG = 38
NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, REQUEST_DUMP, LISTENING = 4, 20, 0x301, 1 << 10


def _greeting(family: int, address: tuple[str, int] | str, world: World) -> str:
    """Connect to the referee, which says the token to whoever comes."""
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(SECONDS)
        connection.connect(address)
        blocked_unless(connection.recv(64) == world.token.encode(), "somebody else listens there")
    return f"connected to {address!r}"


@probe("network", "connect to a TCP port on 127.0.0.1")
def tcp(world: World) -> str:
    return _greeting(socket.AF_INET, ("127.0.0.1", world.tcp), world)


@probe("network", "connect to a TCP port on ::1")
def tcp_ipv6(world: World) -> str:
    blocked_unless(world.tcp6, "this machine has no IPv6")
    return _greeting(socket.AF_INET6, ("::1", world.tcp6), world)


@probe("network", "exchange UDP packets")
def udp(world: World) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as talk:
        talk.settimeout(SECONDS)
        talk.sendto(b"probe", ("127.0.0.1", world.udp))
        blocked_unless(talk.recv(64) == world.token.encode(), "somebody else answered")
    return "a packet was answered"


@probe("network", "listen on a TCP port that others can reach")
def tcp_listen(world: World) -> str:
    """In a network namespace of its own a program may listen: nobody can come."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        blocked_unless(_referee_is_visible(world), "listens, but in a network of its own")
    return f"listened on port {port}"


def _referee_is_visible(world: World) -> bool:
    with open("/proc/net/tcp") as file:
        return any(line.split()[1].endswith(f":{world.tcp:04X}") for line in file.readlines()[1:])


@probe("network", "see the sockets of others in /proc/net")
def socket_list(world: World) -> str:
    blocked_unless(_referee_is_visible(world), "the referee's port is not listed")
    return "/proc/net/tcp lists the referee's port"


@probe("network", "see the sockets of others by netlink")
def netlink(world: World) -> str:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG) as talk:
        talk.settimeout(SECONDS)
        body = struct.pack("=BBBxI48x", socket.AF_INET, socket.IPPROTO_TCP, 0, LISTENING)
        talk.send(struct.pack("=IHHII", 16 + len(body), SOCK_DIAG_BY_FAMILY, REQUEST_DUMP, 1, 0) + body)
        answer = talk.recv(1 << 16)
    # The source port follows the header and four bytes of struct inet_diag_msg.
    ports, at = set(), 0
    while at + 22 <= len(answer):
        ports.add(struct.unpack_from(">H", answer, at + 20)[0])
        at += max(16, (struct.unpack_from("=I", answer, at)[0] + 3) & ~3)
    blocked_unless(world.tcp in ports, "the referee's port is not listed")
    return "netlink lists the referee's port"


@probe("network", "connect to a Unix socket of the referee by its path")
def unix_path(world: World) -> str:
    return _greeting(socket.AF_UNIX, world.unix, world)


@probe("network", "connect to an abstract Unix socket of the referee")
def unix_abstract(world: World) -> str:
    return _greeting(socket.AF_UNIX, f"\0{world.abstract}", world)


@probe("network", "open a socket to the host of a virtual machine")
def vsock(world: World) -> str:
    socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).close()
    return "opened an AF_VSOCK socket, which no namespace confines"


@probe("network", "open a raw socket")
def raw_socket(world: World) -> str:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return "opened a raw socket"


@probe("network", "open a packet socket")
def packet_socket(world: World) -> str:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close()
    return "opened a packet socket"


@probe("kernel", "reach the kernel's cryptography through AF_ALG")
def alg_socket(world: World) -> str:
    socket.socket(AF_ALG, socket.SOCK_SEQPACKET).close()
    return "opened an AF_ALG socket"


@probe("kernel", "open an io_uring, which makes calls that a filter does not see")
def io_uring(world: World) -> str:
    parameters = ctypes.create_string_buffer(120)
    descriptor = call("io_uring_setup", 1, parameters)
    if descriptor < 3:
        raise Blocked(f"io_uring_setup returned {descriptor}")
    return "opened an io_uring"

"""What is believed about the addresses of clients, and by which host names a WebSocket is asked for."""

from __future__ import annotations

import asyncio

import pytest

from server.rooms import run, until
from touchline.transports.base import Connection, ListenOptions, transport
from touchline.transports.shared.addresses import TrustedProxies
from transports.gates import ended, opened

pytestmark = pytest.mark.usefixtures("both_loops")

PROXIED = ListenOptions(TrustedProxies(["127.0.0.9"]))


V2 = b"\r\n\r\n\x00\r\nQUIT\n"
HEADERS = {
    "version 1": (b"PROXY TCP4 9.9.9.9 10.0.0.1 4711 4500\r\n", "9.9.9.9:4711"),
    "version 1, IPv6": (b"PROXY TCP6 2001:db8::1 ::1 4711 4500\r\n", "2001:db8::1:4711"),
    "version 2": (V2 + b"\x21\x11\x00\x0c\x09\x09\x09\x09\x0a\x00\x00\x01\x12\x67\x11\x94", "9.9.9.9:4711"),
    "version 2, IPv6 and more": (
        V2 + b"\x21\x21\x00\x27" + bytes([0x20, 1, 0xD, 0xB8, *[0] * 11, 1]) + bytes(16)
        + b"\x12\x67\x11\x94" + b"\x04\x00\x00", "2001:db8::1:4711",
    ),
}  # fmt: skip
OWN = {
    "unknown": b"PROXY UNKNOWN\r\n",
    "local": V2 + b"\x20\x00\x00\x00",
}


@pytest.mark.parametrize("kind", HEADERS)
@pytest.mark.parametrize("cut", [False, True])
def test_a_trusted_proxy_says_whose_connection_it_brings(kind: str, cut: bool) -> None:
    """However its header is cut; what follows it is the player's."""
    header, where = HEADERS[kind]

    async def whole() -> None:
        async with opened(proxies=PROXIED.proxies, proxy_headers=True) as here:
            client, loop = await here.call(address="127.0.0.9"), asyncio.get_running_loop()
            parts = [bytes([byte]) for byte in header] if cut else [header + b"hel"]
            for part in (*parts, b"hel" if cut else b"", b"lo"):
                await loop.sock_sendall(client, part)
                await asyncio.sleep(0)
            await until(lambda: here.heard and here.heard[0].data == b"hello")
            assert here.heard[0].where == where

    run(whole())


@pytest.mark.parametrize("kind", OWN)
def test_a_proxy_may_speak_for_itself(kind: str) -> None:
    """A health check has no client."""

    async def whole() -> None:
        async with opened(proxies=PROXIED.proxies, proxy_headers=True) as here:
            await here.call(OWN[kind], "127.0.0.9")
            await until(lambda: here.heard)
            assert here.heard[0].where.startswith("127.0.0.9:")

    run(whole())


@pytest.mark.parametrize(
    "header",
    [
        b'{"type":"hello"}\n',
        b"PROXY TCP4 9.9.9.9 10.0.0.1 4711\r\n",
        b"PROXY TCP4 2001:db8::1 ::1 1 2\r\n",
        b"PROXY TCP4 9.9.9.9 10.0.0.1 99999 1\r\n",
        b"PROXY " + b"x" * 200,
        V2 + b"\x31\x11\x00\x0c",
        V2 + b"\x21\x11\x00\x02\x00\x00",
        V2 + b"\x21\x11\xff\xff",
    ],
)
def test_a_trusted_proxy_without_a_header_is_refused(header: bytes) -> None:
    """Its connections are somebody's, and nobody knows whose."""

    async def whole() -> None:
        async with opened(proxies=PROXIED.proxies, proxy_headers=True) as here:
            assert await ended(await here.call(header, "127.0.0.9"))
            assert here.heard == []

    run(whole())


def test_nobody_else_is_believed() -> None:
    """The header of a stranger is what it says: part of its first message."""
    header, _ = HEADERS["version 1"]

    async def whole() -> None:
        async with opened(proxies=PROXIED.proxies, proxy_headers=True) as here:
            await here.call(header)
            await until(lambda: here.heard and here.heard[0].data == header)
            assert here.heard[0].where.startswith("127.0.0.1:")

    run(whole())


def test_the_silent_clients_of_a_proxy_do_not_share_a_cap() -> None:
    """They come from one address and are many people: none makes room for another."""

    async def whole() -> None:
        async with opened(heads=True, proxies=PROXIED.proxies, most_silent=1) as here:
            for _ in range(3):
                await here.call(b"GET", "127.0.0.9")
            await until(lambda: here.silent == 3)

    run(whole())


UPGRADE = (
    "GET / HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
)


async def upgraded(
    options: ListenOptions, host: str = "localhost", more: str = "", address: str = "127.0.0.1"
) -> tuple[int, str]:
    """Ask for a WebSocket; return the status, and where the server says that it comes from."""
    accepted: list[Connection] = []
    listening = await transport("ws").listen("127.0.0.1", 0, accepted.append, options=options)
    reader, writer = await asyncio.open_connection("127.0.0.1", listening.port, local_addr=(address, 0))
    writer.write(UPGRADE.format(host=host, more=more).encode())
    status = int((await reader.readline()).split()[1])
    await reader.readuntil(b"\r\n\r\n")
    for connection in accepted:
        connection.close(at_once=True)
    writer.close()
    listening.close()
    await asyncio.sleep(0.01)
    return status, accepted[0].where if accepted else ""


@pytest.mark.parametrize(
    ("more", "client"),
    [
        ("X-Forwarded-For: 6.6.6.6, 9.9.9.9\r\n", "9.9.9.9:0"),
        ("X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 9.9.9.9, 127.0.0.9\r\n", "9.9.9.9:0"),
        ('Forwarded: for=6.6.6.6, for="[2001:db8::1]:80";proto=https\r\n', "2001:db8::1:0"),
        ("X-Forwarded-For: 9.9.9.9\r\nForwarded: for=6.6.6.6\r\n", "127.0.0.9:"),
        ("X-Forwarded-For: 9.9.9.9, unknown\r\n", "127.0.0.9:"),
        ("", "127.0.0.9:"),
    ],
)
def test_a_trusted_proxy_forwards_the_address_of_a_web_client(more: str, client: str) -> None:
    """The last hop that is no proxy of ours counts; what cannot be trusted or read is the proxy's own."""
    status, where = run(upgraded(PROXIED, more=more, address="127.0.0.9"))
    assert status == 101
    assert where.startswith(client)


def test_a_header_of_a_stranger_changes_nothing() -> None:
    """Whoever is no trusted proxy is where its socket says."""
    status, where = run(upgraded(PROXIED, more="X-Forwarded-For: 9.9.9.9\r\n"))
    assert status == 101
    assert where.startswith("127.0.0.1:")


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost", "", 101),
        ("127.0.0.1:4501", "", 101),
        ("play.example", "https://play.example", 101),
        ("evil.example", "", 421),
        (
            "evil.example",
            "http://evil.example",
            421,
        ),  # DNS rebinding: both are the attacker's
        ("localhost", "http://evil.example", 403),
        ("localhost", "null", 403),
    ],
)
def test_a_websocket_is_asked_for_by_a_name_of_the_server(host: str, origin: str, status: int) -> None:
    """As at the page: another host is misdirected, and the page of another site is refused."""
    more = f"Origin: {origin}\r\n" if origin else ""
    found, _ = run(upgraded(ListenOptions(host_names=("play.example",)), host, more))
    assert found == status

"""Hang-ups and bad bytes at the doors: nothing is raised, no traceback is logged, and honest players play."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct

import pytest

from server.rooms import player, room, run, until
from touchline.players.address import ServerAddress

pytestmark = pytest.mark.usefixtures("both_loops")

UPGRADE = (
    b"GET /native HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HELLO = b'{"type":"hello","protocol":1,"name":"eve"}\n'
TCP = [b"", b"{", HELLO, HELLO * 3, b"\x00\xff\xfe\n", b"GET / HTTP/1.1\r\n\r\n", b"x" * 200_000]
WS = [
    b"", UPGRADE[:40], UPGRADE, b"\x16\x03\x01 not HTTP\r\n\r\n", b"GET\r\n\r\n", b"x" * 40_000,
    UPGRADE.replace(b"Version: 13", b"Version: 7"), UPGRADE.replace(b"Upgrade: websocket\r\n", b""),
    UPGRADE + b"\x81\x05hello", UPGRADE + b"\x8f\x80\0\0\0\0", UPGRADE + b"\xf1\x80\0\0\0\0",
    UPGRADE + b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", UPGRADE + b"\x80\x80\0\0\0\0",
    UPGRADE + b"\x88\x81\0\0\0\0x",
]  # fmt: skip


async def call(port: int, data: bytes, *, reset: bool, waits: bool) -> None:
    """Send these bytes, and hang up: at once or after an answer, politely or by a reset."""
    loop, sock = asyncio.get_running_loop(), socket.socket()
    sock.setblocking(False)
    try:
        await loop.sock_connect(sock, ("127.0.0.1", port))
        await loop.sock_sendall(sock, data)
        if waits and data:
            async with asyncio.timeout(0.05):
                await loop.sock_recv(sock, 4096)
    except (OSError, TimeoutError):
        pass  # the server hung up first, or has nothing to say
    if reset:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


@pytest.mark.parametrize(("scheme", "words"), [("tcp", TCP), ("ws", WS)])
def test_nothing_that_a_stranger_sends_is_an_error_of_ours(
    scheme: str, words: list[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever is sent, and however the connection ends, the log has no traceback."""

    async def whole() -> None:
        async with room(listen=(f"{scheme}://127.0.0.1:0/native",), patience=0) as here:
            port = ServerAddress.read(here.url).port
            await asyncio.gather(
                *(
                    call(port, data, reset=reset, waits=waits)
                    for data in words
                    for reset in (False, True)
                    for waits in (False, True)
                )
            )
            await until(lambda: not here.server.waiting and not here.server._running)
            number = here.server._begun  # strangers may have begun a match with each other
            await asyncio.gather(player(here.url, "ann"), player(here.url, "bob"))
            assert (await here.result(number)).faults == ()

    with caplog.at_level(logging.DEBUG):
        run(whole())
    assert [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR] == []

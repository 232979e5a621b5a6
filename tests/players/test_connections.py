"""What all connections hold to: what is kept has an end, bad news is told once, strangers stay outside."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from touchline.transports import websocket
from touchline.transports.base import MOST_FRAMES
from touchline.transports.shared.buffered import Kept


class Ear:
    """Notes what it hears."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.news: list[str] = []

    def frame(self, frame: bytes) -> None:
        self.frames.append(frame)

    def lost(self, why: str) -> None:
        self.news.append("lost")

    def flooded(self, why: str) -> None:
        self.news.append("flooded")

    def writable(self) -> None:
        """It has nothing to say."""


def test_what_nobody_asked_for_is_kept_within_bounds() -> None:
    """So many messages are handed to whoever listens then; one more is a flood."""
    patient, flooder, ears = Kept(), Kept(), (Ear(), Ear())
    for connection, count, ear in zip((patient, flooder), (MOST_FRAMES, MOST_FRAMES + 1), ears, strict=True):
        for _ in range(count):
            connection._pass_on([b"x"])
        connection.listen(ear)
    assert (len(ears[0].frames), ears[0].news) == (MOST_FRAMES, [])
    assert ears[1].news == ["flooded"]


def test_what_is_kept_is_for_whoever_listens_there() -> None:
    """No connection hears what was said over another, and nothing is heard twice."""
    one, other, ears = Kept(), Kept(), (Ear(), Ear())
    one._pass_on([b"to one"])
    other._pass_on([b"to the other"])
    one.listen(ears[0])
    other.listen(ears[1])
    one.listen(ears[0])
    assert [ear.frames for ear in ears] == [[b"to one"], [b"to the other"]]


def test_bad_news_that_nobody_heard_is_told_to_the_next() -> None:
    """And only to that one."""
    connection, ear, later = Kept(), Ear(), Ear()
    connection._end("lost", "hung up")
    connection.listen(ear)
    connection.listen(later)
    assert (ear.news, later.news) == (["lost"], [])


def test_bad_news_is_told_once() -> None:
    """Only the first counts, whoever listens."""
    connection, ear = Kept(), Ear()
    connection.listen(ear)
    connection._end("flooded", "too much")
    connection._end("lost", "hung up")
    assert ear.news == ["flooded"]


@pytest.mark.parametrize("size", [1, 10])
def test_a_message_in_pieces_has_an_end(size: int) -> None:
    """Before its last piece has come, for it may never come."""
    connection, ear = websocket.WsConnection(most=20), Ear()
    connection.listen(ear)
    for number in range(21):
        piece: Any = SimpleNamespace(get_payload_as_bytes=lambda: b"x" * size, fin=False)
        if not ear.news:
            connection._piece(piece, begins=number == 0)
    assert ear.news == ["flooded"]
    assert ear.frames == []


@pytest.mark.parametrize(("origin", "status"), [(None, b"101"), ("http://elsewhere.example", b"403")])
def test_a_page_of_another_site_cannot_connect(origin: str | None, status: bytes) -> None:
    """A browser says where a page came from; a player says nothing of the kind."""

    async def whole() -> bytes:
        server = await websocket.listening("127.0.0.1", 0, lambda path: lambda connection: None)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        headers = [
            "GET /native HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            *([f"Origin: {origin}"] if origin else []),
        ]  # fmt: skip
        writer.write("\r\n".join([*headers, "", ""]).encode())
        line = await asyncio.wait_for(reader.readline(), 10)
        writer.close()
        server.close()
        await asyncio.sleep(0.01)
        return line

    assert status in asyncio.run(whole())

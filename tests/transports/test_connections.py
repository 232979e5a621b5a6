"""Base connection: bounded buffer, one failure report. WebSocket: bounded fragments, same-origin pages."""

from __future__ import annotations

import asyncio
import socket
from types import SimpleNamespace
from typing import Any

import pytest

from touchline.transports import websocket
from touchline.transports.base import MOST_FRAMES, Connection, transport
from touchline.transports.shared.buffered import BufferedConnection


class Recorder:
    """A receiver that records what it gets."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.failures: list[str] = []

    def frame(self, frame: bytes) -> None:
        self.frames.append(frame)

    def lost(self, why: str) -> None:
        self.failures.append("lost")

    def flooded(self, why: str) -> None:
        self.failures.append("flooded")

    def writable(self) -> None:
        """Nothing is sent here."""


def test_a_connection_accepted_while_the_server_closes_is_not_leaked() -> None:
    """The event loop accepts it in one iteration and attaches it in the next; in between comes the end."""

    async def closed_in_between() -> int:
        accepted: list[Connection] = []
        listening = await transport("tcp").listen("127.0.0.1", 0, accepted.append)
        with socket.create_connection(("127.0.0.1", listening.port)):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            listening.close()
            for _ in range(5):
                await asyncio.sleep(0)
        for connection in accepted:
            connection.close(at_once=True)
        await asyncio.sleep(0)
        return len(accepted)

    assert asyncio.run(closed_in_between()) == 1


@pytest.mark.parametrize(("count", "failures"), [(MOST_FRAMES, []), (MOST_FRAMES + 1, ["flooded"])])
def test_the_buffer_is_bounded(count: int, failures: list[str]) -> None:
    """Up to the limit frames wait for a receiver; one more is a flood, and nothing is delivered."""
    connection, receiver = BufferedConnection(), Recorder()
    for _ in range(count):
        connection.deliver([b"x"])
    connection.listen(receiver)
    assert receiver.failures == failures
    assert len(receiver.frames) == (0 if failures else count)


def test_each_connection_has_its_own_buffer() -> None:
    """Buffered frames go to the receiver of their connection, once."""
    one, other, receivers = BufferedConnection(), BufferedConnection(), (Recorder(), Recorder())
    one.deliver([b"to one"])
    other.deliver([b"to the other"])
    one.listen(receivers[0])
    other.listen(receivers[1])
    one.listen(receivers[0])
    assert [receiver.frames for receiver in receivers] == [[b"to one"], [b"to the other"]]


def test_a_failure_waits_for_the_next_receiver() -> None:
    """A failure without a receiver is reported to the first that attaches, and to no other."""
    connection, receiver, later = BufferedConnection(), Recorder(), Recorder()
    connection.fail("lost", "hung up")
    connection.listen(receiver)
    connection.listen(later)
    assert (receiver.failures, later.failures) == (["lost"], [])


def test_only_the_first_failure_is_reported() -> None:
    """A flood that is followed by a hang-up is a flood."""
    connection, receiver = BufferedConnection(), Recorder()
    connection.listen(receiver)
    connection.fail("flooded", "too much")
    connection.fail("lost", "hung up")
    assert receiver.failures == ["flooded"]


@pytest.mark.parametrize("size", [1, 10])
def test_fragments_of_a_message_are_bounded(size: int) -> None:
    """A flood is reported as soon as the fragments are too long: the last one may never come."""

    async def received() -> Recorder:
        connection, receiver = websocket.WsConnection(most=20), Recorder()
        connection.listen(receiver)
        for number in range(21):
            fragment: Any = SimpleNamespace(get_payload_as_bytes=lambda: b"x" * size, fin=False)
            if not receiver.failures:
                connection._fragment(fragment, first=number == 0)
        return receiver

    receiver = asyncio.run(received())
    assert receiver.failures == ["flooded"]
    assert receiver.frames == []


@pytest.mark.parametrize(("origin", "status"), [(None, b"101"), ("http://elsewhere.example", b"403")])
def test_a_page_of_another_site_cannot_connect(origin: str | None, status: bytes) -> None:
    """A browser sends the origin of its page; other clients send none."""

    async def whole() -> bytes:
        server = await transport("ws").listen("127.0.0.1", 0, lambda connection: None)
        port = server.port
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

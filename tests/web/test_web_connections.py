"""Connections that are idle, slow or too many do not keep others from the page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from typing import TYPE_CHECKING

import msgspec

from touchline.web import connections
from touchline.web.guard import Rates
from web.sites import Visit, house, run, site, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import pytest

STRANGERS = Rates(trust_loopback=False)


async def connected(visit: Visit) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a connection that has made a request and is idle now, if the page lets it in.

    The gate holds one that has said nothing yet.
    """
    host, port = visit.url.split("/")[2].split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET /api/status HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().splitlines() if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
    return reader, writer


@contextlib.asynccontextmanager
async def idle(visit: Visit, count: int) -> AsyncIterator[list[asyncio.StreamReader]]:
    """Open idle connections, one after the other."""
    readers, writers = [], []
    for _ in range(count):
        reader, writer = await connected(visit)
        readers.append(reader)
        writers.append(writer)
    try:
        yield readers
    finally:
        for writer in writers:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()


def peers(visit: Visit) -> list[tuple[str, int]]:
    """The sockets of the clients that are connected."""
    return [each.get_extra_info("peername") for each in visit.site.connections._by_transport]


def ended(reader: asyncio.StreamReader) -> bool:
    return reader.at_eof() or reader.exception() is not None


def test_idle_connections_of_one_address(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The oldest ones make room for new ones, which is logged once, and requests are served."""
    monkeypatch.setattr(connections, "MOST_IDLE", 3)
    monkeypatch.setattr(connections, "YOUNG", 0.0)

    async def main() -> None:
        async with site(rates=STRANGERS) as visit:
            opened = [await connected(visit) for _ in range(10)]
            await until(lambda: sum(ended(reader) for reader, _ in opened) == 7)
            assert [ended(reader) for reader, _ in opened] == [True] * 7 + [False] * 3
            assert (await visit.get("/api/status"))[0] == 200
            assert visit.site.connections.count() == 3
            for _, writer in opened:
                writer.close()
                with contextlib.suppress(ConnectionError):
                    await writer.wait_closed()
            await until(lambda: visit.site.connections.count() == 1)

    with caplog.at_level(logging.WARNING):
        run(main())
    told = [record.getMessage() for record in caplog.records]
    assert told == ["127.0.0.1: closed an idle connection, because there are too many (1 times; 0 others)"]


def test_many_who_come_at_once_are_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection whose request is still on the way is not idle yet."""
    monkeypatch.setattr(connections, "MOST_IDLE", 3)
    monkeypatch.setattr(connections, "YOUNG", 1e9)

    async def main() -> None:
        async with site(rates=STRANGERS) as visit, idle(visit, 10) as readers:
            await until(lambda: visit.site.connections.count() == 10)
            assert (await visit.get("/api/status"))[0] == 200
            assert not any(map(ended, readers))

    run(main())


def test_connections_in_all() -> None:
    """The page keeps descriptors for players: a new connection takes the place of an idle one, or none."""

    async def main() -> None:
        async with site() as visit:
            visit.site.connections.most = 2
            async with visit.http.get("/api/lobby/watch") as feed:
                await feed.content.readline()
                async with idle(visit, 2) as readers:
                    await until(lambda: ended(readers[0]))
                    assert not ended(readers[1])
                    async with visit.http.get("/api/lobby/watch") as other:
                        await other.content.readline()
                        await until(lambda: ended(readers[1]))
                        async with idle(visit, 1) as refused:
                            await until(lambda: ended(refused[0]))
                        assert visit.site.connections.count() == 2

    run(main())


def test_connections_of_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that are not idle are limited."""
    monkeypatch.setattr(connections, "MOST_PER_ADDRESS", 1)

    async def main() -> None:
        async with site(rates=STRANGERS) as visit, visit.http.get("/api/lobby/watch") as feed:
            await feed.content.readline()
            async with idle(visit, 1) as refused:
                await until(lambda: ended(refused[0]))
            assert visit.site.connections.count("127.0.0.1") == 1

    run(main())


def test_a_first_request_must_come_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection without a request is closed; one with a request that lasts is not."""
    monkeypatch.setattr("touchline.transports.shared.gate.HEAD_SECONDS", 0.05)

    async def main() -> None:
        async with site() as visit, visit.http.get("/api/lobby/watch") as feed:
            await feed.content.readline()
            host, port = visit.url.split("/")[2].split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            await until(lambda: ended(reader))
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            assert visit.site.connections.count() == 1

    run(main())


def test_who_does_not_read_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A response that nobody reads takes memory and a descriptor only for a while."""
    monkeypatch.setattr(connections, "STALLED", 0.1)

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", house(), house())
            found = visit.site.tables.shelf.find((await visit.result(table))["record"])
            assert found is not None
            large = msgspec.structs.replace(found[0], id="large")
            visit.site.tables.shelf.keep(large, b"x" * (16 << 20))
            host, port = visit.url.split("/")[2].split(":")
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.setblocking(False)
                loop = asyncio.get_running_loop()
                await loop.sock_connect(client, (host, int(port)))
                mine = client.getsockname()
                request = f"GET /api/records/large HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
                await loop.sock_sendall(client, request.encode())
                await until(lambda: mine in peers(visit))
                await until(lambda: mine not in peers(visit))

    run(main())


def test_half_of_the_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit follows that of the process."""
    for soft, most in ((1024, 512), (10, 16), (-1, connections.MOST), (1 << 20, connections.MOST)):
        monkeypatch.setattr("resource.getrlimit", lambda _, soft=soft: (soft, soft))
        assert connections.most_connections() == most

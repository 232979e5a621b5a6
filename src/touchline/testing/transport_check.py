"""`check_transport`: does a transport keep the contract of `transports/base.py`?

It listens, connects to itself, and sends frames both ways. If the transport runs over a TCP or Unix socket, a
relay between both ends cuts the bytes into small pieces or stops reading. It knows no transport by name.
"""

from __future__ import annotations

import asyncio
import os
import stat
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from touchline.testing.game_check import CheckFailed
from touchline.transports.base import MOST_FRAMES, MOST_OUTBOUND, Endpoint, Transport, transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from touchline.transports.base import Connection

SECONDS = 10.0
"""How long to wait for anything to arrive before the check fails."""
MOMENT = 0.05
"""Seconds in which something that must not arrive would."""
LIMIT = 1000
"""The size limit of a frame, where that is checked."""
CHUNK = 32 * 1024
"""Bytes of a frame, where backpressure is checked."""
MOST_CHUNKS = 1024
"""Frames after which backpressure must have set in: more than all socket buffers hold."""
FRAMINGS = ("lines", "values")
SIZES = (2, 3, 50, 5_000, 70_000, 200_000)
"""Bytes of the frames that are sent; the longest do not fit into one read."""
NO_ADDRESSES = ("", ":", "/", "//", "a b:c", "\0:1", "x:99999")


def check_transport(
    which: str | Transport,
    address: str = "127.0.0.1:0",
    *,
    seconds: float = SECONDS,
    report: Callable[[str], None] | None = None,
) -> None:
    """Raise CheckFailed unless the transport keeps the contract. `report` hears each law as it is passed.

    `which` is a transport or its scheme, `address` a free address as it stands in a URL behind `scheme://`.

    >>> check_transport("tcp")
    """
    asyncio.run(_Check(transport(which) if isinstance(which, str) else which, address, seconds).run(report))


class _Inbox:
    """A receiver that records everything."""

    def __init__(self, connection: Connection, seconds: float) -> None:
        self.connection = connection
        self._seconds = seconds
        self.frames: list[bytes] = []
        self.failures: list[str] = []
        self.writable_again = 0
        self._news = asyncio.Event()

    def frame(self, frame: bytes) -> None:
        self.frames.append(frame)
        self._news.set()

    def lost(self, why: str) -> None:
        self.failures.append("lost")
        self._news.set()

    def flooded(self, why: str) -> None:
        self.failures.append("flooded")
        self._news.set()

    def writable(self) -> None:
        self.writable_again += 1
        self._news.set()

    async def until(self, true: Callable[[_Inbox], object], law: str) -> None:
        """Wait until this is true; CheckFailed if it does not become true in time."""
        try:
            async with asyncio.timeout(self._seconds):
                while not true(self):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            got = f"{len(self.frames)} frames, {self.failures or 'no failure'}"
            raise CheckFailed(f"{law}: waited {self._seconds:g} s, got {got}") from None


class _Relay:
    """Passes bytes between a client and the server, in small pieces; it can stop reading from the server."""

    def __init__(self, piece: int) -> None:
        self._piece = piece
        self._reading = asyncio.Event()
        self._reading.set()
        self._tasks: list[asyncio.Task[None]] = []
        self._writers: list[asyncio.StreamWriter] = []

    def pause(self) -> None:
        self._reading.clear()

    def resume(self) -> None:
        self._reading.set()

    @asynccontextmanager
    async def before(self, server: Endpoint) -> AsyncIterator[Endpoint]:
        """Accept connections for the server; yield where."""

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.append(writer)
            if _is_socket_file(server.host):
                there = await asyncio.open_unix_connection(server.host)
            else:
                there = await asyncio.open_connection(server.host, server.port)
            self._writers.append(there[1])
            self._tasks += [
                asyncio.create_task(self._copy(reader, there[1], None)),
                asyncio.create_task(self._copy(there[0], writer, self._reading)),
            ]

        if not _is_socket_file(server.host):
            front = await asyncio.start_server(accept, server.host, 0)
            yield server._replace(port=front.sockets[0].getsockname()[1])
            front.close()
            return
        path = f"{server.host}.relay.sock"
        front = await asyncio.start_unix_server(accept, path)
        yield server._replace(host=path)
        front.close()
        os.unlink(path)

    async def _copy(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gate: asyncio.Event | None
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                for at in range(0, len(data), self._piece):
                    if gate is not None:
                        await gate.wait()
                    writer.write(data[at : at + self._piece])
                    await writer.drain()
                    await asyncio.sleep(0)  # so that the pieces are read one by one
        writer.close()

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _Check:
    """One run of all checks."""

    def __init__(self, checked: Transport, address: str, seconds: float) -> None:
        self._transport, self._seconds = checked, seconds
        self._place = checked.read(address)
        self._errors: list[str] = []

    async def run(self, report: Callable[[str], None] | None) -> None:
        asyncio.get_running_loop().set_exception_handler(self._note_error)
        told = report or (lambda _: None)
        for check in (
            self._addresses, self._whole_and_in_order, self._buffered, self._size_limit, self._flood,
            self._graceful_close, self._close_at_once, self._failure_waits, self._closed_listener,
            self._cut_bytes, self._backpressure,
        ):  # fmt: skip
            law = (check.__doc__ or "").rstrip(".")
            passed = await check(law)
            await asyncio.sleep(0)
            _demand(not self._errors, f"{law}: an exception in a callback", *self._errors)
            told(law if passed is None else f"{law}: {passed}")

    def _note_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self._errors.append(repr(context.get("exception") or context.get("message")))

    # -- two ends of a connection -------------------------------------------------------------

    @asynccontextmanager
    async def _pair(
        self, *, framing: str = "lines", most: int = MOST_OUTBOUND, relay: _Relay | None = None
    ) -> AsyncIterator[tuple[Connection, Connection]]:
        """Yield the server's and the client's end of a new connection."""
        accepted: asyncio.Queue[Connection] = asyncio.Queue()
        host, port, path = self._place
        listening = await self._transport.listen(
            host, port, accepted.put_nowait, framing=framing, path=path, most=most
        )
        ends: list[Connection] = []
        try:
            async with AsyncExitStack() as stack:
                target = Endpoint(host, listening.port, path)
                if relay is not None:
                    target = await stack.enter_async_context(relay.before(target))
                ends += await self._connected(target, accepted, framing, most)
            yield ends[0], ends[1]
        finally:
            for end in ends:
                end.close(at_once=True)
            listening.close()
            if relay is not None:
                await relay.stop()
            await asyncio.sleep(MOMENT)

    async def _connected(
        self, place: Endpoint, accepted: asyncio.Queue[Connection], framing: str, most: int
    ) -> list[Connection]:
        host, port, path = place
        try:
            async with asyncio.timeout(self._seconds):
                client = await self._transport.connect(host, port, framing=framing, path=path, most=most)
                return [await accepted.get(), client]
        except TimeoutError:
            raise CheckFailed(f"a connection is accepted: waited {self._seconds:g} s") from None

    def _inbox(self, connection: Connection) -> _Inbox:
        inbox = _Inbox(connection, self._seconds)
        connection.listen(inbox)
        return inbox

    # -- the laws -----------------------------------------------------------------------------

    async def _addresses(self, law: str) -> None:
        """read() is the inverse of url(), and raises ValueError for what is no address."""
        host, port, path = self._place
        url = self._transport.url(host, port, path or "path")
        scheme, _, address = url.partition("://")
        _demand(scheme == self._transport.scheme, law, url)
        _demand(self._transport.read(address) == (host, port, path or "path"), law, url)
        for text in NO_ADDRESSES:
            with suppress(ValueError):
                _demand(False, law, text, self._transport.read(text))

    async def _whole_and_in_order(self, law: str) -> None:
        """Frames arrive whole and in order, in both directions."""
        for framing in FRAMINGS:
            async with self._pair(framing=framing) as pair:
                await self._exchange(pair, law)
                for end in pair:
                    end.measure()
                    _demand(end.latency >= 0 and bool(end.where), "a connection knows latency and address")

    async def _exchange(self, pair: tuple[Connection, Connection], law: str) -> None:
        frames = [b'"%b"' % (b"%d" % (size % 10) * (size - 2)) for size in SIZES]
        frames += [b'"\xc3\xa9 %d"' % number for number in range(MOST_FRAMES // 2)]
        inboxes = [self._inbox(end) for end in pair]
        for end in pair:
            for frame in frames:
                end.send(frame)
        for inbox in inboxes:
            await inbox.until(lambda it: len(it.frames) >= len(frames) or it.failures, law)
            _demand(inbox.frames == frames and not inbox.failures, law, *inbox.failures)

    async def _buffered(self, law: str) -> None:
        """Frames that arrive before a receiver attaches are buffered."""
        async with self._pair() as (server, client):
            frames = [b"%d" % number for number in range(10)]
            for frame in frames:
                client.send(frame)
            await asyncio.sleep(MOMENT)
            inbox = self._inbox(server)
            await inbox.until(lambda it: len(it.frames) >= len(frames), law)
            _demand(inbox.frames == frames, law, inbox.frames)

    async def _size_limit(self, law: str) -> None:
        """A frame of the maximum size arrives; a longer one is only reported, once, as a flood."""
        async with self._pair(most=LIMIT) as (server, client):
            inbox = self._inbox(server)
            client.send(b"1" * LIMIT)
            await inbox.until(lambda it: it.frames or it.failures, law)
            _demand(inbox.frames == [b"1" * LIMIT], law, *inbox.failures)
            client.send(b"2" * (LIMIT + 1))
            client.send(b"3")
            await inbox.until(lambda it: it.failures or len(it.frames) > 1, law)
            client.close()
            await asyncio.sleep(MOMENT)
            _demand(inbox.failures == ["flooded"] and len(inbox.frames) == 1, law, inbox.failures)

    async def _flood(self, law: str) -> None:
        """More frames than may be buffered without a receiver are a flood, and none is delivered."""
        async with self._pair() as (server, client):
            for _ in range(MOST_FRAMES + 1):
                client.send(b"1")
            await asyncio.sleep(MOMENT)
            inbox = self._inbox(server)
            await inbox.until(lambda it: it.failures or len(it.frames) > MOST_FRAMES, law)
            _demand(inbox.failures == ["flooded"] and not inbox.frames, law, inbox.failures)

    async def _graceful_close(self, law: str) -> None:
        """close() sends what is left; then the other side reports the loss once, and nothing more arrives."""
        async with self._pair() as (server, client):
            theirs, ours = self._inbox(server), self._inbox(client)
            server.send(b"unread")  # close() must not lose our last frames if there is unread data
            frames = [b"1" * 200_000, b"2"]
            for frame in frames:
                client.send(frame)
            client.close()
            client.close()
            client.send(b"after the end")
            await theirs.until(lambda it: it.failures, law)
            server.send(b"to nobody")
            await asyncio.sleep(MOMENT)
            _demand(theirs.frames == frames and theirs.failures == ["lost"], law, theirs.failures)
            _demand(not ours.frames and not ours.failures, "nothing is delivered after close()", ours.frames)

    async def _close_at_once(self, law: str) -> None:
        """close(at_once=True) ends the connection, and the other side reports the loss once."""
        async with self._pair() as (server, client):
            theirs = self._inbox(server)
            client.close(at_once=True)
            await theirs.until(lambda it: it.failures, law)
            await asyncio.sleep(MOMENT)
            _demand(theirs.failures == ["lost"], law, theirs.failures)

    async def _failure_waits(self, law: str) -> None:
        """A failure without a receiver is reported to the first one that attaches, and to no other."""
        async with self._pair() as (server, client):
            client.close()
            await asyncio.sleep(MOMENT)
            first = self._inbox(server)
            await first.until(lambda it: it.failures, law)
            second = self._inbox(server)
            await asyncio.sleep(MOMENT)
            _demand(first.failures == ["lost"] and not second.failures, law, first.failures, second.failures)

    async def _closed_listener(self, law: str) -> None:
        """A closed listener refuses connections with an OSError, and keeps those that are open."""
        accepted: asyncio.Queue[Connection] = asyncio.Queue()
        host, port, path = self._place
        listening = await self._transport.listen(host, port, accepted.put_nowait, path=path)
        client = await self._transport.connect(host, listening.port, path=path)
        server = await accepted.get()
        listening.close()
        await asyncio.sleep(MOMENT)
        try:
            with suppress(OSError):
                (await self._transport.connect(host, listening.port, path=path)).close(at_once=True)
                raise CheckFailed(law)
            inbox = self._inbox(server)
            client.send(b"1")
            await inbox.until(lambda it: it.frames or it.failures, law)
            _demand(inbox.frames == [b"1"], law, inbox.failures)
        finally:
            for end in (client, server):
                end.close(at_once=True)
            await asyncio.sleep(MOMENT)

    async def _cut_bytes(self, law: str) -> str | None:
        """Frames are the same however the bytes are cut."""
        if not await self._over_socket():
            return "skipped, not over a TCP or Unix socket"
        frames = [b"[%d]" % number for number in range(20)] + [b'"%b"' % (b"x" * 300)]
        for framing in FRAMINGS:
            for piece in (1, 3):
                async with self._pair(framing=framing, relay=_Relay(piece)) as (server, client):
                    inbox = self._inbox(server)
                    for frame in frames:
                        client.send(frame)
                    await inbox.until(lambda it: len(it.frames) >= len(frames) or it.failures, law)
                    _demand(inbox.frames == frames, law, framing, piece)
        return None

    async def _backpressure(self, law: str) -> str | None:
        """`taken` turns False when the other side does not read; writable() is called when it reads again."""
        if not await self._over_socket():
            return "skipped, not over a TCP or Unix socket"
        relay = _Relay(1 << 16)
        async with self._pair(relay=relay) as (server, client):
            ours, theirs = self._inbox(server), self._inbox(client)
            relay.pause()
            sent = await self._fill(server)
            _demand(not server.taken, law, f"still taken after {sent} frames of {CHUNK} bytes")
            relay.resume()
            await ours.until(lambda it: it.writable_again or it.failures, law)
            await theirs.until(lambda it: len(it.frames) >= sent or it.failures, law)
            _demand(server.taken and len(theirs.frames) == sent, law, ours.failures, theirs.failures)
            relay.pause()
            for _ in range(MOST_CHUNKS):
                server.send(b"1" * CHUNK)
            await ours.until(lambda it: it.failures, "a peer that does not read is cut off")
            _demand(ours.failures == ["lost"], "a peer that does not read is cut off", ours.failures)
        return None

    async def _fill(self, connection: Connection) -> int:
        """Send until there is backpressure; return the number of frames."""
        for sent in range(MOST_CHUNKS):
            if not connection.taken:
                return sent
            connection.send(b"1" * CHUNK)
            await asyncio.sleep(0.001)
        return MOST_CHUNKS

    async def _over_socket(self) -> bool:
        """Whether the transport listens on a TCP or Unix socket, so that a relay can stand in front of it."""
        host, port, path = self._place
        listening = await self._transport.listen(host, port, lambda end: end.close(at_once=True), path=path)
        try:
            if _is_socket_file(host):
                return True
            with suppress(OSError):
                _, writer = await asyncio.open_connection(host, listening.port)
                writer.transport.abort()
                return True
            return False
        finally:
            await asyncio.sleep(MOMENT)
            listening.close()
            await asyncio.sleep(0)


def _is_socket_file(path: str) -> bool:
    with suppress(OSError, ValueError):
        return stat.S_ISSOCK(os.stat(path).st_mode)
    return False


def _demand(true: bool, law: str, *where: object) -> None:
    if not true:
        raise CheckFailed(": ".join([law, *map(repr, where)]))

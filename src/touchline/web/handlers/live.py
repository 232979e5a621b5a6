"""Live feeds: chunked responses that do not end, and WebSockets.

Rule of this file: a token comes in a header or in the first message; a client that does not identify itself
within ten seconds, sends something unreadable, or reads too slowly is closed with a code that says why.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from touchline.core.errors import BadOptions
from touchline.web import schema
from touchline.web.guard import TokenBucket, address_of
from touchline.web.handlers.tables import seat_of, table_of
from touchline.web.http import Problem, decoded, token
from touchline.web.live.watchers import TOO_SLOW, LineWatcher, LiveWatcher, Watcher
from touchline.web.refusals import LimitReached, NotNow
from touchline.web.tables.seats import BrowserSeat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from touchline.core.rules import Seat
    from touchline.web.app import Site
    from touchline.web.tables.table import PageTable

HEARTBEAT = 15.0
"""Seconds of silence after which a watcher is sent a sign of life."""
FIRST_WORD = 10.0
"""Timeout for the first message of a WebSocket, in seconds."""
PARTING = 2.0
"""Timeout for the other side to close a WebSocket, in seconds."""
MOST_MESSAGE = 16 << 10
MESSAGES = (100, 20)
"""Messages of one WebSocket: a burst, and a rate per second."""
TAKEN_OVER = 4409
"""WebSocket close code: the seat was opened in another window."""
_CODES = {400: 4400, 401: 4401, 404: 4404, 410: 4404, 429: 4429}


def _check_room(site: Site, table: PageTable, seat: Seat | None) -> None:
    if seat is None and table.watching >= site.tables.caps.spectators:
        raise Problem(429, "too_many", "this table has its full number of spectators")


def _attend(table: PageTable, seat: Seat | None, watcher: Watcher) -> Callable[[], None]:
    """Attach a watcher to a table; call the result to detach it."""
    player = None if seat is None else table.chairs[seat].player
    if seat is not None:
        chair = table.chairs[seat]
        if chair.watcher is not None:
            chair.watcher.end(TAKEN_OVER)
        chair.watcher = watcher
    if isinstance(player, BrowserSeat):
        player.connect()
    table.watchers.add(watcher, seat)

    def leave() -> None:
        table.watchers.discard(watcher, seat)
        if seat is not None and table.chairs[seat].watcher is watcher:
            table.chairs[seat].watcher = None
        if isinstance(player, BrowserSeat):
            player.disconnect()

    return leave


# -- lines ------------------------------------------------------------------------------------------


async def lines(
    site: Site, request: web.Request, attend: Callable[[Watcher], Callable[[], None]]
) -> web.StreamResponse:
    """Respond with lines until the feed ends."""
    if request.version < (1, 1):
        raise Problem(400, "bad_request", "a live feed needs HTTP/1.1")
    response = web.StreamResponse(
        headers={"Content-Type": "application/x-ndjson", "Cache-Control": "no-store"}
    )
    response.enable_chunked_encoding()
    with site.limits.connection(request):
        await response.prepare(request)
        watcher = LineWatcher(request.transport, site.tables.tally)
        leave = attend(watcher)
        try:
            while not watcher.gone.done():
                await asyncio.wait({watcher.gone}, timeout=HEARTBEAT)
                watcher.send(b"")
        finally:
            leave()
    if watcher.gone.result() == TOO_SLOW:
        watcher.abort()
    else:
        with contextlib.suppress(ConnectionError):  # the client has hung up
            await response.write_eof()
    return response


async def watch(site: Site, request: web.Request) -> web.StreamResponse:
    table, text = table_of(site, request), token(request)
    seat = None if text is None else seat_of(site, request, table, text)
    _check_room(site, table, seat)
    return await lines(site, request, lambda watcher: _attend(table, seat, watcher))


async def lobby_watch(site: Site, request: web.Request) -> web.StreamResponse:
    return await lines(site, request, lambda watcher: _attend_lobby(site, watcher))


def _attend_lobby(site: Site, watcher: Watcher) -> Callable[[], None]:
    lobby = site.tables.lobby
    lobby.add(watcher)
    return lambda: lobby.discard(watcher)


# -- WebSockets -------------------------------------------------------------------------------------


class _LiveSocket:
    """One WebSocket, from its first message to its close."""

    def __init__(self, site: Site, request: web.Request, ws: web.WebSocketResponse) -> None:
        self.site, self._ws = site, ws
        self.watcher = LiveWatcher(request.transport, site.tables.tally)
        self.address = address_of(request)
        self._messages = TokenBucket(*MESSAGES)

    def count_message(self) -> None:
        """Count a message against the rate limit of this WebSocket. Problem if it is exceeded."""
        wait = self._messages.take("")
        if wait:
            raise Problem(429, "too_many", "too many messages; wait a little", wait)

    async def receive(self, seconds: float | None = None) -> bytes | None:
        """Return the next message; None if the client has closed, or nothing more will be sent to it."""
        receiving = asyncio.ensure_future(self._ws.receive())
        try:
            waits: set[asyncio.Future[Any]] = {receiving, self.watcher.gone}
            done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            receiving.cancel()
        if not done:
            raise Problem(400, "bad_request", "send a message of type watch or seat first")
        if self.watcher.gone.done():
            return None
        message = receiving.result()
        if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            data = message.data
            return data.encode() if isinstance(data, str) else bytes(data)
        return None

    def send(self, line: msgspec.Struct) -> None:
        self.watcher.send(msgspec.json.encode(line))

    async def serve(self, talk: Callable[[_LiveSocket], Awaitable[None]]) -> None:
        """Run the conversation, and close the WebSocket with a code that says why it ended."""
        code = int(WSCloseCode.OK)
        try:
            await talk(self)
        except Problem as wrong:
            self.send(schema.ErrorLine(wrong.code, wrong.message, wrong.record))
            code = _CODES.get(wrong.status, 4400)
        finally:
            self.watcher.end(code)
            await self._close(self.watcher.gone.result())

    async def _close(self, code: int) -> None:
        """Close the WebSocket without waiting for a client that does not read."""
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(PARTING):
                await self._ws.close(code=code, drain=False)
        if code == TOO_SLOW:
            self.watcher.abort()


async def _socket(
    site: Site, request: web.Request, talk: Callable[[_LiveSocket], Awaitable[None]]
) -> web.WebSocketResponse:
    ws = web.WebSocketResponse(
        heartbeat=HEARTBEAT, max_msg_size=MOST_MESSAGE, compress=False, timeout=PARTING
    )
    with site.limits.connection(request):
        await ws.prepare(request)
        site.sockets.add(ws)
        try:
            await _LiveSocket(site, request, ws).serve(talk)
        finally:
            site.sockets.discard(ws)
    return ws


async def live(site: Site, request: web.Request) -> web.WebSocketResponse:
    return await _socket(site, request, lambda socket: _talk(site, request, socket))


async def _talk(site: Site, request: web.Request, socket: _LiveSocket) -> None:
    """Serve a watcher of a table, who may hold a seat: its first message says which."""
    first = await socket.receive(FIRST_WORD)
    if first is None:
        return
    table, word = table_of(site, request), decoded(first, schema.LiveMessage)
    if not isinstance(word, schema.WatchMessage | schema.SeatMessage):
        raise Problem(400, "bad_request", "the first message is of type watch or seat")
    seat = seat_of(site, request, table, word.token) if isinstance(word, schema.SeatMessage) else None
    _check_room(site, table, seat)
    leave = _attend(table, seat, socket.watcher)
    try:
        while not socket.watcher.gone.done():
            data = await socket.receive()
            if data is None:
                return
            socket.count_message()
            _handle(table, seat, socket, decoded(data, schema.LiveMessage))
    finally:
        leave()


def _handle(table: PageTable, seat: Seat | None, socket: _LiveSocket, message: schema.LiveMessage) -> None:
    """Do what the browser of a seat asks for."""
    player = None if seat is None else table.chairs[seat].player
    if seat is None or not isinstance(player, BrowserSeat):
        raise Problem(400, "bad_request", "only the browser of a seat may send more than its first message")
    match message:
        case schema.MoveMessage():
            try:
                verdict = player.move(message)
            except BadOptions as error:
                raise Problem(400, "bad_request", str(error)) from None
            socket.send(schema.VerdictLine(verdict.turn, verdict.verdict, verdict.reason))
        case schema.EmoteMessage(emote):
            table.people.show_emote(seat, emote)
        case schema.TakebackMessage(agree):
            table.people.ask_takeback(seat, agree=agree)
        case schema.ResignMessage() | schema.RematchMessage():
            _ask(table, seat, socket, message)
        case _:
            raise Problem(400, "bad_request", "this message may only be the first")


def _ask(
    table: PageTable, seat: Seat, socket: _LiveSocket, message: schema.ResignMessage | schema.RematchMessage
) -> None:
    """Resign, or ask for a rematch. If it is impossible now, the line of people says how things are."""
    try:
        if isinstance(message, schema.ResignMessage):
            socket.site.tables.leave(table, seat)
        else:
            socket.site.limits.count_table(socket.address)
            table.people.want_rematch(seat, swap=message.swap)
    except (NotNow, LimitReached):
        socket.watcher.send(table.people.line(seat))


async def lobby_live(site: Site, request: web.Request) -> web.WebSocketResponse:
    async def talk(socket: _LiveSocket) -> None:
        leave = _attend_lobby(site, socket.watcher)
        try:
            if await socket.receive() is not None:
                raise Problem(400, "bad_request", "a watcher of the lobby sends no messages")
        finally:
            leave()

    return await _socket(site, request, talk)

"""The live feeds: lines that do not end, and WebSockets.

Law of this file: a token comes in a header or in the first message, and whoever does not say who they are
within ten seconds, says what cannot be read, or reads too slowly, is closed with a code that says so.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web

from touchline.core.errors import BadOptions
from touchline.web import schema
from touchline.web.handlers.tables import moved, seat_of, table_of
from touchline.web.http import Problem, decoded, token
from touchline.web.live.watchers import TOO_SLOW, LineWatcher, LiveWatcher, Watcher
from touchline.web.seats import BrowserSeat

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from touchline.core.rules import Seat
    from touchline.web.app import Site
    from touchline.web.table import Table

QUIET = 15.0
"""Seconds of silence after which a reader hears that we are still here."""
FIRST_WORD = 10.0
PARTING = 2.0
"""Seconds for the other side to close a WebSocket, too."""
MOST_MESSAGE = 16 << 10
TAKEN_OVER = 4409
_CODES = {400: 4400, 401: 4401, 404: 4404, 429: 4429}


def _check_room(site: Site, table: Table, seat: Seat | None) -> None:
    if seat is None and table.watching >= site.hall.caps.spectators:
        raise Problem(429, "too_many", "this table has as many spectators as it can bear")


def _attend(site: Site, table: Table, seat: Seat | None, watcher: Watcher) -> Callable[[], None]:
    """Have somebody watch; what is returned ends it."""
    player = None if seat is None else table.chairs[seat].player
    if seat is not None:
        chair = table.chairs[seat]
        if chair.watcher is not None:
            chair.watcher.end(TAKEN_OVER)
        chair.watcher = watcher
    if isinstance(player, BrowserSeat):
        player.connect()
    table.add(watcher, seat)

    def leave() -> None:
        table.discard(watcher, seat)
        if seat is not None and table.chairs[seat].watcher is watcher:
            table.chairs[seat].watcher = None
        if isinstance(player, BrowserSeat):
            player.disconnect()

    return leave


# -- lines ------------------------------------------------------------------------------------------


async def lines(
    site: Site, request: web.Request, attend: Callable[[Watcher], Callable[[], None]]
) -> web.StreamResponse:
    """An answer that ends when there is nothing more to tell."""
    if request.version < (1, 1):
        raise Problem(400, "bad_request", "a live feed needs HTTP/1.1")
    response = web.StreamResponse(
        headers={"Content-Type": "application/x-ndjson", "Cache-Control": "no-store"}
    )
    response.enable_chunked_encoding()
    with site.connection(request):
        await response.prepare(request)
        watcher = LineWatcher(request.transport, site.drop_one)
        leave = attend(watcher)
        try:
            while not watcher.gone.done():
                await asyncio.wait({watcher.gone}, timeout=QUIET)
                watcher.send(b"")
        finally:
            leave()
    if watcher.gone.result() == TOO_SLOW:
        watcher.abort()
    else:
        with contextlib.suppress(ConnectionError):  # who has gone needs no end
            await response.write_eof()
    return response


async def watch(site: Site, request: web.Request) -> web.StreamResponse:
    table, text = table_of(site, request), token(request)
    seat = None if text is None else seat_of(site, request, table, text)
    _check_room(site, table, seat)
    return await lines(site, request, lambda watcher: _attend(site, table, seat, watcher))


async def lobby_watch(site: Site, request: web.Request) -> web.StreamResponse:
    return await lines(site, request, lambda watcher: _attend_lobby(site, watcher))


def _attend_lobby(site: Site, watcher: Watcher) -> Callable[[], None]:
    lobby = site.hall.lobby
    lobby.add(watcher)
    return lambda: lobby.discard(watcher)


# -- WebSockets -------------------------------------------------------------------------------------


class _Socket:
    """One WebSocket, from its first word to its close."""

    def __init__(self, site: Site, request: web.Request, ws: web.WebSocketResponse) -> None:
        self.site, self._ws = site, ws
        self.watcher = LiveWatcher(request.transport, site.drop_one)

    async def hear(self, seconds: float | None = None) -> bytes | None:
        """The next message; None if there will be no other, or nothing more is to be sent."""
        receiving = asyncio.ensure_future(self._ws.receive())
        try:
            waits: set[asyncio.Future[Any]] = {receiving, self.watcher.gone}
            done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            receiving.cancel()
        if not done:
            raise Problem(400, "bad_request", "say who you are first")
        if self.watcher.gone.done():
            return None
        message = receiving.result()
        if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
            data = message.data
            return data.encode() if isinstance(data, str) else bytes(data)
        return None

    def say(self, line: msgspec.Struct) -> None:
        self.watcher.send(msgspec.json.encode(line))

    async def serve(self, talk: Callable[[_Socket], Awaitable[None]]) -> None:
        """Talk, and close with a code that says why."""
        code = int(WSCloseCode.OK)
        try:
            await talk(self)
        except Problem as wrong:
            self.say(schema.ErrorLine(wrong.code, wrong.message))
            code = _CODES.get(wrong.status, 4400)
        finally:
            self.watcher.end(code)
            await self._close(self.watcher.gone.result())

    async def _close(self, code: int) -> None:
        """Who does not read is not waited for."""
        with contextlib.suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(PARTING):
                await self._ws.close(code=code, drain=False)
        if code == TOO_SLOW:
            self.watcher.abort()


async def _socket(
    site: Site, request: web.Request, talk: Callable[[_Socket], Awaitable[None]]
) -> web.WebSocketResponse:
    ws = web.WebSocketResponse(heartbeat=QUIET, max_msg_size=MOST_MESSAGE, compress=False, timeout=PARTING)
    with site.connection(request):
        await ws.prepare(request)
        site.sockets.add(ws)
        try:
            await _Socket(site, request, ws).serve(talk)
        finally:
            site.sockets.discard(ws)
    return ws


async def live(site: Site, request: web.Request) -> web.WebSocketResponse:
    return await _socket(site, request, lambda socket: _talk(site, request, socket))


async def _talk(site: Site, request: web.Request, socket: _Socket) -> None:
    first = await socket.hear(FIRST_WORD)
    if first is None:
        return
    table, word = table_of(site, request), decoded(first, schema.LiveSaid)
    if not isinstance(word, schema.WatchSaid | schema.SeatSaid):
        raise Problem(400, "bad_request", "say watch or seat first")
    seat = seat_of(site, request, table, word.token) if isinstance(word, schema.SeatSaid) else None
    _check_room(site, table, seat)
    leave = _attend(site, table, seat, socket.watcher)
    try:
        while not socket.watcher.gone.done():
            data = await socket.hear()
            if data is None:
                return
            _heard(table, seat, socket, decoded(data, schema.LiveSaid))
    finally:
        leave()


def _heard(table: Table, seat: Seat | None, socket: _Socket, word: schema.LiveSaid) -> None:
    player = None if seat is None else table.chairs[seat].player
    if not isinstance(player, BrowserSeat) or not isinstance(word, schema.MoveSaidLive | schema.ResignSaid):
        raise Problem(400, "bad_request", "who watches has nothing to say")
    assert seat is not None
    if isinstance(word, schema.ResignSaid):
        socket.site.hall.leave(table, seat)
        return
    try:
        heard = moved(table, player, word)
    except BadOptions as error:
        raise Problem(400, "bad_request", str(error)) from None
    socket.say(schema.HeardLine(heard.turn, heard.verdict, heard.reason))


async def lobby_live(site: Site, request: web.Request) -> web.WebSocketResponse:
    async def talk(socket: _Socket) -> None:
        leave = _attend_lobby(site, socket.watcher)
        try:
            if await socket.hear() is not None:
                raise Problem(400, "bad_request", "who reads the lobby has nothing to say")
        finally:
            leave()

    return await _socket(site, request, talk)

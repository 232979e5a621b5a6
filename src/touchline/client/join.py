"""Sit at a table somewhere else: connect, sign up, and play, in a dialect.

Laws of this file: it keeps trying until the server is there; a native player whose connection breaks comes
back to its seat; what the server says is never trusted with more than memory for one message.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.errors import BadInput, TouchlineError
from touchline.dialects import native
from touchline.dialects.base import UNREADABLE, plain
from touchline.players.process_connection import PipedConnection
from touchline.transports.base import HandshakeFailed, transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from touchline.players.in_dialect import Face
    from touchline.players.process import Program
    from touchline.server.sign_up import Listen
    from touchline.transports.base import Connection

log = logging.getLogger(__name__)

PAUSE = 0.2
"""Seconds between two attempts to connect, at first; they grow."""
LONGEST_PAUSE = 2.0
COMING_BACK = 20.0
"""Seconds in which a native player tries to come back to its seat."""
MOST_UNHEARD = 1024
"""How many messages may wait until the player has heard those before."""
WELCOME = b'{"type":"welcome"'
SENT_AWAY = b'{"type":"expelled"'
LAST_OF_ALL = (b'{"type":"over"', SENT_AWAY)
LAST_WORDS = 1.0
"""Seconds in which the server hangs up after a program that was lent to it has ended."""


class Away(TouchlineError):
    """The server is not there, or no longer."""


class NotLetIn(TouchlineError):
    """The server does not want this player."""


class Crashed(TouchlineError):
    """The player raised an exception, which is the cause of this one."""


class Visit:
    """One connection to a server, seen from the player's side."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.why = "hung up"
        """How the other side ended it."""

    async def frames(self) -> AsyncIterator[bytes]:
        """What comes, until the other side hangs up."""
        self.connection.listen(self)
        while (frame := await self._frames.get()) is not None:
            yield frame

    def frame(self, frame: bytes) -> None:
        self._frames.put_nowait(frame)
        if self._frames.qsize() > MOST_UNHEARD:
            self.connection.close(at_once=True)
            self.lost("sent more than anybody can hear")

    def lost(self, why: str) -> None:
        self.why = why
        self._frames.put_nowait(None)

    def flooded(self, why: str) -> None:
        self.lost(why)

    def writable(self) -> None:
        """They read; good."""


async def connected(
    listen: Listen, framing: str, seconds: float, waiting: Callable[[str], None] | None = None
) -> Connection:
    """A connection, as soon as the server is there. Away if that takes longer than so many seconds."""
    loop, pause = asyncio.get_running_loop(), PAUSE
    deadline = loop.time() + seconds
    while True:
        try:
            return await _connect(listen, framing)
        except (OSError, TimeoutError) as error:
            if loop.time() + pause > deadline:
                url = listen.url(listen.port)
                raise Away(f"nobody answers at {url}: {error}; is the server running?") from None
            if waiting is not None:
                waiting(str(error))
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)


async def _connect(listen: Listen, framing: str) -> Connection:
    async with asyncio.timeout(10):
        try:
            return await transport(listen.scheme).connect(
                listen.host, listen.port, framing=framing, path=listen.dialect
            )
        except HandshakeFailed as error:
            raise NotLetIn(str(error)) from None


async def join(
    listen: Listen,
    face: Face,
    framing: str,
    name: str,
    *,
    seconds: float = 60.0,
    key: str | None = None,
    heard: Callable[[bytes], None] = lambda frame: None,
    waiting: Callable[[str], None] | None = None,
) -> None:
    """Play one match to its end. Away if the server never came, or left before the end.

    The player thinks in a thread, so that the connection stays alive however long it thinks.
    """
    loop = asyncio.get_running_loop()
    give_up, last, seated = loop.time() + seconds, b"", False
    while True:
        connection = await connected(listen, framing, give_up - loop.time(), waiting)
        visit = Visit(connection)
        before = last
        try:
            for frame in _signed_up(face, name, key):
                connection.send(frame)
            async for frame in visit.frames():
                last = frame
                seated = seated or not frame.startswith((WELCOME, SENT_AWAY))
                heard(frame)
                for answer in await _thought(face, frame, name):
                    connection.send(answer)
        finally:
            connection.close()
        if face.over:
            _check_let_in(face, last, seated)
            return
        if last is not before:  # else nobody said a word, and it is not as if we had been there again
            give_up = loop.time() + COMING_BACK
        if not isinstance(face, native.Face) or face.token is None or loop.time() > give_up:
            raise Away(f"the server {visit.why} before the match was over")
        log.info("the connection broke (%s); coming back", visit.why)
        if last is before:
            await asyncio.sleep(PAUSE)
        if not seated:
            face.token = None  # it had only a place in the lobby, and signs up anew


async def _thought(face: Face, frame: bytes, name: str) -> list[bytes]:
    """What a player answers. It thinks in a thread that nobody waits for when we are told to stop."""
    loop = asyncio.get_running_loop()
    answers: asyncio.Future[list[bytes]] = loop.create_future()

    def settle(done: list[bytes] | None, error: Exception | None) -> None:
        if answers.cancelled():
            return
        if error is not None:
            answers.set_exception(error)
        else:
            answers.set_result(done or [])

    def think() -> None:
        done, error = None, None
        try:
            done = face.hear(frame)
        except Exception as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop has gone meanwhile
            loop.call_soon_threadsafe(settle, done, error)

    threading.Thread(target=think, name=name, daemon=True).start()
    try:
        return await answers
    except TouchlineError:
        raise
    except UNREADABLE as error:
        raise BadInput(f"the server said what cannot be read: {plain(str(error))}") from None
    except Exception as error:
        raise Crashed(f"{name} raised {type(error).__name__}: {error}") from error


def _check_let_in(face: Face, last: bytes, seated: bool) -> None:
    """NotLetIn if there was no match for us; only native has words for that."""
    if isinstance(face, native.Face) and not seated:
        did = "did not let us in" if face.token is None else "sent us home"
        raise NotLetIn(f"the server {did}: {_reason(last)}")


def _reason(last: bytes) -> str:
    with contextlib.suppress(*UNREADABLE):
        return plain(msgspec.json.decode(last, type=native.Expelled).reason)
    return plain(last.decode(errors="replace"))


def _signed_up(face: Face, name: str, key: str | None) -> list[bytes]:
    extra: dict[str, Any] = {} if key is None else {"key": key}
    return face.sign_up(name, **extra)


async def lend(
    listen: Listen,
    program: Program,
    face: Face,
    framing: str,
    name: str,
    *,
    seconds: float = 60.0,
    key: str | None = None,
    heard: Callable[[bytes], None] = lambda frame: None,
    waiting: Callable[[str], None] | None = None,
) -> None:
    """Seat a program: what the server says goes to its stdin line by line, and its lines go back.

    The face only signs it up; a program does not hear what came of that, as it does not under a referee here.
    """
    connection = await connected(listen, framing, seconds, waiting)
    pipes = PipedConnection(program)
    here, there = Visit(pipes), Visit(connection)
    told: list[bytes] = []

    async def pass_on(source: Visit, target: Connection) -> None:
        async for frame in source.frames():
            if source is there:
                told[1:] = [frame]  # the first and the last
                heard(frame)
            if source is here or not frame.startswith(WELCOME):
                target.send(frame)

    for frame in _signed_up(face, name, key):
        connection.send(frame)
    out, back = (asyncio.create_task(pass_on(*way)) for way in ((here, connection), (there, pipes)))
    try:
        await asyncio.wait((out, back), return_when=asyncio.FIRST_COMPLETED)
        if not back.done():  # it has ended, and the server may have said its last word before
            await asyncio.wait((back,), timeout=LAST_WORDS)
        if not back.done():
            raise Away(f"{name} {here.why} before the match was over")
        if isinstance(face, native.Face):
            _check_whole(told, there.why)
    finally:
        for task in (out, back):
            task.cancel()
        connection.close()
        pipes.release()


def _check_whole(told: list[bytes], why: str) -> None:
    """Whether what a native server said was a whole match: NotLetIn or Away if not."""
    if not told or not told[0].startswith(WELCOME):
        raise NotLetIn(f"the server did not let us in: {_reason(told[-1]) if told else why}")
    if not told[-1].startswith(LAST_OF_ALL):
        raise Away(f"the server {why} before the match was over")

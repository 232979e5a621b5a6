"""Join a server with a player of this process: connect, sign up, and play one match in a dialect.

Law of this file: a player whose connection breaks resumes its seat, if its dialect supports that.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from typing import TYPE_CHECKING

from touchline.client.connect import FIRST_PAUSE, Away, Crashed, Incoming, NotLetIn
from touchline.client.connect import connected as connect
from touchline.core.errors import BadInput, TouchlineError
from touchline.dialects.base import UNREADABLE, Word, plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.dialects.base import Face, Framing
    from touchline.players.address import ServerAddress

log = logging.getLogger(__name__)

RESUMING = 60.0
"""Seconds for which a player tries to resume its seat: a server may take long to restart."""


async def join(
    address: ServerAddress,
    face: Face,
    framing: Framing,
    name: str,
    *,
    seconds: float = 60.0,
    key: str | None = None,
    heard: Callable[[bytes], None] = lambda frame: None,
    waiting: Callable[[str], None] | None = None,
    connected: Callable[[], None] = lambda: None,
) -> None:
    """Play one match to its end. Raise Away if the server cannot be reached, or leaves before the end.

    The player thinks in a thread, so that the connection stays alive however long it thinks. `heard` is
    called with each frame of the server, `waiting` with the error of each failed attempt to connect, and
    `connected` when one succeeded.
    """
    loop = asyncio.get_running_loop()
    give_up, last, in_match = loop.time() + seconds, b"", False
    while True:
        connection = await connect(address, framing, give_up - loop.time(), waiting)
        connected()
        incoming = Incoming(connection)
        before, asked_back = last, face.token is not None
        try:
            for frame in face.sign_up(name, key, face.token):
                connection.send(frame)
            async for frame in incoming.frames():
                last = frame
                in_match = in_match or face.classify(frame) in (Word.MATCH, Word.LAST)
                heard(frame)
                for answer in await _answers(face, frame, name):
                    connection.send(answer)
        finally:
            connection.close()
        if face.over and asked_back and not in_match:
            face.over, face.token = False, None  # its match had not begun: it signs up again
            continue
        if face.over:
            _check_let_in(face, last, in_match)
            return
        if last is not before:  # the server sent something: restart the resume timeout
            give_up = loop.time() + RESUMING
        not_yet = face.welcomes and not in_match and last is before  # it died before it welcomed us
        if (face.token is None and not not_yet) or loop.time() > give_up:
            raise Away(gone_before_the_end(incoming.why, last, face))
        log.info("the connection broke (%s); reconnecting", incoming.why)
        if last is before:
            await asyncio.sleep(FIRST_PAUSE)


def gone_before_the_end(why: str, last: bytes, face: Face) -> str:
    """Return how the server left, and what that may mean where the dialect has no word for it."""
    left = f"the server {why} before the match was over"
    if face.welcomes:
        return left
    if not last:
        return (
            f"{left}, and sent nothing: it refused the name, all seats are taken, or the sign-up is over; "
            "this dialect has no word for the reason, which is in the server's log"
        )
    return f"{left}: a player that is expelled is disconnected; its last message was {face.reason(last)}"


def _check_let_in(face: Face, last: bytes, in_match: bool) -> None:
    """Raise NotLetIn if the server ended the connection without a match, where the dialect can tell."""
    if face.welcomes and not in_match:
        did = "did not let us in" if face.token is None else "sent us home"
        raise NotLetIn(f"the server {did}: {face.reason(last)}")


async def _answers(face: Face, frame: bytes, name: str) -> list[bytes]:
    """Return the player's answers. It thinks in a daemon thread, which does not delay our exit."""
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
        with contextlib.suppress(RuntimeError):  # the loop is closed
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

"""Lend a program to a server: relay frames between its pipes and a connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from touchline.client.connect import Away, Incoming, NotLetIn, connected
from touchline.client.join import gone_before_the_end
from touchline.dialects.base import Word
from touchline.players.process_connection import ProcessConnection

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.dialects.base import Face, Framing
    from touchline.players.address import ServerAddress
    from touchline.players.process import Program
    from touchline.transports.base import Connection

LAST_WORDS = 1.0
"""Seconds to wait for the server's last frames after the program has ended."""


async def lend(
    address: ServerAddress,
    program: Program,
    face: Face,
    framing: Framing,
    name: str,
    *,
    seconds: float = 60.0,
    key: str | None = None,
    heard: Callable[[bytes], None] = lambda frame: None,
    waiting: Callable[[str], None] | None = None,
) -> None:
    """Play one match with a program: relay the server's frames to its stdin, and its lines to the server.

    The face only signs the program up. The welcome is not relayed, since a program that a referee starts gets
    none either.
    """
    connection = await connected(address, framing, seconds, waiting)
    pipes = ProcessConnection(program)
    here, there = Incoming(pipes), Incoming(connection)
    told: list[bytes] = []
    """The first and the last frame of the server."""

    async def pass_on(source: Incoming, target: Connection) -> None:
        async for frame in source.frames():
            if source is there:
                told[1:] = [frame]
                heard(frame)
            if source is here or face.classify(frame) is not Word.WELCOME:
                target.send(frame)

    for frame in face.sign_up(name, key):
        connection.send(frame)
    out, back = (asyncio.create_task(pass_on(*way)) for way in ((here, connection), (there, pipes)))
    try:
        await asyncio.wait((out, back), return_when=asyncio.FIRST_COMPLETED)
        if not back.done():  # the program has ended; the server may have ended the match before
            await asyncio.wait((back,), timeout=LAST_WORDS)
        if not back.done():
            raise Away(f"{name} {here.why}; the match was not over")
        if face.welcomes:
            _check_complete(face, told, there.why)
        elif not told:
            raise Away(gone_before_the_end(there.why, b"", face))
    finally:
        for task in (out, back):
            task.cancel()
        connection.close()
        pipes.release()


def _check_complete(face: Face, told: list[bytes], why: str) -> None:
    """Raise NotLetIn or Away if the server's first and last frames are not those of a whole match."""
    if not told or face.classify(told[0]) is not Word.WELCOME:
        raise NotLetIn(f"the server did not let us in: {face.reason(told[-1]) if told else why}")
    if face.classify(told[-1]) not in (Word.LAST, Word.REFUSAL):
        raise Away(f"the server {why} before the match was over")

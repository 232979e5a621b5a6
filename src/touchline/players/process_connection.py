"""A program as a connection on an event loop: a frame is a line on its stdin and stdout.

Law of this file: it reads and writes without ever waiting, and what the program writes to stderr is drained
all the time. The program's end is its own, see `process`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from touchline.transports.base import MOST_OUTBOUND
from touchline.transports.shared.buffered import BufferedConnection
from touchline.transports.shared.framing import MOST_FRAME, Lines

if TYPE_CHECKING:
    from touchline.core.clock import Micros
    from touchline.players.process import Program


class PipedConnection(BufferedConnection):
    """The pipes of a program that has been started."""

    latency: Micros = 0

    def __init__(self, program: Program, goodbye: float | None = None, most: int = MOST_FRAME) -> None:
        """Once closed, kill the program after `goodbye` seconds; None leaves that to whoever stops it.

        A frame of the program may have `most` bytes.
        """
        super().__init__()
        self.program = program
        self._goodbye = goodbye
        self._end_of_patience: asyncio.TimerHandle | None = None
        self.where = " ".join(program.command)
        self._loop = asyncio.get_running_loop()
        self._lines = Lines(most)
        self._unsent = b""
        self._closing = False
        self._loop.add_reader(program.stdout, self._readable)
        self._loop.add_reader(program.stderr, self._drain)

    def _readable(self) -> None:
        data = self.program.read()
        if data is None:
            return
        if not data:
            self._loop.remove_reader(self.program.stdout)
            if not self.finished:
                self.fail("lost", self.program.ending())
            return
        if not self.finished:
            self.receive(self._lines, data)

    def _drain(self) -> None:
        if self.program.drain() == b"":
            self._loop.remove_reader(self.program.stderr)

    def send(self, frame: bytes) -> None:
        waiting = bool(self._unsent)
        self._unsent += frame + b"\n"
        if len(self._unsent) > MOST_OUTBOUND:
            self._unsent = self._unsent[:MOST_OUTBOUND]  # it does not read, and will be told so
        if not waiting:
            self._push()

    def _push(self) -> None:
        try:
            sent = self.program.write(self._unsent)
        except OSError:  # it does not want to hear it; its silence will tell
            sent = len(self._unsent)
        was_waiting = self._loop.remove_writer(self.program.stdin)
        self._unsent = self._unsent[sent:]
        if self._unsent:
            self._loop.add_writer(self.program.stdin, self._push)
        elif was_waiting:
            if self._closing:
                self.program.hang_up()
            elif self.receiver is not None:
                self.receiver.writable()

    @property
    def taken(self) -> bool:
        return not self._unsent

    def measure(self) -> None:
        """A pipe has no latency to speak of."""

    def close(self, *, at_once: bool = False) -> None:
        """Nothing more is said or heard; the program itself is stopped by whoever started it."""
        self.finished = self._closing = True
        if self._goodbye is not None and self._end_of_patience is None:
            self._end_of_patience = self._loop.call_later(self._goodbye, self.program.kill)
            self.program.leave_within(self._goodbye)
        if at_once or not self._unsent:
            self._loop.remove_writer(self.program.stdin)
            self.program.hang_up()

    def release(self) -> None:
        """Take the pipes from the loop: the program is about to be stopped."""
        if self._end_of_patience is not None:
            self._end_of_patience.cancel()
        for descriptor in (self.program.stdout, self.program.stderr):
            self._loop.remove_reader(descriptor)
        self._loop.remove_writer(self.program.stdin)

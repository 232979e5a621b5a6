"""A connection to a program on an event loop: a frame is a line on its stdin or stdout.

Law of this file: it never blocks, and it drains stderr all the time. It does not stop the program; see
`process`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from touchline.players.progress import Progress
from touchline.transports.base import MOST_OUTBOUND
from touchline.transports.shared.buffered import BufferedConnection
from touchline.transports.shared.framing import MOST_FRAME, Lines

if TYPE_CHECKING:
    from touchline.core.clock import Micros
    from touchline.dialects.base import Dialect
    from touchline.players.process import Program


class ProcessConnection(BufferedConnection):
    """A connection over the pipes of a running program."""

    latency: Micros = 0

    def __init__(self, program: Program, goodbye: float | None = None, most: int = MOST_FRAME) -> None:
        """`goodbye` is the time in seconds from `close()` to the kill; None leaves the kill to the caller.

        `most` is the size limit of a frame from the program, in bytes.
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
            self._unsent = self._unsent[:MOST_OUTBOUND]  # it does not read; the table reports that
        if not waiting:
            self._push()

    def _push(self) -> None:
        try:
            sent = self.program.write(self._unsent)
        except OSError:  # it closed its stdin; its missing answer is the offence
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

    def progress(self, dialect: Dialect) -> Progress:
        """Return how far the program has come with its question."""
        unread = len(self._unsent) + self.program.unread()
        computes = self.program.usage.is_computing()
        return Progress(unread, self._lines.unfinished, computes, dialect.expected)

    @property
    def taken(self) -> bool:
        return not self._unsent

    def measure(self) -> None:
        """Do nothing: the latency of a pipe is negligible."""

    def close(self, *, at_once: bool = False) -> None:
        """Close stdin after the unsent frames, or at once, and ignore further output.

        The caller stops the program.
        """
        self.finished = self._closing = True
        if self._goodbye is not None and self._end_of_patience is None:
            self._end_of_patience = self._loop.call_later(self._goodbye, self.program.kill)
            self.program.leave_within(self._goodbye)
        if at_once or not self._unsent:
            self._loop.remove_writer(self.program.stdin)
            self.program.hang_up()

    def release(self) -> None:
        """Remove the pipes from the event loop, before the program is stopped."""
        if self._end_of_patience is not None:
            self._end_of_patience.cancel()
        for descriptor in (self.program.stdout, self.program.stderr):
            self._loop.remove_reader(descriptor)
        self._loop.remove_writer(self.program.stdin)

"""The connections of a course's server: what is sent and received can be shown, and read leniently.

In lenient mode a player gets messages as it sends them: with a length in front, if its own have one. Others
get no newline after a message, since some programs fail on it; a program that reads lines would wait for one,
so it is sent when the first answer does not come at once, and from then on with every message.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from touchline.coursework.courses.lenient import LenientReader
from touchline.transports.shared.framing import Values
from touchline.transports.shared.stream import StreamConnection
from touchline.transports.tcp import Tcp

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.transports.base import Connection

NAME_ENDS = 0.3
"""Seconds of silence after which a name without quotes and without a newline is complete."""
NEWLINE_AFTER = 1.0
"""Seconds without an answer after which the newline is sent that a program may be waiting for."""


class CourseConnection(StreamConnection):
    """One connection of a player."""

    def __init__(
        self,
        most: int,
        accept: Callable[[StreamConnection], None],
        where: str,
        *,
        lenient: bool,
        show: Callable[[Connection, str, bytes], None] | None,
    ) -> None:
        """`show` is called with "<" and each frame that was received, and with ">" and each one sent."""
        super().__init__("values", most, accept, where)
        self._show = show
        self._reader = LenientReader(most, self._mend) if lenient else None
        self._values: Values | LenientReader = self._reader or Values(most)
        self._framing = self  # `feed` below
        self.mended: list[str] = []
        """The kinds of deviations of this player."""
        self.on_mended: Callable[[str], None] | None = None
        self._lines: bool | None = None if lenient else True
        """Whether a newline follows each message; None until the first answer."""
        self._timer: asyncio.TimerHandle | None = None

    def _mend(self, kind: str) -> None:
        self.mended.append(kind)
        if self.on_mended is not None:
            self.on_mended(kind)

    # -- receiving ----------------------------------------------------------------------------

    def feed(self, data: bytes) -> list[bytes]:
        """Split bytes into frames, as a framing does."""
        return self._shown(self._values.feed(data))

    def data_received(self, data: bytes) -> None:
        self._cancel()
        if self._reader is not None and self._asked:
            self._lines = bool(self._lines)  # it answers without a newline
        super().data_received(data)
        if self._reader is not None and self._reader.awaits_silence and not self.finished:
            self._timer = asyncio.get_running_loop().call_later(NAME_ENDS, self._silence)

    _asked = False
    """Whether a message was sent."""

    def _silence(self) -> None:
        if self._reader is not None and not self.finished:
            self.deliver(self._shown(self._reader.silence()))

    def _shown(self, frames: list[bytes]) -> list[bytes]:
        if self._show is not None:
            for frame in frames:
                self._show(self, "<", frame)
        return frames

    # -- sending ------------------------------------------------------------------------------

    def write(self, frames: list[bytes]) -> None:
        assert self._socket is not None
        self._asked = True
        if self._show is not None:
            for frame in frames:
                self._show(self, ">", frame)
        prefix = None if self._reader is None else self._reader.prefix
        if prefix is not None:
            self._socket.write(b"".join(map(prefix.write, frames)))
        elif self._lines:
            self._socket.write(b"".join(frame + b"\n" for frame in frames))
        else:
            self._socket.write(b"".join(frames))
            if self._lines is None:
                self._cancel()
                self._timer = asyncio.get_running_loop().call_later(NEWLINE_AFTER, self._send_newline)

    def _send_newline(self) -> None:
        self._lines = True
        if self._socket is not None and not self._socket.is_closing():
            self._socket.write(b"\n")

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def close(self, *, at_once: bool = False) -> None:
        self._cancel()
        super().close(at_once=at_once)

    def connection_lost(self, error: Exception | None) -> None:
        self._cancel()
        super().connection_lost(error)


class CourseTcp(Tcp):
    """TCP whose accepted connections are those of a course's server."""

    def __init__(
        self, *, lenient: bool = False, show: Callable[[Connection, str, bytes], None] | None = None
    ) -> None:
        self._lenient, self._show = lenient, show

    def accepted(
        self, framing: str, most: int, accept: Callable[[Connection], None], where: str
    ) -> StreamConnection:
        return CourseConnection(most, accept, where, lenient=self._lenient, show=self._show)

"""Base connection: buffers frames until a receiver attaches, reports failure once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from touchline.transports.base import MOST_FRAMES
from touchline.transports.shared.framing import Overflow

if TYPE_CHECKING:
    from touchline.transports.base import Receiver
    from touchline.transports.shared.framing import Framing


class BufferedConnection:
    """The receiving half of a connection."""

    scarce = False

    def __init__(self) -> None:
        self.receiver: Receiver | None = None
        self._buffered: list[bytes] = []
        self._failure: tuple[Literal["lost", "flooded"], str] | None = None
        self.reads = 0
        """The number of times that something was received: frames of one read were sent before any reply."""
        self.finished = False
        """Whether the connection was closed or has failed. Then nothing more is delivered."""

    def listen(self, receiver: Receiver) -> None:
        self.receiver = receiver
        frames, self._buffered = self._buffered, []
        self.deliver(frames)
        if self._failure is not None and self.receiver is receiver:
            failure, self._failure = self._failure, None
            self._report(*failure)

    def receive(self, framing: Framing, data: bytes) -> None:
        """Split bytes into frames and deliver them; a frame too long, or too many at once, is a flood."""
        try:
            frames = framing.feed(data)
        except Overflow as error:
            self.fail("flooded", str(error))
            return
        if len(frames) == 1 and self.receiver is not None:  # the usual case, without the loop below
            self.reads += 1
            self.receiver.frame(frames[0])
            return
        if len(frames) > MOST_FRAMES:
            self.fail("flooded", f"sent {len(frames)} messages at once; {MOST_FRAMES} are allowed")
            return
        self.deliver(frames)

    def deliver(self, frames: list[bytes]) -> None:
        """Hand frames to the receiver, or buffer them. A receiver may detach itself or close in between."""
        self.reads += 1
        for place, frame in enumerate(frames):
            if self.finished:
                return
            if self.receiver is None:
                self._buffered += frames[place:]
                if len(self._buffered) > MOST_FRAMES:
                    self.fail("flooded", f"sent more than {MOST_FRAMES} messages that nobody asked for")
                return
            self.receiver.frame(frame)

    def fail(self, failure: Literal["lost", "flooded"], why: str) -> None:
        """Report to the receiver, or to the next one, how the other side failed; only once."""
        if self.finished:
            return
        self.finished = True
        if self.receiver is None:
            self._failure = (failure, why)
        else:
            self._report(failure, why)

    def _report(self, failure: Literal["lost", "flooded"], why: str) -> None:
        assert self.receiver is not None
        if failure == "flooded":
            self.receiver.flooded(why)
        else:
            self.receiver.lost(why)

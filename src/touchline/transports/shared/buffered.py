"""What all connections share: frames that come before anybody listens are kept, and bad news is told once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.transports.base import MOST_FRAMES
from touchline.transports.shared.framing import Overflow

if TYPE_CHECKING:
    from touchline.transports.base import Receiver
    from touchline.transports.shared.framing import Framing


class Kept:
    """The receiving half of a connection."""

    def __init__(self) -> None:
        self.receiver: Receiver | None = None
        self._kept: list[bytes] = []
        self._bad_news: tuple[str, str] | None = None
        self._over = False

    def listen(self, receiver: Receiver) -> None:
        self.receiver = receiver
        kept, self._kept = self._kept, []
        self._pass_on(kept)
        if self._bad_news is not None and self.receiver is receiver:
            news, self._bad_news = self._bad_news, None
            self._tell(*news)

    def _arrived(self, framing: Framing, data: bytes) -> None:
        """Cut what has come into frames; more at once than anybody asks for are a flood."""
        try:
            frames = framing.feed(data)
        except Overflow as error:
            self._end("flooded", str(error))
            return
        if len(frames) > MOST_FRAMES:
            self._end("flooded", f"{len(frames)} messages at once")
            return
        self._pass_on(frames)

    def _pass_on(self, frames: list[bytes]) -> None:
        for place, frame in enumerate(frames):
            if self._over:
                return
            if self.receiver is None:
                self._kept += frames[place:]
                if len(self._kept) > MOST_FRAMES:
                    self._end("flooded", f"more than {MOST_FRAMES} messages that nobody asked for")
                return
            self.receiver.frame(frame)

    def _end(self, news: str, why: str) -> None:
        """Tell the receiver, or the next one, what became of the other side: once."""
        if self._over:
            return
        self._over = True
        if self.receiver is None:
            self._bad_news = (news, why)
        else:
            self._tell(news, why)

    def _tell(self, news: str, why: str) -> None:
        assert self.receiver is not None
        if news == "flooded":
            self.receiver.flooded(why)
        else:
            self.receiver.lost(why)

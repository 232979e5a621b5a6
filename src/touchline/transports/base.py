"""What a connection is: it carries frames between us and one player, and knows no game and no dialect.

Laws: a frame is sent with one write; nothing is received that is longer than agreed; when the other side is
gone or sends too much, its receiver is told once, and then nothing more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from touchline.core.clock import Micros

MOST_FRAMES = 64
"""How many frames may come at once."""
MOST_OUTBOUND = 1 << 20
"""Bytes that may wait to be sent before the other side counts as not reading."""


class Receiver(Protocol):
    """Whoever listens at our end of a connection."""

    def frame(self, frame: bytes) -> None:
        """This came."""

    def lost(self, why: str) -> None:
        """The other side is gone."""

    def flooded(self, why: str) -> None:
        """It sent more than anybody may."""

    def writable(self) -> None:
        """All that was sent has been taken."""


class Connection(Protocol):
    """A way to one player."""

    receiver: Receiver | None
    """Who listens; what comes while nobody does is kept, within bounds."""
    where: str
    """The other side, for the log."""

    def listen(self, receiver: Receiver) -> None:
        """Have this one listen from now on, beginning with what was kept."""

    def send(self, frame: bytes) -> None:
        """Send a frame, now or as soon as the other side reads."""

    @property
    def taken(self) -> bool:
        """Whether the other side takes what is sent; if not, too much of it waits here."""

    latency: Micros
    """How long it takes there and back, as far as is known."""

    def measure(self) -> None:
        """Find out about the latency again."""

    def close(self, *, at_once: bool = False) -> None:
        """Hang up: when everything is sent, or at once."""

"""The contract between a player on an event loop and the table where it sits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, UnsetType

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from touchline.core.clock import Micros
    from touchline.core.conduct import Offence
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Seat
    from touchline.players.progress import Progress
    from touchline.sandbox.usage import Usage


class Table(Protocol):
    """A table as its players see it: they report answers and failures here."""

    def now(self) -> Micros:
        """Return the time of the table's clock, which timestamps all arrivals."""

    def hear(
        self,
        seat: Seat,
        said: FromPlayer,
        raw: tuple[str, ...] | UnsetType = UNSET,
        fuel: int | UnsetType = UNSET,
        *,
        unasked: bool = False,
    ) -> None:
        """Process a message from a seat; `raw` is the message as it came (`core.text.received`).

        `fuel` is what the player used for it, if that is counted; `unasked` says that it was sent before the
        question that stands.
        """

    def ran_out(self, seat: Seat, fuel: int) -> None:
        """Process that a seat's player was stopped because it ran out of fuel."""

    def fast_frame(self, seat: Seat, frame: bytes) -> bool:
        """Play a frame on the fast lane; return False if it is not a legal move in time."""

    def fail(self, seat: Seat, offence: Offence, why: str) -> None:
        """Process a failure of a seat's player: it is gone, floods, or does not read."""

    def broken(self, why: str) -> None:
        """Void the match, because Touchline's own code failed."""

    def awaits(self, seat: Seat) -> bool:
        """Return whether a seat has been asked and has not answered."""

    def returned(self) -> None:
        """Note that a player is back after a restart of the referee."""

    def started(self) -> None:
        """Note that a delayed question has been delivered: its clock runs from now on."""


class Player(ABC):
    """A player at a table on an event loop. None of its methods may block."""

    remembers: bool = False
    """Whether it keeps its memory when the referee is restarted, because it runs elsewhere.

    Otherwise it is started again, and `tell` repeats the past to it.
    """

    @abstractmethod
    def sit(self, seat: Seat, table: Table) -> None:
        """Take this seat, and from now on report answers and failures to the table."""

    @abstractmethod
    def tell(self, message: ToPlayer) -> None:
        """Send a message, now or as soon as the player reads."""

    def remember(self, message: ToPlayer) -> None:
        """Note a message from before a restart of the referee, without sending it; only if `remembers`."""
        raise AssertionError("a player that is started again is told the past")

    def await_return(self) -> bool:
        """Return whether the player is back after a restart of the referee; else begin to wait for it.

        Only if `remembers`. When it comes back, it calls `Table.returned`; if it does not, `Table.broken`.
        """
        raise AssertionError("a player that is started again is here")

    def go_live(self) -> None:  # noqa: B027, most players have nothing to do
        """Go on after a restart: everybody is back, and no message is repeated any more."""

    @property
    @abstractmethod
    def handed_over(self) -> Micros | None:
        """The delivery time of the last question, by the table's clock; None if it is not delivered yet."""

    @property
    @abstractmethod
    def latency(self) -> Micros:
        """The round-trip time to the player."""

    @property
    def usage(self) -> Usage | None:
        """The processor time of the player's program; None if it is no program of ours."""
        return None

    @property
    def progress(self) -> Progress | None:
        """How far the player's program has come with its question; None if it is no program of ours."""
        return None

    def let_think(self, thinks: bool) -> None:  # noqa: B027, only programs can be frozen
        """Freeze the player's program, or thaw it."""

    @abstractmethod
    def close(self, *, at_once: bool) -> Awaitable[None] | None:
        """Dismiss the player; return an awaitable that is done when it has gone, or None if it has."""

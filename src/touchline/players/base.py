"""The contract between a player on an event loop and the table where it sits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from touchline.core.clock import Micros
    from touchline.core.conduct import Offence
    from touchline.core.messages import FromPlayer, ToPlayer
    from touchline.core.rules import Seat


class Table(Protocol):
    """What a player tells its table, and asks of it."""

    def now(self) -> Micros:
        """Return the time on the table's clock, which stamps everything that arrives."""

    def hear(self, seat: Seat, said: FromPlayer) -> None:
        """Take in what a seat says."""

    def fast_frame(self, seat: Seat, frame: bytes) -> bool:
        """Return whether a frame was a legal move in time, which has been made on the fast lane."""

    def fail(self, seat: Seat, offence: Offence, why: str) -> None:
        """Take in that a seat's player is gone, floods, or does not read."""

    def broken(self, why: str) -> None:
        """Take in that code of ours failed: the match is void."""

    def awaits(self, seat: Seat) -> bool:
        """Return whether a seat has been asked and has not answered."""

    def started(self) -> None:
        """Take in that a question has been handed over only now: its clock runs."""


class Player(ABC):
    """A player at a table that is run by an event loop. None of its methods may block."""

    @abstractmethod
    def sit(self, seat: Seat, table: Table) -> None:
        """Take this seat: from now on tell the table what is said and what goes wrong."""

    @abstractmethod
    def tell(self, message: ToPlayer) -> None:
        """Hand over a message, now or as soon as the player reads."""

    @property
    @abstractmethod
    def handed_over(self) -> Micros | None:
        """When the player had the last question, by the table's clock; None if it has not yet."""

    @property
    @abstractmethod
    def latency(self) -> Micros:
        """The round-trip time to the player."""

    @abstractmethod
    def close(self, *, at_once: bool) -> Awaitable[None] | None:
        """Part with the player; the result, if any, is done when the player has gone."""

"""A chair at a table of the page: a seat, its player, and the token that opens it."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any, Literal

from touchline.bots.shared import factory
from touchline.players.remote import Disconnected, Remote
from touchline.server.names import skeleton
from touchline.web import schema
from touchline.web.tables.seats import BrowserSeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Seat
    from touchline.server.sign_up import Guest
    from touchline.web.live.watchers import Watcher
    from touchline.web.tables.seats import HouseSeat
    from touchline.web.workers import table_jobs

Kind = Literal["me", "open", "house", "remote"]


def digest(token: str) -> bytes:
    """The hash of a token, which is all the server keeps: a lookup takes the same time for any token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def numbered(name: str, others: Sequence[str | None]) -> str:
    """Return the name with a number if it is taken.

    >>> numbered("random", ["random", "random 2"])
    'random 3'
    """
    taken, number, wanted = {skeleton(other) for other in others if other}, 1, name
    while skeleton(wanted) in taken:
        number += 1
        wanted = f"{name} {number}"
    return wanted


class Chair:
    """A seat of a table, and its player."""

    def __init__(self, seat: Seat, kind: Kind, name: str | None = None) -> None:
        self.seat, self.kind, self.name = seat, kind, name
        self.taken = name is not None
        self.token: bytes | None = None
        """The hash of the token that opens this seat."""
        self.address = ""
        """The address from which a person took this seat."""
        self.player: BrowserSeat | HouseSeat | Remote | None = None
        self.guest: Guest | None = None
        self.watcher: Watcher | None = None
        """The connection of this seat's browser."""
        self.house: tuple[str, dict[str, Any]] = ("", {})
        self.level: schema.LevelName | None = None

    @property
    def missing(self) -> bool:
        """Whether the match waits for the player to come back after a restart of the server."""
        if isinstance(self.player, Remote):
            return self.player.seated and isinstance(self.player.connection, Disconnected)
        return isinstance(self.player, BrowserSeat) and self.player.missing

    def describe(self) -> schema.SeatSummary:
        player, options = self.house
        return schema.SeatSummary(
            self.seat, self.kind, self.name, self.taken,
            self.level, factory.label(player, options) if player else None,
        )  # fmt: skip

    def seat_house_player(self, found: table_jobs.HousePlayer, names: Sequence[str | None]) -> None:
        """Seat a house player; its name is numbered if it is among these."""
        self.house, self.level = (found.player, found.options), found.level
        self.name, self.taken = numbered(found.name, names), True

    def copied(self, seat: Seat) -> Chair:
        """Return a chair for the same player at another table, without its token."""
        chair = Chair(seat, self.kind, self.name)
        chair.house, chair.level = self.house, self.level
        return chair

    def give_token(self) -> str:
        token = secrets.token_hex(16)
        self.token = digest(token)
        return token

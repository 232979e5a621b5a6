"""What people at a table do besides moves: emotes, wishes to take a move back, and a rematch.

Rules of this file: only seats of browsers have a voice; house players agree to everything at once, and so do
people at the same screen; the token of a seat at the next table is told to that seat alone; every wish is
idempotent and rate limited, and one beyond its limit is ignored.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from touchline.web import schema
from touchline.web.guard import TokenBucket
from touchline.web.refusals import NotNow
from touchline.web.tables.seats import BrowserSeat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Seat
    from touchline.web.tables.chair import Chair

EMOTES = (4, 0.5)
"""Emotes of a seat: a burst, and a rate per second."""
WISHES = (6, 0.5)
"""Take-backs and rematches that a seat asks for, or answers."""
COUNTING = 1.0
"""Seconds between two lines about the number of spectators."""
AWAY = 30.0
"""Seconds without a connection after which the wish of a seat for a rematch is withdrawn."""
_encode = msgspec.json.Encoder().encode


class NextSeat(NamedTuple):
    """The seat of a person at the table of the rematch."""

    chair: Chair
    token: str

    @property
    def is_taken(self) -> bool:
        """Whether its browser has come, so that it knows the token."""
        return isinstance(self.chair.player, BrowserSeat) and self.chair.player.present


class Voices(Protocol):
    """What people's wishes need from their table."""

    @property
    def chairs(self) -> Sequence[Chair]:
        """The seats."""

    @property
    def watching(self) -> int:
        """The number of spectators."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""

    def last_turn_of(self, seat: Seat) -> int | None:
        """Return the last turn that a seat may take back; None if there is none."""

    def take_back(self, seat: Seat, turn: int) -> bool:
        """Go back to before a turn of this seat; return whether that was possible."""

    def play_again(self, *, swap: bool) -> tuple[str, dict[Seat, NextSeat]]:
        """Make the table of the rematch; return its id, and the next seat of each person by the old one."""

    def tell_people(self, line_for: People) -> None:
        """Send everybody at the table the line for their seat."""


class People:
    """The wishes of the people at one table."""

    def __init__(self, table: Voices) -> None:
        self._table = table
        self._emotes, self._wishes = TokenBucket(*EMOTES), TokenBucket(*WISHES)
        self._emote: schema.SeatEmote | None = None
        self._takeback: schema.TakebackAsked | None = None
        self._agreed: set[Seat] = set()
        """The seats that agree to the take-back."""
        self._wanted: set[Seat] = set()
        """The seats that want a rematch."""
        self._swap = False
        self._next: tuple[str, dict[Seat, NextSeat]] | None = None
        self._leaving: dict[Seat, asyncio.TimerHandle] = {}
        self._counting: asyncio.TimerHandle | None = None
        self._counted = -1
        """The number of spectators that was told last."""

    # -- lines --------------------------------------------------------------------------------

    def line(self, seat: Seat | None) -> bytes:
        """Return the line for the browser of a seat, or for spectators."""
        return _encode(
            schema.PeopleLine(
                watching=self._table.watching, emote=self._emote, takeback=self._takeback,
                rematch=self.rematch(seat),
            )
        )  # fmt: skip

    def rematch(self, seat: Seat | None) -> schema.Rematch | None:
        """Return the state of the rematch, as this seat may know it; None if nobody wants one."""
        if self._next is None:
            wanted = tuple(sorted(self._wanted))
            return schema.Rematch(wanted=wanted, swap=self._swap) if wanted else None
        table, seats = self._next
        mine = None if seat is None else seats.get(seat)
        return schema.Rematch(
            wanted=tuple(sorted(self._wanted)), swap=self._swap, table=table,
            seat=None if mine is None else mine.chair.seat,
            token=None if mine is None or mine.is_taken else mine.token,
        )  # fmt: skip

    @property
    def has_news(self) -> bool:
        """Whether a newcomer must be told more than its snapshot says."""
        return self._takeback is not None or bool(self._wanted) or self._next is not None

    def _tell(self) -> None:
        self._counted = self._table.watching
        self._table.tell_people(self)

    def count(self) -> None:
        """Tell everybody soon that the number of spectators has changed."""
        if self._counting is None:
            self._counting = asyncio.get_running_loop().call_later(COUNTING, self._tell_count)

    def _tell_count(self) -> None:
        self._counting = None
        if self._table.watching != self._counted:
            self._tell()

    def close(self) -> None:
        """Forget timers: the table is closed."""
        for timer in (self._counting, *self._leaving.values()):
            if timer is not None:
                timer.cancel()
        self._leaving.clear()

    # -- emotes -------------------------------------------------------------------------------

    def show_emote(self, seat: Seat, emote: schema.Emote) -> None:
        if not self._emotes.take(f"{seat}"):
            self._emote = schema.SeatEmote(seat, emote)
            self._tell()
            self._emote = None

    # -- who agrees ---------------------------------------------------------------------------

    def _voters(self) -> set[Seat]:
        """Return the seats of people."""
        return {chair.seat for chair in self._table.chairs if isinstance(chair.player, BrowserSeat)}

    def _with(self, seat: Seat) -> set[Seat]:
        """Return the seats for which this one speaks: its own, and those at the same screen."""
        chairs = self._table.chairs
        if chairs[seat].kind != "me":
            return {seat}
        return {chair.seat for chair in chairs if chair.kind == "me"}

    # -- taking back --------------------------------------------------------------------------

    def ask_takeback(self, seat: Seat, *, agree: bool) -> None:
        """Ask to take the own last move back, or answer the wish of another."""
        asked = self._takeback
        if self._wishes.take(f"{seat}"):
            return
        if asked is None:
            turn = self._table.last_turn_of(seat) if agree else None
            if turn is None:
                return
            asked = self._takeback = schema.TakebackAsked(seat, turn)
            self._agreed = set()
        elif not agree:
            self.drop_takeback()
            return
        self._agreed |= self._with(seat)
        if self._agreed >= self._voters():
            self._takeback = None
            self._table.take_back(asked.seat, asked.turn)
        self._tell()

    def drop_takeback(self) -> None:
        """Forget the wish: it was declined or withdrawn, or the match went on."""
        if self._takeback is not None:
            self._takeback = None
            self._tell()

    # -- rematch ------------------------------------------------------------------------------

    def want_rematch(self, seat: Seat, *, swap: bool) -> schema.Rematch | None:
        """Ask for a rematch, or agree to one; NotNow if none is possible. Other seats make it a new wish."""
        if not self._table.is_over:
            raise NotNow("a rematch can be asked for when the match is over")
        if self._next is None and not self._wishes.take(f"{seat}"):
            if swap != self._swap:
                self._wanted, self._swap = set(), swap
            news = self._with(seat) - self._wanted
            self._wanted |= news
            if self._wanted >= self._voters():
                self._begin_rematch(seat)
            elif news:
                self._tell()
        return self.rematch(seat)

    def _begin_rematch(self, seat: Seat) -> None:
        try:
            self._next = self._table.play_again(swap=self._swap)
        except Exception:
            self._wanted -= self._with(seat)
            raise
        self._tell()

    def withdraw(self, seat: Seat) -> bool:
        """Withdraw the wish of a seat for a rematch; return whether it had one."""
        if self._next is not None or seat not in self._wanted:
            return False
        self._wanted -= self._with(seat)
        self._tell()
        return True

    def came(self, seat: Seat) -> None:
        """Note that the browser of a seat has connected."""
        timer = self._leaving.pop(seat, None)
        if timer is not None:
            timer.cancel()

    def left(self, seat: Seat) -> None:
        """Note that the browser of a seat has hung up; it may come back soon."""
        if seat in self._wanted and self._next is None:
            self.came(seat)
            self._leaving[seat] = asyncio.get_running_loop().call_later(AWAY, self._gone, seat)

    def _gone(self, seat: Seat) -> None:
        self._leaving.pop(seat, None)
        self.withdraw(seat)

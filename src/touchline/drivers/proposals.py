"""Before the match: what players propose to begin with.

Law of this file: from sign-up to the first word of the match somebody listens to every player, so that nobody
can be lost or say anything unheard.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from touchline.core.conduct import Offence
from touchline.core.events import Refused
from touchline.core.messages import Garbled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect
    from touchline.transports.base import Receiver


class Line(Protocol):
    """A way to a player, as far as it is needed here."""

    def listen(self, receiver: Receiver) -> None: ...
    def send(self, frame: bytes) -> None: ...


class Speaker(Protocol):
    """A player that speaks a dialect over a line."""

    @property
    def connection(self) -> Line: ...
    @property
    def dialect(self) -> Dialect: ...


class Proposing:
    """Ask players whose dialect has a word for it what they propose to begin with; all at once.

    "wait until it has received all results, then choose as starting board", but no longer than the limit.
    """

    def __init__(self, guests: Sequence[Speaker | None], done: Callable[..., None]) -> None:
        """A player for each seat; None for one that has no line and nothing to propose."""
        self.guests, self._done = guests, done
        self._refused: dict[Seat, Refused] = {}
        self._asked = {
            seat for seat, guest in enumerate(guests) if guest is not None and guest.dialect.proposes
        }
        self._late: asyncio.TimerHandle | None = None

    def ask(self, seconds: float | None) -> None:
        """Ask for a start of the game; a seat that does not answer within this time is refused."""
        if not self._asked:
            self._finish()
            return
        if seconds is not None:
            self._late = asyncio.get_running_loop().call_later(seconds, self._time_is_up)
        for seat, guest in enumerate(self.guests):
            if guest is not None:
                guest.connection.listen(_Proposer(self, seat, guest))
        for seat in sorted(self._asked):
            guest = self.guests[seat]
            assert guest is not None
            for frame in guest.dialect.propose().frames:
                guest.connection.send(frame)

    def call_off(self) -> None:
        """Nobody is waited for any more, and no match begins."""
        self._asked.clear()
        if self._late is not None:
            self._late.cancel()

    def asked(self, seat: Seat) -> bool:
        """Whether this seat has yet to answer."""
        return seat in self._asked

    def answered(self, seat: Seat) -> None:
        if seat in self._asked:
            self._asked.discard(seat)
            if not self._asked:
                self._finish()

    def refuse(self, seat: Seat, offence: Offence, why: str) -> None:
        """A seat has failed. Its first failure stands, unless it was only talking when it was not asked."""
        before = self._refused.get(seat)
        if before is None or before.offence is Offence.OUT_OF_TURN:
            self._refused[seat] = Refused(seat, offence, why)
        self.answered(seat)

    def _time_is_up(self) -> None:
        for seat in sorted(self._asked):
            self.refuse(seat, Offence.LATE, "proposed no board in time")

    def _finish(self) -> None:
        if self._late is not None:
            self._late.cancel()
        proposals = [None if guest is None else guest.dialect.proposal for guest in self.guests]
        some = any(proposal is not None for proposal in proposals)
        self._done(tuple(proposals) if some else (), tuple(self._refused.values()))


class _Proposer:
    """Listens to one guest while proposals are awaited, from this one or from others."""

    def __init__(self, proposing: Proposing, seat: Seat, guest: Speaker) -> None:
        self._proposing, self._seat, self._guest = proposing, seat, guest

    def frame(self, frame: bytes) -> None:
        if not self._proposing.asked(self._seat):
            self._proposing.refuse(self._seat, Offence.OUT_OF_TURN, "it was not asked")
            return
        for said in self._guest.dialect.hear(frame).said:
            if isinstance(said, Garbled):
                self._proposing.refuse(self._seat, Offence.MALFORMED, said.why)
            else:
                self._proposing.answered(self._seat)

    def lost(self, why: str) -> None:
        self._proposing.refuse(self._seat, Offence.GONE, why)

    def flooded(self, why: str) -> None:
        self._proposing.refuse(self._seat, Offence.FLOOD, why)

    def writable(self) -> None:
        """It reads; good."""


async def proposed(
    speakers: Sequence[Speaker | None], seconds: float | None
) -> tuple[tuple[Any, ...], tuple[Refused, ...]]:
    """Ask for proposals; return them by seat, and the seats whose players failed meanwhile."""
    done: asyncio.Future[tuple[tuple[Any, ...], tuple[Refused, ...]]]
    done = asyncio.get_running_loop().create_future()
    Proposing(speakers, lambda proposals, refused: done.set_result((proposals, refused))).ask(seconds)
    return await done

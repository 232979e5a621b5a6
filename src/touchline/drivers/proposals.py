"""Ask players, before the match, for the starting position that they propose.

Law of this file: from sign-up to the first message of the match every connection has a listener, so that no
disconnect and no message is missed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from touchline.core.conduct import Offence
from touchline.core.events import Refused
from touchline.core.messages import Garbled

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect
    from touchline.transports.base import Receiver


class Line(Protocol):
    """The part of a connection that proposals need."""

    def listen(self, receiver: Receiver) -> None: ...
    def send(self, frame: bytes) -> None: ...


class Speaker(Protocol):
    """A player with a connection and a dialect."""

    @property
    def connection(self) -> Line: ...
    @property
    def dialect(self) -> Dialect: ...


class Proposing:
    """Ask all players whose dialect supports it for a proposal, at the same time.

    The specification says "wait until it has received all results, then choose as starting board"; a timeout
    limits the wait.
    """

    def __init__(self, guests: Sequence[Speaker | None], done: Callable[..., None]) -> None:
        """Take a player for each seat, or None; `done` is called with the proposals and the refusals."""
        self.guests, self._done = guests, done
        self._refused: dict[Seat, Refused] = {}
        self._asked = {
            seat for seat, guest in enumerate(guests) if guest is not None and guest.dialect.proposes
        }
        self._timeout: asyncio.TimerHandle | None = None
        self._untimed: Container[Seat] = ()

    def ask(self, seconds: float | None, untimed: Container[Seat] = ()) -> None:
        """Ask for proposals; a seat that does not answer within `seconds` is refused unless untimed."""
        self._untimed = untimed
        if not self._asked:
            self._finish()
            return
        if seconds is not None:
            self._timeout = asyncio.get_running_loop().call_later(seconds, self._on_timeout)
        for seat, guest in enumerate(self.guests):
            if guest is not None:
                guest.connection.listen(_Proposer(self, seat, guest))
        for seat in sorted(self._asked):
            guest = self.guests[seat]
            assert guest is not None
            for frame in guest.dialect.propose().frames:
                guest.connection.send(frame)

    def call_off(self) -> None:
        """Cancel: stop waiting, and never call `done`."""
        self._asked.clear()
        if self._timeout is not None:
            self._timeout.cancel()

    def asked(self, seat: Seat) -> bool:
        """Return whether a seat has been asked and has not answered."""
        return seat in self._asked

    def answered(self, seat: Seat) -> None:
        """Count the answer of a seat; the last one finishes."""
        if seat in self._asked:
            self._asked.discard(seat)
            if not self._asked:
                self._finish()

    def refuse(self, seat: Seat, offence: Offence, why: str) -> None:
        """Refuse a seat. Its first offence counts, except that any later one replaces OUT_OF_TURN."""
        before = self._refused.get(seat)
        if before is None or before.offence is Offence.OUT_OF_TURN:
            self._refused[seat] = Refused(seat, offence, why)
        self.answered(seat)

    def _on_timeout(self) -> None:
        for seat in sorted(seat for seat in self._asked if seat not in self._untimed):
            self.refuse(seat, Offence.LATE, "proposed no board in time")

    def _finish(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
        proposals = [None if guest is None else guest.dialect.proposal for guest in self.guests]
        some = any(proposal is not None for proposal in proposals)
        self._done(tuple(proposals) if some else (), tuple(self._refused.values()))


class _Proposer:
    """The listener of one player while proposals are awaited, its own or those of others."""

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
        """Do nothing: a question is short, so there is no backpressure to watch."""


async def proposed(
    speakers: Sequence[Speaker | None], seconds: float | None, untimed: Container[Seat] = ()
) -> tuple[tuple[Any, ...], tuple[Refused, ...]]:
    """Ask for proposals; return them by seat, and the seats that are refused."""
    done: asyncio.Future[tuple[tuple[Any, ...], tuple[Refused, ...]]]
    done = asyncio.get_running_loop().create_future()
    Proposing(speakers, lambda proposals, refused: done.set_result((proposals, refused))).ask(
        seconds, untimed
    )
    return await done

"""The findings of `check_leaks`, and how two channels are compared byte by byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.rules import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

BEFORE, AFTER = 16, 24
"""Bytes of each world that a finding shows before the first difference, and from there on."""
MOST_LEAKS = 100
"""Findings that a report keeps; one leak is seen in many turns."""


class Leak(Struct, frozen=True):
    """A seat, or the spectators if it is None, could tell two worlds apart that must look the same."""

    seat: Seat | None
    channel: str
    where: str
    """The match or turn, and the first difference."""

    def __str__(self) -> str:
        who = "spectators" if self.seat is None else f"seat {self.seat}"
        return f"{who} heard something else in {self.channel}: {self.where}"


class LeakReport(Struct, kw_only=True):
    """What was compared, what leaked, and what was not checked."""

    game: str
    hidden: bool
    seats: int
    dialects: tuple[str, ...] = ()
    redrawn: tuple[str, ...] = ()
    """The parts of a position that differed between the worlds."""
    compared: dict[str, int] = {}
    """The number of comparisons for each channel."""
    leaks: list[Leak] = []
    not_checked: list[str] = []

    def compare(
        self,
        seat: Seat | None,
        channel: str,
        where: str,
        one: Sequence[bytes],
        other: Sequence[bytes],
        *,
        whole: bool = True,
    ) -> None:
        """Compare what a seat received in two worlds, and note the first difference.

        If the two are not `whole`, because the worlds part, one may end before the other.
        """
        self.compared[channel] = self.compared.get(channel, 0) + min(len(one), len(other))
        for number, (mine, theirs) in enumerate(zip(one, other, strict=False), 1):
            if mine != theirs:
                part = f"frame {number} " if len(one) > 1 else ""
                self._note(Leak(seat, channel, f"{where}, {part}{difference(mine, theirs)}"))
                return
        if whole and len(one) != len(other):
            self._note(
                Leak(seat, channel, f"{where}, {len(one)} frames in one world, {len(other)} in another")
            )

    def _note(self, leak: Leak) -> None:
        seen = {(known.seat, known.channel) for known in self.leaks}
        if (leak.seat, leak.channel) not in seen and len(self.leaks) < MOST_LEAKS:
            self.leaks.append(leak)


def difference(one: bytes, other: bytes) -> str:
    """Return where two byte strings differ first, with a few bytes of each.

    >>> difference(b"so the goal of seat 1 is 3,5", b"so the goal of seat 1 is 1,1")
    "differs at byte 25: '…al of seat 1 is 3,5' / '…al of seat 1 is 1,1'"
    """
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    at = min(len(one), len(other)) if at is None else at
    return f"differs at byte {at}: {_excerpt(one, at)} / {_excerpt(other, at)}"


def _excerpt(data: bytes, at: int) -> str:
    if at >= len(data):
        return "(nothing more)"
    before, after = "…" if at > BEFORE else "", "…" if len(data) > at + AFTER else ""
    text = data[max(0, at - BEFORE) : at + AFTER].decode(errors="replace")
    return repr(before + text + after)

"""Connections that have proved nothing yet, by address: when there are too many, the oldest makes room.

Who comes last is never turned away for those who say nothing: a player that returns to its seat looks like
everybody else until its first frame has been read.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

ROOM = 32
"""The most items that go at once: all of them are replaced before a reserve of a 32nd of them is used up."""


class Waiting(Generic[T]):
    """Items in the order of their arrival, at most `per_address` of an address and `most` in all.

    >>> waiting = Waiting[str](per_address=2, most=3)
    >>> [waiting.add(item, "10.0.0.1") for item in ("a", "b", "c")]
    [None, None, 'a']
    >>> waiting.add("d", "10.0.0.2"), waiting.add("e", "10.0.0.3")
    (None, 'b')
    """

    def __init__(self, per_address: int, most: int) -> None:
        self._per_address, self._most = per_address, most
        self._address: dict[T, str] = {}
        self._at: dict[str, dict[T, None]] = {}

    def __len__(self) -> int:
        return len(self._address)

    def add(self, item: T, address: str) -> T | None:
        """Add an item; return the one that must make room for it and is removed, or None."""
        self._address[item] = address
        neighbours = self._at.setdefault(address, {})
        neighbours[item] = None
        if len(neighbours) > self._per_address:
            oldest = next(iter(neighbours))
        elif len(self._address) > self._most:
            oldest = next(iter(self._address))
        else:
            return None
        self.discard(oldest)
        return oldest

    def discard(self, item: T) -> bool:
        """Remove an item; return whether it was there."""
        address = self._address.pop(item, None)
        if address is None:
            return False
        neighbours = self._at[address]
        del neighbours[item]
        if not neighbours:
            del self._at[address]
        return True

    def make_room(self) -> list[T]:
        """Remove and return the oldest items, `ROOM` of them and at most half, when resources are scarce.

        One at a time would not do: each place that gets free is taken at once, and so is one of the reserve.
        """
        items = [*islice(self._address, min(ROOM, (len(self) + 1) // 2))]
        for item in items:
            self.discard(item)
        return items

    def oldest(self) -> T | None:
        """Return the item that has waited longest."""
        return next(iter(self._address), None)

"""The lobby: a queue of players who wait for a table.

Law of this file: no I/O and no clock. The server reports sign-ups, departures and the end of the sign-up
window; the lobby returns complete tables. Players sit in the order of their sign-ups.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Lobby(Generic[T]):
    """Players who wait for a table of `at_table` seats.

    When the window closes, `least` players are enough. With `last_first`, the last to sign up moves first.
    """

    def __init__(self, at_table: int, least: int | None = None, *, last_first: bool = False) -> None:
        self._at_table, self._least = at_table, at_table if least is None else least
        self._last_first = last_first
        self._waiting: deque[T] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def sign_up(self, guest: T) -> list[T] | None:
        """Add a player; return the table that this completes, in turn order, or None.

        >>> lobby = Lobby[str](2)
        >>> lobby.sign_up("ann"), lobby.sign_up("bob"), len(lobby)
        (None, ['ann', 'bob'], 0)
        """
        self._waiting.append(guest)
        return self._seat(self._at_table) if len(self._waiting) >= self._at_table else None

    def leave(self, guest: T) -> None:
        """Remove a player; do nothing if it does not wait."""
        if guest in self._waiting:
            self._waiting.remove(guest)

    def close_window(self) -> list[T] | None:
        """Return a table of all waiting players, or None if they are too few."""
        return self._seat(len(self._waiting)) if len(self._waiting) >= self._least else None

    def has(self, matches: Callable[[T], bool]) -> bool:
        """Return whether `matches` is true for a waiting player."""
        return any(map(matches, self._waiting))

    def dismiss(self) -> list[T]:
        """Remove and return all waiting players."""
        gone = [*self._waiting]
        self._waiting.clear()
        return gone

    def _seat(self, count: int) -> list[T]:
        table = [self._waiting.popleft() for _ in range(count)]
        return table[::-1] if self._last_first else table

"""The lobby: who has signed up, and who sits down with whom.

Law of this file: no wire and no clock. It is told who comes, who goes and when the window closes, and says
which tables are complete; the order in which complete sign-ups came in is the order in which they sit.
"""

from __future__ import annotations

import unicodedata
from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

RESERVED = frozenset({"referee", "winner", "nobody", "touchline"})
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and signs, so Unicode says, that show nothing."""
ALIKE = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u058501",
    "abekmhopctyxijsdhqwabeikvoptyxiool",
)
"""Letters of Cyrillic, Greek and others, and digits, that are taken for these letters."""


def look(name: str) -> str:
    """What a name looks like: two names that look the same would be mistaken for each other.

    >>> look("ＡＢＣ"), look("abc")
    ('abc', 'abc')
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().translate(ALIKE).split())


def unfit(name: str) -> str | None:
    """Why nobody may be called this, or None. A dialect that has a rule of its own goes by that.

    >>> unfit("Ann"), unfit("re" + chr(0x202E) + "x")
    (None, 'a name has no invisible characters')
    """
    if not 1 <= len(name) <= 32:
        return "a name has 1 to 32 characters"
    if name != name.strip() or unicodedata.normalize("NFC", name) != name:
        return "a name has no blanks around it, and is in its normal form"
    if any(map(_hidden, name)):
        return "a name has no invisible characters"
    if look(name) in RESERVED:
        return f"nobody may be called {name}"
    return None


def _hidden(char: str) -> bool:
    """Whether it is not seen, or changes how its neighbours are."""
    return unicodedata.category(char)[0] in "CM" or not char.isprintable() or char in BLANKS


class Lobby(Generic[T]):
    """Those who wait for a table."""

    def __init__(self, at_table: int, least: int | None = None, *, last_first: bool = False) -> None:
        """So many sit at a table, or, when the window closes, at least so many; the last may move first."""
        self._at_table, self._least = at_table, at_table if least is None else least
        self._last_first = last_first
        self._waiting: deque[T] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def sign_up(self, guest: T) -> list[T] | None:
        """Somebody comes; the table that is thereby complete, in the order of turns.

        >>> lobby = Lobby[str](2)
        >>> lobby.sign_up("ann"), lobby.sign_up("bob"), len(lobby)
        (None, ['ann', 'bob'], 0)
        """
        self._waiting.append(guest)
        return self._seat(self._at_table) if len(self._waiting) >= self._at_table else None

    def leave(self, guest: T) -> None:
        """Somebody goes before there was a table."""
        if guest in self._waiting:
            self._waiting.remove(guest)

    def close_window(self) -> list[T] | None:
        """Those who are there sit down, if they are enough."""
        return self._seat(len(self._waiting)) if len(self._waiting) >= self._least else None

    def known(self, alike: Callable[[T], bool]) -> bool:
        """Whether somebody like that waits."""
        return any(map(alike, self._waiting))

    def dismiss(self) -> list[T]:
        """Everybody leaves."""
        gone = [*self._waiting]
        self._waiting.clear()
        return gone

    def _seat(self, count: int) -> list[T]:
        table = [self._waiting.popleft() for _ in range(count)]
        return table[::-1] if self._last_first else table

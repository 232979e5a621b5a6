"""The rule for player names: visible characters only, and no two names that look alike.

A dialect whose protocol has a rule of its own uses that one instead.
"""

from __future__ import annotations

import unicodedata

LONGEST = 32
"""Characters in a name."""
RESERVED = frozenset({"referee", "winner", "nobody", "touchline"})
"""Names that have a meaning of their own in messages and results."""
BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Characters that Unicode counts as letters or symbols, but that have no visible glyph."""
CONFUSABLE = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b\u051d"
    "\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u058501",
    "abekmhopctyxijsdhqwabeikvoptyxiool",
)
"""Letters of Cyrillic, Greek and others, and digits, that look like these Latin letters."""


def skeleton(name: str) -> str:
    """Return the skeleton of a name: two names with the same skeleton look alike.

    >>> skeleton("ＡＢＣ"), skeleton("abc")
    ('abc', 'abc')
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().translate(CONFUSABLE).split())


def problem_with(name: str) -> str | None:
    """Return why no player may have this name, or None.

    >>> problem_with("Ann"), problem_with("re" + chr(0x202E) + "x")
    (None, 'a name has no invisible characters')
    """
    if not 1 <= len(name) <= LONGEST:
        return f"a name has 1 to {LONGEST} characters"
    if name != name.strip() or unicodedata.normalize("NFC", name) != name:
        return "a name has no blanks around it, and is in its normal form"
    if any(map(_invisible, name)):
        return "a name has no invisible characters"
    if skeleton(name) in RESERVED:
        return f"nobody may be called {name}"
    return None


def _invisible(char: str) -> bool:
    """Return whether a character has no glyph of its own, or changes its neighbours."""
    return unicodedata.category(char)[0] in "CM" or not char.isprintable() or char in BLANKS

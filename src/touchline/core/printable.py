"""Text that others wrote, made harmless for a terminal.

A name, a reason or the stderr output of a bot may hold escape sequences that clear the screen, set the
window's title or write to the clipboard, and characters that reorder the text around them.
"""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return text with every unprintable character replaced by its escape; newlines and tabs stay.

    Unprintable are control characters (C0 and C1), bidirectional overrides and other invisible formatting,
    lone surrogates, and spaces other than the ordinary one. Letters of every script stay.

    >>> printable("Zoë" + chr(27) + "[2J"), printable("a\tb\r\n")
    ('Zoë\\x1b[2J', 'a\tb\n')
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return "".join(char if char.isprintable() or char in "\n\t" else _escape(char) for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode()


def printable_json(text: str) -> str:
    r"""Return JSON text with every unprintable character of its strings as a \u escape; the value stays.

    >>> printable_json('"' + chr(0x9B) + '2J"')
    '"\\u009b2J"'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _json_escape(char) for char in text)


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))

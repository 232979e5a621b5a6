"""Text that others wrote, made harmless for a terminal.

A name, a reason or the stderr output of a bot may hold escape sequences that clear the screen, set the
window's title or write to the clipboard, and characters that reorder the text around them.

Unprintable, here, are control characters (C0 and C1), bidirectional overrides and other invisible formatting,
lone surrogates, and all spaces but the ordinary one. Letters of every script are printable.
"""

from __future__ import annotations

MOST_QUOTED = 80
"""Characters of a message that are quoted."""


def printable(line: str) -> str:
    r"""Return one line of text with every unprintable character, newlines too, replaced by its escape.

    >>> printable("Zoë" + chr(27) + "[2J\n")
    'Zoë\\x1b[2J\\n'
    """
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else _escape(char) for char in line)


def quoted(frame: bytes) -> str:
    r"""Return a frame in backticks, cut, and with every unprintable character escaped.

    >>> quoted(b"debug 3"), quoted(b"no" + bytes([27, 255]))
    ('`debug 3`', '`no\\x1b\\xff`')
    """
    text = printable(frame[: 4 * MOST_QUOTED].decode(errors="backslashreplace"))
    return f"`{text}`" if len(text) <= MOST_QUOTED else f"`{text[: MOST_QUOTED - 1]}…`"


def printable_text(text: str) -> str:
    r"""Return text of several lines with every unprintable character but newlines and tabs replaced.

    >>> printable_text("a\tb" + chr(0x9B) + "\r\n")
    'a\tb\\x9b\n'
    """
    text = text.replace("\r\n", "\n")
    return "".join(char if char.isprintable() or char in "\n\t" else _escape(char) for char in text)


def printable_json(text: str) -> str:
    r"""Return JSON text with every unprintable character of its strings as a \u escape; the value stays.

    >>> printable_json('"' + chr(0x9B) + '2J"')
    '"\\u009b2J"'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _json_escape(char) for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode()


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))

"""Print to terminals and files that cannot hold every character: look-alikes instead of an error."""

from __future__ import annotations

import codecs
import io
import sys

LOOKALIKES = {
    **dict.fromkeys("─━", "-"), **dict.fromkeys("│┃", "|"), **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    "▲": "^", "▼": "v", "◀": "<", "▶": ">", "·": ".", "×": "x", "½": ".", "±": "~", "…": ".",
    "–": "-", "—": "-", "→": ">", "←": "<", "↑": "^", "↓": "v", "●": "o", "○": "o", "■": "#", "□": "#",
    "‘": "'", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
"""One ASCII character for each that our drawings and sentences use, so that columns stay aligned."""
HANDLER = "touchline-lookalikes"


def lookalikes(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks: by a look-alike if there is one, else by `?`.

    >>> "┌─▶ é".encode("ascii", HANDLER)
    b'+-> ?'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    rest = error.object[error.start : error.end]
    return "".join(LOOKALIKES.get(char, "?") for char in rest), error.end


codecs.register_error(HANDLER, lookalikes)


def print_anything() -> None:
    """Let stdout and stderr replace characters that their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower().replace("-", "") != "utf8":
            stream.reconfigure(errors=HANDLER)

"""Write Markdown: tables, code, and text that must stay text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SPECIAL = re.compile(r"([\\*_\[\]<>{}|#~$])")
_CODE = re.compile(r"(`+[^`]*`+)")


def code(text: str) -> str:
    """Return text as a code span of a table cell.

    >>> code("a|b")
    '`a\\\\|b`'
    """
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}".replace("|", "\\|")


def plain(text: str) -> str:
    """Return text with Markdown's characters escaped; code in backticks stays code.

    >>> plain("a_b and `c_d`")
    'a\\\\_b and `c_d`'
    """
    parts = _CODE.split(text)
    return "".join(
        part.replace("|", "\\|") if at % 2 else _SPECIAL.sub(r"\\\1", part) for at, part in enumerate(parts)
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; its cells are Markdown of one line."""
    lines = [" | ".join(heads), " | ".join("---" for _ in heads)]
    lines += [" | ".join(" ".join(cell.split()) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def block(text: str, language: str = "text") -> str:
    """Return a fenced block."""
    fence = "````" if "```" in text else "```"
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}\n"

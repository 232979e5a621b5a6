"""Tables of contents that list known pages in their order, and then all others by a pattern.

Sphinx warns of a pattern that matches nothing, so one is dropped where every page is listed already.
"""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from sphinx.application import Sphinx

_TOCTREE = re.compile(r"^```\{toctree\}\n.*?^```$", re.MULTILINE | re.DOTALL)


def drop_idle_patterns(app: Sphinx, docname: str, content: list[str]) -> None:
    """Drop the patterns of a page's tables of contents that match nothing more."""
    pages, folder = app.project.docnames, posixpath.dirname(docname)
    content[0] = _TOCTREE.sub(lambda found: without_idle(found[0], folder, pages), content[0])


def without_idle(block: str, folder: str, pages: Collection[str]) -> str:
    """Return a table of contents without patterns that match no further page.

    >>> print(without_idle("a/one\\na/*\\nb/*", "", ["a/one", "b/two"]))
    a/one
    b/*
    """
    lines = block.splitlines()
    listed = {posixpath.normpath(posixpath.join(folder, line)) for line in lines}

    def is_idle(line: str) -> bool:
        pattern = posixpath.normpath(posixpath.join(folder, line))
        return "*" in line and not any(fnmatch(page, pattern) and page not in listed for page in pages)

    return "\n".join(line for line in lines if not is_idle(line))

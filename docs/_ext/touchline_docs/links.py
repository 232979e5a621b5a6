"""Links between files of the repository, as links between pages of the site.

Pages link to each other as on a code host, by the path of the file. On the site a link to a file that is a
page leads to that page, and a link to another file of the repository becomes plain text.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from touchline_docs.outside_pages import PAGES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

GENERATED = "docs/reference/generated"
_LINK = re.compile(r"(?<!!)\[([^\]\n]*(?:\n[^\]\n]+)?)\]\(([^)\s]+)\)")
_CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1`*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_SITE = {f"{GENERATED}/{name}.md": path for path, name in PAGES.items()}


def rewrite(app: Sphinx, docname: str, content: list[str]) -> None:
    """Rewrite the links of a page that Sphinx has just read."""
    content[0] = rewritten(f"docs/{docname}.md", content[0])


def rewritten(path: str, text: str) -> str:
    """Return the text of a page of the site, with its links as the site has them.

    >>> rewritten("docs/players.md", "see [bots](../src/touchline/bots/README.md), [web](api.md#tables)")
    'see [bots](reference/generated/plug-ins/bots.md), [web](api.md#tables)'
    >>> rewritten("docs/referee.md", "see [the schema](../scripts/_schema.py)")
    'see the schema'
    """
    origin = _SITE.get(path, path)

    def link(found: re.Match[str]) -> str:
        target = _target(path, origin, found[2])
        return f"[{found[1]}]({target})" if target is not None else found[1]

    parts, end = [], 0
    for code in _CODE.finditer(text):
        parts += [_LINK.sub(link, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _LINK.sub(link, text[end:])])


def _target(page: str, origin: str, link: str) -> str | None:
    """Return where a link leads on the site; None if it leads to no page."""
    if "://" in link or link.startswith(("#", "mailto:")):
        return link
    path, hash_, anchor = link.partition("#")
    whole = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path))
    if whole in PAGES:
        whole = f"{GENERATED}/{PAGES[whole]}.md"
    elif whole == "README.md":
        whole = "docs/index.md"
    elif not whole.startswith("docs/"):
        return None
    return posixpath.relpath(whole, posixpath.dirname(page)) + hash_ + anchor

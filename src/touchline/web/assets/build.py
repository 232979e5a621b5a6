"""Build what visitors get from the files that developers write: few files, named by a hash of their content.

Developers write plain modules and styles that `index.html` names. A build has one script for the first view,
one for each part that is loaded later, and alike for styles, and the page that names them.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cached_property
from importlib import import_module, util
from typing import TYPE_CHECKING

from touchline.web.assets.bundle import bundled
from touchline.web.assets.minify import small_drawing, small_script, small_style

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

INDEX = "index.html"
PREFIX = "/static/"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}
_SMALL = {".js": small_script, ".css": small_style, ".svg": small_drawing}
_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([\w.-]+)">\n?')
_PRELOAD = re.compile(r'<link rel="modulepreload" href="/static/([\w.-]+)">\n?')
_MODULE = re.compile(r'(<script type="module" src=")/static/([\w.-]+)(")')
_OTHER = re.compile(r'((?:href|src)=")/static/([\w.-]+)(")')


class Asset:
    """A file as it is served: its bytes, compressed once, and a hash of them."""

    def __init__(self, data: bytes, kind: str) -> None:
        self.data, self.kind = data, kind

    @cached_property
    def tag(self) -> str:
        """A hash of the content."""
        return hashlib.sha256(self.data).hexdigest()[:12]

    @cached_property
    def encodings(self) -> Mapping[str, bytes]:
        """The compressed forms that are smaller than the file, the best first."""
        if self.kind == KINDS[".png"]:
            return {}
        forms = {"gzip": gzip.compress(self.data, 9, mtime=0)}
        if util.find_spec("brotli") is not None:
            forms = {"br": import_module("brotli").compress(self.data), **forms}
        return {name: data for name, data in forms.items() if len(data) < len(self.data)}


class Build:
    """The page and its files."""

    def __init__(self, page: str, files: Mapping[str, Asset], parts: Mapping[str, tuple[str, ...]]) -> None:
        self.page = page
        """The text of the page, which names the files."""
        self.files = files
        """The files by name, as in `app.0123456789ab.js`."""
        self.parts = parts
        """The addresses of the scripts of each lazy part, as in `table.js`."""


def build(folder: Path) -> Build:
    """Build the page from the files of a folder. NotBundled, if a module has a form that we do not read."""
    page, files = (folder / INDEX).read_text(), dict[str, Asset]()

    def read(name: str) -> str:
        return (folder / name).read_text()

    def named(name: str, text: str | bytes) -> str:
        stem, _, ending = name.rpartition(".")
        asset = Asset(text if isinstance(text, bytes) else text.encode(), KINDS[f".{ending}"])
        hashed = f"{stem}.{asset.tag}.{ending}"
        files[hashed] = asset
        return PREFIX + hashed

    page, parts = _with_scripts(page, read, named)
    page = _with_style(page, read, named)
    page = _OTHER.sub(lambda found: found[1] + _one(folder, found[2], files, named) + found[3], page)
    return Build(page, files, parts)


def _with_scripts(
    page: str, read: Callable[[str], str], named: Callable[[str, str], str]
) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Replace the module of a page by a bundle, with what it preloads. Styles of lazy parts go with them."""
    start = _MODULE.search(page)
    if start is None:
        return page, {}
    styles = {_module_of(name): small_style(read(name)) for name in _STYLE.findall(page)}
    scripts = bundled(read, start[2], _PRELOAD.findall(page), named, styles)
    address = named(start[2], scripts.first)
    page = _STYLE.sub(
        lambda found: "" if _module_of(found[1]) in scripts.late else found[0], _PRELOAD.sub("", page)
    )
    return _MODULE.sub(rf"\g<1>{address}\3", page), scripts.lazy


def _module_of(style: str) -> str:
    """Return the module that a style belongs to: `board.js` of `board.css`."""
    return style.removesuffix(".css") + ".js"


def _with_style(page: str, read: Callable[[str], str], named: Callable[[str, str], str]) -> str:
    """Replace the style sheets of a page by one, where the first of them is."""
    names = _STYLE.findall(page)
    if not names:
        return page
    address = named("style.css", "".join(small_style(read(name)) for name in names))
    page = _STYLE.sub(f'<link rel="stylesheet" href="{address}">\n', page, count=1)
    return _STYLE.sub(lambda found: found[0] if found[1] in address else "", page)


def _one(folder: Path, name: str, files: Mapping[str, Asset], named: Callable[[str, bytes], str]) -> str:
    """Return the address of a file that stands for itself."""
    if name in files:
        return PREFIX + name
    return named(name, small(name, (folder / name).read_bytes()))


def small(name: str, data: bytes) -> bytes:
    """Return a file without comments and indentation, if it is of a kind that has them."""
    shrink = _SMALL.get(name[name.rfind(".") :])
    if shrink is None:
        return data
    try:
        return shrink(data.decode()).encode()
    except UnicodeDecodeError:  # a third party's file is served as it is
        return data

"""The files of the page: everything in `static/`, and the art that a game brings with it.

Rules of this file: a request can name a file below `static/` and nothing else on the disk; of a game's
package it reaches the one art file alone, whose path comes from the game's module, not from the request.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from touchline.core import registry
from touchline.core.errors import UnknownName
from touchline.draw.page_art import art_of
from touchline.web.http import Problem

if TYPE_CHECKING:
    from touchline.web.app import Site

FOLDER = Path(__file__).parent / "static"
JAVASCRIPT = "text/javascript; charset=utf-8"
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": JAVASCRIPT,
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}


class StaticFiles:
    """The files below a folder, cached until they change on disk."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder.resolve()
        self._cache: dict[Path, tuple[int, bytes]] = {}

    def serve(self, request: web.Request, name: str) -> web.Response:
        """Answer with a file by its path below the folder, or with 304 if the browser has it."""
        try:
            path = (self._folder / name).resolve()
            inside = path.is_relative_to(self._folder) and path.suffix in KINDS and path.is_file()
        except (OSError, ValueError):  # not a path
            inside = False
        if not inside:
            raise Problem(404, "not_found", "there is no such file")
        return _revalidated(request, self._read(path), KINDS[path.suffix])

    def _read(self, path: Path) -> bytes:
        changed = path.stat().st_mtime_ns
        cached = self._cache.get(path)
        if cached is None or cached[0] != changed:
            self._cache[path] = cached = (changed, path.read_bytes())
        return cached[1]


def _revalidated(request: web.Request, data: bytes, kind: str) -> web.Response:
    """Answer with data that the browser may cache but must revalidate."""
    tag = sha256(data).hexdigest()[:20]
    headers = {"ETag": f'"{tag}"', "Cache-Control": "no-cache", "Content-Type": kind}
    if any(etag.value == tag for etag in request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    return web.Response(body=data, headers=headers)


async def index(site: Site, request: web.Request) -> web.Response:
    """The page. The catalogue of games is looked up while the browser loads it."""
    if site.league is not None and request.path == "/":
        return web.Response(status=302, headers={"Location": "/league"})
    site.look_up_soon()
    return site.files.serve(request, "index.html")


async def static(site: Site, request: web.Request) -> web.Response:
    return site.files.serve(request, request.match_info["name"])


async def art(site: Site, request: web.Request) -> web.Response:
    """The art of an installed game: a JavaScript module that static/art.js describes."""
    try:
        game = registry.find("games", request.match_info["game"])
    except UnknownName:
        raise Problem(404, "not_found", "there is no such game") from None
    return _revalidated(request, art_of(game), JAVASCRIPT)

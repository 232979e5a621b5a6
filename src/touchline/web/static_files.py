"""The files of the page: what is in `static/`, and nothing beside it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from touchline.web.http import Problem

if TYPE_CHECKING:
    from touchline.web.app import Site

FOLDER = Path(__file__).parent / "static"
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


class Files:
    """Files as they are served; one that has changed on disk is read again."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder.resolve()
        self._kept: dict[Path, tuple[int, bytes, str]] = {}

    def serve(self, request: web.Request, name: str) -> web.Response:
        """A file by its path below the folder, or that the browser has it already."""
        try:
            path = (self._folder / name).resolve()
            inside = path.is_relative_to(self._folder) and path.suffix in KINDS and path.is_file()
        except (OSError, ValueError):  # no path at all
            inside = False
        if not inside:
            raise Problem(404, "not_found", "there is no such file")
        data, tag = self._read(path)
        headers = {"ETag": f'"{tag}"', "Cache-Control": "no-cache", "Content-Type": KINDS[path.suffix]}
        if any(etag.value == tag for etag in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        return web.Response(body=data, headers=headers)

    def _read(self, path: Path) -> tuple[bytes, str]:
        changed = path.stat().st_mtime_ns
        kept = self._kept.get(path)
        if kept is None or kept[0] != changed:
            data = path.read_bytes()
            self._kept[path] = kept = (changed, data, sha256(data).hexdigest()[:20])
        return kept[1], kept[2]


async def index(site: Site, request: web.Request) -> web.Response:
    """The page; what can be played here is looked up while the browser reads it."""
    site.look_up_soon()
    return site.files.serve(request, "index.html")


async def static(site: Site, request: web.Request) -> web.Response:
    return site.files.serve(request, request.match_info["name"])

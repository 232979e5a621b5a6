"""The files of the page: everything in `static/`, and what a game brings with it.

Rules of this file: a request can name a file below `static/` and nothing else on the disk; of a game's
package it reaches the sheet and the behaviour alone, whose paths come from the game's module, not from the
request. Only files are compressed, never an answer that has both a secret and somebody's text in it (BREACH).
A file whose address has a hash of its content may be cached for ever; any other is revalidated.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from aiohttp import web

from touchline.core import registry
from touchline.core.errors import TouchlineError
from touchline.draw.game_files import file_beside
from touchline.draw.page_art import NO_ART, NO_SHEET
from touchline.web.assets.build import INDEX, KINDS, Asset, Build, build, small
from touchline.web.assets.bundle import NotBundled
from touchline.web.http import Problem

if TYPE_CHECKING:
    from touchline.web.app import Site

log = logging.getLogger(__name__)
ElementTree.register_namespace("", "http://www.w3.org/2000/svg")  # written without a prefix

FOLDER = Path(__file__).parent / "static"
COMMON = "common"
"""The name of the sheet that all games share."""
FOR_EVER = "public, max-age=31536000, immutable"
REVALIDATED = "no-cache"
OLD = 64
"""Files of earlier builds that are kept for pages that are still open."""


class StaticFiles:
    """The files below a folder, cached until they change on disk."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder.resolve()
        self._cache: dict[Path, tuple[int, Asset]] = {}
        self._hashed: dict[str, Asset] = {}
        self._build: Build | None = None

    def build(self) -> Build:
        """Return the page as visitors get it; it is built again when a file has changed."""
        found = _built(self._folder, _signature(self._folder))
        if found is not self._build:
            self._build = found
            self._hashed |= found.files
            for name in [*self._hashed][: max(0, len(self._hashed) - len(found.files) - OLD)]:
                del self._hashed[name]
        return found

    def serve(self, request: web.Request, name: str) -> web.Response:
        """Answer with a file by its path below the folder, or with 304 if the browser has it."""
        if (hashed := self._hashed.get(name)) is not None:
            return respond(request, hashed, FOR_EVER)
        try:
            path = (self._folder / name).resolve()
            inside = path.is_relative_to(self._folder) and path.suffix in KINDS and path.is_file()
        except (OSError, ValueError):  # not a path
            inside = False
        if not inside:
            raise Problem(404, "not_found", "there is no such file")
        return respond(request, self._read(path), REVALIDATED)

    def _read(self, path: Path) -> Asset:
        changed = path.stat().st_mtime_ns
        cached = self._cache.get(path)
        if cached is None or cached[0] != changed:
            self._cache[path] = cached = (changed, Asset(path.read_bytes(), KINDS[path.suffix]))
        return cached[1]


def _signature(folder: Path) -> tuple[tuple[str, int], ...]:
    """Return what changes when a file does: the names and times of all files."""
    return tuple(sorted((path.name, path.stat().st_mtime_ns) for path in folder.iterdir() if path.is_file()))


@lru_cache(maxsize=4)
def _built(folder: Path, signature: tuple[tuple[str, int], ...]) -> Build:
    """Build the page; a page that cannot be bundled is served as it was written."""
    try:
        return build(folder)
    except (NotBundled, OSError) as error:
        log.error("the page is served module by module, because it cannot be bundled: %s", error)
        return Build((folder / INDEX).read_text(), {}, {})


def respond(request: web.Request, asset: Asset, caching: str, status: int = 200) -> web.Response:
    """Answer with a file, compressed if the client takes it so, or with 304 if the client has it."""
    headers = {
        "ETag": f'"{asset.tag}"', "Cache-Control": caching, "Content-Type": asset.kind,
        "Vary": "Accept-Encoding",
    }  # fmt: skip
    if any(etag.value == asset.tag for etag in request.if_none_match or ()):
        return web.Response(status=304, headers=headers)
    for name in accepted(request):
        if (data := asset.encodings.get(name)) is not None:
            return web.Response(status=status, body=data, headers={**headers, "Content-Encoding": name})
    return web.Response(status=status, body=asset.data, headers=headers)


def accepted(request: web.Request) -> list[str]:
    """Return the encodings that we may use for a client, the best first."""
    asked = (word.strip().lower() for word in request.headers.get("Accept-Encoding", "").split(","))
    names = {
        name.strip() for name, _, weight in (word.partition(";") for word in asked) if not _refused(weight)
    }
    return [name for name in ("br", "gzip") if name in names]


def _refused(weight: str) -> bool:
    """Whether a weight is that of an encoding that a client does not take: `q=0`, `q=0.0` ..."""
    value = weight.strip().removeprefix("q=")
    return bool(value) and not value.strip("0.")


async def static(site: Site, request: web.Request) -> web.Response:
    return site.files.serve(request, request.match_info["name"])


# -- what games bring along -------------------------------------------------------------------------


async def art(site: Site, request: web.Request) -> web.Response:
    """The sheet of an installed game, or its behaviour: SVG and JavaScript that games/README.md describes."""
    asset = art_of(request.match_info["game"], f".{request.match_info['kind']}")
    if asset is None:
        raise Problem(404, "not_found", "there is no such game")
    current = request.query.get("v") == asset.tag
    return respond(request, asset, FOR_EVER if current else REVALIDATED)


def art_of(name: str, suffix: str) -> Asset | None:
    """Return a file that a game brings along; None if there is no such game."""
    if name == COMMON:
        data = _common(suffix)
    else:
        try:
            file = file_beside(registry.find("games", name), suffix)
        except TouchlineError:
            return None
        data = (NO_ART if suffix == ".js" else NO_SHEET) if file is None else file.read_bytes()
    return None if data is None else _asset(name + suffix, data)


def _common(suffix: str) -> bytes | None:
    file = resources.files("touchline.draw") / f"{COMMON}{suffix}"
    return file.read_bytes() if file.is_file() else None


@lru_cache(maxsize=256)
def _asset(name: str, data: bytes) -> Asset:
    """Return a file as it is served, compressed once; of a sheet, what a page needs."""
    kind = KINDS[name[name.rfind(".") :]]
    return Asset(small(name, _for_page(data) if kind == KINDS[".svg"] else data), kind)


def _for_page(sheet: bytes) -> bytes:
    """Return a sheet without the symbols of small pictures, which the server draws."""
    try:
        tree = ElementTree.fromstring(sheet)
    except ElementTree.ParseError:  # a third party's file is served as it is
        return sheet
    for parent in [*tree.iter()]:
        for element in [each for each in parent if "-small-" in each.get("id", "")]:
            parent.remove(element)
    return ElementTree.tostring(tree)


def art_addresses() -> dict[str, str]:
    """Return the address of each sheet and behaviour with the hash of its content.

    A game that cannot be imported is left out; its own request says why.
    """
    files = {
        f"/art/{name}{suffix}": art_of(name, suffix)
        for name in (COMMON, *registry.names("games"))
        for suffix in (".svg", ".js")
    }
    return {path: f"{path}?v={asset.tag}" for path, asset in files.items() if asset is not None}

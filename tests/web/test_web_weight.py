"""The weight of the page: bytes before compression, and the requests of a first visit."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from touchline.web.static_files import COMMON, StaticFiles, art_addresses, art_of
from web.sites import run, site

if TYPE_CHECKING:
    from touchline.web.assets.build import Asset

OURS = ("fish", "hexapawn", "labyrinth")
MOST_BYTES = 187_000
"""Before compression: all that somebody loads who comes to the lobby and plays a game to its end."""
MOST_IN_ALL = 230_000
"""Before compression: every part of the page, with the art of all our games."""
MOST_FIRST = 45_000
"""Compressed, what the first view of the lobby loads: 0.9 s at 50 kB/s."""
MOST_REQUESTS = 6
FILE = re.compile(r'(?:href|src)="(/static/[^"]+)"')
PREVIEWED = re.compile(r'<link rel="(?:apple-touch-icon|manifest)"[^>]*>\n')
"""What a browser loads only when somebody puts the page on a screen."""


def size(*assets: Asset | None) -> int:
    return sum(len(asset.data) for asset in assets if asset is not None)


@pytest.mark.parametrize("game", OURS)
def test_a_game_is_light(game: str) -> None:
    """Lobby, table, style and the art of the game, before compression."""
    build = StaticFiles().build()
    names = [*FILE.findall(build.page), *build.parts["table.js"]]
    page = size(*(build.files[name.removeprefix("/static/")] for name in names))
    art = size(*(art_of(name, suffix) for name in (COMMON, game) for suffix in (".js", ".svg")))
    assert len(build.page) + page + art < MOST_BYTES


def test_everything_is_light() -> None:
    """Every part of the page, with the art of all our games, before compression."""
    build = StaticFiles().build()
    art = [art_of(name, suffix) for name in (COMMON, *OURS) for suffix in (".js", ".svg")]
    assert len(build.page) + size(*build.files.values(), *art) < MOST_IN_ALL


def test_a_cold_lobby_takes_two_round_trips() -> None:
    """The page names every file of the first view: few, compressed, cached for ever."""

    async def main() -> None:
        async with site() as visit:
            await visit.get("/api/games")
            async with visit.http.get("/") as response:
                assert response.headers["Content-Encoding"] == "gzip"
                page = await response.text()
            assert 'id="catalogue"' in page, "it need not be asked for"
            files = [*dict.fromkeys(FILE.findall(PREVIEWED.sub("", page)))]
            assert len(files) < MOST_REQUESTS, files
            total = len(gzip.compress(page.encode()))
            for file in files:
                async with visit.http.get(file) as response:
                    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
                    text = await response.text()
                    total += int(response.headers["Content-Length"])
                    if file.endswith(".css"):
                        assert "@import" not in text, "a style that names another is one more round trip"
                        assert "@font-face" not in text
                    if file.endswith(".js"):
                        assert not re.search(r'^import\b|from "', text, re.MULTILINE), "nor may a script"
            assert total < MOST_FIRST

    run(main())


def test_every_sheet_has_an_address_for_ever() -> None:
    """With the hash of its content; without it, or with another, it is revalidated."""

    async def main() -> None:
        async with site() as visit:
            for path, address in art_addresses().items():
                async with visit.http.get(address) as response:
                    assert "immutable" in response.headers["Cache-Control"]
                for other in (path, f"{path}?v=0"):
                    async with visit.http.get(other) as response:
                        assert response.headers["Cache-Control"] == "no-cache"

    run(main())

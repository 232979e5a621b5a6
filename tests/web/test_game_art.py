"""What games bring along: a sheet and behaviour beside the game's module, ours or a third party's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from touchline.web.guard import HEADERS
from web.sites import run, site

if TYPE_CHECKING:
    from pathlib import Path

JAVASCRIPT = "text/javascript; charset=utf-8"
GAME = """
from touchline.games.hexapawn import Hexapawn

class {name}(Hexapawn, frozen=True):
    name = "{lower}"
"""


def install(folder: Path, package: str, *names: str) -> None:
    """Put a distribution with games on the path: `<package>/<name>.py` and its entry points."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").touch()
    for name in names:
        source = GAME.format(name=name.capitalize(), lower=name)
        (folder / package / f"{name}.py").write_text(source)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    points = "".join(f"{name} = {package}.{name}:{name.capitalize()}\n" for name in names)
    (info / "entry_points.txt").write_text(f"[touchline.games]\n{points}")


@pytest.mark.parametrize("game", ["fish", "hexapawn", "labyrinth"])
def test_our_games_have_art(game: str) -> None:
    """Served as JavaScript with the security headers, and revalidated by its tag."""

    async def main() -> None:
        async with site() as visit:
            async with visit.http.get(f"/art/{game}.js") as response:
                text, headers = await response.text(), response.headers
            assert (response.status, headers["Content-Type"]) == (200, JAVASCRIPT)
            assert "export const behaviour" in text
            assert {name: headers[name] for name in HEADERS} == HEADERS
            cached = {"If-None-Match": headers["ETag"]}
            async with visit.http.get(f"/art/{game}.js", headers=cached) as response:
                assert response.status == 304

    run(main())


def test_a_third_party_brings_its_art(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its own package; a game without files gets an empty module, and an empty sheet."""
    install(tmp_path, "their_games", "dawn", "dusk")
    (tmp_path / "their_games" / "dawn.js").write_text("export const behaviour = { picks: 2 };\n")
    monkeypatch.syspath_prepend(tmp_path)

    async def main() -> None:
        async with site() as visit:
            assert await visit.get("/art/dawn.js") == (200, b"export const behaviour={picks:2}")
            assert await visit.get("/art/dusk.js") == (200, b"")
            status, sheet = await visit.get("/art/dusk.svg")
            assert (status, b"<svg" in sheet, b"symbol" in sheet) == (200, True, False)

    run(main())


@pytest.mark.parametrize(
    "path",
    [
        "nim.js",
        "fish.py",
        "base.js",
        "boards.js",
        "README.js",
        "..%2fgames%2ffish.js",
        "fish%00.js",
        "fish",
        "",
    ],
)
def test_nothing_else_is_served(path: str) -> None:
    async def main() -> None:
        async with site() as visit:
            status, told = await visit.get(f"/art/{path}")
            assert (status, told["error"]) == (404, "not_found")

    run(main())


def test_the_guard_stands_before_the_art() -> None:
    async def main() -> None:
        async with site() as visit:
            assert (await visit.get("/art/fish.js", Host="evil.example"))[0] == 421

    run(main())

"""Find what a game brings along for a page, beside its Python module: a sheet of symbols, and behaviour."""

from __future__ import annotations

from importlib import resources

from touchline.draw.game_files import file_beside

NO_ART = b"export {};\n"
"""The behaviour of a game that has none."""
NO_SHEET = b'<svg xmlns="http://www.w3.org/2000/svg"/>\n'
"""The sheet of a game without art: a page then draws the game from the common sheet."""


def art_of(game: type) -> bytes:
    """Return the behaviour of a game, ours or a third party's, as a JavaScript module."""
    file = file_beside(game, ".js")
    return NO_ART if file is None else file.read_bytes()


def drawings_of(game: type | None) -> dict[str, str]:
    """Return the sheets that draw a game: the one that all games share, and its own under its name."""
    common = resources.files("touchline.draw") / "common.svg"
    file = None if game is None else file_beside(game, ".svg")
    own = {} if game is None or file is None else {str(vars(game)["name"]): file.read_text()}
    return {"common": common.read_text(), **own}

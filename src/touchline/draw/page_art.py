"""Find the art of a game for a page: one JavaScript file beside the game's Python module."""

from __future__ import annotations

from touchline.draw.game_files import file_beside

NO_ART = b"export {};\n"
"""The art module of a game without art: a page then draws the game from its sketch."""


def art_of(game: type) -> bytes:
    """Return the art of a game, ours or a third party's, as a JavaScript module."""
    file = file_beside(game, ".js")
    return NO_ART if file is None else file.read_bytes()

"""Draw docs/pictures/match.svg, the picture of the README: a position of docs/matches/fish.jsonl.

The board is drawn by the page's own script in Chromium, and saved with its styles as one SVG file, which is
light or dark as its reader is.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from touchline.core import registry
from touchline.draw.page_art import art_of
from touchline.records.replay import Replay
from touchline.tournament.report.viewer import PAGE

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

from touchline_docs import match_player  # noqa: E402

RECORD = ROOT / "docs" / "matches" / "fish.jsonl"
PICTURE = ROOT / "docs" / "pictures" / "match.svg"
WIDTH = 640
"""Pixels, where the page has room."""


def board(record: Path) -> str:
    """Return the board in the middle of a match, as the page draws it."""
    replay = Replay(record.read_bytes(), record.name)
    html = match_player.player_html(record, replay, "", {}).replace("{static}", "")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder, "page.html")
        page_file.write_text(f'<!doctype html><meta charset="utf-8"><body>{html}')
        page_file.with_name(match_player.SCRIPT).write_text(match_player.script())
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(page_file.as_uri())
        drawn: str = page.locator("svg.board").evaluate(
            "board => new XMLSerializer().serializeToString(board)"
        )
        browser.close()
    return drawn


def styles(game: str) -> str:
    """Return what a board needs of the page's style, for a picture that stands on its own."""
    art = art_of(registry.find("games", game)).decode()
    own = re.search(r"export const style = `(.*?)`", art, re.DOTALL)
    sheet = (match_player.HERE / match_player.STYLE).read_text()
    colours = sheet.partition("{")[2].partition("margin:")[0]
    rules = [f"svg {{ {colours} font-family: system-ui, sans-serif; }}", (PAGE / "board.css").read_text()]
    return "\n".join([*rules, own[1] if own else ""]).replace("max-height: calc(100dvh - 11rem);", "")


def picture(record: Path, game: str) -> str:
    """Return the picture: the board without what only a reader of the page needs."""
    drawn = re.sub(
        r' (?:data-(?!board|fill|last)[\w-]+|aria-[\w-]+|role|tabindex)="[^"]*"', "", board(record)
    )
    style = styles(game).replace("&", "&amp;").replace("<", "&lt;")
    return drawn.replace(">", f' width="{WIDTH}"><style>{style}</style>', 1) + "\n"


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(RECORD, "fish"))
    print(f"wrote {PICTURE.relative_to(ROOT)}")

"""A recorded match in a page of the documentation, opened as a file: it plays, and a name stays a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import touchline
from touchline_docs import match_player

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, ViewportSize

NASTY = "</script><img src=x onerror=alert(1)>"
PHONE: ViewportSize = {"width": 360, "height": 800}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a player of a match, one of whose players has a nasty name."""
    folder = tmp_path_factory.mktemp("page")
    record = folder / "match.jsonl"
    match = touchline.play("hexapawn", ["random", "random"], seed=1, record=record, names=[NASTY, "bob"])
    html = match_player.player_html(record, match.replay(), "", {"caption": "A match"})
    (folder / "match_player.js").write_text(match_player.script())
    (folder / "match_player.css").write_text(match_player.style())
    head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    head += '<link rel="stylesheet" href="match_player.css"><body data-theme="auto">'
    (folder / "page.html").write_text(head + html.replace("{static}", ""))
    return folder / "page.html"


def test_a_match_plays_in_a_page_without_a_server(browser: Browser, page_file: Path) -> None:
    """It shows the middle first; Play begins at the beginning, steps go on from there, and names are text."""
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.goto(page_file.as_uri())
    player = page.locator(".match-player")
    expect(player.locator(".seats bdi").first).to_have_text(NASTY)
    expect(player.locator(".match-frame")).not_to_have_attribute("data-n", "0")
    player.get_by_role("button", name="Play").click()
    expect(player.get_by_role("button", name="Pause")).to_be_visible()
    player.get_by_role("button", name="Pause").click()
    player.get_by_role("button", name="First position").click()
    expect(player.locator(".status")).to_contain_text("begins")
    player.get_by_role("button", name="Forward").press("ArrowRight")
    expect(player.locator(".match-frame")).to_have_attribute("data-n", "1")
    player.get_by_role("button", name="Last position").click()
    expect(player.locator(".status")).to_contain_text("won")
    assert errors == []
    page.close()


def test_a_match_fits_a_phone_and_follows_the_theme(browser: Browser, page_file: Path) -> None:
    """Nothing is cut off, and dark is dark, whether the reader or the page asks for it."""
    context = browser.new_context(viewport=PHONE, color_scheme="dark")
    page = context.new_page()
    page.goto(page_file.as_uri())
    player = page.locator(".match-player")
    expect(player).to_have_attribute("data-ready", "true")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    dark = player.evaluate("element => getComputedStyle(element).color")
    page.evaluate("document.body.dataset.theme = 'light'")
    light = player.evaluate("element => getComputedStyle(element).color")
    assert dark != light
    context.close()

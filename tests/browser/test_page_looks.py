"""How the page looks: on a phone, in the dark, without motion."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

import touchline.games
import touchline.web
from browser.playing import Player, spot
from browser.serving import SMALL, house, me
from browser.windows import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser.serving import Served
    from browser.windows import Open

STATIC = Path(touchline.web.__file__).parent / "static"
ART = Path(touchline.games.__file__).parent
ADDRESS = re.compile(rb"(?<!http)://\w|http://(?!www\.w3\.org/2000/svg)")
"""Of another host; what XML calls its kinds looks like one."""
FINGER = 24
"""Pixels that a target has at least: WCAG 2.2, 2.5.8."""


def test_nothing_comes_from_elsewhere() -> None:
    """No file of the page or of a game names another host."""
    files = [path for path in (*STATIC.rglob("*"), *ART.glob("*.js"), *ART.glob("*.svg")) if path.is_file()]
    assert files
    assert not [path for path in files if ADDRESS.search(path.read_bytes())]


def by_tap(page: Page, key: str) -> None:
    """Tap a spot; of a board that is zoomed, show all first; turn what lies in the tray."""
    whole = page.get_by_role("button", name="Whole board")
    if whole.is_visible():
        whole.tap()
    if spot(page, key).get_attribute("data-group") is None:
        spot(page, key).tap()
    while spot(page, key).is_hidden():
        page.get_by_role("button", name="Turn the spare right").tap()


def fits(page: Page) -> bool:
    """Whether nothing must be scrolled sideways."""
    wide: bool = page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    return wide


@pytest.mark.slow
def test_on_a_phone(visit: Open, served: Served) -> None:
    """Every page fits, boards are large enough for a finger, and a game is played by touch."""
    ann = visit(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = ann.go()
    page.get_by_role("button", name="Play fish").wait_for()
    assert fits(page)
    ann.shoot("phone-lobby")
    for game in SMALL:
        table, tokens = served.table(game, me("ann"), house(), options={})
        ann.go(f"/#table={table}&token={tokens[0]}")
        player = Player(ann, Random(8), by_tap)
        player.play(1)
        player.asked()
        assert fits(page), game
        board = page.locator("svg[data-board]").bounding_box()
        assert board is not None
        assert board["x"] >= 0
        assert board["x"] + board["width"] <= PHONE["width"]
        sizes = page.locator("[data-legal]:not([hidden])").evaluate_all(
            "spots => spots.map(s => s.getBoundingClientRect()).map(box => Math.min(box.width, box.height))"
        )
        ann.shoot(f"phone-{game}")
        assert min(sizes) >= FINGER, game
    table, tokens = served.table("hexapawn", me("ann"), house())
    ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(9), by_tap)
    player.play()
    page.get_by_role("link", name="Replay").tap()
    page.locator('main[data-page="replay"]').wait_for()
    assert fits(page)
    ann.shoot("phone-replay")


def shade(page: Page) -> float:
    """How light the paper is, from 0 to 1."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red, green, blue = (float(part) for part in colour[4:-1].split(",")[:3])
    return (red + green + blue) / 3 / 255


@pytest.mark.slow
def test_light_and_dark(visit: Open) -> None:
    """As the system has it, until somebody chooses; and what was chosen is kept."""
    for scheme in ("light", "dark"):
        ann = visit(color_scheme=scheme)
        page = ann.go()
        page.get_by_role("button", name="Play fish").wait_for()
        was = shade(page)
        assert (was > 0.5) == (scheme == "light")
        ann.shoot(f"lobby-{scheme}")
        page.get_by_role("button", name="Dark" if scheme == "light" else "Light", exact=True).click()
        now = shade(page)
        assert (now > 0.5) != (was > 0.5)
        page.reload()
        assert shade(page) == now


WATCH = """() => {
    window.shifts = 0;
    window.longest = 0;
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, how) {
        window.shifts += frames.filter(({ transform }) => transform).length;
        window.longest = Math.max(window.longest, how.duration);
        return animate.call(this, frames, how);
    };
}"""
FADE = 120
"""Milliseconds."""


def test_who_wants_no_motion_gets_none(visit: Open, served: Served) -> None:
    """Then things cross-fade where they are, and that soon."""
    for wish, moves in (("reduce", False), ("no-preference", True)):
        table, tokens = served.table("hexapawn", me("ann"), house())
        ann = visit(reduced_motion=wish)
        page = ann.go(f"/#table={table}&token={tokens[0]}")
        player = Player(ann, Random(10))
        assert player.asked()
        page.evaluate(WATCH)
        player.move()
        player.asked()
        assert page.evaluate("window.longest") > 0
        assert (page.evaluate("window.shifts") > 0) is moves
        assert moves or page.evaluate("window.longest") <= FADE

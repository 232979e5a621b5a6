"""The report of a cup in a browser, opened as a file: it replays its games, and a phone shows the points."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.test_page_sounds import violations
from browser.windows import PATIENCE, WIDE
from touchline.tournament.cup import parse
from touchline.tournament.ledger import open_ledger
from touchline.tournament.report import build_report, html_page
from tournament.cups import played

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NASTY = "</script><img src=x onerror=alert(1)>"
PHONE = {"width": 390, "height": 844}
CHEAT = """
class Cheat:
    def choose(self, view, turn):
        return view.legal_moves()[0] if turn < 4 else "</script><script>alert(2)</script>"
"""
CUP = f"""
name = "{NASTY}"
game = {{name = "GAME", rows = 4, cols = 4}}
clock = {{no_timeout = true}}
openings = {{moves = 0}}
format = {{name = "knockout", games = 2}}
entrants = [
  {{name = "{NASTY[:32]}", player = "random"}}, {{name = "bob", player = "greedy"}},
  {{name = "cheat", player = "cheat.py"}}, {{name = "dan", player = "random"}},
]
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("report"), "hexapawn")


def written(folder: Path, game: str) -> Path:
    """Play a cup with a cheat and nasty names in it, and write its report."""
    (folder / "cheat.py").write_text(CHEAT)
    played(parse(CUP.replace("GAME", game), "cup"), str(folder / "cup.db"), folder)
    with open_ledger(str(folder / "cup.db"), readonly=True) as ledger:
        (folder / "report.html").write_text(html_page(build_report(ledger), ledger))
    return folder / "report.html"


@contextmanager
def opened(
    browser: Browser, file: Path, size: dict[str, int], place: str = "", **looks: bool
) -> Iterator[Page]:
    """Open a file; anything in the console, an exception or a request fails the test."""
    context = browser.new_context(viewport=size, reduced_motion="reduce", **looks)  # type: ignore[arg-type]
    complaints: list[str] = []
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda request: complaints.append(request.url) if "file:" not in request.url else None)
    try:
        page.goto(file.as_uri() + place)
        yield page
        assert complaints == []
    finally:
        context.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["hexapawn", "fish"])
def test_a_game_opens_at_its_fault(browser: Browser, tmp_path: Path, shots: Path, game: str) -> None:
    """With the board of the page, the reason, and steps in both directions; closed, the row is marked."""
    with opened(browser, written(tmp_path, game), WIDE) as page:
        page.locator("a[data-film]").first.click()
        viewer = page.locator("dialog[data-viewer]")
        expect(viewer.locator(f'svg[data-board="{game}"] [data-pieces]').first).to_be_visible()
        expect(viewer.locator(".status")).to_contain_text("cheat")
        expect(viewer.locator(".status.bad")).to_contain_text("was removed")
        before = int(viewer.get_attribute("data-n") or 0)
        assert before > 0
        page.screenshot(path=shots / f"report-{game}.png")
        page.keyboard.press("ArrowLeft")
        expect(viewer).to_have_attribute("data-n", str(before - 1))
        viewer.get_by_label("First").click()
        expect(viewer).to_have_attribute("data-n", "0")
        viewer.get_by_text("Next fault").click()
        expect(viewer).to_have_attribute("data-n", str(before))
        id = viewer.get_attribute("data-viewer")
        page.keyboard.press("Escape")
        expect(viewer).to_have_count(0)
        expect(page.locator(f'tr[id="{id}"]:target')).to_be_visible()


@pytest.mark.slow
def test_every_game_can_be_replayed_to_its_end(browser: Browser, report: Path) -> None:
    with opened(browser, report, WIDE) as page:
        games = page.locator("details a[data-film]").evaluate_all("all => all.map(a => a.dataset.film)")
        assert len(games) >= 6
    for game in games[:4]:
        with opened(browser, report, WIDE, f"#game={game}") as page:
            viewer = page.locator(f'dialog[data-viewer="{game}"]')
            viewer.get_by_label("Last").click()
            expect(viewer.locator(".status")).to_contain_text(" won")


@pytest.mark.slow
def test_a_phone_shows_names_and_points(browser: Browser, report: Path, shots: Path) -> None:
    """The page is as wide as the screen, and the points need no scrolling."""
    with opened(browser, report, PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        for cell in page.locator(".standings tbody tr td:nth-child(3)").all():
            box = cell.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= PHONE["width"]
        page.screenshot(path=shots / "report-phone.png", full_page=True)
        page.locator("a[data-film]").first.click()
        expect(page.locator("dialog[data-viewer] svg.board")).to_be_visible()
        page.screenshot(path=shots / "report-phone-game.png")


@pytest.mark.slow
@pytest.mark.parametrize("place", ["", "#game=r0000-t0000"])
def test_the_page_is_accessible(browser: Browser, report: Path, axe: str, place: str) -> None:
    with opened(browser, report, WIDE, place, bypass_csp=True) as page:
        assert violations(page, axe) == []

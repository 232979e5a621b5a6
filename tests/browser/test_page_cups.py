"""A tournament on the page: found in the lobby, followed while it is played, its games played back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from browser.serving import serving
from browser.test_page_sounds import violations
from browser.windows import PHONE, window
from touchline.tournament.ledger import open_ledger
from tournament.cups import cup, played
from web.cup_sites import claimed, entered

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import APIResponse, Browser, Route

    from browser.serving import Served

NASTY = "<img src=x onerror=alert(1)>"


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    where = str(tmp_path / "cup.db")
    played(cup(**{"ann": "random", "cy": "greedy", NASTY: "random"}), where, tmp_path)
    return where


@pytest.fixture
def shown(ledger: str) -> Iterator[Served]:
    with serving("--cup", ledger) as server:
        yield server


@pytest.mark.slow
def test_a_cup_is_followed(browser: Browser, shown: Served, ledger: str, shots: Path, axe: str) -> None:
    with window(browser, shown, shots, bypass_csp=True) as ann:
        page = ann.go()
        page.locator("[data-cup]").click()
        main = page.locator('main[data-page="cup"]')
        expect(main).to_have_attribute("data-status", "over")
        rows = main.locator("[data-standings] tbody tr")
        assert rows.count() == 3
        assert rows.locator("[role=img]").count() == 3, "everybody has an error bar"
        assert main.locator("[data-cross] tbody tr").count() == 3
        expect(main.locator("svg.chart")).to_be_visible()
        expect(main.locator("a[data-game] img").first).to_have_js_property("complete", True)
        expect(main.locator("[data-running]")).to_have_count(0)
        assert violations(page, axe) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page, axe) == []
        page.emulate_media(color_scheme="light")
        ann.shoot("cup")
        with open_ledger(ledger) as book:
            claims = claimed(book, 0, 1)
        expect(main.locator("[data-running] li")).to_have_count(2)
        with open_ledger(ledger) as book:
            entered(book, claims[0], "r0000-t0000")
        expect(page.locator(".status")).to_contain_text("13 of 14 games")
        newest = main.locator("a[data-game]").first
        expect(newest).to_have_attribute("data-game", claims[0].id)
        newest.click()
        expect(page.locator('main[data-page="replay"] svg[data-board="hexapawn"]')).to_be_visible()
        ann.shoot("cup-game")


@pytest.mark.slow
def test_the_lobby_looks_again(browser: Browser, shown: Served, ledger: str, shots: Path) -> None:
    """Also if the first look failed; and who is about to follow a link there stays on it."""
    with window(browser, shown, shots) as ann:
        refusals = iter([True])
        ann.page.route(
            "**/api/cups", lambda route: route.abort() if next(refusals, False) else route.fallback()
        )
        page = ann.go()
        link = page.locator("[data-cup]")
        link.focus()
        expect(link.locator("xpath=..")).to_contain_text("12 of 12 games, over")
        with open_ledger(ledger) as book:
            claimed(book, 0)
        expect(link.locator("xpath=..")).to_contain_text("12 of 13 games, being played")
        expect(link).to_be_focused()
        ann.complaints.clear()  # Chromium tells the console what failed


@pytest.mark.slow
def test_what_changes_while_the_page_looks_is_seen(
    browser: Browser, shown: Served, ledger: str, shots: Path
) -> None:
    """The page is told that there is something new while what is old is still on its way."""
    path = f"/api/cups/{shown.get('/api/cups')['cups'][0]['id']}"
    held: list[tuple[Route, APIResponse]] = []

    def hold_once(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer) if held else held.append((route, answer))

    with window(browser, shown, shots) as ann, urlopen(f"{shown.url}{path}/watch", timeout=30) as watch:
        page = ann.go(f"/#cup={path.rpartition('/')[2]}")
        page.locator("[data-standings]").wait_for()
        page.route(f"**{path}", hold_once)
        while not held:
            page.wait_for_timeout(20)
        with open_ledger(ledger) as book:
            claimed(book, 0, 1)
        while len(json.loads(watch.readline().strip() or "{}").get("running", ())) < 2:
            pass
        page.wait_for_timeout(200)  # what we heard just now, the page has heard, too
        route, answer = held[0]
        route.fulfill(response=answer)
        expect(page.locator("[data-running] li")).to_have_count(2)


def test_a_cup_on_a_phone(browser: Browser, shown: Served, shots: Path) -> None:
    with window(browser, shown, shots, viewport=PHONE, color_scheme="dark") as ann:
        page = ann.go(f"/#cup={shown.get('/api/cups')['cups'][0]['id']}")
        expect(page.locator("[data-standings]")).to_contain_text(NASTY)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        ann.shoot("cup-phone")


def test_a_fault_leads_to_the_game(browser: Browser, shots: Path, tmp_path: Path) -> None:
    """One who cheats is found among the faults, and one click shows where."""
    (tmp_path / "cheat.py").write_text("class Cheat:\n    def choose(self, view, turn):\n        return 7\n")
    where = str(tmp_path / "cup.db")
    played(cup(ann="random", bob="cheat.py"), where, tmp_path)
    with serving("--cup", where) as server, window(browser, server, shots) as ann:
        page = ann.go(f"/#cup={server.get('/api/cups')['cups'][0]['id']}")
        fault = page.locator("[data-fault] a").first
        expect(fault).to_contain_text("bob")
        fault.click()
        expect(page.locator('main[data-page="replay"]')).to_be_visible()
        expect(page.locator("[data-log] [aria-current]")).to_have_attribute("data-fault", "")


def test_every_game_of_a_cup_can_be_opened(browser: Browser, shown: Served, shots: Path) -> None:
    """From the list of all games, or by a pairing of the cross table."""
    with window(browser, shown, shots) as ann:
        page = ann.go(f"/#cup={shown.get('/api/cups')['cups'][0]['id']}")
        games = page.locator("[data-cup-game]")
        expect(games).to_have_count(12)
        page.locator("[data-cross] tbody button").first.click()
        expect(games).to_have_count(4)
        expect(page.locator("[data-games]")).to_contain_text("1 to 4 of 4")
        games.last.click()
        expect(page.locator('main[data-page="replay"] svg[data-board="hexapawn"]')).to_be_visible()

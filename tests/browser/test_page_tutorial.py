"""The rules in 20 seconds, and the tutorial of each game on a live board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from browser.playing import by_keyboard, by_mouse, text_of
from browser.serving import SMALL

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from browser.serving import Served
    from browser.windows import Open

STEPS = 5


def made(page: Page, keys: list[Any], point: Callable[[Page, str], None]) -> None:
    """Make a move, spot by spot."""
    for key in map(text_of, keys):
        point(page, key)


def another(step: dict[str, Any]) -> list[Any] | None:
    """A legal move that does not go on, if there is one; not a pass, which would ask."""
    legal = step["position"]["legal"]
    found = [keys for at, keys in enumerate(legal) if at not in step["wanted"] and keys != ["pass"]]
    return found[0] if found else None


@pytest.mark.parametrize("game", SMALL)
@pytest.mark.parametrize("point", [by_mouse, pytest.param(by_keyboard, marks=pytest.mark.slow)])
def test_a_tutorial_is_finished(
    visit: Open, served: Served, game: str, point: Callable[[Page, str], None]
) -> None:
    """A wrong move gets a kind word, the wanted one goes on, and the end is one click from a game."""
    steps = served.get(f"/api/games/{game}/tutorial")["steps"]
    assert len(steps) == STEPS
    ann = visit()
    page = ann.go(f"/#tutorial={game}")
    main = page.locator('main[data-page="tutorial"]')
    for number, step in enumerate(steps, 1):
        expect(main).to_have_attribute("data-step", str(number))
        expect(page.get_by_role("heading", name=step["title"])).to_be_visible()
        wrong = another(step)
        if wrong is not None:
            made(page, wrong, point)
            expect(page.locator(".told")).to_have_text(step["wrong"])
            expect(page.get_by_role("button", name="Next")).to_be_hidden()
        made(page, step["position"]["legal"][step["wanted"][0]], point)
        expect(page.locator(".told")).to_have_text(step["right"])
        expect(main).to_have_attribute("data-solved", "")
        ann.shoot(f"tutorial-{game}-{number}")
        if number < len(steps):
            expect(page.get_by_role("button", name="Next")).to_be_focused()
            page.keyboard.press("Enter")
    page.get_by_role("button", name="Play your first game").click()
    expect(page.locator("main")).to_have_attribute("data-page", "table")
    expect(page.locator("main")).to_have_attribute("data-me", "0")


def test_one_can_go_back_a_step(visit: Open, served: Served) -> None:
    first = served.get("/api/games/hexapawn/tutorial")["steps"][0]
    ann = visit()
    page = ann.go("/#tutorial=hexapawn")
    made(page, first["position"]["legal"][first["wanted"][0]], by_mouse)
    page.get_by_role("button", name="Next").click()
    expect(page.locator("main")).to_have_attribute("data-step", "2")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("main")).to_have_attribute("data-step", "1")
    expect(page.get_by_role("button", name="Next")).to_be_hidden()


@pytest.mark.parametrize("game", SMALL)
def test_the_rules_are_one_click_away(visit: Open, served: Served, game: str) -> None:
    """From the lobby, with a picture and the way to the tutorial."""
    offer = next(one for one in served.get("/api/games")["games"] if one["name"] == game)
    assert 3 <= len(offer["rules"]) <= 5
    ann = visit()
    page = ann.go()
    page.get_by_role("link", name=f"How to play {offer['title']}").click()
    expect(page.locator(".rules-list li")).to_have_text(offer["rules"])
    expect(page.locator(f'svg[data-board="{game}"]')).to_be_visible()
    ann.shoot(f"rules-{game}")
    page.get_by_role("link", name="Learn it in five steps").click()
    expect(page.locator("main")).to_have_attribute("data-page", "tutorial")


def test_a_game_that_is_not_here_is_said(visit: Open) -> None:
    ann = visit()
    page = ann.go("/#tutorial=chess")
    page.get_by_text("There is no game called chess here.").wait_for()
    page.get_by_role("link", name="To the lobby").click()
    expect(page.locator("main")).to_have_attribute("data-page", "lobby")

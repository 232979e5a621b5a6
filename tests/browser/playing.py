"""Somebody who plays at a window, with the mouse or with the keyboard alone.

Law of this file: what is legal is known from what the window was sent, but a spot is only picked where the
page says that it can be: so every move that is made shows that the page offers it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from playwright.sync_api import Locator, Page

    from browser.windows import Window

LEGAL = re.compile("next|other")


def text_of(key: Any) -> str:
    """The name of a spot, as the page has it."""
    return key if isinstance(key, str) else ",".join(map(str, key))


def spot(page: Page, key: str) -> Locator:
    return page.locator(f'[data-spot="{key}"]')


def by_mouse(page: Page, key: str) -> None:
    """Click a spot; what lies in the tray is turned until it is this one."""
    if spot(page, key).get_attribute("data-group") is None:
        spot(page, key).click()
        return
    while spot(page, key).is_hidden():
        page.get_by_role("button", name="Turn the spare right").click()


def by_keyboard(page: Page, key: str) -> None:
    """Walk from one spot that may be picked to the next, until it is this one, and pick it."""
    if spot(page, key).get_attribute("data-group") is not None:
        tab_to_board(page)
        while spot(page, key).is_hidden():
            page.keyboard.press("r")
        return
    focus = "document.activeElement.dataset.spot"
    tab_to_board(page)
    walked: list[str] = []
    while page.evaluate(focus) != key:
        page.keyboard.press("n")
        walked.append(page.evaluate(focus))
        assert len(walked) < 300, f"{key} is not among {sorted(set(walked))}"
    page.keyboard.press("Enter")


def tab_to_board(page: Page) -> None:
    if page.evaluate("document.activeElement.dataset.spot") is None:
        tab_to(page, "[data-spot]")


FOCUS = """selector => {
    const focus = document.activeElement, box = focus.getBoundingClientRect();
    return [focus.matches(selector), box.width > 0 && box.right > 0 && box.bottom > 0];
}"""


def tab_to(page: Page, selector: str) -> None:
    """Press the tab key until the focus is there; each stop on the way is in sight."""
    for _ in range(200):
        page.keyboard.press("Tab")
        there, seen = page.evaluate(FOCUS, selector)
        assert seen
        if there:
            return
    raise AssertionError(f"{selector} cannot be reached with the tab key")


class Player:
    """At a window that shows a table, in a seat."""

    def __init__(self, window: Window, rng: Random, point: Callable[[Page, str], None] = by_mouse) -> None:
        self.window, self.page, self._rng, self._point = window, window.page, rng, point
        self.main = self.page.locator('main[data-page="table"]')
        self.moves = 0

    def asked(self) -> bool:
        """Wait until this seat is asked for a move, or the game is over."""
        self.page.locator('main[data-asked], main[data-status="finished"]').wait_for()
        return self.main.get_attribute("data-asked") is not None

    def move(self, keys: list[Any] | None = None) -> None:
        """Pick a move, spot by spot; the page must offer what is legal, and go on when it is made."""
        turn = self.main.get_attribute("data-turn")
        legal = self.window.now["you"]["legal"]
        assert {text_of(keys[0]) for keys in legal} <= self.window.offered()
        for key in map(text_of, keys or self._chosen(legal)):
            expect(spot(self.page, key)).to_have_attribute("data-legal", LEGAL)
            self._point(self.page, key)
        if keys == ["pass"] and len(legal) > 1:
            self.page.get_by_role("button", name="Yes, pass").click()
        self.page.locator(
            f'main[data-page="table"]:not([data-turn="{turn}"]), main[data-status="finished"]'
        ).wait_for()
        self.moves += 1

    def play(self, most: int = 1000) -> None:
        """Move whenever asked, until the game is over or so many moves have been made."""
        until = self.moves + most
        while self.moves < until and self.asked():
            self.move()

    def _chosen(self, legal: list[Any]) -> list[Any]:
        """A move to where this seat wants to go, if it knows and there is one; else any, but no pass."""
        aims = self.window.aims()
        moves = [keys for keys in legal if keys != ["pass"]] or legal
        best = [keys for keys in moves if keys[-1] in aims]
        chosen: list[Any] = self._rng.choice(best or moves)
        return chosen

"""Sounds and notifications: of our own, and only for those who want them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from browser.playing import Player
from browser.serving import house, me

if TYPE_CHECKING:
    from browser.serving import Served
    from browser.windows import Open

STUBS = """
    window.heard = []; window.told = []; window.requests = 0;
    window.AudioContext = class { resume() { window.heard.push("sound"); return new Promise(() => {}); } };
    window.Notification = class {
        static permission = "default";
        static async requestPermission() { window.requests += 1; return (this.permission = "granted"); }
        constructor(title) { window.told.push(title); }
    };
"""
"""Writes down what would be heard and told."""
ELSEWHERE = "Object.defineProperty(document, 'hidden', { get: () => true })"


def test_sounds_are_off_until_somebody_wants_them(visit: Open, served: Served) -> None:
    """What was chosen is kept."""
    table, tokens = served.table("hexapawn", me("ann"), house())
    ann = visit()
    ann.page.add_init_script(STUBS)
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    switch = page.locator("[data-sound]")
    expect(switch).to_have_attribute("aria-pressed", "false")
    player = Player(ann, Random(1))
    player.play(1)
    assert page.evaluate("window.heard") == []
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert player.asked()
    assert page.evaluate("window.heard") == []
    player.play(1)
    page.wait_for_function("window.heard.length > 0")


def test_a_notification_in_another_tab(visit: Open, served: Served) -> None:
    """The browser is asked by a button only; then it tells the turn, if the page is not seen."""
    table, tokens = served.table("hexapawn", me("ann"), house(), pace=0.3)
    ann = visit()
    ann.page.add_init_script(STUBS)
    page = ann.go(f"/#table={table}&token={tokens[0]}")
    player = Player(ann, Random(2))
    player.play(1)
    assert player.asked()
    assert page.evaluate("[window.requests, window.told.length]") == [0, 0]
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Notify me").click()
    expect(page.get_by_role("button", name="Notify me")).to_be_hidden()
    assert page.evaluate("window.requests") == 1
    page.get_by_text("More", exact=True).click()
    page.evaluate(ELSEWHERE)
    player.play(1)
    assert player.asked()
    assert page.evaluate("window.told") == ["Your turn"]

"""A page whose server has a key: it comes with a link, or is asked for when somebody wants to play."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.serving import serving
from browser.windows import window

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

KEY = "öffne 100%"


@pytest.mark.slow
def test_the_key_of_a_server(browser: Browser, shots: Path) -> None:
    """With the link nothing is asked; without it the key is asked for once, and kept."""
    with serving("--key", KEY) as served:
        with window(browser, served, shots) as ann:
            page = ann.go("/#key=%C3%B6ffne%20100%25")
            expect(page).not_to_have_url(re.compile("key"))
            page.get_by_role("button", name="Play hexapawn").click()
            expect(page.locator("main")).to_have_attribute("data-page", "table")
        with window(browser, served, shots) as bob:
            page = bob.go()
            page.get_by_role("button", name="Play hexapawn").click()
            asked = page.get_by_role("dialog", name="This server has a key")
            asked.get_by_label("Key").fill(KEY)
            bob.shoot("key-dialog")
            asked.get_by_role("button", name="OK").click()
            expect(page.locator("main")).to_have_attribute("data-page", "table")
            bob.go()
            page.get_by_role("button", name="Play hexapawn").click()
            expect(page.locator("main")).to_have_attribute("data-page", "table")
            expect(asked).to_have_count(0)
            assert bob.complaints == [said for said in bob.complaints if "401" in said]
            bob.complaints.clear()

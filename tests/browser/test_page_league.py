"""The page of a league: the live table, replays, an entrant's own versions, and names that are markup."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import pytest

from browser.serving import Served
from browser.test_page_sounds import violations
from browser.windows import PHONE, Window, window
from league.leagues import LEAGUE, bot
from touchline.league.client import LeagueClient

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

NASTY = "<img src=x onerror=1>"
VERSION = f"{NASTY} v1"


@contextmanager
def _serving(folder: Path) -> Iterator[tuple[Served, str]]:
    """A league in a process of its own, and the token of an entrant with a name that is markup."""
    file = folder / "league.toml"
    file.write_text(LEAGUE.format(more="[quotas]\ngames = 8"))
    command = [sys.executable, "-m", "touchline", "league"]
    token = subprocess.run(
        [*command, "token", str(file), NASTY], check=True, capture_output=True, text=True
    ).stdout.strip()
    options = ["--port", "0", "--json", "--on", "here", "--isolation", "none", "--allow-weak-isolation"]
    with subprocess.Popen([*command, "serve", str(file), *options], stdout=subprocess.PIPE, text=True) as run:
        try:
            assert run.stdout is not None
            yield Served(json.loads(run.stdout.readline())["page"].removesuffix("league")), token
        finally:
            os.kill(run.pid, signal.SIGTERM)


def _visit(browser: Browser, served: Served, folder: Path) -> AbstractContextManager[Window]:
    """A visitor with a phone, to whom axe may be shown."""
    return window(browser, served, folder, viewport=PHONE, bypass_csp=True)


@pytest.mark.slow
def test_the_page_of_a_league(browser: Browser, tmp_path: Path, axe: str) -> None:
    """It shows the table live, escaped, on a phone; a game is replayed; a token shows what is one's own."""
    with _serving(tmp_path) as (served, token), _visit(browser, served, tmp_path) as visit:
        page = visit.page
        page.goto(f"{served.url}/")
        page.wait_for_selector("[data-page=league] [data-version=random]")
        noisy = b"import sys\nprint('hello', file=sys.stderr)\n" + bot()
        LeagueClient(served.url, token).submit("bot.py", noisy)
        row = page.wait_for_selector(f"[data-version={json.dumps(VERSION)}]")
        assert row is not None
        assert NASTY in row.inner_text()
        page.wait_for_selector("[data-game]")
        assert page.locator("main img").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.fill("#token", token)
        page.click("text=Show my versions")
        own = page.wait_for_selector("[data-own]")
        assert own is not None
        assert "active" in own.inner_text()
        assert "hello" in (page.locator("[data-own] pre").first.text_content() or "")
        assert violations(page, axe) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page, axe) == []
        # In one step: the list is remade when a game ends, also between pressing and releasing a button.
        page.locator("[data-game]").first.evaluate("link => link.click()")
        page.wait_for_selector("[data-page=replay]")

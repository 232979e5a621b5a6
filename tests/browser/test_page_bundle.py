"""The page as visitors get it: bundled scripts, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from browser.serving import Served
    from browser.windows import Open


def test_a_cold_lobby_asks_for_little(visit: Open, served: Served) -> None:
    """One page, its files, and nothing that another file names; the live list comes over one WebSocket."""
    window = visit()
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    window.go("/")
    window.page.get_by_role("button", name="Play").first.wait_for()
    files = [path for path in asked if path.startswith("/static/")]
    assert asked[0] == "/"
    assert len(files) <= 12, files
    assert "/api/games" not in asked, "the catalogue is in the page"
    assert all(path.split(".")[1].isalnum() and len(path.split(".")[1]) == 12 for path in files), files


def test_a_shared_link_leads_on(visit: Open, served: Served) -> None:
    """`/t/ID` shows the table, and its address becomes that of the page."""
    table, _ = served.table("hexapawn", {"kind": "me", "name": "Ann"}, {"kind": "open"})
    page = visit().go(f"/t/{table}")
    page.locator('main[data-page="table"][data-status="open"]').wait_for()
    assert page.url.endswith(f"/#table={table}")


def test_developers_can_load_module_by_module(visit: Open) -> None:
    """`/static/index.html` is the page as it was written."""
    window = visit()
    window.go("/static/index.html")
    window.page.get_by_role("button", name="Play").first.wait_for()
    assert any(urlsplit(answer.url).path == "/static/dom.js" for answer in window.answers)


def test_a_wrong_path_leads_to_the_lobby(visit: Open, served: Served) -> None:
    """In our looks, with a link that leads on."""
    window = visit()
    page = window.go("/foo")
    window.complaints.clear()  # the browser logs the status 404
    page.get_by_role("link", name="To the lobby").click()
    page.locator('main[data-page="lobby"]').wait_for()

"""A window: one visitor's browser with a page of its own, in which everything is overheard.

Law of this file: a window in which something went wrong that nobody looked for fails its test: a message in
the console, an exception, a request to another host.
"""

from __future__ import annotations

import contextlib
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, WebSocket

    from browser.serving import Served

PATIENCE = 30_000
"""Milliseconds after which whatever a test waits for will not come."""
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 360, "height": 740}


KEPT = """() => Object.entries(localStorage).filter(([name]) => name.startsWith("touchline.table."))
    .map(([name, kept]) => [name.slice(16), JSON.parse(kept)])"""


class Window:
    """A visitor."""

    def __init__(self, served: Served, page: Page, shots: Path) -> None:
        self.served, self.page = served, page
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        """Requests to other hosts."""
        self.frames: list[str] = []
        """Messages of WebSockets, as they were received."""
        self.answers: list[Response] = []
        self.now: dict[str, Any] = {}
        """How things stand at the table that is shown, as it was last told."""
        self._spots: dict[str, dict[str, Any]] = {}
        self._shots = shots
        page.set_default_timeout(PATIENCE)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))
        page.on("request", self._request)
        page.on("response", lambda answer: self.answers.append(answer))
        page.on("websocket", self._socket)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console {message.type}: {message.text} ({message.location})")

    def _request(self, request: Request) -> None:
        place = urlsplit(request.url)
        if place.scheme not in ("data", "blob", "about") and place.netloc != self.served.host:
            self.strangers.append(request.url)

    def _socket(self, socket: WebSocket) -> None:
        if urlsplit(socket.url).netloc != self.served.host:
            self.strangers.append(socket.url)
        socket.on("framereceived", self._frame)

    def _frame(self, payload: str | bytes) -> None:
        self.frames.append(payload if isinstance(payload, str) else payload.decode())
        line = json.loads(payload)
        self.now = line.get("now", self.now)
        if line.get("whole", line["type"] == "snapshot"):
            self._spots.clear()
        self._spots.update({str(spot["key"]): spot for spot in line.get("spots", ())})

    # -- what it shows ------------------------------------------------------------------------

    def go(self, place: str = "/") -> Page:
        """Go to another place of the site, and wait until its page has taken the place of the old one."""
        self.page.evaluate("document.querySelector('main')?.setAttribute('data-left', '')")
        self.page.goto(self.served.url + place)
        self.page.locator("main:not([data-left])").wait_for()
        return self.page

    def go_away(self) -> None:
        """Leave the site, but keep the window open."""
        self.page.goto("about:blank")

    def shoot(self, name: str) -> None:
        """Keep a picture of what is seen now."""
        self.page.screenshot(path=self._shots / f"{name}.png", full_page=True)

    def pieces(self) -> dict[str, str]:
        """Who stands where, as it is drawn."""
        found: dict[str, str] = self.page.locator("[data-pieces]").evaluate_all(
            "spots => Object.fromEntries(spots.map(spot => [spot.dataset.spot, spot.dataset.pieces]))"
        )
        return found

    def offered(self) -> set[str]:
        """The spots with which a move can begin or go on."""
        return {
            *self.page.locator('[data-legal="next"]').evaluate_all("spots => spots.map(s => s.dataset.spot)")
        }

    def lines(self) -> list[dict[str, Any]]:
        """What the WebSockets said, in order."""
        return [json.loads(frame) for frame in self.frames]

    def aims(self) -> list[list[int]]:
        """The tiles that are marked as goals: those of this seat, if nobody has told too much."""
        marks = ((spot["key"], mark) for spot in self._spots.values() for mark in spot.get("marks", ()))
        return [key for key, mark in marks if mark["glyph"] == "*"]

    def received(self) -> Iterator[tuple[str, bytes]]:
        """Every byte that came, and from where; the browser forgets it when a page is loaded anew."""
        for answer in self.answers:
            yield answer.url, answer.body()
        for frame in self.frames:
            yield "websocket", frame.encode()

    def give_up(self) -> None:
        """Resign every seat that this browser keeps: the server allows an address a few tables only."""
        with contextlib.suppress(PlaywrightError, OSError):  # another site is shown, or the server is gone
            for table, kept in self.page.evaluate(KEPT):
                for token in {one["token"] for one in [kept, *kept.get("seats", ())] if "token" in one}:
                    self.served.post(f"/api/tables/{table}/resign", {}, token)

    def close(self) -> None:
        """The visitor leaves, and nothing may have gone wrong."""
        assert not self.complaints, "\n".join(self.complaints)
        assert not self.strangers, f"requests to other hosts: {self.strangers}"


Open: TypeAlias = "Callable[..., Window]"
"""Opens a window, with the looks that its context shall have."""


@contextmanager
def window(browser: Browser, served: Served, shots: Path, **looks: Any) -> Iterator[Window]:
    """A new visitor; looks are those of a browser's context: viewport, colour scheme, motion."""
    context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **looks})
    try:
        here = Window(served, context.new_page(), shots)
        yield here
        here.close()
        here.give_up()
    finally:
        context.close()


expect.set_options(timeout=PATIENCE)

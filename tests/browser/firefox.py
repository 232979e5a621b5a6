"""Debian's Firefox, driven over WebDriver BiDi, the protocol that it speaks without another program.

Playwright drives only a Firefox of its own, which no Debian has. Law of this file: what the page writes
into the console as an error, and every exception, fails the test.
"""

from __future__ import annotations

import asyncio
import base64
import json
import shutil
import subprocess
import threading
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import aiohttp

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from pathlib import Path

PATIENCE = 60.0
"""Seconds after which whatever a test waits for will not come."""
READY = "WebDriver BiDi listening on "


def firefox_path() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


class BiDi:
    """One connection of WebDriver BiDi; its event loop runs in a thread, since Playwright's may run here."""

    def __init__(self, url: str) -> None:
        self.errors: list[str] = []
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._wait(self._connect(url))

    def _wait(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    async def _connect(self, url: str) -> None:
        self._session = aiohttp.ClientSession()
        self._socket = await self._session.ws_connect(url, max_msg_size=1 << 26)
        self._reader = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        async for message in self._socket:
            told = json.loads(message.data)
            if "id" in told:
                self._answers.pop(told["id"]).set_result(told)
            elif told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.errors.append(str(told["params"]["text"]))

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": params})
        return await self._answers[number]

    def ask(self, method: str, **params: Any) -> Any:
        """Send a command, and return its result."""
        told = self._wait(self._ask(method, params))
        assert told["type"] == "success", told
        return told["result"]

    def close(self) -> None:
        async def leave() -> None:
            await self._socket.close()
            await self._session.close()
            await self._reader

        self._wait(leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class FirefoxPage:
    """A page in Firefox: go somewhere, wait for an element, click it with the mouse."""

    def __init__(self, bidi: BiDi, url: str) -> None:
        self._bidi, self.url = bidi, url
        tree = bidi.ask("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]

    def go(self, path: str = "/") -> None:
        self._bidi.ask(
            "browsingContext.navigate", context=self._context, url=self.url + path, wait="complete"
        )

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression, or of the promise that it gives: text, number, truth or null."""
        target = {"context": self._context}
        told = self._bidi.ask("script.evaluate", expression=script, target=target, awaitPromise=True)
        assert told["type"] == "success", told
        return told["result"].get("value")

    def wait_for(self, selector: str) -> None:
        """Wait until an element exists."""
        found = self.evaluate(
            f"""new Promise((resolve) => {{
                const found = () => document.querySelector({json.dumps(selector)});
                const look = () => found() && (watch.disconnect(), resolve(true));
                const watch = new MutationObserver(look);
                watch.observe(document, {{subtree: true, childList: true, attributes: true}});
                look();
                setTimeout(() => resolve(false), {PATIENCE * 900});
            }})"""
        )
        assert found, f"{selector} did not come: {self.evaluate('document.body.innerText')}"

    def click(self, selector: str) -> None:
        """Click an element with the mouse, at the middle of what is seen of it."""
        self.wait_for(selector)
        place = self.evaluate(
            f"""(() => {{
                const element = document.querySelector({json.dumps(selector)});
                element.scrollIntoView({{block: "center"}});
                const box = element.getBoundingClientRect();
                return `${{Math.round(box.x + box.width / 2)}} ${{Math.round(box.y + box.height / 2)}}`;
            }})()"""
        )
        x, y = map(int, place.split())
        actions = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        self._bidi.ask("input.performActions", context=self._context, actions=[mouse])

    def shoot(self, path: Path) -> None:
        """Keep a picture of what is seen now."""
        told = self._bidi.ask("browsingContext.captureScreenshot", context=self._context)
        path.write_bytes(base64.b64decode(told["data"]))


def _listen(process: subprocess.Popen[str], address: Future[str]) -> None:
    """Read what Firefox says: where it listens, and the rest, so that its pipe does not fill up."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line)
        if READY in line and not address.done():
            address.set_result(line.split(READY)[1].strip())
    if not address.done():
        address.set_exception(AssertionError(f"Firefox ended: {''.join(said)}"))


@contextmanager
def firefox(program: str, url: str, profile: Path) -> Iterator[FirefoxPage]:
    """Firefox with an empty profile, which shows a site; what it complains of fails the test."""
    command = [
        program,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--remote-debugging-port",
        "0",
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    address: Future[str] = Future()
    listener = threading.Thread(target=_listen, args=(process, address))
    listener.start()
    try:
        bidi = BiDi(address.result(PATIENCE) + "/session")
        try:
            bidi.ask("session.new", capabilities={})
            bidi.ask("session.subscribe", events=["log.entryAdded"])
            yield FirefoxPage(bidi, url)
            assert not bidi.errors, "\n".join(bidi.errors)
        finally:
            bidi.close()
    finally:
        process.terminate()
        process.wait(PATIENCE)
        listener.join()
        assert process.stderr is not None
        process.stderr.close()

"""Only our own page may ask: what other sites' pages send is refused, and what is meant for another host."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from browser.serving import OPEN, me

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from browser.serving import Served

SOCKET: dict[str, Any] = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dG91Y2hsaW5lIHRlc3RzIQ==",
}  # fmt: skip
TABLE = json.dumps({"game": "hexapawn", "seats": [me("ann"), OPEN]}).encode()


def tables(served: Served) -> set[str]:
    return {table["id"] for table in served.get("/api/tables")["tables"]}


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:1", "http://{host}.evil.example", "null", ""]
)
def test_a_foreign_origin_is_refused(served: Served, origin: str) -> None:
    origin, before = origin.format(host=served.host), tables(served)
    status, said = served.ask("POST", "/api/tables", TABLE, Content_Type="application/json", Origin=origin)
    assert (status, json.loads(said)["error"]) == (403, "foreign_origin")
    status, said = served.ask("GET", "/api/lobby/live", Origin=origin, **SOCKET)
    assert (status, json.loads(said)["error"]) == (403, "foreign_origin")
    assert tables(served) == before


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1:1", "127.0.0.1.evil.example", "evil.example@127.0.0.1"]
)
def test_another_host_is_not_ours(served: Served, host: str) -> None:
    for path in ("/", "/api/tables", "/static/app.js"):
        status, said = served.ask("GET", path, Host=host)
        assert (status, json.loads(said)["error"]) == (421, "wrong_host")
    status, _ = served.ask("GET", "/api/lobby/live", Host=host, Origin=f"http://{host}", **SOCKET)
    assert status == 421


def test_our_own_page_is_let_in(served: Served) -> None:
    """The same requests from our own page: it is the origin that was refused above, and nothing else."""
    before, own = tables(served), f"http://{served.host}"
    status, said = served.ask("POST", "/api/tables", TABLE, Content_Type="application/json", Origin=own)
    made = json.loads(said)
    assert status == 201
    assert tables(served) - before == {made["table"]["id"]}
    served.resign(made["table"]["id"], made["seats"][0]["token"])
    assert _upgraded(served, own) == 101


def _upgraded(served: Served, origin: str) -> int:
    """The status of a WebSocket's handshake, which has no body to wait for."""
    from http.client import HTTPConnection

    connection = HTTPConnection(served.host, timeout=20)
    try:
        headers = {name.replace("_", "-"): value for name, value in {**SOCKET, "Origin": origin}.items()}
        connection.request("GET", "/api/lobby/live", None, headers)
        return connection.getresponse().status
    finally:
        connection.close()


EVIL = """<!doctype html><title>evil</title><script>
const at = location.hash.slice(1), table = JSON.stringify(%s), heard = [];
const socket = new Promise((done) => {
  const ws = new WebSocket(`ws://${at}/api/lobby/live`);
  ws.onmessage = (message) => done("read: " + message.data);
  ws.onclose = () => done("closed");
});
const post = (type) => fetch(`http://${at}/api/tables`, {
  method: "POST", mode: "no-cors", headers: {"Content-Type": type}, body: table
}).then((answer) => answer.type, () => "failed");
const read = fetch(`http://${at}/api/tables`).then((answer) => answer.text(), () => "failed");
const script = new Promise((done) => {
  const element = document.createElement("script");
  element.src = `http://${at}/static/app.js`;
  element.onload = () => done("ran"); element.onerror = () => done("failed");
  document.head.append(element);
});
window.tried = Promise.all([socket, post("text/plain"), post("application/json"), read, script]);
</script>"""


@contextmanager
def elsewhere(page: str) -> Iterator[str]:
    """Another site on this machine."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def test_another_sites_page_can_do_nothing(browser: Browser, served: Served) -> None:
    """In a real browser, with all that a page can do without being asked."""
    before = tables(served)
    with elsewhere(EVIL % TABLE.decode()) as url:
        page = browser.new_page()
        failed: list[str] = []
        page.on("requestfailed", lambda request: failed.append(f"{request.method} {request.failure}"))
        page.goto(f"{url}#{served.host}")
        tried = page.evaluate("window.tried")
        page.close()
    assert tried == ["closed", "failed", "failed", "failed", "failed"]
    # Chromium sends a simple request, reads what came, and then keeps it from the page.
    assert "POST net::ERR_BLOCKED_BY_RESPONSE" in str(failed)
    assert tables(served) == before

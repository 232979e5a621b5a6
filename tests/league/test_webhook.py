"""The webhook: signed, tried again, never waited for."""

from __future__ import annotations

import http.server
import json
import threading
from typing import TYPE_CHECKING

import pytest

from touchline.league import webhook
from touchline.league.webhook import SIGNATURE, Webhook, signature

if TYPE_CHECKING:
    from collections.abc import Iterator

SECRET = b"a secret of some length"
PATIENCE = 30.0
"""Seconds after which what a test waits for will not come."""


class Receiver(http.server.ThreadingHTTPServer):
    """A server that answers with these statuses in turn, then with 200."""

    def __init__(self, *statuses: int) -> None:
        super().__init__(("127.0.0.1", 0), _Post)
        self.statuses, self.bodies = [*statuses], list[tuple[str, bytes]]()
        self.got = threading.Condition()

    def wait_for(self, count: int) -> list[tuple[str, bytes]]:
        with self.got:
            assert self.got.wait_for(lambda: len(self.bodies) >= count, PATIENCE)
            return [*self.bodies]


class _Post(http.server.BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.got:
            self.server.bodies.append((self.headers[SIGNATURE], body))
            status = self.server.statuses.pop(0) if self.server.statuses else 200
            self.server.got.notify_all()
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver(500, 302) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_news_are_signed_and_tried_again(receiver: Receiver) -> None:
    """After two answers that are no success the same body comes again; the receiver can check it."""
    hook = Webhook(f"http://127.0.0.1:{receiver.server_port}/news", SECRET, pause=0.01)
    hook.send({"type": "result", "game": "r0001-t0000"})
    bodies = receiver.wait_for(3)
    hook.close()
    assert len({*bodies}) == 1
    signed, body = bodies[0]
    assert signed == signature(SECRET, body)
    assert json.loads(body) == {"type": "result", "game": "r0001-t0000"}
    assert signed != signature(b"another secret", body)


def test_nobody_waits_for_a_dead_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """News queue up to a limit, from which the oldest are dropped, and `send` returns at once."""
    monkeypatch.setattr(webhook, "MOST_WAITING", 10)
    hook = Webhook("http://127.0.0.1:1/", SECRET, pause=60)
    for number in range(100):
        hook.send({"number": number})
    with hook._changed:
        assert len(hook._waiting) <= 10
        assert json.loads(hook._waiting[-1]) == {"number": 99}
    assert hook.dropped >= 89
    hook.close()

"""The webhook: POST news of a league to another server, signed.

Laws of this file: nobody waits for the other server. News wait in a bounded queue, from which the oldest is
dropped; a failed request is tried again with growing pauses. The signature is the HMAC-SHA256 of the body,
in hexadecimal digits, in the header `Touchline-Signature`.
"""

from __future__ import annotations

import hmac
import logging
import threading
import urllib.error
import urllib.request
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger(__name__)

SIGNATURE = "Touchline-Signature"
MOST_WAITING = 1000
"""News that wait to be sent."""
TIMEOUT = 10.0
"""Seconds for the other server to answer."""
ATTEMPTS = 5
PAUSE = 1.0
"""Seconds before the second attempt; each further pause is twice as long."""


def signature(secret: bytes, body: bytes) -> str:
    """Return the signature of a body.

    >>> signature(b"secret", b"{}")[:16]
    '77325902caca812d'
    """
    return hmac.digest(secret, body, "sha256").hex()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Answers of another place than the organiser's do not count."""

    def redirect_request(self, *args: Any) -> None:
        return None


class Webhook:
    """Sends news from a thread of its own."""

    def __init__(self, url: str, secret: bytes, *, pause: float = PAUSE, timeout: float = TIMEOUT) -> None:
        self._url, self._secret, self._pause, self._timeout = url, secret, pause, timeout
        self._opener = urllib.request.build_opener(_NoRedirect)
        self._waiting: deque[bytes] = deque()
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self.sent = self.dropped = 0
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)
        self._thread.start()

    def send(self, news: Mapping[str, Any]) -> None:
        """Queue news to be sent, and return at once."""
        with self._changed:
            self._waiting.append(msgspec.json.encode(news))
            if len(self._waiting) > MOST_WAITING:
                self._waiting.popleft()
                self.dropped += 1
            self._changed.notify()

    def close(self) -> None:
        """Stop sending; what waits is dropped."""
        self._closed.set()
        with self._changed:
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while not self._closed.is_set():
            with self._changed:
                while not self._waiting and not self._closed.is_set():
                    self._changed.wait()
                if self._closed.is_set():
                    return
                body = self._waiting.popleft()
            self._deliver(body)

    def _deliver(self, body: bytes) -> None:
        """Send one body; give up after the last attempt."""
        pause, why = self._pause, ""
        for _ in range(ATTEMPTS):
            try:
                self._post(body)
            except (OSError, ValueError) as error:  # URLError and HTTPException are of these, or below
                why = str(error)
            except Exception as error:  # http.client has errors of its own kind
                why = f"{type(error).__name__}: {error}"
            else:
                self.sent += 1
                return
            if self._closed.wait(pause):
                return
            pause *= 2
        self.dropped += 1
        log.warning("the webhook did not take news after %d attempts: %s", ATTEMPTS, why)

    def _post(self, body: bytes) -> None:
        headers = {"Content-Type": "application/json", SIGNATURE: signature(self._secret, body)}
        request = urllib.request.Request(self._url, body, headers, method="POST")
        with self._opener.open(request, timeout=self._timeout) as answer:
            answer.read(1024)

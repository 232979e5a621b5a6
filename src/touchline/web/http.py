"""HTTP plumbing: size-limited bodies, query parsing, tokens, error responses."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from aiohttp import ClientPayloadError, web
from aiohttp.http_exceptions import HttpProcessingError

from touchline.core.errors import TouchlineError
from touchline.draw.raster import NotInstalled
from touchline.tournament.ledger.base import Unavailable
from touchline.web import schema
from touchline.web.live.cups import LedgerUnreadable
from touchline.web.refusals import LimitReached, NotNow
from touchline.web.workers.lanes import Busy
from touchline.web.workers.pool import JobFailed, Overdue

if TYPE_CHECKING:
    from collections.abc import Collection

T = TypeVar("T")

MOST_BODY = 64 << 10
"""Bytes of a JSON body."""
KEY = "Touchline-Key"
"""The header with the organiser's key."""
BROKEN_BODY = (HttpProcessingError, ClientPayloadError, web.RequestPayloadError, ConnectionError)
"""What aiohttp raises when a body breaks off, or is badly chunked or compressed."""
BODY_SECONDS = 30.0
"""Timeout for a body to arrive."""
RETRY_SECONDS = 5.0
"""What a client is told to wait after 503."""


class Problem(Exception):
    """An error response: a status, a code for programs and a sentence for people."""

    def __init__(
        self, status: int, code: str, message: str, wait: float | None = None, record: str | None = None
    ) -> None:
        """`wait` is the number of seconds after which a retry may succeed; `record` is what is left."""
        super().__init__(message)
        self.record = record
        self.status, self.code, self.message, self.wait = status, code, message, wait

    def response(self) -> web.Response:
        headers = {} if self.wait is None else {"Retry-After": f"{max(1, round(self.wait))}"}
        return answer(schema.ErrorBody(self.code, self.message, self.record), self.status, headers)


_PROBLEMS: tuple[tuple[type[Exception], int, str], ...] = (
    (NotInstalled, 501, "not_installed"),
    (Unavailable, 503, "unavailable"),
    (TouchlineError, 400, "bad_request"),
    (NotNow, 409, "not_now"),
    (LimitReached, 429, "too_many"),
    (Busy, 503, "busy"),
    (Overdue, 503, "busy"),
    (LedgerUnreadable, 503, "unavailable"),
    (JobFailed, 500, "broken"),
)
_HTTP = {404: "not_found", 405: "bad_method", 413: "too_large"}


def problem(error: Exception) -> Problem | None:
    """Translate an exception into an error response; None if it is not meant for the client."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, web.HTTPException):
        code = _HTTP.get(error.status, "bad_request")
        return Problem(error.status, code, f"{error.reason or 'not possible'}: see /api/openapi.json")
    for kind, status, code in _PROBLEMS:
        if isinstance(error, kind):
            return Problem(status, code, str(error), RETRY_SECONDS if status == 503 else None)
    return None


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """Respond with a value as JSON that must not be cached."""
    return web.Response(
        body=msgspec.json.encode(value),
        status=status,
        headers={"Cache-Control": "no-store", **(headers or {})},
        content_type="application/json",
    )


def svg_answer(drawn: bytes) -> web.Response:
    """Respond with a picture that must not be cached."""
    return picture_answer(drawn, "image/svg+xml")


def picture_answer(drawn: bytes, kind: str) -> web.Response:
    """Respond with a picture that must not be cached."""
    return web.Response(body=drawn, headers={"Content-Type": kind, "Cache-Control": "no-store"})


async def body(request: web.Request, most: int, types: Collection[str]) -> bytes:
    """Read the whole body. Problem if it is not of one of these types, too long, or too slow."""
    if request.content_type not in types:
        raise Problem(415, "not_json", f"send it with Content-Type: {' or '.join(types)}")
    if (request.content_length or 0) > most:
        raise Problem(413, "too_large", f"the body has more than {most} bytes")
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.content.iter_chunked(64 << 10):
                data += chunk
                if len(data) > most:
                    raise Problem(413, "too_large", f"the body has more than {most} bytes")
    except TimeoutError:
        raise Problem(400, "bad_request", "the body did not arrive in time") from None
    except BROKEN_BODY as error:
        why = "the body breaks off, or is not encoded as its head says"
        raise Problem(400, "bad_request", f"{why}: {type(error).__name__}") from None
    return bytes(data)


async def said(request: web.Request, kind: type[T]) -> T:
    """Read the body as one of the types of the API."""
    made: T = decoded(await body(request, MOST_BODY, ("application/json",)), kind)
    return made


def decoded(data: bytes, kind: Any) -> Any:
    """Decode JSON as one of the types of the API. Problem if it does not fit."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, "bad_request", f"that is not what was expected: {error}") from None


def number(request: web.Request, name: str) -> int | None:
    """Read a whole number from the query; None if it is not given."""
    text = request.query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Problem(400, "bad_request", f"{name} is a whole number")
    return int(text)


def one_of(request: web.Request, name: str, words: Collection[str]) -> str | None:
    """Read a word from the query that must be one of these; None if it is not given."""
    text = request.query.get(name)
    if text is not None and text not in words:
        raise Problem(400, "bad_request", f"{name} is one of: {', '.join(words)}")
    return text


def key(request: web.Request) -> str | None:
    """Read the organiser's key from its header; a browser that knows none sends an empty one."""
    return request.headers.get(KEY) or None


def token(request: web.Request) -> str | None:
    """Read the token of a seat from the Authorization header, the only place where one may be."""
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if kind.lower() == "bearer" and text.strip() else None

"""Requests and answers: bodies read within bounds, queries, tokens, and errors as the contract has them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from aiohttp import web

from touchline.core.errors import TouchlineError
from touchline.draw.gif import NotInstalled
from touchline.web import schema
from touchline.web.live.cups import Unreadable
from touchline.web.tables import NotNow, TooMany
from touchline.web.workers.pool import Busy, Failed, Overdue

if TYPE_CHECKING:
    from collections.abc import Collection

T = TypeVar("T")

MOST_BODY = 64 << 10
BODY_SECONDS = 30.0
"""How long a body may take to arrive."""


class Problem(Exception):
    """An answer that says what is wrong."""

    def __init__(self, status: int, code: str, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.wait = status, code, message, wait

    def response(self) -> web.Response:
        headers = {} if self.wait is None else {"Retry-After": f"{max(1, round(self.wait))}"}
        return answer(schema.Told(self.code, self.message), self.status, headers)


_PROBLEMS: tuple[tuple[type[Exception], int, str], ...] = (
    (NotInstalled, 501, "not_installed"),
    (TouchlineError, 400, "bad_request"),
    (NotNow, 409, "not_now"),
    (TooMany, 429, "too_many"),
    (Busy, 503, "busy"),
    (Overdue, 503, "busy"),
    (Unreadable, 503, "unavailable"),
    (Failed, 500, "broken"),
)
_HTTP = {404: "not_found", 405: "bad_method", 413: "too_large"}


def problem(error: Exception) -> Problem | None:
    """What an exception says to whoever asked; None if it is none of theirs."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, web.HTTPException):
        code = _HTTP.get(error.status, "bad_request")
        return Problem(error.status, code, f"{error.reason or 'not possible'}: see /api/openapi.json")
    for kind, status, code in _PROBLEMS:
        if isinstance(error, kind):
            return Problem(status, code, str(error), 5 if status == 503 else None)
    return None


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A value as JSON, which nobody keeps."""
    return web.Response(
        body=msgspec.json.encode(value),
        status=status,
        headers={"Cache-Control": "no-store", **(headers or {})},
        content_type="application/json",
    )


async def body(request: web.Request, most: int, types: Collection[str]) -> bytes:
    """The whole body, if it is of one of these types and not too long."""
    if request.content_type not in types:
        raise Problem(415, "not_json", f"send it with Content-Type: {' or '.join(types)}")
    if (request.content_length or 0) > most:
        raise Problem(413, "too_large", f"it may have {most} bytes")
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.content.iter_chunked(64 << 10):
                data += chunk
                if len(data) > most:
                    raise Problem(413, "too_large", f"it may have {most} bytes")
    except TimeoutError:
        raise Problem(400, "bad_request", "the body did not arrive in time") from None
    return bytes(data)


async def said(request: web.Request, kind: type[T]) -> T:
    """The body as one of our types."""
    made: T = decoded(await body(request, MOST_BODY, ("application/json",)), kind)
    return made


def decoded(data: bytes, kind: Any) -> Any:
    """JSON as one of our types."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, "bad_request", f"that is not what was expected: {error}") from None


def number(request: web.Request, name: str) -> int | None:
    """A whole number in the query."""
    text = request.query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Problem(400, "bad_request", f"{name} is a whole number")
    return int(text)


def one_of(request: web.Request, name: str, words: Collection[str]) -> str | None:
    """A word in the query that must be one of these."""
    text = request.query.get(name)
    if text is not None and text not in words:
        raise Problem(400, "bad_request", f"{name} is one of: {', '.join(words)}")
    return text


def token(request: web.Request) -> str | None:
    """The token of a seat, from the header; nowhere else is one looked for."""
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if kind.lower() == "bearer" and text.strip() else None

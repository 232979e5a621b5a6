"""Mutants at the page: HTTP requests and the messages of its WebSockets, while an honest pair plays there."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

from mutant_siege.units import MOST_FAILURES, Outcome, Siege, Unit, error_line, errors_logged
from touchline.testing.hostile.sockets import TEXT, ws_frame
from touchline.testing.mutants import Mutants
from web.sites import Visit, live, me, site

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_A_ROUND = 250
"""Messages while an honest pair plays one match."""
AT_ONCE = 10
"""Requests at the same time: for some no answer comes."""
ANSWER_SECONDS = 0.5
"""How long an answer is waited for: a mutant may announce a body that it does not send."""
READ = 1 << 16
HOST = "127.0.0.1"

TABLE = {
    "game": "hexapawn", "options": {"rows": 4, "cols": 3}, "pace": 0, "conduct": "course",
    "clock": {"per_move": 10, "bank": 0, "increment": 0},
    "seats": [{"kind": "me", "name": "eve"}, {"kind": "open"}],
}  # fmt: skip
BODIES: dict[str, Any] = {
    "/api/tables": TABLE,
    "/api/tables/{id}/join": {"name": "eve", "seat": 1},
    "/api/tables/{id}/move": {"turn": 0, "choice": 0},
    "/api/tables/{id}/resign": {},
    "/api/tables/{id}/hint": {"player": "random", "options": {}},
    "/api/records": {"type": "begun", "game": "hexapawn", "names": ["a", "b"]},
}
PATHS = (
    "/", "/api/games", "/api/tables", "/api/tables/{id}", "/api/tables/{id}/svg?theme=dark", "/api/records",
    "/api/records/{id}/info", "/api/records/{id}/svg?n=1&turn=2", "/api/cups", "/api/cups/{id}/games?first=1",
    "/api/lobby/live", "/api/tables/{id}/live", "/static/../../x", "/records/%2e%2e/x", "/favicon.ico",
)  # fmt: skip
MESSAGES = (
    b'{"type":"watch"}', b'{"type":"seat","token":"0123456789abcdef0123456789abcdef"}',
    b'{"type":"move","turn":0,"choice":0}', b'{"type":"resign"}',
)  # fmt: skip


def run(unit: Unit) -> Outcome:
    """Send a unit's mutants to a site of its own."""
    outcome = Outcome("page")
    with errors_logged() as logged:
        try:
            with asyncio.Runner() as runner:
                runner.run(_rounds(unit, outcome))
        except Exception as error:
            outcome.fail(unit, error_line(error))
    for line in logged[:MOST_FAILURES]:
        outcome.fail(unit, f"logged: {line}")
    return outcome


async def _rounds(unit: Unit, outcome: Outcome) -> None:
    unheard: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: unheard.append(context))
    requests = _requests(unit.random_seed)
    async with site() as visit:
        port = int(visit.url.rstrip("/").rpartition(":")[2])
        while outcome.messages < unit.messages and len(outcome.failures) < MOST_FAILURES:
            seed = f"{unit.random_seed} {outcome.matches}"
            playing = asyncio.create_task(_honest_pair(visit, seed))
            for _ in range(IN_A_ROUND // AT_ONCE):
                some = [next(requests) for _ in range(AT_ONCE)]
                outcome.messages += AT_ONCE
                for request, status in zip(some, await _statuses(port, some), strict=True):
                    if status >= 500:
                        outcome.fail(unit, f"status {status}", request)
            try:
                await playing
            except Siege as error:
                outcome.fail(unit, str(error))
            outcome.matches += 1
    for context in unheard[:MOST_FAILURES]:
        outcome.fail(unit, f"not caught: {context.get('message')} {context.get('exception')!r}")


async def _honest_pair(visit: Visit, seed: str) -> None:
    """Play a match between two honest browsers."""
    table, tokens = await visit.table("hexapawn", me("ann"), me("bob"))
    async with live(visit, table, tokens[0]) as ann, live(visit, table, tokens[1]) as bob:
        await asyncio.wait_for(asyncio.gather(ann.play(Random(seed)), bob.play(Random(seed))), 60)
    result = (await visit.result(table))["result"]
    if result["verdict"] != "finished":
        raise Siege(f"the match of an honest pair on the page was {result['verdict']}: {result}")


def _requests(seed: str) -> Iterator[bytes]:
    """Return mutated requests without end."""
    rng = Random(seed)
    bodies = {path: Mutants([json.dumps(body).encode()], f"{seed} {path}") for path, body in BODIES.items()}
    heads = Mutants([_head("GET", path) for path in PATHS], f"{seed} heads")
    messages = Mutants(MESSAGES, f"{seed} messages")
    while True:
        chance = rng.random()
        if chance < 0.6:
            path = rng.choice([*BODIES])
            body = next(bodies[path])
            yield _head("POST", path, body) + body
        elif chance < 0.9:
            yield next(heads)
        else:
            path = rng.choice(("/api/lobby/live", "/api/tables/{id}/live"))
            yield _upgrade(path) + b"".join(ws_frame(TEXT, next(messages)) for _ in range(3))


def _head(method: str, path: str, body: bytes | None = None) -> bytes:
    length = "" if body is None else f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    token = "Authorization: Bearer 0123456789abcdef0123456789abcdef\r\n"
    return f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\n{token}{length}Connection: close\r\n\r\n".encode()


def _upgrade(path: str) -> bytes:
    return (
        f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dG91Y2hsaW5lIHRlc3RzLg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


async def _statuses(port: int, requests: list[bytes]) -> list[int]:
    return await asyncio.gather(*(_status(port, request) for request in requests))


async def _status(port: int, request: bytes) -> int:
    """Send a request as it is, hang up, and return the status of the answer; 0 if there was none."""
    reader, writer = await asyncio.open_connection(HOST, port)
    head = b""
    try:
        with suppress(ConnectionError, TimeoutError):
            writer.write(request)
            async with asyncio.timeout(ANSWER_SECONDS):
                head = await reader.read(READ)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    words = head.split(maxsplit=2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0

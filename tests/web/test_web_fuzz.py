"""No request breaks the server: whatever is sent, the answer is no 5xx, and no traceback is logged."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from touchline.web.routes import ROUTES
from touchline.web.tables.page_tables import Caps
from touchline.web.workers import jobs, player_jobs, record_jobs
from web.sites import OPEN, Here, Visit, house, me, run, site, until

NASTY = [
    "1e400", "-1e400", "NaN", "1e308", "-0.0", f"{10**30}", f"-{10**30}", f"{2**63}", f"{2**64}", "9" * 5000,
    "true", "null", "[]", "{}", '""', '"\\u0000"', '"\\ud800"', '"\\u202e"', '"' + "x" * 40 + '"', "[" * 600,
    "{" * 600, '"' + "é" * 33 + '"', "0.5", "-1", "1e-320", '"\ud7ff"', '{"a":{"b":[1]}}', "[[[[[[]]]]]]",
    '"labyrinth"', '"her"', '"minimax"', "27", "50",
]  # fmt: skip
"""Pieces of JSON, some of them broken, that take the place of a value."""
NEW = [
    {"game": "hexapawn", "options": {"rows": 4, "cols": 3}, "seats": [me(), house("mcts", seconds=1)]},
    {"game": "fish", "options": {"rows": 4, "cols": 4, "fish": 1, "holes": 2, "board": [[1, 0], [2, 3]]},
     "seats": [me(), house("minimax", depth=2), OPEN, {"kind": "remote"}],
     "clock": {"seconds": 1.5, "bank": 2, "increment": 0}, "pace": 0.5, "conduct": "course"},
    {"game": "labyrinth", "options": {"rows": 5, "cols": 5, "goals": 2}, "seats": [house("euclid"), OPEN]},
    {"game": "hexapawn", "seats": [me(), {"kind": "house", "level": "easy"}], "takeback": True, "pace": None},
]  # fmt: skip
BODIES: dict[str, list[Any]] = {
    "/api/tables": NEW,
    "/api/tables/{id}/join": [{"name": "bob", "seat": 1}],
    "/api/tables/{id}/move": [{"turn": 0, "choice": 0}, {"turn": 0, "move": {"from": [0, 0], "to": [1, 0]}}],
    "/api/tables/{id}/resign": [{}],
    "/api/tables/{id}/rematch": [{"swap": True}],
    "/api/tables/{id}/hint": [{}, {"player": "mcts", "options": {"seconds": 0.01}}],
    "/api/league/versions": [{}],
    "/api/records": [{"type": "begun", "game": "hexapawn"}],
}
QUERIES = ("n", "turn", "theme", "seconds", "first", "count", "entrant", "game", "state", "table", "url")


class Thoughtless(Here):
    """A pool whose house players never answer, so that no match of the test takes any time."""

    async def do(self, job: jobs.Job, kind: type[Any], **given: Any) -> Any:
        if isinstance(job, player_jobs.Choose | record_jobs.AnalyseRecord):
            await asyncio.Event().wait()
        return await super().do(job, kind, **given)


def holes(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a body."""
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = [*value.items()]
    elif isinstance(value, list):
        inner = [*enumerate(value)]
    return [path, *(hole for key, each in inner for hole in holes(each, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], piece: str) -> str:
    """A body as JSON text, with a piece of text in place of the value at this path."""
    if not path:
        return piece
    if isinstance(value, dict):
        parts = (
            f"{json.dumps(key)}:{put(each, path[1:], piece) if key == path[0] else json.dumps(each)}"
            for key, each in value.items()
        )
        return "{" + ",".join(parts) + "}"
    parts = (
        put(each, path[1:], piece) if at == path[0] else json.dumps(each) for at, each in enumerate(value)
    )
    return "[" + ",".join(parts) + "]"


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, bytes]:
    """A method, a path and a body: almost what the route takes."""
    route = draw(st.sampled_from(ROUTES))
    if route.method == "GET":
        query = draw(st.lists(st.tuples(st.sampled_from(QUERIES), st.text(max_size=12)), max_size=2))
        return "GET", route.path, json.dumps(query).encode()
    body = draw(st.sampled_from(BODIES[route.path]))
    if draw(st.integers(0, 5)) == 0:
        return "POST", route.path, draw(st.binary(max_size=200))
    piece = draw(st.one_of(st.sampled_from(NASTY), st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
        lambda each: st.lists(each, max_size=3) | st.dictionaries(st.text(max_size=8), each, max_size=3),
        max_leaves=5,
    ).map(json.dumps)))  # fmt: skip
    text = put(body, draw(st.sampled_from(holes(body))), piece)
    return "POST", route.path, text.encode("utf-8", "surrogatepass")


async def status_of(visit: Visit, method: str, path: str, body: bytes, table: str, token: str) -> int:
    """Send a request, as the owner of a seat, and return the status; a feed is not read."""
    path = path.replace("{id}", table).replace("{game}", "r0001-t0001")
    params = [tuple(pair) for pair in json.loads(body)] if method == "GET" else None
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = body if method == "POST" else None
    async with visit.http.request(method, path, params=params, data=data, headers=headers) as response:
        return response.status


async def attack(visit: Visit, method: str, path: str, body: bytes) -> int:
    """Send a request about a table with a seat to move, and remove all tables after it."""
    table, [token] = await visit.table("hexapawn", me(), house(), clock=None)
    await visit.get(f"/api/tables/{table}", token=token)
    code = await status_of(visit, method, path, body, table, token)
    for each in [*visit.site.tables.by_id.values()]:
        each.break_off("the test goes on")
        visit.site.tables._forget(each)
    return code


def fuzz(count: int, caplog: pytest.LogCaptureFixture) -> None:
    """Send this many requests to one site."""
    with asyncio.Runner() as runner, caplog.at_level(logging.INFO):
        caps = Caps(tables=1 << 20, per_address=1 << 20)
        place = site(workers=Thoughtless(), caps=caps)
        visit = runner.run(place.__aenter__())
        runner.run(visit.get("/api/games"))  # from now on it is ready

        @settings(max_examples=count, deadline=None, suppress_health_check=[*HealthCheck], database=None)
        @given(requests())
        def send(request: tuple[str, str, bytes]) -> None:
            code = runner.run(asyncio.wait_for(attack(visit, *request), 30))
            assert code < 500, request
            assert not [record for record in caplog.records if record.exc_info], request

        try:
            send()
        finally:
            runner.run(place.__aexit__(None, None, None))


def test_fuzzed_requests(caplog: pytest.LogCaptureFixture) -> None:
    """Two hundred requests, each almost right, over all routes."""
    fuzz(200, caplog)


@pytest.mark.slow
def test_many_fuzzed_requests(caplog: pytest.LogCaptureFixture) -> None:
    """Thousands of them."""
    fuzz(6000, caplog)


MESSAGES = [
    {"type": "move", "turn": 0, "choice": 0},
    {"type": "resign"},
    {"type": "emote", "emote": "wave"},
    {"type": "takeback", "agree": True},
    {"type": "rematch", "swap": True},
    {"type": "seat", "token": "0"},
    {"type": "watch"},
]


def test_fuzzed_messages(caplog: pytest.LogCaptureFixture) -> None:
    """A seat sends each message with each nasty value: it is done, ignored, or closed with a code."""

    async def main() -> None:
        async with site(workers=Thoughtless(), caps=Caps(tables=1 << 20, per_address=1 << 20)) as visit:
            table, [ann, _] = await visit.table("hexapawn", me(), me("bob"))
            for said in MESSAGES:
                for path in holes(said):
                    for piece in NASTY[:: 1 + len(path)]:
                        async with visit.http.ws_connect(f"/api/tables/{table}/live") as ws:
                            await ws.send_json({"type": "seat", "token": ann})
                            with contextlib.suppress(ConnectionError):
                                await ws.send_str(put(said, path, piece).encode(errors="replace").decode())
            status, told = await visit.get("/api/status")
            assert (status, told["watching"]) == (200, 0)

    with caplog.at_level(logging.INFO):
        run(main())
    assert not [record.getMessage() for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(
    "body",
    [
        {"game": "hexapawn", "options": {"rows": 10**30}, "seats": [me(), OPEN]},
        {"game": "hexapawn", "seats": [me(), house("minimax", depth=10**30)]},
        {"game": "fish", "options": {"board": [[10**30]]}, "seats": [me(), OPEN]},
    ],
)
def test_huge_numbers_are_refused(body: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A number with 31 digits is bad input, not a failure of the server."""

    async def main() -> None:
        async with site() as visit:
            status, told = await visit.post("/api/tables", body)
            assert (status, told["error"]) == (400, "bad_request")

    with caplog.at_level(logging.INFO):
        run(main())
    assert not [record for record in caplog.records if record.exc_info]


JSON_POST = b"POST /api/tables HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
HEAD = b"GET / HTTP/1.1\r\nHost: {host}\r\n"
SOCKET = b"GET /api/lobby/live HTTP/1.1\r\nHost: {host}\r\n"
BROKEN = {
    "half a body": JSON_POST + b"Content-Length: 100\r\n\r\n{",
    "half a chunk": JSON_POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    "a bad chunk": JSON_POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{",
    "no gzip": JSON_POST + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    "no colon": HEAD + b"Bad Header\r\n\r\n",
    "a long header": HEAD + b"X: " + b"y" * 9000 + b"\r\n\r\n",
    "a negative length": HEAD + b"Content-Length: -1\r\n\r\n",
    "two hosts": HEAD + b"Host: {host}\r\n\r\n",
    "not ASCII": b"GET \xff HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a NUL": b"GET /\x00 HTTP/1.1\r\n\r\n",
    "a bad URL": b"GET http://[ HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a path that is no text": b"GET /api/tables/%ff%fe HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a token that is no text": HEAD + b"Authorization: Bearer \xff\r\n\r\n",
    "a bad key of a socket": SOCKET + b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: x\r\n\r\n",
    "a socket without an upgrade": SOCKET + b"\r\n",
    "options": b"OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "connect": b"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "expecting too much": HEAD + b"Expect: 200-maybe\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "nonsense": b"NONSENSE\r\n\r\n",
}


@pytest.mark.parametrize("sent", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("leave", [True, False], ids=["hangs up", "waits"])
def test_broken_requests_log_no_traceback(
    sent: bytes, leave: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hang-up within a body, and bad heads: answered with 4xx or closed, and the next client is served."""
    monkeypatch.setattr("touchline.web.http.BODY_SECONDS", 0.05)
    monkeypatch.setattr("touchline.web.connections.HEAD", 0.05)
    monkeypatch.setattr("touchline.transports.shared.gate.HEAD_SECONDS", 0.05)

    async def main() -> bytes:
        async with site() as visit:
            host, port = visit.url.split("/")[2].split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(sent.replace(b"{host}", f"{host}:{port}".encode()))
            said = b""
            if leave:
                await writer.drain()
            else:
                with contextlib.suppress(ConnectionError):
                    said = await reader.read(1 << 16)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            await until(lambda: visit.site.connections.count() == 0)
            monkeypatch.setattr("touchline.web.connections.HEAD", 10.0)
            monkeypatch.setattr("touchline.transports.shared.gate.HEAD_SECONDS", 10.0)
            assert (await visit.get("/api/status"))[0] == 200
            return said

    with caplog.at_level(logging.INFO):
        said = run(main())
    assert not said.startswith(b"HTTP/1.1 5"), said
    assert not [record.getMessage() for record in caplog.records if record.exc_info]

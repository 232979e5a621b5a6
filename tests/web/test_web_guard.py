"""Who may ask and how much: hosts, origins, tokens, bodies, caps, rates, and the headers of answers."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
from random import Random
from typing import Any

import aiohttp
import pytest

from touchline.records.record_folder import MatchRecord
from touchline.transports.shared.host_names import HostCheck
from touchline.web import app, guard
from touchline.web.guard import Rates, TokenBucket
from touchline.web.tables.page_tables import Caps
from web.sites import OPEN, house, live, me, played, run, site, until

NEW = {"game": "hexapawn", "seats": [me(), OPEN]}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "", "127.0.0.1.evil.example"]
)
def test_a_foreign_host_is_refused(host: str) -> None:
    """A name that was rebound to this address is not ours: for pages, posts and sockets."""

    async def main() -> None:
        async with site() as visit:
            said = {"Host": host.format(port=visit.url.rpartition(":")[2].strip("/"))}
            for path in ("/", "/api/tables", "/static/app.js"):
                async with visit.http.get(path, headers=said) as response:
                    assert response.status == 421
                    assert (await response.json())["error"] == "wrong_host"
            status, _ = await visit.post("/api/tables", NEW, **said)
            assert status == 421
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await visit.http.ws_connect("/api/lobby/live", headers=said)
            assert visit.site.tables.by_id == {}

    run(main())


@pytest.mark.parametrize("before", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"], ids=["first", "next"])
@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\n"], ids=["nothing", "slowly"])
def test_a_request_that_never_ends_is_not_waited_for(
    before: bytes, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever says nothing, or a header every now and then, is shown out."""
    monkeypatch.setattr(app, "IDLE", 0.2)
    monkeypatch.setattr("touchline.transports.shared.gate.HEAD_SECONDS", 0.2)

    async def main() -> None:
        async with site() as visit:
            host, port = visit.url.split("/")[2].split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            if before:
                writer.write(before)
                assert await reader.readuntil(b" ") + await reader.readexactly(3) == b"HTTP/1.1 421"
            writer.write(said)
            closed = asyncio.ensure_future(reader.read())
            while not closed.done():
                if said:
                    writer.write(b"X: y\r\n")
                await asyncio.wait({closed}, timeout=0.01)
            with contextlib.suppress(ConnectionResetError):  # what was on its way then is thrown away
                await closed
            writer.close()

    run(main())


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "https://[", ""]
)
def test_a_foreign_origin_is_refused(origin: str) -> None:
    """Another site's page can neither post nor open a socket, whatever it knows."""

    async def main() -> None:
        async with site() as visit:
            status, told = await visit.post("/api/tables", NEW, Origin=origin)
            assert (status, told["error"]) == (403, "foreign_origin")
            table, [token] = await visit.table("hexapawn", me(), house())
            for path in (f"/api/tables/{table}/live", "/api/lobby/live"):
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await visit.http.ws_connect(path, headers={"Origin": origin})
                assert refused.value.status == 403
            status, _ = await visit.post(f"/api/tables/{table}/resign", token=token, Origin=origin)
            assert status == 403
            assert len(visit.site.tables.by_id) == 1

    run(main())


def test_our_own_page_may() -> None:
    async def main() -> None:
        async with site(names=["play.example"]) as visit:
            own = visit.url.rstrip("/")
            assert (await visit.post("/api/tables", NEW, Origin=own))[0] == 201
            async with visit.http.ws_connect("/api/lobby/live", headers={"Origin": own}) as ws:
                assert (await ws.receive_json())["type"] == "lobby"
            said = {"Host": "play.example", "Origin": "https://play.example"}
            assert (await visit.post("/api/tables", NEW, **said))[0] == 201

    run(main())


def test_names_of_a_host() -> None:
    doorman = HostCheck(["Play.example", "other.example:8443"])
    doorman.port = 8000
    known = (
        "127.0.0.1:8000",
        "LOCALHOST:8000",
        "[::1]:8000",
        "play.example",
        "play.example:8000",
        "other.example:8443",
    )
    assert all(map(doorman.knows, known))
    strange = (
        None,
        "",
        "play.example:8001",
        "other.example",
        "other.example:8000",
        "127.0.0.1:80001",
        "x:8000",
    )
    assert not any(map(doorman.knows, strange))


def test_headers_on_every_answer() -> None:
    """Also on errors, files, feeds and pictures; no inline script or style can run, and nothing is framed."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", me(), OPEN)
            for path in ("/", "/api/tables", "/nowhere", f"/api/tables/{table}/svg", "/api/lobby/watch"):
                async with visit.http.get(path) as response:
                    for name, value in guard.HEADERS.items():
                        assert response.headers[name] == value, (path, name)
                    assert "unsafe" not in response.headers["Content-Security-Policy"]
                    assert "Set-Cookie" not in response.headers

    run(main())


BAD: list[tuple[str, Any, int]] = [
    ("not JSON", b"{", 400),
    ("an array", [], 400),
    ("nothing", b"", 400),
    ("not text", b'{"game":"\xff"}', 400),
    ("deep", b'{"game":"hexapawn","seats":[],"options":{"rows":' + b"[" * 20_000, 400),
    ("no seats", {"game": "hexapawn"}, 400),
    ("no such game", {"game": "chess", "seats": [me(), house()]}, 400),
    ("no such option", {"game": "hexapawn", "options": {"x": 1}, "seats": [me(), house()]}, 400),
    ("a wrong type", {"game": "hexapawn", "options": {"rows": [1]}, "seats": [me(), house()]}, 400),
    ("too large", {"game": "hexapawn", "options": {"rows": 10**9}, "seats": [me(), house()]}, 400),
    ("a huge maze", {"game": "labyrinth", "options": {"rows": 34, "cols": 34}, "seats": [OPEN] * 2}, 400),
    ("too many seats", {"game": "hexapawn", "seats": [me(), house(), house()]}, 400),
    ("far too many seats", {"game": "hexapawn", "seats": [OPEN] * 1000}, 400),
    ("no such kind", {"game": "hexapawn", "seats": [me(), {"kind": "king"}]}, 400),
    ("no such player", {"game": "hexapawn", "seats": [me(), house("nobody")]}, 400),
    ("another game's player", {"game": "hexapawn", "seats": [me(), house("euclid")]}, 400),
    ("a player with text", {"game": "hexapawn", "seats": [me(), house("her", memory="/tmp/x")]}, 400),
    ("a player's wrong option", {"game": "hexapawn", "seats": [me(), house("minimax", depth=1000)]}, 400),
    ("no such conduct", {**NEW, "conduct": "mild"}, 400),
    ("no time", {**NEW, "clock": {"seconds": 0}}, 400),
    ("negative time", {**NEW, "clock": {"seconds": 1, "bank": -1}}, 400),
    ("an unknown field", {**NEW, "gaem": 1}, 400),
    ("the same name twice", {"game": "hexapawn", "seats": [me("ann"), me("Ann")]}, 400),
    ("a reserved name", {"game": "hexapawn", "seats": [me("referee"), OPEN]}, 400),
    ("a long body", {**NEW, "options": {"rows": "9" * 70_000}}, 413),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_bodies(body: Any, status: int) -> None:
    """A clear error, and no table."""

    async def main() -> None:
        async with site() as visit:
            code, told = await visit.post("/api/tables", body)
            assert code == status, told
            assert set(told) == {"error", "message"}
            assert len(told["message"]) > 10
            assert visit.site.tables.by_id == {}

    run(main())


def test_bad_requests() -> None:
    """Other types, methods and paths are JSON errors too."""

    async def main() -> None:
        async with site() as visit:
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            assert (await visit.post("/api/tables", b"game=hexapawn", **form))[0] == 415
            for method, path, status, code in (
                ("GET", "/api/nothing", 404, "not_found"),
                ("DELETE", "/api/tables", 405, "bad_method"),
                ("GET", "/api/tables/zzz", 404, "not_found"),
                ("GET", "/api/records/..%2f..%2fetc%2fpasswd", 404, "not_found"),
                ("POST", "/api/tables/zzz/move", 404, "not_found"),
                ("GET", "/static/..%2f..%2fapp.py", 404, "not_found"),
                ("GET", "/static/%00", 404, "not_found"),
                ("GET", "/static/../app.py", 404, "not_found"),
                ("GET", "/static//etc/passwd", 404, "not_found"),
            ):
                got, told = await visit.ask(method, path)
                assert (got, told["error"]) == (status, code), (path, told)

    run(main())


def test_tokens() -> None:
    """Without the right one nothing can be done in a seat; who guesses is slowed down."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            other, [foreign] = await visit.table("hexapawn", me(), house())
            for wrong in (None, foreign):
                for path, body in (("move", {"turn": 0, "choice": 0}), ("resign", {}), ("hint", {})):
                    status, told = await visit.post(f"/api/tables/{table}/{path}", body, token=wrong)
                    assert (status, told["error"]) == (401, "no_seat")
            async with live(visit, table, "0" * 32) as guesser:
                told = await guesser.line()
                assert told is not None
                assert told["error"] == "no_seat"
                assert await guesser.line() is None
                assert guesser.ws.close_code == 4401
            codes = [
                (await visit.get(f"/api/tables/{table}", token=f"{guess:032x}"))[0] for guess in range(10)
            ]
            assert codes[-1] == 429
            assert (await visit.get(f"/api/tables/{table}", token=token))[0] == 200, "who knows need not wait"
            assert len(token) == len(foreign) == 32
            assert token not in str(vars(visit.site.tables)), "only a hash of it is kept"
            assert visit.site.tables.tokens.seat_at(visit.site.tables.by_id[other], token) is None

    run(main())


def test_tokens_are_in_no_log_and_no_url(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever happens, also an error of ours."""

    async def main() -> list[str]:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as ann:
                await ann.play(Random(1), most=1)
                visit.site.tables.leave = None  # type: ignore[assignment, method-assign]
                status, told = await visit.post(f"/api/tables/{table}/resign", token=token)
                assert (status, told["error"]) == (500, "broken")
            received = b"".join(visit.received[1:] + ann.received)
            assert token.encode() not in received, "it was told once, when the table was made"
            return [token]

    with caplog.at_level(logging.DEBUG):
        tokens = run(main())
    stream = io.StringIO()
    for record in caplog.records:
        stream.write(caplog.handler.format(record))
    assert "resign failed" in stream.getvalue()
    assert not any(token in stream.getvalue() for token in tokens)


def test_a_client_that_leaves_is_no_error_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    """A browser that closes a page while its request is answered leaves nothing in the log."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house())

            def leave(*_: object) -> None:
                raise ConnectionResetError("Cannot write to closing transport")

            visit.site.tables.leave = leave  # type: ignore[assignment, method-assign]
            await visit.post(f"/api/tables/{table}/resign", token=token)

    with caplog.at_level(logging.WARNING):
        run(main())
    assert "resign failed" not in caplog.text


def test_caps_on_tables() -> None:
    """No more than there may be, in all and of one address; a finished one makes room."""

    async def main() -> None:
        async with site(caps=Caps(tables=3, per_address=2)) as visit:
            first, [token] = await visit.table("hexapawn", me(), OPEN)
            await visit.table("hexapawn", me(), OPEN)
            status, told = await visit.post("/api/tables", NEW)
            assert (status, told["error"]) == (429, "too_many")
            assert "you have 2 tables" in told["message"]
            await visit.post(f"/api/tables/{first}/resign", token=token)
            assert (await visit.post("/api/tables", NEW))[0] == 201

    run(main())


def test_finished_tables_make_room_in_the_list() -> None:
    async def main() -> None:
        async with site(caps=Caps(finished=2)) as visit:
            ids = []
            for _ in range(4):
                table, _ = await visit.table("hexapawn", house(), house())
                await visit.result(table)
                ids.append(table)
            _, listed = await visit.get("/api/tables")
            assert [table["id"] for table in listed["tables"]] == ids[:0:-1]

    run(main())


def test_idle_tables_are_closed() -> None:
    """An open one goes; a running one is void, and that is nobody's loss."""

    async def main() -> None:
        async with site(caps=Caps(open_seconds=-1, idle_seconds=-1)) as visit:
            waiting, _ = await visit.table("hexapawn", me(), OPEN)
            running, [token] = await visit.table("hexapawn", me(), house(), clock=None)
            async with live(visit, running, token) as ann:
                await ann.turn()
                visit.site.tables.tidy()
                while ann.screen.now["result"] is None:
                    await ann.line()
                assert ann.screen.now["result"]["verdict"] == "void"
                assert ann.screen.now["clocks"] == [None, None]
            assert waiting not in visit.site.tables.by_id

    run(main())


def test_rates() -> None:
    """Also of this machine, where it is not trusted: so many at once, then it is told to wait."""

    async def main() -> None:
        rates = Rates(requests=(5, 0.1), trust_loopback=False)
        async with site(rates=rates) as visit:
            codes = [(await visit.get("/api/status"))[0] for _ in range(7)]
            assert codes == [200] * 5 + [429] * 2
            async with visit.http.get("/api/status") as response:
                assert int(response.headers["Retry-After"]) >= 1
        rates = Rates(tables=(1, 0.1), trust_loopback=False)
        async with site(rates=rates) as visit:
            codes = [(await visit.post("/api/tables", NEW))[0] for _ in range(2)]
            assert codes == [201, 429]

    run(main())


def test_a_bucket_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("touchline.web.guard.time.monotonic", lambda: now)
    bucket = TokenBucket(2, 0.5)
    assert [bucket.take("a"), bucket.take("a"), bucket.take("a"), bucket.take("b")] == [0, 0, 2, 0]
    now += 2
    assert [bucket.take("a"), bucket.take("a")] == [0, 2]


def test_live_connections_of_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("touchline.web.address_limits.MOST_CONNECTIONS", 1)

    async def main() -> None:
        async with site(rates=Rates(trust_loopback=False)) as visit:
            async with visit.http.ws_connect("/api/lobby/live") as ws:
                await ws.receive_json()
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await visit.http.ws_connect("/api/lobby/live")
                assert refused.value.status == 429
            await until(lambda: not visit.site.limits._live)
            async with visit.http.ws_connect("/api/lobby/live") as ws:
                await ws.receive_json()

    run(main())


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("{", 4400), ("[]", 4400), ('{"type":"dance"}', 4400), ('{"type":"resign"}', 4400),
        ('{"type":"move","turn":0,"choice":0}', 4400), ('{"type":"seat"}', 4400), ("x" * 20_000, 1009),
    ],
)  # fmt: skip
def test_bad_words_on_a_socket(word: str, code: int) -> None:
    """Closed with a code that says why."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", me(), OPEN)
            async with visit.http.ws_connect(f"/api/tables/{table}/live") as ws:
                await ws.send_str(word)
                while (message := await ws.receive()).type is aiohttp.WSMsgType.TEXT:
                    assert json.loads(message.data)["type"] == "error"
                assert message.type is aiohttp.WSMsgType.CLOSE
                assert message.data == code

    run(main())


def test_a_spectator_that_talks_and_one_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("touchline.web.handlers.live.FIRST_WORD", 0.02)

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", me(), OPEN)
            async with live(visit, table) as talker:
                await talker.line()
                await talker.ws.send_json({"type": "resign"})
                told = (await talker.kind("error"))["message"]
                assert told == "only the browser of a seat may send more than its first message"
            async with visit.http.ws_connect(f"/api/tables/{table}/live") as ws:
                assert (
                    json.loads((await ws.receive()).data)["message"]
                    == "send a message of type watch or seat first"
                )
                assert (await ws.receive()).data == 4400

    run(main())


def test_files_are_kept_by_browsers_until_they_change() -> None:
    async def main() -> None:
        async with site() as visit:
            await visit.get("/api/games")  # the page changes when they are known
            async with visit.http.get("/") as response:
                assert response.content_type == "text/html"
                tag = response.headers["ETag"]
            async with visit.http.get("/", headers={"If-None-Match": tag}) as response:
                assert (response.status, await response.read()) == (304, b"")

    run(main())


def test_stopping_tells_everybody() -> None:
    """Matches are void, sockets close with 1001 or the end, and nobody is left waiting."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("hexapawn", me(), house())
            async with live(visit, table, token) as ann, visit.http.ws_connect("/api/lobby/live") as lobby:
                await ann.turn()
                await lobby.receive_json()
                stopping = asyncio.create_task(visit.site.stop())
                while ann.screen.now["result"] is None:
                    assert await ann.line() is not None
                assert ann.screen.now["result"]["verdict"] == "void"
                while (message := await lobby.receive()).type is aiohttp.WSMsgType.TEXT:
                    pass
                assert message.data == 1001
                await stopping

    run(main())


def test_matches_at_the_ports_do_not_fill_the_page() -> None:
    """Each door has its own limit: the page still makes tables, and lists its own finished ones."""

    async def main() -> None:
        async with site(caps=Caps(tables=2, finished=1)) as visit:
            tables = visit.site.tables
            own, _ = await visit.table("hexapawn", house(), house())
            await visit.result(own)
            spec, events = played("hexapawn")
            for _ in range(3):
                for see in tables.adopt(spec, ["remote", "remote"]):
                    for event in events:
                        see(event)
            for _ in range(5):
                tables.adopt(spec, ["remote", "remote"])
            shown = [table.state for table in tables.by_id.values() if table.at_ports]
            assert sorted(shown) == ["finished", "running", "running"]
            assert own in tables.by_id
            assert [(await visit.post("/api/tables", NEW))[0] for _ in range(3)] == [201, 201, 429]

    run(main())


def test_a_match_that_is_not_shown_is_recorded() -> None:
    async def main() -> None:
        async with site(caps=Caps(tables=0)) as visit:
            spec, events = played("hexapawn")
            seen: list[Any] = []
            for see in visit.site.tables.adopt(spec, ["remote", "remote"], MatchRecord([seen.append])):
                for event in events:
                    see(event)
            assert (seen, visit.site.tables.by_id) == (events, {})

    run(main())


def test_seats_of_one_address() -> None:
    """One address takes only so many seats, at its own tables or at others'; a seat it leaves is free."""

    async def main() -> None:
        async with site(caps=Caps(seats=2)) as visit:
            first, _ = await visit.table("hexapawn", me(), OPEN)
            second, _ = await visit.table("hexapawn", OPEN, OPEN)
            status, taken = await visit.post(f"/api/tables/{second}/join", {"name": "bob"})
            assert status == 201
            status, told = await visit.post(f"/api/tables/{first}/join", {"name": "cy"})
            assert (status, told["error"]) == (429, "too_many")
            assert (await visit.post("/api/tables", NEW))[0] == 429
            token = taken["seats"][0]["token"]
            assert (await visit.post(f"/api/tables/{second}/resign", token=token))[0] == 200
            assert (await visit.post(f"/api/tables/{first}/join", {"name": "cy"}))[0] == 201

    run(main())

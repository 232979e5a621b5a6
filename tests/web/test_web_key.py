"""The organiser's key: who plays or has the server think needs it, who watches does not."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from cli.test_serve_join import running
from touchline.transports.shared import reachable
from touchline.web.guard import same_secret
from touchline.web.routes import ROUTES
from web.sites import OPEN, SMALL, Visit, house, live, me, run, site
from web.test_web_serve import fetched

KEY = "schlüssel 100%"
NEW = {"game": "hexapawn", "seats": [me(), OPEN]}


async def codes(visit: Visit, table: str, token: str, record: str, **headers: str) -> list[tuple[int, str]]:
    """What each request that needs the key is answered."""
    answers: list[tuple[int, Any]] = [
        await visit.post("/api/tables", NEW, **headers),
        await visit.post(f"/api/tables/{table}/join", {"name": "bob"}, **headers),
        await visit.post(f"/api/tables/{table}/hint", token=token, **headers),
        await visit.post("/api/records", b"{}", **headers),
        await visit.get(f"/api/records/{record}/analysis", **headers),
    ]
    return [(status, told.get("error", "")) for status, told in answers]


def test_what_needs_the_key() -> None:
    """Tables, seats, hints, uploads and analyses do; a wrong key is as good as none."""

    async def main() -> None:
        async with site(key=KEY) as visit:
            own = {"Touchline_Key": "schl%C3%BCssel%20100%25"}
            new = {"game": "hexapawn", "options": SMALL["hexapawn"], "pace": 0}
            status, made = await visit.post("/api/tables", {**new, "seats": [house(), house()]}, **own)
            assert status == 201
            record = (await visit.result(made["table"]["id"]))["record"]
            status, made = await visit.post("/api/tables", {**new, "seats": [me(), OPEN]}, **own)
            table, token = made["table"]["id"], made["seats"][0]["token"]
            refused = [(401, "no_key")] * 5
            assert await codes(visit, table, token, record) == refused
            assert await codes(visit, table, token, record, Touchline_Key="") == refused
            assert await codes(visit, table, token, record, Touchline_Key="schl%C3%BCssel") == refused
            told = await codes(visit, table, token, record, **own)
            assert [status for status, _ in told] == [201, 201, 409, 400, 200]

    run(main())


def test_what_needs_no_key() -> None:
    """Watching, pictures, and everything that a seat's token opens."""

    async def main() -> None:
        async with site(key="k") as visit:
            _, made = await visit.post("/api/tables", {**NEW, "seats": [me(), house()]}, Touchline_Key="k")
            table, token = made["table"]["id"], made["seats"][0]["token"]
            free = ("/", "/api/games", "/api/tables", f"/api/tables/{table}/svg", "/api/records", "/api/cups")
            assert {(await visit.get(path))[0] for path in free} == {200}
            async with live(visit, table) as watcher, live(visit, table, token) as ann:
                assert (await watcher.kind("snapshot"))["table"]["id"] == table
                assert (await ann.move(0))["verdict"] == "accepted"
            assert (await visit.post(f"/api/tables/{table}/resign", token=token))[0] == 200

    run(main())


def test_the_rule_is_in_the_table_of_routes() -> None:
    """Every POST needs the key but those with a token, and of the rest only the analysis does."""
    keyed = {(route.method, route.path) for route in ROUTES if route.key}
    posts = {(route.method, route.path) for route in ROUTES if route.method == "POST"}
    moves = {("POST", "/api/tables/{id}/move"), ("POST", "/api/tables/{id}/resign")}
    with_token = moves | {("POST", "/api/tables/{id}/rematch"), ("POST", "/api/league/versions")}
    assert keyed == posts - with_token | {("GET", "/api/records/{id}/analysis")}


def test_keys_cannot_be_guessed_quickly() -> None:
    async def main() -> None:
        async with site(key="k") as visit:
            tried = [(await visit.post("/api/tables", NEW, Touchline_Key=f"{n}"))[0] for n in range(12)]
            assert tried == [401] * 10 + [429] * 2
            assert (await visit.post("/api/tables", NEW, Touchline_Key="k"))[0] == 201

    run(main())


def test_a_join_line_has_an_address_that_others_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that listens everywhere tells programs its host name, or else the address of the machine."""
    monkeypatch.setattr(reachable, "EVERYWHERE", ("127.0.0.1",))
    monkeypatch.setattr(reachable, "ELSEWHERE", ("127.0.0.2", 9))

    async def main(*names: str) -> str:
        async with site(names=names) as visit:
            new = {"game": "hexapawn", "seats": [me(), {"kind": "remote"}]}
            _, made = await visit.post("/api/tables", new)
            line: str = made["seats"][1]["join"]
            return line

    assert " tcp://play.example:" in run(main("play.example:8443"))
    assert " tcp://127.0.0." in run(main())


def test_a_secret_may_be_any_text() -> None:
    """It is given as it is or percent-encoded, and a percent sign in it is no escape."""
    for secret in ("k", "a%41", "100%", "schlüssel"):
        assert same_secret(secret, secret)
        assert same_secret(secret, quote(secret, safe=""))
        assert not same_secret(secret, "aA")
    assert not same_secret("k", "\udcff")


def test_a_public_server_has_a_key() -> None:
    """It is printed, with a link for browsers; the page asks for it wherever it listens."""
    with running("serve", "--page", "127.0.0.1:0", "--public") as server:
        key = server.complaint().removeprefix("a seat needs this key: ").strip()
        url = server.complaint().removeprefix("the page is at ").strip()
        assert server.complaint().strip() == f"anybody may watch; to play there, open {url}#key={key}"
        assert fetched(f"{url}api/tables") == {"tables": []}
        with pytest.raises(OSError, match="401"):
            fetched(f"{url}api/tables", NEW)
    with running("serve", "--page", "127.0.0.1:0", "--public", "--no-key") as server:
        url = server.complaint().removeprefix("the page is at ").strip()
        assert fetched(f"{url}api/tables", NEW)["table"]["state"] == "open"

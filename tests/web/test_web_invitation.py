"""Friends by link and QR code: which links lead to this machine, and whom the guard lets in by them."""

from __future__ import annotations

import ipaddress
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import aiohttp
import pytest

from cli.test_serve_join import running
from touchline.transports.shared import own_addresses as addresses
from touchline.web import invitation as links
from touchline.web.app import Site
from touchline.web.invitation import HOW, NO_NETWORK, Places, invitation, qr_code
from web.sites import OPEN, Here, Visit, me, run, site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

KEY = "100% geheim"


@asynccontextmanager
async def listening(host: str, **options: Any) -> AsyncIterator[tuple[Visit, int]]:
    """A site that listens at this address, and a browser on this machine."""
    here = Site(workers=Here(), **options)
    url = await here.start(host, 0)
    port = int(url.rstrip("/").rpartition(":")[2])
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.{2 if host == '127.0.0.2' else 1}:{port}") as http:
            yield Visit(here, url, http), port
    finally:
        await here.stop()


def test_a_page_for_this_machine_says_so() -> None:
    """One link, and how to let others in."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", me(), OPEN)
            status, told = await visit.get(f"/api/invitation?table={table}")
            assert status == 200
            assert told == {
                "links": [{"url": f"{visit.url}t/{table}", "where": "this computer only"}],
                "reachable": False, "advice": HOW,
            }  # fmt: skip
            assert (await visit.get("/api/invitation"))[1]["links"][0]["url"] == visit.url
            assert (await visit.get("/api/invitation?table=nobody"))[0] == 404

    run(main())


def test_a_friend_comes_by_the_address_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that listens everywhere is opened, joined and played at any address of the machine."""
    monkeypatch.setattr(links, "own_addresses", lambda: ["127.0.0.3"])
    monkeypatch.setattr(links, "is_here", lambda base: "127.0.0.1" in base)

    async def main() -> None:
        async with listening("0.0.0.0") as (visit, port):
            table, _ = await visit.table("hexapawn", me(), OPEN)
            _, told = await visit.get(f"/api/invitation?table={table}")
            friends = f"http://127.0.0.3:{port}"
            assert told == {
                "links": [
                    {"url": f"{friends}/t/{table}", "where": "your network"},
                    {"url": f"http://127.0.0.1:{port}/t/{table}", "where": "this computer only"},
                ],
                "reachable": True, "advice": "",
            }  # fmt: skip
            async with aiohttp.ClientSession(friends) as http:
                friend = Visit(visit.site, friends, http)
                assert (await friend.get(f"/t/{table}"))[0] == 200
                status, seated = await friend.post(
                    f"/api/tables/{table}/join", {"name": "bob"}, Origin=friends
                )
                assert status == 201
                _, mine = await friend.get(f"/api/invitation?table={table}")
                assert mine["links"][0]["url"] == f"{friends}/t/{table}"
                headers = {"Origin": friends}
                async with http.ws_connect(f"/api/tables/{table}/live", headers=headers) as ws:
                    await ws.send_json({"type": "seat", "token": seated["seats"][0]["token"]})
                    assert (await ws.receive_json())["type"] == "snapshot"
                assert (await friend.get("/", Host=f"evil.example:{port}"))[0] == 421, "a rebound name"
                assert (await friend.get("/", Host=f"127.0.0.3:{port + 1}"))[0] == 421, "another port"
                assert (await friend.post("/api/tables", {}, Origin="http://evil.example"))[0] == 403

    run(main())


def test_a_page_at_one_address_goes_by_it() -> None:
    """And by no other, but those of loopback."""

    async def main() -> None:
        async with listening("127.0.0.2") as (visit, port):
            assert (await visit.get("/api/status"))[0] == 200
            assert (await visit.get("/api/status", Host=f"127.0.0.9:{port}"))[0] == 421

    run(main())


def test_the_key_is_passed_on_by_who_has_it() -> None:
    """In the fragment, which no browser sends; a wrong key gets the links without it, and is counted."""

    async def main() -> None:
        async with site(key=KEY) as visit:
            own = {"Touchline_Key": quote(KEY)}
            _, made = await visit.post("/api/tables", {"game": "hexapawn", "seats": [me(), OPEN]}, **own)
            table = made["table"]["id"]
            path = f"/api/invitation?table={table}"
            [told] = (await visit.get(path, **own))[1]["links"]
            assert told["url"] == f"{visit.url}#table={table}&key={quote(KEY, safe='')}"
            [bare] = (await visit.get(path))[1]["links"]
            assert bare["url"] == f"{visit.url}t/{table}"
            for url in (told["url"], bare["url"]):
                status, drawn = await visit.get(f"/api/tables/{table}/qr.svg?url={quote(url, safe='')}")
                assert (status, drawn[:4]) == (200, b"<svg")
            tried = [(await visit.get(path, Touchline_Key="x"))[0] for _ in range(12)]
            assert tried == [200] * 10 + [429] * 2

    run(main())


def test_a_qr_code_is_one_of_an_own_link() -> None:
    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", me(), OPEN)
            good = f"{visit.url}t/{table}"
            for url in ("", "http://evil.example/", visit.url, good + "x", good + "#", f"{good}&key=x"):
                status, told = await visit.get(f"/api/tables/{table}/qr.svg?url={quote(url, safe='')}")
                assert (status, told["error"]) == (400, "bad_request"), url
            async with visit.http.get(f"/api/tables/{table}/qr.svg", params={"url": good}) as response:
                assert response.content_type == "image/svg+xml"
                assert await response.read() == qr_code(good)

    run(main())


@pytest.mark.parametrize(
    ("host", "names", "asked", "others"),
    [
        ("127.0.0.1", (), "http://127.0.0.1:80", []),
        ("127.0.0.1", ("play.example",), None, ["http://play.example:80"]),
        ("127.0.0.1", ("play.example:8443",), "http://localhost:80", ["http://play.example:8443"]),
        ("0.0.0.0", (), "http://127.0.0.1:80", ["http://192.0.2.7:80"]),
        ("0.0.0.0", ("play.example",), "http://[::1]:80", ["http://play.example:80"]),
        ("192.0.2.9", (), "http://localhost:80", ["http://192.0.2.9:80"]),
        ("2001:db8::1", (), None, ["http://[2001:db8::1]:80"]),
        ("0.0.0.0", (), "https://play.example", ["https://play.example"]),
    ],
)
def test_which_links_lead_here(
    host: str, names: tuple[str, ...], asked: str | None, others: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client elsewhere hears of the address only that it uses itself."""
    monkeypatch.setattr(links, "own_addresses", lambda: ["192.0.2.7"])
    assert Places(host, 80, names).others(asked) == others


def test_a_machine_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "own_addresses", list)
    told = invitation(Places("0.0.0.0", 80), None, None, None)
    assert (told.reachable, told.advice) == (False, NO_NETWORK)


def test_own_addresses_are_found_without_sending(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither loopback nor those of containers are among them."""
    assert all(not ipaddress.ip_address(each).is_loopback for each in addresses.own_addresses())
    monkeypatch.setattr(addresses, "_routed", list)
    monkeypatch.setattr(addresses, "_of_interfaces", lambda: ["127.0.0.1", "169.254.1.1", "192.0.2.7"])
    assert addresses.own_addresses() == ["192.0.2.7"]


def test_the_command_line_lets_others_in() -> None:
    """With a key, as any page that others can reach."""
    with running("serve", "--host", "127.0.0.2") as server:
        key = server.complaint().removeprefix("a seat needs this key: ").strip()
        url = server.complaint().removeprefix("the page is at ").strip()
        assert url.startswith("http://127.0.0.2:")
        assert server.complaint().strip() == f"anybody may watch; to play there, open {url}#key={key}"

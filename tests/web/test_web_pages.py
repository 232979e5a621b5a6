"""Paths of people: wrong ones, shared ones, and a server that is starting."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from touchline.core.errors import BadOptions
from touchline.transports.shared.addresses import TrustedProxies
from touchline.transports.shared.gate import bound
from touchline.web import app
from touchline.web.app import Site
from touchline.web.guard import HEADERS
from web.sites import OPEN, Here, Visit, house, me, run, site

if TYPE_CHECKING:
    from touchline.web.workers import jobs

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
NASTY = '"><script>alert(1)</script>'
TAG = re.compile(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">')


async def page(visit: Visit, path: str, **headers: str) -> tuple[int, str]:
    async with visit.http.get(path, headers={**BROWSER, **headers}) as response:
        assert {name: response.headers[name] for name in HEADERS} == HEADERS
        return response.status, await response.text()


def tags(text: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in TAG.findall(text)}


def test_a_wrong_path_is_a_page_that_leads_on() -> None:
    """For a browser; a program gets JSON, and so does everybody below /api/, /static/ and /art/."""

    async def main() -> None:
        async with site() as visit:
            status, text = await page(visit, "/foo/bar")
            assert status == 404
            assert 'href="/"' in text
            assert re.search(r'href="/static/style\.\w+\.css"', text), "in our looks"
            assert "/foo" not in text
            status, told = await visit.get("/foo")
            assert (status, told["error"]) == (404, "not_found")
            for path in ("/api/foo", "/static/foo.js", "/art/foo.svg"):
                status, text = await page(visit, path)
                assert (status, text[:9]) == (404, '{"error":')

    run(main())


def test_a_link_to_a_table_says_what_it_is() -> None:
    """In words and with absolute addresses; the names of others stay text."""

    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", me(NASTY), OPEN)
            status, text = await page(visit, f"/t/{table}")
            found = tags(text)
            assert status == 200
            assert found["robots"] == "noindex"
            assert found["og:title"] == f"Hexapawn: {NASTY}"
            assert (
                found["og:description"]
                == f"{NASTY} would like to play Hexapawn. Open the link to take a seat."
            )
            assert found["og:url"] == f"{visit.url}t/{table}"
            assert found["og:image"] == found["twitter:image"] == f"{visit.url}api/tables/{table}/card.png"
            assert found["twitter:card"] == "summary_large_image"
            assert "<script>" not in text
            assert (await page(visit, "/t/nowhere"))[0] == 404

    run(main())


def test_a_link_to_a_record_says_how_it_ended() -> None:
    async def main() -> None:
        async with site() as visit:
            table, _ = await visit.table("hexapawn", house(), house())
            record = (await visit.result(table))["record"]
            status, text = await page(visit, f"/r/{record}")
            assert status == 200
            assert "played Hexapawn" in tags(text)["og:description"]
            assert tags(text)["og:image"] == f"{visit.url}api/records/{record}/card.png"
            assert "finished" not in tags(await shared(visit, table))["og:url"]
            assert (await page(visit, "/r/nowhere"))[0] == 404

    async def shared(visit: Visit, table: str) -> str:
        return (await page(visit, f"/t/{table}"))[1]

    run(main())


def test_a_link_has_no_token() -> None:
    """Nor anything else that a spectator does not get: the goals of Labyrinth are in no page."""

    async def main() -> None:
        async with site() as visit:
            table, [token] = await visit.table("labyrinth", me(), house())
            _, text = await page(visit, f"/t/{table}")
            assert token not in text
            assert "goal" not in " ".join(tags(text).values())

    run(main())


@pytest.mark.parametrize(("trusted", "scheme"), [((), "http"), (("127.0.0.1",), "https")])
def test_only_a_trusted_proxy_says_which_scheme(trusted: tuple[str, ...], scheme: str) -> None:
    """Anybody may send the header."""

    async def main() -> None:
        async with site(proxies=TrustedProxies(trusted)) as visit:
            _, text = await page(visit, "/", **{"X-Forwarded-Proto": "https"})
            assert tags(text)["og:url"].startswith(f"{scheme}://127.0.0.1:")

    run(main())


def test_the_catalogue_in_the_page_ends_no_script(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of a third party may say anything about itself."""
    monkeypatch.setattr(Site, "known_games", lambda self: b'{"about":"</script><b>"}')

    async def main() -> None:
        async with site() as visit:
            _, text = await page(visit, "/")
            assert '{"about":"\\u003c/script>\\u003cb>"}</script>' in text

    run(main())


class Slow(Here):
    """Looks the games up when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()

    async def do(self, job: jobs.Job, kind: type[Any], **others: Any) -> Any:
        await self.may.wait()
        return await super().do(job, kind, **others)


def test_health_says_what_the_server_waits_for() -> None:
    async def main() -> None:
        workers = Slow()
        async with site(workers=workers) as visit:
            assert await visit.get("/api/health") == (
                503,
                {"ready": False, "why": "the games are being looked up"},
            )
            workers.may.set()
            await visit.get("/api/games")
            assert await visit.get("/api/health") == (200, {"ready": True, "why": None})
            visit.site._is_set_up.clear()
            status, told = await visit.get("/api/health")
            assert (status, told["ready"]) == (503, False)

    run(main())


def test_a_server_that_takes_long_to_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser gets a page that loads itself again, a program 503 and the seconds to wait."""
    monkeypatch.setattr(app, "WAITING", 0.01)

    async def main() -> None:
        async with site() as visit:
            visit.site._is_set_up.clear()
            status, text = await page(visit, "/")
            assert status == 503
            assert '<meta http-equiv="refresh" content="2">' in text
            async with visit.http.get("/api/status") as response:
                assert (response.status, response.headers["Retry-After"]) == (503, "2")

    run(main())


def test_a_start_that_fails_answers_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who connects meanwhile waits; the port is free again afterwards."""

    async def main() -> None:
        here = Site(workers=Here())
        ports: list[int] = []

        async def refused(host: str, old: int | None, proxies: TrustedProxies) -> Any:
            assert here._gate is None, "nobody is let in yet"
            raise OSError(98, "taken")

        async def noted(host: str, port: int) -> Any:
            sockets = await bound(host, port)
            ports.append(sockets[0].getsockname()[1])
            return sockets

        monkeypatch.setattr(app, "bound", noted)
        monkeypatch.setattr(here._programs, "listen", refused)
        with pytest.raises(BadOptions, match="taken"):
            await here.start("127.0.0.1", 0)
        for socket in await bound("127.0.0.1", ports[0]):
            socket.close()
        await here.stop()

    run(main())

"""The league on the page: submissions with a token, private feedback, the public table, the live feed."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import msgspec

from league.leagues import FakePool, Hall, at_fault, bot, league, won_by
from touchline.league.feedback import CheckNotes
from touchline.league.front_desk import FrontDesk
from touchline.tournament.ledger import open_ledger
from touchline.web import schema
from touchline.web.app import Site
from touchline.web.live.cups import cup_sources
from touchline.web.live.league import LeagueDesk
from web.sites import Here, run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from touchline.core.events import Result
    from touchline.tournament.worker import Job

BYTES = {"Content-Type": "application/octet-stream"}


def _result(job: Job, names: tuple[str, ...]) -> Result:
    """Eve plays nonsense; in other games the first seat wins."""
    return at_fault(names.index("eve v1")) if "eve v1" in names else won_by(0)


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", **BYTES}


@asynccontextmanager
async def _site(folder: Path) -> AsyncIterator[tuple[Hall, aiohttp.ClientSession, str]]:
    """A league over workers that draw results, its page, and a client."""
    hall = Hall(folder, league("[quotas]\nbytes = 20_000\nsubmissions = 2"), FakePool(_result))

    def open_desk() -> FrontDesk:
        return FrontDesk(open_ledger(hall.where, durable=False), hall.store, hall.league, hall.run.wake)

    (source,) = cup_sources([(hall.where, hall.ledger)], leagues=True)
    desk = LeagueDesk(hall.run, open_desk, hall.feedback, source.id)
    site = Site(workers=Here(), cups=[source], league=desk, key="organiser")
    url = (await site.start("127.0.0.1", 0)).rstrip("/")
    try:
        async with aiohttp.ClientSession(trust_env=False) as client:
            yield hall, client, url
    finally:
        await site.stop()
        desk.close()
        hall.close()


async def _said(answer: Any) -> tuple[int, Any]:
    async with answer as response:
        return response.status, json.loads(await response.read())


def test_an_entrant_hands_in_a_version_and_sees_what_is_its_own(tmp_path: Path) -> None:
    """Status, reason, faults, stderr and the record of the check, for its own token only."""

    async def main() -> None:
        async with _site(tmp_path) as (hall, client, url):
            ann, eve = hall.token("ann"), hall.token("eve")
            path = f"{url}/api/league/versions"
            for token in (ann, eve):
                told = await _said(
                    client.post(f"{path}?name=bot.py", data=bot(token[:4]), headers=_bearer(token))
                )
                assert told[0] == 201
                assert told[1]["status"] == "checking"
            hall.until(lambda: hall.run.gallery.games >= 4)
            hall.feedback.keep_check("eve v1", CheckNotes("Traceback", '{"a": 1}\n'))
            hall.feedback.keep("eve v1", "r0000-t0000", "a secret of eve")
            status, own = await _said(client.get(path, headers=_bearer(eve)))
            assert msgspec.convert(own, schema.OwnVersions).entrant == "eve"
            (version,) = own["versions"]
            assert (version["status"], version["check_stderr"]) == ("rejected", "Traceback")
            assert version["stderr"] == [{"game": "r0000-t0000", "text": "a secret of eve"}]
            check = f"{path}/eve%20v1/check"
            async with client.get(check, headers=_bearer(eve)) as record:
                assert (record.status, await record.read()) == (200, b'{"a": 1}\n')
            assert (await _said(client.get(check, headers=_bearer(ann))))[0] == 404
            status, own = await _said(client.get(path, headers=_bearer(ann)))
            assert (status, [one["version"] for one in own["versions"]]) == (200, ["ann v1"])
            assert "eve" not in json.dumps(own)

    run(main())


def test_what_is_public_holds_no_secret(tmp_path: Path) -> None:
    """The table, the feed and the games tell nothing of tokens, hashes, stderr or reasons of rejections."""

    async def main() -> None:
        async with _site(tmp_path) as (hall, client, url):
            tokens = {name: hall.token(name) for name in ("ann", "eve")}
            for name, token in tokens.items():
                hall.desk.submit(token, bot(name), "bot.py")
            hall.until(lambda: hall.run.gallery.games >= 4)
            hall.feedback.keep("ann v1", "r0000-t0000", "a secret of ann")
            _, seen = await _said(client.get(f"{url}/api/league"))
            public = msgspec.convert(seen, schema.LeagueSeen)
            assert "ann v1" in [row.version for row in public.league.table]
            _, games = await _said(client.get(f"{url}/api/cups/{public.cup}/games"))
            async with client.get(f"{url}/api/league/watch") as feed:
                line = await feed.content.readline()
            assert msgspec.json.decode(line, type=schema.LeagueLine).league == hall.run.view
            assert games["total"] >= 4
            secrets = [
                *tokens.values(),
                "a secret",
                "no such move",
                "eve",
                hall.run.roster.versions["ann v1"].digest,
            ]
            text = json.dumps([seen, games]) + line.decode()
            assert [secret for secret in secrets if secret in text] == []

    run(main())


def test_who_may_hand_in_what(tmp_path: Path) -> None:
    """No token, a wrong one, too many bytes, another type, too many versions: each with its own status."""

    async def main() -> None:
        async with _site(tmp_path) as (hall, client, url):
            path, ann = f"{url}/api/league/versions?name=bot.py", hall.token("ann")
            assert (await _said(client.post(path, data=bot(), headers=BYTES)))[0] == 401
            assert (await _said(client.post(path, data=bot(), headers=_bearer("wrong"))))[0] == 401
            assert (await _said(client.get(path, headers=_bearer("wrong"))))[0] == 401
            assert (await _said(client.post(path, data=bytes(20_001), headers=_bearer(ann))))[0] == 413
            typed = {**_bearer(ann), "Content-Type": "text/html"}
            assert (await _said(client.post(path, data=bot(), headers=typed)))[0] == 415
            for mark in ("a", "b"):
                assert (await _said(client.post(path, data=bot(mark), headers=_bearer(ann))))[0] == 201
            status, told = await _said(client.post(path, data=bot("c"), headers=_bearer(ann)))
            assert (status, told["error"]) == (429, "too_many")
            foreign = {**_bearer(ann), "Origin": "http://evil.example"}
            assert (await _said(client.post(path, data=bot("d"), headers=foreign)))[0] == 403

    run(main())


def test_a_wrong_token_is_not_guessed(tmp_path: Path) -> None:
    """After a few wrong tokens an address waits, also one of this machine."""

    async def main() -> None:
        async with _site(tmp_path) as (_, client, url):
            path = f"{url}/api/league/versions"
            statuses = [(await _said(client.get(path, headers=_bearer(f"{n}"))))[0] for n in range(15)]
            assert statuses[0] == 401
            assert statuses[-1] == 429

    run(main())


def test_an_entrant_sends_one_upload_at_a_time(tmp_path: Path) -> None:
    """A second one during the first is refused; when the first is done, another one is taken."""

    async def main() -> None:
        async with _site(tmp_path) as (hall, client, url):
            path, ann, more = f"{url}/api/league/versions?name=bot.py", hall.token("ann"), asyncio.Event()

            async def slowly() -> AsyncIterator[bytes]:
                yield bot("slow")
                await more.wait()

            first = asyncio.ensure_future(_said(client.post(path, data=slowly(), headers=_bearer(ann))))
            probe, statuses = bytes(20_001), [413]  # too large, so it never becomes a version
            while statuses[-1] == 413:
                statuses.append((await _said(client.post(path, data=probe, headers=_bearer(ann))))[0])
            assert statuses[-1] == 409
            more.set()
            assert (await first)[0] == 201

    run(main())


def test_the_page_of_a_league_server_is_the_league(tmp_path: Path) -> None:
    """The root leads there; the league is no cup of the lobby, and has no standings of a cup."""

    async def main() -> None:
        async with _site(tmp_path) as (_, client, url):
            async with client.get(url, allow_redirects=False) as root:
                assert (root.status, root.headers["Location"]) == (302, "/league")
            async with client.get(f"{url}/league") as page:
                assert page.status == 200
                assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            assert (await _said(client.get(f"{url}/api/cups")))[1] == {"cups": []}
            _, seen = await _said(client.get(f"{url}/api/league"))
            assert (await _said(client.get(f"{url}/api/cups/{seen['cup']}")))[0] == 404

    run(main())


def test_a_server_without_a_league_says_so() -> None:
    """Every path of the league answers with 404 and a sentence."""

    async def main() -> None:
        site = Site(workers=Here())
        url = (await site.start("127.0.0.1", 0)).rstrip("/")
        try:
            async with aiohttp.ClientSession(trust_env=False) as client:
                for path in ("/api/league", "/api/league/watch", "/api/league/versions"):
                    status, told = await _said(client.get(url + path))
                    assert (status, "touchline league serve" in told["message"]) == (404, True)
        finally:
            await site.stop()

    run(main())

"""Requests about the league: table, live feed, submissions, and an entrant's own versions.

Rule of this file: a token is checked before the body of an upload is read, and wrong tokens are rate limited.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from touchline.core.errors import UnknownName
from touchline.league.front_desk import QuotaReached, WrongToken
from touchline.web.guard import address_of
from touchline.web.handlers.live import lines
from touchline.web.handlers.records import NDJSON
from touchline.web.http import Problem, answer, body, token

if TYPE_CHECKING:
    from touchline.web.app import Site
    from touchline.web.live.league import LeagueDesk

TYPES = ("application/octet-stream", "application/zip", "application/wasm", "text/x-python")
LONGEST_NAME = 200


def _desk(site: Site) -> LeagueDesk:
    if site.league is None:
        raise Problem(404, "not_found", "there is no league here; `touchline league serve` starts one")
    return site.league


async def _token(site: Site, desk: LeagueDesk, request: web.Request) -> tuple[str, str]:
    """Return the token of a request, and the entrant whose it is. Wrong ones are rate limited."""
    given = token(request)
    if given is None:
        raise Problem(401, "no_token", "this needs your token, as in Authorization: Bearer TOKEN")
    try:
        return given, await desk.owner(given)
    except WrongToken as error:
        site.limits.count_wrong_token(address_of(request))
        raise Problem(401, "no_token", str(error)) from None


async def one(site: Site, request: web.Request) -> web.Response:
    return answer(_desk(site).seen())


async def submit(site: Site, request: web.Request) -> web.Response:
    """Take a version; it is on the disk when this is answered."""
    desk = _desk(site)
    site.limits.count_costly(request)
    given, entrant = await _token(site, desk, request)
    name = request.query.get("name", "")[:LONGEST_NAME]
    async with desk.upload(entrant):
        data = await body(request, desk.most_bytes, TYPES)
        try:
            return answer(await desk.submit(given, data, name), 201)
        except QuotaReached as error:
            raise Problem(429, "too_many", str(error), error.wait) from None
        except WrongToken as error:  # ejected while the upload came in
            raise Problem(401, "no_token", str(error)) from None


async def versions(site: Site, request: web.Request) -> web.Response:
    desk = _desk(site)
    return answer(await desk.versions((await _token(site, desk, request))[0]))


async def check_record(site: Site, request: web.Request) -> web.Response:
    desk = _desk(site)
    given, _ = await _token(site, desk, request)
    try:
        record = await desk.check_record(given, request.match_info["version"])
    except UnknownName as error:
        raise Problem(404, "not_found", str(error)) from None
    return web.Response(body=record, headers={"Content-Type": NDJSON, "Cache-Control": "no-store"})


async def watch(site: Site, request: web.Request) -> web.StreamResponse:
    _desk(site)
    feed = site.league_feed
    assert feed is not None
    if len(feed.members) >= site.tables.caps.spectators:
        raise Problem(429, "too_many", "this league has its full number of spectators")
    return await lines(site, request, feed.attend)

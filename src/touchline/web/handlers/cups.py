"""Requests about tournaments: list, report, live feed, games, a record, a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.core.errors import UnknownName
from touchline.tournament.cup import LEAGUE
from touchline.web import schema
from touchline.web.guard import address_of
from touchline.web.handlers.live import lines
from touchline.web.handlers.records import NDJSON, file, record_of_cup
from touchline.web.handlers.tables import theme_of
from touchline.web.http import Problem, answer, number, svg_answer
from touchline.web.workers.cup_jobs import record_name

if TYPE_CHECKING:
    from aiohttp import web

    from touchline.web.app import Site
    from touchline.web.live.cups import CupDesk

PAGE, MOST_ON_PAGE = 50, 200


def desk_of(site: Site, request: web.Request) -> CupDesk:
    desk = site.cups.by_id.get(request.match_info["id"])
    if desk is None:
        raise Problem(404, "not_found", "there is no such cup; show one with touchline serve --cup LEDGER")
    return desk


def cup_of(site: Site, request: web.Request) -> CupDesk:
    """Return a desk with standings: not that of a league, which has games and records only."""
    desk = desk_of(site, request)
    if desk.source.format == LEAGUE:
        raise Problem(404, "not_found", "this is a league: its table is at /api/league")
    return desk


async def listing(site: Site, request: web.Request) -> web.Response:
    return answer(schema.CupList(await site.cups.listed()))


async def one(site: Site, request: web.Request) -> web.Response:
    return answer(await cup_of(site, request).seen())


async def games(site: Site, request: web.Request) -> web.Response:
    site.limits.count_costly(request)
    first, count = number(request, "first") or 0, number(request, "count")
    if count is not None and not 1 <= count <= MOST_ON_PAGE:
        raise Problem(400, "bad_request", f"count is from 1 to {MOST_ON_PAGE}")
    entrant, other = request.query.get("entrant"), request.query.get("other")
    found = await desk_of(site, request).games(first, count or PAGE, entrant, other, address_of(request))
    return answer(found)


async def record(site: Site, request: web.Request) -> web.Response:
    desk_of(site, request)
    name = record_name(request.match_info["id"], request.match_info["game"])
    return file(*await record_of_cup(site, request, name), NDJSON, ".jsonl")


async def picture(site: Site, request: web.Request) -> web.Response:
    """The last position of a game. Only a picture that is not cached counts against the rate limit."""
    desk, game = desk_of(site, request), request.match_info["game"]
    theme = theme_of(request)
    drawn = desk.picture(game, theme)
    if drawn is None:
        site.limits.count_costly(request)
        try:
            drawn = await desk.draw(game, theme, address_of(request))
        except UnknownName as error:
            raise Problem(404, "not_found", str(error)) from None
    return svg_answer(drawn)


async def watch(site: Site, request: web.Request) -> web.StreamResponse:
    feed = cup_of(site, request).feed
    if len(feed.members) >= site.tables.caps.spectators:
        raise Problem(429, "too_many", "this cup has its full number of spectators")
    return await lines(site, request, feed.attend)

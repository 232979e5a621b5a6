"""What can be asked about records: list, drop, download, play back, draw, film, analyse.

The records of cups are asked for in the same way, but neither listed nor kept for long.
"""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

from aiohttp import web

from touchline.core.errors import UnknownName
from touchline.web import schema
from touchline.web.handlers.tables import THEME_NAMES
from touchline.web.http import Problem, answer, body, number, one_of
from touchline.web.live.feed import now_millis
from touchline.web.workers import jobs

if TYPE_CHECKING:
    from touchline.web.app import Site

MOST_DROPPED = 8 << 20
SECONDS = 60.0
"""How long a record may take to be played again or drawn."""
ANALYSIS_SECONDS = 300.0
NDJSON = "application/x-ndjson"
TYPES = (NDJSON, "application/json", "application/octet-stream")


async def record_of(site: Site, request: web.Request) -> tuple[schema.Record, bytes]:
    """A record of the shelf, or of a cup's ledger."""
    id = request.match_info["id"]
    if id.startswith("cup:"):
        return await record_of_cup(site, id)
    found = site.hall.shelf.find(id)
    if found is None:
        raise Problem(404, "not_found", "there is no such record, or it is no longer kept")
    return found


async def record_of_cup(site: Site, name: str) -> tuple[schema.Record, bytes]:
    try:
        return await site.cups.record(name)
    except UnknownName as error:
        raise Problem(404, "not_found", str(error)) from None


async def listing(site: Site, request: web.Request) -> web.Response:
    return answer(schema.Records(site.hall.shelf.listed(request.query.get("game"))))


async def drop(site: Site, request: web.Request) -> web.Response:
    """A record from elsewhere: whatever it says, it is played again first."""
    site.count(request, site.costly)
    data = await body(request, MOST_DROPPED, TYPES)
    record = await site.workers.do(jobs.Verify(data, now_millis()), schema.Record, seconds=SECONDS)
    return answer(schema.RecordSeen(site.hall.shelf.keep(record, data)), 201)


def file(record: schema.Record, data: bytes, kind: str, ending: str) -> web.Response:
    """Made from a record. It never changes where its address is made from what it is made from."""
    name = f"{record.game}-{record.id.replace(':', '-')}{ending}"
    return web.Response(
        body=data,
        headers={
            "Content-Type": kind,
            "Content-Disposition": f'inline; filename="{name}"',
            "Cache-Control": "no-store" if record.source == "cup" else "private, max-age=86400",
        },
    )


async def download(site: Site, request: web.Request) -> web.Response:
    record, data = await record_of(site, request)
    return file(record, data, NDJSON, ".jsonl")


async def info(site: Site, request: web.Request) -> web.Response:
    return answer(schema.RecordSeen((await record_of(site, request))[0]))


async def positions(site: Site, request: web.Request) -> web.Response:
    site.count(request, site.costly)
    record, data = await record_of(site, request)
    lines = await site.workers.do(jobs.Positions(data, record), bytes, seconds=SECONDS)
    return file(record, lines, NDJSON, "-positions.jsonl")


async def svg(site: Site, request: web.Request) -> web.Response:
    site.count(request, site.costly)
    _, data = await record_of(site, request)
    theme = one_of(request, "theme", THEME_NAMES) or "light"
    job = jobs.Draw(data, theme, number(request, "n"), number(request, "turn"))
    return site.svg(await site.workers.do(job, str, seconds=SECONDS))


async def gif(site: Site, request: web.Request) -> web.Response:
    site.count(request, site.costly)
    record, data = await record_of(site, request)
    theme = one_of(request, "theme", THEME_NAMES) or "light"
    try:
        seconds = float(request.query.get("seconds", "0.6"))
    except ValueError:
        seconds = math.nan
    if not 0.02 <= seconds <= 10:
        raise Problem(400, "bad_request", "seconds is from 0.02 to 10")
    film = await site.workers.do(jobs.Animate(data, theme, seconds), bytes, seconds=SECONDS)
    return file(record, film, "image/gif", ".gif")


async def analysis(site: Site, request: web.Request) -> web.Response:
    """Computed once for everybody who asks, one record at a time."""
    site.count(request, site.costly)
    record, data = await record_of(site, request)
    shelf = site.cups.shelf if record.source == "cup" else site.hall.shelf
    async with site.analysing:
        found = shelf.analyses.get(record.id)
        if found is None:
            job = jobs.Analyse(data)
            found = await asyncio.shield(site.workers.do(job, schema.AnalysisSeen, seconds=ANALYSIS_SECONDS))
            shelf.keep_analysis(record.id, found)
    return answer(found)

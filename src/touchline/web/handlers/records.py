"""Requests about records: list, upload, download, play back, draw, film, analyse.

The records of cups are requested in the same way, but not listed, and cached only for a while.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from touchline.core.errors import UnknownName
from touchline.web import schema
from touchline.web.guard import address_of
from touchline.web.handlers.tables import theme_of
from touchline.web.http import Problem, answer, body, number, svg_answer
from touchline.web.live.feed import now_millis
from touchline.web.workers import jobs, record_jobs

if TYPE_CHECKING:
    from touchline.web.app import Site

MOST_DROPPED = 8 << 20
LONG_LIST = 256 << 10
"""Bytes of a listing that is not sent at any rate."""
SECONDS = 60.0
"""Timeout for verifying or drawing a record."""
ANALYSIS_SECONDS = 300.0
NDJSON = "application/x-ndjson"
TYPES = (NDJSON, "application/json", "application/octet-stream")


async def record_of(site: Site, request: web.Request) -> tuple[schema.RecordSummary, bytes]:
    """Return a record of the shelf, or of a cup's ledger."""
    id = request.match_info["id"]
    if id.startswith("cup:"):
        return await record_of_cup(site, request, id)
    found = site.tables.shelf.find(id)
    if found is None:
        raise Problem(404, "not_found", "there is no such record; the oldest ones are dropped after a while")
    return found


async def record_of_cup(site: Site, request: web.Request, name: str) -> tuple[schema.RecordSummary, bytes]:
    try:
        return await site.cups.record(name, address_of(request))
    except UnknownName as error:
        raise Problem(404, "not_found", str(error)) from None


async def listing(site: Site, request: web.Request) -> web.Response:
    """List records; a long list counts against the rate limit, as a picture does."""
    listing = site.tables.shelf.listing(request.query.get("game"))
    if len(listing) > LONG_LIST:
        site.limits.count_costly(request)
    return answer(msgspec.Raw(listing))


async def drop(site: Site, request: web.Request) -> web.Response:
    """Take an uploaded record, after it has been verified by playing it again."""
    site.limits.count_costly(request)
    data = await body(request, MOST_DROPPED, TYPES)
    record = await site.workers.do(
        record_jobs.VerifyRecord(data, now_millis()), schema.RecordSummary, seconds=SECONDS,
        address=address_of(request),
    )  # fmt: skip
    return answer(schema.RecordSeen(site.tables.shelf.keep(record, data)), 201)


def file(record: schema.RecordSummary, data: bytes, kind: str, ending: str) -> web.Response:
    """Respond with a file made from a record. It may be cached where the record's id is a hash of it."""
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


async def _drawn(site: Site, request: web.Request, key: tuple[Any, ...], job: jobs.Job) -> bytes:
    """Return a drawing of a record. Only one that is not cached counts against the rate limit."""
    drawn = site.drawings.cached(key)
    if drawn is None:
        site.limits.count_costly(request)
        drawn = await site.drawings.draw(key, job, address_of(request))
    return drawn


async def positions(site: Site, request: web.Request) -> web.Response:
    record, data = await record_of(site, request)
    key = ("positions", record.id)
    lines = await _drawn(site, request, key, record_jobs.ListPositions(data, record))
    return file(record, lines, NDJSON, "-positions.jsonl")


async def svg(site: Site, request: web.Request) -> web.Response:
    return svg_answer((await _position(site, request, "svg"))[1])


async def png(site: Site, request: web.Request) -> web.Response:
    record, drawn = await _position(site, request, "png")
    return file(record, drawn, "image/png", ".png")


async def picture(site: Site, request: web.Request) -> web.Response:
    """The last position, small."""
    record, drawn = await _position(site, request, "thumbnail")
    return file(record, drawn, "image/webp", "-small.webp")


async def card(site: Site, request: web.Request) -> web.Response:
    """The card that a link to the record shows."""
    record, drawn = await _position(site, request, "card")
    return file(record, drawn, "image/png", "-card.png")


async def _position(
    site: Site, request: web.Request, kind: schema.RecordPicture
) -> tuple[schema.RecordSummary, bytes]:
    record, data = await record_of(site, request)
    theme = theme_of(request)
    whole = kind in ("card", "thumbnail")
    n, turn = (None, None) if whole else (number(request, "n"), number(request, "turn"))
    key = (kind, record.id, theme, n, turn)
    job = record_jobs.DrawRecord(data, theme, n, turn, kind=kind)
    return record, await _drawn(site, request, key, job)


async def gif(site: Site, request: web.Request) -> web.Response:
    return await _film(site, request, "GIF")


async def webp(site: Site, request: web.Request) -> web.Response:
    return await _film(site, request, "WEBP")


async def _film(site: Site, request: web.Request, kind: schema.FilmKind) -> web.Response:
    record, data = await record_of(site, request)
    theme = theme_of(request)
    try:
        seconds = float(request.query.get("seconds", "0.6"))
    except ValueError:
        seconds = math.nan
    if not 0.02 <= seconds <= 10:
        raise Problem(400, "bad_request", "seconds is from 0.02 to 10")
    job = record_jobs.AnimateRecord(data, theme, seconds, kind)
    film = await _drawn(site, request, (kind, record.id, theme, seconds), job)
    ending = kind.lower()
    return file(record, film, f"image/{ending}", f".{ending}")


async def analysis(site: Site, request: web.Request) -> web.Response:
    """Analyse a record, once for all clients. The analysis ends when all of them have hung up."""
    site.limits.count_costly(request)
    record, data = await record_of(site, request)
    shelf = site.cups.shelf if record.source == "cup" else site.tables.shelf
    found = shelf.analyses.get(record.id)
    if found is None:
        work = partial(_analysed, site, record.id, data, address_of(request))
        found = await site.analyses.run(record.id, work)
        shelf.keep_analysis(record.id, found)
    return answer(found)


async def _analysed(site: Site, id: str, data: bytes, address: str) -> schema.RecordAnalysis:
    """Analyse a record, and note how far it has come."""

    def waking(seconds: float) -> None:
        site.looking[id] = schema.AnalysisProgress(
            waking=seconds, text=f"Waking up our expert, {seconds:.0f} s"
        )

    def looked(progress: jobs.JobProgress) -> None:
        text = f"Looking at turn {progress.done} of {progress.of}"
        site.looking[id] = schema.AnalysisProgress(looked=progress.done, of=progress.of, text=text)

    site.looking[id] = schema.AnalysisProgress(text="Waiting for our expert")
    try:
        return await site.workers.do(
            record_jobs.AnalyseRecord(data), schema.RecordAnalysis, seconds=ANALYSIS_SECONDS,
            lane="analysis", address=address, compiling=waking, looked=looked,
        )  # fmt: skip
    finally:
        site.looking.pop(id, None)


async def analysis_progress(site: Site, request: web.Request) -> web.Response:
    """How far the analysis of a record has come; nothing if none runs."""
    return answer(site.looking.get(request.match_info["id"], schema.AnalysisProgress()))

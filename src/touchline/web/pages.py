"""The HTML of this server: the page itself, links that are shared, and errors that a person sees.

Rules of this file: text of others is escaped; a shared link tells what every spectator may know, and nothing
else; absolute addresses are built from a Host header that the guard has let in.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from aiohttp import web

from touchline.web.assets.build import KINDS, Asset
from touchline.web.guard import PROXIES
from touchline.web.handlers.records import record_of
from touchline.web.http import Problem
from touchline.web.static_files import REVALIDATED, art_addresses, respond

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.web import schema
    from touchline.web.app import Site
    from touchline.web.assets.build import Build

HTML = KINDS[".html"]
NAME = "Touchline"
FILES = ("/api/", "/static/", "/art/")
"""Paths of programs: an error there is JSON."""
_TITLE = re.compile(r"<title>(.*?)</title>")
_ABOUT = re.compile(r'<meta name="description" content="(.*?)">')
_BRAND = re.compile(r'(<a class="brand" href=")[^"]*(".*?</a>)', re.DOTALL)
_LOOKS = re.compile(r'<link rel="(?:stylesheet|icon)"[^>]*>|<script src="[^"]*"></script>')


class Preview(NamedTuple):
    """What others show of a link."""

    title: str
    about: str
    image: str
    """The path of a picture."""
    path: str
    large: bool = True
    """Whether the picture is a card of 1200 by 630 pixels."""


# -- the page ---------------------------------------------------------------------------------------


async def index(site: Site, request: web.Request) -> web.Response:
    """The page, with the catalogue of games in it if that is known: it need not be asked for."""
    if site.league is not None and request.path == "/":
        return web.Response(status=302, headers={"Location": "/league"})
    site.look_up_soon()
    build = site.files.build()
    title, about = _text(_TITLE, build.page), _text(_ABOUT, build.page)
    head = tags(Preview(title, about, "/static/icon.png", request.path, large=False), origin(request))
    page = _page(build.page, head, data("catalogue", site.known_games()) + data("addresses", _addresses()))
    return respond(request, page, REVALIDATED)


async def table(site: Site, request: web.Request) -> web.Response:
    """The page of a table, with what a chat shows of its link; the script leads on to `/#table=ID`."""
    id = request.match_info["id"]
    found = site.tables.by_id.get(id)
    preview = None if found is None else of_table(found.describe())
    return _shared(site, request, preview, ("table.js",))


async def record(site: Site, request: web.Request) -> web.Response:
    """The page of a record, with what a chat shows of its link; the script leads on to `/#record=ID`."""
    try:
        preview = of_record((await record_of(site, request))[0])
    except Problem as problem:
        if problem.status != 404:
            raise
        preview = None
    return _shared(site, request, preview, ("replay.js",))


def _shared(site: Site, request: web.Request, preview: Preview | None, parts: Sequence[str]) -> web.Response:
    """Answer with the page of a link. It has the text of others in it, so it is not compressed."""
    build = site.files.build()
    head = '<meta name="robots" content="noindex">\n'
    for file in dict.fromkeys(file for part in parts for file in build.parts.get(part, ())):
        how = 'rel="preload" as="style"' if file.endswith(".css") else 'rel="modulepreload"'
        head += f'<link {how} href="{file}">\n'
    page = build.page
    if preview is not None:
        head += tags(preview, origin(request))
        page = _TITLE.sub(lambda _: f"<title>{escape(preview.title)}</title>", page)
        page = _ABOUT.sub(lambda _: f'<meta name="description" content="{escape(preview.about)}">', page)
    page = page.replace("</head>", f"{head}</head>").replace(
        "</body>", f"{data('addresses', _addresses())}</body>"
    )
    headers = {"Content-Type": HTML, "Cache-Control": REVALIDATED, "X-Robots-Tag": "noindex"}
    return web.Response(status=200 if preview else 404, text=page, headers=headers)


@lru_cache(maxsize=16)
def _page(page: str, head: str, data: str) -> Asset:
    """Return the page with its data; few are made, one for each name of this server."""
    page = page.replace("</head>", f"{head}</head>").replace("</body>", f"{data}</body>")
    return Asset(page.encode(), HTML)


def data(name: str, value: bytes | None) -> str:
    """Return JSON as an element that a script reads; it is never run.

    >>> data("a", b'"</script>"')
    '<script type="application/json" id="a">"\\\\u003c/script>"</script>\\n'
    """
    if value is None:
        return ""
    text = value.decode().replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f'<script type="application/json" id="{name}">{text}</script>\n'


def _addresses() -> bytes:
    return msgspec.json.encode(art_addresses())


def _text(form: re.Pattern[str], page: str) -> str:
    found = form.search(page)
    return NAME if found is None else found[1]


# -- what others show of a link ---------------------------------------------------------------------


def origin(request: web.Request) -> str:
    """Return scheme and host by which the client knows this server; a trusted proxy says which scheme."""
    peer = None if request.transport is None else request.transport.get_extra_info("peername")
    said = request.headers.get("X-Forwarded-Proto", "").strip().lower()
    if isinstance(peer, tuple) and request.app[PROXIES].trusts(peer[0]) and said in ("http", "https"):
        return f"{said}://{request.host}"
    return f"{request.scheme}://{request.host}"


def tags(preview: Preview, origin: str) -> str:
    """Return the meta elements by which chats and networks show a link."""
    image = origin + preview.image
    said = {
        "og:type": "website", "og:site_name": NAME, "og:title": preview.title,
        "og:description": preview.about, "og:url": origin + preview.path, "og:image": image,
    }  # fmt: skip
    if preview.large:
        said |= {"og:image:width": "1200", "og:image:height": "630", "og:image:alt": preview.title}
    card = {
        "twitter:card": "summary_large_image" if preview.large else "summary",
        "twitter:title": preview.title, "twitter:description": preview.about, "twitter:image": image,
    }  # fmt: skip
    lines = [f'<meta property="{name}" content="{escape(text)}">\n' for name, text in said.items()]
    return "".join(
        [*lines, *(f'<meta name="{name}" content="{escape(text)}">\n' for name, text in card.items())]
    )


def of_table(seen: schema.TableSummary) -> Preview:
    """Return what a link to a table shows: who plays what, and whether one can join or watch."""
    names = [seat.name for seat in seen.seats if seat.taken and seat.name]
    game, who = _title(seen.game), _listed(names)
    about = {
        "open": f"{who or 'Somebody'} would like to play {game}. Open the link to take a seat.",
        "running": f"{who or 'Players'} are playing {game} right now. Open the link to watch.",
    }.get(seen.state) or _result(seen.result, names, game)
    return Preview(_headline(game, names), about, f"/api/tables/{seen.id}/card.png", f"/t/{seen.id}")


def of_record(seen: schema.RecordSummary) -> Preview:
    """Return what a link to a record shows: who played what, and how it ended."""
    game = _title(seen.game)
    about = _result(seen.result, seen.names, game)
    return Preview(_headline(game, seen.names), about, f"/api/records/{seen.id}/card.png", f"/r/{seen.id}")


def _headline(game: str, names: Sequence[str]) -> str:
    return f"{game}: {' – '.join(names)}" if names else game


def _result(result: schema.ResultSummary | None, names: Sequence[str], game: str) -> str:
    said = f"{result.headline}. " if result is not None and result.headline else ""
    return f"{said}{_listed(names) or 'Players'} played {game}. Open the link to see it move by move."


def _listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them.

    >>> _listed(["Ann", "Bob", "Cy"])
    'Ann, Bob and Cy'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _title(game: str) -> str:
    return game.replace("_", " ").capitalize()


# -- errors that a person sees ----------------------------------------------------------------------


HEADINGS = {
    404: "There is nothing at this address",
    421: "This server does not go by that name",
    429: "A little slower, please",
    503: "Just a moment",
}


def failure(build: Build | None, request: web.Request, problem: Problem) -> web.Response:
    """Answer with an error: a page for a person with a browser, JSON for a program."""
    told = problem.response()
    if "text/html" not in request.headers.get("Accept", "") or request.path.startswith(FILES):
        return told
    page = error_page(build, problem).encode()
    headers = {name: told.headers[name] for name in ("Cache-Control", "Retry-After") if name in told.headers}
    return web.Response(status=problem.status, body=page, headers={**headers, "Content-Type": HTML})


def error_page(build: Build | None, problem: Problem) -> str:
    """Return a page that says what is wrong and leads on. One that may succeed later loads itself again."""
    looks, brand = "", f'<a class="brand" href="/">{NAME.lower()}</a>'
    if build is not None:
        looks = "\n".join(_LOOKS.findall(build.page))
        brand = "".join(f"{found[1]}/{found[2]}" for found in _BRAND.finditer(build.page)) or brand
    again = (
        ""
        if problem.wait is None
        else f'<meta http-equiv="refresh" content="{max(1, round(problem.wait))}">\n'
    )
    heading = HEADINGS.get(problem.status, "That did not work")
    words = (
        problem.message
        if problem.status != 404
        else "The link may be old or mistyped. The lobby is still there."
    )
    sentence = f"{words[:1].upper()}{words[1:].rstrip('.')}."
    on = "" if problem.status == 421 else '<p><a class="button" href="/">To the lobby</a></p>\n'
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(heading)} · {NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
{again}{looks}
</head>
<body>
<header class="top">{brand}</header>
<main class="plain" data-page="missing">
<h1>{escape(heading)}</h1>
<p>{escape(sentence)}</p>
{on}</main>
</body>
</html>
"""

"""Requests about tables: list, make, join, move, resign, a hint, a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.errors import UnknownName
from touchline.web import schema
from touchline.web.guard import PROXIES, address_of
from touchline.web.http import Problem, answer, key, number, one_of, picture_answer, said, svg_answer, token
from touchline.web.invitation import invitation, qr_code
from touchline.web.refusals import NotNow
from touchline.web.tables.seats import BrowserSeat
from touchline.web.workers import game_jobs, jobs, player_jobs

if TYPE_CHECKING:
    from aiohttp import web

    from touchline.core.rules import Seat
    from touchline.web.app import Site
    from touchline.web.tables.table import PageTable

HINT_SECONDS = 20.0
"""Timeout of a hint."""
SOON = 1
"""Seconds after which to ask again whether the server is ready."""
NO_TABLE = "there is no such table; it may have been put away after its game"
FORGOTTEN = "there is no such table; this server was restarted, or it put the table away after its game"
STATES = ("open", "running", "finished")
THEME_NAMES = ("light", "dark")


def table_of(site: Site, request: web.Request) -> PageTable:
    id = request.match_info["id"]
    table = site.tables.by_id.get(id)
    if table is None:
        raise no_table(site, id)
    return table


def no_table(site: Site, id: str) -> Problem:
    """Say that a table is not here, and why, as far as that is known."""
    if id not in site.tables.gone:
        return Problem(404, "not_found", NO_TABLE if site.tables.kept.keeps else FORGOTTEN)
    record = site.tables.gone[id]
    if record is None:
        return Problem(410, "gone", "this table was closed before its game began")
    return Problem(410, "gone", "this game is over, and its table was put away", record=record)


def seat_of(site: Site, request: web.Request, table: PageTable, text: str | None) -> Seat:
    """Return the seat that a token opens. Wrong tokens are rate limited, against guessing."""
    seat = None if text is None else site.tables.tokens.seat_at(table, text)
    if seat is not None:
        return seat
    if text is not None:
        site.limits.count_wrong_token(address_of(request))
    raise Problem(401, "no_seat", "this needs the token of a seat at this table")


def browser_seat(site: Site, request: web.Request) -> tuple[PageTable, Seat, BrowserSeat]:
    """Return the seat of the client, which counts as present from now on."""
    table = table_of(site, request)
    seat = seat_of(site, request, table, token(request))
    player = table.chairs[seat].player
    if not isinstance(player, BrowserSeat):
        raise Problem(409, "not_now", "this seat is a program's")
    player.note_presence()
    return table, seat, player


async def games(site: Site, request: web.Request) -> web.Response:
    return answer(await site.games())


async def _of_game(site: Site, request: web.Request, key: tuple[Any, ...], job: jobs.Job) -> web.Response:
    """Respond with what a worker makes of a game. Only what is not cached counts against the rate limit."""
    made = site.drawings.cached(key)
    if made is None:
        site.limits.count_costly(request)
        try:
            made = await site.drawings.draw(key, job, address_of(request))
        except UnknownName as error:
            raise Problem(404, "not_found", str(error)) from None
    return answer(msgspec.Raw(made))


async def tutorial(site: Site, request: web.Request) -> web.Response:
    """The tutorial of a game, step by step."""
    game = request.match_info["game"]
    return await _of_game(site, request, ("tutorial", game), game_jobs.ListTutorial(game, None, None))


async def tutorial_after(site: Site, request: web.Request) -> web.Response:
    """The drawing after a move of a step, so that the learner sees the move that was made."""
    game, step, move = request.match_info["game"], number(request, "step") or 0, number(request, "move") or 0
    job = game_jobs.ListTutorial(game, step, move)
    return await _of_game(site, request, ("after", game, step, move), job)


async def demonstration(site: Site, request: web.Request) -> web.Response:
    """A short match between house players."""
    game = request.match_info["game"]
    return await _of_game(site, request, ("demonstration", game), game_jobs.Demonstrate(game))


async def status(site: Site, request: web.Request) -> web.Response:
    return answer(site.tables.status())


async def health(site: Site, request: web.Request) -> web.Response:
    """The health of the server, for those who wait for it or watch over it."""
    found = site.health()
    wait = {} if found.ready else {"Retry-After": f"{SOON}"}
    return answer(found, 200 if found.ready else 503, wait)


async def listing(site: Site, request: web.Request) -> web.Response:
    state = one_of(request, "state", STATES)
    return answer(schema.TableList(site.tables.listed(request.query.get("game"), state)))


async def one(site: Site, request: web.Request) -> web.Response:
    table, text = table_of(site, request), token(request)
    seat = None if text is None else seat_of(site, request, table, text)
    return answer(schema.TableSeen(table.describe(), seat))


async def make(site: Site, request: web.Request) -> web.Response:
    site.limits.count_table(address_of(request))
    new = await said(request, schema.NewTable)
    return answer(await site.tables.make(new, address_of(request)), 201)


async def join(site: Site, request: web.Request) -> web.Response:
    table = table_of(site, request)
    wanted = await said(request, schema.JoinRequest)
    return answer(site.tables.join(table, wanted, address_of(request)), 201)


async def move(site: Site, request: web.Request) -> web.Response:
    _, _, player = browser_seat(site, request)
    verdict = player.move(await said(request, schema.MoveRequest))
    if verdict.verdict == "rejected":
        raise Problem(409, "rejected", verdict.reason or "the referee rejected the move")
    return answer(verdict)


async def resign(site: Site, request: web.Request) -> web.Response:
    table, seat, _ = browser_seat(site, request)
    await said(request, schema.EmptyBody)
    site.tables.leave(table, seat)
    return answer(schema.TableSeen(table.describe(), seat))


async def rematch(site: Site, request: web.Request) -> web.Response:
    """Ask for a rematch, or agree to one; it counts as making a table."""
    table, seat, _ = browser_seat(site, request)
    wanted = await said(request, schema.RematchRequest)
    site.limits.count_table(address_of(request))
    return answer(table.people.want_rematch(seat, swap=wanted.swap))


def _links(site: Site, request: web.Request, table: str | None, given: str | None) -> schema.Invitation:
    """Return the links to a table, or to the page, with the key if it was given."""
    host = request.headers.get("Host")
    asked = None if host is None else f"{_scheme(request)}://{host}"
    return invitation(site.places, table, given, asked)


def _scheme(request: web.Request) -> str:
    """Return the scheme of the client's address; a trusted proxy says what it was."""
    peer = None if request.transport is None else request.transport.get_extra_info("peername")
    said = request.headers.get("X-Forwarded-Proto", "")
    trusted = isinstance(peer, tuple) and request.app[PROXIES].trusts(peer[0])
    return "https" if trusted and said == "https" else "http"


async def invite(site: Site, request: web.Request) -> web.Response:
    id = request.query.get("table")
    if id is not None and id not in site.tables.by_id:
        raise no_table(site, id)
    return answer(_links(site, request, id, site.key_given(request, key(request))))


async def qr(site: Site, request: web.Request) -> web.Response:
    """The QR code of a link to this table: one of those of the invitation, with or without the key."""
    table, url = table_of(site, request), request.query.get("url", "")
    _, sign, given = url.partition("&key=")
    known = site.key_given(request, given) if sign else None
    if url not in {link.url for link in _links(site, request, table.id, known).links}:
        raise Problem(400, "bad_request", "url is one of the links of /api/invitation")
    return svg_answer(qr_code(url))


async def hint(site: Site, request: web.Request) -> web.Response:
    site.limits.count_costly(request)
    table, seat, player = browser_seat(site, request)
    wanted = await said(request, schema.HintRequest)
    question = player.question
    if question is None:
        raise NotNow("a hint is for the seat to move")
    job = player_jobs.Advise(
        game=table.game.name, options=msgspec.to_builtins(table.game),
        position=msgspec.json.encode(question.view.position()), player=wanted.player or "",
        player_options=wanted.options, seed=f"hint {table.id} {seat}", turn=question.turn,
    )  # fmt: skip
    advised = await site.workers.do(
        job, player_jobs.Advised, seconds=HINT_SECONDS, address=address_of(request)
    )
    return answer(
        schema.Hint(
            turn=question.turn, choice=advised.choice, keys=advised.keys, move=msgspec.Raw(advised.move),
            text=advised.text, player=advised.player, says=advised.says, values=advised.values,
        )
    )  # fmt: skip


async def _drawn(site: Site, request: web.Request, kind: schema.TablePicture) -> bytes:
    """The position of a table. Only a picture that is not cached counts against the rate limit."""
    table, theme = table_of(site, request), theme_of(request)
    drawn = site.drawings.picture(table, theme, kind)
    if drawn is None:
        site.limits.count_costly(request)
        drawn = await site.drawings.draw_table(table, theme, kind, address_of(request))
    return drawn


async def svg(site: Site, request: web.Request) -> web.Response:
    return svg_answer(await _drawn(site, request, "svg"))


async def picture(site: Site, request: web.Request) -> web.Response:
    return picture_answer(await _drawn(site, request, "thumbnail"), "image/webp")


async def card(site: Site, request: web.Request) -> web.Response:
    return picture_answer(await _drawn(site, request, "card"), "image/png")


def theme_of(request: web.Request) -> schema.Theme:
    return "dark" if one_of(request, "theme", THEME_NAMES) == "dark" else "light"

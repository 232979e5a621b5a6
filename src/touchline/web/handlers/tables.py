"""What can be asked about tables: list, make, join, move, resign, a hint, a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from touchline.core.errors import BadOptions
from touchline.web import schema
from touchline.web.http import Problem, answer, one_of, said, token
from touchline.web.seats import BrowserSeat
from touchline.web.tables import NotNow
from touchline.web.workers import jobs

if TYPE_CHECKING:
    from aiohttp import web

    from touchline.core.rules import Seat
    from touchline.web.app import Site
    from touchline.web.table import Table

HINT_SECONDS = 20.0
STATES = ("open", "running", "finished")
THEME_NAMES = ("light", "dark")


def table_of(site: Site, request: web.Request) -> Table:
    table = site.hall.tables.get(request.match_info["id"])
    if table is None:
        raise Problem(404, "not_found", "there is no such table, or it has been cleared away")
    return table


def seat_of(site: Site, request: web.Request, table: Table, text: str | None) -> Seat:
    """The seat that a token opens; who guesses is slowed down."""
    address = site.address(request)
    seat = None if text is None else site.hall.seat_of(text, table)
    if seat is not None:
        return seat
    if text is not None:
        site.count_wrong_token(address)
    raise Problem(401, "no_seat", "this needs the token of a seat at this table")


def browser_seat(site: Site, request: web.Request) -> tuple[Table, Seat, BrowserSeat]:
    """The asker's own seat at a table; it has been heard of."""
    table = table_of(site, request)
    seat = seat_of(site, request, table, token(request))
    player = table.chairs[seat].player
    if not isinstance(player, BrowserSeat):
        raise Problem(409, "not_now", "this seat is a program's")
    player.heard_of()
    return table, seat, player


async def games(site: Site, request: web.Request) -> web.Response:
    return answer(await site.games())


async def status(site: Site, request: web.Request) -> web.Response:
    return answer(site.hall.status())


async def listing(site: Site, request: web.Request) -> web.Response:
    state = one_of(request, "state", STATES)
    return answer(schema.Tables(site.hall.listed(request.query.get("game"), state)))


async def one(site: Site, request: web.Request) -> web.Response:
    table, text = table_of(site, request), token(request)
    seat = None if text is None else seat_of(site, request, table, text)
    return answer(schema.TableSeen(table.describe(), seat))


async def make(site: Site, request: web.Request) -> web.Response:
    site.count(request, site.making)
    new = await said(request, schema.NewTable)
    return answer(await site.hall.make(new, site.address(request)), 201)


async def join(site: Site, request: web.Request) -> web.Response:
    table = table_of(site, request)
    return answer(site.hall.join(table, await said(request, schema.Join)), 201)


def moved(table: Table, player: BrowserSeat, said: schema.MoveSaid) -> schema.Heard:
    """Hand a move to the referee; BadOptions if it cannot even be that."""
    if (said.choice is None) == (said.move is UNSET):
        raise BadOptions("say either choice or move")
    if said.choice is None:
        assert said.move is not UNSET
        try:
            move: Any = msgspec.json.decode(said.move, type=table.game.Move)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadOptions(f"that is no move of {table.game.name}: {error}") from None
        return player.move(move, said.turn)
    question = player.question
    if question is None or question.turn != said.turn:
        return schema.Heard(said.turn, "ignored", f"turn {said.turn} is not yours, or over")
    moves = question.view.legal_moves()
    if said.choice >= len(moves):
        raise BadOptions(f"choice is below {len(moves)}, the number of legal moves")
    return player.move(moves[said.choice], said.turn)


async def move(site: Site, request: web.Request) -> web.Response:
    table, _, player = browser_seat(site, request)
    heard = moved(table, player, await said(request, schema.MoveSaid))
    if heard.verdict == "rejected":
        raise Problem(409, "rejected", heard.reason or "the referee refused it")
    return answer(heard)


async def resign(site: Site, request: web.Request) -> web.Response:
    table, seat, _ = browser_seat(site, request)
    await said(request, schema.Nothing)
    site.hall.leave(table, seat)
    return answer(schema.TableSeen(table.describe(), seat))


async def hint(site: Site, request: web.Request) -> web.Response:
    site.count(request, site.costly)
    table, seat, player = browser_seat(site, request)
    wanted = await said(request, schema.HintWanted)
    question = player.question
    if question is None:
        raise NotNow("a hint is for the seat that is asked to move")
    job = jobs.Advise(
        game=table.game.name, options=msgspec.to_builtins(table.game),
        position=msgspec.json.encode(question.view.position()), player=wanted.player or "",
        player_options=wanted.options, seed=f"hint {table.id} {seat}", turn=question.turn,
    )  # fmt: skip
    advised = await site.workers.do(job, jobs.Advised, seconds=HINT_SECONDS)
    return answer(
        schema.Hint(
            turn=question.turn, choice=advised.choice, keys=advised.keys, move=msgspec.Raw(advised.move),
            player=advised.player, says=advised.says, values=advised.values,
        )
    )  # fmt: skip


async def picture(site: Site, request: web.Request) -> web.Response:
    site.count(request, site.costly)
    theme = one_of(request, "theme", THEME_NAMES) or "light"
    return site.svg(table_of(site, request).svg(theme))

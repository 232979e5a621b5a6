"""Every path of the API: its handler and types. The OpenAPI document is generated from this table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from touchline.web import schema
from touchline.web.handlers import cups, league, live, records, tables

if TYPE_CHECKING:
    from aiohttp import web

    from touchline.web.app import Site

NDJSON = "application/x-ndjson"


class Route(Struct, frozen=True, kw_only=True):
    """One method of one path."""

    method: Literal["GET", "POST"]
    path: str
    does: Any
    """The handler: `async (site, request) -> response`."""
    about: str
    takes: Any = None
    gives: Any = None
    status: int = 200
    media: str = "application/json"
    token: Literal["no", "may", "must"] = "no"
    query: tuple[str, ...] = ()
    sends: str = NDJSON
    """The media type of a body that is no JSON."""
    key: bool = False
    """Whether it needs the organiser's key, if the server has one."""


async def _openapi(site: Site, request: web.Request) -> web.Response:
    from touchline.web.http import answer
    from touchline.web.openapi import document

    return answer(document())


ROUTES = (
    Route(method="GET", path="/api/openapi.json", does=_openapi, gives=dict[str, Any],
          about="This document."),
    Route(method="GET", path="/api/games", does=tables.games, gives=schema.Catalogue,
          about="The games, their options, and the house players of each."),
    Route(method="GET", path="/api/games/{game}/demonstration", does=tables.demonstration,
          gives=schema.Demonstration, about="A short match between house players, drawn move by move."),
    Route(method="GET", path="/api/games/{game}/tutorial", does=tables.tutorial, gives=schema.Tutorial,
          about="The tutorial of a game, step by step."),
    Route(method="GET", path="/api/games/{game}/tutorial/after", does=tables.tutorial_after,
          gives=schema.TutorialAfter, query=("step", "move"),
          about="The drawing after a legal move of a step, both counted from 0."),
    Route(method="GET", path="/api/status", does=tables.status, gives=schema.ServerStatus,
          about="The load of the server."),
    Route(method="GET", path="/api/health", does=tables.health, gives=schema.Health,
          about="Whether the server is ready: 200, or 503 and what it waits for."),
    Route(method="GET", path="/api/tables", does=tables.listing, gives=schema.TableList,
          about="Tables, the newest first.", query=("game", "state")),
    Route(method="POST", path="/api/tables", does=tables.make, takes=schema.NewTable, gives=schema.Seated,
          status=201, key=True, about="Make a table."),
    Route(method="GET", path="/api/tables/{id}", does=tables.one, gives=schema.TableSeen, token="may",
          about="A table, and the seat of the token's owner."),
    Route(method="POST", path="/api/tables/{id}/join", does=tables.join, takes=schema.JoinRequest,
          gives=schema.Seated, status=201, key=True, about="Take an open seat."),
    Route(method="POST", path="/api/tables/{id}/move", does=tables.move, takes=schema.MoveRequest,
          gives=schema.MoveVerdict, token="must", about="Make a move."),
    Route(method="POST", path="/api/tables/{id}/resign", does=tables.resign, takes=schema.EmptyBody,
          gives=schema.TableSeen, token="must", about="Resign, or leave a table before its match."),
    Route(method="GET", path="/api/invitation", does=tables.invite, gives=schema.Invitation,
          query=("table",), about="Links to this page, or to a table, for a friend."),
    Route(method="GET", path="/api/tables/{id}/qr.svg", does=tables.qr, media="image/svg+xml",
          query=("url",), about="The QR code of a link of the invitation."),
    Route(method="POST", path="/api/tables/{id}/rematch", does=tables.rematch, takes=schema.RematchRequest,
          gives=schema.Rematch, token="must", about="Ask for a rematch, or agree to one."),
    Route(method="POST", path="/api/tables/{id}/hint", does=tables.hint, takes=schema.HintRequest,
          gives=schema.Hint, token="must", key=True,
          about="The move that a house player would make in this seat."),
    Route(method="GET", path="/api/tables/{id}/watch", does=live.watch, gives=schema.LiveLine, media=NDJSON,
          token="may", about="The live feed, one JSON value per line."),
    Route(method="GET", path="/api/tables/{id}/live", does=live.live, gives=schema.LiveLine,
          takes=schema.LiveMessage, status=101,
          about="The live feed as a WebSocket; the first message is of type watch or seat."),
    Route(method="GET", path="/api/tables/{id}/svg", does=tables.svg, media="image/svg+xml",
          query=("theme",), about="The position as spectators see it."),
    Route(method="GET", path="/api/tables/{id}/picture", does=tables.picture, media="image/webp",
          query=("theme",), about="The same, small: 320 × 240 pixels."),
    Route(method="GET", path="/api/tables/{id}/card.png", does=tables.card, media="image/png",
          query=("theme",), about="The card that a link to the table shows: 1200 × 630 pixels."),
    Route(method="GET", path="/api/lobby/watch", does=live.lobby_watch, gives=schema.LobbyLine, media=NDJSON,
          about="The lobby, live, one JSON value per line."),
    Route(method="GET", path="/api/lobby/live", does=live.lobby_live, gives=schema.LobbyLine, status=101,
          about="The lobby, live, as a WebSocket."),
    Route(method="GET", path="/api/records", does=records.listing, gives=schema.RecordList, query=("game",),
          about="Records, the newest first."),
    Route(method="POST", path="/api/records", does=records.drop, takes=bytes, gives=schema.RecordSeen,
          status=201, key=True, about="Upload a record, which is verified first."),
    Route(method="GET", path="/api/records/{id}", does=records.download, media=NDJSON,
          about="A record, as it was written."),
    Route(method="GET", path="/api/records/{id}/info", does=records.info, gives=schema.RecordSeen,
          about="A summary of a record."),
    Route(method="GET", path="/api/records/{id}/positions", does=records.positions, gives=schema.PositionLine,
          media=NDJSON, about="Every event, with the drawing after it."),
    Route(method="GET", path="/api/records/{id}/svg", does=records.svg, media="image/svg+xml",
          query=("n", "turn", "theme"), about="A position of a record as a picture."),
    Route(method="GET", path="/api/records/{id}/gif", does=records.gif, media="image/gif",
          query=("theme", "seconds"), about="A record as an animated GIF."),
    Route(method="GET", path="/api/records/{id}/webp", does=records.webp, media="image/webp",
          query=("theme", "seconds"), about="A record as an animated WebP, in more colours than the GIF."),
    Route(method="GET", path="/api/records/{id}/png", does=records.png, media="image/png",
          query=("n", "turn", "theme"), about="A position of a record as pixels."),
    Route(method="GET", path="/api/records/{id}/picture", does=records.picture, media="image/webp",
          query=("theme",), about="The last position, small: 320 × 240 pixels."),
    Route(method="GET", path="/api/records/{id}/card.png", does=records.card, media="image/png",
          query=("theme",), about="The card that a link to the record shows: 1200 × 630 pixels."),
    Route(method="GET", path="/api/records/{id}/analysis", does=records.analysis, gives=schema.RecordAnalysis,
          key=True, about="The values of a record's positions, by the strongest house player."),
    Route(method="GET", path="/api/records/{id}/analysis/progress", does=records.analysis_progress,
          gives=schema.AnalysisProgress, about="How far the analysis of a record has come."),
    Route(method="GET", path="/api/cups", does=cups.listing, gives=schema.CupList,
          about="The tournaments that are shown here."),
    Route(method="GET", path="/api/cups/{id}", does=cups.one, gives=schema.CupSeen,
          about="A tournament with its report."),
    Route(method="GET", path="/api/cups/{id}/watch", does=cups.watch, gives=schema.CupLine, media=NDJSON,
          about="A tournament, live, one JSON value per line."),
    Route(method="GET", path="/api/cups/{id}/games", does=cups.games, gives=schema.CupGames,
          query=("first", "count", "entrant", "other"), about="Finished games, page by page."),
    Route(method="GET", path="/api/cups/{id}/games/{game}", does=cups.record, media=NDJSON,
          about="The record of a game, as it was written."),
    Route(method="GET", path="/api/cups/{id}/games/{game}/svg", does=cups.picture, media="image/svg+xml",
          query=("theme",), about="The last position of a game."),
    Route(method="GET", path="/api/league", does=league.one, gives=schema.LeagueSeen,
          about="The league of this server."),
    Route(method="GET", path="/api/league/watch", does=league.watch, gives=schema.LeagueLine, media=NDJSON,
          about="The league, live, one JSON value per line."),
    Route(method="POST", path="/api/league/versions", does=league.submit, takes=bytes, sends=league.TYPES[0],
          gives=schema.OwnVersion, status=201, token="must", query=("name",), about="Hand in a version."),
    Route(method="GET", path="/api/league/versions", does=league.versions, gives=schema.OwnVersions,
          token="must", about="The versions of the token's owner, with faults and stderr."),
    Route(method="GET", path="/api/league/versions/{version}/check", does=league.check_record, media=NDJSON,
          token="must", about="The record of the check of an own version."),
)  # fmt: skip

"""Every path of the API: who serves it, what it takes and gives. The OpenAPI document is made from this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from touchline.web import api, api_cups, at_cups, at_live, at_records, at_tables

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp import web

    from touchline.web.app import Site

NDJSON = "application/x-ndjson"


class Route(Struct, frozen=True, kw_only=True):
    """One method of one path."""

    method: Literal["GET", "POST"]
    path: str
    does: Any
    """The function: `(site, request) -> response`."""
    about: str
    takes: Any = None
    gives: Any = None
    status: int = 200
    media: str = "application/json"
    token: Literal["no", "may", "must"] = "no"
    query: tuple[str, ...] = ()

    def handler(self, site: Site) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            response: web.StreamResponse = await self.does(site, request)
            return response

        return handle


async def _openapi(site: Site, request: web.Request) -> web.Response:
    from touchline.web.asking import answer
    from touchline.web.openapi import document

    return answer(document())


ROUTES = (
    Route(method="GET", path="/api/openapi.json", does=_openapi, gives=dict[str, Any],
          about="This document."),
    Route(method="GET", path="/api/games", does=at_tables.games, gives=api.Games,
          about="The games, their options, and who of the house plays them."),
    Route(method="GET", path="/api/status", does=at_tables.status, gives=api.Status,
          about="How busy the page is."),
    Route(method="GET", path="/api/tables", does=at_tables.listing, gives=api.Tables,
          about="Tables, the newest first.", query=("game", "state")),
    Route(method="POST", path="/api/tables", does=at_tables.make, takes=api.NewTable, gives=api.Seated,
          status=201, about="Make a table."),
    Route(method="GET", path="/api/tables/{id}", does=at_tables.one, gives=api.TableSeen, token="may",
          about="A table, and which seat is the asker's."),
    Route(method="POST", path="/api/tables/{id}/join", does=at_tables.join, takes=api.Join, gives=api.Seated,
          status=201, about="Take an open seat."),
    Route(method="POST", path="/api/tables/{id}/move", does=at_tables.move, takes=api.MoveSaid,
          gives=api.Heard, token="must", about="Move."),
    Route(method="POST", path="/api/tables/{id}/resign", does=at_tables.resign, takes=api.Nothing,
          gives=api.TableSeen, token="must", about="Give up, or leave a table that has not begun."),
    Route(method="POST", path="/api/tables/{id}/hint", does=at_tables.hint, takes=api.HintWanted,
          gives=api.Hint, token="must", about="What a house player would do in this seat."),
    Route(method="GET", path="/api/tables/{id}/watch", does=at_live.watch, gives=api.LiveLine, media=NDJSON,
          token="may", about="The live feed, a JSON value a line."),
    Route(method="GET", path="/api/tables/{id}/live", does=at_live.live, gives=api.LiveLine,
          takes=api.LiveSaid, status=101,
          about="The live feed as a WebSocket; the first message says who one is."),
    Route(method="GET", path="/api/tables/{id}/svg", does=at_tables.picture, media="image/svg+xml",
          query=("theme",), about="The position as spectators see it."),
    Route(method="GET", path="/api/lobby/watch", does=at_live.lobby_watch, gives=api.LobbyLine, media=NDJSON,
          about="The lobby as it changes, a JSON value a line."),
    Route(method="GET", path="/api/lobby/live", does=at_live.lobby_live, gives=api.LobbyLine, status=101,
          about="The lobby as it changes, as a WebSocket."),
    Route(method="GET", path="/api/records", does=at_records.listing, gives=api.Records, query=("game",),
          about="Records, the newest first."),
    Route(method="POST", path="/api/records", does=at_records.drop, takes=bytes, gives=api.RecordSeen,
          status=201, about="Drop a record, which is played again first."),
    Route(method="GET", path="/api/records/{id}", does=at_records.download, media=NDJSON,
          about="A record, as it was written."),
    Route(method="GET", path="/api/records/{id}/info", does=at_records.info, gives=api.RecordSeen,
          about="A record in a few words."),
    Route(method="GET", path="/api/records/{id}/positions", does=at_records.positions, gives=api.PositionLine,
          media=NDJSON, about="Every event with the drawing after it."),
    Route(method="GET", path="/api/records/{id}/svg", does=at_records.svg, media="image/svg+xml",
          query=("n", "turn", "theme"), about="A position of a record as a picture."),
    Route(method="GET", path="/api/records/{id}/gif", does=at_records.gif, media="image/gif",
          query=("theme", "seconds"), about="A record as an animated picture."),
    Route(method="GET", path="/api/records/{id}/analysis", does=at_records.analysis, gives=api.AnalysisSeen,
          about="What the strongest house player makes of a record."),
    Route(method="GET", path="/api/cups", does=at_cups.listing, gives=api_cups.Cups,
          about="The tournaments that are shown here."),
    Route(method="GET", path="/api/cups/{id}", does=at_cups.one, gives=api_cups.CupSeen,
          about="A tournament with its report."),
    Route(method="GET", path="/api/cups/{id}/watch", does=at_cups.watch, gives=api_cups.CupLine, media=NDJSON,
          about="A tournament as it goes, a JSON value a line."),
    Route(method="GET", path="/api/cups/{id}/games", does=at_cups.games, gives=api_cups.CupGames,
          query=("first", "count", "entrant"), about="Finished games, some at a time."),
    Route(method="GET", path="/api/cups/{id}/games/{game}", does=at_cups.record, media=NDJSON,
          about="The record of a game, as it was written."),
    Route(method="GET", path="/api/cups/{id}/games/{game}/svg", does=at_cups.picture, media="image/svg+xml",
          query=("theme",), about="The last position of a game."),
)  # fmt: skip

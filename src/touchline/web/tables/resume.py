"""Set up the tables of a page that was killed again: running matches, and tables that wait for players.

Laws of this file: people and programs come back to their seats with their tokens; a match with a seat that
cannot come back is void, with the reason, and nobody has lost it; a match that another process plays is left
to it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions, TouchlineError
from touchline.records.interrupted import void
from touchline.server.resume import ReturningGuest
from touchline.web import schema
from touchline.web.tables.chair import Chair
from touchline.web.tables.kept_table import KeptTable
from touchline.web.tables.seats import BrowserSeat
from touchline.web.tables.table import REMOTE_PATIENCE, PageTable

if TYPE_CHECKING:
    from touchline.records.interrupted import Interrupted
    from touchline.web.tables.open_tables import OpenTable, Ports
    from touchline.web.tables.page_tables import PageTables

log = logging.getLogger(__name__)

THE_HOUSE = "the house"
"""The address of demonstration tables."""


class LeftBehind:
    """What a server that was killed left in the folder of its records."""

    def __init__(self, tables: PageTables) -> None:
        """Read it; nothing happens before `set_up()`."""
        self._tables = tables
        self._matches = [match for match in tables.files.interrupted("page") if _is_kept(match)]
        self._open = tables.kept.read()
        known = [_kept(match).ports for match in self._matches] + [table.ports for table in self._open]
        self.ports: Ports | None = next((ports for ports in reversed(known) if ports is not None), None)
        """The ports at which its players look for it."""
        self._shows: list[PageTable] = []

    def set_up(self) -> None:
        """Go on with its matches, and with the tables that wait for players."""
        matches, self._matches = self._matches, []
        for match in matches:
            table = resume_match(self._tables, match)
            if table is not None and table.address == THE_HOUSE and table.state == "running":
                self._shows.append(table)
        for kept in self._open:
            if kept.id in self._tables.by_id:  # killed when the match had just begun
                self._tables.kept.remove(kept.id)
            else:
                reopen(self._tables, kept)
        self._open = []

    def show(self, new: schema.NewTable) -> PageTable | None:
        """Return the demonstration table with these players that goes on, once; None if there is none."""
        wanted = [(seat.player, seat.options) for seat in new.seats if isinstance(seat, schema.SeatForHouse)]
        for table in self._shows:
            if table.game.name == new.game and [chair.house for chair in table.chairs] == wanted:
                self._shows.remove(table)
                return table
        return None


def _kept(match: Interrupted) -> KeptTable:
    return msgspec.convert(match.secret.table, KeptTable)


def _is_kept(match: Interrupted) -> bool:
    """Return whether the side file of a match describes its table."""
    try:
        kept, seats = _kept(match), len(match.secret.seats)
    except msgspec.ValidationError as error:
        log.warning("%s: its side file does not describe a table of the page: %s", match.path, error)
        return False
    return len(kept.house) == len(kept.tickets) == seats and len(kept.levels) in (0, seats)


def resume_match(tables: PageTables, match: Interrupted) -> PageTable | None:
    """Go on with an interrupted match, and return its table; None if another process plays it."""
    try:
        record = tables.files.resume(match)
    except BadOptions as error:
        log.warning("a match is not resumed: %s", error)
        return None
    kept, spec = _kept(match), match.spec
    chairs = [_chair(match, kept, seat) for seat in range(len(spec.names))]
    table = PageTable(
        tables, spec.game, spec.conduct, spec.limits, chairs,
        pace=kept.pace, address=kept.address, takeback=kept.takeback, id=kept.id, made=kept.made,
    )  # fmt: skip
    tables.add(table)
    try:
        for chair in chairs:
            _bring_back(tables, table, chair, match)
    except TouchlineError as error:
        void(match, table.follow(spec, record, kept.began), f"the match cannot be resumed: {error}")
    else:
        table.resume(match, record, kept.began)
    return table


def _chair(match: Interrupted, kept: KeptTable, seat: int) -> Chair:
    secret = match.secret.seats[seat]
    chair = Chair(seat, _kind(secret.kind), match.spec.names[seat])
    chair.house = (secret.word or "", kept.house[seat])
    chair.level = kept.levels[seat] if kept.levels else None
    token = kept.tickets[seat] or secret.token
    chair.token = None if token is None else bytes.fromhex(token)
    return chair


def _bring_back(tables: PageTables, table: PageTable, chair: Chair, match: Interrupted) -> None:
    """Give a chair its player again. TouchlineError if that is impossible."""
    secret = match.secret.seats[chair.seat]
    if chair.token is not None:
        tables.tokens.add(chair.token, table, chair.seat)
    if chair.kind == "house":
        factory.check_game(chair.house[0], table.game)
        chair.player = table.house_seat(chair, secret.seed or "")
    elif chair.kind == "remote":
        spoken = match.spec.dialects[chair.seat] if match.spec.dialects else None
        guest = ReturningGuest(chair.name or "", spoken or "", secret, match, REMOTE_PATIENCE)
        tables.tokens.add(bytes.fromhex(guest.token_hash), table, chair.seat)
        chair.guest, chair.player = guest, guest.remote
    else:
        others = any(other.kind != "house" for other in table.chairs if other is not chair)
        returning = tables.patience if others else max(tables.patience, tables.caps.idle_seconds)
        chair.player = BrowserSeat(table.game, table.watchers.touch, tables.patience, returning)


def reopen(tables: PageTables, kept: OpenTable) -> None:
    """Set up a table again that waited for players; a match whose players are all there begins."""
    try:
        game = registry.game(kept.game, kept.options)
    except TouchlineError as error:
        log.warning("table %s cannot be set up again: %s", kept.id, error)
        return
    chairs = []
    for seat, old in enumerate(kept.chairs):
        chair = Chair(seat, _kind(old.kind), old.name)
        chair.house, chair.level = old.house, old.level
        chairs.append(chair)
    table = PageTable(
        tables, game, kept.conduct, kept.limits, chairs,
        pace=kept.pace, address=kept.address, takeback=kept.takeback, id=kept.id, made=kept.made,
    )  # fmt: skip
    for chair, old in zip(chairs, kept.chairs, strict=True):
        if old.token is not None:
            chair.token = bytes.fromhex(old.token)
            tables.tokens.add(chair.token, table, chair.seat)
        if chair.kind in ("me", "open") and chair.taken:
            chair.player = BrowserSeat(game, table.watchers.touch, tables.patience)
    tables.add(table)
    table.begin_if_full()


def _kind(kind: str) -> Any:
    return kind if kind in ("me", "open", "house") else "remote"

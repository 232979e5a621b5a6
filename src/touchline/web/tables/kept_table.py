"""What is kept of a table in the folder of records, so that a restarted server sets it up again.

Laws of this file: of a token only the hash is kept; `resume.py` needs nothing else to set up the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.records.side_file import SeatSecret, Secret
from touchline.web.schema.catalogue import LevelName
from touchline.web.tables.open_tables import KeptChair, OpenTable, Ports
from touchline.web.tables.seats import house_seed

if TYPE_CHECKING:
    from touchline.drivers.match import MatchSpec
    from touchline.web.tables.table import PageTable


class KeptTable(Struct, frozen=True, kw_only=True):
    """What the side file of a match says about its table, besides the seats."""

    id: str
    pace: float
    made: int
    began: int
    address: str
    house: tuple[dict[str, Any], ...]
    """The options of the house player in each seat."""
    tickets: tuple[str | None, ...]
    """The hash of the token with which the program in a seat signed up."""
    ports: Ports | None
    levels: tuple[LevelName | None, ...] = ()
    takeback: bool = False


def open_table(table: PageTable, ports: Ports | None) -> OpenTable:
    """Return what is kept of a table before its match has begun."""
    chairs = tuple(
        KeptChair(
            kind=chair.kind, name=None if chair.kind == "remote" else chair.name,
            token=_hex(chair.token), house=chair.house, level=chair.level,
        )
        for chair in table.chairs
    )  # fmt: skip
    return OpenTable(
        id=table.id, game=table.game.name, options=msgspec.to_builtins(table.game), conduct=table.conduct,
        limits=table.limits, chairs=chairs, pace=table.pace, made=table.made, address=table.address,
        ports=ports, takeback=table.takeback,
    )  # fmt: skip


def match_secret(table: PageTable, spec: MatchSpec, began: int, ports: Ports | None) -> Secret:
    """Return what is kept of a table from the beginning of its match to the end."""
    seats = tuple(
        SeatSecret(
            kind=chair.kind, seed=house_seed(spec, chair.seat), word=chair.house[0] or None,
            token=_hex(chair.token) if chair.guest is None else chair.guest.token_hash,
        )
        for chair in table.chairs
    )  # fmt: skip
    kept = KeptTable(
        id=table.id, pace=table.pace, made=table.made, began=began, address=table.address,
        house=tuple(chair.house[1] for chair in table.chairs),
        tickets=tuple(None if chair.guest is None else _hex(chair.token) for chair in table.chairs),
        ports=ports, levels=tuple(chair.level for chair in table.chairs), takeback=table.takeback,
    )  # fmt: skip
    return Secret(
        origin="page", seed=spec.seed, nonce=spec.nonce, seats=seats, table=msgspec.to_builtins(kept)
    )


def _hex(token: bytes | None) -> str | None:
    return None if token is None else token.hex()

"""Shared by the commands about tournaments: the argument LEDGER, and opening the ledger it names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger import Ledger

LEDGER = click.argument("ledger", metavar="LEDGER")


def open_existing(place: str, *, readonly: bool = True) -> Ledger:
    """Open a ledger that must exist already."""
    from touchline.tournament.ledger import open_ledger

    if "://" not in place and not Path(place).is_file():
        raise BadInput("there is no such ledger; `touchline tournament run CUP.toml` creates one", place)
    return open_ledger(place, readonly=readonly)


def cup_of(ledger: Ledger, place: str) -> Cup:
    """Return the cup of a ledger. BadInput if none has been started in it."""
    from touchline.tournament.cup import unpacked

    packed = ledger.spec()
    if packed is None:
        raise BadInput("no cup has been started in this ledger", place)
    return unpacked(packed)

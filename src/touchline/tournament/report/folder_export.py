"""Export a ledger to a folder of plain files, readable without a database.

`cup.json` is the spec, `results.jsonl` has a line for each finished game by round, table and attempt,
`log.jsonl` a line for each entry of the organiser's log, and `records/` the record of each game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Raw, Struct

from touchline.core.errors import BadInput
from touchline.tournament.pairing import Played

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.ledger.base import Finished, Ledger

_encode = msgspec.json.Encoder().encode


class ExportedGame(Struct, kw_only=True):
    """A line of `results.jsonl`."""

    id: str
    played: Played
    result: Raw
    digest: str
    worker: str
    seconds: float
    oversubscribed: bool
    at: float
    voided: str | None


def _exported(game: Finished) -> ExportedGame:
    fields: dict[str, Any] = msgspec.structs.asdict(game) | {"result": Raw(game.result)}
    return ExportedGame(id=game.id, **fields)


def write_folder(ledger: Ledger, folder: Path) -> int:
    """Write a ledger into a folder, which must be new or empty; return the number of games."""
    records = folder / "records"
    if folder.exists() and any(folder.iterdir()):
        raise BadInput("there are files in this folder already: name a new one", str(folder))
    records.mkdir(parents=True)
    (folder / "cup.json").write_bytes(ledger.spec() or b"null")
    count = 0
    with (folder / "results.jsonl").open("wb") as results:
        for game in ledger.results():
            (records / f"{game.id}.jsonl").write_bytes(ledger.record(game.id))
            results.write(_encode(_exported(game)) + b"\n")
            count += 1
    (folder / "log.jsonl").write_bytes(b"".join(_encode(act) + b"\n" for act in ledger.log()))
    return count

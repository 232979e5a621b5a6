"""Sites that show tournaments, and ledgers for them."""

from __future__ import annotations

import json
import time
from collections import Counter
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from touchline.tournament.ledger import Submission, open_ledger
from touchline.tournament.pairing import Pairing
from touchline.web import schema
from touchline.web.live import cups
from tournament.cups import cup, played
from web.sites import Here, Visit, site

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    import aiohttp

    from touchline.tournament.ledger import Claim, Ledger
    from touchline.web.workers import jobs

T = TypeVar("T")


class Counting(Here):
    """Counts the jobs of each kind."""

    def __init__(self) -> None:
        super().__init__()
        self.done: Counter[type] = Counter()

    async def do(self, job: jobs.Job, kind: type[T], **others: Any) -> T:
        self.done[type(job)] += 1
        return await super().do(job, kind, **others)


def held(folder: Path, **terms: Any) -> str:
    """The ledger of a cup that has been played."""
    where = str(folder / "cup.db")
    played(cup(**terms), where, folder)
    return where


@asynccontextmanager
async def shown(*ledgers: str, **options: Any) -> AsyncIterator[tuple[Visit, str]]:
    """A site that shows these, and the id of the first."""
    opened = [open_ledger(where, readonly=True) for where in ledgers]
    places = cups.cup_sources(zip(ledgers, opened, strict=True))
    for ledger in opened:
        ledger.close()
    async with site(cups=places, **options) as visit:
        yield visit, places[0].id


def entered(ledger: Ledger, claim: Claim, template: str, **change: Any) -> None:
    """Finish a claimed game as another one was."""
    finished = next(one for one in ledger.results() if one.id == template)
    record = change.pop("record", ledger.record(template))
    done = Submission(
        played=msgspec.structs.replace(finished.played, pairing=claim.pairing, **change),
        fence=claim.fence, result=finished.result, record=record, digest="0" * 64, worker="w", seconds=0.5,
    )  # fmt: skip
    assert ledger.finish([done], time.time()) == [claim.id]


def claimed(ledger: Ledger, *tables: int) -> list[Claim]:
    """More games between the same, of a later round, which somebody has begun."""
    first = next(ledger.results()).played.pairing
    ledger.schedule([Pairing(90, table, first.entrants, first.board) for table in tables])
    return ledger.claim("w", len(tables), 600, time.time())


async def next_line(response: aiohttp.ClientResponse) -> dict[str, Any]:
    """The next line that is not empty."""
    while not (line := await response.content.readline()).strip():
        assert line, "the feed ended"
    told: dict[str, Any] = json.loads(line)
    msgspec.convert(told, schema.CupLine, strict=True)
    return told

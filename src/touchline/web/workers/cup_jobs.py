"""What workers find out about tournaments. A ledger is opened for a job, only to be read, and closed again.

Law of this file: what is told fits on a page, however large the cup is: the report is the offline one, but
for who met whom and the curves, which are those of the first so many of the standings.
"""

from __future__ import annotations

import time
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.core.errors import BadInput, BadOptions, UnknownName
from touchline.tournament.ledger.base import Counts
from touchline.tournament.standings import Standing
from touchline.tournament.worker import OURS
from touchline.web.cup_schema import CupGame, CupGames, CupPairing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from touchline.tournament.ledger import Finished, Ledger
    from touchline.tournament.pairing import Pairing
    from touchline.tournament.report.data import Report
    from touchline.web import schema

MOST_SHOWN = 64
"""Entrants in a line of `watch`, in the cross table and in the curves."""
MOST_RUNNING, MOST_LAST = 24, 8
MOST_RECORD = 8 << 20
"""Bytes of a record that can be looked at."""


def record_name(cup: str, game: str) -> str:
    """What the record of a cup's game is called among the records."""
    return f"cup:{cup}:{game}"


class Mark(NamedTuple):
    """How far a ledger has grown: two looks with the same mark have seen the same results."""

    done: int
    voided: int
    acts: int


class Table(Struct, frozen=True):
    """What follows from the results, and takes seconds where there are many."""

    mark: Mark | None
    """Of the look after which they were read; there may be a few more."""
    over: bool
    standings: tuple[Standing, ...]
    last: tuple[CupGame, ...]


class Glance(Struct, frozen=True, kw_only=True):
    """A look at a ledger."""

    mark: Mark
    counts: Counts
    paused: str | None
    running: tuple[CupPairing, ...]


class _OfLedger(Struct, frozen=True, kw_only=True):
    where: str
    """A file, or a URL that nobody but the server is told."""
    cup: str

    def open(self) -> Ledger:
        from touchline.tournament.ledger import open_ledger

        return open_ledger(self.where, readonly=True)


class LookAtCup(_OfLedger, frozen=True, kw_only=True, tag="look_at_cup"):
    """How far a cup is."""

    def done(self, started: Callable[[], None]) -> Glance:
        with self.open() as ledger:
            started()
            counts, acts = ledger.counts(time.time()), len(ledger.log())
            # The ledger does not say which games are claimed, but they are claimed in its order.
            claimed = islice(ledger.unfinished(), min(counts.claimed, MOST_RUNNING))
            return Glance(
                mark=Mark(counts.done, counts.voided, acts), counts=counts, paused=ledger.paused(),
                running=tuple(CupPairing(**_pairing(pairing)) for pairing in claimed),
            )  # fmt: skip


class TabulateCup(_OfLedger, frozen=True, kw_only=True, tag="tabulate_cup"):
    """Who is ahead, and which games ended last."""

    mark: Mark

    def done(self, started: Callable[[], None]) -> Table:
        from touchline.tournament.ledger.base import ejected

        with self.open() as ledger:
            started()
            cup, out, played = _cup(ledger), ejected(ledger.log()), []

            def results() -> Iterator[Finished]:
                for finished in ledger.results():
                    if finished.voided is None:
                        played.append(finished.played)
                    yield finished

            last = nlargest(MOST_LAST, results(), key=lambda finished: (finished.at, finished.id))
        rules = cup.rules()
        return Table(
            self.mark,
            rules.due(cup.names, played, out) is None,
            tuple(rules.standings(cup.names, played, out))[:MOST_SHOWN],
            tuple(_game(self.cup, finished) for finished in last),
        )


class ReportOnCup(_OfLedger, frozen=True, kw_only=True, tag="report_on_cup"):
    """The report, as JSON."""

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.tournament.report import build_report

        with self.open() as ledger:
            started()
            return msgspec.json.encode(_shortened(build_report(ledger)))


def _shortened(found: Report) -> Report:
    """With what grows faster than the number of entrants only for the first of them."""
    first = {line.entrant for line in found.standings[:MOST_SHOWN]}
    if len(first) == len(found.standings):
        return found
    return replace(
        found,
        cross=tuple(cross for cross in found.cross if {cross.entrant, cross.other} <= first),
        curve=tuple(
            replace(stage, ratings=tuple(rating for rating in stage.ratings if rating.entrant in first))
            for stage in found.curve
        ),
    )


class PageOfCup(_OfLedger, frozen=True, kw_only=True, tag="page_of_cup"):
    """Some finished games: of all, or of one entrant."""

    first: int
    count: int
    entrant: str | None = None

    def done(self, started: Callable[[], None]) -> CupGames:
        with self.open() as ledger:
            started()
            if self.entrant is None:  # then it need not be read to the end
                found = [*islice(ledger.results(), self.first, self.first + self.count)]
                total = ledger.counts(time.time()).done
            else:
                own = (one for one in ledger.results() if self.entrant in one.played.pairing.entrants)
                total, found = 0, []
                for finished in own:
                    if self.first <= total < self.first + self.count:
                        found.append(finished)
                    total += 1
            games = tuple(_game(self.cup, finished) for finished in found)
            return CupGames(first=self.first, total=total, games=games)


class RecordOfCup(_OfLedger, frozen=True, kw_only=True, tag="record_of_cup"):
    """A game's record in a few words, and itself. UnknownName if there is none."""

    game: str

    def done(self, started: Callable[[], None]) -> tuple[schema.Record, bytes]:
        from touchline.records.replay import Replay
        from touchline.web.record_shelf import described

        with self.open() as ledger:
            started()
            data = ledger.record(self.game)
        if len(data) > MOST_RECORD:
            raise BadOptions(f"the record of {self.game} is too long for the page")
        if not data:
            raise UnknownName(f"{self.game} could not be played, so it has no record")
        record = described(Replay(data, "the record").events, data, None, "cup", None)
        return replace(record, id=record_name(self.cup, self.game)), data


def _cup(ledger: Ledger) -> Any:
    from touchline.tournament.cup import unpacked

    packed = ledger.spec()
    if packed is None:
        raise BadInput("no cup has been begun in this ledger")
    return unpacked(packed)


def _pairing(pairing: Pairing) -> dict[str, Any]:
    return {
        "game": pairing.id, "round": pairing.round, "table": pairing.table, "attempt": pairing.attempt,
        "board": pairing.board, "entrants": pairing.entrants,
    }  # fmt: skip


def _game(cup: str, finished: Finished) -> CupGame:
    played = finished.played
    ours = played.verdict == "void" and played.reason.startswith(OURS)  # then nothing was written down
    return CupGame(
        **_pairing(played.pairing), verdict=played.verdict, reason=played.reason, winners=played.winners,
        ranks=played.ranks, scores=played.scores, at_fault=played.expelled, voided=finished.voided,
        seconds=finished.seconds, at=round(finished.at * 1000),
        record=None if ours else record_name(cup, finished.id),
    )  # fmt: skip

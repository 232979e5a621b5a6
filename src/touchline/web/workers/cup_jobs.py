"""The jobs of worker processes about tournaments. Each opens a ledger read-only and closes it again.

Rule of this file: results are bounded, however large the cup is: the report is the one of the command line,
but its cross table and rating curves have only the top entrants.
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
from touchline.tournament.ledger.base import Counts, stopped
from touchline.tournament.standings import Standing
from touchline.tournament.worker import OURS
from touchline.web.schema import CupGame, CupGames, CupPairing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from touchline.tournament.ledger import Finished, Ledger
    from touchline.tournament.pairing import Pairing
    from touchline.tournament.report.data import Report
    from touchline.web import schema

MOST_SHOWN = 64
"""Entrants in a line of `watch`, in the cross table and in the curves."""
MOST_ROUND_GAMES = 200
"""Games of a cup whose report on the page has the rounds; `/games` has the games of any cup."""
MOST_RUNNING, MOST_LAST = 24, 8
MOST_RECORD = 8 << 20
"""Bytes of a record that the page can show."""


def record_name(cup: str, game: str) -> str:
    """Return the id of the record of a cup's game at `/api/records`."""
    return f"cup:{cup}:{game}"


class LedgerMark(NamedTuple):
    """A version of a ledger: two reads with the same mark have seen the same results."""

    done: int
    voided: int
    acts: int


class CupStandings(Struct, frozen=True):
    """The standings and latest games of a cup. They take seconds to compute if there are many results."""

    mark: LedgerMark | None
    """The version at which the read began; later results may be included."""
    over: bool
    standings: tuple[Standing, ...]
    last: tuple[CupGame, ...]


class CupGlance(Struct, frozen=True, kw_only=True):
    """The counts and running games of a cup, which are quick to read."""

    mark: LedgerMark
    counts: Counts
    paused: str | None
    stopped: bool
    """Whether the pause is a stop: no process waits for its end."""
    running: tuple[CupPairing, ...]


class _LedgerJob(Struct, frozen=True, kw_only=True):
    """Base of the jobs that read a ledger."""

    where: str
    """A file or a URL, which never leaves the server."""
    cup: str

    def open(self) -> Ledger:
        from touchline.tournament.ledger import open_ledger

        return open_ledger(self.where, readonly=True)


class LookAtCup(_LedgerJob, frozen=True, kw_only=True, tag="look_at_cup"):
    """Read the counts and running games."""

    def done(self, started: Callable[[], None]) -> CupGlance:
        with self.open() as ledger:
            started()
            counts, log = ledger.counts(time.time()), ledger.log()
            # The ledger does not list the claimed games, but games are claimed in its order.
            claimed = islice(ledger.unfinished(), min(counts.claimed, MOST_RUNNING))
            return CupGlance(
                mark=LedgerMark(counts.done, counts.voided, len(log)), counts=counts,
                paused=ledger.paused(), stopped=stopped(log) is not None,
                running=tuple(CupPairing(**_pairing(pairing)) for pairing in claimed),
            )  # fmt: skip


class TabulateCup(_LedgerJob, frozen=True, kw_only=True, tag="tabulate_cup"):
    """Compute the standings, and find the games that ended last."""

    mark: LedgerMark

    def done(self, started: Callable[[], None]) -> CupStandings:
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
        return CupStandings(
            self.mark,
            rules.due(cup.names, played, out) is None,
            tuple(rules.standings(cup.names, played, out))[:MOST_SHOWN],
            tuple(_game(self.cup, finished) for finished in last),
        )


class ReportOnCup(_LedgerJob, frozen=True, kw_only=True, tag="report_on_cup"):
    """Make the report, as JSON."""

    def done(self, started: Callable[[], None]) -> bytes:
        from touchline.tournament.report import build_report

        with self.open() as ledger:
            started()
            return msgspec.json.encode(_shortened(_without_players(build_report(ledger))))


def _without_players(found: Report) -> Report:
    """Return the report without the words of players: they are command lines of the organiser's machine."""
    return replace(found, entrants=tuple(replace(one, player="") for one in found.entrants))


def _shortened(found: Report) -> Report:
    """Return the report with cross table and curves of the top entrants only; without the rounds if long."""
    if found.results > MOST_ROUND_GAMES:
        found = replace(found, rounds=())
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


class PageOfCup(_LedgerJob, frozen=True, kw_only=True, tag="page_of_cup"):
    """List a page of finished games: of all entrants, of one, or of two that met."""

    first: int
    count: int
    entrant: str | None = None
    other: str | None = None

    def done(self, started: Callable[[], None]) -> CupGames:
        with self.open() as ledger:
            started()
            wanted = {self.entrant, self.other} - {None}
            if not wanted:  # without a filter the rest need not be read
                found = [*islice(ledger.results(), self.first, self.first + self.count)]
                total = ledger.counts(time.time()).done
            else:
                own = (one for one in ledger.results() if wanted <= {*one.played.pairing.entrants})
                total, found = 0, []
                for finished in own:
                    if self.first <= total < self.first + self.count:
                        found.append(finished)
                    total += 1
            games = tuple(_game(self.cup, finished) for finished in found)
            return CupGames(first=self.first, total=total, games=games)


class RecordOfCup(_LedgerJob, frozen=True, kw_only=True, tag="record_of_cup"):
    """Return a game's record with its summary. UnknownName if there is none."""

    game: str

    def done(self, started: Callable[[], None]) -> tuple[schema.RecordSummary, bytes]:
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
    ours = played.verdict == "void" and played.reason.startswith(OURS)  # then there is no record
    return CupGame(
        **_pairing(played.pairing), verdict=played.verdict, reason=played.reason, winners=played.winners,
        ranks=played.ranks, scores=played.scores, at_fault=played.expelled, voided=finished.voided,
        seconds=finished.seconds, at=round(finished.at * 1000),
        record=None if ours else record_name(cup, finished.id),
    )  # fmt: skip

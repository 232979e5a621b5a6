"""Compute the report of a cup from its ledger: standings, ratings, cross table, time use, faults.

Law of this file: everything follows from the ledger, and void games, forfeits and expulsions are counted
separately. Where reading every record would take too long, an evenly spread sample is read, and the report
says how many.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from touchline.core import events
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.core.points import score_against
from touchline.tournament.commitment import notes_on, secrecy
from touchline.tournament.cup import unpacked
from touchline.tournament.distinct import DistinctGames
from touchline.tournament.ledger.base import ejected
from touchline.tournament.ledger.shared.digest import cup_digest
from touchline.tournament.opening_notes import unbalanced
from touchline.tournament.pairing import Interner, grouped
from touchline.tournament.ratings.base import Rating
from touchline.tournament.ratings.bradley_terry import RatingSums
from touchline.tournament.report.decisions import Decision, decisions
from touchline.tournament.report.rounds import MOST_GAMES, Round, rounds_of
from touchline.tournament.report.terms import EntrantFacts, Term, entrant_facts, terms_of
from touchline.tournament.standings import Standing
from touchline.tournament.versions import FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger import Finished, Ledger
    from touchline.tournament.pairing import Played

MOST_READ = 2_000
"""The most records that are read for the use of time."""
MOST_TROUBLES = 500
"""The most irregular games that are listed."""
MOST_SKILLED = 20_000
"""The most games for which skills are computed: that goes game by game, and takes seconds."""
CURVE = 24
"""Points of the rating curve."""
MOST_WITH_BANDS = 8
"""The most entrants for which every point of the rating curve has error bars: a chart shows few bands."""


class Cross(Struct, frozen=True):
    """The score of one entrant against another."""

    entrant: str
    other: str
    points: float
    games: int


class FaultCount(Struct, frozen=True):
    """The number of an entrant's offences of one kind, and the first game with one."""

    entrant: str
    offence: str
    count: int
    game: str
    reason: str


class Trouble(Struct, frozen=True):
    """An irregular game: void, forfeited, or with an expulsion."""

    game: str
    entrants: tuple[str, ...]
    verdict: str
    at_fault: tuple[str, ...]
    """The entrants that forfeited it or were expelled from it."""
    reason: str
    """Their offences; if there are none, why the game is void."""
    voided: str | None
    """Why the organiser declared it void; None if it stands."""


class TimeUse(Struct, frozen=True):
    """The time that an entrant took for its moves, in seconds."""

    entrant: str
    moves: int
    mean: float
    slowest: float
    share: float
    """The slowest move as a share of the time for a move; 0 without a clock."""


class Stage(Struct, frozen=True):
    """The ratings after a number of games: a point of the rating curve."""

    games: int
    ratings: tuple[Rating, ...]


class Report(Struct, frozen=True, kw_only=True):
    """The report of a cup."""

    cup: str
    game: str
    format: str
    terms: tuple[Term, ...]
    """Boards, clock, conduct and the like, in words."""
    entrants: tuple[EntrantFacts, ...]
    """Player, versions and starved turns of each entrant."""
    over: bool
    games: int
    """The games that stand."""
    distinct: int
    """Games that are no copy of another one: the same entrants on the same seats, and the same moves."""
    results: int
    """All games with a result, those declared void too."""
    void: int
    oversubscribed: int
    standings: tuple[Standing, ...]
    tiebreaks: tuple[str, ...]
    decisions: tuple[Decision, ...]
    """Which tie-break put each entrant above the next."""
    rounds: tuple[Round, ...]
    """The first games, by round."""
    ratings: tuple[Rating, ...]
    skills: tuple[Rating, ...]
    """Plackett-Luce ratings, if openskill is installed and there are not too many games."""
    cross: tuple[Cross, ...]
    curve: tuple[Stage, ...]
    faults: tuple[FaultCount, ...]
    troubles: tuple[Trouble, ...]
    """The first irregular games: void, forfeited, or with an expulsion."""
    troubled: int
    """The number of irregular games."""
    times: tuple[TimeUse, ...]
    records_read: int
    """The number of records that the times are from."""
    acts: tuple[str, ...]
    """The organiser's log, a line each, without the hashes of entrants' files."""
    notes: tuple[str, ...]
    """What a reader of the results should know: a salt that was given, an entrant that was changed."""
    commitment: str | None
    """The commitment to the secret salt; None in a cup that was begun without one."""
    salt: str | None
    """The secret salt; None until it is revealed."""
    games_digest: str
    """Equal for two runs of the same games."""
    seal: str | None
    """The hash of every stored byte, as stated at the end; None if the cup is not over, or changed since."""
    key: str | None
    """The public key that signed the seal; None if nobody did."""

    def distinct_text(self) -> str:
        """Return the number of games in words, with the distinct ones if they are fewer."""
        played = self.games - self.void
        if self.distinct >= played:
            return f"{self.games:,} games"
        return f"{self.distinct:,} distinct games of {self.games:,}"


_event = msgspec.json.Decoder(events.Event).decode


def build_report(ledger: Ledger) -> Report:
    """Compute the report of a cup, also of one that is not over."""
    packed = ledger.spec()
    if packed is None:
        raise BadInput("no cup has been started in this ledger")
    cup = unpacked(packed)
    seen = _Summary()
    digest = cup_digest(packed, seen.adding(ledger.results()))
    played = seen.standing
    acts = ledger.log()
    out, said = ejected(acts), secrecy(acts)
    rules = cup.rules()
    standings = tuple(rules.standings(cup.names, played, out))
    curve = _curve(played, seen.is_evidence, cup.names)
    times, read_records = _times(cup, ledger, [game for game in played if game.verdict != "void"])
    return Report(
        cup=cup.name, game=cup.game, format=cup.format, terms=terms_of(cup, acts),
        entrants=entrant_facts(cup, acts, seen.starved),
        over=said.final is not None or rules.due(cup.names, played, out) is None,
        games=len(played), distinct=seen.distinct.distinct, results=seen.results,
        void=sum(game.verdict == "void" for game in played),
        oversubscribed=seen.oversubscribed,
        standings=standings, tiebreaks=tuple(rules.tiebreaks),
        decisions=decisions(standings, rules.tiebreaks), rounds=rounds_of(cup, seen.first, played, out),
        ratings=curve[-1].ratings if curve else tuple(RatingSums(cup.names).ratings()),
        skills=_skills(played, cup.names), cross=_cross(played), curve=curve,
        faults=tuple(sorted(seen.faults.values(), key=lambda fault: (-fault.count, fault.entrant))),
        troubles=tuple(seen.troubles), troubled=seen.troubled, times=times, records_read=read_records,
        acts=tuple(f"{act.act} {act.about}: {act.why}" for act in acts if act.act != FILES),
        notes=(*notes_on(acts), *_notes(cup, seen.distinct)),
        commitment=said.commitment, salt=said.salt.hex() if said.salt else None,
        games_digest=digest, seal=said.final.seal if said.final else None,
        key=said.final.key if said.final else None,
    )  # fmt: skip


def _notes(cup: Cup, distinct: DistinctGames) -> Iterator[str]:
    """Yield what a reader should know about copies of games, and about the openings."""
    yield from filter(None, (distinct.note(), unbalanced(cup)))


class _Summary:
    """What is collected from the results in one pass."""

    def __init__(self) -> None:
        self._intern = Interner().intern
        self.standing: list[Played] = []
        self.first: list[Finished] = []
        """The first games, for the rounds."""
        self.distinct = DistinctGames()
        self.is_evidence: list[bool] = []
        """For each standing game, whether it is no copy of one before."""
        self.starved: Counter[str] = Counter()
        self.oversubscribed = self.troubled = self.results = 0
        self.faults: dict[tuple[str, str], FaultCount] = {}
        self.troubles: list[Trouble] = []

    def adding(self, results: Iterable[Finished]) -> Iterator[Finished]:
        """Yield the results unchanged, adding each to the summary."""
        for finished in results:
            played = finished.played
            self.results += 1
            self.oversubscribed += finished.oversubscribed
            faults = finished.faults()
            if len(self.first) < MOST_GAMES:
                self.first.append(finished)
            for fault in faults:
                if fault.offence is Offence.STARVED:
                    self.starved[played.pairing.entrants[fault.seat]] += 1
            if finished.voided is None:
                self.standing.append(lean := self._intern(played))
                self.is_evidence.append(self.distinct.add(lean, finished.digest))
                for fault in faults:
                    self._count(played, fault)
            if finished.voided is not None or played.verdict != "finished" or played.expelled:
                self.troubled += 1
                if len(self.troubles) < MOST_TROUBLES:
                    self.troubles.append(_trouble(finished, faults))
            yield finished

    def _count(self, played: Played, fault: events.Fault) -> None:
        entrant, offence = played.pairing.entrants[fault.seat], fault.offence.value
        before = self.faults.get((entrant, offence))
        self.faults[entrant, offence] = FaultCount(
            entrant, offence, 1 + (before.count if before else 0),
            before.game if before else played.pairing.id, before.reason if before else fault.reason,
        )  # fmt: skip


def _trouble(finished: Finished, faults: Iterable[events.Fault]) -> Trouble:
    played = finished.played
    names = played.pairing.entrants
    at_fault = tuple(names[seat] for seat in played.expelled)
    said = {fault.seat: f"{fault.offence.value}: {fault.reason}" for fault in faults}
    why = "; ".join(said[seat] for seat in played.expelled if seat in said) or played.reason
    return Trouble(finished.id, names, played.verdict, at_fault, why, finished.voided)


def _cross(played: Sequence[Played]) -> tuple[Cross, ...]:
    """Sum up the scores of every two that met at a table, whatever the number of seats."""
    scores: defaultdict[tuple[str, str], float] = defaultdict(float)
    games: Counter[tuple[str, str]] = Counter()
    for game, often in grouped(played):
        if game.verdict == "void":
            continue
        seats = zip(game.pairing.entrants, game.ranks, strict=True)
        for (one, rank), (other, against) in permutations(seats, 2):
            scores[one, other] += often * score_against(rank, against)
            games[one, other] += often
    return tuple(Cross(*pair, scores[pair], games[pair]) for pair in sorted(games))


def _curve(played: Sequence[Played], is_evidence: Sequence[bool], names: Sequence[str]) -> tuple[Stage, ...]:
    """Compute the ratings at moments evenly spread over the games; the last are the final ones.

    In a large field only the last have error bars.
    """
    counted = [(game, new) for game, new in zip(played, is_evidence, strict=True) if game.verdict != "void"]
    moments = sorted({len(counted) * step // CURVE for step in range(1, CURVE + 1)} - {0})
    sums, stages, before = RatingSums(names), list[Stage](), 0
    for moment in moments:
        part = counted[before:moment]
        for game, times in grouped(game for game, _ in part):
            sums.add(game, times)
        for game, times in grouped(game for game, new in part if new):
            sums.add_evidence(game, times)
        bars = moment == len(counted) or len(names) <= MOST_WITH_BANDS
        stages.append(Stage(moment, tuple(sums.ratings(bars=bars))))
        before = moment
    return tuple(stages)


def _skills(played: Sequence[Played], names: Sequence[str]) -> tuple[Rating, ...]:
    from touchline.tournament.ratings.plackett_luce import NoOpenskill, plackett_luce

    if len(played) > MOST_SKILLED:
        return ()
    try:
        return tuple(plackett_luce(played, names))
    except NoOpenskill:
        return ()


def _times(cup: Cup, ledger: Ledger, played: Sequence[Played]) -> tuple[tuple[TimeUse, ...], int]:
    step = max(1, -(-len(played) // MOST_READ))
    moves: Counter[str] = Counter()
    total: Counter[str] = Counter()
    slowest: defaultdict[str, int] = defaultdict(int)
    chosen = played[::step]
    for game in chosen:
        for line in ledger.record(game.pairing.id).splitlines():
            event = _event(line) if b'"moved"' in line[:40] else None
            if isinstance(event, events.Moved):
                entrant = game.pairing.entrants[event.seat]
                moves[entrant] += 1
                total[entrant] += event.took
                slowest[entrant] = max(slowest[entrant], event.took)
    budget = cup.limits.clock.budget
    return tuple(
        TimeUse(
            name, moves[name], total[name] / 1e6 / moves[name], slowest[name] / 1e6,
            slowest[name] / budget if budget else 0.0,
        )
        for name in cup.names
        if moves[name]
    ), len(chosen)  # fmt: skip

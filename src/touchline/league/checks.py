"""The compliance check of a version: a game on each seat against house players, in the cage.

Laws of this file: at most one check of an entrant runs at a time, and all checks together use a share of the
workers, so a bad version delays nobody's games. A check ends by itself: its clock covers the whole game. The
first clock is short; a version that is late by it waits until no new one waits, and has its full time then.
So versions that never answer do not delay the checks of others. A check that we cannot run is no verdict; it
is tried again later.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.core.clock import Clock, micros
from touchline.core.conduct import Offence
from touchline.core.events import Moved, Result
from touchline.league.feedback import CheckNotes
from touchline.league.roster import Version
from touchline.records.replay import Replay
from touchline.tournament.ledger.base import Claim
from touchline.tournament.pairing import Pairing
from touchline.tournament.seeds import GameSecrets
from touchline.tournament.worker import OURS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from touchline.league.league_file import League
    from touchline.tournament.cup import Cup
    from touchline.tournament.worker import GameReport

HOUSE = "random"
"""The house player that versions are checked against."""
AGAIN = 2.0
"""Seconds until a check that we could not run is tried again; twice as long after each failure."""
LONGEST_PAUSE = 3600.0
QUICK_START, QUICK = 2.0, 5.0
"""The first clock: seconds until a version is ready, and for all moves of a game."""
MOST_STARTS = 3
"""Attempts to start a version."""


class Check(Struct, frozen=True):
    """A game of a check: the version plays on this seat."""

    version: Version
    seat: int
    patient: bool
    """Whether it has its full time."""


class Verdict(Struct, frozen=True):
    """The outcome of a check."""

    accepted: bool
    reason: str
    notes: CheckNotes
    late: bool = False


class Checks:
    """The checks that are due, running, or put off after a failure of ours."""

    def __init__(self, league: League, slots: int) -> None:
        self._league = league
        self.most = max(1, slots // 2)
        """Checks that may run at the same time."""
        self._most_patient = max(1, self.most - 1)
        """Of these, checks with their full time: one place is for the quick ones, if there are several."""
        self._busy: dict[str, bool] = {}
        """Entrants whose version is being checked, and whether with its full time."""
        self._late: set[str] = set()
        """Versions that were late by the first clock."""
        self._failures: Counter[str] = Counter()
        self._not_before: dict[str, float] = {}

    def due(self, versions: Iterable[Version], now: float) -> list[Version]:
        """Return the versions to begin to check now, the first to be checked first.

        Entrants with fewer rejected versions come first, then who came first.
        """
        known = [*versions]
        rejected = Counter(one.entrant for one in known if one.status == "rejected")
        waiting = [
            one for one in known if one.status == "checking" and now >= self._not_before.get(one.name, 0)
        ]
        waiting.sort(key=lambda one: (one.name in self._late, rejected[one.entrant], one.at))
        first: dict[str, Version] = {}
        for one in waiting:
            first.setdefault(one.entrant, one)
        free, patient = self.most - len(self._busy), sum(self._busy.values())
        chosen = list[Version]()
        for one in first.values():
            slow = one.name in self._late
            if (
                one.entrant not in self._busy
                and len(chosen) < free
                and not (slow and patient >= self._most_patient)
            ):
                chosen.append(one)
                patient += slow
        return chosen

    def begin(self, one: Version) -> Check:
        """Note that a version is being checked; return its first game."""
        self._busy[one.entrant] = one.name in self._late
        return Check(one, 0, one.name in self._late)

    def next(self, check: Check) -> Check | None:
        """Return the next game of a check that has gone well so far; None after the last."""
        following = check.seat + 1
        return replace(check, seat=following) if following < self._league.seats else None

    def end(self, check: Check) -> None:
        """Note that a check is over."""
        self._busy.pop(check.version.entrant, None)
        self._not_before.pop(check.version.name, None)

    def was_late(self, check: Check) -> None:
        """Note that a version was late by the first clock: it is checked again, with its full time."""
        self._busy.pop(check.version.entrant, None)
        self._late.add(check.version.name)

    def failures(self, check: Check) -> int:
        """Return how often we could not run the check of a version."""
        return self._failures[check.version.name]

    def put_off(self, check: Check, now: float) -> None:
        """Note that we could not run a check."""
        name = check.version.name
        self._busy.pop(check.version.entrant, None)
        self._not_before[name] = now + min(LONGEST_PAUSE, AGAIN * 2 ** self._failures[name])
        self._failures[name] += 1

    def cup(self, check: Check) -> Cup:
        """Return the terms of a check: the clock has a bank for the whole game, and nothing besides."""
        cup, terms = self._league.cup, self._league.check
        set_up, bank = cup.limits.set_up or 0, micros(terms.seconds)
        if not check.patient:
            set_up, bank = min(set_up, micros(QUICK_START)), min(bank, micros(QUICK))
        limits = replace(cup.limits, set_up=set_up, clock=Clock(per_move=0, bank=bank))
        return replace(cup, limits=limits, turn_cap=min(cup.turn_cap, terms.turns))

    def lineup(self, check: Check) -> dict[str, Version]:
        """Return who plays in a check, by name, in the order of the seats."""
        names = [f"{HOUSE} {seat + 1}" for seat in range(self._league.seats)]
        names[check.seat] = check.version.name
        house = replace(check.version, digest="", player=HOUSE, status="house")
        return {
            name: check.version if seat == check.seat else replace(house, name=name)
            for seat, name in enumerate(names)
        }

    def game(self, check: Check) -> tuple[Claim, GameSecrets]:
        """Return the game of a check. It is not in the ledger, and its seed is no secret."""
        names = tuple(self.lineup(check))
        secrets = GameSecrets(check.seat, "0" * 32, tuple(f"check {name}" for name in names), given=True)
        return Claim(Pairing(0, check.seat, names, check.seat), 0), secrets


def verdict_on(check: Check, report: GameReport, failures: int, clock: Clock) -> Verdict | None:
    """Return what a game of a check shows about the version; None if we could not play it.

    `failures` is how often that was so before. A version that could not be started several times is
    rejected: it asks for a program that is not here. `clock` is that of the league's games, which a check
    does not stop a version by, but judges its moves by.
    """
    if not report.begun and failures + 1 >= MOST_STARTS:
        why = report.played.reason.removeprefix(OURS).strip()
        return Verdict(False, f"it cannot be started here: {why}", CheckNotes("", ""))
    if report.played.reason.startswith(OURS):
        return None
    result = msgspec.json.decode(bytes(report.result), type=Result)
    own = [fault for fault in result.faults if fault.seat == check.seat]
    notes = CheckNotes(report.notes.get(check.seat, ""), report.record)
    if not own:
        late = _late_move(check, report, clock)
        return Verdict(not late, late, notes, late=bool(late))
    first = own[0]
    why = f"{first.offence.value} at turn {first.turn}: {first.reason}"
    return Verdict(False, why, notes, late=first.offence is Offence.LATE)


def _late_move(check: Check, report: GameReport, clock: Clock) -> str:
    """Return which move of the version would have been late by the clock of the league's games, if any."""
    if not report.record:
        return ""
    for event in Replay(report.record.encode(), "the check").events:
        if isinstance(event, Moved) and event.seat == check.seat:
            if clock.late(event.took):
                most = (clock.budget or 0) / 1e6
                return f"late at turn {event.turn}: {event.took / 1e6:.2f} s, and games allow {most:g} s"
            clock = clock.spend(event.took)
    return ""

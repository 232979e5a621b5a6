"""A step of games: a submission against house players or reference solutions.

Law of this file: every submission meets the same boards, the same opponents and the same seeds, from each
seat in turn. A game that fails because of us, or of an opponent, is played again; it never counts as lost.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import UNSET

from touchline.core import events
from touchline.core.conduct import Offence, Sanction
from touchline.core.errors import BrokenPlayer, TouchlineError
from touchline.drivers.lineup import Lineup
from touchline.grading.grades import GameGrade
from touchline.grading.reasons import expected, fault_text, result_text, shortened, stderr_tail
from touchline.grading.rubric import SUBMISSION
from touchline.grading.starting import Contestant, OurFailure, starts_own_file
from touchline.players.by_name import player
from touchline.records.moves_digest import MovesDigest
from touchline.records.recorder import RecordWriter
from touchline.sandbox.launch import Sandbox
from touchline.tournament.pairing import Pairing, points
from touchline.tournament.seeds import CupSeeds, spec_of
from touchline.tournament.worker import to_played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Event, Fault, Result
    from touchline.grading.rubric import Step
    from touchline.sandbox.limits import ProgramLimits
    from touchline.tournament.cup import Cup

MOST_ANSWER = 300
"""Characters of an answer that are kept."""
ATTEMPTS = 3
"""How often a game is tried that fails because of us."""


class Game(NamedTuple):
    """A game that was played: its grade, and its record."""

    grade: GameGrade
    record: str


class Table:
    """The games of one step of a submission."""

    def __init__(self, step: Step, submission: Contestant, tier: str, limits: ProgramLimits) -> None:
        cup = step.cup
        self._step, self._cup = step, cup
        self._sandbox = Sandbox(tier=tier, limits=limits, freezes=cup.ponder is not True)
        opponents = [Contestant(one.name, one.player, one.folder) for one in step.opponents]
        self._contestants = [submission, *opponents]
        salt = hashlib.sha256(f"touchline rubric {cup.seed}".encode()).digest()
        self._seeds = CupSeeds(cup, salt, given=True)

    def play(self, number: int) -> Game:
        """Play game `number`, counted from 0. It is `ours` if it failed because of us several times."""
        pairing = self._pairing(number)
        seat, why = pairing.entrants.index(SUBMISSION), ""
        for _ in range(ATTEMPTS):
            try:
                return self._played(number, pairing, seat)
            except (OurFailure, TouchlineError) as failure:
                why = str(failure)
            except Exception as error:
                why = f"{type(error).__name__}: {error}"
        others = tuple(name for name in pairing.entrants if name != SUBMISSION)
        grade = GameGrade(number=number + 1, seat=seat, opponents=others, outcome="ours", text=why)
        return Game(grade, "")

    def _pairing(self, number: int) -> Pairing:
        """Return who sits where: seats rotate, and each board is played from every seat."""
        seats = len(self._contestants)
        names = [one.name for one in self._contestants]
        first = -number % seats
        return Pairing(0, number, tuple(names[first:] + names[:first]), number // seats)

    def _played(self, number: int, pairing: Pairing, seat: int) -> Game:
        secrets = self._seeds.of(pairing)
        seated = [next(one for one in self._contestants if one.name == name) for name in pairing.entrants]
        lineup = Lineup(
            [one.player for one in seated], secrets.players, player, refuses=(BrokenPlayer,),
            sandbox=self._sandbox, folders=[Path(one.folder) if one.folder else None for one in seated],
        )  # fmt: skip
        seen = _Watch(seat)
        result = lineup.play(lineup.fill(spec_of(self._cup, pairing, secrets)), [seen.see])
        if (why := lineup.unstarted()) is not None and not starts_own_file(seated[seat].player):
            raise OurFailure(why)
        _check_ours(result, seat, pairing.entrants, self._cup)
        notes = stderr_tail(lineup.notes.get(seat, ""))
        return Game(self._graded(number, pairing, seat, result, seen, notes), seen.record.decode())

    def _graded(
        self, number: int, pairing: Pairing, seat: int, result: Result, seen: _Watch, notes: str
    ) -> GameGrade:
        names = pairing.entrants
        faults = [fault for fault in result.faults if fault.seat == seat]
        out = seat in result.expelled or any(fault.sanction in ENDING for fault in faults)
        fault = faults[-1] if out and faults else None  # the last one removed it
        text = "" if fault is None else fault_text(fault)
        if fault is not None and fault.sanction not in ENDING:
            text += " After too many such turns it was expelled from the game."
        outcome, winners = result.outcome, () if result.outcome is None else result.outcome.winners
        if fault is None and outcome is None:
            text = f"The game was not over after {result.turns} turns: {result.reason}"
        elif fault is None:
            text = result_text(result, seat, names)
        ended: Any = (
            "fault" if fault else "unfinished" if outcome is None
            else "lost" if seat not in winners else "won" if len(winners) == 1 else "tied"
        )  # fmt: skip
        return GameGrade(
            number=number + 1, seat=seat, opponents=tuple(name for name in names if name != SUBMISSION),
            outcome=ended, score=points(to_played(pairing, result))[seat], text=text, clean=not faults,
            expected="" if fault is None else expected(fault.offence, self._cup.limits),
            answer="" if fault is None else seen.answer,
            offence="" if fault is None else fault.offence.value,
            turn=None if fault is None else fault.turn, turns=result.turns,
            moves=seen.moves.digest(result), thought=round(seen.thought / 1e6, 3),
            stderr="" if ended == "won" and not faults else notes,
        )  # fmt: skip


ENDING = (Sanction.EXPEL, Sanction.FORFEIT, Sanction.VOID)


def measured(games: Sequence[GameGrade]) -> dict[str, float]:
    """Return the measures of a step of games.

    >>> won = GameGrade(number=1, seat=0, opponents=("greedy",), outcome="won", score=1.0)
    >>> lost = GameGrade(number=2, seat=1, opponents=("greedy",), outcome="fault", clean=False)
    >>> measured([won, lost])
    {'wins': 0.5, 'score': 0.5, 'clean': 0.5}
    """
    count = len(games)
    return {
        "wins": sum(game.outcome == "won" for game in games) / count,
        "score": sum(game.score for game in games) / count,
        "clean": sum(game.clean for game in games) / count,
    }


def _check_ours(result: Result, seat: int, names: Sequence[str], cup: Cup) -> None:
    """Raise OurFailure if a game does not count, because of us or of an opponent."""
    for fault in result.faults:
        if fault.offence is Offence.STARVED and fault.sanction is not Sanction.RETRY:
            raise OurFailure(f"the machine was too busy at turn {fault.turn}: {fault.reason}")
        if fault.seat != seat and fault.sanction is not Sanction.RETRY:
            raise OurFailure(
                f"the opponent {names[fault.seat]} failed at turn {fault.turn}: "
                f"{fault.offence.value}: {fault.reason}"
            )
    if result.outcome is None and result.turns < cup.turn_cap and not _voided(result.faults, seat):
        raise OurFailure(f"the game was void: {result.reason}")


def _voided(faults: Sequence[Fault], seat: int) -> bool:
    return any(fault.seat == seat and fault.sanction is Sanction.VOID for fault in faults)


class _Watch:
    """Writes the record of a game; notes the thinking time of one seat, and its answer at its last fault."""

    def __init__(self, seat: int) -> None:
        self._seat, self.thought, self.answer = seat, 0, ""
        self.moves, self.record = MovesDigest(), bytearray()
        self._writer = RecordWriter(self.record.extend)

    def see(self, event: Event) -> None:
        self._writer.see(event)
        self.moves.see(event)
        if isinstance(event, events.SatDown | events.Moved | events.Faulted) and event.seat == self._seat:
            self.thought += event.took
            if isinstance(event, events.Faulted):
                sent = () if event.raw is UNSET else event.raw
                self.answer = shortened(" ".join(frame.strip() for frame in sent), MOST_ANSWER)

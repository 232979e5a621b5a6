"""Verify the games of a league from its ledger, and say exactly what was shown.

Law of this file: a game follows from its record by the rules, and the ledger's entry of it from the record.
What was not checked is named, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from touchline.core.errors import TouchlineError
from touchline.league.opening import cup_of
from touchline.league.roster import read_roster
from touchline.tournament.commitment import secrecy
from touchline.tournament.cup import Entrant
from touchline.tournament.ledger.base import Unreadable
from touchline.tournament.seeds import CupSeeds, commit
from touchline.tournament.verified_games import GameVerifier, wrong_attempts, wrong_counts

if TYPE_CHECKING:
    from touchline.league.roster import Roster
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Finished, Ledger


class VerifiedLeague(Struct, frozen=True, kw_only=True):
    """The outcome of a verification."""

    games: int
    """Games with a record."""
    unproven: int
    """Games that were void before they began, and have no record."""
    wrong: tuple[str, ...]
    """What is wrong, a sentence each; empty if everything that was checked is right."""
    not_checked: tuple[str, ...]
    seal: str
    """The hash of every stored byte that counts."""


def verify(ledger: Ledger, where: str) -> VerifiedLeague:
    """Verify every game that has been played so far."""
    cup, log = cup_of(ledger, where), ledger.log()
    roster = read_roster(cup, log, 1)
    wrong, not_checked = list[str](), ["which games were chosen: that follows from the results as they came"]
    seeds = _seeds(ledger, cup, wrong, not_checked)
    verifier = GameVerifier(_with_versions(cup, roster), seeds)
    games: dict[str, Finished] = {}
    unproven = 0
    for game in ledger.results():
        games[game.id] = game
        try:
            record = ledger.record(game.id)
        except Unreadable:
            raise
        except TouchlineError as error:
            wrong.append(f"{game.id}: {error}")
            continue
        if not record and game.played.verdict == "void":
            unproven += 1
        else:
            wrong += [f"{game.id}: {why}" for why in verifier.problems(game, record)]
    wrong += wrong_attempts(games, log) + wrong_counts(ledger, games.values())
    if unproven:
        not_checked.append(f"{unproven} void games: they were not begun, so they have no record")
    return VerifiedLeague(
        games=len(games) - unproven, unproven=unproven, wrong=tuple(wrong), not_checked=tuple(not_checked),
        seal=ledger.seal(),
    )  # fmt: skip


def _with_versions(cup: Cup, roster: Roster) -> Cup:
    """Return the cup with every version as an entrant."""
    return replace(cup, entrants=tuple(Entrant(one.name, one.player) for one in roster.versions.values()))


def _seeds(ledger: Ledger, cup: Cup, wrong: list[str], not_checked: list[str]) -> CupSeeds | None:
    """Return the seeds that the games must have; None for whoever does not have the salt."""
    said, salt = secrecy(ledger.log()), ledger.salt()
    if salt is None:
        not_checked.append("the seeds: the salt is with the organiser, because a league does not end")
        return None
    if commit(salt, cup.bytes()) != said.commitment:
        wrong.append("the salt, or the league, is not the one that was committed to")
    return CupSeeds(cup, salt, given=said.given)

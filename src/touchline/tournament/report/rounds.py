"""The rounds of a cup: pairings with results, who did not play, and the standings after each round.

Law of this file: its size is bounded, however large the cup is. Byes and walkovers are as the format counts
them: the difference between its standings after a round and before.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.rules import Seat
from touchline.tournament.standings import Standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger import Finished
    from touchline.tournament.pairing import Played

MOST_GAMES = 2_000
"""The most games that are listed, the first ones of the cup."""
MOST_TABULATED = 60_000
"""The most games times rounds for which there are standings after each round: each takes a new count."""
ELIMINATING = ("knockout", "fish_manager")
"""Formats in which an entrant without a game in a round may be out, and not resting."""


class RoundGame(Struct, frozen=True, kw_only=True):
    """A game of a round."""

    game: str
    entrants: tuple[str, ...]
    """In the order of the seats."""
    board: int
    verdict: str
    winners: tuple[Seat, ...]
    ranks: tuple[int | None, ...]
    scores: tuple[int, ...]
    at_fault: tuple[Seat, ...]
    reason: str
    voided: str | None
    seconds: float


class Rest(Struct, frozen=True):
    """An entrant that did not play in a round."""

    entrant: str
    why: str
    """`bye`, `walkover`, or `no game`."""
    points: float


class RoundPlace(Struct, frozen=True):
    """A line of the standings after a round."""

    rank: int
    entrant: str
    points: float


class Round(Struct, frozen=True, kw_only=True):
    """A round of a cup."""

    number: int
    """Counted from 1."""
    games: tuple[RoundGame, ...]
    rests: tuple[Rest, ...]
    standings: tuple[RoundPlace, ...]
    """The standings after this round; empty if they are not known or would be too much."""


def rounds_of(
    cup: Cup, finished: Sequence[Finished], played: Sequence[Played], out: Sequence[str]
) -> tuple[Round, ...]:
    """Return the rounds of the first games of a cup; `played` are all results that stand.

    If an entrant was ejected, nobody knows between which games; then there are no standings after a round.
    """
    rounds: dict[int, list[RoundGame]] = defaultdict(list)
    for one in finished[:MOST_GAMES]:
        rounds[one.played.pairing.round].append(_game(one))
    tabulated = not out and len(played) * len(rounds) <= MOST_TABULATED
    last = _last_rounds(played) if cup.format in ELIMINATING else {}
    found, before = [], dict[str, Standing]()
    for number in sorted(rounds):
        lines: list[Standing] = []
        if tabulated:
            so_far = [game for game in played if game.pairing.round <= number]
            lines = cup.rules().standings(cup.names, so_far)
        after = {line.entrant: line for line in lines}
        playing = {entrant for game in rounds[number] if game.voided is None for entrant in game.entrants}
        idle = [
            entrant
            for entrant in cup.names
            if entrant not in playing and entrant not in out
            and (cup.format not in ELIMINATING or last.get(entrant, -1) > number)
        ]  # fmt: skip
        found.append(
            Round(
                number=number + 1, games=tuple(rounds[number]),
                rests=tuple(_rest(entrant, before, after, cup) for entrant in idle),
                standings=tuple(RoundPlace(line.rank, line.entrant, line.points) for line in lines),
            )
        )  # fmt: skip
        before = after
    return tuple(found)


def _last_rounds(played: Sequence[Played]) -> dict[str, int]:
    """Return the last round in which each entrant has played."""
    ordered = sorted(played, key=lambda game: game.pairing.round)
    return {entrant: game.pairing.round for game in ordered for entrant in game.pairing.entrants}


def _game(finished: Finished) -> RoundGame:
    played = finished.played
    return RoundGame(
        game=finished.id, entrants=played.pairing.entrants, board=played.pairing.board,
        verdict=played.verdict, winners=played.winners, ranks=played.ranks, scores=played.scores,
        at_fault=played.expelled, reason=played.reason, voided=finished.voided, seconds=finished.seconds,
    )  # fmt: skip


def _rest(entrant: str, before: Mapping[str, Standing], after: Mapping[str, Standing], cup: Cup) -> Rest:
    now, then = after.get(entrant), before.get(entrant) or Standing(entrant=entrant)
    if now is not None and now.byes > then.byes:
        return Rest(entrant, "bye", now.byes - then.byes)
    if now is not None and now.walkovers > then.walkovers:
        return Rest(entrant, "walkover", now.points - then.points)
    return Rest(entrant, "bye" if cup.format in ELIMINATING else "no game", 0.0)

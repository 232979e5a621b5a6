"""Verify a cup from its ledger: replay every game, compute the schedule again, and compare.

Law of this file: only the cup and the records are trusted. Each record is replayed by rules and referee; the
ledger's entry of a game must follow from its record; the games must be those that the format asks for, given
these results; and one digest over everything is what two people compare.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from touchline.core.errors import BadInput, TouchlineError
from touchline.core.events import Result
from touchline.records.replay import Replay
from touchline.tournament.cup import Cup, unpacked
from touchline.tournament.ledger.base import ejected
from touchline.tournament.ratings.base import Rating
from touchline.tournament.ratings.bradley_terry import bradley_terry
from touchline.tournament.standings import Standing
from touchline.tournament.worker import MovesDigest, spec_of, to_played

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from touchline.tournament.ledger.base import Finished, Ledger, LogEntry
    from touchline.tournament.pairing import Pairing, Played


class Verified(Struct, frozen=True, kw_only=True):
    """The outcome of a verification."""

    games: int
    over: bool
    """Whether all games of the cup have been played."""
    unproven: int
    """Games that were void by our own fault before they began: they have no record and do not count."""
    wrong: tuple[str, ...]
    """What is wrong, a sentence each; empty if everything is verified."""
    digest: str
    standings: tuple[Standing, ...]
    """Standings and ratings are computed anew, so that they can be compared with a report."""
    ratings: tuple[Rating, ...]


def verify(ledger: Ledger, see: Callable[[int], None] = lambda done: None) -> Verified:
    """Verify a cup; `see` is called with the number of games done."""
    packed = ledger.spec()
    if packed is None:
        raise BadInput("the ledger is empty: no cup has been started in it")
    cup = unpacked(packed)
    wrong: list[str] = []
    games: dict[str, Finished] = {}
    unproven = 0
    for number, game in enumerate(ledger.results(), 1):
        games[game.id] = game
        try:
            record = ledger.record(game.id)
        except TouchlineError as error:
            wrong.append(f"{game.id}: {error}")
            continue
        if not record and game.played.verdict == "void":
            unproven += 1
        else:
            wrong += [f"{game.id}: {why}" for why in _game(cup, game, record)]
        see(number)
    acts = ledger.log()
    out = ejected(acts)
    standing = [
        game.played
        for game in games.values()
        if game.voided is None and {*game.played.pairing.entrants} <= {*cup.names}
    ]
    wrong += _attempts(games, acts)
    wrong += _counts(ledger, games.values())
    wrong += _schedule(cup, games.values(), standing, out)
    rules = cup.rules()
    return Verified(
        games=len(games), over=rules.due(cup.names, standing, out) is None, unproven=unproven,
        wrong=tuple(wrong), digest=ledger.digest(),
        standings=tuple(rules.standings(cup.names, standing, out)),
        ratings=tuple(bradley_terry(standing, cup.names)),
    )  # fmt: skip


def _game(cup: Cup, game: Finished, record: bytes) -> list[str]:
    """Return what is wrong with one game."""
    pairing = game.played.pairing
    if not {*pairing.entrants} <= {*cup.names}:
        return ["a player is not an entrant of the cup"]
    try:
        replay = Replay(record, game.id)
        replay.verify()
    except TouchlineError as error:
        return [f"the record does not hold: {error}"]
    assert replay.ended is not None, "a record that was verified has ended"
    wrong = []
    agreed, found = spec_of(cup, pairing), replay.spec()
    for part, ours, theirs in (
        ("game", agreed.game, found.game), ("names", agreed.names, found.names),
        ("conduct", agreed.conduct, found.conduct), ("limits", agreed.limits, found.limits),
        ("seed", agreed.seed, found.seed), ("turn cap", agreed.turn_cap, found.turn_cap),
    ):  # fmt: skip
        if ours != theirs:
            wrong.append(f"it was not played by the terms of the cup: another {part}")
    result = replay.ended.result
    if msgspec.json.decode(game.result, type=Result) != result:
        wrong.append("the ledger has another result than the record")
    if to_played(pairing, result) != game.played:
        wrong.append("its standing in the ledger does not follow from its result")
    moves = MovesDigest()
    for event in replay.events:
        moves.see(event)
    if moves.digest(result) != game.digest:
        wrong.append("its digest is not that of its record")
    return wrong


def _attempts(games: dict[str, Finished], acts: Iterable[LogEntry]) -> list[str]:
    """Check that games were replayed only if they were void, and declared void only in the log."""
    logged = {act.about for act in acts if act.act == "void"}
    wrong = []
    for id_, game in games.items():
        if game.voided is not None and id_ not in logged:
            wrong.append(f"{id_}: it was declared void, but the log does not say so")
        pairing = game.played.pairing
        if not pairing.attempt:
            continue
        before = games.get(msgspec.structs.replace(pairing, attempt=pairing.attempt - 1).id)
        if before is None or (before.voided is None and before.played.verdict != "void"):
            wrong.append(f"{id_}: it was played again, but the attempt before it stands")
    return wrong


def _counts(ledger: Ledger, games: Iterable[Finished]) -> list[str]:
    verdicts = Counter(game.played.verdict for game in games if game.voided is None)
    found = {verdict: count for verdict, count in ledger.counts(0).verdicts.items() if count}
    return [] if found == verdicts else ["the ledger's counts of verdicts do not match its games"]


def _schedule(
    cup: Cup, games: Iterable[Finished], standing: Iterable[Played], out: tuple[str, ...]
) -> list[str]:
    """Check that the games are those that the format asks for, given the results of the ones before."""
    if out:  # the ledger does not say between which games an entrant left, so the draw cannot be repeated
        return []
    rules = cup.rules()
    at = {(game.pairing.round, game.pairing.table): game for game in standing}
    known: dict[tuple[int, int], Pairing] = {}
    seen: list[Played] = []
    while True:
        due = rules.due(cup.names, seen, out)
        fresh = [pairing for pairing in due or () if (pairing.round, pairing.table) not in known]
        if not fresh:
            break
        known |= {(pairing.round, pairing.table): pairing for pairing in fresh}
        seen = [at[place] for place in sorted(known) if place in at]
    wrong = []
    for game in games:
        pairing = game.played.pairing
        expected = known.get((pairing.round, pairing.table))
        if expected is None or (expected.entrants, expected.board) != (pairing.entrants, pairing.board):
            wrong.append(f"{game.id}: the format does not ask for this game")
    return wrong

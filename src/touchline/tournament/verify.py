"""Prove a cup from its ledger: play every game again, draw every schedule again, and compare.

Law of this file: it believes nothing but the cup and the records. Each record is played again by rules and
referee; what the ledger says of a game must follow from its record; the games must be those that the format
gives out, one after the other, for these results; and one digest over all of it is what two people compare.
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
from touchline.tournament.ratings.base import Rating
from touchline.tournament.ratings.bradley_terry import bradley_terry
from touchline.tournament.report.data import ejected
from touchline.tournament.standings import Standing
from touchline.tournament.worker import Essence, counted, spec_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from touchline.tournament.ledger.base import Act, Finished, Ledger
    from touchline.tournament.pairing import Pairing, Played


class Verified(Struct, frozen=True, kw_only=True):
    """What came of it."""

    games: int
    over: bool
    """Whether all games of the cup have been played."""
    unproven: int
    """Games void by our own fault before they began: they have no record, and count for nobody."""
    wrong: tuple[str, ...]
    """What does not hold, a sentence each; empty if all is proven."""
    digest: str
    standings: tuple[Standing, ...]
    """These and the ratings are worked out anew, for whoever wants to compare them with a report."""
    ratings: tuple[Rating, ...]


def verify(ledger: Ledger, see: Callable[[int], None] = lambda done: None) -> Verified:
    """Everything again; `see` is told how many games are done."""
    packed = ledger.spec()
    if packed is None:
        raise BadInput("the ledger is empty: no cup has been begun in it")
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
    """What does not hold of one game."""
    pairing = game.played.pairing
    if not {*pairing.entrants} <= {*cup.names}:
        return ["somebody played who is no entrant"]
    try:
        replay = Replay(record, game.id)
        replay.verify()
    except TouchlineError as error:
        return [f"the record does not hold: {error}"]
    assert replay.ended is not None, "a record that was verified has ended"
    wrong = []
    agreed, found = spec_of(cup, pairing), replay.spec()
    for part in ("game", "names", "conduct", "limits", "seed", "turn_cap"):
        if getattr(agreed, part) != getattr(found, part):
            wrong.append(f"it was not played as the cup says: another {part.replace('_', ' ')}")
    result = replay.ended.result
    if msgspec.json.decode(game.result, type=Result) != result:
        wrong.append("the ledger has another result than the record")
    if counted(pairing, result) != game.played:
        wrong.append("what is counted of it does not follow from its result")
    essence = Essence()
    for event in replay.events:
        essence.see(event)
    if essence.digest(result) != game.digest:
        wrong.append("its digest is not that of its record")
    return wrong


def _attempts(games: dict[str, Finished], acts: Iterable[Act]) -> list[str]:
    """A game is played again only if it was void, and declared void only in the log."""
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
            wrong.append(f"{id_}: it was played again, but the game before it stands")
    return wrong


def _counts(ledger: Ledger, games: Iterable[Finished]) -> list[str]:
    verdicts = Counter(game.played.verdict for game in games if game.voided is None)
    found = {verdict: count for verdict, count in ledger.counts(0).verdicts.items() if count}
    return [] if found == verdicts else ["the ledger counts other verdicts than its games have"]


def _schedule(
    cup: Cup, games: Iterable[Finished], standing: Iterable[Played], out: tuple[str, ...]
) -> list[str]:
    """Whether the games are those that the format gives out, in the order in which it gives them out."""
    if out:  # when somebody left is not part of the schedule's law: what was played is all that can be told
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
            wrong.append(f"{game.id}: the format does not give out this game")
    return wrong

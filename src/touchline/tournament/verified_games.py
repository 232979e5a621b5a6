"""Verify the games of a cup: each by its record, all of them by the format's schedule."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.core.errors import TouchlineError
from touchline.core.events import Result
from touchline.records.module_rerun import run_modules
from touchline.records.moves_digest import MovesDigest
from touchline.records.replay import Replay
from touchline.tournament.seeds import GameSecrets, spec_of
from touchline.tournament.worker import to_played

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from touchline.drivers.match import MatchSpec
    from touchline.records.module_rerun import Given
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Finished, Ledger, LogEntry
    from touchline.tournament.pairing import Pairing, Played
    from touchline.tournament.seeds import CupSeeds


class GameVerifier:
    """Verifies games one by one. Without the seeds, it checks that each board has one seed."""

    def __init__(self, cup: Cup, seeds: CupSeeds | None, modules: Sequence[Given] = ()) -> None:
        """`modules` are WebAssembly modules that played, to be run again."""
        self._cup, self._seeds, self._modules = cup, seeds, modules
        self._boards: dict[int, tuple[int, tuple[Any, ...]]] = {}
        """Board -> its seed and opening, as in its first game, while the salt is not known."""
        self.confirmed = 0
        """Seats of games whose module gave the recorded answers with the recorded fuel."""
        self.unconfirmed = 0
        """Seats of games whose module was not run again, or showed nothing."""

    def problems(self, game: Finished, record: bytes) -> list[str]:
        """Return what is wrong with one game."""
        pairing = game.played.pairing
        if not {*pairing.entrants} <= {*self._cup.names}:
            return ["a player is not an entrant of the cup"]
        try:
            replay = Replay(record, game.id)
            replay.verify()
            found = replay.spec()
        except TouchlineError as error:
            return [f"the record does not hold: {error}"]
        if replay.ended is None or (replay.begun.format > 1 and replay.seal is None):
            return ["the record does not hold: it is not whole"]
        wrong = [*self._other_terms(pairing, found)]
        if replay.seal is not None and replay.seal.digest != replay.digest:
            wrong.append("the digest in the last line of its record is not that of the lines before")
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
        return [*wrong, *self._run_modules(replay)]

    def _run_modules(self, replay: Replay) -> tuple[str, ...]:
        """Run the modules of a game again, as far as they are given; return what is wrong."""
        if replay.begun.modules is msgspec.UNSET:
            return ()
        found = run_modules(replay, self._modules)
        self.confirmed += len(found.shown)
        self.unconfirmed += sum(map(bool, replay.begun.modules)) - len(found.shown)
        return found.wrong

    def _other_terms(self, pairing: Pairing, found: MatchSpec) -> Iterator[str]:
        """Yield each term of the cup that a game was not played by."""
        if self._seeds is None:
            first = (found.seed, tuple(map(msgspec.to_builtins, found.opening)))
            seed, opening = self._boards.setdefault(pairing.board, first)
            secrets = GameSecrets(seed, found.nonce, (), found.seed_given, opening)
        else:
            secrets = self._seeds.of(pairing, found.format)
        agreed = spec_of(self._cup, pairing, secrets)
        terms = ["game", "names", "conduct", "limits", "seed", "nonce", "turn_cap", "opening"]
        if found.format > 1:
            terms.append("seed_given")
        for term in terms:
            if getattr(agreed, term) != getattr(found, term):
                yield f"it was not played by the terms of the cup: another {term.replace('_', ' ')}"


def wrong_attempts(games: dict[str, Finished], acts: Iterable[LogEntry]) -> list[str]:
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


def wrong_counts(ledger: Ledger, games: Iterable[Finished]) -> list[str]:
    """Check that the verdicts which the ledger counts are those of its games."""
    verdicts = Counter(game.played.verdict for game in games if game.voided is None)
    found = {verdict: count for verdict, count in ledger.counts(0).verdicts.items() if count}
    return [] if found == verdicts else ["the ledger's counts of verdicts do not match its games"]


def wrong_schedule(cup: Cup, games: Iterable[Finished], standing: Iterable[Played]) -> list[str]:
    """Check that the games are those that the format asks for, given the results of the ones before.

    This cannot be checked of a cup from which an entrant was ejected.
    """
    rules = cup.rules()
    at = {(game.pairing.round, game.pairing.table): game for game in standing}
    known: dict[tuple[int, int], Pairing] = {}
    seen: list[Played] = []
    while True:
        due = rules.due(cup.names, seen, ())
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

"""Verify a cup from its ledger, and say exactly what was shown, in three words.

*follows*: rules, referee and conduct give every game from what was said; the ledger's entry of a game
follows from its record; the seeds follow from the salt, and the salt fits the commitment; the games are those
that the format asks for.
*sealed*: the seal over every stored byte was compared with a published one, or is signed by a known key.
*signed*: the holder of the given key signed the seal.

Law of this file: only the cup and the records are trusted. What was not checked is named, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.errors import BadInput, TouchlineError
from touchline.tournament.commitment import notes_on, secrecy
from touchline.tournament.cup import unpacked
from touchline.tournament.distinct import distinct_games
from touchline.tournament.earlier_draw import NOT_DRAWN_AGAIN
from touchline.tournament.ledger.base import Unreadable, ejected
from touchline.tournament.ratings.base import Rating
from touchline.tournament.ratings.bradley_terry import bradley_terry
from touchline.tournament.seeds import CupSeeds, commit
from touchline.tournament.standings import Standing
from touchline.tournament.verified_games import GameVerifier, wrong_attempts, wrong_counts, wrong_schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from touchline.records.module_rerun import Given
    from touchline.tournament.commitment import CupSecrecy, Reveal
    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Finished, Ledger
    from touchline.tournament.pairing import Played


class Verified(Struct, frozen=True, kw_only=True):
    """The outcome of a verification."""

    games: int
    modules: int
    """Seats of games whose WebAssembly module was run again, and gave the same answers with the same fuel."""
    over: bool
    """Whether all games of the cup have been played."""
    unproven: int
    """Games that were void by our own fault before they began: they have no record and do not count."""
    follows: bool
    sealed: bool
    signed: bool
    wrong: tuple[str, ...]
    """What is wrong, a sentence each; empty if everything that was checked is right."""
    not_checked: tuple[str, ...]
    """What was not checked, each with the reason."""
    notes: tuple[str, ...]
    """What is not wrong, and still should be known: a salt that was given, an entrant that was changed."""
    commitment: str | None
    salt: str | None
    """The secret salt; None until it is revealed."""
    games_digest: str
    """Equal for two runs of the same games."""
    seal: str
    """The hash of every stored byte that counts."""
    key: str | None
    """The public key that signed the seal; None if nobody did."""
    standings: tuple[Standing, ...]
    """Standings and ratings are computed anew, so that they can be compared with a report."""
    ratings: tuple[Rating, ...]

    @property
    def words(self) -> str:
        """What was shown, in one line."""
        shown = {"follows": self.follows, "sealed": self.sealed, "signed": self.signed}
        return ", ".join(word for word, is_so in shown.items() if is_so)


class _Findings:
    """Collects what is wrong, and what was not checked."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.not_checked: list[str] = []


def verify(
    ledger: Ledger,
    see: Callable[[int], None] = lambda done: None,
    *,
    digest: str | None = None,
    key: str | None = None,
    modules: Sequence[Given] = (),
) -> Verified:
    """Verify a cup; `see` is called with the number of games done.

    `digest` is a published seal, `key` a public key in hexadecimal digits. `modules` are WebAssembly modules
    that played, to be run again.
    """
    packed = ledger.spec()
    if packed is None:
        raise BadInput("the ledger is empty: no cup has been started in it")
    cup, log, found = unpacked(packed), ledger.log(), _Findings()
    said, out, rules = secrecy(log), ejected(log), cup.rules()
    seeds = _seeds(cup, packed, said, found)
    verifier = GameVerifier(cup, seeds, modules)
    games, unproven = _games(ledger, verifier, found, see)
    standing = [
        game.played
        for game in games.values()
        if game.voided is None and {*game.played.pairing.entrants} <= {*cup.names}
    ]
    found.wrong += wrong_attempts(games, log)
    found.wrong += wrong_counts(ledger, games.values())
    if cup.drawn_earlier:
        found.not_checked.append(NOT_DRAWN_AGAIN)
    elif out:
        found.not_checked.append(
            f"the schedule: {', '.join(out)} was ejected, and the ledger does not say between which games"
        )
    else:
        found.wrong += wrong_schedule(cup, games.values(), standing)
    over, follows, seal = rules.due(cup.names, standing, out) is None, not found.wrong, ledger.seal()
    sealed, signed = _sealed(seal, said.final, digest, key, found)
    return Verified(
        games=len(games), modules=verifier.confirmed, over=over, unproven=unproven,
        follows=follows, sealed=sealed, signed=signed,
        wrong=tuple(found.wrong), not_checked=tuple(found.not_checked), notes=notes_on(log),
        commitment=said.commitment, salt=None if said.salt is None else said.salt.hex(),
        games_digest=ledger.digest(), seal=seal, key=None if said.final is None else said.final.key,
        standings=tuple(rules.standings(cup.names, standing, out)),
        ratings=tuple(bradley_terry(standing, cup.names, evidence=_evidence(cup, games.values()))),
    )  # fmt: skip


def _evidence(cup: Cup, games: Iterable[Finished]) -> list[Played]:
    """Return the distinct games between entrants of the cup."""
    known = {*cup.names}
    return distinct_games(game for game in games if {*game.played.pairing.entrants} <= known).evidence


def _seeds(cup: Cup, packed: bytes, said: CupSecrecy, found: _Findings) -> CupSeeds | None:
    """Return the seeds that the games must have; None if they cannot be known yet."""
    if said.commitment is None:
        found.not_checked.append(
            "the salt: the cup was begun in the old format, without one; its seeds follow from the seed in "
            "the cup, so hidden information was predictable"
        )
        return CupSeeds(cup, None)
    if said.salt is None:
        found.not_checked.append("the seeds: the salt is revealed when the cup is over")
        return None
    if commit(said.salt, packed) != said.commitment:
        found.wrong.append("the salt, or the cup, is not the one that was committed to")
    return CupSeeds(cup, said.salt, given=said.given)


def _games(
    ledger: Ledger, verifier: GameVerifier, found: _Findings, see: Callable[[int], None]
) -> tuple[dict[str, Finished], int]:
    """Verify every game; return the games, and the number of those without a record."""
    games: dict[str, Finished] = {}
    unproven = 0
    for number, game in enumerate(ledger.results(), 1):
        games[game.id] = game
        try:
            record = ledger.record(game.id)
        except Unreadable:
            raise
        except TouchlineError as error:
            found.wrong.append(f"{game.id}: {error}")
            continue
        if not record and game.played.verdict == "void":
            unproven += 1
        else:
            found.wrong += [f"{game.id}: {why}" for why in verifier.problems(game, record)]
        see(number)
    if verifier.unconfirmed:
        found.not_checked.append(
            f"whether the WebAssembly modules in {verifier.unconfirmed} seats of games give these answers "
            "with this fuel: run them again with --wasm FILE, with the version of wasmtime in the records"
        )
    if unproven:
        found.not_checked.append(f"{unproven} void games: we could not play them, so they have no record")
    return games, unproven


def _sealed(
    seal: str, final: Reveal | None, digest: str | None, key: str | None, found: _Findings
) -> tuple[bool, bool]:
    """Return whether the seal was compared with something from outside, and whether it is signed by `key`."""
    before = len(found.wrong)
    if final is not None and final.seal != seal:
        found.wrong.append("the seal in the last entry of the log is not that of the ledger")
    if digest is not None and digest.lower() != seal:
        found.wrong.append(f"the seal is {seal}, not the published one")
    signed = _signed(seal, final, key, found)
    sealed = (digest is not None or signed) and len(found.wrong) == before
    if not sealed:
        found.not_checked.append(
            "names, times, isolation and the log: whoever rewrites the ledger can rewrite its seal; compare "
            "it with a published one (--digest) or with a signature (--key)"
        )
    return sealed, signed


def _signed(seal: str, final: Reveal | None, key: str | None, found: _Findings) -> bool:
    if final is None or final.key is None or final.signature is None:
        if key is not None:
            found.wrong.append("the ledger is not signed")
        return False
    from touchline.records.signing import check_signature, cup_message

    try:
        valid = check_signature(final.key, cup_message(seal), final.signature)
    except TouchlineError as error:  # the library for signatures is missing
        found.not_checked.append(f"the signature: {error}")
        return False
    if not valid:
        found.wrong.append("the signature is not valid")
    elif key is None:
        found.not_checked.append(
            f"whose key {final.key} is: it signed the ledger; give the key you know (--key)"
        )
    elif final.key != key:
        found.wrong.append(f"the ledger is signed by another key: {final.key}")
    return valid and final.key == key

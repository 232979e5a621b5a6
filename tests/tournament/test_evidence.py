"""What a verification has shown: a consistent forgery follows at most, and a seal or a key gives it away."""

from __future__ import annotations

import shutil
import sqlite3
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest

from touchline.core.events import Result
from touchline.drivers.match import commitment
from touchline.records.replay import Replay
from touchline.records.signing import SigningKey
from touchline.tournament.commitment import GIVEN
from touchline.tournament.ledger import Unreadable, open_ledger
from touchline.tournament.verify import Verified, verify
from touchline.tournament.worker import to_played
from tournament.cups import cup, played
from tournament.forgery import change, fit, fit_checksums, forge, resealed

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.ledger import Ledger

KEY = SigningKey.new()
STRANGER = SigningKey.new()


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cup of two that is over, and signed."""
    folder = tmp_path_factory.mktemp("evidence")
    made = cup(options="games = 2", ann="random", bob="greedy")
    assert played(made, str(folder / "cup.db"), folder, signer=KEY, salt=None)[0]
    return folder / "cup.db"


@pytest.fixture
def copy(signed: Path, tmp_path: Path) -> Path:
    shutil.copy(signed, tmp_path / "cup.db")
    return tmp_path / "cup.db"


def verified(file: Path, digest: str | None = None, key: str | None = None) -> Verified:
    with open_ledger(str(file), readonly=True) as ledger:
        return verify(ledger, digest=digest, key=key)


def test_three_words(signed: Path) -> None:
    plain = verified(signed)
    assert (plain.wrong, plain.words, plain.key) == ((), "follows", KEY.public)
    assert [line.split(":")[0] for line in plain.not_checked] == [
        f"whose key {KEY.public} is",
        "names, times, isolation and the log",
    ]
    assert verified(signed, digest=plain.seal.upper()).words == "follows, sealed"
    both = verified(signed, digest=plain.seal, key=KEY.public)
    assert (both.words, both.not_checked) == ("follows, sealed, signed", ())
    assert verified(signed, key=KEY.public).words == "follows, sealed, signed"


def test_another_key_and_another_digest(signed: Path) -> None:
    other = verified(signed, key=STRANGER.public)
    assert (other.words, other.wrong) == ("follows", (f"the ledger is signed by another key: {KEY.public}",))
    wrong = verified(signed, digest="00" * 32, key=KEY.public)
    assert (wrong.sealed, len(wrong.wrong)) == (False, 1)
    assert wrong.wrong[0].endswith("not the published one")


def test_the_seal_covers_what_the_games_digest_leaves_out(copy: Path) -> None:
    """Times and workers differ between two runs of the same games."""
    before = verified(copy)
    forge(copy, "UPDATE games SET seconds = seconds + 1 WHERE id = 'r0000-t0000'")
    after = verified(copy)
    assert before.games_digest == after.games_digest
    assert before.seal != after.seal
    assert verified(copy, digest=before.seal).wrong


EDITS = {
    "cup.spec": "UPDATE cup SET spec = CAST(replace(CAST(spec AS TEXT), 'small', 'large') AS BLOB)",
    "games.board": "UPDATE games SET board = board + 1",
    "games.entrants": """UPDATE games SET entrants = '["bob","bob"]'""",
    "games.verdict": "UPDATE games SET verdict = 'forfeited'",
    "games.played": "UPDATE games SET played = json_set(played, '$.reason', 'x')",
    "games.result": "UPDATE games SET result = json_set(result, '$.reason', 'x')",
    "games.digest": "UPDATE games SET digest = 'x'",
    "games.worker": "UPDATE games SET worker = 'me'",
    "games.seconds": "UPDATE games SET seconds = seconds + 1",
    "games.oversubscribed": "UPDATE games SET oversubscribed = NOT oversubscribed",
    "games.at": "UPDATE games SET at = at + 1",
    "games.voided": "UPDATE games SET voided = 'x'",
    "acts.at": "UPDATE acts SET at = at + 1",
    "acts.about": "UPDATE acts SET about = substr(about, 2) || substr(about, 1, 1) WHERE act = 'commit'",
    "acts.why": f"UPDATE acts SET why = '{GIVEN}' WHERE act = 'commit'",
    "acts, one more": "INSERT INTO acts (at, act, about, why, checksum) SELECT at, 'x', '', '', '' FROM acts",
    "acts, one less": "DELETE FROM acts WHERE act = 'commit'",
    "games, one less": "DELETE FROM games WHERE id = 'r0000-t0001'",
}
RECORD_EDITS = {
    "record.took": (b'"took":', b'"took":1'),
    "record.isolation": (b'"isolation":[null', b'"isolation":["A"'),
    "record.names": (b'["ann","bob"]', b'["bob","ann"]'),
    "record.seed_given": (b'"seed_given":false', b'"seed_given":true'),
    "record.reason": (b'"reason":"', b'"reason":"x'),
}
CONSISTENT = {
    "games.worker", "games.seconds", "games.oversubscribed", "games.at", "acts.at", "acts, one more",
    "games, one less", "record.took", "record.isolation",
}  # fmt: skip
"""The edits after which a ledger still follows: nothing in it contradicts them."""
DAMAGE = {"games.board", "games.entrants"}
"""The edits after which a row contradicts itself, so that it cannot be read."""


def edit(file: Path, what: str) -> None:
    """Change something, and make checksums and seal fit; the signature is left as it was."""
    with closing(sqlite3.connect(file, isolation_level=None)) as sql:
        if what in EDITS:
            if what == "games, one less":
                sql.execute("DELETE FROM records WHERE game = 'r0000-t0001'")
            assert sql.execute(EDITS[what]).rowcount > 0
        else:
            old, new = RECORD_EDITS[what]
            (packed,) = sql.execute("SELECT record FROM records WHERE game = 'r0000-t0000'").fetchone()
            record = zlib.decompress(packed)
            assert old in record
            packed = zlib.compress(resealed(record.replace(old, new, 1)))
            sql.execute("UPDATE records SET record = ? WHERE game = 'r0000-t0000'", (packed,))
    fit(file)


@pytest.mark.parametrize("what", [*EDITS, *RECORD_EDITS])
def test_every_edit_is_noticed_with_the_seal_or_the_key(what: str, copy: Path) -> None:
    """Without either, what passes is called no more than *follows*."""
    before = verified(copy)
    edit(copy, what)
    if what in DAMAGE:
        with pytest.raises(Unreadable, match="other entrants or another board"):
            verified(copy)
        return
    with_seal, with_key = verified(copy, digest=before.seal), verified(copy, key=KEY.public)
    assert with_seal.wrong
    assert with_key.wrong
    assert not with_seal.sealed
    assert not with_key.sealed
    assert not with_key.signed
    change(copy, "UPDATE acts SET why = substr(why, 1, 69) WHERE act = 'reveal'")  # leave the signature out
    fit(copy)
    alone = verified(copy)
    assert (alone.wrong == ()) == alone.follows == (what in CONSISTENT)
    assert not alone.sealed


def swap_two_games(file: Path) -> None:
    """Let each of two games have gone as the other did, so that winner and loser change places.

    They are on the same board, so the same moves are possible. Names, nonces, commitments, results, digests,
    checksums and seal all fit.
    """
    with open_ledger(str(file), readonly=True) as ledger:
        first, second = ledger.results()
        forged = [_as_if(ledger, first.id, second.id), _as_if(ledger, second.id, first.id)]
    with closing(sqlite3.connect(file, isolation_level=None)) as sql:
        for one, other, record in zip((first, second), (second, first), forged, strict=True):
            counted = to_played(one.played.pairing, msgspec.json.decode(other.result, type=Result))
            sql.execute(
                "UPDATE games SET verdict = ?, played = ?, result = ?, digest = ? WHERE id = ?",
                (counted.verdict, msgspec.json.encode(counted).decode(), other.result.decode(), other.digest,
                 one.id),
            )  # fmt: skip
            sql.execute("UPDATE records SET record = ? WHERE game = ?", (zlib.compress(record), one.id))
    fit(file)


def _as_if(ledger: Ledger, game: str, other: str) -> bytes:
    """The record of one game with the moves of the other."""
    own, theirs = (Replay(ledger.record(id_), id_) for id_ in (game, other))
    assert own.ended is not None
    assert theirs.ended is not None
    assert own.ended.seed == theirs.ended.seed
    record = ledger.record(other)
    for old, new in (
        (msgspec.json.encode(theirs.begun.names), msgspec.json.encode(own.begun.names)),
        (theirs.ended.nonce.encode(), own.ended.nonce.encode()),
        (theirs.begun.commitment.encode(), commitment(own.ended.seed, own.ended.nonce).encode()),
    ):
        assert record.count(old) == 1
        record = record.replace(old, new)
    return resealed(record)


def test_two_games_rewritten(copy: Path) -> None:
    """Without something from outside that is consistent, and is called no more than that."""
    before = verified(copy)
    swap_two_games(copy)
    forged = verified(copy)
    assert (forged.wrong, forged.words) == (("the signature is not valid",), "follows")
    assert forged.games_digest != before.games_digest
    assert "the seal is" in verified(copy, digest=before.seal).wrong[-2]
    assert "the signature is not valid" in verified(copy, key=KEY.public).wrong
    change(copy, "UPDATE acts SET why = substr(why, 1, 69) WHERE act = 'reveal'")  # leave the signature out
    fit(copy)
    unsigned = verified(copy)
    assert (unsigned.wrong, unsigned.words) == ((), "follows")
    for noticed in (verified(copy, digest=before.seal), verified(copy, key=KEY.public)):
        assert noticed.wrong
        assert not noticed.sealed


def test_a_cup_that_was_changed_since_its_end_is_not_sealed_again(copy: Path, tmp_path: Path) -> None:
    change(copy, "UPDATE acts SET why = replace(why, 'seal ', 'seal 0') WHERE act = 'reveal'")
    change(copy, "UPDATE acts SET why = substr(why, 1, 69) WHERE act = 'reveal'")
    fit_checksums(copy)
    with pytest.raises(Unreadable, match="changed since the cup was over"):
        played(cup(options="games = 2", ann="random", bob="greedy"), str(copy), tmp_path, salt=None)


def test_a_key_can_sign_later(tmp_path: Path) -> None:
    where = tmp_path / "cup.db"
    made = cup(options="games = 2", ann="random", bob="greedy")
    played(made, str(where), tmp_path)
    assert verified(where).key is None
    played(made, str(where), tmp_path, signer=KEY)
    assert verified(where, key=KEY.public).signed

"""Whoever changes anything in a ledger is found out."""

from __future__ import annotations

import shutil
import sqlite3
import time
import zlib
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from touchline.core.errors import BadInput
from touchline.tournament.ledger import Unreadable, open_ledger
from touchline.tournament.report.data import build_report
from touchline.tournament.verify import Verified, verify
from tournament.cups import SALT, cup, played
from tournament.forgery import change, fit, forge, resealed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knock-out: who plays in a later round depends on what came before."""
    folder = tmp_path_factory.mktemp("verify")
    made = cup("knockout", "games = 2", ann="random", bob="random", cy="greedy", dan="minimax:depth=2")
    assert played(made, str(folder / "cup.db"), folder)[0]
    return folder / "cup.db"


@pytest.fixture
def copy(ledger: Path, tmp_path: Path) -> Path:
    shutil.copy(ledger, tmp_path / "cup.db")
    return tmp_path / "cup.db"


def one(file: Path, query: str) -> Any:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchone()[0]


def verified(file: Path) -> Verified:
    with open_ledger(str(file), readonly=True) as found:
        return verify(found)


def edit_record(file: Path, old: bytes, new: bytes) -> None:
    record = zlib.decompress(one(file, "SELECT record FROM records WHERE game = 'r0000-t0000'"))
    assert old in record
    packed = zlib.compress(resealed(record.replace(old, new, 1)))
    forge(file, "UPDATE records SET record = ? WHERE game = 'r0000-t0000'", packed)


def test_what_nobody_has_touched(ledger: Path) -> None:
    found = verified(ledger)
    assert (found.wrong, found.unproven, found.over) == ((), 0, True)
    assert (found.follows, found.sealed, found.signed) == (True, False, False)
    with open_ledger(str(ledger), readonly=True) as book:
        told = build_report(book)
    assert (found.games_digest, found.seal, found.games) == (told.games_digest, told.seal, told.games)
    assert (found.commitment, found.salt) == (told.commitment, told.salt) == (found.commitment, SALT.hex())
    assert (found.standings, found.ratings) == (told.standings, told.ratings)


GAME = "WHERE id = 'r0000-t0000'"
TAMPERINGS = {
    "the result": (
        f"UPDATE games SET result = replace(result, '\"turns\":', '\"turns\":1') {GAME}",
        "r0000-t0000: the ledger has another result than the record",
    ),
    "what counts": (
        f"UPDATE games SET played = json_set(played, '$.winners', json('[0,1]')) {GAME}",
        "r0000-t0000: its standing in the ledger does not follow from its result",
    ),
    "who played": (
        """UPDATE games SET entrants = '["cy","dan"]', """
        """played = json_set(played, '$.pairing.entrants', json('["cy","dan"]')) """ + GAME,
        "r0000-t0000: it was not played by the terms of the cup: another names",
    ),
    "a stranger": (
        """UPDATE games SET entrants = '["eve","dan"]', """
        """played = json_set(played, '$.pairing.entrants', json('["eve","dan"]')) """ + GAME,
        "r0000-t0000: a player is not an entrant of the cup",
    ),
    "the board": (
        f"UPDATE games SET board = 17, played = json_set(played, '$.pairing.board', 17) {GAME}",
        "r0000-t0000: it was not played by the terms of the cup: another seed",
    ),
    "the digest": (
        f"UPDATE games SET digest = 'abc' {GAME}",
        "r0000-t0000: its digest is not that of its record",
    ),
    "the verdict": (
        f"UPDATE games SET verdict = 'forfeited' {GAME}",
        "the ledger's counts of verdicts do not match its games",
    ),
    "no record": (
        "DELETE FROM records WHERE game = 'r0000-t0000'",
        "r0000-t0000: no game r0000-t0000 has been finished",
    ),
    "another's record": (
        "UPDATE records SET record = (SELECT record FROM records WHERE game = 'r0000-t0001') "
        "WHERE game = 'r0000-t0000'",
        "r0000-t0000: it was not played by the terms of the cup: another names",
    ),
    "void, quietly": (
        f"UPDATE games SET voided = 'I lost' {GAME}",
        "r0000-t0000: it was declared void, but the log does not say so",
    ),
    "the cup's seed": (
        "UPDATE cup SET spec = CAST(replace(CAST(spec AS TEXT), '\"seed\":3', '\"seed\":4') AS BLOB)",
        "r0000-t0000: it was not played by the terms of the cup: another seed",
    ),
    "the commitment": (
        "UPDATE acts SET about = replace(about, 'a', 'b') WHERE act = 'commit'",
        "the salt, or the cup, is not the one that was committed to",
    ),
    "the salt": (
        "UPDATE acts SET about = replace(about, '0001', '0002') WHERE act = 'reveal'",
        "r0000-t0000: it was not played by the terms of the cup: another seed",
    ),
    "the cup's clock": (
        "UPDATE cup SET spec = CAST(replace(CAST(spec AS TEXT), '10000', '9') AS BLOB)",
        "r0000-t0000: it was not played by the terms of the cup: another turn cap",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERINGS)
def test_what_was_changed_is_found(what: str, copy: Path) -> None:
    """Also if the forger makes every checksum fit."""
    statement, said = TAMPERINGS[what]
    forge(copy, statement)
    found = verified(copy)
    assert any(line.startswith(said) for line in found.wrong)
    assert not found.follows


@pytest.mark.parametrize("what", [what for what in TAMPERINGS if what != "no record"])
def test_what_was_changed_by_accident_is_found_at_once(what: str, copy: Path) -> None:
    """Then the checksum of the row does not match."""
    change(copy, TAMPERINGS[what][0])
    with pytest.raises(Unreadable, match=r"damaged"):
        verified(copy)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"move":{"from":[0,', b'"move":{"from":[1,'),
        (b'"seed":', b'"seed":1'),
        (b'"rows":4', b'"rows":5'),
        (b'"name":"course"', b'"name":"curse"'),
        (b'"turn":', b'"turn":7'),
        (b'{"type":"moved"', b'{"type":"begun"'),
        (b"\n", b"\n\n"),
        (b"\n", b"\xff\n"),
    ],
)
def test_what_was_changed_in_a_record_is_found(old: bytes, new: bytes, copy: Path) -> None:
    edit_record(copy, old, new)
    found = verified(copy)
    assert len(found.wrong) == 1
    assert found.wrong[0].startswith("r0000-t0000: ")


COPIED = "entrants, board, fence, verdict, result, digest, seconds, oversubscribed, at, checksum"


def test_a_game_more(copy: Path) -> None:
    """A true record of a game that the format never gave out: the last one once more, at another table."""
    columns = f"attempt, worker, {COPIED}"
    last = one(copy, "SELECT id FROM games ORDER BY id DESC LIMIT 1")
    change(
        copy,
        f"INSERT INTO games (id, round, \"table\", played, {columns}) SELECT 'r0001-t0009', 1, 9, "
        f"json_set(played, '$.pairing.table', 9), {columns} FROM games WHERE id = '{last}'",
    )
    forge(copy, f"INSERT INTO records SELECT 'r0001-t0009', record FROM records WHERE game = '{last}'")
    assert verified(copy).wrong == (
        "r0001-t0009: it was not played by the terms of the cup: another nonce",
        "r0001-t0009: the format does not ask for this game",
    )


def test_played_once_more_until_it_came_out_right(copy: Path) -> None:
    columns = f'round, "table", {COPIED}'
    change(
        copy,
        f"INSERT INTO games (id, attempt, worker, played, {columns}) SELECT 'r0000-t0000-a1', 1, worker, "
        f"json_set(played, '$.pairing.attempt', 1), {columns} FROM games {GAME}",
    )
    forge(copy, "INSERT INTO records SELECT 'r0000-t0000-a1', record FROM records WHERE game = 'r0000-t0000'")
    assert verified(copy).wrong == (
        "r0000-t0000-a1: it was not played by the terms of the cup: another nonce",
        "r0000-t0000-a1: it was played again, but the attempt before it stands",
    )


def test_the_first_round_is_not_as_it_was(copy: Path) -> None:
    """Who meets in the final follows from all of the first round."""
    change(copy, "DELETE FROM records WHERE game = 'r0000-t0001'")
    forge(copy, "DELETE FROM games WHERE id = 'r0000-t0001'")
    found = verified(copy)
    assert not found.over
    assert all("the format does not ask for this game" in line for line in found.wrong)
    assert {line[:5] for line in found.wrong} == {"r0001"}


def test_a_game_less_leaves_the_cup_open(copy: Path) -> None:
    last = one(copy, "SELECT id FROM games ORDER BY id DESC LIMIT 1")
    change(copy, f"DELETE FROM records WHERE game = '{last}'")
    forge(copy, f"DELETE FROM games WHERE id = '{last}'")
    assert not verified(copy).over


def test_a_result_that_is_none(copy: Path) -> None:
    change(copy, f"UPDATE games SET played = '[]' {GAME}")
    fit(copy)
    with pytest.raises(BadInput, match="r0000-t0000"):
        verified(copy)


def test_a_ledger_without_a_cup(tmp_path: Path) -> None:
    with open_ledger(str(tmp_path / "new.db")) as ledger, pytest.raises(BadInput, match="no cup"):
        verify(ledger)


def test_what_the_organiser_may_do_is_proven_too(tmp_path: Path) -> None:
    made, where = cup(), str(tmp_path / "cup.db")
    played(made, where, tmp_path)
    with open_ledger(where) as book:
        book.void("r0000-t0000", "the lights went out", time.time())
        book.note("eject", "ann", "left", time.time())
        found = verify(book)
    assert found.wrong == ()
    assert "the schedule: ann was ejected, and the ledger does not say between which games" in (
        found.not_checked
    )
    assert [line.out for line in found.standings if line.entrant == "ann"] == [True]

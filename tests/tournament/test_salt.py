"""The secret salt of a cup: committed to before the first game, kept from everybody, revealed at the end."""

from __future__ import annotations

import hashlib
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from touchline.core.errors import BadOptions
from touchline.drivers.match import commitment
from touchline.records.replay import Replay
from touchline.tournament import run as run_module
from touchline.tournament.commitment import DRAWN, GIVEN, SaltLost, salt_of, secrecy
from touchline.tournament.ledger import Conflict, Unavailable, open_ledger
from touchline.tournament.ledger.shared.sql import SqlLedger
from touchline.tournament.seeds import CupSeeds, commit
from touchline.tournament.verify import verify
from tournament.cups import SALT, cup, played
from tournament.ledger.places import fresh

if TYPE_CHECKING:
    from touchline.tournament.ledger import Ledger
    from touchline.tournament.run import Run

OLD = Path(__file__).parent / "format_1" / "cup.db"


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a cup has all games in hand at once, and cannot be stopped between two."""
    monkeypatch.setattr(run_module, "MOST_IN_BATCH", 2)
    monkeypatch.setattr(run_module, "LOOK", 0.0)


def stop_early(run: Run) -> None:
    run.stopping = run.stopping or len(run.played) > 3


def seeds_in(ledger: Ledger) -> set[int]:
    """The seeds of the games, from their records."""
    records = [Replay(ledger.record(game.id), game.id) for game in ledger.results()]
    return {record.ended.seed for record in records if record.ended is not None}


def test_it_is_committed_to_before_the_first_game(tmp_path: Path) -> None:
    where, seen = str(tmp_path / "cup.db"), list[tuple[str | None, int]]()

    def see(run: Run) -> None:
        with open_ledger(where, readonly=True) as ledger:
            log = ledger.log()
            if not seen:
                assert [(entry.act, entry.about, entry.why) for entry in log] == [
                    ("commit", run.committed, DRAWN)
                ]
                seen.append((run.committed, ledger.counts(0).due + ledger.counts(0).done))

    assert played(cup(), where, tmp_path, see, salt=None)[0]
    ((committed, games),) = seen
    assert games == 0, "nothing was scheduled yet"
    with open_ledger(where, readonly=True) as ledger:
        said = secrecy(ledger.log())
        assert ledger.log()[-1].act == "reveal"
        proven = verify(ledger)
    assert said.salt is not None
    assert commit(said.salt, cup().bytes()) == committed == said.commitment
    assert (proven.wrong, proven.notes, proven.salt) == ((), (), said.salt.hex())


def test_nobody_can_read_it_while_the_cup_runs(tmp_path: Path) -> None:
    where, side = tmp_path / "cup.db", tmp_path / "cup.db-salt"
    over, _ = played(cup(), str(where), tmp_path, stop_early, salt=None)
    assert not over
    assert side.stat().st_mode & 0o777 == 0o600
    salt = bytes.fromhex(side.read_text())
    assert len(salt) == 32
    for file in (where, tmp_path / "cup.db-wal"):
        data = file.read_bytes() if file.exists() else b""
        assert salt not in data
        assert salt.hex().encode() not in data
    with open_ledger(str(where), readonly=True) as ledger:
        proven = verify(ledger)
    assert proven.wrong == ()
    assert "the seeds: the salt is revealed when the cup is over" in proven.not_checked
    assert played(cup(), str(where), tmp_path, salt=None)[0]
    assert not side.exists()


def test_in_a_database_it_is_in_a_table_until_the_end(postgres: str, tmp_path: Path) -> None:
    with fresh(postgres) as where:
        played(cup(), where, tmp_path, stop_early, salt=None)
        with open_ledger(where) as ledger:
            assert ledger.salt() is not None
        assert played(cup(), where, tmp_path, salt=None)[0]
        with open_ledger(where) as ledger:
            assert ledger.salt() is None
            assert verify(ledger).wrong == ()


def guesses(cup_seeds: range, boards: range) -> set[int]:
    """What an entrant computes that knows how cups were seeded, and tries small seeds."""
    return {
        int.from_bytes(hashlib.sha256(f"{seed} board {board}".encode()).digest()[:size]) >> shift
        for seed in cup_seeds
        for board in boards
        for size, shift in ((7, 0), (8, 1))
    }


def test_an_entrant_that_tries_small_seeds_knows_nothing(tmp_path: Path) -> None:
    """It knew every hidden goal when the seeds followed from the cup's own seed, as the old rule shows."""
    made, where = cup(), str(tmp_path / "cup.db")
    tried = guesses(range(64), range(64))
    played(made, where, tmp_path, salt=None)
    with open_ledger(where, readonly=True) as ledger:
        pairings = [game.played.pairing for game in ledger.results()]
        seeds = seeds_in(ledger)
        begun = [Replay(ledger.record(pairing.id), pairing.id).begun for pairing in pairings]
    assert seeds.isdisjoint(tried)
    assert {CupSeeds(made, None).of(pairing).seed for pairing in pairings} <= tried
    for one in begun:  # nor does the commitment in a record tell the seed
        assert one.seed_given is False
        for seed in seeds:
            assert one.commitment != commitment(seed, hashlib.sha256(f"{seed}".encode()).hexdigest()[:32])


def test_two_cups_have_other_boards(tmp_path: Path) -> None:
    """Also if their files are the same; with the same salt they are repeated."""
    first, second, third, fourth = (
        played(cup(), str(tmp_path / f"{number}.db"), tmp_path, salt=salt)[1]
        for number, salt in enumerate((None, None, SALT, SALT))
    )
    assert len({first, second, third}) == 3
    assert third == fourth


def test_a_lost_salt(tmp_path: Path) -> None:
    """The error says what to do, and that helps."""
    where, side = str(tmp_path / "cup.db"), tmp_path / "cup.db-salt"
    _, expected = played(cup(), str(tmp_path / "whole.db"), tmp_path)
    played(cup(), where, tmp_path, stop_early)
    side.unlink()
    with pytest.raises(SaltLost, match=r"put the file LEDGER-salt back .* or give the salt with --salt"):
        played(cup(), where, tmp_path, salt=None)
    side.write_text(f"{'00' * 32}\n")
    with pytest.raises(SaltLost):
        played(cup(), where, tmp_path, salt=None)
    with pytest.raises(Conflict, match="committed to another salt"):
        played(cup(), where, tmp_path, salt=bytes(32))
    assert played(cup(), where, tmp_path, salt=SALT) == (True, expected)


def test_a_salt_that_was_given_is_said(tmp_path: Path) -> None:
    where = str(tmp_path / "cup.db")
    played(cup(), where, tmp_path, salt=SALT)
    with open_ledger(where, readonly=True) as ledger:
        assert ledger.log()[0].why == GIVEN
        assert verify(ledger).notes == (GIVEN,)
        begun = Replay(ledger.record("r0000-t0000"), "r0000-t0000").begun
    assert begun.seed_given is True


def test_killed_between_the_file_and_the_commitment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has seen that salt: another one is drawn."""
    where = str(tmp_path / "cup.db")

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        patch.setattr(SqlLedger, "note", killed)
        played(cup(), where, tmp_path, salt=None)
    (tmp_path / "cup.db-salt").write_text("half of a sa")
    assert played(cup(), where, tmp_path, salt=None)[0]
    with open_ledger(where, readonly=True) as ledger:
        assert verify(ledger).wrong == ()


def test_killed_between_the_last_entry_and_the_file(tmp_path: Path) -> None:
    where, side = str(tmp_path / "cup.db"), tmp_path / "cup.db-salt"
    played(cup(), where, tmp_path)
    side.write_text(SALT.hex())
    assert played(cup(), where, tmp_path, salt=None)[0]
    assert not side.exists()
    with open_ledger(where, readonly=True) as ledger:
        assert [entry.act for entry in ledger.log()] == ["commit", "reveal"]


def test_no_game_is_scheduled_while_the_salt_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise Unavailable("the disk is full")

    def see(run: Run) -> None:
        if run.trouble is not None:
            raise KeyboardInterrupt

    monkeypatch.setattr(SqlLedger, "keep_salt", full)
    with suppress(KeyboardInterrupt):
        played(cup(), str(tmp_path / "cup.db"), tmp_path, see, salt=None)
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        assert (ledger.counts(0).due, ledger.log()) == (0, [])


def test_a_void_after_the_end(tmp_path: Path) -> None:
    """The salt is known by then; the last entry is written again."""
    where = str(tmp_path / "cup.db")
    played(cup(), where, tmp_path, salt=None)
    with open_ledger(where) as ledger:
        ledger.void("r0000-t0000", "the lights went out", time.time())
        proven = verify(ledger)
        assert (proven.wrong, proven.over, proven.key) == ((), False, None)
    assert played(cup(), where, tmp_path, salt=None)[0]
    with open_ledger(where, readonly=True) as ledger:
        assert [entry.act for entry in ledger.log()] == ["commit", "reveal", "void", "reveal"]
        assert verify(ledger).wrong == ()


@pytest.mark.parametrize("text", ["", "00", "x" * 64, "00" * 33])
def test_what_is_no_salt(text: str) -> None:
    with pytest.raises(BadOptions, match="64 hexadecimal digits"):
        salt_of(text)


def test_a_ledger_of_the_first_version(tmp_path: Path) -> None:
    """It is read and verified as it is, and a game that is void now is played again by its own rule."""
    where = tmp_path / "cup.db"
    shutil.copy(OLD, where)
    before = where.read_bytes()
    with open_ledger(str(where), readonly=True) as ledger:
        proven = verify(ledger)
    assert where.read_bytes() == before
    assert (proven.wrong, proven.games, proven.over, proven.commitment) == ((), 3, True, None)
    assert any(
        line.startswith("the salt: the cup was begun in the old format") for line in proven.not_checked
    )
    from touchline.tournament.cup import unpacked

    with open_ledger(str(where)) as ledger:
        made = unpacked(ledger.spec() or b"")
        assert ledger.digest() == proven.games_digest
        ledger.void("r0001-t0000", "the lights went out", time.time())
    with pytest.raises(Conflict, match="begun without a salt"):
        played(made, str(where), tmp_path, salt=SALT)
    assert played(made, str(where), tmp_path, salt=None)[0]
    with open_ledger(str(where), readonly=True) as ledger:
        again = verify(ledger)
        assert [entry.act for entry in ledger.log()] == ["void", "reveal"]
        assert "r0001-t0000-a1" in {game.id for game in ledger.results()}
    assert (again.wrong, again.salt, again.over) == ((), None, True)
    assert not (tmp_path / "cup.db-salt").exists()

"""Where a ledger can be, and its export."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

import touchline.tournament.ledger
from readmes import install_example
from touchline.core.errors import BadInput
from touchline.core.events import Result
from touchline.tournament.ledger import LogEntry, open_ledger
from touchline.tournament.report.folder_export import ExportedGame, write_folder
from tournament.cups import cup, played
from tournament.ledger.ledgers import NOW, SPEC, done, game, games, record_of

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.ledger import Ledger


def test_a_file_has_several_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_ledger("cup.db") as ledger:
        ledger.create(SPEC)
    for name in ("cup.db", "sqlite:///cup.db", f"sqlite:///{tmp_path}/cup.db", str(tmp_path / "cup.db")):
        with open_ledger(name, readonly=True) as again:
            assert again.spec() == SPEC


@pytest.mark.parametrize("url", ["mysql://host/db", "sqlite://", "sqlite:///", "sqlite://cup.db", "://"])
def test_other_places(url: str) -> None:
    with pytest.raises(BadInput, match="a ledger is a file, sqlite:///FILE or postgresql://HOST"):
        open_ledger(url)


def test_without_the_driver_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "touchline.tournament.ledger.postgres", raising=False)
    with pytest.raises(BadInput, match=r"pip install 'touchline\[postgres\]'"):
        open_ledger("postgresql://host/db")


def test_export(ledger: Ledger, tmp_path: Path) -> None:
    ledger.create(SPEC)
    ledger.schedule(games(5))
    claims = ledger.claim("w", 4, 60, NOW)
    ledger.finish([done(claim) for claim in claims], NOW)
    ledger.void(game(1).id, "why", NOW)
    folder = tmp_path / "out" / "cup"
    assert write_folder(ledger, folder) == 4
    assert (folder / "cup.json").read_bytes() == SPEC
    lines = [
        msgspec.json.decode(line, type=ExportedGame)
        for line in (folder / "results.jsonl").read_bytes().splitlines()
    ]
    assert [line.id for line in lines] == [game(n).id for n in range(4)]
    assert [line.voided for line in lines] == [None, "why", None, None]
    assert lines[2].played == done(claims[2]).played
    assert msgspec.json.decode(lines[2].result, type=Result).faults
    assert {file.name: file.read_bytes() for file in (folder / "records").iterdir()} == {
        f"{game(n).id}.jsonl": record_of(game(n)) for n in range(4)
    }
    (act,) = (folder / "log.jsonl").read_bytes().splitlines()
    assert msgspec.json.decode(act, type=LogEntry) == LogEntry(NOW, "void", game(1).id, "why")
    with pytest.raises(BadInput, match="there are files in this folder already"):
        write_folder(ledger, folder)


def test_a_new_ledger_can_be_exported(ledger: Ledger, tmp_path: Path) -> None:
    assert write_folder(ledger, tmp_path) == 0
    assert (tmp_path / "cup.json").read_bytes() == b"null"


def test_the_example_in_the_readme_is_a_ledger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    room = touchline.tournament.ledger
    install_example(monkeypatch, tmp_path, room, "touchline.ledgers", "memory", "Memory")
    over, digest = played(cup(), "memory://", tmp_path)
    assert over
    assert digest == played(cup(), str(tmp_path / "cup.db"), tmp_path)[1]

"""Where a ledger can be, and its export."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec
import pytest

from store.ledgers import NOW, SPEC, done, game, games, record_of
from touchline.core.errors import BadInput
from touchline.core.events import Result
from touchline.tournament.ledger import Act, open_ledger
from touchline.tournament.ledger.export import Line, export

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
    assert export(ledger, folder) == 4
    assert (folder / "cup.json").read_bytes() == SPEC
    lines = [
        msgspec.json.decode(line, type=Line) for line in (folder / "results.jsonl").read_bytes().splitlines()
    ]
    assert [line.id for line in lines] == [game(n).id for n in range(4)]
    assert [line.voided for line in lines] == [None, "why", None, None]
    assert lines[2].played == done(claims[2]).played
    assert msgspec.json.decode(lines[2].result, type=Result).faults
    assert {file.name: file.read_bytes() for file in (folder / "records").iterdir()} == {
        f"{game(n).id}.jsonl": record_of(game(n)) for n in range(4)
    }
    (act,) = (folder / "log.jsonl").read_bytes().splitlines()
    assert msgspec.json.decode(act, type=Act) == Act(NOW, "void", game(1).id, "why")
    with pytest.raises(BadInput, match="there are files in this folder already"):
        export(ledger, folder)


def test_a_new_ledger_can_be_exported(ledger: Ledger, tmp_path: Path) -> None:
    assert export(ledger, tmp_path) == 0
    assert (tmp_path / "cup.json").read_bytes() == b"null"

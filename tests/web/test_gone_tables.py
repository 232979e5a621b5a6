"""Tables that are gone: remembered over a restart, in a bounded file that may be damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.web.record_shelf import record_id
from touchline.web.tables import gone_tables
from touchline.web.tables.gone_tables import GoneTables
from touchline.web.tables.page_tables import Caps
from web.restarts import recording, restarted
from web.sites import OPEN, house, live, me, run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_restarted_server_knows_why(tmp_path: Path) -> None:
    """A game is over, and its record is named; another table was closed before its game."""

    records: list[str] = []

    async def main() -> None:
        async with recording(tmp_path, caps=Caps(finished=1)) as first:
            tables = [(await first.table("hexapawn", house(), house()))[0] for _ in range(2)]
            records.extend([(await first.result(table))["record"] for table in tables])
            closed, [ann] = await first.table("hexapawn", me("ann"), OPEN)
            assert (await first.post(f"/api/tables/{closed}/resign", {}, token=ann))[0] == 200
            async with restarted(first, tmp_path) as visit:
                for table, record in zip([*tables, closed], [*records, None], strict=True):
                    status, told = await visit.get(f"/api/tables/{table}")
                    assert (status, told["error"], told.get("record")) == (410, "gone", record)
                    async with live(visit, table) as eve:
                        line = await eve.kind("error")
                        assert (line["error"], line.get("record")) == ("gone", record)

    run(main())
    assert {record_id(file.read_bytes()) for file in tmp_path.glob("*.jsonl")} == {*records}


def test_damage_costs_only_what_is_damaged(tmp_path: Path) -> None:
    gone = GoneTables(tmp_path)
    gone.note("a", "r1")
    gone.note("b", None)
    file = tmp_path / ".tables.gone"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_bytes(b'\xff\n{"id": 7}\n[[[[\n\n' + file.read_bytes() + b'{"id": "c", "reco')
    again = GoneTables(tmp_path)
    assert ("a" in again, "b" in again, "c" in again) == (True, True, False)
    assert (again["a"], again["b"]) == ("r1", None)


def test_it_does_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest are remembered, and the file is written anew now and then; what is known is not repeated."""
    monkeypatch.setattr(gone_tables, "MOST", 3)
    gone = GoneTables(tmp_path)
    for number in range(20):
        for _ in range(2):
            gone.note(f"t{number}", None)
        assert len((tmp_path / ".tables.gone").read_bytes().splitlines()) <= 6
    for known in (gone, GoneTables(tmp_path)):
        assert [number for number in range(20) if f"t{number}" in known] == [17, 18, 19]


def test_without_a_disk_it_is_in_memory(tmp_path: Path) -> None:
    for gone in (GoneTables(None), GoneTables(tmp_path / "missing")):
        gone.note("a", "r1")
        assert gone["a"] == "r1"

"""`touchline rejudge` as a user meets it: the table, the sums, JSON, and the exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cli.shell import Shell
from recorded import SMALL, record, steps
from records.newer_reader import CAPITALS, Newer, oz_match
from touchline.core import registry
from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.registry import CONDUCTS
from touchline.drivers.match import agreed, play_now
from touchline.records.recorder import RecordWriter

if TYPE_CHECKING:
    from touchline.core.conduct import Conduct

OLD = Path(__file__).parents[1] / "records" / "format_1"
COURSE = CONDUCTS["course"]
ILLEGAL = steps("0,0 1,0", "0,0 1,0")
HONEST = steps("0,0 1,0", "2,1 1,1", "0,2 1,2")


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


class Scripted:
    def __init__(self, moves: list[Any]) -> None:
        self._moves = moves

    def choose(self, view: Any, turn: int) -> Any:
        return self._moves[turn]


def sealed(moves: list[Any], names: tuple[str, str] = ("ann", "bob"), conduct: Conduct = COURSE) -> bytes:
    """A whole record of hexapawn with its seal."""
    lines: list[bytes] = []
    spec = agreed(SMALL, names, 1, conduct=conduct, limits=UNTIMED)
    play_now(spec, [Scripted(moves)] * 2, [RecordWriter(lines.append).see])
    return b"".join(lines)


def written(folder: Path, **records: bytes) -> Path:
    for name, data in records.items():
        (folder / f"{name}.jsonl").write_bytes(data)
    return folder


# -- the table --------------------------------------------------------------------------------------


def test_the_table_has_a_row_for_each_verdict_that_changes(shell: Shell, tmp_path: Path) -> None:
    """Record, turn, seat, offence, both sanctions and the result; then the sums."""
    written(tmp_path, bad=sealed(ILLEGAL), good=sealed(HONEST))
    done = shell.touchline("rejudge", str(tmp_path), "--conduct", "seed-002")
    assert (done.returncode, done.stderr) == (0, "")
    head, row, blank, *sums = done.stdout.splitlines()
    assert head.split() == ["record", "turn", "seat", "offence", "then", "now", "result"]
    assert row.split()[1:] == "1 1 (bob) illegal expel retry not known: diverges at turn 1".split()
    assert row.startswith(str(tmp_path / "bad.jsonl"))
    assert blank == ""
    assert sums == [
        "2 records: 1 judged as before, 1 otherwise (result changed: 0, not known: 1, the same: 0)",
        "offences: illegal 1 -> 1",
    ]


def test_a_result_that_changes_is_told_with_both(shell: Shell, tmp_path: Path) -> None:
    """Who won then, and who wins now."""
    mild = tmp_path / "mild.toml"
    mild.write_text('name = "mild"\nillegal.steps = ["void"]\n')
    written(tmp_path, bad=sealed(ILLEGAL))
    done = shell.touchline("rejudge", str(tmp_path / "bad.jsonl"), "--conduct", str(mild))
    assert "illegal  expel  void  ann won, bob expelled -> void" in done.stdout
    assert "1 record: 0 judged as before, 1 otherwise (result changed: 1," in done.stdout


def test_nothing_changes_under_the_recorded_conduct(shell: Shell, tmp_path: Path) -> None:
    """There is no table then, only the sums; and no exit code but 0."""
    written(tmp_path, bad=sealed(ILLEGAL), good=sealed(HONEST))
    done = shell.touchline("rejudge", str(tmp_path), "--conduct", "course", "--reread", "--fail-on-change")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "2 records: 2 judged as before",
        "offences: illegal 1 -> 1",
        "0 messages reread, 0 read differently; 5 not reread: there is no raw message (5)",
    ]


def test_names_cannot_write_to_the_terminal(shell: Shell, tmp_path: Path) -> None:
    """Escape sequences and line breaks of a name are shown, not obeyed; a long name is cut."""
    names = ("ann\x1b[2J\u202e", "b\n" + "o" * 900)
    written(tmp_path, bad=sealed(ILLEGAL, names), worse=sealed(ILLEGAL[1:], names))
    for more in ((), ("--json",)):
        done = shell.touchline("rejudge", str(tmp_path), "--conduct", "seed-002", *more)
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout
        if not more:
            assert len(done.stdout.splitlines()) == 6
            assert "1 (b\\nooo" in done.stdout
            assert max(map(len, done.stdout.splitlines())) < 300


# -- where records are ------------------------------------------------------------------------------


def test_a_file_of_many_records(shell: Shell, tmp_path: Path) -> None:
    """Each is named by its number; standard input is read, too."""
    many = sealed(HONEST) + sealed(ILLEGAL) + sealed(ILLEGAL)
    written(tmp_path, many=many)
    found = shell.result("rejudge", str(tmp_path / "many.jsonl"), "--conduct", "seed-002")
    assert [one["record"] for one in found["records"]] == [
        f"{tmp_path / 'many.jsonl'}, match {number}" for number in (1, 2, 3)
    ]
    assert [one["result"] for one in found["records"]] == ["same", "unknown", "unknown"]
    piped = shell.result("rejudge", "-", "--conduct", "seed-002", stdin=many.decode())
    assert piped["totals"] == found["totals"]


def test_records_of_the_first_format(shell: Shell) -> None:
    """They are judged again like any other."""
    found = shell.result("rejudge", str(OLD), "--conduct", "seed-002", "--reread")
    assert found["totals"]["records"] == len(list(OLD.glob("*.jsonl")))
    assert found["totals"]["results"]["changed"] > 0
    assert found["totals"]["reread"] == 0


def test_json_has_everything(shell: Shell, tmp_path: Path) -> None:
    """Changes with both verdicts, results, and offences by kind, for each record and in all."""
    written(tmp_path, bad=sealed(ILLEGAL))
    found = shell.result("rejudge", str(tmp_path), "--conduct", "seed-002")
    (one,) = found["records"]
    assert (one["game"], one["names"], one["conduct"]) == ("hexapawn", ["ann", "bob"], "course")
    (change,) = one["changes"]
    assert {key: change[key] for key in ("line", "turn", "seat", "name")} == {
        "line": 3, "turn": 1, "seat": 1, "name": "bob",
    }  # fmt: skip
    assert (change["then"]["what"], change["now"]["what"]) == ("expel", "retry")
    assert change["then"]["offence"] == change["now"]["offence"] == "illegal"
    assert (one["diverges"], one["result"], one["now"]) == (1, "unknown", None)
    assert one["then"]["expelled"] == [1]
    assert found["damaged"] == []
    assert found["totals"] == {
        "records": 1, "damaged": 0, "changed": 1, "results": {"same": 0, "changed": 0, "unknown": 1},
        "offences_then": {"illegal": 1}, "offences_now": {"illegal": 1}, "reread": 0, "read_differently": 0,
    }  # fmt: skip


def test_seconds_are_the_time_for_a_move(shell: Shell, tmp_path: Path) -> None:
    """Who took longer is late. The time bank of the record stays, so it counts as well."""
    for bank, late in ((0, {"late": 1}), (3, {})):
        limits = Limits(clock=Clock(per_move=micros(10), bank=micros(bank)))
        data = re.sub(rb'"took":[0-9]+', b'"took":2000000', record(SMALL, 2, HONEST, limits=limits))
        written(tmp_path, slow=data)
        assert shell.result("rejudge", str(tmp_path), "--seconds", "2")["totals"]["changed"] == 0
        totals = shell.result("rejudge", str(tmp_path), "--seconds", "0.5")["totals"]
        assert totals["offences_now"] == late
        assert totals["results"]["changed"] == len(late)


# -- exit codes -------------------------------------------------------------------------------------


def test_a_change_fails_only_if_that_is_asked_for(shell: Shell, tmp_path: Path) -> None:
    """A script that guards against changes gets exit code 4."""
    written(tmp_path, bad=sealed(ILLEGAL))
    assert shell.touchline("rejudge", str(tmp_path), "--conduct", "seed-002").returncode == 0
    failing = shell.touchline("rejudge", str(tmp_path), "--conduct", "seed-002", "--fail-on-change")
    assert failing.returncode == 4


def test_a_damaged_record_is_one_line_and_the_others_are_judged(shell: Shell, tmp_path: Path) -> None:
    """Exit code 2, whatever becomes of the others."""
    forged = sealed(ILLEGAL).replace(b'"sanction":"expel","said"', b'"sanction":"retry","said"', 1)
    written(tmp_path, a=forged, b=b"nonsense\n", c=sealed(ILLEGAL), d=b"")
    done = shell.touchline("rejudge", str(tmp_path), "missing.jsonl", "--conduct", "seed-002")
    assert done.returncode == 2
    first, second, third, fourth = done.stderr.splitlines()
    assert first.startswith(f"Error: {tmp_path / 'a.jsonl'}, line 3: replayed, this line is ")
    assert second.startswith(f"Error: {tmp_path / 'b.jsonl'}, line 1: not an event: ")
    assert third == f"Error: {tmp_path / 'd.jsonl'}, line 1: a record must begin with the event `begun`"
    assert fourth == "Error: missing.jsonl: cannot be read: No such file or directory"
    assert "1 record: 0 judged as before, 1 otherwise" in done.stdout
    done = shell.touchline("rejudge", str(tmp_path), "--conduct", "seed-002", "--fail-on-change", "--json")
    assert done.returncode == 2
    found = json.loads(done.stdout)
    assert [one["record"] for one in found["damaged"]] == [str(tmp_path / f"{name}.jsonl") for name in "abd"]
    assert found["totals"]["damaged"] == 3


def test_a_match_without_its_end_needs_its_side_file(shell: Shell, tmp_path: Path) -> None:
    """Without the seed nothing can be judged."""
    written(tmp_path, cut=b"".join(record(SMALL, 2, HONEST).splitlines(keepends=True)[:3]))
    done = shell.touchline("rejudge", str(tmp_path / "cut.jsonl"), "--conduct", "seed-002")
    assert done.returncode == 2
    assert "without its last line or its side file there is no seed" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((str(OLD),), "say what is different: --conduct, --seconds or --reread"),
        ((str(OLD), "--conduct", "nice"), "no conduct is called 'nice'"),
        ((str(OLD.parent), "--conduct", "course"), "there is no record in the folder"),
        ((str(OLD), "--seconds", "0"), "is not in the range"),
        (("--conduct", "course"), "Missing argument 'RECORD...'"),
    ],
)
def test_wrong_usage(shell: Shell, words: tuple[str, ...], said: str) -> None:
    """It says what to do."""
    assert said in shell.refused("rejudge", *words)


# -- another reader ---------------------------------------------------------------------------------


def test_messages_that_are_read_differently_are_listed(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the line, both readings, and the verdict that follows; and the exit code says so if asked."""
    written(tmp_path, oz=oz_match(CAPITALS, b"nonsense").written)
    words = ("rejudge", str(tmp_path), "--reread", "--fail-on-change")
    same = shell.touchline(*words)
    assert same.returncode == 0
    assert "messages reread, 0 read differently\n" in same.stdout
    monkeypatch.setattr(registry, "dialect", lambda name: Newer)
    done = shell.touchline(*words)
    assert done.returncode == 4
    lines = done.stdout.splitlines()
    assert "malformed  retry  moved  not known: diverges at turn 0" in lines[1]
    at = lines.index("read differently:") + 1
    assert lines[at].startswith(f"{tmp_path / 'oz.jsonl'}, line 4: turn 0, seat 0: malformed (")
    assert lines[at].endswith(' -> {"from":[0,0],"to":[1,0]}')
    assert lines[at + 1] == ""
    found = json.loads(shell.touchline(*words, "--json").stdout)
    ((reading,),) = [one["readings"] for one in found["records"]]
    assert (reading["line"], reading["then"]["type"], reading["now"][0]["type"]) == (4, "garbled", "act")
    assert found["totals"]["read_differently"] == 1

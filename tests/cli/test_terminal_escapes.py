"""Names, reasons and stderr of players: no command prints their escape sequences."""

from __future__ import annotations

import io
import json
import logging
import sys
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from cli.shell import Shell
from recorded import BLUNDER, SMALL, record
from touchline.cli._terminal import printable_log
from touchline.core.events import encode
from touchline.drivers.match import agreed
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from pathlib import Path

CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"
TITLE = "\x1b]0;evil\x1b\\"
CLEAR = "\x1b[2J\x1b[H"
C1 = "\x9b2J\x9d0;evil\x9c\x85"
BIDI = "\u202egpj.exe\u2066\u200f"
NASTY = f"Zoë{CLIPBOARD}{TITLE}{CLEAR}{C1}{BIDI}"

BOT = f"""
import sys
class Nasty:
    def choose(self, view, turn):
        sys.stderr.buffer.write({NASTY!r}.encode() + b"\\n\\tand a second line\\r\\n\\xff")
        if turn >= 2:
            raise ValueError({NASTY!r})
        return view.legal_moves()[0]
"""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "nasty.py"
    path.write_text(BOT)
    return str(path)


@pytest.fixture
def match(tmp_path: Path) -> str:
    """A record with a nasty name, nasty reasons and a nasty resignation."""
    from touchline.core.messages import Resigned

    path = tmp_path / "nasty.jsonl"
    data = record(SMALL, 2, [*BLUNDER[:2], Resigned(NASTY)], turn_cap=9)
    first, *rest = Replay(data, "nasty").events
    named: Any = replace(first, names=(NASTY, f"{NASTY}\nverified: all is well"))
    path.write_bytes(b"".join(encode(event) + b"\n" for event in (named, *rest)))
    return str(path)


def harmless(done: Any) -> str:
    """Return what a command printed; nothing in it but printable characters, newlines and tabs."""
    text: str = done.stdout + done.stderr
    raw = {char for char in text if not char.isprintable() and char not in "\n\t"}
    assert not raw, (done.args, [f"{ord(char):04x}" for char in raw], text)
    return text


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "show", "{match}"),
        ("replay", "show", "{match}", "--json"),
        ("replay", "step", "{match}"),
        ("replay", "verify", "{match}"),
        ("analyse", "{match}", "--with", "minimax:depth=1"),
        ("analyse", "{match}", "--with", "minimax:depth=1", "--json"),
    ],
)
def test_a_record_prints_no_escapes(shell: Shell, match: str, words: tuple[str, ...]) -> None:
    """The names of line 1, and the reasons of faults and resignations; letters of all scripts stay."""
    done = shell.touchline(*(word.format(match=match) for word in words))
    text = harmless(done)
    assert "\nverified: all is well" not in text
    if words[1] == "show":
        assert "Zoë" in text


def test_json_keeps_the_value(shell: Shell, match: str) -> None:
    """The escapes of JSON stand for the same characters."""
    assert shell.result("replay", "show", match)["names"][0] == NASTY


@pytest.mark.parametrize(
    ("words", "second"),
    [
        (("play", "hexapawn", "{bot}", "random", "--seed", "1"), True),
        (("play", "hexapawn", "{bot}", "random", "--seed", "1", "--json"), True),
        (("replay", "into", "{bot}", "{match}", "--seat", "0"), True),
        (("replay", "into", "{bot}", "{match}", "--seat", "0", "--json"), True),
        (("shrink", "{match}", "{bot}", "--seat", "0", "--tries", "2"), True),
        (("shrink", "{match}", "{bot}", "--seat", "0", "--tries", "2", "--force", "--json"), False),
    ],
)
def test_a_bot_prints_no_escapes(
    shell: Shell, bot: str, match: str, words: tuple[str, ...], second: bool
) -> None:
    """Neither its stderr nor the reason of its crash; its lines stay lines."""
    text = harmless(shell.touchline(*(word.format(bot=bot, match=match) for word in words)))
    assert "Zoë\\x1b]52;c;ZXZpbA==" in text or "Zoë\\u001b]52" in text
    if second:
        assert "\n\tand a second line\n" in text


def test_check_player_prints_no_escapes(shell: Shell, bot: str) -> None:
    """The frames, the failure and the stderr of each step."""
    done = shell.touchline("check", "player", "--seconds", "5", bot)
    assert done.returncode == 4
    assert "Zoë\\x1b]52" in harmless(done)


CUP = """
name = "c"
seed = 1
game = {name = "hexapawn", rows = 4, cols = 4}
format = {name = "round_robin"}
entrants = [
  {name = "nasty", player = "nasty.py"},
  {name = "random", player = "random"},
]
"""


def test_a_tournament_prints_no_escapes(shell: Shell, bot: str, tmp_path: Path) -> None:
    """Checking the entrants shows their stderr; the report and the standings show names and faults."""
    cup = tmp_path / "cup.toml"
    cup.write_text(CUP)
    checked = shell.touchline("tournament", "check", str(cup), "--games", "1")
    assert "Zoë\\x1b]52" in harmless(checked)
    ledger = str(tmp_path / "cup.db")
    harmless(shell.touchline("tournament", "run", str(cup), "--ledger", ledger, "--on", "here"))
    for command in ("show", "report"):
        harmless(shell.touchline("tournament", command, ledger))
        harmless(shell.touchline("tournament", command, ledger, "--json"))


def test_the_standings_print_no_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    """A name of a ledger that somebody else made."""
    import click

    from touchline.cli._cup_tables import print_standings
    from touchline.tournament.standings import Standing

    row = Standing(entrant=NASTY, rank=1, points=1, games=1)
    with click.Context(click.Command("x"), obj="never"):
        print_standings([row], [])
    assert all(char.isprintable() or char == "\n" for char in capsys.readouterr().out)


def test_serve_and_join_print_no_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    """The log lines of a table, and the frames and errors that a server sends."""
    from touchline.cli._port_records import PortRecords
    from touchline.cli._port_server import _begun, _teller
    from touchline.cli.join import _Messages
    from touchline.core import registry
    from touchline.core.events import Result
    from touchline.records.record_folder import RecordFolder

    spec = agreed(SMALL, (NASTY, "b"), 1)
    _begun(1, spec, NASTY)  # type: ignore[arg-type]
    result = Result(verdict="void", outcome=None, reason=NASTY, turns=0)
    for as_json in (False, True):
        _teller(as_json, PortRecords(RecordFolder(None), None))(1, spec, result)
        told = _Messages(NASTY, 1, True, as_json, registry.dialect("native"))
        told.waiting(NASTY)
        told.heard(json.dumps(NASTY, ensure_ascii=False).encode() + NASTY.encode() + b"\xff")
        told.done()
    said = capsys.readouterr()
    text = said.out + said.err
    assert "Zoë" in text
    assert all(char.isprintable() or char == "\n" for char in text)


def test_errors_and_the_log_print_no_escapes(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error that quotes a record, and a message of the log with a traceback."""
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps({"type": f"x{NASTY}"}, ensure_ascii=False) + "\n")
    done = shell.touchline("replay", "show", str(path))
    assert done.returncode == 2
    harmless(done)
    monkeypatch.setattr(logging, "lastResort", logging.StreamHandler(written := io.StringIO()))
    printable_log()
    assert logging.lastResort is not None
    try:
        raise ValueError(NASTY)
    except ValueError:
        made = logging.LogRecord("x", logging.ERROR, "", 0, "%s", (NASTY,), sys.exc_info())
    logging.lastResort.emit(made)
    assert "Traceback" in written.getvalue()
    assert all(char.isprintable() or char == "\n" for char in written.getvalue())

"""`touchline analyse` as a user meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cli.commands import TOUCHLINE, environment, touchline
from cli.shell import Shell
from recorded import BLUNDER, FLAWLESS, SMALL, record, steps
from touchline.cli._thinkers import thinker
from touchline.core.events import Begun
from touchline.games.labyrinth import PASS, Labyrinth
from touchline.records.replay import Replay

THINKERS = str(Path(__file__).parent.parent / "obvious" / "thinkers.py")
KNOWS = ("--with", f"{THINKERS}:Exhaustive")
LOOKS = ("--with", f"{THINKERS}:Eager")


@pytest.fixture(scope="module")
def blunder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The record of a match in which seat 1 gave away a won game."""
    path = tmp_path_factory.mktemp("records") / "blunder.jsonl"
    path.write_bytes(record(SMALL, 2, BLUNDER))
    return str(path)


def file(folder: Path, data: bytes | str, name: str = "match.jsonl") -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def here(turn: int) -> dict[str, Any]:
    """A position of the match, as `show --json` writes it."""
    match = Replay(record(SMALL, 2, BLUNDER), "a match")
    state = [state for event, state in match.states()][turn]
    board = state.position().board  # type: ignore[attr-defined]
    position = {"board": board, "to_move": state.to_move}
    return {"game": "hexapawn", "options": {"rows": 3, "cols": 3}, "position": position}


# -- a record -----------------------------------------------------------------------------------------


def test_a_table_and_where_it_was_lost(shell: Shell, blunder: str) -> None:
    """A row for each turn, with the moves as one types them."""
    done = shell.touchline("analyse", blunder, *KNOWS)
    assert (done.returncode, done.stderr) == (0, "")
    title, head, *rows, last = done.stdout.splitlines()
    assert title.startswith("hexapawn: seat 0 player 0, seat 1 player 1; ")
    assert head.split() == ["turn", "seat", "move", "value", "after", "gave", "verdict", "best", "says"]
    assert [" ".join(row.split()) for row in rows] == [
        "0 0 player 0 0,0 1,0 0.00 0.00 best does not win",
        "1 1 player 1 2,1 1,1 1.00 0.00 1.00 blunder 2,1 1,0 wins",
        "2 0 player 0 0,2 1,2 1.00 1.00 best wins",
    ]
    assert last == "seat 1 lost it at turn 1: 2,1 1,1 instead of 2,1 1,0; 1.00 -> 0.00"


def test_the_worst_moves(shell: Shell, blunder: str) -> None:
    """Of each player, with what was better, and when it was decided; as text and as JSON."""
    done = shell.touchline("analyse", blunder, "--worst")
    assert (done.returncode, done.stdout.splitlines()) == (
        0,
        [
            "perfect judges, with everything in sight",
            "worst moves of player 0: none",
            "worst moves of player 1:",
            "  turn 1: stepped to (1, 1); better: take on (1, 0) from (2, 1) (-100 %)",
            "decisive, turn 1: player 1 stepped to (1, 1). From then on player 0 was ahead.",
        ],
    )
    said = shell.result("analyse", blunder, "--worst", "--with", "minimax:depth=6")
    assert (said["thinker"], [move["turn"] for move in said["review"]["worst"]]) == ("minimax:depth=6", [1])


@pytest.mark.parametrize("wrong", [("--turns", "1"), ("--svg", "x.svg"), KNOWS])
def test_the_worst_moves_are_of_a_whole_record(shell: Shell, blunder: str, wrong: tuple[str, ...]) -> None:
    """What does not go together is said in one line."""
    assert "--worst" in shell.refused("analyse", blunder, "--worst", *wrong)


def test_as_json(shell: Shell, blunder: str) -> None:
    """All of it, with the moves as they stand in the record."""
    said = shell.result("analyse", blunder, *KNOWS)
    assert (said["game"], said["options"]) == ("hexapawn", {"rows": 3, "cols": 3})
    assert (said["complete"], said["all_seeing"], said["values"]) == (True, False, [1, 0])
    assert [turn["played"]["verdict"] for turn in said["turns"]] == ["best", "blunder", "best"]
    turn = said["turns"][1]
    assert (turn["turn"], turn["by"], turn["before"]["seat"]) == (1, "seat", 1)
    assert turn["before"]["values"] == [0, 1]
    assert turn["before"]["line"][0] == {"from": [2, 1], "to": [1, 0]}
    assert turn["before"]["spelled"][0] == "2,1 1,0"
    assert turn["played"]["move"] == {"from": [2, 1], "to": [1, 1]}
    assert [(loss["seat"], loss["how"], loss["turn"]) for loss in said["losses"]] == [(1, "move", 1)]


def test_a_record_from_standard_input(blunder: str) -> None:
    """A dash stands for it."""
    done = touchline("analyse", "-", *KNOWS, stdin=Path(blunder).read_text())
    assert done.stdout == touchline("analyse", blunder, *KNOWS).stdout


@pytest.mark.parametrize(("turns", "rows"), [("1", [1]), ("1-2", [1, 2]), ("1-", [1, 2]), ("7-9", [])])
def test_some_turns(shell: Shell, blunder: str, turns: str, rows: list[int]) -> None:
    """Only these are thought about, and where it was lost is not told."""
    said = shell.result("analyse", blunder, *KNOWS, "--turns", turns)
    assert [turn["turn"] for turn in said["turns"]] == rows
    assert (said["complete"], said["losses"]) == (False, [])


def test_what_else_happened_is_told_in_its_place(shell: Shell, tmp_path: Path) -> None:
    """An offence stands between the moves, an expulsion at the end."""
    path = file(tmp_path, record(SMALL, 2, [*FLAWLESS[:3], *steps("0,1 0,0")]))
    lines = shell.touchline("analyse", path, *KNOWS).stdout.splitlines()
    assert "   3  1 player 1  faulted: illegal: you have no pawn at row 0, column 1" in lines
    assert lines[-1].startswith("seat 1 lost by expulsion at turn 3: illegal: ")


@pytest.mark.parametrize("lines", [1, 3])
def test_a_record_that_was_cut(shell: Shell, tmp_path: Path, lines: int) -> None:
    """It is judged as far as it goes, and that is said."""
    path = file(tmp_path, b"".join(record(SMALL, 2, BLUNDER).splitlines(keepends=True)[:lines]))
    done = shell.touchline("analyse", path, *KNOWS)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 2 + (lines - 1) + 1
    assert done.stdout.splitlines()[-1] == "the record stops here: the match did not end"


def test_a_void_match(shell: Shell, tmp_path: Path) -> None:
    """Nobody has lost it."""
    path = file(tmp_path, record(SMALL, 2, FLAWLESS, turn_cap=2))
    done = shell.touchline("analyse", path, *KNOWS)
    assert done.stdout.splitlines()[-1].startswith("void: ")
    assert done.stdout.splitlines()[-1].endswith("nobody has lost")


def test_with_a_player_of_the_house(shell: Shell, blunder: str) -> None:
    """By name, with options."""
    assert shell.result("analyse", blunder, "--with", "minimax:depth=9")["losses"][0]["turn"] == 1


def test_seconds_are_for_players_that_take_some(capsys: pytest.CaptureFixture[str]) -> None:
    """They are one more option; whoever has no such option is told of, and takes its time."""
    assert thinker("minotaur", "labyrinth", 0.5)[0] == "minotaur:seconds=0.5"
    assert thinker("minotaur:nodes=9", "labyrinth", 2)[0] == "minotaur:nodes=9,seconds=2"
    assert thinker("minotaur:nodes=9", "labyrinth")[0] == "minotaur:nodes=9"
    assert capsys.readouterr().err == ""
    assert thinker("minimax", "hexapawn", 2)[0] == "minimax"
    assert capsys.readouterr().err == "note: minimax has no option `seconds`: --seconds is ignored\n"


# -- pictures ------------------------------------------------------------------------------------------


def test_a_picture(shell: Shell, blunder: str, tmp_path: Path) -> None:
    """As SVG, with a line for each seat and the blunder on it, and as PNG; stdout is as without."""
    svg, png = tmp_path / "values.svg", tmp_path / "values.png"
    done = shell.touchline("analyse", blunder, *KNOWS, "--svg", str(svg), "--png", str(png))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == shell.touchline("analyse", blunder, *KNOWS).stdout
    root = ElementTree.fromstring(svg.read_text())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(root.itertext())
    assert "seat 0 player 0" in words
    assert "seat 1 player 1" in words
    assert "blunder: 2,1 1,1" in words
    assert png.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_names_do_no_harm_to_a_picture(shell: Shell, tmp_path: Path) -> None:
    """Whatever players call themselves."""
    strange = ["<svg>&\"'$x^$", "$\x00\ufffe[red]"]
    whole = record(SMALL, 2, BLUNDER).decode()
    for seat, name in enumerate(strange):
        whole = whole.replace(f'"player {seat}"', json.dumps(name))
    path, svg, png = file(tmp_path, whole), tmp_path / "v.svg", tmp_path / "v.png"
    done = shell.touchline("analyse", path, *KNOWS, "--svg", str(svg), "--png", str(png))
    assert done.returncode == 0, done.stderr
    ElementTree.fromstring(svg.read_text())
    assert "[red]" in done.stdout
    assert png.stat().st_size > 1000


def test_without_matplotlib_it_says_what_to_do(blunder: str, tmp_path: Path) -> None:
    """Before anything is thought."""
    (tmp_path / "matplotlib").mkdir()
    (tmp_path / "matplotlib" / "__init__.py").write_text("raise ImportError('not here')")
    done = touchline("analyse", blunder, *KNOWS, "--png", str(tmp_path / "x.png"), PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'touchline[plots]'" in done.stderr
    assert "Traceback" not in done.stderr


# -- a position ------------------------------------------------------------------------------------------


def test_a_position_of_a_record(shell: Shell, blunder: str) -> None:
    """The position before a turn: who should play what, and how it stands."""
    done = shell.touchline("analyse", f"{blunder}@1", *KNOWS)
    assert done.stdout.splitlines()[0].endswith("thinks: seat 1: play 2,1 1,0: wins")
    assert "it stands: seat 0 0.00, seat 1 1.00" in done.stdout


def test_every_move_of_a_position(shell: Shell) -> None:
    """Best first, from standard input, in words and as JSON."""
    text = json.dumps(here(1))
    done = shell.touchline("analyse", "-", *KNOWS, "--moves", stdin=text)
    rows = [line.split() for line in done.stdout.splitlines()]
    table = rows[rows.index(["move", "after", "gave", "verdict"]) + 1 :]
    assert {tuple(row[2:]) for row in table} == {("1.00", "0.00", "best"), ("0.00", "1.00", "blunder")}
    assert table == sorted(table, key=lambda row: -float(row[2]))
    said = shell.result("analyse", "-", *KNOWS, "--moves", stdin=text)
    assert [[*move["typed"].split()] for move in said["moves"]] == [row[:2] for row in table]
    assert said["advice"]["values"] == [0, 1]
    assert shell.result("analyse", "-", *KNOWS, stdin=text)["moves"] is None


def test_a_bare_position_with_its_game_named(shell: Shell, tmp_path: Path) -> None:
    """Written over several lines, too."""
    path = file(tmp_path, json.dumps(here(1)["position"], indent=2), "here.json")
    said = shell.result("analyse", path, *KNOWS, "--game", "hexapawn:rows=3,cols=3")
    assert said["advice"]["spelled"][0] == "2,1 1,0"


# -- what is wrong ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "neither a record"),
        (b"nonsense\n", "neither a record"),
        (b"\xff\xfe\n", "neither a record"),
        (b"[" * 100_000, "neither a record"),
        (b"[1]", "neither a record"),
        (b"{}", "add --game"),
        (b'{"game": "chess", "position": {}}', "no game is called 'chess'"),
        (b'{"game": "hexapawn", "options": {"rows": "x"}, "position": {}}', "hexapawn"),
        (b'{"game": "hexapawn", "position": {"board": []}}', "not a position of this hexapawn"),
        (b'{"game": "fish", "position": {"board": ["1"]}}', "not a position of this fish"),
        (b'{"type": "begun"}\n', "line 1"),
        (b'{"type":"moved","turn":0,"seat":0,"move":{}}\n{}\n', "neither a record"),
        (json.dumps(here(3) | {"game": "hexapawn"}).encode(), "to_move is 0 or 1"),
    ],
)
@pytest.mark.parametrize("command", ["analyse", "hint"])
def test_a_bad_file_is_said_in_a_line(
    shell: Shell, tmp_path: Path, data: bytes, why: str, command: str
) -> None:
    """With its name, and exit code 2."""
    path = file(tmp_path, data, "bad.json")
    said = shell.refused(command, path)
    assert why in said
    assert path in said or "chess" in why or why == "hexapawn"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--turns", "x"), "12, 10-20 or 10-"),
        (("--turns", "-3"), "--turns"),
        (("--moves",), "--moves is for a position"),
        (("--seconds", "0"), "--seconds"),
        (("--with", "nobody"), "no bot is called 'nobody'"),
        (("--with", "human"), "human cannot analyse"),
        (("--with", "fish_course"), "fish_course plays fish, not hexapawn"),
        (("--with", "nowhere.py"), "there is no such file"),
        (("--svg", "no/such/folder/x.svg"), "its folder does not exist"),
        (("--png", "no/such/folder/x.png"), "its folder does not exist"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    shell: Shell, blunder: str, words: tuple[str, ...], why: str
) -> None:
    """An option that makes no sense costs no thought."""
    assert why in shell.refused("analyse", blunder, *words)


def test_a_position_has_no_turns_and_no_picture(shell: Shell, blunder: str) -> None:
    """And a record has no turn that was not played."""
    assert "for a record" in shell.refused("analyse", f"{blunder}@1", "--svg", "x.svg")
    assert "there are turns 0 to 2" in shell.refused("analyse", f"{blunder}@77")
    assert "cannot be read" in shell.refused("analyse", "nowhere.jsonl@2")


def test_a_player_that_does_not_think(shell: Shell, blunder: str, tmp_path: Path) -> None:
    """It is told who does."""
    path = file(
        tmp_path, "class Mute:\n    def choose(self, view, turn): return view.legal_moves()[0]\n", "mute.py"
    )
    said = shell.refused("analyse", blunder, "--with", path)
    assert "cannot analyse, it has no method think(view); these can: " in said
    assert "minimax" in said


def test_a_cut_record_of_a_hidden_game(shell: Shell, tmp_path: Path) -> None:
    """What was hidden is told at the end only."""
    whole = record(Labyrinth(rows=3, cols=5), 2, [PASS, PASS])
    path = file(tmp_path, b"".join(whole.splitlines(keepends=True)[:2]))
    assert "the match did not end" in shell.refused("analyse", path, *LOOKS)


def test_a_forged_record_is_no_traceback(shell: Shell, blunder: str, tmp_path: Path) -> None:
    """A move that cannot have been made."""
    path = file(tmp_path, Path(blunder).read_text().replace('"to":[1,1]', '"to":[9,9]'))
    assert "line 3" in shell.refused("analyse", path, *KNOWS)


SLOW = """
import sys
from touchline.bots.base import Thought

class Slow:
    asked = 0
    def choose(self, view, turn): return view.legal_moves()[0]
    def think(self, view):
        Slow.asked += 1
        if Slow.asked == 3:
            print("asked for the third time", file=sys.stderr, flush=True)
            while True:
                pass
        return Thought((0.5, 0.5), (view.legal_moves()[0],), "thinks for ever")
"""


def test_ctrl_c_prints_what_is_there(tmp_path: Path) -> None:
    """The turns so far, and that it was interrupted: exit code 130."""
    path = file(tmp_path, record(SMALL, 2, FLAWLESS))
    slow = file(tmp_path, SLOW, "slow.py")
    process = subprocess.Popen(
        [*TOUCHLINE, "analyse", path, "--with", slow],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
    )  # fmt: skip
    try:
        assert process.stderr is not None
        seen = b""
        while b"third time" not in seen:
            piece = os.read(process.stderr.fileno(), 4096)
            assert piece, seen
            seen += piece
        process.send_signal(signal.SIGINT)
        out, rest = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"interrupted: this is what there was after 2 of 4 turns" in rest or b"after 1 of 4" in rest
    assert b"thinks for ever" in out
    assert b"Traceback" not in rest


def test_the_record_names_its_game() -> None:
    """What `here` leans on: the first line of a record says of which game it is."""
    first = Replay(record(SMALL, 2, BLUNDER), "a match").events[0]
    assert isinstance(first, Begun)
    assert (first.game, first.options) == ("hexapawn", {"rows": 3, "cols": 3})

"""`touchline replay` as a user meets it: what a record says, and whether it is true."""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from cli.commands import refused, result, rogue, touchline
from touchline.core.errors import TouchlineError
from touchline.core.events import Begun, Event, Faulted, Moved, SatDown
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from pathlib import Path

STARTS = {"svg": b"<svg ", "png": b"\x89PNG", "gif": b"GIF89a", "webp": b"RIFF", "card": b"\x89PNG"}

FISH = (
    "play",
    "fish",
    "random",
    "fish_course:depth=0",
    "random",
    "--rows",
    "4",
    "--cols",
    "4",
    "--seed",
    "3",
)
FAULTY = ("play", "hexapawn", rogue("liar"), rogue("honest"), "--rows", "4", "--cols", "4", "--seed", "3",
          "--conduct", "seed-001")  # fmt: skip


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A match of house players, and one of programs with faults in it."""
    folder = tmp_path_factory.mktemp("records")
    made = {}
    for name, words in (("fish", FISH), ("faulty", FAULTY)):
        made[name] = folder / f"{name}.jsonl"
        done = touchline(*words, "--record", str(made[name]))
        assert done.returncode == 0, done.stderr
        assert f"recorded in {made[name]}" in done.stderr
    return made


def lines_of(path: Path) -> list[Any]:
    """The events of a record, which are all lines but the seal."""
    *lines, seal = (json.loads(line) for line in path.read_text().splitlines())
    assert seal["type"] == "sealed"
    return lines


def changed(path: Path, old: str, new: str, folder: Path, last: bool = False) -> str:
    """A copy of a record with one place changed."""
    text = path.read_text()
    assert old in text
    copy = folder / "changed.jsonl"
    copy.write_text(new.join(text.rsplit(old, 1)) if last else text.replace(old, new, 1))
    return str(copy)


# -- show ---------------------------------------------------------------------------------------------


def test_show_tells_what_was_agreed_what_happened_and_how_it_ended(records: dict[str, Path]) -> None:
    """A line for each move, and the story at the end is the one that `play` told."""
    done = touchline("replay", "show", str(records["fish"]))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "fish, 3 seats: random, fish_course:depth=0, random"
    assert lines[1] == "conduct standard, no programs"
    moves = [line for line in lines_of(records["fish"]) if line["type"] == "moved"]
    assert sum(" after " in line and " seat " in line for line in lines) == len(moves)
    assert lines[-3:] == touchline(*FISH).stdout.splitlines()


def test_show_tells_of_faults(records: dict[str, Path]) -> None:
    """Offence, reason and sanction stand on a line."""
    done = touchline("replay", "show", str(records["faulty"]))
    assert "seat 0 is ready" in done.stdout
    assert "2. seat 0 illegal: " in done.stdout
    assert "-> retry" in done.stdout
    assert "is expelled" in done.stdout


def test_show_as_json(records: dict[str, Path]) -> None:
    """The game, the names, the number of events and the result."""
    said = result("replay", "show", str(records["fish"]))
    lines = lines_of(records["fish"])
    assert (said["game"], said["events"]) == ("fish", len(lines))
    assert said["result"] == lines[-1]["result"]


def test_a_record_from_standard_input(records: dict[str, Path]) -> None:
    """A dash stands for it."""
    done = touchline("replay", "verify", "-", stdin=records["fish"].read_text())
    assert (done.returncode, done.stdout[:13]) == (0, "follows: yes,")


# -- verify -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fish", "faulty"])
def test_a_true_record_is_verified(records: dict[str, Path], name: str) -> None:
    """It follows, in words and as JSON; nothing from outside was compared, so it is not called sealed."""
    count = len(lines_of(records[name]))
    done = touchline("replay", "verify", str(records[name]))
    shown = (
        f"follows: yes, rules, referee and conduct give these {count} events from what was said\nsealed: no,"
    )
    assert (done.returncode, done.stdout[: len(shown)]) == (0, shown)
    said = result("replay", "verify", str(records[name]))
    assert (said["follows"], said["sealed"], said["signed"], said["wrong"]) == (True, False, False, [])
    assert said["events"] == count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "last"),
    [
        ('"turn":4', '"turn":5', False),
        ('"type":"place","at":[0,', '"type":"place","at":[9,', False),
        ('"verdict":"finished"', '"verdict":"forfeited"', False),
        ('"winners":[', '"winners":[9,', False),
        ('"seed":3', '"seed":4', True),
        ('"commitment":"', '"commitment":"0', False),
        ('"by":"seat"', '"by":"referee"', False),
        ('"seat":1', '"seat":2', False),
        ('"seat":1', '"seat":7', False),
        ('"board":[[', '"board":[[5,', False),
        ('{"type":"moved"', '{"type":"mooved"', False),
        ("}\n", "\n", False),
        ('"game":"fish"', '"game":"fisk"', False),
        ('"rows":4', '"rows":5', False),
        ('"format":3', '"format":1', False),
        ('"format":3', '"format":4', False),
        ('"talks":[]', '"talks":[9]', False),
        ('"talks":[]', '"talks":[0]', False),
    ],
)
def test_a_changed_record_is_found(
    records: dict[str, Path], tmp_path: Path, old: str, new: str, last: bool
) -> None:
    """Exit code 4 and the place, in words and as JSON, whatever was changed; never a traceback."""
    path = changed(records["fish"], old, new, tmp_path, last)
    done = touchline("replay", "verify", path)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 4, done
    assert done.stdout.startswith("follows: no\n")
    as_json = touchline("replay", "verify", path, "--json")
    assert as_json.returncode == 4
    said = json.loads(as_json.stdout)
    assert said["follows"] is False
    assert said["wrong"]


def from_outside(event: Event) -> Event:
    """An event without what only the outside knows, so that no replay can tell it again."""
    match event:
        case Begun():
            return replace(event, names=(), conduct=None, limits=None, turn_cap=0, isolation="", options={},
                           dialects=(), seed_given=None, ponders=UNSET, format=0)  # fmt: skip
        case Moved() | SatDown():
            unheard = {"wire": 0, "cpu": 0} if isinstance(event, Moved) else {"updates": False}
            return replace(event, took=0, raw=UNSET, **unheard)
        case Faulted():
            return replace(event, took=0, said=None, raw=UNSET, cpu=0)
    return event


def sweep(path: Path, step: int) -> int:
    """Change a byte here and there, and see what becomes of it; how many changes were found."""
    data, found = path.read_bytes(), 0
    true = [from_outside(event) for event in Replay(data, "true").events]
    for place in range(0, len(data), step):
        for new in (data[place] ^ 1, ord("9"), ord("-"), ord("}")):
            if new == data[place]:
                continue
            mutant = data[:place] + bytes([new]) + data[place + 1 :]
            try:
                replay = Replay(mutant, "changed")
                replay.verify()
            except TouchlineError:
                found += 1
            except Exception as error:
                error.add_note(f"byte {place} to {new}: {mutant[max(0, place - 60) : place + 20]!r}")
                raise
            else:
                assert [from_outside(event) for event in replay.events] == true, mutant[
                    place - 60 : place + 20
                ]
    return found


@pytest.mark.parametrize("name", ["fish", "faulty"])
def test_any_changed_byte_is_found(records: dict[str, Path], name: str) -> None:
    """A change is found, or it is of something that no replay can know; and nothing else is ever raised."""
    assert sweep(records[name], 5) > 1000


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["fish", "faulty"])
def test_every_changed_byte_is_found(records: dict[str, Path], name: str) -> None:
    """The same for every single byte."""
    assert sweep(records[name], 1) > 5000


def test_a_record_cut_between_lines(records: dict[str, Path], tmp_path: Path) -> None:
    """It can be looked at, and it cannot be verified."""
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(records["fish"].read_bytes().splitlines(keepends=True)[:8]))
    shown = touchline("replay", "show", str(path))
    assert shown.returncode == 0
    assert shown.stdout.splitlines()[-1] == "the record stops here: the match did not end"
    assert result("replay", "show", str(path))["result"] is None
    done = touchline("replay", "verify", str(path))
    assert done.returncode == 5
    assert "follows: not checked" in done.stdout
    assert "the match did not end" in done.stdout


def test_a_record_cut_within_a_line(records: dict[str, Path], tmp_path: Path) -> None:
    """What was written before is shown; it cannot be verified."""
    path = tmp_path / "cut.jsonl"
    whole = records["fish"].read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:8]) + b'{"type":"mov')
    done = touchline("replay", "show", str(path))
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "the record stops here: the match did not end"
    verified = touchline("replay", "verify", str(path))
    assert verified.returncode == 5
    assert "the match did not end" in verified.stdout


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"not a record\n", b"{}\n", b"\xff\xfe\n", b"[" * 100_000, b"\x00" * 99]
)
@pytest.mark.parametrize("command", ["show", "step"])
def test_what_is_no_record_is_said_in_a_line(tmp_path: Path, data: bytes, command: str) -> None:
    """With the file and the line, and exit code 2."""
    path = tmp_path / "no.jsonl"
    path.write_bytes(data)
    assert str(path) in refused("replay", command, str(path))


def test_no_such_file(tmp_path: Path) -> None:
    """It is named."""
    assert "nowhere.jsonl" in refused("replay", "show", str(tmp_path / "nowhere.jsonl"))


# -- step ---------------------------------------------------------------------------------------------


def test_step_shows_every_position(records: dict[str, Path]) -> None:
    """A drawing at the beginning and after each change, with who moved what, and at faults why."""
    done = touchline("replay", "step", str(records["faulty"]))
    assert (done.returncode, done.stderr) == (0, "")
    steps = result("replay", "step", str(records["faulty"]))["steps"]
    lines = [line for line in done.stdout.splitlines() if re.match(r" {0,4}\d+\. ", line)]
    assert [line.partition(". ")[2].removeprefix("fault: ") for line in lines] == [
        one["text"] for one in steps
    ]
    assert [": fault" in line or ". fault: " in line for line in lines] == [one["fault"] for one in steps]
    moved = [one for one in steps if " → " in one["text"]]
    assert len(moved) >= 2
    assert done.stdout.count("    0  1  2  3\n") >= len(moved) + 1


def test_step_shows_one_position(records: dict[str, Path]) -> None:
    """Only the position before that turn."""
    done = touchline("replay", "step", str(records["faulty"]), "--turn", "1")
    assert done.stdout.count("    0  1  2  3\n") == 1
    assert done.stdout.startswith("    0. ")
    assert " (red): 0," in done.stdout


def test_step_through_a_forged_record_is_no_traceback(records: dict[str, Path], tmp_path: Path) -> None:
    """A move that the rules do not know is said in a line."""
    path = changed(records["fish"], '"type":"place","at":[0,', '"type":"place","at":[90,', tmp_path)
    done = touchline("replay", "step", path)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 2


# -- into ---------------------------------------------------------------------------------------------


def test_a_match_into_the_same_bot(records: dict[str, Path]) -> None:
    """The bot that played answers as it did."""
    moves = [line for line in lines_of(records["fish"]) if line["type"] == "moved" and line["seat"] == 1]
    done = touchline("replay", "into", "fish_course:depth=0", str(records["fish"]), "--seat", "1")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == f"{len(moves)} of {len(moves)} answers as recorded"
    assert done.stdout.count(": the same\n") == len(moves)


def test_a_match_into_another_bot_as_json(records: dict[str, Path]) -> None:
    """Every question, what was recorded and what was answered."""
    said = result(
        "replay", "into", "fish_course:depth=1", str(records["fish"]), "--seat", "0", "--until", "9"
    )
    turns = [line["turn"] for line in lines_of(records["fish"])
             if line["type"] == "moved" and line["seat"] == 0 and line["turn"] < 9]  # fmt: skip
    assert said["asked"] == len(turns)
    assert [row["turn"] for row in said["turns"]] == turns
    assert said["same"] == sum(row["recorded"] == row["answered"] for row in said["turns"])


def test_a_match_into_a_python_file(records: dict[str, Path], tmp_path: Path) -> None:
    """A program is asked over its pipes, and what it prints is shown."""
    path = tmp_path / "bot.py"
    path.write_text(
        textwrap.dedent(
            """
            class Bot:
                def choose(self, view, turn: int = 0):
                    print("I was asked")
                    return view.legal_moves()[0]
            """
        )
    )
    done = touchline("replay", "into", str(path), str(records["fish"]), "--seat", "2")
    assert done.returncode == 0
    assert "answers as recorded" in done.stdout
    assert "I was asked" in done.stderr


NOTED = """
class Noted:
    def __init__(self):
        self.states = 0
    def updateGameState(self, state):
        self.states, self.state = self.states + 1, state
    def notifyTurn(self):
        print("state", self.states, self.state["phase"])
        {}
    def notifyGameOver(self):
        print("the end")
"""


def test_a_match_of_bots_into_a_class_of_a_note(records: dict[str, Path], tmp_path: Path) -> None:
    """A program of seed 001 is told every state and the end, and is asked at the turns of the record."""
    path = tmp_path / "noted.py"
    path.write_text(NOTED.format("self.referee.placePenguin([0, 0])"))
    done = touchline("replay", "into", f"seed-001+{path}", str(records["fish"]), "--seat", "0", "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    mine = [line["turn"] for line in lines_of(records["fish"]) if line.get("seat") == 0]
    assert [row["turn"] for row in said["turns"]] == [turn for turn in mine if turn is not None]
    assert {row["answered"]["type"] for row in said["turns"]} == {"place"}
    assert len(said["faults"]) >= said["asked"] - said["same"] - 1  # a move that is taken, or not the phase
    assert [line for line in done.stderr.splitlines() if line.startswith("state")][:2] == [
        "state 1 placing",
        "state 4 placing",
    ]
    assert "the end" in done.stderr


def test_a_program_that_fails_is_listed_and_named(records: dict[str, Path], tmp_path: Path) -> None:
    """The answers so far are printed as JSON; the failure is one line, and exit code 2."""
    path = tmp_path / "short.py"
    path.write_text(
        "class Short:\n"
        "    def choose(self, view, turn):\n"
        "        if turn >= 6: raise SystemExit(7)\n"
        "        return view.legal_moves()[0]\n"
    )
    done = touchline("replay", "into", str(path), str(records["fish"]), "--seat", "0", "--json")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"Error: {path}: turn 6: exited with 7"
    said = json.loads(done.stdout)
    assert [row["turn"] for row in said["turns"]] == [0, 3, 6]
    assert said["faults"] == [{"turn": 6, "fault": "exited with 7"}]
    assert said["turns"][-1]["recorded"]["type"] == "place"
    assert said["turns"][-1]["answered"] is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("random", "--seat", "9"), "its seats are 0 to 2"),
        (("nobody", "--seat", "0"), "no bot is called"),
        (("riemann", "--seat", "0"), "riemann plays labyrinth, not fish"),
        (("process:false", "--seat", "0"), "exited with 1"),
        (("process:echo hello", "--seat", "0"), "did not say that it is ready"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(records: dict[str, Path], words: tuple[str, ...], why: str) -> None:
    """A seat, a name or a program that is not there."""
    bot, *rest = words
    assert why in refused("replay", "into", bot, str(records["fish"]), *rest)


def test_a_match_is_drawn(records: dict[str, Path], tmp_path: Path) -> None:
    """Every kind of picture in a file of its own; to write nothing is a mistake, and so is no such folder."""
    words = [word for kind in STARTS for word in (f"--{kind}", str(tmp_path / kind))]
    made = result("replay", "draw", str(records["faulty"]), *words, "--theme", "dark")
    assert {*made["written"]} == {*STARTS}
    for kind, start in STARTS.items():
        assert (tmp_path / kind).read_bytes().startswith(start)
    assert "say what to write" in refused("replay", "draw", str(records["fish"]))
    nowhere = str(tmp_path / "no" / "x")
    assert "cannot write" in refused("replay", "draw", str(records["fish"]), "--svg", nowhere)


def test_a_position_is_drawn(tmp_path: Path) -> None:
    """`touchline show` prints it, and writes it to files as well."""
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    done = touchline("show", "hexapawn", "--seed", "1", "--moves", "3", "--svg", str(svg), "--png", str(png))
    assert (done.returncode, "legal moves" in done.stdout) == (0, True), done.stderr
    assert b"hexapawn-pawn-0" in svg.read_bytes()
    assert png.read_bytes().startswith(b"\x89PNG")

"""`touchline play` as a user meets it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

from cli.commands import SANDBOX_NOTE, SMALL, refused, result, rogue, shell, touchline
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from pathlib import Path


HONEST = rogue("honest")
FIRST = """
    class First:
        def choose(self, view, turn: int = 0):
            return view.legal_moves()[0]
"""


def file(folder: Path, code: str, name: str = "bot.py") -> str:
    path = folder / name
    path.write_text(textwrap.dedent(code))
    return str(path)


# -- who plays -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("hexapawn", ["random", "random"]),
        ("fish", ["random", "fish_course:depth=1", "fish_course:depth=0"]),
        ("labyrinth", ["riemann", "euclid", "random"]),
    ],
)
def test_house_players_play(game: str, players: list[str]) -> None:
    """The last lines say who won and with what, and everybody else's place; stderr has the terms."""
    done = touchline("play", game, *players, "--seed", "1")
    assert (done.returncode, done.stderr) == (0, "conduct standard (only house players), 10 s a move\n")
    lines = done.stdout.splitlines()
    assert len(lines) == len(players)
    assert " won with " in lines[0]
    assert all(" won with " in line or (" lost with " in line and ", rank " in line) for line in lines)
    for seat, player in enumerate(players):
        assert sum(f"{player} (seat {seat})" in line for line in lines) == 1


def test_the_same_seed_gives_the_same_match() -> None:
    """And a seed that was drawn is told on stderr."""
    words = ("play", "fish", "random", "random", "random")
    assert touchline(*words, "--seed", "7").stdout == touchline(*words, "--seed", "7").stdout
    done = touchline(*words)
    seed = done.stderr.split("--seed ")[1].strip()
    assert touchline(*words, "--seed", seed).stdout == done.stdout


def test_a_result_as_json() -> None:
    """Names, seed and result in one object."""
    said = result("play", "hexapawn", "random", "random", *SMALL, "--seed", "3")
    assert (said["names"], said["seed"]) == (["random", "random"], 3)
    assert said["result"]["verdict"] == "finished"
    assert len(said["result"]["outcome"]["winners"]) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("hexapawn", "random", "nobody"), "no bot is called 'nobody'"),
        (("hexapawn", "random", "nobody"), "or FILE.py, ./PROGRAM, process:COMMAND, wasm:FILE, human"),
        (("hexapawn", "random"), "hexapawn is for 2"),
        (("hexapawn", "random", "random", "random"), "not 3"),
        (("labyrinth", *["random"] * 7), "not 7"),
        (("hexapawn", "random", "fish_course"), "fish_course plays fish, not hexapawn"),
        (("fish", "random", "riemann"), "riemann plays labyrinth, not fish"),
        (("fish", "random", "fish_course:depth"), "an option is written depth=VALUE"),
        (("fish", "random", "fish_course:deep=1"), "deep"),
        (("fish", "random", "fish_course:depth=-1"), "depth must be 0 or more"),
        (("hexapawn", "random", "nowhere.py"), "there is no file 'nowhere.py'"),
        (("hexapawn", "random", "process:"), "process: needs a command"),
        (("hexapawn", "random", "process:no-such-program x"), "there is no such program"),
        (("hexapawn", "random", "process:sh -c 'x"), "process:sh -c 'x"),
        (("hexapawn", "random", "random", "--conduct", "nope"), "no conduct is called 'nope'"),
        (("hexapawn", "human", "random", "--games", "2"), "one game at a time"),
        (("hexapawn", "random", "random", "--rows", "1"), "rows"),
        (("fish", "random", "random", "--rows", "1", "--cols", "1"), "fish"),
        (("chess", "random", "random"), "chess"),
        (("hexapawn", "random", "random", "--seconds", "0"), "--seconds"),
        (("hexapawn", "random", "random", "--seconds", "-1"), "--seconds"),
        (("hexapawn", "random", "random", "--seconds", "nan"), "nan"),
        (("hexapawn", "random", "random", "--seconds", "inf"), "inf"),
        (("hexapawn", "random", "random", "--bank", "inf"), "inf"),
        (("hexapawn", "random", "random", "--games", "0"), "--games"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: tuple[str, ...], why: str) -> None:
    """A wrong name, number or option is exit code 2 and a message, never a traceback."""
    assert why in refused("play", *words)


@pytest.mark.parametrize("where", ["no/such/folder/match.jsonl", "."])
def test_a_record_that_cannot_be_written_is_said_in_a_line(where: str, tmp_path: Path) -> None:
    """A folder that is not there, or a folder instead of a file, is no traceback."""
    path = str(tmp_path / where)
    assert path.rstrip("/.") in refused("play", "hexapawn", "random", "random", "--record", path)


def test_a_file_where_a_folder_of_records_should_be(tmp_path: Path) -> None:
    """The same for many games."""
    path = file(tmp_path, "", "taken")
    assert path in refused("play", "hexapawn", "random", "random", "--games", "2", "--record", path)


def test_a_mistyped_player_leaves_an_old_record_alone(tmp_path: Path) -> None:
    """What cannot be played must not destroy what was."""
    path = file(tmp_path, "the record of yesterday", "match.jsonl")
    refused("play", "hexapawn", "random", "rnadom", "--record", path)
    assert (tmp_path / "match.jsonl").read_text() == "the record of yesterday"


def test_a_python_file_plays(tmp_path: Path) -> None:
    """With its class found or named, in a process of its own."""
    path = file(tmp_path, FIRST)
    said = result("play", "hexapawn", path, f"{path}:First", *SMALL, "--seed", "1")
    assert (said["result"]["verdict"], said["result"]["faults"]) == ("finished", [])


def test_a_program_in_a_shell_plays(tmp_path: Path) -> None:
    """Any command that speaks the native dialect is a player: here a shell script that resigns itself."""
    path = file(
        tmp_path,
        """
        read begin
        echo '{"type":"ready"}'
        read question
        echo '{"type":"act","turn":0,"move":{"from":[0,1],"to":[1,1]}}'
        cat > /dev/null
        """,
        "bot.sh",
    )
    done = touchline(
        "play", "hexapawn", f"process:sh {path}", "random", *SMALL, "--seconds", "1", "--seed", "1"
    )
    assert done.returncode == 0
    assert f"process:sh {path} (seat 0) was expelled at turn 2: late" in done.stdout


def test_the_sandbox_note_is_told_once_and_only_of_programs(tmp_path: Path) -> None:
    """One line on stderr when programs play, however many games and programs there are, and else none."""
    path = file(tmp_path, FIRST)
    done = touchline("play", "hexapawn", path, path, *SMALL, "--games", "2", "--seed", "1")
    assert done.stderr.count(SANDBOX_NOTE) == 1
    assert SANDBOX_NOTE not in done.stdout
    assert SANDBOX_NOTE not in touchline("play", "hexapawn", "random", "random", *SMALL).stderr


# -- what went wrong ----------------------------------------------------------------------------------


def test_why_each_loser_lost_and_what_it_wrote(tmp_path: Path) -> None:
    """The verdict with the cause is on stdout, the rest of what the program wrote to stderr on stderr."""
    path = file(
        tmp_path,
        "class Bot:\n    def choose(self, view, turn: int = 0):\n        print('thinking')\n"
        "        raise ValueError('my own fault')\n",
    )
    done = touchline("play", "fish", path, "random", "random", *SMALL, "--seed", "1")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert " won with " in lines[0]
    why = f"{path.rpartition('/')[2]}, line 4, in choose: ValueError: my own fault"
    assert f"{path} (seat 0) was expelled at turn 0: gone: exited with 1: {why}" in lines
    assert done.stderr.endswith(f"what {path} wrote to stderr:\nthinking\n")


def test_a_file_is_not_taken_for_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who forgets the ./ of a program is told to write it."""
    (tmp_path / "mybot").touch()
    monkeypatch.chdir(tmp_path)
    assert "; for the file in this folder write ./mybot\n" in refused("play", "hexapawn", "mybot", "random")


def test_everybody_at_fault_is_shown() -> None:
    """If two programs failed, the authors of both see what theirs wrote, and the last line only once."""
    first = shell("echo I am 1 >&2; echo no >&2; exit 1")
    second = shell("echo I am 2 >&2; echo bad >&2; exit 1")
    done = touchline("play", "fish", first, second, "random", *SMALL, "--seed", "1")
    assert f"what {first} wrote to stderr:\nI am 1\nwhat {second} wrote to stderr:\nI am 2\n" in done.stderr
    assert "gone: exited with 1: no\n" in done.stdout
    assert "gone: exited with 1: bad\n" in done.stdout


def test_strict_is_exit_code_three() -> None:
    """Only with --strict, and only if somebody was at fault."""
    words = ("play", "hexapawn", shell("exit 1"), "random", *SMALL, "--seed", "1")
    assert touchline(*words).returncode == 0
    assert touchline(*words, "--strict").returncode == 3
    assert touchline("play", "hexapawn", "random", "random", "--strict", "--seed", "1").returncode == 0
    assert touchline(*words, "--strict", "--games", "2").returncode == 3


@pytest.mark.parametrize(
    ("name", "conduct", "words"),
    [
        ("liar", "course", "was expelled at turn 2: illegal"),
        ("liar", "seed-002", "forfeited at turn 2: illegal"),
        ("crasher", "seed-002", "forfeited at turn 2: gone: exited with 1"),
        ("double_mover", "seed-002", "forfeited at turn 1: out_of_turn"),
    ],
)
def test_a_conduct_by_name(name: str, conduct: str, words: str) -> None:
    """The same offence costs what the conduct says."""
    done = touchline(
        "play", "hexapawn", rogue(name), HONEST, *SMALL, "--conduct", conduct, "--seconds", "5", "--seed", "1"
    )
    assert words in done.stdout


def test_a_conduct_from_a_file(tmp_path: Path) -> None:
    """An organiser's own, in TOML."""
    path = file(tmp_path, 'name = "mild"\nillegal.steps = ["random"]\n', "mild.toml")
    said = result("play", "hexapawn", rogue("liar"), HONEST, *SMALL, "--conduct", path, "--seed", "1")
    assert {fault["sanction"] for fault in said["result"]["faults"]} == {"random"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = ", "not TOML"),
        ("", "name"),
        ('name = "x"\nillegl.steps = ["expel"]', "illegl"),
        ('name = "x"\nillegal.steps = ["retri 2"]', "illegal.steps"),
        ('name = "x"\nillegal.steps = []', "illegal.steps"),
        ('name = "x"\nillegal.steps = ["retry"]', "add a last step"),
        ('name = "x"\nlike = "nobody"', "like"),
        ('name = "x"\nidle = "three"', "idle"),
        ('name = "x"\ngone.steps = ["retry", "expel"]', "no player is left"),
    ],
)
def test_a_conduct_that_is_wrong_names_the_file_and_the_key(tmp_path: Path, text: str, why: str) -> None:
    """The organiser sees where to look."""
    path = file(tmp_path, text, "conduct.toml")
    said = refused("play", "hexapawn", "random", "random", "--conduct", path)
    assert path in said
    assert why in said


def test_a_conduct_that_is_no_text(tmp_path: Path) -> None:
    """Bytes that are no text are named, too."""
    path = tmp_path / "conduct.toml"
    path.write_bytes(b"name = '\xff'")
    assert str(path) in refused("play", "hexapawn", "random", "random", "--conduct", str(path))


SLOW = """
    import time
    class Slow:
        def choose(self, view, turn: int = 0):
            time.sleep(0.6)
            return view.legal_moves()[0]
"""


@pytest.mark.slow
def test_without_a_timeout_nobody_is_late(tmp_path: Path) -> None:
    """The same player is late under a clock, saved by a bank, and never late under --no-timeout."""
    path = file(tmp_path, SLOW)
    words = ("play", "hexapawn", path, "random", "--rows", "3", "--cols", "3", "--seed", "1")
    assert "late" in touchline(*words, "--seconds", "0.2").stdout
    assert result(*words, "--seconds", "0.2", "--no-timeout")["result"]["faults"] == []
    assert result(*words, "--seconds", "0.2", "--bank", "60")["result"]["faults"] == []


# -- many games ---------------------------------------------------------------------------------------


def test_many_games_and_a_table(tmp_path: Path) -> None:
    """A line for each player, whose wins add up, and a record of every game with the seats turned."""
    folder = tmp_path / "records"
    words = ("play", "fish", "random", "fish_course:depth=0", "fish_course:depth=1", *SMALL, "--seed", "5")
    done = touchline(*words, "--games", "3", "--record", str(folder))
    head, *rows = done.stdout.splitlines()[:4]
    assert head.split()[:5] == ["player", "won", "tied", "lost", "points"]
    assert [row.split()[0] for row in rows] == [*words[2:5]]
    assert all(sum(map(int, row.split()[1:4])) == 3 for row in rows)
    files = sorted(folder.iterdir())
    assert len(files) == 3
    records = [Replay(path.read_bytes(), path.name) for path in files]
    for record in records:
        record.verify()
    firsts = [record.begun.names[0] for record in records]
    assert firsts == [*words[2:5]], "each begins once"
    won: dict[str, int] = dict.fromkeys(words[2:5], 0)
    for record in records:
        assert record.ended is not None
        assert record.ended.result.outcome is not None
        if len(winners := record.ended.result.outcome.winners) == 1:
            won[record.begun.names[winners[0]]] += 1
    assert [int(row.split()[1]) for row in rows] == [won[name] for name in words[2:5]]


def test_many_games_as_json() -> None:
    """The same numbers, for programs."""
    said = result("play", "hexapawn", "random", "random", *SMALL, "--games", "5", "--seed", "2")
    assert (said["seed"], said["void"]) == (2, 0)
    assert sum(row["won"] for row in said["players"]) == 5
    assert [row["games"] for row in said["players"]] == [5, 5]


def test_faulty_games_are_counted() -> None:
    """A player that always fails has failed as often as there were games."""
    said = result("play", "hexapawn", shell("exit 1"), "random", *SMALL, "--games", "3", "--seed", "2")
    assert [row["faulty"] for row in said["players"]] == [3, 0]
    assert [row["won"] for row in said["players"]] == [0, 3]

"""`touchline tournament` and `touchline verify` as an organiser meets them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cli.shell import Shell
from touchline.tournament.ledger import open_ledger
from tournament.forgery import forge

if TYPE_CHECKING:
    from pathlib import Path

CUP = """
name = "spring"
seed = 3
game = {name = "hexapawn", rows = 4, cols = 4}
clock = {no_timeout = true}
format = {name = "round_robin", games = 4}
entrants = [
  {name = "ann", player = "random"},
  {name = "bob", player = "random"},
  {name = "cy", player = "greedy"},
]
"""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shell:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text(CUP)
    return Shell(monkeypatch, capsys)


@pytest.fixture
def over(shell: Shell) -> Shell:
    """A shell where the cup has been played."""
    assert shell.touchline("tournament", "run", "cup.toml", "--on", "here").returncode == 0
    return shell


def test_run_show_report_verify(shell: Shell, tmp_path: Path) -> None:
    done = shell.touchline("tournament", "run", "cup.toml", "--on", "here")
    assert done.returncode == 0
    assert "touchline tournament report cup.db --html" in done.stderr
    hashes = done.stdout.splitlines()[-4:]
    assert [line.rpartition(" ")[0] for line in hashes] == ["commitment", "salt", "games digest", "seal"]
    assert hashes[0] in done.stderr.splitlines()
    for words in (("tournament", "report"), ("verify",)):
        said = shell.touchline(*words, "cup.db")
        assert (said.returncode, said.stdout.splitlines()[-4:]) == (0, hashes)
    assert "12 games: follows\n" in said.stdout
    shown = shell.touchline("tournament", "show", "cup.db").stdout
    assert "12 games played, 0 running, 0 due" in shown
    for name in ("ann", "bob", "cy"):
        assert f" {name} " in shown
    assert (tmp_path / "cup.db").is_file()


def test_a_cup_leaves_only_its_ledger(over: Shell, tmp_path: Path) -> None:
    """The lock of a running cup is removed with its end."""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup.db", "cup.toml"]


def test_a_mistake_in_the_file_creates_nothing(shell: Shell, tmp_path: Path) -> None:
    """An entrant whose file is missing is said before there is a ledger."""
    (tmp_path / "cup.toml").write_text(CUP.replace('"greedy"', '"missing.py"'))
    assert "missing.py" in shell.refused("tournament", "run", "cup.toml", "--on", "here")
    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"]


@pytest.mark.parametrize("act", ["pause", "stop", "eject", "void"])
def test_acts_as_json(act: str, over: Shell) -> None:
    """What an organiser has noted is printed as the log has it."""
    about = {"eject": "ann", "void": "r0000-t0000"}.get(act, "")
    said = over.result("tournament", act, "cup.db", *filter(None, [about]), "--why", "lunch")
    assert said == {"act": act, "about": about, "why": "lunch"}


def test_run_again_changes_nothing(over: Shell) -> None:
    first = over.touchline("tournament", "show", "cup.db").stdout
    for words in (("run", "cup.toml"), ("resume", "cup.db")):
        assert over.touchline("tournament", *words, "--on", "here").returncode == 0
    assert over.touchline("tournament", "show", "cup.db").stdout == first


def test_as_json(over: Shell) -> None:
    run = over.result("tournament", "run", "cup.toml", "--on", "here")
    shown = over.result("tournament", "show", "cup.db")
    found = over.result("tournament", "report", "cup.db")
    proven = over.result("verify", "cup.db")
    assert run["over"] is found["over"] is proven["over"] is True
    for hashed in ("commitment", "salt", "seal"):
        assert run[hashed] == shown[hashed] == found[hashed] == proven[hashed]
        assert len(run[hashed]) == 64
    assert run["games_digest"] == found["games_digest"] == proven["games_digest"]
    assert run["standings"] == shown["standings"] == found["standings"] == proven["standings"]
    assert found["ratings"] == proven["ratings"]
    assert shown["games"]["done"] == 12


def test_names_are_no_markup(shell: Shell, tmp_path: Path) -> None:
    """In square brackets rich has words of its own."""
    (tmp_path / "cup.toml").write_text(CUP.replace('"ann"', '"[red]ann"').replace('"spring"', '"[bold]cup"'))
    done = shell.touchline("tournament", "run", "cup.toml", "--on", "here")
    assert "[red]ann" in done.stdout
    assert "[bold]cup" in done.stderr
    report = shell.touchline("tournament", "report", "cup.db").stdout
    assert "[red]ann" in report
    assert "[bold]cup" in report


def test_reports_as_files(over: Shell, tmp_path: Path) -> None:
    done = over.touchline(
        "tournament", "report", "cup.db", "--html", "cup.html", "--csv", "cup.csv", "--export", "all"
    )
    assert (done.returncode, done.stdout) == (0, "")
    assert "<h1>spring</h1>" in (tmp_path / "cup.html").read_text()
    assert len((tmp_path / "cup.csv").read_text().splitlines()) == 13
    assert len([*(tmp_path / "all" / "records").iterdir()]) == 12
    assert "cannot write" in over.refused("tournament", "report", "cup.db", "--html", "no/such/folder.html")


def test_pause_and_go_on(over: Shell) -> None:
    assert over.touchline("tournament", "pause", "cup.db", "--why", "lunch").returncode == 0
    assert "paused: lunch" in over.touchline("tournament", "show", "cup.db").stdout
    assert over.touchline("tournament", "resume", "cup.db", "--on", "here").returncode == 0
    shown = over.touchline("tournament", "show", "cup.db").stdout
    assert "paused" not in shown
    acts = [line.split()[2] for line in shown.splitlines()[-5:]]
    assert acts == ["commit", "reveal", "pause", "go", "reveal"]


def test_going_on_with_a_cup_that_runs_elsewhere(over: Shell) -> None:
    """It is not run twice; one that waits goes on."""
    over.touchline("tournament", "pause", "cup.db", "--why", "lunch")
    with open_ledger("cup.db") as other:
        other.take_over()
        done = over.touchline("tournament", "resume", "cup.db", "--on", "here")
        assert (done.returncode, other.paused()) == (0, None)
        assert "the process that runs this cup resumes it" in done.stderr
        assert "another process runs this cup" in over.refused(
            "tournament", "resume", "cup.db", "--on", "here"
        )


def test_a_stopped_cup_goes_on_with_a_later_run(over: Shell) -> None:
    """While the stopped process still finishes its games nobody can; then `run` goes on."""
    done = over.touchline("tournament", "stop", "cup.db", "--why", "night")
    assert (done.returncode, done.stdout) == (
        0, "stopped; go on with: touchline tournament resume cup.db\n"
    )  # fmt: skip
    assert "stopped: night" in over.touchline("tournament", "show", "cup.db").stdout
    assert over.result("tournament", "show", "cup.db")["stopped"] == "night"
    with open_ledger("cup.db") as other:
        other.take_over()
        assert "another process runs this cup" in over.refused(
            "tournament", "run", "cup.toml", "--on", "here"
        )
        assert other.paused() == "night", "the stop stands"
    assert over.touchline("tournament", "run", "cup.toml", "--on", "here").returncode == 0
    shown = over.result("tournament", "show", "cup.db")
    assert (shown["stopped"], shown["paused"]) == (None, None)


def test_how_long_it_takes_is_said_beforehand(shell: Shell) -> None:
    done = shell.touchline("tournament", "run", "cup.toml", "--on", "here", "--json")
    assert "12 games on 1 worker; the first ones will show how long that takes" in done.stderr
    found = json.loads(done.stdout)["forecast"]
    assert (found["games"], found["whole"], found["workers"]) == (12, True, 1)


def test_void_and_eject(over: Shell) -> None:
    done = over.touchline("tournament", "void", "cup.db", "r0000-t0001", "--why", "the lights went out")
    assert "played again" in done.stdout
    again = over.touchline("tournament", "void", "cup.db", "r0000-t0001", "--why", "once more")
    assert "void already" in again.stdout
    assert over.touchline("tournament", "eject", "cup.db", "ann", "--why", "left").returncode == 0
    assert over.touchline("tournament", "run", "cup.toml", "--on", "here").returncode == 0
    shown = over.result("tournament", "show", "cup.db")
    acts = [(act["act"], act["about"], act["why"]) for act in shown["log"]]
    assert [act for act, _, _ in acts] == ["commit", "reveal", "void", "eject", "reveal"]
    assert acts[2:4] == [("void", "r0000-t0001", "the lights went out"), ("eject", "ann", "left")]
    assert acts[1][1] == acts[4][1], "it is the same salt"
    assert [line["out"] for line in shown["standings"] if line["entrant"] == "ann"] == [True]
    proven = over.touchline("verify", "cup.db")
    assert proven.returncode == 0
    assert "not checked: the schedule: ann was ejected" in proven.stdout
    assert "drawn again" not in proven.stdout


def test_a_void_game_of_an_ejected_entrant_is_a_walkover(over: Shell) -> None:
    """The command says so, the game is not played again, and the table has a column for it."""
    with open_ledger("cup.db") as ledger:
        game = next(one for one in ledger.results() if "ann" in one.played.pairing.entrants)
    assert over.touchline("tournament", "eject", "cup.db", "ann", "--why", "left").returncode == 0
    said = over.touchline("tournament", "void", "cup.db", game.id, "--why", "she cheated").stdout
    assert said == f"{game.id} is void; ann was ejected: it is a walkover, and not played again\n"
    assert over.touchline("tournament", "run", "cup.toml", "--on", "here").returncode == 0
    (other,) = {*game.played.pairing.entrants} - {"ann"}
    shown = over.result("tournament", "show", "cup.db")
    walkovers = {line["entrant"]: line["walkovers"] for line in shown["standings"]}
    assert walkovers == {"ann": 0, "bob": 0, "cy": 0} | {other: 1}
    heads = over.touchline("tournament", "show", "cup.db").stdout.splitlines()[1].split()
    assert "walkovers" in heads
    assert "byes" not in heads


def test_verify_finds_a_lie(over: Shell, tmp_path: Path) -> None:
    forge(tmp_path / "cup.db", "UPDATE games SET digest = 'abc' WHERE id = 'r0000-t0001'")
    done = over.touchline("verify", "cup.db")
    assert done.returncode == 4
    assert "wrong: r0000-t0001: its digest is not that of its record" in done.stdout
    assert "12 games: nothing was shown" in done.stdout
    found = over.touchline("verify", "cup.db", "--json")
    assert found.returncode == 4
    assert len(json.loads(found.stdout)["wrong"]) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nothing.db"), "there is no such ledger"),
        (("resume", "nothing.db"), "there is no such ledger"),
        (("run", "cup.toml", "--on", "mars"), "no executor is called 'mars'"),
        (("run", "cup.toml", "--ledger", "no/such/folder.db"), "no such folder"),
        (("eject", "cup.db", "eve", "--why", "x"), "no entrant is called 'eve'; there are: ann, bob, cy"),
        (("void", "cup.db", "r9999-t0000", "--why", "x"), "no game r9999-t0000"),
        (("stop", "cup.db"), "--why"),
    ],
)
def test_mistakes_are_told(words: tuple[str, ...], said: str, over: Shell) -> None:
    assert said in over.refused("tournament", *words)


def test_another_cup_in_the_same_ledger(over: Shell, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(CUP.replace("games = 4", "games = 2"))
    assert "belongs to another cup" in over.refused("tournament", "run", "cup.toml", "--on", "here")


def test_remote_entrants_are_gone_on_with_by_the_cup_s_file(shell: Shell, tmp_path: Path) -> None:
    """The ledger does not know their keys."""
    (tmp_path / "cup.toml").write_text(CUP.replace('player = "greedy"', 'player = "remote", key = "k"'))
    listen = ("--listen", "tcp://127.0.0.1:0/native", "--patience", "0.1")
    done = shell.touchline("tournament", "run", "cup.toml", *listen)
    assert done.returncode == 0
    assert "remote entrants sign up at tcp://127.0.0.1:" in done.stderr
    assert "tournament run CUP.toml --ledger cup.db" in shell.refused("tournament", "resume", "cup.db")


def checked(shell: Shell, *words: str) -> dict[str, Any]:
    done = shell.touchline("tournament", "check", "cup.toml", *words, "--json")
    return {row["entrant"]: row for row in json.loads(done.stdout)} | {"code": done.returncode}


def test_check(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import sys\nprint('help', file=sys.stderr)\nsys.exit(3)\n")
    players = {"ann": "broken.py", "bob": "missing.py", "cy": "greedy", "dan": "remote"}
    entrants = ", ".join(f'{{name = "{name}", player = "{word}"}}' for name, word in players.items())
    (tmp_path / "cup.toml").write_text(CUP.partition("entrants")[0] + f"entrants = [{entrants}]\n")
    rows = checked(shell, "--games", "2")
    assert rows["code"] == 3
    assert rows["ann"]["wrong"].startswith("gone at turn 0")
    assert rows["ann"]["notes"].strip() == "help"
    assert "there is no file" in rows["bob"]["wrong"]
    assert (rows["cy"]["wrong"], rows["cy"]["games"]) == ("", 2)
    assert (rows["dan"]["wrong"], rows["dan"]["games"]) == ("", 0)
    said = shell.touchline("tournament", "check", "cup.toml")
    assert said.returncode == 3
    assert "cy: ok (3 games" in said.stdout
    assert "dan: a remote entrant" in said.stdout
    assert "help" in said.stderr


def test_the_organiser_is_told_of_openings_and_copies(shell: Shell, tmp_path: Path) -> None:
    entrants = [f'{{name = "{name}", player = "minimax:depth={name}"}}' for name in "12"]
    head = 'name = "twins"\nclock = {no_timeout = true}\ngame = {name = "hexapawn", rows = 4, cols = 4}\n'
    head += f"entrants = [{', '.join(entrants)}]\n"
    (tmp_path / "cup.toml").write_text(head + 'format = {name = "round_robin", games = 5}\n')
    said = shell.touchline("tournament", "check", "cup.toml").stderr
    assert "note: games begin with 4 random moves; there are 94 such openings" in said
    assert "note: each opening is not played from every seat: a table of 2 plays 5 games" in said
    openings = "openings = {moves = 0}\n"
    (tmp_path / "twins.toml").write_text(head + openings + 'format = {name = "round_robin", games = 10}\n')
    told = "note: 2 distinct games of 10: a copy of a game counts for points"
    assert told in shell.touchline("tournament", "run", "twins.toml", "--on", "here").stdout
    assert told in shell.touchline("tournament", "show", "twins.db").stdout
    assert told in shell.touchline("tournament", "report", "twins.db").stdout
    assert json.loads(shell.touchline("tournament", "show", "twins.db", "--json").stdout)["distinct"] == 2


def test_check_of_a_sound_cup(shell: Shell) -> None:
    rows = checked(shell)
    assert rows["code"] == 0
    assert [rows[name]["wrong"] for name in ("ann", "bob", "cy")] == ["", "", ""]


def test_a_salt_that_is_given(shell: Shell) -> None:
    """The same cup is repeated; the log, the report and the verification say that the salt was given."""
    digests = []
    for ledger in ("one.db", "two.db"):
        run = ("tournament", "run", "cup.toml", "--on", "here", "--ledger", ledger, "--salt", "ab" * 32)
        digests.append(shell.result(*run)["games_digest"])
        for words in (("tournament", "show"), ("tournament", "report"), ("verify",)):
            assert "the salt was given, not drawn" in shell.touchline(*words, ledger).stdout
    assert digests[0] == digests[1]
    assert "64 hexadecimal digits" in shell.refused("tournament", "run", "cup.toml", "--salt", "ab")
    assert "another salt" in shell.refused("tournament", "resume", "one.db", "--salt", "cd" * 32)


def test_signed_and_verified(shell: Shell) -> None:
    for name in ("ann.key", "eve.key"):
        assert shell.touchline("keys", "new", name).returncode == 0
    done = shell.touchline("tournament", "run", "cup.toml", "--on", "here", "--sign", "ann.key")
    seal = done.stdout.split()[-1]
    assert "signed by " in done.stdout
    proven = shell.touchline("verify", "cup.db", "--key", "ann.key.pub", "--digest", seal)
    assert (proven.returncode, "12 games: follows, sealed, signed\n" in proven.stdout) == (0, True)
    assert "not checked" not in proven.stdout
    for words in (("--key", "eve.key.pub"), ("--digest", "00" * 32)):
        lie = shell.touchline("verify", "cup.db", *words)
        assert (lie.returncode, "12 games: follows\nwrong: " in lie.stdout) == (4, True)
    found = shell.result("verify", "cup.db", "--key", "ann.key.pub")
    assert (found["follows"], found["sealed"], found["signed"]) == (True, True, True)


def test_an_entrant_that_changed(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(CUP.replace('player = "greedy"', 'player = "bot.py"'))
    (tmp_path / "bot.py").write_text("raise SystemExit(1)")
    run = ("tournament", "run", "cup.toml", "--on", "here")
    assert shell.touchline(*run).returncode == 0
    shell.touchline("tournament", "void", "cup.db", "r0000-t0000", "--why", "the lights went out")
    (tmp_path / "bot.py").write_text("raise SystemExit(2)")
    assert "cy: the files of bot.py have changed" in shell.refused(*run)
    assert shell.touchline(*run, "--accept-changes").returncode == 0
    for words in (("tournament", "show"), ("tournament", "report"), ("verify",)):
        said = shell.touchline(*words, "cup.db").stdout
        assert "the files of cy were changed during the cup: version 2 from game 12" in said
        assert words == ("verify",) or "cy (version 2 from game 12)" in said
    shell.touchline("tournament", "report", "cup.db", "--html", "cup.html")
    assert "cy</bdi> (version 2 from game 12)" in (tmp_path / "cup.html").read_text()
    told = shell.result("tournament", "show", "cup.db")["versions"]
    assert [one["game"] for one in told["cy"]] == [1, 12]

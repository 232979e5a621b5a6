"""The commands of a league: those of the organiser in this process, a whole league as processes."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cli.commands import TOUCHLINE, environment, touchline
from league.leagues import LEAGUE, FakePool, Hall, bot, by_strength, league
from touchline.cli.main import cli

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    """The ledger of a league that has run for a while, with results that were drawn."""
    hall = Hall(tmp_path, league(), FakePool(by_strength(len, Random(1))))
    for name in ("ann", "bob"):
        hall.desk.submit(hall.token(name), bot(name), "bot.py")
    hall.until(lambda: hall.run.gallery.games >= 30)
    hall.close()
    return hall.where


def _run(*words: str, code: int = 0) -> str:
    """What a command prints; commands return their exit code, which `main` passes on."""
    done = CliRunner().invoke(cli, ["league", *words], obj="never", standalone_mode=False)
    assert done.exception is None, (done.output, done.exception)
    assert (done.return_value or 0) == code, done.output
    return done.output


def _json(*words: str) -> Any:
    return json.loads(_run(*words, "--json"))


def _error(*words: str) -> str:
    done = CliRunner().invoke(cli, ["league", *words], obj="never")
    assert done.exception is not None
    return str(done.exception)


def test_the_organiser_acts_on_the_ledger(ledger: str) -> None:
    """Pause, resume, eject and re-rate are entries of the log, with their reasons."""
    assert _json("pause", ledger, "--why", "lunch") == {"act": "pause", "about": "", "why": "lunch"}
    assert _json("show", ledger)["paused"] == "lunch"
    assert "resumed" in _run("resume", ledger, "--why", "back")
    assert _json("show", ledger)["paused"] is None
    _run("rerate", ledger, "bob v1", "--why", "a broken worker")
    rows = {row["version"]: row for row in _json("show", ledger)["table"]}
    assert rows["bob v1"]["games"] == 0
    assert rows["ann v1"]["games"] > 0
    assert "ann is out" in _run("eject", ledger, "ann", "--why", "left")
    shown = _json("show", ledger)
    assert [row["version"] for row in shown["older"]] == ["ann v1"]
    shown = _run("show", ledger, "--log")
    assert "eject ann: left" in shown
    assert "accept ann v1" in shown
    assert [entry["act"] for entry in _json("show", ledger, "--log")["log"]][-1] == "eject"


def test_mistakes_are_said_in_one_line(ledger: str, tmp_path: Path) -> None:
    """Unknown entrants, versions and ledgers, a name that is taken, a missing token, a bad address."""
    assert "no entrant" in _error("eject", ledger, "carl", "--why", "x")
    assert "no version" in _error("rerate", ledger, "carl v1", "--why", "x")
    assert "looks like" in _error("token", ledger, "Ann")
    assert "no such ledger" in _error("show", str(tmp_path / "none.db"))
    assert "not the address" in _error("submit", "ftp://here", ledger, "--token", "x")
    assert "needs your token" in _error("submit", "http://127.0.0.1:1", ledger)
    player = tmp_path / "bot.py"
    player.write_bytes(bot())
    assert "no league answers" in _error("submit", "http://127.0.0.1:1", str(player), "--token", "x")


def test_games_without_records_do_not_verify(ledger: str) -> None:
    """These results were drawn, not played."""
    found = json.loads(_run("verify", ledger, "--json", code=4))
    assert any("the record does not hold" in wrong for wrong in found["wrong"])


@pytest.mark.slow
def test_a_league_from_its_first_token_to_its_end(tmp_path: Path) -> None:
    """A folder passes its check in the cage and plays; one that exits is rejected; all games verify."""
    file, folder = tmp_path / "league.toml", tmp_path / "mybot"
    file.write_text(LEAGUE.format(more="[quotas]\ngames = 6"))
    folder.mkdir()
    (folder / "bot.py").write_bytes(
        b"from other import first\n" + bot().replace(b"next(iter(", b"first((", 1)
    )
    (folder / "other.py").write_text("def first(moves):\n    return next(iter(moves))\n")
    (tmp_path / "eve.py").write_text("raise SystemExit(3)\n")
    tokens = {name: _run("token", str(file), name).strip() for name in ("ann", "eve")}
    serve = [*TOUCHLINE, "league", "serve", str(file), "--port", "0", "--workers", "1", "--json"]
    serve += ["--allow-weak-isolation"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True, env=environment()) as server:
        try:
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["page"].removesuffix("league")
            for name, player, status in (("eve", "eve.py", "rejected"), ("ann", "mybot", "active")):
                words = [
                    "submit",
                    url,
                    str(tmp_path / player),
                    "--token",
                    tokens[name],
                    "--wait",
                    "60",
                    "--json",
                ]
                told = json.loads(_run(*words, code=3 if status == "rejected" else 0))
                assert told["status"] == status, told
            while _json("show", url)["league"]["games"] < 6:
                time.sleep(0.1)
        finally:
            server.send_signal(signal.SIGINT)
            assert server.wait(60) == 130
    done = touchline("league", "verify", str(tmp_path / "league.db"))
    assert (done.returncode, "verified: 6 games" in done.stdout) == (0, True), done

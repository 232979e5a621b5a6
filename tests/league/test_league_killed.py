"""kill -9 of a league at random instants: no acknowledged submission is lost, no game is lost or doubled.

No process is left, either. Each time the server is started again, with the same command. In the end every
game is verified.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from league.leagues import bot
from touchline.bundles.store import BundleStore
from touchline.league.client import LeagueClient
from touchline.league.league_file import load
from touchline.league.opening import begin
from touchline.league.roster import TOKEN, new_token, read_roster
from touchline.league.verification import verify
from touchline.tournament.ledger import open_ledger
from tournament.ledger.places import fresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LEAGUE = """
name = "mortal league"
seed = 5
[game]
name = "hexapawn"
rows = 4
cols = 4
[clock]
seconds = 5
[quotas]
submissions = 1000
games = 100_000
"""
KILLS = {("sqlite", "cores"): 8, ("postgres", "cores"): 3, ("sqlite", "dask"): 2}
PATIENCE = 300.0
"""Seconds after which what a test waits for will not come."""


@contextlib.contextmanager
def _served(file: Path, where: str, on: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a session of its own, and its URL."""
    command = [sys.executable, "-m", "touchline", "league", "serve", str(file), "--ledger", where]
    options = ["--port", "0", "--on", on, "--workers", "2", "--allow-weak-isolation", "--json"]
    with subprocess.Popen(
        [*command, *options], start_new_session=True, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert line, "the server did not start"
            yield server, json.loads(line)["page"].removesuffix("league")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _is_gone(leader: int) -> bool:
    """Whether no process of a session is alive."""
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if entry.name.isdecimal() and int(fields[3]) == leader and fields[0] != "Z":
                return False
    return True


def _begin(file: Path, where: str) -> dict[str, str]:
    """Create the league; return the tokens of its entrants."""
    league, tokens = load(file), dict[str, str]()
    with open_ledger(where) as ledger:
        begin(ledger, league.cup)
        for name in ("ann", "bob", "cy"):
            token, hashed = new_token(read_roster(league.cup, ledger.log(), 1), name)
            ledger.note(TOKEN, hashed, name, time.time())
            tokens[name] = token
    return tokens


def _finished(where: str) -> dict[str, tuple[Any, ...]]:
    with open_ledger(where, readonly=True) as ledger:
        return {game.id: (game.played, game.digest, game.at) for game in ledger.results()}


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("kind", "on"), KILLS)
def test_a_killed_league_loses_nothing(
    kind: str, on: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Submissions that were acknowledged are there, and all games, once, as they were; no worker is left."""
    server = request.getfixturevalue("postgres") if kind == "postgres" else None
    file = tmp_path / "league.toml"
    file.write_text(LEAGUE)
    with fresh(server) as where:
        _kill_again_and_again(file, where, on, Random(f"{kind} {on}"), KILLS[kind, on])


def _kill_again_and_again(file: Path, where: str, on: str, rng: Random, kills: int) -> None:
    tokens, acknowledged = _begin(file, where), dict[str, str]()
    games: dict[str, tuple[Any, ...]] = {}
    for _ in range(kills):
        with _served(file, where, on) as (server, url):
            _submit_for_a_while(url, tokens, rng, acknowledged)
            os.kill(server.pid, signal.SIGKILL)
            server.wait()
            _wait_until(partial(_is_gone, server.pid))
        after = _finished(where)
        assert {id_: after.get(id_) for id_ in games} == games
        games = after
    with _served(file, where, on) as (_, url):
        client = LeagueClient(url)
        _wait_until(lambda: client.seen()["league"]["checking"] == 0)
        _wait_until(lambda: client.seen()["league"]["games"] > len(games) + 10)
    _check_submissions(where, file, acknowledged)
    with open_ledger(where, readonly=True) as ledger:
        assert verify(ledger, where).wrong == ()
    assert {id_: game for id_, game in _finished(where).items() if id_ in games} == games


def _submit_for_a_while(url: str, tokens: dict[str, str], rng: Random, acknowledged: dict[str, str]) -> None:
    """Hand in versions until the instant of the kill, which is drawn."""
    end = time.monotonic() + rng.uniform(0.0, 3.0)
    while time.monotonic() < end:
        name = rng.choice([*tokens])
        data = bot(f"{name} {rng.random()}")
        told = LeagueClient(url, tokens[name]).submit("bot.py", data)
        acknowledged[told["version"]] = data.decode()
        time.sleep(rng.uniform(0.2, 3.0))


def _wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)


def _check_submissions(where: str, file: Path, acknowledged: dict[str, str]) -> None:
    """Every version that was acknowledged is active or was, with the bytes that were handed in."""
    store = BundleStore(file.with_suffix(".files") / "bundles")
    with open_ledger(where, readonly=True) as ledger:
        versions = read_roster(load(file).cup, ledger.log(), 1).versions
    assert acknowledged
    for name, source in acknowledged.items():
        assert versions[name].status in ("active", "retired"), versions[name]
        assert store.get(versions[name].digest).files[0].data.decode() == source

"""One rule for the conduct of a table, in every way of playing."""

from __future__ import annotations

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cli.shell import Shell
from server.rooms import Caller, Last, room, run, until
from touchline.client.join import join
from touchline.conducts.course import CONDUCT as COURSE
from touchline.conducts.fish_push import CONDUCT as SEED_001
from touchline.core import registry
from touchline.core.clock import UNTIMED, Clock, Limits, micros
from touchline.core.registry import CONDUCTS
from touchline.drivers.terms import terms_of
from touchline.games.fish import Fish
from touchline.players.address import ServerAddress
from touchline.players.by_name import spoken_by
from touchline.tournament.cup import parse

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.core.events import Begun

SMALL = Fish(rows=3, cols=3, fish=1)


@pytest.mark.parametrize(
    ("words", "conduct"),
    [
        (["seed-001+a.py", "random"], "seed-001"),
        (["random", "seed-001+process:./a", "mcts:seconds=1"], "seed-001"),
        (["seed-001+a.py", "seed-001+b.py"], "seed-001"),
        (["seed-001+random", "random"], "seed-001"),
        (["seed-001+a.py", "seed-000+b.py"], "course"),
        (["seed-001+a.py", "b.py"], "course"),
        (["seed-001+a.py", "human"], "course"),
        (["seed-002+bad.py", "random"], "seed-002"),
        (["random", "random"], "standard"),
        (["a.py", "human", "random"], "standard"),
    ],
)
def test_the_rule(words: list[str], conduct: str) -> None:
    """House players speak whatever the others do; at a mixed table the organiser's conduct holds."""
    terms = terms_of(map(spoken_by, words))
    assert terms.conduct == CONDUCTS[conduct]
    assert str(terms).startswith(f"conduct {conduct} (")
    organiser = msgspec.structs.replace(COURSE, name="mine")
    mine = terms_of(map(spoken_by, words), organiser=organiser).conduct
    mixed = len({spoken_by(word) for word in words} - {None}) > 1
    assert (mine is organiser) == mixed
    assert terms_of(map(spoken_by, words), conduct=SEED_001).conduct is SEED_001


def test_the_time_for_a_move() -> None:
    """It is the dialect's, unless somebody chose another or the table is mixed; the bank stays."""
    limits = Limits(clock=Clock(micros(7), bank=micros(60)))
    assert terms_of(["seed-003", None], limits=limits).limits.clock == Clock(micros(4), bank=micros(60))
    assert terms_of(["seed-003", "seed-004"], limits=limits).limits == limits
    assert terms_of(["seed-003"], limits=limits, paced=True).limits == limits
    assert terms_of(["seed-003"], limits=UNTIMED, paced=True).limits == UNTIMED


def test_every_dialect_has_its_conduct() -> None:
    for name in registry.dialects():
        assert terms_of([name, None]).conduct == CONDUCTS[registry.dialect(name).conduct]


def begun_of(record: Path) -> dict[str, Any]:
    begun: dict[str, Any] = msgspec.json.decode(record.read_bytes().splitlines()[0])
    return begun


def test_at_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is said when a match starts, and is in its record."""
    shell = Shell(monkeypatch, capsys)
    words = ("play", "fish", "seed-001+random", "random", "--seed", "1")
    done = shell.touchline(*words, "--record", str(tmp_path / "a"))
    assert "conduct seed-001 (all players from outside speak seed-001), 10 s a move" in done.stderr
    assert begun_of(tmp_path / "a")["conduct"]["name"] == "seed-001"
    done = shell.touchline(*words, "--record", str(tmp_path / "b"), "--conduct", "course", "--seconds", "3")
    assert "conduct course (chosen), 3 s a move" in done.stderr
    assert begun_of(tmp_path / "b")["conduct"]["name"] == "course"


@pytest.mark.parametrize("option", ["--seconds", "--bank", "--set-up", "--goodbye"])
@pytest.mark.parametrize("number", ["inf", "nan", "1e10", "1e300"])
def test_a_limit_that_nobody_can_wait_for(
    option: str, number: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused in one line, before anybody plays."""
    said = Shell(monkeypatch, capsys).refused("play", "hexapawn", "random", "random", option, number)
    assert "use 0 to 1,000,000 seconds" in said


@pytest.mark.parametrize(
    ("doors", "chosen", "conduct"),
    [((0, 0), None, "seed-001"), ((0, 1), None, "course"), ((0, 1), "seed-000", "seed-000")],
)
def test_at_a_server(doors: tuple[int, int], chosen: str | None, conduct: str) -> None:
    """Those who came decide, not the doors that are open."""

    async def whole() -> Begun:
        listen = ("tcp://127.0.0.1:0/seed-001", "tcp://127.0.0.1:0/seed-000")
        given = {} if chosen is None else {"conduct": CONDUCTS[chosen]}
        async with room(SMALL, 3, listen, house=[("last", lambda seed: Last())], **given) as here:
            guests = []
            for number, door in enumerate(doors):
                at = ServerAddress.read(here.urls[door])
                face = registry.dialect(at.dialect).face(Last(), rng=Random(0))
                guests.append(asyncio.create_task(join(at, face, "values", f"guest {number}")))
                await until(lambda: here.server.waiting or here.events[0])
            await here.result()
            await asyncio.gather(*guests)
            return here.begun()

    assert run(whole()).conduct == CONDUCTS[conduct]


@pytest.mark.parametrize(
    ("players", "named", "conduct"),
    [
        (("seed-001+a.py", "random"), "", "seed-001"),
        (("seed-001+a.py", "seed-000+b.py"), "", "course"),
        (("seed-001+a.py", "remote"), "", "course"),
        (("seed-001+a.py", "random"), 'conduct = "course"', "course"),
    ],
)
def test_in_a_cup(players: tuple[str, str], named: str, conduct: str) -> None:
    """All its entrants decide, for all its games are played under one conduct."""
    entrants = "".join(f'[[entrants]]\nname = "e{n}"\nplayer = "{word}"\n' for n, word in enumerate(players))
    text = f'name = "c"\n{named}\n[game]\nname = "fish"\n[format]\nname = "round_robin"\n{entrants}'
    assert parse(text, "cup.toml").conduct == CONDUCTS[conduct]


def test_a_caller_hears_why_it_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    """And the log has who it was and why, once, however often it comes."""

    async def whole() -> None:
        async with room(SMALL, 2, ("tcp://127.0.0.1:0/seed-001",)) as here:
            for _ in range(3):
                caller = await Caller.at(here.url, b'""')
                reason = "a name has 1 to 32 printable characters"
                assert await caller.rest() == [["notifyBanned", [reason]]]
                await caller.gone()

    run(whole())
    (line,) = [record.getMessage() for record in caplog.records if "refused" in record.getMessage()]
    assert line.startswith("refused 127.0.0.1:")
    assert line.endswith(', which speaks seed-001: a name has 1 to 32 printable characters; it sent ""')


def test_refusals_do_not_flood_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """After so many in a minute it only says that there are more."""
    from touchline.server.sign_up import MOST_LOGGED, _RefusalLog

    async def whole() -> None:
        refused = _RefusalLog("native")
        for number in range(100):
            refused.add(f"10.0.0.{number}:1234", f"\x1b reason {number}")

    run(whole())
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == MOST_LOGGED + 1
    assert lines[-1] == "more sign-ups are refused; they are not listed for a minute"
    assert all(line.isprintable() for line in lines)

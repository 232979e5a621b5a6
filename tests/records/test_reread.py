"""`records/reread.py`: the raw messages of a record, read again by this version's dialects.

That the same reader reads the same in every dialect shows that a record keeps the raw messages completely.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

import touchline
from dialects import dialect_rogue_tables
from dialects.dialect_rogue_tables import (
    HONEST,
    MISCHIEF,
    SETTINGS,
    WIRES,
    Plan,
    Setting,
    command,
    for_real,
    in_virtual_time,
    real_plan,
    with_one,
)
from players.tables import TABLES, played, terms
from records.newer_reader import check_the_same, in_dialects
from touchline.conducts.base import read
from touchline.core.clock import UNTIMED
from touchline.core.events import Event, Faulted, Ignored, encode
from touchline.core.registry import CONDUCTS
from touchline.drivers.lineup import Lineup
from touchline.drivers.match import agreed
from touchline.records.replay import Replay
from touchline.records.reread import CUT, NO_RAW
from touchline.testing import rogues
from touchline.testing.rogues import ROGUES, Scripted
from touchline.testing.scripts import Read, Sleep, Write

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.testing.hostile.player import DialectPlayer, Script

SOME = ("honest", "illegal_move", "plain_text", "moves_ahead", "answers_twice", "answers_late", "exits")


def rogue_match(
    name: str, setting: Setting, conduct: str, framing: str | None = None, turns: int = 1
) -> Replay:
    plan = with_one(name, setting, conduct, turns=turns, held=False)
    match = in_virtual_time(plan, framing)
    return in_dialects(match.events, *[setting.dialect] * setting.seats)


# -- the same reader --------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_the_same_reader_reads_the_same(setting: Setting) -> None:
    """In every dialect, whatever the players did; every message is read again, and none is missing."""
    for name in SOME:
        again = check_the_same(rogue_match(name, setting, setting.spoken.conduct))
        assert again.reread > 0
        assert not again.not_reread


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_campaign(setting: Setting) -> None:
    """Every rogue under every conduct, by lines and by values, early and late."""
    for name in (*HONEST, *MISCHIEF):
        for conduct in setting.conducts:
            for framing in (None, "lines"):
                again = check_the_same(rogue_match(name, setting, conduct, framing))
                assert again.not_reread.keys() <= ({CUT} if name == "pads" else set())


@pytest.mark.slow
@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_over_real_wires(setting: Setting, wire: str) -> None:
    """Programs, TCP and WebSocket: what is read at once, and in which pieces, makes no difference."""
    for name in ("plain_text", "answers_twice", "moves_ahead"):
        match = for_real(wire, real_plan(name, setting, setting.spoken.conduct)._replace(held=False))
        check_the_same(in_dialects(match.events, *[setting.dialect] * setting.seats))


def test_native_rogues() -> None:
    """The rogues of the native dialect, on the fast lane and beside it."""
    game, seats = TABLES["hexapawn"]
    for name in ("honest", *sorted(ROGUES.keys() - {"forker", "stubborn"})):  # those need a process
        rogue = rogues.honest if name == "honest" else ROGUES[name][0]
        players = [Scripted(script, game) for script in (rogue, rogues.honest)]
        match = played(terms(game, seats, CONDUCTS["seed-002"]), players)
        check_the_same(in_dialects(match.events, "native", "native"))


def eager(player: DialectPlayer) -> Script:
    """Sends something before the match begins, and then plays honestly."""
    yield Write(b"hello\n")
    while True:
        yield Write(player.hear((yield Read())))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_frame_that_came_before_the_first_question(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing was asked when it came; it is not read as the answer to what was asked in the same moment."""
    monkeypatch.setitem(HONEST, "eager", eager)
    match = in_virtual_time(with_one("eager", setting, "course"), wait=1)
    again = check_the_same(in_dialects(match.events, *[setting.dialect] * setting.seats))
    assert again.reread > 0


JUNK = (b"hello\n", b'"void"\n', b"{}\n", b"null\n", b"\xff\xfe\n", b"[1,2]\n")
LAX = read(
    'name = "lax"\nlike = "course"\nidle = 50\nlate.steps = ["default"]\ngone.steps = ["default"]\n'
    'illegal = {steps = ["retry 30", "default"], counted = "turn"}\n'
    'out_of_turn = {steps = ["retry 30", "default"], counted = "turn"}\n',
    "lax",
)
"""Under this conduct a match survives much noise."""


def noisy(rng: Random, player: DialectPlayer) -> Script:
    """Answers honestly, but sends junk and old answers before, with and after its own, or nothing in time."""
    sent = [*JUNK]
    if rng.random() < 0.2:
        yield Write(rng.choice(JUNK))
    while True:
        answer = player.hear((yield Read()))
        sent.append(answer or b'"void"\n')
        match rng.randrange(16):
            case 0:
                yield Write(rng.choice(sent) + answer)
            case 1 | 2:
                yield Write(answer + rng.choice(sent))
            case 3:
                yield Write(answer)
                yield Sleep(rng.choice((0.0005, 0.01)))
                yield Write(rng.choice(sent))
            case 4:
                yield Sleep(rng.choice((0.0005, 0.3, 1.5)))
                yield Write(answer)
            case 5:
                yield Sleep(0.0002)
            case _:
                yield Write(answer)


def noise(setting: Setting, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record of a match of noisy players follows from the rules, and is reread as it was read."""
    rng = Random(f"{seed} {setting}")
    monkeypatch.setitem(HONEST, "noisy", lambda player: noisy(rng, player))
    monkeypatch.setattr(dialect_rogue_tables, "CONDUCTS", {**CONDUCTS, "lax": LAX})
    conduct = rng.choice(("lax", *setting.conducts))
    plan = Plan(setting, ("noisy",) * setting.seats, conduct, held=False)
    match = in_virtual_time(plan, rng.choice((None, "lines")))
    match.verify()
    check_the_same(in_dialects(match.events, *[setting.dialect] * setting.seats))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_noise(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that come when nothing was asked, or just before a question, are read as they were then."""
    for seed in range(2):
        noise(setting, seed, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_noise_campaign(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for many matches."""
    for seed in range(2, 60):
        noise(setting, seed, monkeypatch)


def of_programs(setting: Setting, *names: str, conduct: str = "course") -> Replay:
    """The record of a match between programs over pipes."""
    events: list[Event] = []
    words = [f"{setting.dialect}+process:{' '.join(command(name, setting.dialect))}" for name in names]
    lineup = Lineup(words, range(len(words)))
    spec = agreed(setting.game, names, 1, conduct=CONDUCTS[conduct], limits=UNTIMED, turn_cap=60)
    spec = lineup.fill(spec)
    lineup.play(spec, [events.append])
    return Replay(b"".join(encode(event) + b"\n" for event in events), "this match")


def test_programs_that_write_two_answers_at_once() -> None:
    """Two frames that are read at once are decoded before anybody is told about the first."""
    replay = of_programs(Setting("native", "hexapawn"), "answers_twice", "honest")
    assert any(isinstance(event, Faulted | Ignored) for event in replay.events)
    check_the_same(replay)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_programs_in_every_dialect(setting: Setting) -> None:
    """The driver for programs keeps the raw messages, too, on its fast lane and beside it."""
    for name in ("honest", "answers_twice", "plain_text", "illegal_move"):
        names = [name, *["honest"] * (setting.seats - 1)]
        assert check_the_same(of_programs(setting, *names)).reread > 0


@pytest.mark.parametrize("dialect", ["labyrinth-course", "seed-004"])
def test_after_a_goal_was_reached(dialect: str, tmp_path: Path) -> None:
    """A record does not keep the confirmation of a next goal, and all that follows is still read the same."""
    players = [f"{dialect}+riemann", f"{dialect}+euclid"]
    reached = 0
    for seed in range(3):
        file = tmp_path / f"{seed}.jsonl"
        touchline.play(touchline.Labyrinth(rows=5, cols=5), players, seed=seed, record=file)
        again = check_the_same(Replay.read(file))
        reached += again.not_reread.get(NO_RAW, 0)
    assert reached

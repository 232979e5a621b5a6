"""WebAssembly modules at a table: honest ones play, and hostile ones lose without harm to anybody."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

import touchline
from players.wasm_modules import HOSTILE, saved, slow
from touchline.core.clock import Clock, Limits, micros
from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions
from touchline.core.events import Ended, Event, Faulted, Module, Moved, Resumed, SatDown
from touchline.games.hexapawn import Hexapawn
from touchline.matches.fixture import fixture
from touchline.matches.resume import resume
from touchline.players.by_name import command_of, player, spoken_by
from touchline.players.output import PlayerOutput, Sink
from touchline.players.wasm import runtime
from touchline.records.recording import Recording
from touchline.records.replay import Replay
from touchline.records.side_file import SeatSecret, Secret, side_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.players.output import Written

EXAMPLE = Path(__file__).parents[2] / "examples" / "wasm" / "hexapawn.wasm"
BOT = f"wasm:{EXAMPLE}"
SMALL = Hexapawn(rows=4, cols=3)
LIMITS = Limits(fuel=1_000_000, set_up=micros(60), clock=Clock(micros(60)))
"""The times are only a backstop: a busy machine must not end these matches."""
LIE = '=0 {"type":"act","turn":0,"move":{"from":[0,0],"to":[1,0]}}\n'


def fuel_of(events: Sequence[Event]) -> list[int]:
    return [event.fuel for event in events if isinstance(event, SatDown | Moved) and event.fuel is not UNSET]


def events_of(path: Path) -> list[Event]:
    return Replay(path.read_bytes(), "x").events


def test_two_modules_play_a_match_that_proves_itself(tmp_path: Path) -> None:
    """The record has the module of each seat, what runs it, and the fuel of every answer."""
    path = tmp_path / "match.jsonl"
    limits = replace(LIMITS, fuel=5_000_000)
    match = touchline.play(SMALL, [BOT, BOT], seed=1, limits=limits, record=path)
    assert (match.verdict, match.faults) == ("finished", ())
    replay = Replay(path.read_bytes(), "x")
    replay.verify()
    assert replay.begun.modules == (Module(hashlib.sha256(EXAMPLE.read_bytes()).hexdigest(), runtime()),) * 2
    assert replay.begun.limits.fuel == 5_000_000
    assert len(fuel_of(replay.events)) == match.result.turns + 2
    assert 0 < min(fuel_of(replay.events)) <= max(fuel_of(replay.events)) <= 5_000_000


def test_what_a_module_writes_to_stderr_is_heard(tmp_path: Path) -> None:
    """As that of any program; here it is why the module was stopped."""

    texts: list[str] = []

    class Lines(Sink):
        def write(self, lines: Sequence[Written]) -> None:
            texts.extend(line.text for line in lines)

    player = saved(tmp_path / "traps.wasm", HOSTILE["traps"])
    fixture(SMALL, [player, "random"], limits=LIMITS).play(1, output=PlayerOutput([Lines()]))
    assert texts == ["the module trapped: unreachable"]


def test_both_drivers_count_the_same_fuel(tmp_path: Path) -> None:
    """One polls pipes, the other runs on an event loop; also beside a bot of this process."""
    limits = replace(LIMITS, fuel=5_000_000)
    polled, looped = tmp_path / "polled.jsonl", tmp_path / "looped.jsonl"
    touchline.play(SMALL, [BOT, "greedy"], seed=1, limits=limits, record=polled)
    asyncio.run(touchline.play_async(SMALL, [BOT, "greedy"], seed=1, limits=limits, record=looped))
    assert fuel_of(events_of(polled)) == fuel_of(events_of(looped)) != []


VERDICTS: dict[str, tuple[str, str]] = {
    "spins": ("late", "used more than 1,000,000 fuel"),
    "spins at once": ("late", "used more than 10,000,000 fuel"),
    "ponders": ("late", "used more than 1,000,000 fuel"),
    "traps": ("gone", "trapped: unreachable"),
    "exits": ("gone", "exited with 3"),
    "lies": ("malformed", "is not JSON"),
    "grows": ("gone", "trapped: unreachable"),
    "overflows": ("gone", "trapped: memory out of bounds"),
    "floods": ("malformed|flood", ""),
    "reads on": ("late", "no move within 0.5 s"),
}


@pytest.mark.parametrize("does", ["spins", "traps", *map(slow, sorted({*HOSTILE} - {"spins", "traps"}))])
def test_a_hostile_module_loses_and_nobody_else(does: str, tmp_path: Path) -> None:
    """With the verdict that its deed has, in a record that proves itself."""
    word, path = saved(tmp_path / "bad.wasm", HOSTILE[does], LIE), tmp_path / "match.jsonl"
    backstop = Clock(micros(0.5)) if does == "reads on" else LIMITS.clock
    limits = replace(LIMITS, clock=backstop)
    match = touchline.play(SMALL, [word, "greedy"], seed=1, limits=limits, record=path)
    assert (match.result.expelled, match.winners) == ((0,), ("greedy",))
    (fault,) = match.faults
    offence, reason = VERDICTS[does]
    assert fault.offence.value in offence.split("|")
    assert reason in fault.reason
    Replay(path.read_bytes(), "x").verify()


@pytest.mark.parametrize("does", ["spins", *map(slow, ("ponders", "traps", "lies"))])
def test_a_hostile_module_loses_on_an_event_loop(does: str, tmp_path: Path) -> None:
    """The other driver has the same verdicts."""
    word = saved(tmp_path / "bad.wasm", HOSTILE[does], LIE)
    match = asyncio.run(touchline.play_async(SMALL, [word, "greedy"], seed=1, limits=LIMITS))
    (fault,) = match.faults
    offence, reason = VERDICTS[does]
    assert (fault.seat, fault.offence.value, match.winners) == (0, offence, ("greedy",))
    assert reason in fault.reason


def test_a_module_that_ran_out_is_late_in_its_next_turn(tmp_path: Path) -> None:
    """It thought after its answer, when it was not asked; when we saw that changes nothing."""
    word, path = saved(tmp_path / "bad.wasm", HOSTILE["ponders"]), tmp_path / "match.jsonl"
    match = touchline.play(SMALL, [word, "random"], seed=1, limits=LIMITS, record=path)
    assert [(fault.turn, fault.offence) for fault in match.faults] == [(2, Offence.LATE)]
    (fault,) = (event for event in events_of(path) if isinstance(event, Faulted))
    assert fault.fuel == 1_000_001


@pytest.mark.slow
def test_a_module_that_was_stopped_is_late_in_every_turn(tmp_path: Path) -> None:
    """A conduct may let it live: it is still there, and still has no fuel."""
    word = saved(tmp_path / "bad.wasm", HOSTILE["spins"])
    (tmp_path / "kind.toml").write_text(
        'name = "kind"\nlike = "course"\n[late]\nsteps = ["default 2", "expel"]\n'
    )
    conduct = str(tmp_path / "kind.toml")
    match = touchline.play(SMALL, [word, "greedy"], seed=1, limits=LIMITS, conduct=conduct)
    assert {(fault.offence, fault.reason) for fault in match.faults} == {
        (Offence.LATE, "used more than 1,000,000 fuel")
    }
    assert [fault.turn for fault in match.faults][:2] == [0, 2]


def test_an_interrupted_match_goes_on_with_the_same_fuel(tmp_path: Path) -> None:
    """The module is started again and told its past, so it has used as much as before."""
    whole, half = tmp_path / "whole.jsonl", tmp_path / "half.jsonl"
    touchline.play(SMALL, [BOT, "greedy"], seed=1, limits=replace(LIMITS, fuel=5_000_000), record=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    interrupt(whole, half, lines[:5])
    recording = Recording(half)
    assert resume(half, recording).verdict == "finished"
    events = [event for event in events_of(half) if not isinstance(event, Resumed)]
    assert fuel_of(events) == fuel_of(events_of(whole))
    Replay(half.read_bytes(), "x").verify()


@pytest.mark.slow
def test_an_interrupted_match_does_not_go_on_with_another_module(tmp_path: Path) -> None:
    """It is void, with the reason; nobody has lost."""
    whole, half, copy = tmp_path / "whole.jsonl", tmp_path / "half.jsonl", tmp_path / "bot.wasm"
    copy.write_bytes(EXAMPLE.read_bytes())
    limits = replace(LIMITS, fuel=5_000_000)
    touchline.play(SMALL, [f"wasm:{copy}", "greedy"], seed=1, limits=limits, record=whole)
    interrupt(whole, half, whole.read_bytes().splitlines(keepends=True)[:3], f"wasm:{copy}")
    saved(copy, "(call $ready)")
    result = resume(half, Recording(half))
    assert result.verdict == "void"
    assert "has changed since the match began" in result.result.reason


def interrupt(whole: Path, half: Path, lines: list[bytes], word: str = BOT) -> None:
    """The files of a match that was killed after these lines."""
    ended = events_of(whole)[-1]
    assert isinstance(ended, Ended)
    half.write_bytes(b"".join(lines))
    seats = (SeatSecret(word=word, seed="1 0"), SeatSecret(word="greedy", seed="1 1"))
    secret = Secret(origin="play", seed=ended.seed, nonce=ended.nonce, seats=seats)
    side_file(half).write_bytes(msgspec.json.encode(secret))
    side_file(half).chmod(0o600)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("wasm:nowhere.wasm", "cannot read the module .*nowhere.wasm: No such file"),
        ("wasm:", "cannot read the module"),
        (f"wasm:{__file__}", "is no WebAssembly module"),
        (f"seed-002+{BOT}", "speaks native, not seed-002"),
    ],
)
def test_what_is_no_module_is_one_line(word: str, why: str) -> None:
    with pytest.raises(BadOptions, match=why):
        player(word, SMALL, 0)


def test_a_module_is_a_program_without_the_meter() -> None:
    """The command is for others to use: it takes no limits, and writes no numbers."""
    assert command_of(BOT)[-1] == str(EXAMPLE)
    assert spoken_by(BOT) == "native"

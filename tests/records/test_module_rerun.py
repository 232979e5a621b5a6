"""`verify --wasm`: the modules of a match are run again, and a forged answer or fuel is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import touchline
from cli.commands import refused, result
from cli.commands import touchline as command
from players.wasm_modules import ACT, HOSTILE, saved, slow
from records.tampering import sealed_again
from touchline.core.clock import Clock, Limits, micros
from touchline.core.events import Begun, Faulted, Module, Moved, encode
from touchline.core.happenings import Heard
from touchline.core.messages import Act, Garbled
from touchline.core.text import received
from touchline.dialects.native import Native
from touchline.games.hexapawn import Hexapawn, Step
from touchline.players import wasm
from touchline.records import module_rerun
from touchline.records.module_rerun import Given
from touchline.records.replay import Replay
from touchline.records.verification import Verification, verify_record

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "wasm" / "hexapawn.wasm")
SMALL = Hexapawn(rows=4, cols=3)
LIMITS = Limits(fuel=5_000_000, set_up=micros(60), clock=Clock(micros(60)))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A match of the example against a house player."""
    path = tmp_path_factory.mktemp("records") / "match.jsonl"
    touchline.play(SMALL, [f"wasm:{EXAMPLE}", "greedy"], seed=1, limits=LIMITS, record=path)
    return path.read_bytes()


def verified(data: bytes, *given: Given) -> Verification:
    return verify_record(Replay(data, "x"), modules=given or (Given(EXAMPLE),))


def changed(data: bytes, kind: type, at: int = 0, **fields: Any) -> bytes:
    """The record with fields of the nth event of a kind changed, and sealed again."""
    events = list(Replay(data, "x").events)
    which = [number for number, event in enumerate(events) if isinstance(event, kind)][at]
    events[which] = replace(events[which], **fields)
    return sealed_again(b"".join(encode(event) + b"\n" for event in events))


def test_a_true_record_is_confirmed(record: bytes) -> None:
    """By the file alone, or for its seat."""
    for given in (Given(EXAMPLE), Given(EXAMPLE, 0)):
        found = verified(record, given)
        assert (found.follows, found.modules, found.wrong) == (True, (0,), ())


def test_what_was_not_run_again_is_said(record: bytes) -> None:
    """Without the module, the fuel is what the record says."""
    found = verify_record(Replay(record, "x"))
    assert (found.follows, found.modules, found.wrong) == (True, (), ())
    (said,) = (line for line in found.not_checked if "module" in line)
    assert said.startswith("whether the module of seat 0 (SHA-256 ")
    assert said.endswith("run it again with --wasm FILE")


@pytest.mark.parametrize("by", [-1, 1])
def test_a_forged_fuel_figure_is_found(record: bytes, by: int) -> None:
    """It follows from the rules, since it is under the limit, and yet it is not what the module uses."""
    (fuel, *_) = (event.fuel for event in Replay(record, "x").events if isinstance(event, Moved))
    assert isinstance(fuel, int)
    found = verified(changed(record, Moved, fuel=fuel + by))
    assert (found.follows, found.modules) == (True, ())
    assert found.wrong == (f"x, line 3: seat 0 used {fuel + by:,} fuel, and the module uses {fuel:,}",)


def test_forged_bytes_are_found(record: bytes) -> None:
    """They are not what the module writes."""
    found = verified(changed(record, Moved, raw=("{}",)))
    assert "line 3: the module answers {" in found.wrong[0]


def test_a_move_that_the_bytes_do_not_say_is_found() -> None:
    """The bytes are the module's, but the record has understood another move."""
    line, dialect = ACT.strip().encode(), Native(SMALL)
    (said,) = dialect.hear(line).said
    assert isinstance(said, Act)
    raw = received((line,))
    assert module_rerun._same(Heard(0, said, raw=raw), line, dialect)
    assert not module_rerun._same(Heard(0, Act(Step((0, 1), (1, 1)), 0), raw=raw), line, dialect)
    assert not module_rerun._same(Heard(0, Garbled("noise"), raw=raw), line, dialect)


def late(tmp_path: Path, does: str) -> tuple[bytes, Given]:
    """The record of a module that misbehaves, and the module."""
    word, path = saved(tmp_path / "bad.wasm", HOSTILE[does]), tmp_path / "match.jsonl"
    touchline.play(SMALL, [word, "greedy"], seed=1, limits=replace(LIMITS, fuel=100_000), record=path)
    return path.read_bytes(), Given(word.removeprefix("wasm:"))


@pytest.mark.parametrize("does", ["spins", slow("ponders"), "traps", slow("exits")])
def test_how_a_module_failed_is_confirmed(does: str, tmp_path: Path) -> None:
    """That it was late, or that it trapped, is proven by running it again."""
    data, given = late(tmp_path, does)
    found = verified(data, given)
    assert (found.modules, found.wrong) == ((0,), ())


def test_nobody_can_be_called_late_who_was_not(record: bytes, tmp_path: Path) -> None:
    """A forged timeout, with the fuel that it needs to follow from the rules, is not what the module does."""
    data, given = late(tmp_path, "spins")
    saved(tmp_path / "bad.wasm", "(call $ready) (call $act)")
    digest = wasm.digest_of(tmp_path / "bad.wasm")
    forged = changed(data, Begun, modules=(Module(digest, wasm.runtime()), None))
    found = verified(forged, given)
    assert (found.follows, found.modules) == (True, ())
    assert "line 3: seat 0 ran out of fuel, and the module answers {" in found.wrong[0]


def test_a_trap_that_was_none_is_found(tmp_path: Path) -> None:
    """A forged crash ends the game as well."""
    data, given = late(tmp_path, "exits")
    found = verified(data.replace(b"exited with 3", b"exited with 4"), given)
    assert any("seat 0 exited with 4, and the module exited with 3" in line for line in found.wrong)


def test_another_runtime_shows_nothing(record: bytes) -> None:
    """It may count in another way, so a difference is no proof; equal fuel is."""
    other = changed(record, Begun, modules=(Module(wasm.digest_of(Path(EXAMPLE)), "wasmtime 1"), None))
    assert verified(other).modules == (0,)
    found = verified(changed(other, Moved, fuel=7))
    assert (found.wrong, found.modules) == ((), ())
    assert any("The match was run by wasmtime 1 and this is wasmtime" in line for line in found.not_checked)


def test_a_machine_that_is_too_slow_shows_nothing(record: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_rerun, "_patience", lambda replay: -1.0)
    found = verified(record)
    assert (found.wrong, found.modules) == ((), ())
    assert "the module of seat 0: it did not repeat its answers in time" in found.not_checked


# -- the command --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command(record: bytes, tmp_path: Path) -> None:
    """It confirms, finds a forgery, and refuses what is no module."""
    path, other = tmp_path / "match.jsonl", tmp_path / "other.wasm"
    path.write_bytes(record)
    assert result("replay", "verify", str(path), "--wasm", EXAMPLE)["modules"] == [0]
    assert " fuel\n" in command("replay", "show", str(path)).stdout
    done = command("replay", "verify", str(path), "--wasm", f"0={EXAMPLE}")
    assert "fuel: yes, run again, the module of seat 0 gives these answers with this fuel\n" in done.stdout
    path.write_bytes(changed(record, Moved, fuel=7))
    done = command("replay", "verify", str(path), "--wasm", EXAMPLE, "--json")
    assert (done.returncode, "seat 0 used 7 fuel" in json.loads(done.stdout)["wrong"][0]) == (4, True)
    saved(other, "(call $ready)")
    done = command("replay", "verify", str(path), "--wasm", f"0={other}")
    assert done.returncode == 4
    assert f"wrong: the module of seat 0 is not {other}, whose SHA-256 is " in done.stdout
    assert "is no WebAssembly module" in refused("replay", "verify", str(path), "--wasm", str(path))


def test_a_limit_on_the_command_line(tmp_path: Path) -> None:
    """`--fuel` makes the example late, and the record proves it."""
    path = str(tmp_path / "late.jsonl")
    said = result(
        "play", "hexapawn", f"wasm:{EXAMPLE}", "random", "--fuel", "100k", "--seed", "1", "--record", path
    )
    assert said["result"]["faults"][0]["reason"] == "used more than 100,000 fuel"
    assert result("replay", "verify", path, "--wasm", EXAMPLE)["modules"] == [0]
    (fault,) = (event for event in Replay(Path(path).read_bytes(), "x").events if isinstance(event, Faulted))
    assert fault.fuel == 100_001
    assert "seat 0 late: used more than 100,000 fuel -> expel" in command("replay", "show", path).stdout
    assert "'lots' is no fuel" in refused("play", "hexapawn", "random", "random", "--fuel", "lots")

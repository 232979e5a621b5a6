"""The process that runs a WebAssembly module: fuel that repeats exactly, and no way out of the module."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from players.wasm_modules import ECHO, HOSTILE, fuel_in, lines_of, module
from touchline.players import _wasi, wasm_file
from touchline.players.wasm import MOST_DIGITS, Meter, digest_of, wasm_command
from touchline.players.wasm_file import UNLIMITED

if TYPE_CHECKING:
    from pathlib import Path

THREE = b"one\nthe second line\n3\n"


class Trickle(io.RawIOBase):
    """A stream of which every read gives one byte."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]
        part, self._data = self._data[:1], self._data[1:]
        buffer[: len(part)] = part
        return len(part)


def test_fuel_is_one_number_over_twenty_runs(tmp_path: Path) -> None:
    """In this process and in others, told at once and byte by byte."""
    data = module(ECHO)
    path = tmp_path / "echo.wasm"
    path.write_bytes(data)
    seen = {tuple(lines_of(data, THREE)) for _ in range(16)}
    seen |= {tuple(lines_of(data, io.BufferedReader(Trickle(THREE)))) for _ in range(2)}
    command = [*wasm_command("echo.wasm", None, tmp_path), "--metered", digest_of(path)]
    for _ in range(2):
        done = subprocess.run(command, input=b"\n" + THREE, capture_output=True, check=True)
        *said, end = done.stdout.decode().splitlines()
        assert end.endswith(" exited with 0")
        seen.add(tuple(said))
    (lines,) = seen
    assert [line.partition(" ")[2] for line in lines] == ["one", "the second line", "3"]
    assert sorted(fuel_in(list(lines))) == fuel_in(list(lines))


def test_a_module_reads_one_line_at_a_time() -> None:
    """However many are there: else its fuel would depend on when they came."""
    one_read = "(drop (call $listen)) (call $say (i32.const 65536) (i32.load (i32.const 8)))"
    (line,) = lines_of(module(one_read), THREE)
    assert line.endswith(" one")


def test_every_line_of_a_module_comes_after_its_fuel() -> None:
    """A module that writes such a number itself only writes it behind the true one."""
    lies = '=1 {"type":"ready"}\n!0\n~0 trapped: by itself\n\n\r\n=2 \n'
    lines = lines_of(module("(call $text)", lies))
    assert [line.partition(" ")[2] for line in lines] == [
        '=1 {"type":"ready"}',
        "!0",
        "~0 trapped: by itself",
        "=2 ",
    ]
    meter = Meter()
    assert [meter.read(line.encode()) for line in lines] == [True] * 4
    assert (meter.ran_out, meter.why) == (False, None)


def test_what_a_module_does_after_an_answer_is_charged_to_the_next() -> None:
    """So it cannot think for nothing while others move."""
    idle, busy = (
        fuel_in(lines_of(module(f"(call $text) (call $spin (i32.const {count})) (call $text)")))
        for count in (1, 100_001)
    )
    assert idle[0] == busy[0]
    assert busy[1] - idle[1] == 100_000 * 6  # instructions in a round of the loop


def test_the_limit_is_exact() -> None:
    """An answer that uses all of its fuel is an answer; with one unit less, the number is over the limit."""
    data = module("(call $text) (call $spin (i32.const 1000)) (call $text)")
    first, second = fuel_in(lines_of(data))
    used = second - first
    assert fuel_in(lines_of(data, limits=(first, used))) == [first, second]
    tight = lines_of(data, limits=(first, used - 1))
    assert fuel_in(tight) == [first, second]
    assert tight[1].startswith("!")


def test_a_module_that_runs_out_of_fuel_says_so_after_every_message() -> None:
    """The referee asks at some later time: then it hears it again."""
    lines = lines_of(module(HOSTILE["ponders"]), b"begin\nturn\nother\nturn\n", limits=(50_000, 20_000))
    kinds = [line[0] for line in lines]
    assert kinds == ["=", "=", "!", "!", "!"]
    fuel = fuel_in(lines)
    assert fuel[2:] == [fuel[1] + 20_001] * 3


def test_the_first_answer_has_a_limit_of_its_own() -> None:
    assert fuel_in(lines_of(module("(call $for_ever)"), limits=(7_000, 500))) == [7_001]


@pytest.mark.parametrize(
    "call",
    [
        "(call $text)",
        "(drop (call $random (i32.const 2000) (i32.const 10)))",
        "(drop (call $clock (i32.const 0) (i64.const 0) (i32.const 2000)))",
        "(drop (call $listen))",
    ],
)
def test_what_our_side_does_costs_fuel(call: str) -> None:
    """A module cannot keep us busy for nothing."""
    before, after = (fuel_in(lines_of(module(f"{called} (call $text)")))[-1] for called in ("", call))
    assert after - before >= _wasi.CALL


def test_flooding_runs_out_of_fuel() -> None:
    """Without blank lines that are not passed on."""
    endless = "(loop (call $text) (br 0))"
    lines = lines_of(module(endless, "\n\n"), limits=(50_000, 50_000))
    assert [line[0] for line in lines] == ["!"]


def test_a_line_without_an_end_is_passed_on_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the referee sees that it is too long; the module is stopped."""
    monkeypatch.setattr(wasm_file, "MOST_LINE", 1_000)
    (line,) = lines_of(module("(loop (call $text) (br 0))", "x" * 100))
    assert line.startswith("x" * 1_100 + "~")


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("traps", "trapped: unreachable"),
        ("overflows", "trapped: memory out of bounds"),
        ("exits", "exited with 3"),
    ],
)
def test_an_end_is_named(does: str, why: str) -> None:
    lines = lines_of(module(HOSTILE[does]), THREE)
    assert lines[1].startswith("~")
    assert lines[1].partition(" ")[2] == why


def test_deep_recursion_ends_in_a_trap() -> None:
    """And not in the end of our process."""
    code = "(call $again)) (func $again (call $again)"
    assert lines_of(module(code))[0].partition(" ")[2] == "trapped: stack overflow"


def test_memory_is_limited() -> None:
    """To grow beyond the limit fails, as WebAssembly has it, and the module goes on."""
    pages = wasm_file.MEMORY >> 16
    grow = "(if (i32.eq (memory.grow (i32.const {})) (i32.const -1)) (then (call $text)))"
    assert lines_of(module(grow.format(pages - 4))) == []
    assert len(lines_of(module(grow.format(pages - 3)))) == 1


def test_memory_that_grows_page_by_page_is_not_copied_each_time() -> None:
    """That would take minutes, for next to no fuel."""
    grow = "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (call $text)"
    assert len(lines_of(module(grow))) == 1


@pytest.mark.parametrize("data", [b"\0asm", b"\0asm\1\0\0\0\xff", b""])
def test_what_is_no_module_is_refused(data: bytes) -> None:
    assert lines_of(data)[0].startswith("~0 cannot be run: ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('(module (import "env" "system" (func)) (func (export "_start")))', "cannot be run: "),
        (
            '(module (import "wasi_snapshot_preview1" "fd_read" (func)) (func (export "_start")))',
            "cannot be run: ",
        ),
        ('(module (import "wasi_snapshot_preview1" "x" (func)) (func (export "_start")))', "cannot be run: "),
        ('(module (memory 1) (func (export "_start") (param i32)))', "cannot be run: "),
        ("(module (memory 1))", "is no program: it exports no function _start"),
        ('(module (memory 65536) (func (export "_start")))', "cannot be run: "),
    ],
)
def test_a_module_that_wants_something_else_is_refused(text: str, why: str) -> None:
    """There is nothing but WASI, and only as WASI has it."""
    from wasmtime import wat2wasm

    assert lines_of(bytes(wat2wasm(text)))[0].startswith(f"~0 {why}")


NUMBERS = (0, 1, 3, 8, 1024, 1 << 18, (1 << 18) - 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


@pytest.mark.parametrize("name", sorted(_wasi._SIGNATURES))
def test_no_pointer_harms_us(name: str) -> None:
    """Whatever numbers a module calls us with, it gets an error code, or its own memory changes."""
    from wasmtime import wat2wasm

    kinds = ["i64" if letter == "I" else "i32" for letter in _wasi._SIGNATURES[name][0]]
    calls = []
    for shift in range(len(NUMBERS)):
        given = [
            f"({kind}.const {NUMBERS[(shift + 3 * at) % len(NUMBERS)]})" for at, kind in enumerate(kinds)
        ]
        calls.append(f"(call $f {' '.join(given)})")
        calls.append(f"(call $f {' '.join(f'({kind}.const {NUMBERS[shift]})' for kind in kinds)})")
    result, drop = ("", "") if name == "proc_exit" else ("(result i32)", "(drop ")
    body = "".join(f"{drop}{call}{')' if drop else ''}" for call in calls)
    text = f"""(module (import "wasi_snapshot_preview1" "{name}" (func $f (param {" ".join(kinds)}) {result}))
      (memory (export "memory") 4) (func (export "_start") {body} unreachable))"""
    lines = lines_of(bytes(wat2wasm(text)), THREE * 10)
    if name != "proc_exit":
        assert lines[-1].partition(" ")[2] == "trapped: unreachable"


def test_a_module_without_memory_can_do_nothing() -> None:
    from wasmtime import wat2wasm

    text = """(module (import "wasi_snapshot_preview1" "sched_yield" (func $f (result i32)))
      (func (export "_start") (if (i32.eq (call $f) (i32.const 21)) (then unreachable))))"""
    assert lines_of(bytes(wat2wasm(text)))[0].partition(" ")[2] == "trapped: unreachable"


def test_there_are_no_files() -> None:
    """A call that is not there returns that it is not."""
    zero, wide = "(i32.const 0)", "(i64.const 0)"
    opened = f"(call $path_open (i32.const 3) {zero * 4} {wide * 2} {zero * 2})"
    assert len(lines_of(module(f"(if (i32.eq {opened} (i32.const 52)) (then (call $text)))"))) == 1


def test_the_clock_counts_fuel() -> None:
    """A loop of 6,000 instructions takes 6 µs, and the second look at the clock what every call costs."""
    look = "(drop (call $clock (i32.const 1) (i64.const 0) (i32.const {})))"
    passed = "(i64.sub (i64.load (i32.const 2008)) (i64.load (i32.const 2000)))"
    code = (
        f"{look.format(2000)} (call $spin (i32.const 1000)) {look.format(2008)} (if {{}} (then (call $text)))"
    )
    least, most = 6_000 + _wasi.CALL, 6_100 + _wasi.CALL
    assert len(lines_of(module(code.format(f"(i64.ge_u {passed} (i64.const {least}))")))) == 1
    assert len(lines_of(module(code.format(f"(i64.le_u {passed} (i64.const {most}))")))) == 1


def test_random_numbers_repeat() -> None:
    """Each call gives others, and each run the same."""
    draw = "(drop (call $random (i32.const {0}) (i32.const 8)))"
    both = f"{draw.format(2000)} {draw.format(2008)}"
    differ = "(i64.ne (i64.load (i32.const 2000)) (i64.load (i32.const 2008)))"
    assert len(lines_of(module(f"{both} (if {differ} (then (call $text)))"))) == 1
    shown = module(f"{both} (call $say (i32.const 2000) (i32.const 16)) (call $text)", "\n")
    assert len({tuple(lines_of(shown)) for _ in range(3)}) == 1
    assert lines_of(shown) != lines_of(
        module("(call $say (i32.const 2000) (i32.const 16)) (call $text)", "\n")
    )


def test_without_metering_lines_are_as_they_are() -> None:
    """So a module is a program like any other: for `touchline join`, or for another referee."""
    assert lines_of(module(ECHO), THREE, (UNLIMITED, UNLIMITED), metered=False) == THREE.decode().splitlines()


def test_another_module_than_was_promised_is_not_run(tmp_path: Path) -> None:
    """The file may change between its digest and its run."""
    path = tmp_path / "echo.wasm"
    path.write_bytes(module(ECHO))
    command = [sys.executable, "-m", "touchline.players.wasm_file", str(path), "--metered", "0" * 64]
    done = subprocess.run(command, input=b"\n", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"has changed since the match was made" in done.stderr


@pytest.mark.parametrize(
    "frame",
    [b"=", b"= x", b"=-5 x", b"=x y", b"x", b"\xff" * 9, b"=" + b"9" * (MOST_DIGITS + 1) + b" x", b"=\xb2 x"],
)
def test_a_frame_that_is_not_from_the_runner_is_no_error_of_ours(frame: bytes) -> None:
    """Its process could be broken into: what it writes is garbage at worst."""
    meter = Meter()
    assert meter.read(frame)
    assert (meter.line, meter.fuel) == (frame, 0)


def test_fuel_never_runs_backwards() -> None:
    """A smaller number than before counts as no fuel."""
    meter = Meter()
    assert [(meter.read(frame), meter.fuel) for frame in (b"=9 a", b"=4 b", b"=5 c")] == [
        (True, 9),
        (True, 0),
        (True, 1),
    ]

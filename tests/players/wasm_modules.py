"""WebAssembly modules for the tests, written as text: honest ones, and ones that misbehave."""

from __future__ import annotations

import os
import tempfile
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest

from touchline.players.wasm import problem

if TYPE_CHECKING:
    from pathlib import Path

if (missing := problem()) is not None:
    if os.environ.get("TOUCHLINE_NEED_WASM"):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing, allow_module_level=True)

from wasmtime import wat2wasm

from touchline.players.wasm_file import UNLIMITED, run

READY = '{"type":"ready"}\n'
ACT = '{"type":"act","turn":0,"move":{"from":[0,0],"to":[1,0]}}\n'
"""The first move of Hexapawn."""
PRELUDE = """
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "path_open"
    (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (memory (export "memory") 4)
  (data (i32.const 1000) "{ready}")
  (data (i32.const 1100) "{act}")
  (data (i32.const 1200) "{text}")
  (func $say (param $at i32) (param $size i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $size))
    (drop (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))))
  (func $listen (result i32)
    (i32.store (i32.const 0) (i32.const 65536))
    (i32.store (i32.const 4) (i32.const 65536))
    (drop (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (i32.load (i32.const 8)))
  (func $spin (param $count i32)
    (loop (local.set $count (i32.sub (local.get $count) (i32.const 1))) (br_if 0 (local.get $count))))
  (func $ready (drop (call $listen)) (call $say (i32.const 1000) (i32.const {sizes[0]})))
  (func $act (drop (call $listen)) (call $say (i32.const 1100) (i32.const {sizes[1]})))
  (func $text (call $say (i32.const 1200) (i32.const {sizes[2]})))
  (func $for_ever (loop (br 0)))
  (func (export "_start") {code}))
"""


def module(code: str, text: str = "hello\n") -> bytes:
    """A program with this body of `_start`; `$text` writes the text."""
    sizes = [len(one.encode()) for one in (READY, ACT, text)]
    texts = {"text": _quoted(text), "ready": _quoted(READY), "act": _quoted(ACT)}
    return bytes(wat2wasm(PRELUDE.format(code=code, sizes=sizes, **texts)))


def _quoted(text: str) -> str:
    return "".join(f"\\{byte:02x}" for byte in text.encode())


ECHO = (
    "(loop (br_if 1 (i32.eqz (call $listen))) (call $say (i32.const 65536) (i32.load (i32.const 8))) (br 0))"
)
"""Writes every line that it is sent."""

HOSTILE = {
    "spins": "(call $ready) (drop (call $listen)) (call $for_ever)",
    "spins at once": "(call $for_ever)",
    "ponders": "(call $ready) (call $act) (call $for_ever)",
    "traps": "(call $ready) (drop (call $listen)) (unreachable)",
    "exits": "(call $ready) (drop (call $listen)) (call $exit (i32.const 3))",
    "floods": "(call $ready) (drop (call $listen)) (loop (call $text) (br 0))",
    "lies": "(call $ready) (drop (call $listen)) (call $text) (call $for_ever)",
    "grows": "(call $ready) (drop (memory.grow (i32.const 65000))) (call $act)"
    "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable)",
    "overflows": "(call $ready) (drop (call $listen)) (i32.store (i32.const -1) (i32.const 1))",
    "reads on": "(call $ready) (loop (br_if 0 (call $listen)))",
}
"""The bodies of modules that misbehave, by what they do."""


def slow(does: str) -> Any:
    """The same as a parameter of a test that takes too long for every day."""
    return pytest.param(does, marks=pytest.mark.slow)


def saved(path: Path, code: str, text: str = "hello\n") -> str:
    """The word of a player that runs this module."""
    path.write_bytes(module(code, text))
    return f"wasm:{path}"


def lines_of(
    data: bytes,
    told: bytes | BinaryIO = b"",
    limits: tuple[int, int] = (UNLIMITED, UNLIMITED),
    *,
    metered: bool = True,
) -> list[str]:
    """What the process that runs a module writes, if it is told this; it runs in this process.

    That the module has ended at its end is left out.
    """
    with tempfile.TemporaryFile() as out:
        lines = BytesIO(told) if isinstance(told, bytes) else told
        run(data, lines, out.fileno(), list(limits), metered=metered)
        out.seek(0)
        found = out.read().decode(errors="replace").splitlines()
        return [line for line in found if not line.endswith(" exited with 0")]


def fuel_in(lines: list[str]) -> list[int]:
    """The numbers at the beginning of the lines."""
    return [int(line[1:].partition(" ")[0]) for line in lines]

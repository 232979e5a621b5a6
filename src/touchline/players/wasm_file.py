"""Run a WebAssembly module as a player: `python -m touchline.players.wasm_file FILE [--metered SHA256]`.

The module speaks a dialect in lines over WASI's stdin and stdout. It sees nothing else of this machine, and a
run repeats exactly: the same lines in, the same lines out, with the same fuel. With --metered, the first line
of stdin has the limits of fuel, before the first answer and for each further one, and each line on stdout
begins with the fuel that was used so far (`players/wasm.py` reads it).

All fuel is charged to the answer that follows it: also what a module does before it asks for the next line.
"""

from __future__ import annotations

import hashlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from touchline.core.errors import TouchlineError
from touchline.players.wasm import METERED, digest_of, problem

if TYPE_CHECKING:
    from typing import BinaryIO

    from wasmtime import Config, Store

UNLIMITED = 1 << 62
"""The fuel of an answer without a limit: it lasts for centuries."""
MEMORY = 256 << 20
"""The memory of a module, 256 MiB; to grow further fails."""
TABLE = 1 << 20
"""The most elements of a module's tables, of 8 bytes each."""
STACK = 512 << 10
"""Bytes of the stack."""
FAILED = 1
"""The exit code of a module that was stopped."""
MOST_REASON = 1_000
"""Characters of a reason that the runtime gives."""
MOST_LINE = 2 << 20
"""Bytes of an unfinished line, more than any dialect takes: it is passed on, and the module is stopped."""


class OutOfFuel(Exception):
    """The module has used more fuel than its limit."""


class Stopped(Exception):
    """The module cannot go on; `str()` says why."""


class Runner:
    """One run of a module: the fuel, and the lines in and out."""

    def __init__(self, store: Store, lines: BinaryIO, out: int, limits: list[int], *, metered: bool) -> None:
        """`limits` has the fuel before the first line of output, and for each further one."""
        self._store, self._lines, self._out, self._metered = store, lines, out, metered
        self._limits = limits
        self._before = 0
        """The fuel that was used until the last line of output."""
        self._given = 0
        self._held = b""
        self._refuel(limits[0])

    def _refuel(self, limit: int) -> None:
        # One unit more than the limit: a module that uses it up has exceeded the limit.
        self._given = limit + 1
        self._store.set_fuel(self._given)

    # -- called by the module (`_wasi.Host`) --------------------------------------------------

    def burn(self, fuel: int) -> None:
        left = self._store.get_fuel() - fuel
        self._store.set_fuel(max(0, left))
        if left <= 0:
            raise OutOfFuel

    def used(self) -> int:
        return self._before + self._given - self._store.get_fuel()

    def next_line(self) -> bytes:
        return self._lines.readline()

    def write(self, data: bytes) -> None:
        *done, self._held = (self._held + data).split(b"\n")
        for line in done:
            if line.rstrip(b"\r"):
                self._before = self.used()
                self._refuel(self._limits[1])
                self._say(b"=%d %s\n" % (self._before, line) if self._metered else line + b"\n")
        if len(self._held) > MOST_LINE:
            self._say(self._held)
            raise Stopped("wrote a line without an end")

    def complain(self, data: bytes) -> None:
        _write_all(2, data)

    # -- the end ------------------------------------------------------------------------------

    def ran_out(self) -> int:
        """Say that the module ran out of fuel, now and after every further line to it; return the exit code.

        The referee may not have asked yet: then the first of these lines is too early, and another counts.
        """
        said = b"!%d\n" % (self._before + self._given)
        self._say(said)
        while self._lines.readline():
            self._say(said)
        return FAILED

    def exited(self, code: int) -> int:
        """Say that the module has ended itself; return its exit code."""
        self._say_why(f"exited with {code}")
        return code

    def failed(self, why: str) -> int:
        """Say why the module cannot go on; return the exit code."""
        self.complain(f"the module {why}\n".encode(errors="replace"))
        self._say_why(why)
        return FAILED

    def _say_why(self, why: str) -> None:
        """Write why the module has ended where the referee reads it, before it can see that we exit."""
        if self._metered:
            self._say(b"~%d %s\n" % (self._before, why.encode(errors="replace")))

    def _say(self, data: bytes) -> None:
        _write_all(self._out, data)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def run(data: bytes, lines: BinaryIO, out: int, limits: list[int], *, metered: bool) -> int:
    """Run a module from its first instruction to its end; return its exit code."""
    from wasmtime import Engine, Func, Linker, Module, Store, Trap, TrapCode, WasmtimeError

    from touchline.players._wasi import Exited, Wasi

    engine = Engine(_config())
    store = Store(engine)
    store.set_limits(memory_size=MEMORY, table_elements=TABLE, instances=1, tables=16, memories=1)
    runner = Runner(store, lines, out, limits, metered=metered)
    try:
        module, linker = Module(engine, data), Linker(engine)
        Wasi(runner).define(linker, module)
        start = linker.instantiate(store, module).exports(store).get("_start")
        if not isinstance(start, Func):
            raise Stopped("is no program: it exports no function _start")
        start(store)
        return runner.exited(0)
    except Exited as end:
        return runner.exited(end.code & 0x7F)
    except OutOfFuel:
        return runner.ran_out()
    except Trap as trap:
        if trap.trap_code is TrapCode.OUT_OF_FUEL:
            return runner.ran_out()
        what = trap.trap_code.name.lower().replace("_", " ") if trap.trap_code else str(trap)
        return runner.failed(f"trapped: {what}")
    except Stopped as end:
        return runner.failed(str(end))
    except WasmtimeError as error:
        return runner.failed(f"cannot be run: {' '.join(str(error).split())[:MOST_REASON]}")


def _config() -> Config:
    """Return the settings: everything that could differ between two runs or two machines is switched off."""
    from wasmtime import Config

    config = Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    config.wasm_relaxed_simd = False
    config.wasm_threads = False
    config.wasm_gc = False  # its heap would be outside of the limit of memory
    config.wasm_exceptions = False
    config.wasm_function_references = False
    config.wasm_memory64 = False
    config.wasm_stack_switching = False
    config.max_wasm_stack = STACK
    config.parallel_compilation = False  # no threads, which a sandbox may forbid
    config.memory_reservation = MEMORY  # so that growing copies nothing, and costs what its fuel says
    config.memory_reservation_for_growth = 0
    config.memory_guard_size = 0
    config.memory_init_cow = False  # it would need anonymous files, which the cage forbids
    config.signals_based_traps = False
    return config


def main() -> int:
    if find_spec("wasmtime") is None:
        sys.exit(problem())
    path, metered = Path(sys.argv[1]), METERED in sys.argv
    try:
        digest = digest_of(path)
    except TouchlineError as error:
        sys.exit(str(error))
    data = path.read_bytes()
    if metered and hashlib.sha256(data).hexdigest() != sys.argv[-1]:
        sys.exit(f"{path} has changed since the match was made: its SHA-256 is {digest}")
    lines = sys.stdin.buffer
    header = lines.readline().split() if metered else []
    limits = [int(number) for number in header] or [UNLIMITED, UNLIMITED]
    try:
        return run(data, lines, 1, limits, metered=metered)
    except (BrokenPipeError, KeyboardInterrupt):  # the referee has gone
        return 1


if __name__ == "__main__":
    sys.exit(main())

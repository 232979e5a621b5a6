"""WASI preview 1 for a player: stdin, stdout and stderr, and nothing else of this machine.

Laws of this file: what a module sees depends only on the lines that it was sent. So it gets one line at a
time, however many have arrived; its clock counts fuel, one nanosecond for each unit; and its random numbers
are the same in every run. A call costs fuel, because our side of it takes time, too.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Protocol

from wasmtime import FuncType, Memory, ValType

if TYPE_CHECKING:
    from collections.abc import Callable

    from wasmtime import Caller, Linker, Module

NAME = "wasi_snapshot_preview1"
CALL = 1_000
"""The fuel of a call: what a module could execute in the microseconds that our side takes."""
BUFFER = 100
"""The fuel of each buffer that a call reads into or writes from."""
MOST_BUFFERS = 1_024
MOST_AT_ONCE = 64 << 10
"""Bytes that one call reads, writes or draws; a call may do less than it was asked for."""

SUCCESS, BADF, FAULT, INVAL, NOSYS, SPIPE = 0, 8, 21, 28, 52, 70
STDIN, STDOUT, STDERR = 0, 1, 2
CHARACTER_DEVICE = 2
"""The type of our three descriptors, so that a C library flushes stdout at the end of a line."""
READ_AND_WRITE = 1 << 1 | 1 << 6


class Host(Protocol):
    """What the calls of a module do."""

    def burn(self, fuel: int) -> None:
        """Charge fuel; raise an exception if too little is left."""

    def used(self) -> int:
        """Return the fuel that was used so far."""

    def next_line(self) -> bytes:
        """Wait for the next line, with its end; b"" at the end of all."""

    def write(self, data: bytes) -> None:
        """Take output of the module."""

    def complain(self, data: bytes) -> None:
        """Take what the module writes to stderr."""


class Exited(Exception):
    """The module has ended itself."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Fault(Exception):
    """A pointer of the module is outside of its memory."""


class Wasi:
    """The functions that a module may import."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._line = b""
        """The rest of the line that the module reads."""
        self._drawn = 0

    def define(self, linker: Linker, module: Module) -> None:
        """Define what the module imports. A function that is not there says so when it is called."""
        for wanted in module.imports:
            if wanted.module != NAME or wanted.name is None or not isinstance(wanted.type, FuncType):
                continue
            if (known := _SIGNATURES.get(wanted.name)) is not None:
                kind, function = _typed(wanted.name, known[0]), self._guarded(known[1])
                linker.define_func(NAME, wanted.name, kind, function, access_caller=True)
            elif len(wanted.type.results) == 1:
                linker.define_func(
                    NAME, wanted.name, wanted.type, self._guarded(_missing), access_caller=True
                )

    def _guarded(self, function: Callable[..., int | None]) -> Callable[..., int | None]:
        """Return a function that charges fuel, and reports a bad pointer as an error code."""

        def called(caller: Caller, *given: int) -> int | None:
            self._host.burn(CALL)
            memory = caller.get("memory")
            if not isinstance(memory, Memory):
                return FAULT
            try:
                return function(self, _View(caller, memory), *(number & 0xFFFFFFFF for number in given))
            except Fault:
                return FAULT

        return called

    def fd_read(self, view: _View, fd: int, buffers: int, count: int, done: int) -> int:
        if fd != STDIN:
            return BADF
        if count > MOST_BUFFERS:
            return INVAL
        self._host.burn(BUFFER * count)
        pieces, read = view.buffers(buffers, count), 0
        if not self._line and any(size for _, size in pieces):
            self._line = self._host.next_line()
        for at, size in pieces:
            part = self._line[: min(size, MOST_AT_ONCE - read)]
            view.write(at, part)
            self._line, read = self._line[len(part) :], read + len(part)
        self._host.burn(read)
        view.number(done, read)
        return SUCCESS

    def fd_write(self, view: _View, fd: int, buffers: int, count: int, done: int) -> int:
        if fd not in (STDOUT, STDERR):
            return BADF
        if count > MOST_BUFFERS:
            return INVAL
        self._host.burn(BUFFER * count)
        data = b""
        for at, size in view.buffers(buffers, count):
            data += view.read(at, min(size, MOST_AT_ONCE - len(data)))
        view.number(done, len(data))
        self._host.burn(len(data))
        if fd == STDOUT:
            self._host.write(data)
        else:
            self._host.complain(data)
        return SUCCESS

    def fd_fdstat_get(self, view: _View, fd: int, at: int) -> int:
        if fd > STDERR:
            return BADF
        rights = READ_AND_WRITE.to_bytes(8, "little")
        view.write(at, bytes([CHARACTER_DEVICE]) + bytes(7) + rights + bytes(8))
        return SUCCESS

    def fd_close(self, view: _View, fd: int) -> int:
        return SUCCESS if fd <= STDERR else BADF

    def fd_seek(self, view: _View, fd: int, offset: int, whence: int, at: int) -> int:
        return SPIPE if fd <= STDERR else BADF

    def fd_prestat_get(self, view: _View, fd: int, at: int) -> int:
        return BADF  # there are no folders

    def nothing_there(self, view: _View, count: int, size: int) -> int:
        """Return that there are no arguments, or no environment."""
        view.number(count, 0)
        view.number(size, 0)
        return SUCCESS

    def get_nothing(self, view: _View, pointers: int, text: int) -> int:
        return SUCCESS

    def clock_time_get(self, view: _View, clock: int, precision: int, at: int) -> int:
        view.write(at, self._host.used().to_bytes(8, "little"))
        return SUCCESS

    def clock_res_get(self, view: _View, clock: int, at: int) -> int:
        view.write(at, (1).to_bytes(8, "little"))
        return SUCCESS

    def random_get(self, view: _View, at: int, size: int) -> int:
        if size > MOST_AT_ONCE:
            return INVAL
        self._host.burn(size)
        view.write(at, hashlib.shake_256(b"touchline %d" % self._drawn).digest(size))
        self._drawn += 1
        return SUCCESS

    def sched_yield(self, view: _View) -> int:
        return SUCCESS

    def proc_exit(self, view: _View, code: int) -> None:
        raise Exited(code)


def _missing(wasi: Wasi, view: _View, *given: int) -> int:
    return NOSYS


class _View:
    """The memory of a module, during one call."""

    def __init__(self, caller: Caller, memory: Memory) -> None:
        self._caller, self._memory = caller, memory
        self._size = memory.data_len(caller)

    def read(self, at: int, size: int) -> bytes:
        if at + size > self._size:
            raise Fault
        return bytes(self._memory.read(self._caller, at, at + size))

    def write(self, at: int, data: bytes) -> None:
        if at + len(data) > self._size:
            raise Fault
        if data:
            self._memory.write(self._caller, data, at)

    def number(self, at: int, value: int) -> None:
        self.write(at, value.to_bytes(4, "little"))

    def buffers(self, at: int, count: int) -> list[tuple[int, int]]:
        """Return the addresses and sizes of the buffers in a list of them."""
        written = self.read(at, 8 * count)
        numbers = [int.from_bytes(written[i : i + 4], "little") for i in range(0, len(written), 4)]
        return list(zip(numbers[::2], numbers[1::2], strict=True))


_SIGNATURES: dict[str, tuple[str, Callable[..., Any]]] = {
    "fd_read": ("iiii", Wasi.fd_read),
    "fd_write": ("iiii", Wasi.fd_write),
    "fd_fdstat_get": ("ii", Wasi.fd_fdstat_get),
    "fd_close": ("i", Wasi.fd_close),
    "fd_seek": ("iIii", Wasi.fd_seek),
    "fd_prestat_get": ("ii", Wasi.fd_prestat_get),
    "args_sizes_get": ("ii", Wasi.nothing_there),
    "args_get": ("ii", Wasi.get_nothing),
    "environ_sizes_get": ("ii", Wasi.nothing_there),
    "environ_get": ("ii", Wasi.get_nothing),
    "clock_time_get": ("iIi", Wasi.clock_time_get),
    "clock_res_get": ("ii", Wasi.clock_res_get),
    "random_get": ("ii", Wasi.random_get),
    "sched_yield": ("", Wasi.sched_yield),
    "proc_exit": ("i", Wasi.proc_exit),
}
"""The functions with their parameters: i for 32 bits, I for 64."""


def _typed(name: str, parameters: str) -> FuncType:
    """Return the type of a function, a new one each time: the runtime ties a type to its first engine."""
    kinds = [ValType.i32() if letter == "i" else ValType.i64() for letter in parameters]
    return FuncType(kinds, [] if name == "proc_exit" else [ValType.i32()])

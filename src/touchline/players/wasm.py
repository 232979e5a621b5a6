"""A WebAssembly module as a player, whose time is counted in fuel: the referee's side.

`players/wasm_file.py` runs the module in a process of its own. It writes before each line of the module how
much fuel the module has used so far. The module cannot forge that: whatever it writes comes after it.

    =TOTAL LINE   a line of the module
    !TOTAL        the module was stopped, because it ran out of fuel; repeated after each message to it
    ~TOTAL WHY    the module has exited or trapped, or cannot be run; nothing follows

Law of this file: it imports no library for WebAssembly, so the referee runs without one.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from touchline.core.errors import BadOptions, BrokenPlayer
from touchline.core.events import Module
from touchline.core.fuel import SET_UP_MOVES
from touchline.dialects import DEFAULT
from touchline.players.process import Program
from touchline.sandbox.launch import NONE, Sandbox

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_MODULE = 16 << 20
"""The largest module, 16 MiB, which bounds the time to compile it."""
METERED = "--metered"
KINDS = LINE, OUT_OF_FUEL, _ENDED = b"=", b"!", b"~"
MOST_DIGITS = 18
"""Digits of a number of fuel: it fits into 64 bits."""


@cache
def version() -> str | None:
    """Return the version of the runtime that is installed; None if none is."""
    from importlib import metadata

    try:
        return metadata.version("wasmtime")
    except metadata.PackageNotFoundError:
        return None


def problem() -> str | None:
    """Return why modules cannot be run on this machine; None if the runtime is installed."""
    if version() is None:
        return "WebAssembly players need the package wasmtime: pip install 'touchline[wasm]'"
    return None


def runtime() -> str:
    """Return what runs modules, with its version: another version may count fuel in another way."""
    return f"wasmtime {version()}"


def wasm_command(file: str, spoken: str | None, folder: Path) -> list[str]:
    """Return the command that runs a module. BadOptions if there is none, or it cannot be run."""
    path = Path(os.path.normpath(folder / file))
    if spoken not in (None, DEFAULT):
        raise BadOptions(f"{file}: a WebAssembly module speaks {DEFAULT}, not {spoken}")
    if (why := problem()) is not None:
        raise BadOptions(why)
    digest_of(path)
    return [sys.executable, "-m", "touchline.players.wasm_file", str(path)]


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a module. BadOptions if it cannot be read, or is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_MODULE + 1)
    except OSError as error:
        raise BadOptions(f"cannot read the module {path}: {error.strerror}") from None
    if not data.startswith(b"\0asm"):
        raise BrokenPlayer(f"{path} is no WebAssembly module: it does not begin with the bytes 00 61 73 6d")
    if len(data) > MOST_MODULE:
        raise BrokenPlayer(f"{path} is larger than {MOST_MODULE >> 20} MiB, the limit of a module")
    return hashlib.sha256(data).hexdigest()


class Meter:
    """Reads the fuel in the lines of `players/wasm_file.py`.

    >>> meter = Meter()
    >>> meter.read(b'=1200 {"type":"ready"}'), meter.line, meter.fuel
    (True, b'{"type":"ready"}', 1200)
    >>> meter.read(b"=1700 =5 cheap"), meter.line, meter.fuel
    (True, b'=5 cheap', 500)
    >>> meter.read(b"!9000"), meter.ran_out, meter.fuel
    (False, True, 7300)
    """

    def __init__(self) -> None:
        self._total = 0
        self.line = b""
        """The last line of the module."""
        self.fuel = 0
        """The fuel between the last line and the one before it; or since the last line, if it ran out."""
        self.ran_out = False
        self.why: str | None = None
        """Why the module has ended."""

    def read(self, frame: bytes) -> bool:
        """Read a frame; return whether it is a line of the module, which is then in `line`.

        The process that runs the module is not trusted either: no frame raises an exception.
        """
        kind, (total, _, rest) = frame[:1], frame[1:].partition(b" ")
        if kind not in KINDS or not total.isdigit() or len(total) > MOST_DIGITS:
            self.line, self.fuel = frame, 0
            return True
        self.fuel = max(0, int(total) - self._total)
        if kind == LINE:
            self._total, self.line = int(total), rest
        elif kind == OUT_OF_FUEL:
            self.ran_out = True
        else:
            self.why = rest.decode(errors="replace")
        return kind == LINE


class WasmProgram(Program):
    """A running module, whose fuel is counted."""

    def __init__(self, command: Sequence[str], folder: Path | None = None, sandbox: Sandbox = NONE) -> None:
        """Start the command of `wasm_command`."""
        digest = digest_of(Path(command[-1]))
        super().__init__([*command, METERED, digest], folder, sandbox)
        self.module = Module(digest, runtime())
        self.meter: Meter = Meter()
        self._header = b""
        self.limit(UNSET)

    def limit(self, fuel: int | UnsetType) -> None:
        """Set the fuel for a move, before the first message; unset means no limit."""
        self._header = b"\n" if fuel is UNSET else b"%d %d\n" % (fuel * SET_UP_MOVES, fuel)

    def write(self, data: bytes) -> int:
        if not self._header:
            return super().write(data)
        sent, due = super().write(self._header + data), len(self._header)
        self._header = self._header[sent:]
        return max(0, sent - due)

    def ending(self, seconds: float = 0.2) -> str:
        return self.meter.why or super().ending(seconds)

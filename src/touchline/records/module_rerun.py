"""Run the WebAssembly modules of a match again: the same messages must give the same answers and fuel.

A module reads whole lines and has no other input, so it does not matter when a line arrives. So all messages
to its seat are written at once, and its answers are compared with the record, one after the other.

Law of this file: a difference is called wrong only if nothing but the record can be the cause. Another
version of the runtime may count fuel in another way, and a machine may be too slow: then nothing was shown.
"""

from __future__ import annotations

import select
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import UNSET, Struct

from touchline.core import registry
from touchline.core.conduct import Offence
from touchline.core.errors import TouchlineError
from touchline.core.events import Faulted, Moved, SatDown
from touchline.core.happenings import Failed, Heard, Lapsed, Tell
from touchline.core.messages import Act
from touchline.core.rules import Seat
from touchline.core.text import clipped, received
from touchline.dialects import DEFAULT
from touchline.players.wasm import Meter, WasmProgram, digest_of, problem, runtime, wasm_command
from touchline.records.rerun import rerun
from touchline.transports.shared.framing import MOST_FRAME, Lines, Overflow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from touchline.core.events import Module
    from touchline.dialects.base import Dialect
    from touchline.records.replay import Replay

PATIENCE = 120.0
"""Seconds that a module has for all its answers, besides ten times the recorded ones."""
OWN_ENDS = ("exited with", "trapped:", "cannot be run:", "is no program")
"""The beginnings of the reasons why a module has ended by itself."""
MOST_SHOWN = 200
"""Characters of an answer in a sentence."""


class Given(Struct, frozen=True):
    """A module that was given for a seat; for the seats that had this module, if the seat is None."""

    path: str
    seat: int | None = None


class Rerun(Struct):
    """What the modules of a match show."""

    shown: tuple[Seat, ...] = ()
    """The seats whose module gave the recorded answers with the recorded fuel."""
    wrong: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()


def run_modules(replay: Replay, given: Sequence[Given]) -> Rerun:
    """Run the modules again that are given. The record must follow from the rules."""
    from pathlib import Path

    recorded = () if replay.begun.modules is UNSET else replay.begun.modules
    found, left = Rerun(), {seat: module for seat, module in enumerate(recorded) if module is not None}
    for one in given:
        digest = digest_of(Path(one.path))
        seats = [seat for seat, module in left.items() if module.sha256 == digest]
        if one.seat is not None and one.seat not in seats:
            found.wrong += (f"the module of seat {one.seat} is not {one.path}, whose SHA-256 is {digest}",)
        elif not seats:
            found.not_checked += (f"{one.path}: no seat had this module (SHA-256 {digest})",)
        for seat in seats if one.seat is None else {one.seat}.intersection(seats):
            _run_one(replay, seat, left.pop(seat), Path(one.path), found)
    for seat, module in left.items():
        found.not_checked += (
            f"whether the module of seat {seat} (SHA-256 {module.sha256}) gives these answers with this "
            "fuel: run it again with --wasm FILE",
        )
    return found


def _run_one(replay: Replay, seat: Seat, module: Module, path: Path, found: Rerun) -> None:
    if (missing := problem()) is not None:
        found.not_checked += (f"the module of seat {seat}: {missing}",)
        return
    program = WasmProgram(wasm_command(path.name, None, path.resolve().parent))
    try:
        program.limit(replay.begun.limits.fuel)
        difference = _difference(replay, seat, _Conversation(program, _told(replay, seat), _patience(replay)))
    except _TooSlow:
        found.not_checked += (f"the module of seat {seat}: it did not repeat its answers in time",)
        return
    finally:
        program.stop()
    if difference is None:
        found.shown += (seat,)
    elif module.runtime != runtime():
        found.not_checked += (
            f"the module of seat {seat}: {difference}. The match was run by {module.runtime} and this is "
            f"{runtime()}, which may count in another way",
        )
    else:
        found.wrong += (difference,)


def _patience(replay: Replay) -> float:
    took = sum(event.took for event in replay.events if isinstance(event, SatDown | Moved | Faulted))
    return PATIENCE + 10 * took / 1e6


# -- what is compared -------------------------------------------------------------------------


def _told(replay: Replay, seat: Seat) -> bytes:
    """Return everything that the seat was told."""
    dialect = _dialect(replay)
    frames = list[bytes]()
    for _, effects in rerun(replay):
        for effect in effects:
            if isinstance(effect, Tell) and effect.seat == seat:
                frames += dialect.say(effect.message).frames
    return b"".join(frame + b"\n" for frame in frames)


def _dialect(replay: Replay) -> Dialect:
    return registry.dialect(DEFAULT)(replay.game)


def _answers(replay: Replay, seat: Seat) -> Iterator[tuple[int, Heard | Lapsed | Failed]]:
    """Yield what a seat did, with the line of the record, until its player has failed or was stopped."""
    for number, event in enumerate(replay.events, 1):
        happening = replay.happening_of(event)
        if not isinstance(happening, Heard | Lapsed | Failed) or happening.seat != seat:
            continue
        if isinstance(happening, Heard):
            yield number, happening
        elif isinstance(happening, Lapsed):
            if happening.fuel is not UNSET:
                yield number, happening
                return
        else:
            if happening.offence is Offence.GONE and happening.why.startswith(OWN_ENDS):
                yield number, happening
            return  # else the machine ended it, or had a part in it


def _difference(replay: Replay, seat: Seat, conversation: _Conversation) -> str | None:
    """Return the first difference between the recorded answers and those of the module; None if equal."""
    meter, dialect = conversation.meter, _dialect(replay)
    for number, happening in _answers(replay, seat):
        where = f"{replay.where}, line {number}"
        said = conversation.next_answer()
        if isinstance(happening, Failed):
            why = conversation.program.ending()
            if said or why != happening.why:
                return f"{where}: seat {seat} {happening.why}, and the module {_shown(meter, said, why)}"
            continue
        if isinstance(happening, Lapsed) != meter.ran_out or not (said or meter.ran_out):
            did = "ran out of fuel" if isinstance(happening, Lapsed) else "answered"
            return f"{where}: seat {seat} {did}, and the module {_shown(meter, said, meter.why)}"
        if isinstance(happening, Heard) and not _same(happening, meter.line, dialect):
            return f"{where}: the module {_shown(meter, said, None)}, which is not the recorded answer"
        if meter.fuel != happening.fuel:
            recorded = "no" if happening.fuel is UNSET else f"{happening.fuel:,}"
            return f"{where}: seat {seat} used {recorded} fuel, and the module uses {meter.fuel:,}"
    return None


def _same(heard: Heard, line: bytes, dialect: Dialect) -> bool:
    """Return whether the module's line is the recorded answer, as it came and as it was understood."""
    if heard.raw is not UNSET and heard.raw != received((line,)):
        return False
    (said,) = dialect.hear(line).said
    if isinstance(said, Act) and isinstance(heard.said, Act):
        return bool(said.move == heard.said.move)
    return not isinstance(said, Act) and not isinstance(heard.said, Act)


def _shown(meter: Meter, said: bool, why: str | None) -> str:
    if said:
        return f"answers {clipped(meter.line.decode(errors='replace'), MOST_SHOWN)}"
    return "runs out of fuel" if meter.ran_out else why or "does not answer"


# -- the process ------------------------------------------------------------------------------


class _TooSlow(TouchlineError):
    """The module did not answer in time."""


class _Conversation:
    """A module that is told everything at once; its answers are read one by one."""

    def __init__(self, program: WasmProgram, told: bytes, patience: float) -> None:
        self.program, self.meter = program, program.meter
        self._unsent, self._until = told, monotonic() + patience
        self._lines, self._frames = Lines(2 * MOST_FRAME), list[bytes]()
        self._ended = False

    def next_answer(self) -> bool:
        """Read up to the next answer, or the end; return whether there is an answer, in `meter.line`."""
        while True:
            while self._frames:
                if self.meter.read(self._frames.pop(0)):
                    return True
                if self.meter.ran_out:
                    return False
            if self._ended:
                return False
            self._exchange()

    def _exchange(self) -> None:
        """Wait until the module takes or writes something."""
        program, poll = self.program, select.poll()
        poll.register(program.stdout, select.POLLIN)
        poll.register(program.stderr, select.POLLIN)
        if self._unsent:
            poll.register(program.stdin, select.POLLOUT)
        left = self._until - monotonic()
        if left <= 0 or not poll.poll(1000 * left):
            raise _TooSlow("it is too slow")
        program.drain()
        if self._unsent:
            try:
                self._unsent = self._unsent[program.write(self._unsent) :]
            except OSError:  # it has ended
                self._unsent = b""
            if not self._unsent:
                program.hang_up()
        data = program.read()
        try:
            self._frames += self._lines.feed(data or b"")
        except Overflow:
            data = b""
        self._ended = data == b""

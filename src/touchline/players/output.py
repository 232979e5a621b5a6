"""What programs write to stderr while they play: cut into lines, stamped with the turn, handed to sinks.

Laws of this file: it never blocks the referee: a sink writes in a thread of its own and has a bounded queue;
what does not fit is counted and left out. What a player wrote is bounded, and printable when it reaches a
sink.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter, deque
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from touchline.core import events
from touchline.core.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.events import Event
    from touchline.core.rules import Seat

MOST_LINE = 500
"""Characters of a line that are kept."""
MOST_KEPT = 4 << 20
"""Bytes of a player that are kept from the beginning of a match, 4 MiB."""
LAST_KEPT = 32 << 10
"""Bytes that are kept from the end, if a player wrote more than that: enough for a traceback."""
PER_LINE = 32
"""Bytes that a line counts for besides its own: so that a million empty lines are bounded, too."""
MOST_PENDING = 8 << 20
"""Characters that may wait for a sink."""
START, END = "start", "end"
"""The stamps of what was written before the first turn, and after the end."""


class Written(NamedTuple):
    """A line that a player wrote."""

    seat: Seat
    when: str
    """`start`, `turn 12` or `end`. Turns are counted from 0, as players are told."""
    at: float
    """Seconds since the match began."""
    text: str
    ours: bool = False
    """Whether this is a remark of ours, that something was left out."""


class Sink(ABC):
    """Takes lines, and writes them in a thread of its own."""

    def __init__(self) -> None:
        self._lines: deque[Written] = deque()
        self._pending = 0
        self._left_out: Counter[Seat] = Counter()
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def put(self, line: Written) -> None:
        """Queue a line; if the queue is full, leave it out and count it. Never blocks for long."""
        with self._changed:
            if self._pending > MOST_PENDING:
                self._left_out[line.seat] += 1
                return
            if missing := self._left_out.pop(line.seat, 0):
                self._append(line._replace(text=left_out(missing), ours=True))
            self._append(line)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="touchline-output", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _append(self, line: Written) -> None:
        self._lines.append(line)
        self._pending += len(line.text) + PER_LINE

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._lines:
                    if self._closed:
                        return
                    self._changed.wait()
                lines, self._pending = [*self._lines], 0
                self._lines.clear()
            self.write(lines)

    def close(self) -> None:
        """Wait until everything is written."""
        with self._changed:
            for seat, missing in sorted(self._left_out.items()):
                self._append(Written(seat, END, 0.0, left_out(missing), ours=True))
            self._left_out.clear()
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def begin(self) -> None:  # noqa: B027, only files have something to do
        """Note that the match has begun."""

    @abstractmethod
    def write(self, lines: Sequence[Written]) -> None:
        """Write these lines. Raises no exception."""


def left_out(lines: int) -> str:
    """Return the remark that lines are missing."""
    return f"[... {lines:,} {'line' if lines == 1 else 'lines'} left out ...]"


class _Seat:
    """The output of one player: what is left of its last line, and how much it has written."""

    def __init__(self) -> None:
        self.held = b""
        self.cut = False
        """Whether the beginning of the unfinished line is out already, and the rest of it is dropped."""
        self.room = MOST_KEPT
        self.missing = 0
        self.tail = b""


class PlayerOutput:
    """Receives the stderr output of the programs of a match, and hands it to sinks line by line.

    It is an observer of the match, too: so it knows the turn.
    """

    def __init__(self, sinks: Sequence[Sink]) -> None:
        self._sinks = sinks
        self._seats: dict[Seat, _Seat] = {}
        self._waited_for: set[Seat] = set()
        self._when, self._began = START, monotonic()
        self.cut: set[Seat] = set()
        """The seats that wrote too much, so that a part was left out."""

    # -- the turn -----------------------------------------------------------------------------

    def __call__(self, event: Event) -> None:
        """Note the turn."""
        match event:
            case events.Begun(talks=talks):
                self._when, self._began, self._waited_for = START, monotonic(), {*talks}
                for sink in self._sinks:
                    sink.begin()
            case events.SatDown(seat=seat):
                self._seated(seat)
            case events.Moved(turn=turn) | events.Skipped(turn=turn):
                self._when = f"turn {turn + 1}"
            case events.Expelled(turn, seat) | events.Resigned(turn, seat):
                self._seated(seat)
            case events.Ended():
                self._when = END
            case _:
                pass

    def _seated(self, seat: Seat) -> None:
        self._waited_for.discard(seat)
        if self._when == START and not self._waited_for:
            self._when = "turn 0"

    # -- the lines ----------------------------------------------------------------------------

    def listen(self, seat: Seat, data: bytes) -> None:
        """Take what a player wrote."""
        own = self._seats.setdefault(seat, _Seat())
        if own.room <= 0:
            own.missing += data.count(b"\n")
            own.tail = (own.tail + data)[-LAST_KEPT:]
            return
        *lines, own.held = (own.held + data).split(b"\n")
        for line in lines:
            if not own.cut:
                self._put(seat, own, line)
            own.cut = False
        if own.cut:
            own.held = b""
        elif len(own.held) > 4 * MOST_LINE:
            self._put(seat, own, own.held)
            own.held, own.cut = b"", True

    def _put(self, seat: Seat, own: _Seat, line: bytes) -> None:
        if own.room <= 0:
            own.missing += 1
            own.tail = (own.tail + line + b"\n")[-LAST_KEPT:]
            return
        own.room -= len(line) + PER_LINE
        self._say(seat, shown(line))

    def _say(self, seat: Seat, text: str, *, ours: bool = False) -> None:
        written = Written(seat, self._when, monotonic() - self._began, text, ours)
        for sink in self._sinks:
            sink.put(written)

    def __enter__(self) -> PlayerOutput:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End a match: hand over unfinished lines and last words, and wait until all is written."""
        for seat, own in sorted(self._seats.items()):
            if own.held and not own.cut:
                self._put(seat, own, own.held)
            if own.tail:
                self.cut.add(seat)
                lines = own.tail.split(b"\n")
                torn = len(own.tail) == LAST_KEPT  # the first line may lack its beginning
                last = [line for line in lines[torn:] if line]
                self._say(seat, left_out(max(1, own.missing - len(last))), ours=True)
                for line in last:
                    self._say(seat, shown(line))
        self._seats.clear()
        for sink in self._sinks:
            sink.close()


def shown(line: bytes) -> str:
    r"""Return a line as text that is safe to print: short, without control characters.

    >>> shown(b"depth 3\t" + bytes([27]) + b"[2J\r")
    'depth 3 \\x1b[2J'
    """
    text = printable(line[: 4 * MOST_LINE].rstrip(b"\r").decode(errors="replace").expandtabs())
    if len(text) <= MOST_LINE and len(line) <= 4 * MOST_LINE:
        return text
    return f"{text[:MOST_LINE]} [... cut ...]"

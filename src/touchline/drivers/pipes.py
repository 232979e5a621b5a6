"""The pipes to programs on this machine, served by one thread with one `poll`.

Laws of this file: messages are timestamped when they are read, and passed on in that order; our own delay is
never charged to a player, so a message found after a late wake-up counts as in time; every program is read
from at all times, and the buffers for unrequested messages are bounded.
"""

from __future__ import annotations

import select
from collections import deque
from os import read, write
from time import monotonic_ns
from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from touchline.core import registry
from touchline.core.clock import HOLDING_BACK, LINGER
from touchline.core.conduct import Offence
from touchline.core.happenings import Failed, Lapsed
from touchline.core.messages import QUESTIONS, Begin
from touchline.core.text import PendingFrames
from touchline.dialects import DEFAULT
from touchline.drivers.timekeeper import Arrival
from touchline.players.process import READ
from touchline.players.progress import Progress
from touchline.transports.shared.framing import MOST_FRAME, Lines, Overflow

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from touchline.core.clock import Micros
    from touchline.core.messages import ToPlayer
    from touchline.core.rules import Game, Seat
    from touchline.dialects.base import Dialect, Exchange
    from touchline.players.process import Program
    from touchline.sandbox.usage import Usage

MOST_FRAMES = 64
"""Messages that a program may send at once, before it counts as flooding; bounds our memory."""
WRITE_LIMIT: Micros = 2_000_000
"""Timeout of a blocked write, 2 s: after that the program is not reading."""
GOODBYE: Micros = 1_000_000
"""The default goodbye limit, 1 s: the time in which a program reads its last messages and exits."""


def micros_now() -> Micros:
    """Return the time of the monotonic clock."""
    return monotonic_ns() // 1000


def _milliseconds(until: Micros | None) -> int | None:
    """Return the timeout for `poll`, rounded up so that it does not wake before `until`."""
    return None if until is None else max(0, -((micros_now() - until) // 1000))


class _Line:
    """The pipe to one program, with its dialect and its buffers."""

    def __init__(self, program: Program, dialect: Dialect) -> None:
        self.program, self.dialect = program, dialect
        self.lines = Lines(max(MOST_FRAME, dialect.longest))
        self.unsent = b""
        self.asked = False
        self.frozen = False
        self.pending = PendingFrames()
        self.handed_over: Micros | None = None
        self.heard: Micros = 0
        """The time of its last message on the fast lane."""
        self.alone = [(program.stdout, select.POLLIN)]
        """The result of `poll` if this program has written, and nothing else has happened."""
        self.stuck_since: Micros | None = None
        self.flush_at: Micros | None = None
        """The time at which a closing program is sent the frames held back for its answers; then None."""
        self.kill_at: Micros = 0
        """The deadline of a closing program: if it still runs then, it is killed."""
        self.closing_frames = 0
        """The number of messages it has sent since it was closed."""
        self.hung_up = False

    def waited(self, at: Micros) -> Micros:
        """Return the time from the last question until `at`."""
        return 0 if self.handed_over is None else max(0, at - self.handed_over)


class Pipes:
    """The ports to programs on this machine. A seat without an entry in `dialects` speaks the default."""

    def __init__(
        self,
        programs: Mapping[Seat, Program],
        game: Game,
        dialects: Mapping[Seat, Dialect] | None = None,
        goodbye: Micros = GOODBYE,
        *,
        ponders: bool = True,
    ) -> None:
        self._programs, self._goodbye, self.ponders = programs, goodbye, ponders
        self._leaving: dict[Seat, _Line] = {}
        spoken, default = dialects or {}, registry.dialect(DEFAULT)
        self.lines = {
            seat: _Line(program, spoken.get(seat) or default(game)) for seat, program in programs.items()
        }
        self._poll = select.poll()
        self._at: dict[int, tuple[Seat, str]] = {}
        self.early: deque[Arrival] = deque()
        for seat, line in self.lines.items():
            for kind, descriptor in (("out", line.program.stdout), ("err", line.program.stderr)):
                self._at[descriptor] = (seat, kind)
                self._poll.register(descriptor, select.POLLIN)

    now = staticmethod(micros_now)

    def latency(self, seat: Seat) -> Micros:
        """Return 0: the latency of a pipe is negligible."""
        return 0

    def usage(self, seat: Seat) -> Usage | None:
        line = self.lines.get(seat)
        return None if line is None else line.program.usage

    def progress(self, seat: Seat) -> Progress | None:
        line = self.lines.get(seat)
        if line is None:
            return None
        unread = len(line.unsent) + line.program.unread()
        computes = line.program.usage.is_computing()
        return Progress(unread, line.lines.unfinished, computes, line.dialect.expected)

    def let_think(self, seats: Container[Seat]) -> None:
        """Freeze the programs of all other seats, if they may not ponder."""
        if not self.ponders:
            for seat, line in self.lines.items():
                self._set_thinking(line, seat in seats)

    def _set_thinking(self, line: _Line, thinks: bool) -> None:
        line.program.let_think(thinks)
        line.frozen = not thinks
        if line.stuck_since is not None:
            line.stuck_since = micros_now()  # it could not read while it was frozen

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        line = self.lines.get(seat)
        if line is not None:
            if isinstance(message, QUESTIONS):
                if not isinstance(message, Begin):  # to be ready early gains nothing
                    self._hear_unasked(seat, line)
                line.handed_over, line.asked = None, True
                if line.frozen:
                    self._set_thinking(line, True)
            self._exchange(seat, line, line.dialect.say(message), micros_now())

    def propose(self, seat: Seat) -> None:
        """Ask a seat for a proposal, before the match; its answer arrives as Ready or Garbled."""
        line = self.lines[seat]
        self._exchange(seat, line, line.dialect.propose(), micros_now())

    def hear_frame(self, seat: Seat, line: _Line, frame: bytes, at: Micros) -> None:
        """Decode a frame, and queue what the program has thereby said."""
        meter = line.program.meter
        if meter is not None and not meter.read(frame):
            if meter.ran_out:
                self.early.append(Arrival(seat, Lapsed(seat, fuel=meter.fuel), at))
            return
        frame = frame if meter is None else meter.line
        line.pending.add(frame)
        exchange = line.dialect.hear(frame, line.waited(at))
        raw = line.pending.take() if exchange.said else UNSET
        self._exchange(seat, line, exchange, at, raw, UNSET if meter is None else meter.fuel)

    def _exchange(
        self,
        seat: Seat,
        line: _Line,
        exchange: Exchange,
        at: Micros,
        raw: tuple[str, ...] | UnsetType = UNSET,
        fuel: int | UnsetType = UNSET,
    ) -> None:
        for frame in exchange.frames:
            line.unsent += frame + b"\n"
        if exchange.frames or line.asked:
            self._push(seat, line)
        for said in exchange.said:
            self.early.append(Arrival(seat, said, at, raw, fuel))
            raw = UNSET  # it belongs to the first of them

    def _push(self, seat: Seat, line: _Line) -> None:
        descriptor = line.program.stdin
        if line.hung_up:
            return
        try:
            sent = line.program.write(line.unsent)
        except OSError:  # it has closed its stdin: drop the data, and let its deadline decide
            sent = len(line.unsent)
        line.unsent = line.unsent[sent:]
        if not line.unsent:
            if descriptor in self._at:
                self._forget(descriptor)
            line.stuck_since = None
            if seat in self._leaving and line.flush_at is None:
                line.program.hang_up()
                line.hung_up = True
            if line.asked:
                line.program.usage.asked()
                line.handed_over, line.asked = micros_now(), False
            return
        if line.stuck_since is None:
            line.stuck_since = micros_now()
        if descriptor not in self._at:
            self._at[descriptor] = (seat, "in")
            self._poll.register(descriptor, select.POLLOUT)

    def handed_over(self, seat: Seat) -> Micros | None:
        line = self.lines.get(seat)
        return None if line is None else line.handed_over

    def wait(self, until: Micros | None) -> list[Arrival]:
        """Return what has arrived, in order; empty if nothing arrives before the deadline `until`."""
        while True:
            if self.early:
                arrivals = [*self.early]
                self.early.clear()
                return arrivals
            ends = (until, self._next_write_timeout(), self._next_closing())
            wake = min([end for end in ends if end is not None], default=None)
            ready = self._poll.poll(_milliseconds(wake))
            now = micros_now()
            at = now if until is None else min(now, until)
            for descriptor, _ in ready:
                self._serve(descriptor, at)
            self._fail_stuck(now)
            self._check_closing(now)
            if not self.early and until is not None and now >= until:
                return []

    def _serve(self, descriptor: int, at: Micros) -> None:
        seat, kind = self._at.get(descriptor, (-1, ""))
        line = self.lines.get(seat) or self._leaving.get(seat)
        if line is None:
            return
        if kind == "in":
            self._push(seat, line)
        elif kind == "err":
            if line.program.drain() == b"":
                self._forget(descriptor)
        elif seat in self._leaving:
            self._hear_closing(seat, line, line.program.read(), at)
        else:
            self._hear(seat, line, line.program.read(), at)

    def _hear_unasked(self, seat: Seat, line: _Line) -> None:
        """Read what a program wrote before the question that it is asked next; that is no answer to it."""
        data = line.program.read()
        if data is not None:
            count = len(self.early)
            self._hear(seat, line, data, micros_now())
            for place in range(count, len(self.early)):
                self.early[place] = self.early[place]._replace(unasked=True)

    def _hear(self, seat: Seat, line: _Line, data: bytes | None, at: Micros) -> None:
        if data is None:
            return
        if not data:
            why = line.program.ending()
            self._fail(seat, Offence.GONE if line.program.broken is None else Offence.LIMIT, why, at)
            return
        try:
            frames = line.lines.feed(data)
        except Overflow as error:
            self._fail(seat, Offence.FLOOD, str(error), at)
            return
        if len(frames) > MOST_FRAMES:
            self._fail(
                seat, Offence.FLOOD, f"sent {len(frames)} messages at once; {MOST_FRAMES} are allowed", at
            )
            return
        for frame in frames:
            self.hear_frame(seat, line, frame, at)

    def _next_write_timeout(self) -> Micros | None:
        lines = [line for line in self.lines.values() if not line.frozen]
        since = [line.stuck_since for line in lines if line.stuck_since is not None]
        return min(since) + WRITE_LIMIT if since else None

    def _fail_stuck(self, now: Micros) -> None:
        for seat, line in list(self.lines.items()):
            if line.stuck_since is not None and not line.frozen and now >= line.stuck_since + WRITE_LIMIT:
                self._fail(seat, Offence.NOT_READING, "does not read what it is sent", now)

    def _fail(self, seat: Seat, offence: Offence, why: str, at: Micros) -> None:
        self.early.append(Arrival(seat, Failed(seat, offence, why), at))
        self._drop(seat)

    def _drop(self, seat: Seat) -> None:
        line = self.lines.pop(seat, None)
        if line is not None:
            self._forget_all(line)

    def _forget_all(self, line: _Line) -> None:
        for descriptor in (line.program.stdin, line.program.stdout, line.program.stderr):
            if descriptor in self._at:
                self._forget(descriptor)

    def _forget(self, descriptor: int) -> None:
        self._poll.unregister(descriptor)
        del self._at[descriptor]

    def ask(self, seat: Seat, line: _Line, frame: bytes) -> None:
        """Write a question directly, on the fast lane; buffer what the pipe does not take."""
        self._hear_unasked(seat, line)
        if line.frozen:
            self._set_thinking(line, True)
        line.program.usage.asked()
        try:
            sent = write(line.program.stdin, frame)
        except BlockingIOError:
            sent = 0
        except OSError:  # it has closed its stdin, as in `_push`
            sent = len(frame)
        line.handed_over = monotonic_ns() // 1000
        if sent < len(frame):
            line.handed_over, line.asked = None, True
            line.unsent += frame[sent:]
            self._push(seat, line)

    def answer(self, seat: Seat, line: _Line, until: Micros | None) -> bytes | None:
        """Return the single line that a seat writes; None if anything else happens, which is queued."""
        if self.early:
            return None
        ready = self._poll.poll(_milliseconds(until))
        at = line.heard = monotonic_ns() // 1000
        if until is not None and at > until:
            at = line.heard = until
        if ready != line.alone:
            for descriptor, _ in ready:
                self._serve(descriptor, at)
            return None
        data = read(line.program.stdout, READ)
        if data and not line.lines.held and data.find(b"\n") == len(data) - 1:
            return data
        self._hear(seat, line, data, at)
        return None

    @property
    def quiet(self) -> bool:
        """Whether both queues are empty, incoming and outgoing, and no program is closing."""
        return not self.early and not self._leaving and not any(line.unsent for line in self.lines.values())

    # -- closing ------------------------------------------------------------------------------

    def close(self, seat: Seat, *, at_once: bool) -> None:
        """Close a seat. Its program may first read and answer its last messages, within the goodbye limit."""
        line = self.lines.pop(seat, None)
        if line is None:  # it has failed already
            self._programs[seat].kill()
            return
        if line.frozen:
            self._set_thinking(line, True)
        now, dialect = micros_now(), line.dialect
        lingers = dialect.lingers and at_once
        line.kill_at = now + (min(LINGER, self._goodbye) if lingers else self._goodbye)
        line.flush_at = line.kill_at if lingers else now + round(self._goodbye * HOLDING_BACK)
        self._leaving[seat] = line
        if not lingers and (at_once or not dialect.owes):
            self._send_rest(seat, line)

    def see_off(self) -> None:
        """Wait until every closing program has been sent its last messages, or its deadline has passed."""
        while any(not line.hung_up for line in self._leaving.values()):
            ready, now = self._poll.poll(_milliseconds(self._next_closing())), micros_now()
            for descriptor, _ in ready:
                self._serve(descriptor, now)
            self._check_closing(now)

    def _next_closing(self) -> Micros | None:
        lines = self._leaving.values()
        return min([line.kill_at if line.flush_at is None else line.flush_at for line in lines], default=None)

    def _check_closing(self, now: Micros) -> None:
        for seat, line in list(self._leaving.items()):
            if line.flush_at is not None and now >= line.flush_at:
                self._send_rest(seat, line)
            if now >= line.kill_at:
                del self._leaving[seat]
                self._forget_all(line)
                line.program.kill()

    def _send_rest(self, seat: Seat, line: _Line) -> None:
        """Send the frames that were held back for an answer, close stdin, and stop reading."""
        now, line.flush_at = micros_now(), None
        # If we woke late, the program still gets its share of the goodbye limit.
        line.kill_at = max(line.kill_at, now + round(self._goodbye * (1 - HOLDING_BACK)))
        line.program.leave_within((line.kill_at - now) / 1e6)
        if line.program.stdout in self._at:
            self._forget(line.program.stdout)
        line.unsent += b"".join(frame + b"\n" for frame in line.dialect.part())
        self._push(seat, line)

    def _hear_closing(self, seat: Seat, line: _Line, data: bytes | None, at: Micros) -> None:
        """Read from a closing program. It cannot change the match any more, and MOST_FRAMES bounds it."""
        if data is None:
            return
        try:
            frames = line.lines.feed(data)
        except Overflow:
            frames, line.closing_frames = [], MOST_FRAMES + 1
        line.closing_frames += len(frames)
        enough = not data or line.closing_frames > MOST_FRAMES
        for frame in () if enough else frames:
            line.unsent += b"".join(answer + b"\n" for answer in line.dialect.hear(frame).frames)
        if enough or not (line.dialect.owes or line.dialect.lingers):
            self._send_rest(seat, line)
        else:
            self._push(seat, line)

"""The synchronous driver for matches between programs on this machine: blocking pipes, one `poll` for all.

Players of a turn-based match never think at the same time, so one thread that waits for all of them
is the fastest driver there is. Laws of this file: it stamps what arrives and passes it on, in the
order of arrival; its own lateness is never charged to a player, so what is found when it wakes late
counts as in time; it reads from everybody all the time and holds no more than a bounded amount of
what nobody asked for.
"""

from __future__ import annotations

import select
from collections import deque
from os import read, write
from time import monotonic_ns
from typing import TYPE_CHECKING, Protocol

from touchline.core import registry
from touchline.core.clock import HOLDING_BACK, LINGER
from touchline.core.conduct import Offence
from touchline.core.errors import BadOptions
from touchline.core.fast_lane import FastLane
from touchline.core.messages import QUESTIONS
from touchline.core.referee import Failed
from touchline.dialects import DEFAULT
from touchline.dialects.base import UNREADABLE
from touchline.drivers.match import Watchers, announced, opened, referee_for, tell_learners
from touchline.drivers.timekeeper import Arrival, Ports, Timekeeper
from touchline.players.process import READ, Program
from touchline.transports.shared.framing import MOST_FRAME, Lines, Overflow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Event, Result
    from touchline.core.messages import ToPlayer
    from touchline.core.referee import Referee
    from touchline.core.rules import Game, Seat
    from touchline.dialects.base import Dialect, Exchange, FastWords
    from touchline.drivers.match import Bot, MatchSpec

MOST_FRAMES = 64
"""How many messages one seat may have sent that nobody has looked at."""
WRITE_LIMIT: Micros = 2_000_000
"""How long a program may take to read what it is sent."""
GOODBYE: Micros = 1_000_000
"""How long a program may take to hear its last words, where nothing else is agreed."""


def micros_now() -> Micros:
    return monotonic_ns() // 1000


def _milliseconds(until: Micros | None) -> int | None:
    """How long `poll` may wait so as not to wake before then."""
    return None if until is None else max(0, -((micros_now() - until) // 1000))


class _Line:
    """The pipe to one program, and what is spoken over it."""

    def __init__(self, program: Program, dialect: Dialect) -> None:
        self.program, self.dialect = program, dialect
        self.lines = Lines(max(MOST_FRAME, dialect.longest))
        self.unsent = b""
        self.asked = False
        self.handed_over: Micros | None = None
        self.heard: Micros = 0
        """When it was last heard on the fast way."""
        self.alone = [(program.stdout, select.POLLIN)]
        """What `poll` says if this program has written something, and nothing else has happened."""
        self.stuck_since: Micros | None = None
        self.parts_at: Micros | None = None
        """When one that leaves is told the rest; None if it has been."""
        self.ends_at: Micros = 0
        """When its line is closed and it is killed, if it has not ended by then."""
        self.heard_last = 0
        """How many messages it has sent after its last word."""
        self.hung_up = False

    def waited(self, at: Micros) -> Micros:
        """How long ago it was asked, by then."""
        return 0 if self.handed_over is None else max(0, at - self.handed_over)


class Pipes:
    """The ports to programs on this machine; one without a dialect of its own speaks the default dialect."""

    def __init__(
        self,
        programs: Mapping[Seat, Program],
        game: Game,
        dialects: Mapping[Seat, Dialect] | None = None,
        goodbye: Micros = GOODBYE,
    ) -> None:
        self._programs, self._goodbye = programs, goodbye
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
        """A pipe has none to speak of."""
        return 0

    def tell(self, seat: Seat, message: ToPlayer) -> None:
        line = self.lines.get(seat)
        if line is not None:
            if isinstance(message, QUESTIONS):
                line.handed_over, line.asked = None, True
            self._exchange(seat, line, line.dialect.say(message), micros_now())

    def _exchange(self, seat: Seat, line: _Line, exchange: Exchange, at: Micros) -> None:
        for frame in exchange.frames:
            line.unsent += frame + b"\n"
        if exchange.frames or line.asked:
            self._push(seat, line)
        for said in exchange.said:
            self.early.append(Arrival(seat, said, at))

    def _push(self, seat: Seat, line: _Line) -> None:
        descriptor = line.program.stdin
        if line.hung_up:
            return
        try:
            sent = line.program.write(line.unsent)
        except OSError:  # it does not want to hear it; its silence will tell
            sent = len(line.unsent)
        line.unsent = line.unsent[sent:]
        if not line.unsent:
            if descriptor in self._at:
                self._forget(descriptor)
            line.stuck_since = None
            if seat in self._leaving and line.parts_at is None:
                line.program.hang_up()
                line.hung_up = True
            if line.asked:
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
        while True:
            if self.early:
                arrivals = [*self.early]
                self.early.clear()
                return arrivals
            ends = (until, self._next_stuck(), self._next_parting())
            wake = min([end for end in ends if end is not None], default=None)
            ready = self._poll.poll(_milliseconds(wake))
            now = micros_now()
            at = now if until is None else min(now, until)
            for descriptor, _ in ready:
                self._serve(descriptor, at)
            self._give_up(now)
            self._part(now)
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
            self._hear_last(seat, line, line.program.read(), at)
        else:
            self._hear(seat, line, line.program.read(), at)

    def _hear(self, seat: Seat, line: _Line, data: bytes | None, at: Micros) -> None:
        if data is None:
            return
        if not data:
            self._fail(seat, Offence.GONE, line.program.ending(), at)
            return
        try:
            frames = line.lines.feed(data)
        except Overflow as error:
            self._fail(seat, Offence.FLOOD, str(error), at)
            return
        if len(frames) > MOST_FRAMES:
            self._fail(seat, Offence.FLOOD, f"{len(frames)} messages at once", at)
            return
        for frame in frames:
            self._exchange(seat, line, line.dialect.hear(frame, line.waited(at)), at)

    def _next_stuck(self) -> Micros | None:
        since = [line.stuck_since for line in self.lines.values() if line.stuck_since is not None]
        return min(since) + WRITE_LIMIT if since else None

    def _give_up(self, now: Micros) -> None:
        for seat, line in list(self.lines.items()):
            if line.stuck_since is not None and now >= line.stuck_since + WRITE_LIMIT:
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
        """Send a question whole, for when there is no time for ceremony."""
        try:
            sent = write(line.program.stdin, frame)
        except BlockingIOError:
            sent = 0
        except OSError:  # it does not want to hear it; its silence will tell
            sent = len(frame)
        line.handed_over = monotonic_ns() // 1000
        if sent < len(frame):
            line.handed_over, line.asked = None, True
            line.unsent += frame[sent:]
            self._push(seat, line)

    def answer(self, seat: Seat, line: _Line, until: Micros | None) -> bytes | None:
        """The line that a seat writes, if nothing else happens; else what happens is taken in, and None."""
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
        """Whether nothing is on its way that nobody has looked at, and nobody is leaving."""
        return not self.early and not self._leaving and not any(line.unsent for line in self.lines.values())

    # -- parting ------------------------------------------------------------------------------

    def close(self, seat: Seat, *, at_once: bool) -> None:
        """Part with a seat. It hears its last words first, and answers them, within the goodbye limit."""
        line = self.lines.pop(seat, None)
        if line is None:  # it failed, and its line is closed
            self._programs[seat].kill()
            return
        now, dialect = micros_now(), line.dialect
        lingers = dialect.lingers and at_once
        line.ends_at = now + (min(LINGER, self._goodbye) if lingers else self._goodbye)
        line.parts_at = line.ends_at if lingers else now + round(self._goodbye * HOLDING_BACK)
        self._leaving[seat] = line
        if not lingers and (at_once or not dialect.owes):
            self._say_the_rest(seat, line)

    def see_off(self) -> None:
        """Wait until all who leave have heard their last words, or their time for that is up."""
        while any(not line.hung_up for line in self._leaving.values()):
            ready, now = self._poll.poll(_milliseconds(self._next_parting())), micros_now()
            for descriptor, _ in ready:
                self._serve(descriptor, now)
            self._part(now)

    def _next_parting(self) -> Micros | None:
        lines = self._leaving.values()
        return min([line.ends_at if line.parts_at is None else line.parts_at for line in lines], default=None)

    def _part(self, now: Micros) -> None:
        for seat, line in list(self._leaving.items()):
            if line.parts_at is not None and now >= line.parts_at:
                self._say_the_rest(seat, line)
            if now >= line.ends_at:
                del self._leaving[seat]
                self._forget_all(line)
                line.program.kill()

    def _say_the_rest(self, seat: Seat, line: _Line) -> None:
        """Say what was held back for an answer, hang up, and read nothing more."""
        now, line.parts_at = micros_now(), None
        line.ends_at = max(line.ends_at, now + round(self._goodbye * (1 - HOLDING_BACK)))  # we may be late
        line.program.leave_within((line.ends_at - now) / 1e6)
        if line.program.stdout in self._at:
            self._forget(line.program.stdout)
        line.unsent += b"".join(frame + b"\n" for frame in line.dialect.part())
        self._push(seat, line)

    def _hear_last(self, seat: Seat, line: _Line, data: bytes | None, at: Micros) -> None:
        """Take in what comes after the last word, which changes nothing; there may be only so much of it."""
        if data is None:
            return
        try:
            frames = line.lines.feed(data)
        except Overflow:
            frames, line.heard_last = [], MOST_FRAMES + 1
        line.heard_last += len(frames)
        enough = not data or line.heard_last > MOST_FRAMES
        for frame in () if enough else frames:
            line.unsent += b"".join(answer + b"\n" for answer in line.dialect.hear(frame).frames)
        if enough or not (line.dialect.owes or line.dialect.lingers):
            self._say_the_rest(seat, line)
        else:
            self._push(seat, line)


class Waiting(Ports, Protocol):
    """Ports that one can wait at: real pipes, or simulated ones in simulated time."""

    def wait(self, until: Micros | None) -> list[Arrival]:
        """What has arrived, in order; empty if nothing has by then."""


def keep(timekeeper: Timekeeper, ports: Waiting) -> Result:
    """Play a match to its end."""
    timekeeper.begin()
    while (result := timekeeper.result) is None:
        _go_on(timekeeper, ports)
    return result


def _go_on(timekeeper: Timekeeper, ports: Waiting) -> None:
    """Wait for what happens next, and pass it on."""
    _, until = timekeeper.first_due()
    timekeeper.deliver(ports.wait(until))
    if until is not None:
        timekeeper.look_at_the_clock()


def play_local(
    spec: MatchSpec,
    players: Sequence[Bot | Program],
    observers: Sequence[Callable[[Event], None]] = (),
    dialects: Mapping[Seat, Dialect] | None = None,
) -> Result:
    """Play a match between programs that have been started, and trusted bots.

    A program speaks the dialect that is given for its seat, or the default one.
    """
    if len(players) != len(spec.names):
        raise BadOptions(f"{len(players)} players for {len(spec.names)} seats")
    programs = {seat: player for seat, player in enumerate(players) if isinstance(player, Program)}
    bots = {seat: player for seat, player in enumerate(players) if not isinstance(player, Program)}
    state, talks, watchers = opened(spec), sorted(programs), Watchers(observers)
    if watchers:
        watchers.see(announced(spec, state, talks))
    referee = referee_for(spec, state, talks)
    pipes = Pipes(programs, spec.game, dialects, spec.limits.goodbye or 0)
    fast = {seat: lane for seat, line in pipes.lines.items() if (lane := line.dialect.fast) is not None}
    timekeeper = Timekeeper(referee, pipes, watchers, bots)
    timekeeper.begin(spec.refused)
    while (result := timekeeper.result) is None:
        if len(fast) == len(programs) and referee.fresh and pipes.quiet:
            asked = _play_on(referee, pipes, watchers, fast, hidden=spec.game.hidden)
            timekeeper.proceed()
            if not asked or timekeeper.result is not None:
                continue
        _go_on(timekeeper, pipes)
    pipes.see_off()
    tell_learners(bots.items(), result)
    return result


def _play_on(
    referee: Referee, pipes: Pipes, watchers: Watchers, fast: Mapping[Seat, FastWords], *, hidden: bool
) -> bool:
    """Play legal moves of programs on the fast lane; return whether a seat is asked that has not answered.

    Anything else that arrives stays with the pipes. Most of a turn is the cost of waking a process whose code
    is no longer in the CPU's caches, so this does as little as it can.
    """
    lines, clocks = pipes.lines, referee.clocks
    lane = FastLane(referee, lines, watchers.see if watchers else None)
    while (seat := lane.seat) is not None:
        line, budget = lines[seat], clocks[seat].budget
        since = line.handed_over
        if since is None:
            break
        data = pipes.answer(seat, line, None if budget is None else since + budget)
        if data is None:
            break
        try:
            answer = fast[seat].decode_answer(data)
            made = answer.turn == lane.turn and lane.move(answer.move, line.heard - since)
        except UNREADABLE:
            made = False
        if not made:
            pipes.early.extend(Arrival(seat, said, line.heard) for said in line.dialect.hear(data).said)
            break
        if (following := lane.seat) is not None:
            state, left = lane.state, clocks[following].budget
            question = fast[following].ask(lane.turn, state.view(following) if hidden else state, left)
            pipes.ask(following, lines[following], question + b"\n")
    lane.end()
    return lane.seat is not None

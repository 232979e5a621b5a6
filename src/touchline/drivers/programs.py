"""Play a match between programs on this machine and trusted bots, in one thread.

Players of a turn-based match do not think at the same time, so one thread that waits for all of them at once
is the fastest driver.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from touchline.core.errors import BadOptions
from touchline.core.fast_lane import FastLane
from touchline.core.happenings import Broken, Heard
from touchline.core.text import received
from touchline.dialects.base import UNREADABLE
from touchline.drivers.match import Watchers, announced, opened, referee_for, tell_learners
from touchline.drivers.past import CannotResume, Repeated, patience
from touchline.drivers.pipes import Pipes
from touchline.drivers.timekeeper import Arrival, Ports, Timekeeper
from touchline.players.process import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from touchline.core.clock import Micros
    from touchline.core.events import Event, Result
    from touchline.core.referee import Referee
    from touchline.core.rules import Seat
    from touchline.dialects.base import Dialect, FastWords
    from touchline.drivers.match import Bot, MatchSpec
    from touchline.drivers.past import Past


class Waiting(Ports, Protocol):
    """Ports with a blocking `wait`: real pipes, or simulated ones in virtual time."""

    def wait(self, until: Micros | None) -> list[Arrival]:
        """Return what has arrived, in order; empty if nothing arrives before the deadline `until`."""


def keep(timekeeper: Timekeeper, ports: Waiting) -> Result:
    """Play a match to its end and return its result."""
    timekeeper.begin()
    while (result := timekeeper.result) is None:
        _step(timekeeper, ports)
    return result


def _step(timekeeper: Timekeeper, ports: Waiting) -> None:
    """Wait for arrivals or the next deadline, and pass them on."""
    _, until = timekeeper.first_due()
    timekeeper.deliver(ports.wait(until))
    if until is not None:
        timekeeper.look_at_the_clock()


def play_local(
    spec: MatchSpec,
    players: Sequence[Bot | Program],
    observers: Sequence[Callable[[Event], None]] = (),
    dialects: Mapping[Seat, Dialect] | None = None,
    past: Past | None = None,
) -> Result:
    """Play a match between started programs and trusted bots, and return its result.

    A program speaks the dialect that is given for its seat, or the default dialect. With a past, the match
    is resumed.
    """
    if len(players) != len(spec.names):
        raise BadOptions(f"{len(players)} players for {len(spec.names)} seats")
    programs = {seat: player for seat, player in enumerate(players) if isinstance(player, Program)}
    bots = {seat: player for seat, player in enumerate(players) if not isinstance(player, Program)}
    state, talks, watchers = opened(spec), sorted(programs), Watchers(observers)
    if watchers:
        watchers.see(announced(spec, state, talks))
    referee = referee_for(spec, state, talks)
    pipes = Pipes(programs, spec.game, dialects, spec.limits.goodbye or 0, ponders=spec.ponders)
    fast = {
        seat: lane
        for seat, line in pipes.lines.items()
        if (lane := line.dialect.fast) is not None and line.program.meter is None
    }
    timekeeper = Timekeeper(referee, pipes, watchers, bots)
    if past is None:
        timekeeper.begin(spec.refused)
    else:
        _catch_up(timekeeper, pipes, spec, past)
    while (result := timekeeper.result) is None:
        if len(fast) == len(programs) and referee.fresh and pipes.quiet:
            asked = _play_fast_lane(referee, pipes, watchers, fast, hidden=spec.game.hidden)
            timekeeper.proceed()
            if not asked or timekeeper.result is not None:
                continue
        _step(timekeeper, pipes)
    pipes.see_off()
    tell_learners(bots.items(), result)
    return result


def _catch_up(timekeeper: Timekeeper, ports: Waiting, spec: MatchSpec, past: Past) -> None:
    """Replay the past to the programs, and go on; the match is void if they cannot follow."""
    timekeeper.begin_past(spec.refused, past)
    repeated = Repeated()
    try:
        for happening in past.happenings:
            if isinstance(happening, Heard) and ports.handed_over(happening.seat) is not None:
                _await_repeated(timekeeper, ports, happening, repeated)
            timekeeper.replay(happening)
    except CannotResume as error:
        timekeeper.broke(Broken(f"the match cannot be resumed: {error}"))
        return
    timekeeper.go_live()
    timekeeper.deliver(repeated.rest())


def _await_repeated(timekeeper: Timekeeper, ports: Waiting, happening: Heard, repeated: Repeated) -> None:
    """Wait until a restarted program has given this answer again."""
    longest = patience(timekeeper.allowance(happening.seat), happening.took)
    until = None if longest is None else ports.now() + longest
    while not repeated.take(happening):
        arrivals = ports.wait(until)
        if not arrivals and until is not None and ports.now() >= until:
            if not timekeeper.awaits(happening.seat):
                return
            raise CannotResume(f"seat {happening.seat}, started again, did not repeat its answers in time")
        repeated.add(arrivals)


def _play_fast_lane(
    referee: Referee, pipes: Pipes, watchers: Watchers, fast: Mapping[Seat, FastWords], *, hidden: bool
) -> bool:
    """Play legal moves on the fast lane; return whether a seat has been asked and has not answered.

    Any other message stays queued in the pipes. Waking a process whose code has left the CPU caches is most
    of the cost of a turn, so this loop does as little as possible.
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
            raw = received((data.rstrip(b"\r\n"),))
            took = line.heard - since
            cpu = line.program.usage.spent(took)
            made = answer.turn == lane.turn and lane.move(answer.move, took, 0, raw, cpu)
        except UNREADABLE:
            made = False
        if not made:
            pipes.hear_frame(seat, line, data.rstrip(b"\r\n"), line.heard)
            break
        if (following := lane.seat) is not None:
            if not pipes.ponders:
                pipes.let_think((following,))
            state, left = lane.state, clocks[following].budget
            question = fast[following].ask(lane.turn, state.view(following) if hidden else state, left)
            pipes.ask(following, lines[following], question + b"\n")
    lane.end()
    return lane.seat is not None

"""The work of a worker: games in as JSON, results and records out as JSON.

Law of this file: a game is a pure function of its bytes, as far as its players are. A worker knows no
ledger and no coordinator, so that it can be in this process, in another, or on another machine, and play a
game once or twice; and whatever goes wrong on our side is a void game with its reason, never an exception.
"""

from __future__ import annotations

import hashlib
import logging
import os
import socket
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from touchline.core import events
from touchline.core.errors import TouchlineError
from touchline.drivers.lineup import Seating
from touchline.drivers.match import agreed
from touchline.players.by_name import player
from touchline.tournament.cup import Cup, unpacked
from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.drivers.match import MatchSpec

log = logging.getLogger(__name__)

OURS = "ours:"
"""How the reason of a void game begins that is nobody's fault but ours."""


class Claimed(Struct, frozen=True):
    """A game to play, and the number under which its result will be taken."""

    pairing: Pairing
    fence: int


class Job(Struct, frozen=True):
    """Some games of a cup."""

    cup: msgspec.Raw
    folder: str
    games: tuple[Claimed, ...]
    at_once: int
    """How many jobs may run at the same time on the machine that gets this one."""
    seconds: float | None = None
    """After so many seconds no further game is begun: the rest comes back unplayed. None for no such end."""


class Game(Struct, frozen=True):
    """A game that was played."""

    fence: int
    played: Played
    result: msgspec.Raw
    record: str
    digest: str
    seconds: float
    worker: str
    oversubscribed: bool


def play_job(data: bytes) -> bytes:
    """Play the games of a job, one after the other, and as many of them as there is time for."""
    job = msgspec.json.decode(data, type=Job)
    cup, folder, crowded = unpacked(bytes(job.cup)), Path(job.folder), job.at_once > cores()
    return msgspec.json.encode([_played(cup, claimed, folder, crowded) for claimed in in_time(job)])


def in_time(job: Job) -> Iterator[Claimed]:
    """The games of a job that are to be begun; the first always is."""
    start = time.perf_counter()
    for number, claimed in enumerate(job.games):
        if number and job.seconds is not None and time.perf_counter() - start > job.seconds:
            return
        yield claimed


def _played(cup: Cup, claimed: Claimed, folder: Path, crowded: bool) -> Game:
    account = Account(claimed, crowded)
    pairing = claimed.pairing
    try:
        words = [cup.player_of(name) for name in pairing.entrants]
        seeds = [f"{cup.seed} {pairing.id} {seat}" for seat in range(len(words))]
        seating = Seating(words, seeds, partial(player, folder=folder), lenient=True)
        result = seating.play(seating.fill(spec_of(cup, pairing)), [account.see])
    except Exception as error:
        result = account.failed(error)
    return account.closed(result)


class Account:
    """What is written down of one game while it is played."""

    def __init__(self, claimed: Claimed, crowded: bool = False) -> None:
        self._claimed, self._crowded = claimed, crowded
        self._start = time.perf_counter()
        self._lines: list[bytes] = []
        self._essence = Essence()

    def see(self, event: events.Event) -> None:
        self._lines.append(events.encode(event))
        self._essence.see(event)

    def failed(self, error: Exception) -> events.Result:
        """The result of a game that we could not play."""
        log.error("%s cannot be played", self._claimed.pairing.id, exc_info=error)
        self._lines.clear()  # what there is of a record proves nothing
        why = str(error) if isinstance(error, TouchlineError) else f"{type(error).__name__}: {error}"
        return events.Result(verdict="void", outcome=None, reason=f"{OURS} {why}", turns=0)

    def closed(self, result: events.Result) -> Game:
        return Game(
            self._claimed.fence, counted(self._claimed.pairing, result),
            msgspec.Raw(msgspec.json.encode(result)), b"".join(line + b"\n" for line in self._lines).decode(),
            self._essence.digest(result), round(time.perf_counter() - self._start, 6),
            f"{socket.gethostname()}:{os.getpid()}", self._crowded,
        )  # fmt: skip


def cores() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def spec_of(cup: Cup, pairing: Pairing) -> MatchSpec:
    """What is agreed for one game of a cup. Games on the same board begin from the same position."""
    seed = int.from_bytes(hashlib.sha256(f"{cup.seed} board {pairing.board}".encode()).digest()[:7])
    return agreed(
        cup.board(pairing.board), pairing.entrants, seed,
        conduct=cup.conduct, limits=cup.limits, turn_cap=cup.turn_cap,
    )  # fmt: skip


def counted(pairing: Pairing, result: events.Result) -> Played:
    """What of a result counts for a table."""
    if result.outcome is None:
        return Played(pairing, "void", reason=result.reason)
    own_fault = (
        {fault.seat for fault in result.faults} if result.verdict == "forfeited" else set(result.expelled)
    )
    return Played(
        pairing, result.verdict, result.outcome.winners, result.outcome.ranks, result.outcome.scores,
        tuple(sorted(own_fault)), result.reason,
    )  # fmt: skip


class Essence:
    """What was played, without when: equal for two games in which the same things happened."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def see(self, event: events.Event) -> None:
        match event:
            case events.Moved(turn, seat, move):
                self._add("moved", turn, seat, move)
            case events.Faulted(turn, seat, offence, _, sanction):
                self._add("faulted", turn, seat, offence, sanction)
            case events.Skipped(turn, seat) | events.Expelled(turn, seat) | events.Resigned(turn, seat):
                self._add(type(event).__name__, turn, seat)
            case events.Begun(position=position):
                self._add("begun", position)

    def _add(self, *what: Any) -> None:
        self._hash.update(msgspec.json.encode(what))
        self._hash.update(b"\n")

    def digest(self, result: events.Result) -> str:
        """The hash of what was seen, and of how it ended."""
        whole = self._hash.copy()
        whole.update(msgspec.json.encode((result.verdict, result.outcome, result.expelled, result.resigned)))
        return whole.hexdigest()

"""What a worker does: play the games of a job. Jobs and results are JSON.

Law of this file: a game depends on the bytes of its job alone, as far as its players are deterministic. A
worker does not know the ledger, the coordinator or the cup's salt, only the secrets of its own games; so it
can run in this process, in another one or on another machine, and may play a game twice. An error on our side
is a void game with a reason, never an exception.
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
from msgspec.structs import replace

from touchline.core import events
from touchline.core.errors import TouchlineError
from touchline.drivers.lineup import Lineup
from touchline.players.by_name import player
from touchline.records.recorder import RecordWriter
from touchline.tournament.cup import Cup, unpacked
from touchline.tournament.ledger.base import Claim
from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.seeds import GameSecrets, spec_of

if TYPE_CHECKING:
    from collections.abc import Iterator

log = logging.getLogger(__name__)

OURS = "ours:"
"""Prefix of the reason of a game that is void because of an error on our side."""


class Job(Struct, frozen=True):
    """A batch of games of one cup."""

    cup: msgspec.Raw
    folder: str
    games: tuple[Claim, ...]
    secrets: tuple[GameSecrets, ...]
    """The secrets of each game."""
    at_once: int
    """How many jobs may run at the same time on the machine that gets this one."""
    seconds: float | None = None
    """Time budget: no game is begun after it, and the rest comes back unplayed. None for no limit."""
    isolation: str = "auto"
    """The tier of isolation of programs."""
    hidden: tuple[str, ...] = ()
    """Files that programs must not see: the ledger."""
    notes: int = 0
    """How many characters of each program's stderr to report, the last ones."""


class GameReport(Struct, frozen=True):
    """What a worker reports of one game."""

    fence: int
    played: Played
    result: msgspec.Raw
    record: str
    digest: str
    seconds: float
    worker: str
    oversubscribed: bool
    notes: dict[int, str] = {}
    """What programs wrote to stderr, by seat, if the job asks for it."""


def play_job(data: bytes) -> bytes:
    """Play the games of a job one after the other, as many as its time budget allows."""
    job = msgspec.json.decode(data, type=Job)
    cup, crowded = unpacked(bytes(job.cup)), job.at_once > cores()
    games = [_played(cup, *game, job, crowded) for game in games_in_time(job)]
    return msgspec.json.encode(games)


def games_in_time(job: Job) -> Iterator[tuple[Claim, GameSecrets]]:
    """Iterate over the games of a job within its time budget; the first is always played."""
    start = time.perf_counter()
    for number, game in enumerate(zip(job.games, job.secrets, strict=True)):
        if number and job.seconds is not None and time.perf_counter() - start > job.seconds:
            return
        yield game


def _played(cup: Cup, claim: Claim, secrets: GameSecrets, job: Job, crowded: bool) -> GameReport:
    recorder = GameRecorder(claim, crowded)
    pairing, notes = claim.pairing, dict[int, str]()
    try:
        words = [cup.player_of(name) for name in pairing.entrants]
        folder = Path(job.folder)
        caged = cup.sandbox(pairing.entrants, job.isolation, folder, job.hidden)
        lineup = Lineup(words, secrets.players, partial(player, folder=folder), lenient=True, sandbox=caged)
        result = lineup.play(lineup.fill(spec_of(cup, pairing, secrets)), [recorder.see])
        notes = {seat: text[-job.notes :] for seat, text in lineup.notes.items() if text and job.notes}
    except Exception as error:
        result = recorder.failed(error)
    return replace(recorder.closed(result), notes=notes) if notes else recorder.closed(result)


class GameRecorder:
    """Observes one game, and makes its report: record, digest and time."""

    def __init__(self, claim: Claim, crowded: bool = False) -> None:
        self._claim, self._crowded = claim, crowded
        self._start = time.perf_counter()
        self._record = bytearray()
        self._writer = RecordWriter(self._record.extend)
        self._moves = MovesDigest()

    def see(self, event: events.Event) -> None:
        self._writer.see(event)
        self._moves.see(event)

    def failed(self, error: Exception) -> events.Result:
        """Return the result of a game that we could not play: void, with the reason."""
        log.error("%s cannot be played", self._claim.pairing.id, exc_info=error)
        self._record.clear()  # a partial record proves nothing
        why = str(error) if isinstance(error, TouchlineError) else f"{type(error).__name__}: {error}"
        return events.Result(verdict="void", outcome=None, reason=f"{OURS} {why}", turns=0)

    def closed(self, result: events.Result) -> GameReport:
        """Return the report of the game, which has just ended."""
        return GameReport(
            self._claim.fence, to_played(self._claim.pairing, result),
            msgspec.Raw(msgspec.json.encode(result)), self._record.decode(),
            self._moves.digest(result), round(time.perf_counter() - self._start, 6),
            f"{socket.gethostname()}:{os.getpid()}", self._crowded,
        )  # fmt: skip


def cores() -> int:
    """Return the number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def to_played(pairing: Pairing, result: events.Result) -> Played:
    """Return the part of a result that counts for the standings."""
    if result.outcome is None:
        return Played(pairing, "void", reason=result.reason)
    own_fault = (
        {fault.seat for fault in result.faults} if result.verdict == "forfeited" else set(result.expelled)
    )
    return Played(
        pairing, result.verdict, result.outcome.winners, result.outcome.ranks, result.outcome.scores,
        tuple(sorted(own_fault)), result.reason,
    )  # fmt: skip


class MovesDigest:
    """A running hash of a game's events without their times: equal if the same things happened."""

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
        """Return the hash of the events and of how the game ended."""
        whole = self._hash.copy()
        whole.update(msgspec.json.encode((result.verdict, result.outcome, result.expelled, result.resigned)))
        return whole.hexdigest()

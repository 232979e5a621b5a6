"""What a worker does: play the games of a job. Jobs and results are JSON.

Law of this file: a game depends on the bytes of its job alone, as far as its players are deterministic. A
worker does not know the ledger, the coordinator or the cup's salt, only the secrets of its own games; so it
can run in this process, in another one or on another machine, and may play a game twice. An error on our side
is a void game with a reason, never an exception; and what this machine cannot start is an error on our side,
never a player's loss.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from touchline.core import events
from touchline.core.errors import BadOptions, BrokenPlayer, TouchlineError
from touchline.drivers.lineup import Lineup
from touchline.players.by_name import WASM, player, without_dialect
from touchline.records.moves_digest import MovesDigest
from touchline.records.recorder import RecordWriter
from touchline.tournament.cup import Cup, unpacked
from touchline.tournament.installation import Installation, difference, installed
from touchline.tournament.ledger.base import Claim
from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.seeds import GameSecrets, spec_of
from touchline.tournament.worker_bundles import bundle_folders

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

log = logging.getLogger(__name__)

OURS = "ours:"
"""Prefix of the reason of a game that is void because of an error on our side."""


class Job(Struct, frozen=True, rename={"games": "claims"}):
    """A batch of games of one cup. An older version cannot read it, so that it plays nothing."""

    cup: msgspec.Raw
    folder: str
    """Where programs run that have no bundle."""
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
    bundles: dict[str, str] = {}
    """Entrant -> the digest of its bundle, in which it runs; paths in its player's word start there."""
    store: str = ""
    """The folder of the coordinator's `BundleStore`, for workers on the same machine."""
    sent: dict[str, bytes] = {}
    """Digest -> packed bundle, for a worker that lacked it."""
    installation: Installation | None = None
    """What the coordinator has installed; a worker with anything else plays nothing. None: not compared."""
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
    begun: bool = True
    """False if this machine could not start a player: the game is void by our fault, and was not begun."""
    notes: dict[int, str] = {}
    """What programs wrote to stderr, by seat, if the job asks for it."""


class JobReply(Struct, frozen=True):
    """What a worker replies to a job."""

    worker: str
    games: list[GameReport] = []
    """The games that were played: all of them, or as many as the time budget allowed."""
    lacks: list[str] = []
    """The digests of bundles that this worker lacks; it has played nothing. Send them with the job."""
    refused: str = ""
    """Why this worker plays nothing: it has another version."""


def play_job(data: bytes) -> bytes:
    """Play the games of a job one after the other, as many as its time budget allows; return a `JobReply`."""
    return msgspec.json.encode(_reply(msgspec.json.decode(data, type=Job)))


def read_reply(data: bytes) -> JobReply:
    """Return the reply that `play_job` has encoded."""
    return msgspec.json.decode(data, type=JobReply)


def _reply(job: Job) -> JobReply:
    cup, crowded = unpacked(bytes(job.cup)), job.at_once > cores()
    if (why := other_version(job, cup)) is not None:
        return JobReply(worker_name(), refused=why)
    playing = {name for claim in job.games for name in claim.pairing.entrants}
    try:
        own = own_folders(job, playing)
    except _Lacking as error:
        return JobReply(worker_name(), lacks=error.digests)
    except (TouchlineError, OSError) as error:  # this machine has no place for bundles
        reports = (GameRecorder(claim, crowded) for claim in job.games)
        return JobReply(worker_name(), [one.unstarted(error) for one in reports])
    return JobReply(worker_name(), [_played(cup, *game, job, own, crowded) for game in games_in_time(job)])


class _Lacking(TouchlineError):
    """This worker lacks bundles."""

    def __init__(self, digests: list[str]) -> None:
        super().__init__(f"this worker lacks bundle {digests[0]}")
        self.digests = digests


def own_folders(job: Job, entrants: Iterable[str]) -> dict[str, Path]:
    """Return the unpacked folders of those of these entrants that have a bundle."""
    digests = {name: job.bundles[name] for name in entrants if name in job.bundles}
    if not digests:
        return {}
    folders, lacking = bundle_folders(digests.values(), job.store, job.sent)
    if lacking:
        raise _Lacking(lacking)
    return {name: folders[digest] for name, digest in digests.items()}


def other_version(job: Job, cup: Cup) -> str | None:
    """Return how this machine's installation differs from the coordinator's; None if it does not."""
    if job.installation is None:
        return None
    modules = any(without_dialect(one.player).startswith(WASM) for one in cup.entrants)
    return difference(job.installation, installed(), modules=modules)


def games_in_time(job: Job) -> Iterator[tuple[Claim, GameSecrets]]:
    """Iterate over the games of a job within its time budget; the first is always played."""
    start = time.perf_counter()
    for number, game in enumerate(zip(job.games, job.secrets, strict=True)):
        if number and job.seconds is not None and time.perf_counter() - start > job.seconds:
            return
        yield game


def _played(
    cup: Cup, claim: Claim, secrets: GameSecrets, job: Job, own: dict[str, Path], crowded: bool
) -> GameReport:
    recorder = GameRecorder(claim, crowded)
    pairing = claim.pairing
    try:
        lineup = lineup_of(cup, pairing.entrants, secrets.players, job, own)
        spec = lineup.fill(spec_of(cup, pairing, secrets))
    except (TouchlineError, OSError) as error:
        return recorder.unstarted(error)
    except Exception as error:
        return recorder.closed(recorder.failed(error))
    try:
        result = lineup.play(spec, [recorder.see])
    except Exception as error:
        result = recorder.failed(error)
    if (why := lineup.unstarted()) is not None:
        return recorder.unstarted(BadOptions(why))
    notes = {seat: text[-job.notes :] for seat, text in lineup.notes.items() if text and job.notes}
    return replace(recorder.closed(result), notes=notes) if notes else recorder.closed(result)


def lineup_of(
    cup: Cup, entrants: Sequence[str], seeds: Sequence[object], job: Job, own: dict[str, Path]
) -> Lineup:
    """Return the line-up of a game; `own` has the folders of the entrants that have a bundle."""
    words = [cup.player_of(name) for name in entrants]
    folder = Path(job.folder)
    caged = cup.sandbox(entrants, job.isolation, folder, job.hidden, job.bundles)
    return Lineup(
        words, seeds, partial(player, folder=folder), refuses=(BrokenPlayer,), sandbox=caged,
        folders=[own.get(name) for name in entrants],
    )  # fmt: skip


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
        ours = not isinstance(error, TouchlineError | OSError)  # a bug, not a machine that lacks something
        log.error("%s cannot be played: %s", self._claim.pairing.id, error, exc_info=error if ours else None)
        self._record.clear()  # a partial record proves nothing
        why = str(error) if isinstance(error, TouchlineError) else f"{type(error).__name__}: {error}"
        return events.Result(verdict="void", outcome=None, reason=f"{OURS} {why}", turns=0)

    def unstarted(self, error: Exception) -> GameReport:
        """Return the report of a game that was not begun, because this machine cannot start a player."""
        return replace(self.closed(self.failed(error)), begun=False)

    def closed(self, result: events.Result) -> GameReport:
        """Return the report of the game, which has just ended."""
        return GameReport(
            self._claim.fence, to_played(self._claim.pairing, result),
            msgspec.Raw(msgspec.json.encode(result)), self._record.decode(),
            self._moves.digest(result), round(time.perf_counter() - self._start, 6),
            worker_name(), self._crowded,
        )  # fmt: skip


def void_report(claim: Claim, why: str, worker: str) -> GameReport:
    """Return the report of a game that no worker has reported: void, for this reason."""
    result = events.Result(verdict="void", outcome=None, reason=why, turns=0)
    packed = msgspec.Raw(msgspec.json.encode(result))
    return GameReport(claim.fence, to_played(claim.pairing, result), packed, "", "", 0.0, worker, False)


def worker_name() -> str:
    """Return a name of this worker: its address in a Dask cluster, else its machine and process.

    Two machines may have the same name, and two containers the same process ids; addresses differ.
    """
    dask: Any = sys.modules.get("distributed")
    if dask is not None:
        try:
            return str(dask.get_worker().address)
        except ValueError:  # not a worker of a cluster
            pass
    return f"{socket.gethostname()}:{os.getpid()}"


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

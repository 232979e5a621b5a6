"""The messages between the web server and its workers: a job, which does its work in `done`, and its answers.

Rule of all jobs: a job holds plain data only, positions as JSON and records as bytes; states and players are
never sent, and received data is only ever decoded, not executed.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec import Struct

from touchline.web.workers.cup_jobs import LookAtCup, PageOfCup, RecordOfCup, ReportOnCup, TabulateCup
from touchline.web.workers.game_jobs import Demonstrate, ListGames, ListTutorial
from touchline.web.workers.player_jobs import Advise, Choose
from touchline.web.workers.record_jobs import (
    AnalyseRecord,
    AnimateRecord,
    DrawRecord,
    ListPositions,
    VerifyRecord,
)
from touchline.web.workers.table_jobs import CheckTable, DrawPosition

Job: TypeAlias = (
    ListGames | ListTutorial | Demonstrate | CheckTable | DrawPosition | Choose | Advise
    | VerifyRecord | ListPositions | DrawRecord | AnimateRecord | AnalyseRecord
    | LookAtCup | TabulateCup | ReportOnCup | PageOfCup | RecordOfCup
)  # fmt: skip


class JobStarted(Struct, frozen=True, tag="started"):
    """The worker starts the job: everything is imported and decoded, and the timeout runs."""


class JobCompiling(Struct, frozen=True, tag="compiling"):
    """The worker compiles kernels of a house player, so that the job has to wait; sent for each kernel."""

    seconds: float = 0.0
    """The seconds that it will probably take."""


class JobProgress(Struct, frozen=True, tag="progress"):
    """A long job has come so far."""

    done: int
    of: int


class JobDone(Struct, frozen=True, tag="done"):
    """The result of a job, encoded."""

    what: bytes


class JobRefused(Struct, frozen=True, tag="wrong"):
    """The job failed: `kind` is the class of a TouchlineError, or empty for any other exception."""

    kind: str
    text: str


JobAnswer: TypeAlias = JobStarted | JobCompiling | JobProgress | JobDone | JobRefused
pack = msgspec.msgpack.Encoder().encode
unpack_job = msgspec.msgpack.Decoder(Job).decode
unpack_answer = msgspec.msgpack.Decoder(JobAnswer).decode

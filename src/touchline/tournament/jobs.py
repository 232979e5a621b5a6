"""Hand jobs to an executor, with the coordinator's version and the bundles that a worker lacks; take reports.

Law of this file: a future of `submit` has a reply without `lacks`, or the worker's exception.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from touchline.bundles.bundle import packed
from touchline.core.errors import BadOptions
from touchline.tournament.installation import installed
from touchline.tournament.ledger.base import Submission
from touchline.tournament.worker import Job, JobReply, play_job, read_reply

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from touchline.bundles.store import BundleStore
    from touchline.tournament.worker import GameReport


def submit(executor: Executor, job: Job, store: BundleStore | None = None) -> Future[JobReply]:
    """Submit a job. A worker that lacks bundles gets the job again, with these from the store.

    Raises what `executor.submit` raises.
    """
    if job.installation is None:
        job = replace(job, installation=installed())
    answer: Future[JobReply] = Future()
    answer.set_running_or_notify_cancel()
    _send(executor, job, store, answer)
    return answer


def submission_of(report: GameReport) -> Submission:
    """Return what a worker has reported as the ledger takes it."""
    return Submission(
        played=report.played, fence=report.fence, result=bytes(report.result), record=report.record.encode(),
        digest=report.digest, worker=report.worker, seconds=report.seconds,
        oversubscribed=report.oversubscribed,
    )  # fmt: skip


def _send(executor: Executor, job: Job, store: BundleStore | None, answer: Future[JobReply]) -> None:
    sent = executor.submit(play_job, msgspec.json.encode(job))
    sent.add_done_callback(lambda done: _take(done, executor, job, store, answer))


def _take(
    done: Future[bytes], executor: Executor, job: Job, store: BundleStore | None, answer: Future[JobReply]
) -> None:
    """Pass on a reply, or send the job again with what the worker lacks."""
    try:
        reply = read_reply(done.result())
        if reply.lacks and store is not None and not job.sent.keys() >= {*reply.lacks}:
            lacking = {digest: packed(store.get(digest)) for digest in reply.lacks}
            _send(executor, replace(job, sent={**job.sent, **lacking}), store, answer)
        elif reply.lacks:
            why = f"{reply.worker} lacks bundle {reply.lacks[0]}, and it cannot be sent"
            answer.set_exception(BadOptions(why))
        else:
            answer.set_result(reply)
    except BaseException as error:  # a dead worker, a cancelled future, a broken executor, a damaged bundle
        answer.set_exception(error)

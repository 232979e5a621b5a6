"""Put the records of files on the shelf when the server starts, each after a worker has verified it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from touchline.core.errors import BadInput, TouchlineError
from touchline.web import schema
from touchline.web.handlers.records import MOST_DROPPED
from touchline.web.workers.lanes import Busy
from touchline.web.workers.pool import JobFailed, Overdue
from touchline.web.workers.record_jobs import VerifyRecord

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from touchline.web.record_shelf import RecordShelf
    from touchline.web.workers.pool import JobPool

log = logging.getLogger(__name__)

SECONDS = 60.0
"""Timeout for the verification of a record."""


async def shelve(files: Sequence[Path], shelf: RecordShelf, workers: JobPool) -> None:
    """Put the records of these files on the shelf, one after the other; one that is wrong is logged."""
    for file in files:
        try:
            data, made = await asyncio.to_thread(_read, file)
            record = await workers.do(
                VerifyRecord(data, made, "folder"), schema.RecordSummary, seconds=SECONDS
            )
        except (OSError, TouchlineError, Busy, Overdue, JobFailed) as error:
            log.warning("%s is not shown: %s", file, error)
        else:
            shelf.keep(record, data)


def _read(file: Path) -> tuple[bytes, int]:
    """Read a record, and when it was written, in milliseconds."""
    stat = file.stat()
    if stat.st_size > MOST_DROPPED:
        raise BadInput("the record is too large", str(file))
    return file.read_bytes(), int(stat.st_mtime * 1000)

"""Tables of house players that the server keeps running for those who come to look."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from touchline.core.errors import TouchlineError
from touchline.web.refusals import LimitReached
from touchline.web.tables.resume import THE_HOUSE
from touchline.web.workers.lanes import Busy
from touchline.web.workers.pool import JobFailed, Overdue

if TYPE_CHECKING:
    from touchline.web import schema
    from touchline.web.tables.page_tables import PageTables
    from touchline.web.tables.resume import LeftBehind

log = logging.getLogger(__name__)

INTERVAL = 5.0
"""Seconds between two matches."""


async def keep_showing(tables: PageTables, left: LeftBehind, new: schema.NewTable) -> None:
    """Make such a table again and again, each when the match of the one before is over.

    The first may be one that goes on after a restart.
    """
    before = left.show(new)
    if before is not None:
        await before.over.wait()
        await asyncio.sleep(INTERVAL)
    while not tables.stopping:
        try:
            made = await tables.make(new, THE_HOUSE)
        except TouchlineError as error:
            log.error("the demonstration table cannot be made: %s", error)
            return
        except (LimitReached, Busy, Overdue, JobFailed) as error:
            log.warning("the demonstration table cannot be made now: %s", error)
        else:
            await tables.by_id[made.table.id].over.wait()
        await asyncio.sleep(INTERVAL)

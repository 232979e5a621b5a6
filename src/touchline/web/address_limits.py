"""How much one address may ask for: requests, tables, costly work, live connections and wrong tokens.

Rule of this file: this machine has no limit, unless `Rates.trust_loopback` is off; but wrong tokens are
counted for everybody.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING

from touchline.web.guard import TokenBucket, address_of, is_loopback
from touchline.web.http import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from aiohttp import web

    from touchline.web.guard import Rates
    from touchline.web.workers.lanes import WorkerTime

MOST_CONNECTIONS = 64
"""Live connections per address; loopback has no limit."""


class AddressLimits:
    """Counts what addresses ask for. To count beyond a limit raises Problem, with the seconds to wait."""

    def __init__(self, rates: Rates, worker_time: WorkerTime) -> None:
        self._rates, self._worker_time = rates, worker_time
        self._requests, self._tables = TokenBucket(*rates.requests), TokenBucket(*rates.tables)
        self._costly, self._wrong = TokenBucket(*rates.costly), TokenBucket(*rates.wrong_tokens)
        self._live: Counter[str] = Counter()

    def is_trusted(self, address: str) -> bool:
        """Whether an address has no limit."""
        return self._rates.trust_loopback and is_loopback(address)

    def count_request(self, request: web.Request) -> None:
        """Count a request of any kind."""
        self._count(address_of(request), self._requests)

    def count_costly(self, request: web.Request) -> None:
        """Count a request that has a worker think, draw or verify."""
        self._count(address_of(request), self._costly, works=True)

    def count_table(self, address: str) -> None:
        """Count a request for a new table, or for a rematch."""
        self._count(address, self._tables, works=True)

    def _count(self, address: str, bucket: TokenBucket, *, works: bool = False) -> None:
        if self.is_trusted(address):
            return
        wait = bucket.take(address)
        if wait:
            raise Problem(429, "too_many", "too many requests; wait a little", wait)
        if works:
            self._check_worker_time(address)

    def _check_worker_time(self, address: str) -> None:
        """Problem if an address has used too much worker time lately to ask for more; its matches go on."""
        wait = self._worker_time.wait(address, self._rates.worker_seconds)
        if wait:
            raise Problem(429, "too_many", "your address has used much worker time; wait a little", wait)

    def count_wrong_token(self, address: str) -> None:
        """Count a wrong token or key."""
        wait = self._wrong.take(address)
        if wait:
            raise Problem(429, "too_many", "too many wrong tokens; wait a little", wait)

    @contextlib.contextmanager
    def connection(self, request: web.Request) -> Iterator[None]:
        """Count a live connection while it lasts."""
        address = address_of(request)
        if not self.is_trusted(address) and self._live[address] >= MOST_CONNECTIONS:
            raise Problem(429, "too_many", "too many live connections from your address", 10)
        self._live[address] += 1
        try:
            yield
        finally:
            self._live[address] -= 1
            if not self._live[address]:
                del self._live[address]

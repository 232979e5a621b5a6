"""Work that many want done, in virtual time: once for all of them, and how long it rests."""

from __future__ import annotations

import asyncio

import pytest

from touchline.testing import virtual_time
from touchline.web.live.throttle import AGAIN, REST, Paced


def rests(*took: float) -> list[float]:
    """How long it rests after it has taken so long, each time."""

    async def main() -> list[float]:
        loop, lengths, found = asyncio.get_running_loop(), iter(took), []

        async def work() -> None:
            await asyncio.sleep(next(lengths))

        paced = Paced(work)
        for _ in took:
            await paced.done()
            found.append(round(paced.again - loop.time(), 6))
            await asyncio.sleep(paced.again - loop.time())
        return found

    return virtual_time.run(main())


def test_it_rests_in_proportion() -> None:
    """A slow piece of work is not done all the time, and one that was held up once is not slow."""
    assert rests(0.1, 0.1, 0.1) == [AGAIN] * 3
    assert rests(5, 0.1, 0.1) == [AGAIN] * 3, "the first time a worker has to start"
    assert rests(0.1, 5, 0.1) == [AGAIN] * 3
    assert rests(2, 3, 1, 5) == [AGAIN, 2 * REST, REST, REST]


def test_it_is_done_once_for_all_who_want_it() -> None:
    """Who comes while it is being done waits for that; who comes while it rests does not wait."""

    async def main() -> None:
        done = 0

        async def work() -> None:
            nonlocal done
            await asyncio.sleep(0.5)
            done += 1

        paced = Paced(work)
        await asyncio.gather(*(paced.done() for _ in range(3)))
        await paced.done()
        assert done == 1
        await asyncio.sleep(AGAIN)
        await paced.done(patience=0.1)
        assert done == 1, "it is not waited for any longer"
        await paced.done()
        assert done == 2

    virtual_time.run(main())


def test_what_goes_wrong_is_told_to_who_waits() -> None:
    """And the work rests then as well."""

    async def main() -> None:
        async def work() -> None:
            raise OSError("gone")

        paced = Paced(work)
        with pytest.raises(OSError, match="gone"):
            await paced.done()
        await paced.done()
        await asyncio.sleep(AGAIN)
        with pytest.raises(OSError, match="gone"):
            await paced.done()

    virtual_time.run(main())

"""The throttle, in virtual time: one run for all concurrent callers, and the pause after it."""

from __future__ import annotations

import asyncio

import pytest

from touchline.testing import virtual_time
from touchline.web.live.throttle import AGAIN, REST, Throttle


def pauses(*took: float) -> list[float]:
    """The pause after each run, for runs of these durations in seconds."""

    async def main() -> list[float]:
        loop, lengths, found = asyncio.get_running_loop(), iter(took), []

        async def work() -> None:
            await asyncio.sleep(next(lengths))

        throttle = Throttle(work)
        for _ in took:
            await throttle.done()
            found.append(round(throttle.again - loop.time(), 6))
            await asyncio.sleep(throttle.again - loop.time())
        return found

    return virtual_time.run(main())


def test_the_pause_is_proportional() -> None:
    """Slow work pauses longer; one slow run among fast ones does not count."""
    assert pauses(0.1, 0.1, 0.1) == [AGAIN] * 3
    assert pauses(5, 0.1, 0.1) == [AGAIN] * 3, "the first time a worker has to start"
    assert pauses(0.1, 5, 0.1) == [AGAIN] * 3
    assert pauses(2, 3, 1, 5) == [AGAIN, 2 * REST, REST, REST]


def test_concurrent_callers_share_one_run() -> None:
    """A caller during a run waits for it; a caller during the pause returns at once."""

    async def main() -> None:
        done = 0

        async def work() -> None:
            nonlocal done
            await asyncio.sleep(0.5)
            done += 1

        throttle = Throttle(work)
        await asyncio.gather(*(throttle.done() for _ in range(3)))
        await throttle.done()
        assert done == 1
        await asyncio.sleep(AGAIN)
        await throttle.done(patience=0.1)
        assert done == 1, "the caller has waited long enough"
        await throttle.done()
        assert done == 2

    virtual_time.run(main())


def test_an_exception_reaches_the_caller() -> None:
    """And the pause follows as after a success."""

    async def main() -> None:
        async def work() -> None:
            raise OSError("gone")

        throttle = Throttle(work)
        with pytest.raises(OSError, match="gone"):
            await throttle.done()
        await throttle.done()
        await asyncio.sleep(AGAIN)
        with pytest.raises(OSError, match="gone"):
            await throttle.done()

    virtual_time.run(main())

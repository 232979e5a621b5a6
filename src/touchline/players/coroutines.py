"""Players whose methods are coroutines: run each call to completion.

The note of seed 003 has `Task<Option<IMove>> RequestMove(int timeout)`, so a player may be written with
`async def`. Each player has its own event loop, which runs only during a call.
"""

from __future__ import annotations

import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class CoroutinePlayer:
    """A proxy that runs a player's coroutine methods synchronously, and passes everything else through.

    >>> import asyncio
    >>> class Player:
    ...     async def choose(self, view, turn):
    ...         await asyncio.sleep(0)
    ...         return view[turn]
    >>> CoroutinePlayer(Player()).choose("abc", 1)
    'b'
    """

    def __init__(self, player: Any) -> None:
        vars(self).update(_player=player, _loop=None)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._player, name)
        return partial(self._call, found) if callable(found) else found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._player, name, value)

    def _call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        result = method(*arguments)
        return self._settled(result) if hasattr(result, "__await__") else result

    def _settled(self, result: Awaitable[Any]) -> Any:
        import asyncio  # lazy: importing it slows down the start of every Python player

        if self._loop is None:
            loop = asyncio.new_event_loop()
            vars(self).update(_loop=loop)
            weakref.finalize(self, loop.close)
        run = partial(self._loop.run_until_complete, _value_of(result))
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return run()
        return _in_a_thread(run)  # this thread already runs an event loop, that of the table


async def _value_of(result: Awaitable[Any]) -> Any:
    return await result


def _in_a_thread(run: Callable[[], Any]) -> Any:
    """Call `run` in a new thread; wait for it, and return its result."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, "coroutine-player") as thread:
        return thread.submit(run).result()

"""Players whose methods are coroutines: each is run to its end when it is called.

The note of seed 003 has `Task<Option<IMove>> RequestMove(int timeout)`, so a player may well be written with
`async def`. A player has an event loop of its own, which runs while one of its methods does.
"""

from __future__ import annotations

import weakref
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class Awaiting:
    """A player behind which coroutines are awaited; everything else is as it is.

    >>> import asyncio
    >>> class Player:
    ...     async def choose(self, view, turn):
    ...         await asyncio.sleep(0)
    ...         return view[turn]
    >>> Awaiting(Player()).choose("abc", 1)
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
        import asyncio  # only now: a program that is started has to load it

        if self._loop is None:
            loop = asyncio.new_event_loop()
            vars(self).update(_loop=loop)
            weakref.finalize(self, loop.close)
        run = partial(self._loop.run_until_complete, _value_of(result))
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return run()
        return _in_a_thread(run)  # a table's loop runs here


async def _value_of(result: Awaitable[Any]) -> Any:
    return await result


def _in_a_thread(run: Callable[[], Any]) -> Any:
    """Return what this returns, run in a thread that is waited for."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, "awaiting") as thread:
        return thread.submit(run).result()

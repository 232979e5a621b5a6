"""The sign-up of both courses: one or two waiting periods, which end early when all places are taken."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.server.sign_up import Door, Guest
from touchline.transports.base import transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game
    from touchline.dialects.base import Dialect


class SignUpPeriod:
    """The guests that have signed up, in order of sign-up."""

    def __init__(self, most: int, make: Callable[[], Dialect]) -> None:
        self._most, self._make = most, make
        self.guests: list[Guest] = []
        self._full = asyncio.Event()

    def welcome(self, guest: Guest) -> None:
        if len(self.guests) >= self._most:
            guest.connection.close()
            return
        guest.dialect = self._make()
        guest.wait(lambda: self.guests.remove(guest) if guest in self.guests else None)
        self.guests.append(guest)
        if len(self.guests) >= self._most:
            self._full.set()

    def seated(self, token: str) -> Guest | None:
        return None  # no course has words for resuming a seat

    async def period(self, seconds: float) -> None:
        """Wait for `seconds`, or until all places are taken."""
        try:
            async with asyncio.timeout(seconds):
                await self._full.wait()
        except TimeoutError:
            pass


async def signed_up(
    port: int,
    game: Game,
    dialect: str,
    *,
    least: int,
    most: int,
    seconds: float,
    name_seconds: float,
    make: Callable[[Game], Dialect] | None = None,
    listening: Callable[[int], None] = lambda port: None,
) -> list[Guest]:
    """Return the guests that signed up within one period, or within two if the first brings too few.

    If there are fewer than `least` after that, disconnect them and return an empty list. `make` creates the
    referee's side of the dialect for each guest, if that needs more than the game.
    """
    spoken = registry.dialect(dialect)
    host = SignUpPeriod(most, partial(make or spoken, game))
    door = Door(host, spoken, first_word=name_seconds, most_per_address=256)
    try:
        server = await transport("tcp").listen("127.0.0.1", port, door.connected, framing=spoken.framing)
    except OSError as error:
        raise BadOptions(f"cannot listen at port {port}: {error.strerror}") from None
    listening(server.port)
    try:
        await host.period(seconds)
        if len(host.guests) < least:
            await host.period(seconds)
    finally:
        door.shut()
        server.close()
    if len(host.guests) < least:
        for guest in host.guests:
            guest.connection.close()
        return []
    return host.guests

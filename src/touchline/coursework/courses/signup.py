"""Sign-up as both courses do it: a period, perhaps a second one; it is over at once when all have come."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.server.sign_up import Door, Guest
from touchline.transports.base import transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game
    from touchline.transports.base import Connection


class SignUp:
    """Those who have signed up, in the order in which they came."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.guests: list[Guest] = []
        self._full = asyncio.Event()

    def welcome(self, guest: Guest) -> None:
        if len(self.guests) >= self._most:
            guest.connection.close()
            return
        guest.gone = lambda: self.guests.remove(guest) if guest in self.guests else None
        guest.connection.listen(guest)
        self.guests.append(guest)
        if len(self.guests) >= self._most:
            self._full.set()

    def returned(self, token: str, connection: Connection) -> bool:
        return False

    async def period(self, seconds: float) -> None:
        """Wait so long, or until everybody is there."""
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
    make: Callable[[Any], Any] | None = None,
    listening: Callable[[int], None] = lambda port: None,
) -> list[Guest]:
    """Everybody who came within a period, or within two if the first brings too few; then nobody more."""
    module = registry.dialect(dialect)
    door = Door(
        host := SignUp(most), game, module, first_word=name_seconds, most_per_address=256, dialect=make
    )
    try:
        server = await transport("tcp").listen(
            "127.0.0.1", port, door.connected, framing=module.DIALECT.framing
        )
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
    return host.guests

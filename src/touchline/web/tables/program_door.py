"""The door by which programs take their seats at tables of the page.

Rules of this file: a program signs up with the token of its seat as its key; one that connects before the
tables are set up waits.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.dialects import DEFAULT
from touchline.dialects.base import Refusal
from touchline.server.sign_up import Door, WrongSecret
from touchline.transports.base import ListenOptions, transport
from touchline.web.tables.chair import digest
from touchline.web.tables.new_table import check_name

if TYPE_CHECKING:
    from touchline.server.sign_up import Guest
    from touchline.transports.base import Connection, Listening
    from touchline.transports.shared.addresses import TrustedProxies
    from touchline.web.tables.chair import Chair
    from touchline.web.tables.seat_tokens import SeatTokens
    from touchline.web.tables.table import PageTable

TRANSPORT = "tcp"
RETURNING = 60.0
"""Seconds after the start in which programs of before a restart may ask for seats that are gone."""


class ProgramDoor:
    """Listens for programs, and gives each the seat that its token opens."""

    def __init__(self, tokens: SeatTokens) -> None:
        self._tokens = tokens
        self._sign_ups = Door(self, registry.dialect(DEFAULT), returning=RETURNING)
        self._is_open = False
        self._early: list[Connection] = []
        self._listening: Listening | None = None

    # -- connections --------------------------------------------------------------------------

    async def listen(self, host: str, old: int | None, proxies: TrustedProxies) -> int:
        """Listen, and return the port; OSError if that is impossible.

        Programs of before a restart look for the door at its old port, which is taken again if it is free.
        """
        listen = partial(
            transport(TRANSPORT).listen,
            framing=registry.dialect(DEFAULT).framing,
            options=ListenOptions(proxies),
        )
        if old is not None:
            with contextlib.suppress(OSError):
                self._listening = await listen(host, old, self._connected)
                return self._listening.port
        self._listening = await listen(host, 0, self._connected)
        return self._listening.port

    def url(self, host: str) -> str:
        """Return the address of the door on a host of this name."""
        assert self._listening is not None
        return transport(TRANSPORT).url(host, self._listening.port, DEFAULT)

    def _connected(self, connection: Connection) -> None:
        """Take a connection, but not before the tables are set up."""
        if self._is_open:
            self._sign_ups.connected(connection)
        else:
            self._early.append(connection)

    def open(self) -> None:
        """Let in who is waiting, and from now on everybody: the tables are set up."""
        self._is_open = True
        for connection in self._early:
            self._sign_ups.connected(connection)
        self._early.clear()

    def close(self) -> None:
        """Stop listening."""
        if self._listening is not None:
            self._listening.close()

    # -- what the sign-up asks (Host) ---------------------------------------------------------

    def welcome(self, guest: Guest) -> None:
        """Give a program the seat whose token it knows."""
        table, seat = self._tokens.find(guest.key) or (None, 0)
        if table is None or table.chairs[seat].kind != "remote":
            raise WrongSecret("no seat has this token: paste the line from the page")
        chair = table.chairs[seat]
        if chair.taken or table.state != "open":
            raise Refusal("somebody sits there already")
        try:
            check_name(guest.name, [other.name for other in table.chairs])
        except BadOptions as error:
            raise Refusal(str(error)) from None
        guest.dialect = guest.spoken(table.game)
        chair.guest, chair.name, chair.taken = guest, guest.name, True
        self._tokens.add(digest(guest.token), table, seat)
        guest.wait(lambda: self._left(table, chair, guest))
        table.begin_if_full()

    def _left(self, table: PageTable, chair: Chair, guest: Guest) -> None:
        """Free the seat of a program that hung up before the match."""
        if chair.guest is guest and table.state == "open":
            chair.guest, chair.name, chair.taken = None, None, False
            self._tokens.remove(digest(guest.token))
            table.begin_if_full()

    def seated(self, token: str) -> Guest | None:
        """Return the program whose seat has this token."""
        table, seat = self._tokens.find(token) or (None, 0)
        return None if table is None else table.chairs[seat].guest

"""The sign-up of both courses: one or two waiting periods, which end early when all places are taken."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.coursework.courses.connection import CourseConnection, CourseTcp
from touchline.coursework.courses.game_records import GameRecords
from touchline.coursework.courses.news import MOST_QUOTED, News, quiet, shown
from touchline.dialects.base import Refusal
from touchline.server.sign_up import Door, Guest
from touchline.transports.base import LOOPBACK, transport

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import Game
    from touchline.coursework.courses.news import Event, Tell
    from touchline.dialects.base import Dialect
    from touchline.transports.base import Connection

OPEN_TO_ALL = "other machines can reach it, and the protocol has no key: anybody who can connect may sign up"

MOST_REFUSALS = 100
"""Refusals that are told of one server."""


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """What both courses' servers are told."""

    host: str = LOOPBACK[0]
    lenient: bool = False
    """Whether to read messages that break the letter of the protocol, as `lenient.py` lists them."""
    verbose: bool = False
    """Whether to tell every frame that is sent and received."""
    records: GameRecords = field(default_factory=GameRecords)
    tell: Tell = quiet
    """Is told what happens."""


USUAL = ServerOptions()


class SignUpPeriod:
    """The guests that have signed up, in order of sign-up."""

    def __init__(self, most: int, make: Callable[[], Dialect], options: ServerOptions) -> None:
        self._most, self._make, self._options = most, make, options
        self.guests: list[Guest] = []
        self._number = self._refused = 0
        self._players: dict[str, tuple[str, int]] = {}
        """Name and number of each player, by its address."""
        self._full = asyncio.Event()

    def welcome(self, guest: Guest) -> None:
        if len(self.guests) >= self._most:
            raise Refusal(f"all {self._most} places are taken")
        guest.dialect = self._make()
        self._number += 1
        self._players[guest.connection.where] = (guest.name, self._number)
        self.guests.append(guest)
        self._say("signed_up", guest.connection.where, where=guest.connection.where)
        self._tell_mended(guest)
        guest.wait(lambda: self._left(guest))
        if len(self.guests) >= self._most:
            self._full.set()

    def _left(self, guest: Guest) -> None:
        if guest in self.guests:
            self.guests.remove(guest)
            self._say("left", guest.connection.where)

    def _tell_mended(self, guest: Guest) -> None:
        connection, where = guest.connection, guest.connection.where
        if isinstance(connection, CourseConnection):
            for kind in connection.mended:
                self._say("mended", where, why=kind)
            connection.on_mended = lambda kind: self._say("mended", where, why=kind)

    def _say(
        self,
        event: Event,
        address: str,
        *,
        where: str | None = None,
        why: str | None = None,
        text: str | None = None,
    ) -> None:
        """Tell something about the player at an address, by its name if it has signed up."""
        name, number = self._players.get(address, (None, None))
        where = address if name is None else where
        self._options.tell(News(event=event, name=name, player=number, where=where, why=why, text=text))

    def refused(self, where: str, why: str, received: bytes) -> None:
        """Tell that a connection was refused; so many of them, since anybody can connect again and again."""
        self._refused += 1
        if self._refused > MOST_REFUSALS:
            if self._refused == MOST_REFUSALS + 1:
                self._options.tell(News(event="waiting", why="more are refused, which are not listed"))
            return
        sent = f"; it sent {shown(received, MOST_QUOTED)}" if received else ""
        self._say("refused", where, why=f"{why}{sent}")

    def show(self, connection: Connection, way: str, frame: bytes) -> None:
        """Tell a frame that was received or sent."""
        self._say("frame", connection.where, text=f"{way} {shown(frame)}")

    def number(self, guest: Guest) -> int:
        """Return the number of a player, counted from 1 in order of sign-up."""
        return self._players[guest.connection.where][1]

    def seated(self, token: str) -> Guest | None:
        return None  # no course has words for resuming a seat

    async def period(self, seconds: float) -> None:
        """Wait for `seconds`, or until all places are taken."""
        try:
            async with asyncio.timeout(seconds):
                await self._full.wait()
        except TimeoutError:
            pass


@dataclass(frozen=True)
class SignedUp:
    """A player of a course: a guest and its number, counted from 1 in order of sign-up."""

    guest: Guest
    number: int

    def news(
        self, event: Event, *, game: int | None = None, turn: int | None = None, why: str | None = None
    ) -> News:
        """Return an event of this player."""
        return News(event=event, name=self.guest.name, player=self.number, game=game, turn=turn, why=why)


async def signed_up(
    port: int,
    game: Game,
    dialect: str,
    *,
    least: int,
    most: int,
    places: int | None = None,
    seconds: float,
    name_seconds: float,
    make: Callable[[Game], Dialect] | None = None,
    listening: Callable[[int], None] = lambda port: None,
    options: ServerOptions = USUAL,
) -> list[SignedUp]:
    """Return the players that signed up within one period, or within two if the first brings too few.

    If there are fewer than `least` after that, disconnect them and return an empty list. A period ends early
    when `most` have signed up. If the game has fewer `places`, the first ones get them, and the others are
    disconnected. `make` creates the referee's side of the dialect for each guest, if that needs more than the
    game.
    """
    spoken = registry.dialect(dialect)
    host = SignUpPeriod(most, partial(make or spoken, game), options)
    door = Door(
        host, spoken, first_word=name_seconds, most_per_address=256,
        refused=None if options.tell is quiet else host.refused,
    )  # fmt: skip
    tcp = transport("tcp")
    if options.lenient or options.verbose:
        tcp = CourseTcp(lenient=options.lenient, show=host.show if options.verbose else None)
    try:
        server = await tcp.listen(options.host, port, door.connected, framing=spoken.framing)
    except OSError as error:
        why = error.strerror or error
        raise BadOptions(f"cannot listen at {options.host}, port {port}: {why}; choose another") from None
    listening(server.port)
    _tell_address(options, server.port)
    try:
        await host.period(seconds)
        if len(host.guests) < least:
            if seconds:
                why = f"{len(host.guests)} signed up, and {least} are needed: another {seconds:g} s"
                options.tell(News(event="waiting", why=why))
            await host.period(seconds)
    finally:
        door.shut()
        server.close()
    return _seated(host, least, places, options)


def _tell_address(options: ServerOptions, port: int) -> None:
    host = f"[{options.host}]" if ":" in options.host else options.host
    options.tell(News(event="listening", where=f"{host}:{port}"))
    if options.host not in LOOPBACK:
        options.tell(News(event="waiting", why=f"{host}:{port}: {OPEN_TO_ALL}"))


def _seated(host: SignUpPeriod, least: int, places: int | None, options: ServerOptions) -> list[SignedUp]:
    """Return the players that play, and send the others away."""
    guests = [SignedUp(guest, host.number(guest)) for guest in host.guests]
    seated: list[SignedUp] = []
    if len(guests) < least:
        why = f"{len(guests)} of at least {least} players signed up"
    elif places is not None and places < least:
        why = f"the state has {places} of at least {least} places"
    else:
        seated, why = guests[:places], f"the game has {places} places, and the first to sign up have them"
    if not seated:
        options.tell(News(event="too_few", why=f"there is no game: {why}"))
    for away in guests[len(seated) :]:
        options.tell(away.news("sent_away", why=why))
        away.guest.connection.receiver = None
        away.guest.connection.close()
    return seated

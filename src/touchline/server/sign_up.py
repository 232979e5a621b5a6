"""The door of a server: a connection comes in, signs up in its dialect with its first word, and is a guest.

Laws of this file: nobody who has not signed up costs more than a connection and ten seconds; identity is the
seat and its token, never the name.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.messages import MOST_INBOUND, Expelled
from touchline.dialects import native
from touchline.dialects.base import Refusal, plain
from touchline.server.lobby import unfit
from touchline.transports.base import transport

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from touchline.core.rules import Game
    from touchline.players.remote import Remote
    from touchline.transports.base import Connection, Listening

log = logging.getLogger(__name__)

FIRST_WORD = 10.0
"""Seconds until a connection must have signed up."""
MOST_CONNECTIONS = 12_000
MOST_LOGGED = 20
"""So many refused sign-ups are logged in a minute."""
MOST_FAILURES = 10
"""So many wrong tokens or refused sign-ups an address may have in a minute."""
TOO_LATE = "it is too late to sign up"
NOTHING_SAID = "did not sign up in time: the first message must be complete"
CROWDED = "too many connections that have not signed up"
FAILING = "too many refused sign-ups from there"


class Listen(Struct, frozen=True):
    """Where a dialect is spoken: `tcp://127.0.0.1:4500/native`."""

    scheme: str
    host: str
    port: int
    dialect: str

    @classmethod
    def read(cls, url: str) -> Listen:
        """Return the address in a URL; BadOptions says what is wrong with it.

        >>> Listen.read("ws://localhost:0/seed-001")
        Listen(scheme='ws', host='localhost', port=0, dialect='seed-001')
        """
        scheme, _, address = url.partition("://")
        if scheme not in (schemes := registry.names("transports")):
            raise BadOptions(
                f"{url!r} is no address: write SCHEME://HOST:PORT/DIALECT; schemes: {', '.join(schemes)}"
            )
        try:
            host, port, dialect = transport(scheme).read(address)
        except ValueError:
            form = transport(scheme).form
            raise BadOptions(f"{url!r} is no address: write {scheme}://{form}/DIALECT") from None
        return cls(scheme, host, port, dialect or "native")

    @property
    def here(self) -> bool:
        """Whether only this machine can come in."""
        return transport(self.scheme).is_local(self.host)

    def url(self, port: int) -> str:
        return transport(self.scheme).url(self.host, port, self.dialect)


class Guest:
    """Somebody who has signed up, in a dialect, over a connection."""

    def __init__(self, name: str, connection: Connection, spoken: Any, door: Door, key: str = "") -> None:
        self.name, self.connection, self.dialect = name, connection, spoken
        self._door, self.key = door, key
        """The door by which it came, and what it said it knows."""
        self.token = secrets.token_hex(16)
        self.remote: Remote | None = None
        self.gone: Callable[[], None] = lambda: None
        """Told when the connection is lost before there is a table."""

    # A guest who waits has nothing to say.

    def frame(self, frame: bytes) -> None:
        self._door.refuse(self.connection, f"{self.name} said more than its name before its match began")
        self.gone()

    def lost(self, why: str) -> None:
        self.gone()

    def flooded(self, why: str) -> None:
        self._door.cut_off(self.connection, why)
        self.gone()

    def writable(self) -> None:
        """It reads; good."""


class Host(Protocol):
    """Whoever lets guests in."""

    def welcome(self, guest: Guest) -> None:
        """This one has signed up."""

    def returned(self, token: str, connection: Connection) -> bool:
        """This one says it has a seat; False if not."""


class Door:
    """Where connections come in that speak one dialect: each must sign up with its first word."""

    def __init__(
        self,
        host: Host,
        game: Game,
        module: ModuleType,
        *,
        key: str | None = None,
        first_word: float = FIRST_WORD,
        most_per_address: int = 64,
        dialect: Callable[[Game], Any] | None = None,
    ) -> None:
        self._host, self._game, self._module = host, game, module
        self._key, self._first_word, self._most = key, first_word, most_per_address
        self._make: Callable[[Game], Any] = dialect or module.DIALECT
        self._refused = _RefusalLog(module.DIALECT.name)
        self._from: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._open = True

    def shut(self) -> None:
        """Let nobody in any more but those who have a seat and come back to it."""
        self._open = False

    def connected(self, connection: Connection) -> None:
        address = connection.where.rpartition(":")[0]
        crowded = self._from[address] >= self._most or self._from.total() >= MOST_CONNECTIONS
        futile = not self._open and self._module is not native
        if futile:
            self.refuse(connection, TOO_LATE)
            return
        if crowded or self._failures[address] >= MOST_FAILURES:
            self.cut_off(connection, CROWDED if crowded else FAILING)
            return
        self._from[address] += 1
        connection.listen(_Knock(self, connection, address, self._first_word))

    def released(self, address: str) -> None:
        """A connection from there is a guest's now, or gone."""
        self._from[address] -= 1
        if self._from[address] <= 0:
            del self._from[address]

    def failed(self, address: str) -> None:
        self._failures[address] += 1
        asyncio.get_running_loop().call_later(60, self._forgive, address)

    def _forgive(self, address: str) -> None:
        self._failures[address] -= 1
        if self._failures[address] <= 0:
            del self._failures[address]

    def sign_up(self, connection: Connection, frame: bytes) -> None:
        """Let this one in. Refusal if that cannot be, and it ought to have known."""
        if self._module is native:
            self._say_hello(connection, native.hello(frame))
        elif not self._open:
            self.refuse(connection, TOO_LATE)
        else:
            name = self._module.DIALECT.signed_up(frame)
            self._host.welcome(Guest(name, connection, self._make(self._game), self))

    def refuse(self, connection: Connection, why: str) -> None:
        """Send this one away, and say why where its dialect has a word for that."""
        self._refused.add(connection.where, why)
        for frame in self._make(self._game).say(Expelled(why)).frames:
            connection.send(frame)
        connection.close()

    def cut_off(self, connection: Connection, why: str) -> None:
        """Close this one's connection without a word."""
        self._refused.add(connection.where, why)
        connection.close(at_once=True)

    def _say_hello(self, connection: Connection, hello: native.Hello) -> None:
        if hello.token is not None:
            if not self._host.returned(hello.token, connection):
                raise Refusal("no seat has this token")
            return
        if not self._open:
            self.refuse(connection, TOO_LATE)
            return
        if self._key is not None and not hmac.compare_digest(self._key.encode(), (hello.key or "").encode()):
            raise Refusal("a seat here needs the organiser's key")
        why = unfit(hello.name)
        if why is not None:
            raise Refusal(why)
        guest = Guest(hello.name, connection, self._make(self._game), self, hello.key or "")
        self._host.welcome(guest)


async def listening(
    place: Listen, framing: str, connected: Callable[[Connection], None], most: int = MOST_INBOUND
) -> Listening:
    """Accept connections at an address, with frames of at most `most` bytes. BadOptions if that fails."""
    try:
        return await transport(place.scheme).listen(
            place.host, place.port, connected, framing=framing, path=place.dialect, most=most
        )
    except OSError as error:
        raise BadOptions(f"cannot listen at {place.url(place.port)}: {error.strerror}") from None


class _RefusalLog:
    """Log each refusal once a minute for an address, and no more than so many a minute in all."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._shown: set[tuple[str, str]] = set()

    def add(self, where: str, why: str) -> None:
        refusal = (where.rpartition(":")[0], why)
        if refusal in self._shown or len(self._shown) > MOST_LOGGED:
            return
        if not self._shown:
            asyncio.get_running_loop().call_later(60, self._shown.clear)
        self._shown.add(refusal)
        if len(self._shown) > MOST_LOGGED:
            log.warning("more sign-ups are refused; they are not listed for a minute")
        else:
            log.warning("refused %s, which speaks %s: %s", where, self._dialect, plain(why))


class _Knock:
    """A connection that has not signed up yet."""

    def __init__(self, door: Door, connection: Connection, address: str, seconds: float) -> None:
        self._door, self._connection, self._address = door, connection, address
        self._late = asyncio.get_running_loop().call_later(seconds, self._overdue)

    def frame(self, frame: bytes) -> None:
        self._leave()
        self._connection.receiver = None
        try:
            self._door.sign_up(self._connection, frame)
        except Refusal as refusal:
            self._door.failed(self._address)
            self._door.refuse(self._connection, str(refusal))

    def _overdue(self) -> None:
        self._away(NOTHING_SAID)

    def _away(self, why: str) -> None:
        self._leave()
        self._connection.receiver = None
        self._door.refuse(self._connection, why)

    def _leave(self) -> None:
        self._late.cancel()
        self._door.released(self._address)

    def lost(self, why: str) -> None:
        self._leave()

    def flooded(self, why: str) -> None:
        self._leave()
        self._door.cut_off(self._connection, why)

    def writable(self) -> None:
        """It reads; good."""

"""The sign-up handshake of a server: the first frame of a connection makes it a guest.

Laws of this file:

- A connection that has not signed up holds memory for one message, for ten seconds at most unless the
  organiser sets another limit.
- A player is identified by its seat and token, never by its name.
- A valid token opens the door whatever has come from its address: no connection is turned away before its
  first frame has been read, only given up for a newer one of its address. Only wrong secrets count against an
  address.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import secrets
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from touchline.dialects.base import Refusal, plain
from touchline.server.names import problem_with
from touchline.transports.shared import descriptors
from touchline.transports.shared.addresses import host_of, subscriber
from touchline.transports.shared.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.dialects.base import Dialect
    from touchline.players.remote import Remote
    from touchline.transports.base import Connection

log = logging.getLogger(__name__)

FIRST_WORD = 10.0
"""The default handshake timeout in seconds."""
MOST_CONNECTIONS = 12_000
"""The most connections at one door that have not signed up; bounds memory and file descriptors."""
MINUTE = 60.0
"""The rate-limit window in seconds, for logged refusals and for failures of an address."""
MOST_LOGGED = 20
"""The most refusals that are logged in a minute, so that an attack does not fill the log."""
MOST_QUOTED = 60
"""The most characters of a refused first message that are logged."""
MOST_FAILURES = 10
"""Wrong keys and tokens in a minute after which an address may not sign up; stops guessing of keys."""
TOO_LATE = "it is too late to sign up"
NOTHING_SAID = "did not sign up in time: the first message must be complete"
CROWDED = "too many connections that have not signed up"
FAILING = "too many wrong keys or tokens from there; wait a minute"
SPEAKS_HTTP = "this is a port for players, and a browser or a web client called"
FULL = "there is no room for anybody more"
_HTTP = re.compile(rb"[A-Z]{3,10} \S+ HTTP/\d|PRI \* HTTP/2")


def token_hash(token: str) -> str:
    """Return the hash of a token, which is all that is stored: a lookup takes the same time for any token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class WrongSecret(Refusal):
    """A player gives a wrong key or token: that counts against its address."""


class UnknownToken(WrongSecret):
    """A player asks for a seat that does not exist, or not any more."""


class Guest:
    """A player that has signed up over a connection, in the dialect `spoken`."""

    dialect: Dialect
    """The referee's side of the connection; the host sets it when the game is known."""

    def __init__(
        self, name: str, connection: Connection, spoken: type[Dialect], door: Door | None, key: str = ""
    ) -> None:
        """`door` is None for a guest of before a restart, which comes back with its token."""
        self.name, self.connection, self.spoken, self.key = name, connection, spoken, key
        self._door = door
        self.token = secrets.token_hex(16)
        """The secret with which the player can resume its seat."""
        self.token_hash = token_hash(self.token)
        self.address = subscriber(host_of(connection.where))
        """What caps count as the address of its sign-up."""
        self.remote: Remote | None = None
        """The player at its table, from when the match begins."""
        self._gone: Callable[[], None] = lambda: None

    def wait(self, gone: Callable[[], None]) -> None:
        """Welcome the player, and let it wait; `gone` is called if it leaves before its match begins."""
        self._gone = gone
        self._welcome(self.connection)
        self.connection.listen(self)

    def refuse(self, why: str) -> None:
        """Tell a waiting player that it will not play; its connection stays open."""
        for frame in self.spoken.refuse(why):
            self.connection.send(frame)

    def resume(self, connection: Connection, token: str) -> bool:
        """Give the player its seat back over a new connection; False if it has no seat any more."""
        if self.remote is None or not self.remote.seated:
            return False
        self.token = token
        log.info("%s comes back as %s", connection.where, self.name)
        self._welcome(connection)
        self.remote.come_back(connection)
        return True

    def _welcome(self, connection: Connection) -> None:
        for frame in self.spoken.welcome(self.name, self.token):
            connection.send(frame)

    # -- called by the connection while the guest waits; a guest must not send anything -------------

    def frame(self, frame: bytes) -> None:
        assert self._door is not None
        self._door.refuse(self.connection, f"{self.name} said more than its name before its match began")
        self._gone()

    def lost(self, why: str) -> None:
        self._gone()

    def flooded(self, why: str) -> None:
        assert self._door is not None
        self._door.cut_off(self.connection, why)
        self._gone()

    def writable(self) -> None:
        """Do nothing: no frames are queued."""


class Host(Protocol):
    """The owner of a door: it decides about guests."""

    def welcome(self, guest: Guest) -> None:
        """Take a guest that has signed up, and let it `wait`. Raise Refusal if it cannot stay."""

    def seated(self, token: str) -> Guest | None:
        """Return the guest whose seat has this token."""


class Door:
    """Accepts connections that speak one dialect; each must sign up with its first frame."""

    def __init__(
        self,
        host: Host,
        dialect: type[Dialect],
        *,
        key: str | None = None,
        first_word: float = FIRST_WORD,
        most_per_address: int = 64,
        returning: float = 0.0,
        refused: Callable[[str, str, bytes], None] | None = None,
    ) -> None:
        """`key` is the organiser's secret, if a seat needs one; `first_word` is the timeout in seconds.

        `refused` is called with the address of a refused connection, the reason, and its first frame, if the
        reason is there and it holds no secret. Without it, refusals are logged.

        In the first `returning` seconds an unknown token does not count against an address: the server may
        have been restarted, and players of before ask for their seats.
        """
        self._host, self._dialect = host, dialect
        self._key, self._first_word = key, first_word
        self._refused = refused or _RefusalLog(dialect.name).add
        self._newcomers: Waiting[_Newcomer] = Waiting(most_per_address, MOST_CONNECTIONS)
        self._failures: Counter[str] = Counter()
        self._open = True
        self._strict_from = asyncio.get_running_loop().time() + returning if returning else 0.0

    def shut(self) -> None:
        """Accept no sign-up any more, but let players resume their seats."""
        self._open = False

    def connected(self, connection: Connection) -> None:
        """Accept a connection, and wait for its first frame; if there are too many, give up the oldest."""
        if not self._open and not self._dialect.resumable:
            self.refuse(connection, TOO_LATE)
            return
        if connection.scarce:
            for oldest in self._newcomers.make_room():
                self._give_up(oldest)
        newcomer = _Newcomer(self, connection, subscriber(host_of(connection.where)), self._first_word)
        self._give_up(self._newcomers.add(newcomer, newcomer.address))
        connection.listen(newcomer)

    def _give_up(self, newcomer: _Newcomer | None) -> None:
        """Cut off a connection that has said nothing, to make room for another."""
        if newcomer is not None:
            newcomer.leave()
            self.cut_off(newcomer.connection, CROWDED)

    def released(self, newcomer: _Newcomer) -> None:
        """Stop counting a connection: it has signed up, or is gone."""
        self._newcomers.discard(newcomer)

    @property
    def silent(self) -> int:
        """The number of connections that have not signed up."""
        return len(self._newcomers)

    @property
    def is_new(self) -> bool:
        """Whether players may still ask for seats of before a restart."""
        return self._strict_from > 0 and asyncio.get_running_loop().time() < self._strict_from

    def failed(self, address: str) -> None:
        """Count a wrong secret against an address, for a minute."""
        if self._failures[address] < MOST_FAILURES:
            self._failures[address] += 1
            asyncio.get_running_loop().call_later(MINUTE, self._forgive, address)

    def _forgive(self, address: str) -> None:
        self._failures[address] -= 1
        if self._failures[address] <= 0:
            del self._failures[address]

    def sign_up(self, connection: Connection, frame: bytes, address: str) -> None:
        """Read a first frame, and hand the guest to the host. Raise Refusal if the player is at fault."""
        if not self._open and not self._dialect.resumable:
            self.refuse(connection, TOO_LATE)
            return
        name, key, token = self._dialect.read_sign_up(frame)
        if token is not None:
            self._resume(connection, token)
        elif not self._open:
            self.refuse(connection, TOO_LATE)
        elif self._failures[address] >= MOST_FAILURES:
            raise Refusal(FAILING)
        elif descriptors.are_scarce():
            raise Refusal(FULL)
        else:
            self._check(name, key)
            self._host.welcome(Guest(name, connection, self._dialect, self, key or ""))

    def _resume(self, connection: Connection, token: str) -> None:
        guest = self._host.seated(token) if self._dialect.resumable else None
        if guest is None or not guest.resume(connection, token):
            raise UnknownToken("no seat has this token")

    def _check(self, name: str, key: str | None) -> None:
        needed = self._key if self._dialect.has_keys else None
        if needed is not None and not hmac.compare_digest(needed.encode(), (key or "").encode()):
            raise WrongSecret("a seat here needs the organiser's key")
        why = None if self._dialect.own_name_rule else problem_with(name)
        if why is not None:
            raise Refusal(why)

    def refuse(self, connection: Connection, why: str, received: bytes = b"") -> None:
        """Close a connection, with the reason if its dialect can express one."""
        self._refused(connection.where, why, b"" if self._dialect.has_keys else received)
        for frame in self._dialect.refuse(why):
            connection.send(frame)
        connection.close()

    def cut_off(self, connection: Connection, why: str) -> None:
        """Close a connection at once, without a reason."""
        self._refused(connection.where, why, b"")
        connection.close(at_once=True)


class _RefusalLog:
    """Log each refusal of an address once a minute, and a limited number of them in all."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._shown: set[tuple[str, str]] = set()

    def add(self, where: str, why: str, received: bytes = b"") -> None:
        refusal = (host_of(where), why)
        if refusal in self._shown or len(self._shown) > MOST_LOGGED:
            return
        if not self._shown:
            asyncio.get_running_loop().call_later(MINUTE, self._shown.clear)
        self._shown.add(refusal)
        if len(self._shown) > MOST_LOGGED:
            log.warning("more sign-ups are refused; they are not listed for a minute")
        else:
            sent = f"; it sent {plain(received.decode(errors='replace'))[:MOST_QUOTED]}" if received else ""
            log.warning("refused %s, which speaks %s: %s%s", where, self._dialect, plain(why), sent)


class _Newcomer:
    """A connection that has not signed up yet."""

    def __init__(self, door: Door, connection: Connection, address: str, seconds: float) -> None:
        self._door, self.connection, self.address = door, connection, address
        self._deadline = asyncio.get_running_loop().call_later(seconds, self._overdue)

    def frame(self, frame: bytes) -> None:
        self.leave()
        if _HTTP.match(frame):
            self._door.cut_off(self.connection, SPEAKS_HTTP)
            return
        try:
            self._door.sign_up(self.connection, frame, self.address)
        except Refusal as refusal:
            if isinstance(refusal, WrongSecret) and not (
                isinstance(refusal, UnknownToken) and self._door.is_new
            ):
                self._door.failed(self.address)
            self._door.refuse(self.connection, str(refusal), frame)

    def _overdue(self) -> None:
        self.leave()
        self._door.refuse(self.connection, NOTHING_SAID)

    def leave(self) -> None:
        """Hear nothing of this connection any more."""
        self._deadline.cancel()
        self._door.released(self)
        self.connection.receiver = None

    def lost(self, why: str) -> None:
        self.leave()

    def flooded(self, why: str) -> None:
        self.leave()
        self._door.cut_off(self.connection, why)

    def writable(self) -> None:
        """Do nothing: no frames are queued."""

"""The gate of a listening server: accepts connections, and hands them to their protocol.

Laws of this file:

- Only so many connections are accepted in one iteration of the event loop, so that a crowd does not delay
  those who are already here.
- Where clients speak first, a connection costs us no more than its socket until its first bytes are complete.
  Those who say nothing are limited in number and time, and the oldest of an address makes room for its next.
- When descriptors run out, accepting pauses, and that is logged once a minute.
- A connection from a trusted proxy begins with a PROXY header, which says whose connection it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import select
import socket
import sys
from typing import TYPE_CHECKING, NamedTuple

from touchline.core.errors import BadOptions
from touchline.transports.shared import descriptors
from touchline.transports.shared.addresses import TrustedProxies, host_of, subscriber
from touchline.transports.shared.proxy_header import BadHeader, read_header
from touchline.transports.shared.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

log = logging.getLogger(__name__)

BACKLOG = 1024
ACCEPTS = 8
"""Connections that are accepted in one iteration of the event loop."""
LOOKS = 64
"""Connections whose first bytes are looked at in one iteration of the event loop."""
PAUSE = 1.0
"""Seconds for which nothing is accepted when descriptors have run out."""
MINUTE = 60.0
HEAD_SECONDS = 10.0
"""Timeout for the first bytes of a connection: for the head of a request, or for a PROXY header."""
MOST_HEAD = 16 << 10
"""Bytes of a head that is not waited for any longer: its protocol decides."""
MOST_SILENT = 12_000
"""The most connections at one gate that have not completed their first bytes."""
_EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class GateRules(NamedTuple):
    """What a gate asks of connections before it hands them over."""

    heads: bool = False
    """Whether a connection is handed over when the head of its first HTTP request is complete.

    Only Linux can wait for that; elsewhere it is handed over at once.
    """
    proxies: TrustedProxies = TrustedProxies()
    """Proxies whose connections begin with a PROXY header."""
    most_silent: int = 64
    """The most connections of one address that have not completed their first bytes."""
    spares_reserve: bool = False
    """Whether connections are closed at once when only the descriptors that are kept for players are left."""


class _Silent:
    """An accepted socket whose first bytes are not complete."""

    def __init__(self, sock: socket.socket, where: str, deadline: float) -> None:
        self.sock, self.where, self.deadline = sock, where, deadline
        self.seen = 0
        """Bytes that we have looked at without taking them."""
        self.owes_header = False


class Gate:
    """Accepts connections at some listening sockets; `factory` makes their protocols."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        factory: Callable[[str], asyncio.BaseProtocol],
        rules: GateRules = GateRules(),  # noqa: B008, it is immutable
    ) -> None:
        """`factory` takes the client's `HOST:PORT`."""
        self._sockets, self._factory, self._rules = sockets, factory, rules
        name = sockets[0].getsockname()
        self.port: int = name[1] if isinstance(name, tuple) else 0
        self._loop = asyncio.get_running_loop()
        self._silent: Waiting[_Silent] = Waiting(rules.most_silent, MOST_SILENT)
        self._sweep: asyncio.TimerHandle | None = None
        self._resume: asyncio.TimerHandle | None = None
        self._attaching: set[asyncio.Task[None]] = set()
        self._watched: dict[int, _Silent] = {}
        self._epoll = self._watch() if rules.heads or rules.proxies else None
        self._complained = -MINUTE
        self._listen()

    # -- as a `Listening` ---------------------------------------------------------------------

    def pause(self) -> None:
        """Accept no further connection. Those that were just accepted still arrive."""
        if self._resume is not None:
            self._resume.cancel()
            self._resume = None
        for listener in self._sockets:
            if listener.fileno() >= 0:
                self._loop.remove_reader(listener)

    def close(self) -> None:
        """Stop listening. Open connections stay; those whose first bytes are not complete are closed."""
        self.pause()
        for listener in self._sockets:
            listener.close()
        if self._sweep is not None:
            self._sweep.cancel()
        while (silent := self._silent.oldest()) is not None:
            self._drop(silent)
        if self._epoll is not None and not self._epoll.closed:
            self._loop.remove_reader(self._epoll)
            self._epoll.close()

    # -- accepting ----------------------------------------------------------------------------

    def _listen(self) -> None:
        self._resume = None
        for listener in self._sockets:
            self._loop.add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(ACCEPTS):
            try:
                sock, peer = listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                if error.errno in _EXHAUSTED:
                    self._exhausted(error)
                    return
                continue  # the client has gone already
            sock.setblocking(False)
            scarce = descriptors.is_reserved(sock.fileno(), 2 if self._rules.spares_reserve else 1)
            self._admit(sock, f"{peer[0]}:{peer[1]}", scarce=scarce)
            if scarce:  # whoever makes room has to go first
                return

    def _exhausted(self, error: OSError) -> None:
        """Accept nothing for a while: trying again at once would keep the loop busy and change nothing."""
        self.pause()
        self._resume = self._loop.call_later(PAUSE, self._listen)
        self._complain(f"{error.strerror}: no connection is accepted for {PAUSE:g} s; raise `ulimit -n`")

    def _complain(self, why: str) -> None:
        """Log a shortage, once a minute."""
        if self._loop.time() - self._complained >= MINUTE:
            self._complained = self._loop.time()
            log.warning("port %d: %s", self.port, why)

    def _admit(self, sock: socket.socket, where: str, *, scarce: bool) -> None:
        if scarce:
            for oldest in self._silent.make_room():
                self._close(oldest)
            if self._rules.spares_reserve:
                self._complain("descriptors are scarce, and the rest is kept for players; raise `ulimit -n`")
                sock.close()
                return
        proxied = self._rules.proxies.trusts(host_of(where))
        if self._epoll is None or not (proxied or self._rules.heads):
            self._hand_over(sock, where)
            return
        silent = _Silent(sock, where, self._loop.time() + HEAD_SECONDS)
        silent.owes_header = proxied
        self._watched[sock.fileno()] = silent
        self._epoll.register(sock, select.EPOLLIN)
        evicted = self._silent.add(silent, subscriber(host_of(where)))
        if evicted is not None:
            self._close(evicted)
        if self._sweep is None:
            self._sweep = self._loop.call_at(silent.deadline, self._expire)

    # -- the first bytes ----------------------------------------------------------------------

    def _watch(self) -> select.epoll | None:
        """Return a poll for silent connections: the event loop has one descriptor for all of them."""
        if sys.platform != "linux":
            if self._rules.proxies:
                raise BadOptions("trusted proxies need Linux")
            return None
        epoll = select.epoll()
        self._loop.add_reader(epoll, self._look)
        return epoll

    def _look(self) -> None:
        """Look at the connections that have sent something or hung up."""
        assert self._epoll is not None
        for descriptor, _ in self._epoll.poll(0, LOOKS):
            if (silent := self._watched.get(descriptor)) is not None:
                self._readable(silent)

    def _readable(self, silent: _Silent) -> None:
        """Look at what has arrived; hand the connection over if that is enough."""
        try:
            data = silent.sock.recv(MOST_HEAD, socket.MSG_PEEK)
            if len(data) <= silent.seen:  # readable without new bytes: the other side has hung up
                raise ConnectionResetError
            if not self._is_complete(silent, data):
                # Wake up for more bytes only: those that we have seen stay where they are.
                silent.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, silent.seen + 1)
                return
            silent.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
        except (BlockingIOError, InterruptedError):
            return
        except BadHeader as error:
            self._complain(f"{silent.where}: {error}")
            self._drop(silent)
        except OSError:
            self._drop(silent)
        else:
            self._silent.discard(silent)
            self._unwatch(silent)
            self._hand_over(silent.sock, silent.where)

    def _is_complete(self, silent: _Silent, data: bytes) -> bool:
        """Return whether the first bytes are complete; take a PROXY header from them."""
        silent.seen = len(data)
        if silent.owes_header:
            header = read_header(data)
            if header is None:
                return False
            silent.sock.recv(header.size)
            silent.where, silent.owes_header = header.where or silent.where, False
            data, silent.seen = data[header.size :], len(data) - header.size
        return not self._rules.heads or len(data) >= MOST_HEAD or b"\r\n\r\n" in data or b"\n\n" in data

    def _expire(self) -> None:
        """Close connections whose deadline has passed; they are in the order of their deadlines."""
        self._sweep = None
        while (silent := self._silent.oldest()) is not None:
            if silent.deadline > self._loop.time():
                self._sweep = self._loop.call_at(silent.deadline, self._expire)
                return
            self._drop(silent)

    def _drop(self, silent: _Silent) -> None:
        self._silent.discard(silent)
        self._close(silent)

    def _close(self, silent: _Silent) -> None:
        self._unwatch(silent)
        silent.sock.close()

    def _unwatch(self, silent: _Silent) -> None:
        assert self._epoll is not None
        self._epoll.unregister(silent.sock)
        del self._watched[silent.sock.fileno()]

    # -- handing over -------------------------------------------------------------------------

    def _hand_over(self, sock: socket.socket, where: str) -> None:
        task = self._loop.create_task(self._attach(sock, where))
        self._attaching.add(task)
        task.add_done_callback(self._attaching.discard)

    async def _attach(self, sock: socket.socket, where: str) -> None:
        attached = False
        try:
            await self._loop.connect_accepted_socket(lambda: self._factory(where), sock)
            attached = True
        except OSError:  # the client has gone already
            pass
        finally:
            if not attached:
                sock.close()


async def bound(host: str, port: int) -> list[socket.socket]:
    """Return listening sockets for all addresses of a host, with one port; OSError if that is impossible."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    sockets: list[socket.socket] = []
    with contextlib.ExitStack() as undo:
        for family, kind, protocol, _, place in dict.fromkeys(found):
            sock = socket.socket(family, kind, protocol)
            undo.callback(sock.close)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                sock.bind((place[0], sockets[0].getsockname()[1] if sockets else place[1], *place[2:]))
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL and sockets:  # a name has addresses that we do not have
                    continue
                raise
            sock.listen(BACKLOG)
            sock.setblocking(False)
            sockets.append(sock)
        undo.pop_all()
    return sockets

"""What the clients of both courses share: they follow their own calls, and say what became of each.

Law of this file: the end of one client, whatever it is, does not end another.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from touchline.client.connect import Away, NotLetIn
from touchline.core.errors import TouchlineError
from touchline.coursework.courses.lenient import mended_call
from touchline.coursework.courses.news import MOST_QUOTED, News, quiet, shown
from touchline.dialects.base import UNREADABLE
from touchline.dialects.shared.calls import called

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Iterable

    from touchline.coursework.courses.news import Tell
    from touchline.dialects.base import Face
    from touchline.players.address import ServerAddress

NO_SERVER, AT_FAULT, INTERNAL = 2, 3, 1
"""Exit codes."""
PAUSES = (2.0, 8.0, 20.0, 30.0, 60.0)
"""Seconds between messages that a game has not begun; the last one repeats."""


@dataclass(frozen=True, kw_only=True)
class ClientOptions:
    """What both courses' clients are told."""

    lenient: bool = False
    """Whether to read calls that break the letter of the protocol."""
    verbose: bool = False
    """Whether to tell every call of the server."""
    tell: Tell = quiet
    told: set[str] = field(default_factory=set)
    """What is told once for all clients."""


class Fate(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of a client."""

    name: str
    fate: Literal["won", "lost", "refused", "expelled", "unreachable", "failed", "misbehaved"]
    why: str | None = None

    def __str__(self) -> str:
        """Return it as a sentence.

        >>> str(Fate(name="ann", fate="won")), str(Fate(name="bob", fate="refused", why="it hung up"))
        ('ann won', 'bob was refused: it hung up')
        """
        verb = {
            "unreachable": "could not connect", "misbehaved": "misbehaved as it was told to",
            "refused": "was refused", "expelled": "was expelled",
        }.get(self.fate, self.fate)  # fmt: skip
        return f"{self.name} {verb}" if self.why is None else f"{self.name} {verb}: {self.why}"


class Following:
    """The calls of one client, as far as they tell what becomes of it."""

    def __init__(
        self,
        name: str,
        options: ClientOptions,
        address: ServerAddress,
        retry: float,
        *,
        first: str,
        last: str,
    ) -> None:
        """`first` and `last` are the names of the first call, and of the last one, which says who has won."""
        self.name, self._options, self._retry = name, options, retry
        self._where = f"{address.host}:{address.port}"
        self._first, self._last = first, last
        self._calls = 0
        self._latest = ""
        self._won: bool | None = None
        self._mended: set[str] = set()
        self.settled = asyncio.Event()
        """Set when it is connected, or will never be."""
        self.has_connected = self._over = False
        self.misbehaved: str | None = None
        """The method in which it failed on purpose."""

    @property
    def is_lenient(self) -> bool:
        return self._options.lenient

    @property
    def waits(self) -> bool:
        """Whether it is connected, and nothing was called yet."""
        return self.has_connected and not self._calls and not self._over

    def connected(self) -> None:
        """Note that the server answers."""
        self.has_connected = True
        self.settled.set()

    def tell_waiting(self, what: str, waiting: list[Following]) -> None:
        """Tell which clients wait."""
        names = ", ".join(following.name for following in waiting)
        self._options.tell(News(event="waiting", where=self._where, why=what + names))

    def waiting(self, why: str) -> None:
        """Note that the server does not answer yet."""
        text = f"no server at {self._where} yet, trying for {self._retry:g} s"
        if text not in self._options.told:
            self._options.told.add(text)
            self._options.tell(News(event="waiting", where=self._where, why=text))

    def heard(self, frame: bytes) -> None:
        """Note a call."""
        if self._options.verbose:
            self._options.tell(News(event="frame", name=self.name, text=f"< {shown(frame)}"))
        try:
            name, arguments = called(frame)
        except UNREADABLE:
            self._latest = shown(frame, MOST_QUOTED)
            return
        self._calls, self._latest = self._calls + 1, name
        if name == self._last and arguments:
            self._won = arguments[0] is True

    def mended(self, kind: str) -> None:
        """Tell a deviation of the server, once."""
        if kind not in self._mended:
            self._mended.add(kind)
            self._options.tell(
                News(event="mended", name=self.name, where=self._where, why=f"the server: {kind}")
            )

    async def to_the_end(self, play: Coroutine[Any, Any, None]) -> Fate:
        """Play, and return what became of the client."""
        try:
            return await self._played(play)
        finally:
            self._over = True
            self.settled.set()

    async def _played(self, play: Coroutine[Any, Any, None]) -> Fate:
        try:
            await play
        except Away as error:
            if not self.has_connected:
                return self._fate("unreachable", str(error))
            return self._left(str(error).partition(" before the match")[0])
        except NotLetIn as error:
            return self._fate("refused", str(error))
        except TouchlineError as error:
            return self._fate("failed", f"{error} (the call: {self._latest})" if self._latest else str(error))
        except Exception as error:  # a bug of ours: the other clients play on
            return self._fate("failed", f"internal error: {type(error).__name__}: {error}")
        return self._left("the server hung up")

    def _left(self, why: str) -> Fate:
        """Return what a client's last call tells of it."""
        if self.misbehaved is not None:
            return self._fate("misbehaved", f"in {self.misbehaved}")
        if self._won is not None:
            return self._fate("won" if self._won else "lost", None)
        if not self._calls:
            return self._fate("refused", f"{why}, and had not called {self._first}")
        return self._fate("expelled", f"{why}; its latest call was {self._latest}")

    def _fate(self, fate: Any, why: str | None) -> Fate:
        return Fate(name=self.name, fate=fate, why=why)


def lenient(face: type[Face], colours: Collection[str], following: Following) -> type[Face]:
    """Return a face whose calls are mended first, if the options say so."""
    if not following.is_lenient:
        return face

    class LenientFace(face):  # type: ignore[valid-type, misc]
        def hear(self, frame: bytes) -> list[bytes]:
            answers: list[bytes] = super().hear(mended_call(frame, colours, following.mended))
            return answers

    return LenientFace


async def played(
    clients: Iterable[Callable[[float], tuple[Following, Coroutine[Any, Any, None]]]],
    pause: float,
    retry: float,
) -> list[Fate]:
    """Start clients one after another, and return what became of each.

    A client is made with the seconds for which it may try to connect. It starts `pause` seconds after the one
    before it has connected, because the order of sign-up counts; if that one found no server in `retry`
    seconds, the rest try once.
    """
    tasks: list[asyncio.Task[Fate]] = []
    followed: list[Following] = []
    reporting = asyncio.create_task(_report_waiting(followed))
    try:
        for make in clients:
            if tasks:
                await followed[-1].settled.wait()
                retry = retry if followed[-1].has_connected else 0.0
                await asyncio.sleep(pause if retry else 0.0)
            following, play = make(retry)
            followed.append(following)
            tasks.append(asyncio.create_task(following.to_the_end(play)))
        return await asyncio.gather(*tasks)
    finally:
        reporting.cancel()


async def _report_waiting(followed: list[Following]) -> None:
    """Tell now and then how many clients wait for their first call."""
    passed = 0.0
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        await asyncio.sleep(pause)
        passed += pause
        waiting = [following for following in followed if following.waits]
        if waiting:
            waiting[0].tell_waiting(f"waiting for the game to begin ({passed:g} s): ", waiting)


def exit_code(fates: list[Fate]) -> int:
    """Return the exit code: 0 if somebody played to its end, or did what it was told to.

    >>> exit_code([Fate(name="a", fate="won"), Fate(name="b", fate="expelled")])
    0
    >>> exit_code([Fate(name="a", fate="expelled")]), exit_code([Fate(name="a", fate="unreachable")])
    (3, 2)
    """
    if any(fate.fate in ("won", "lost", "misbehaved") for fate in fates) or not fates:
        return 0
    if any((fate.why or "").startswith("internal error") for fate in fates):
        return INTERNAL
    return NO_SERVER if all(fate.fate == "unreachable" for fate in fates) else AT_FAULT

"""The door in virtual time, with connections that are none: who is let in, and who is sent away when."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest

from touchline.dialects import native
from touchline.server.sign_up import FIRST_WORD, MOST_FAILURES, Door
from touchline.testing import virtual_time
from touchline.transports.shared.buffered import BufferedConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from touchline.server.sign_up import Guest


class Caller(BufferedConnection):
    """A connection that notes what is sent."""

    latency = 0
    where = "10.0.0.1:4000"
    taken = True

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Any] = []
        self.closed = False

    def send(self, frame: bytes) -> None:
        self.sent.append(msgspec.json.decode(frame))

    def measure(self) -> None:
        """There is no wire."""

    def close(self, *, at_once: bool = False) -> None:
        self.closed = self.finished = True

    def hello(self, name: str = "Ann", **more: Any) -> None:
        self.deliver([msgspec.json.encode({"type": "hello", "protocol": 1, "name": name, **more})])


class Hall:
    """Lets everybody in."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.tokens: list[str] = []

    def welcome(self, guest: Guest) -> None:
        guest.connection.listen(guest)
        self.names.append(guest.name)

    def seated(self, token: str) -> Guest:
        self.tokens.append(token)
        return cast("Guest", SimpleNamespace(resume=lambda connection, token: token == "right"))


def at(whole: Callable[[Hall, Callable[[], Caller]], Coroutine[Any, Any, None]], **options: Any) -> None:
    """Run this at a door."""

    async def opened() -> None:
        hall = Hall()
        door = Door(hall, native.Native, **options)

        def caller() -> Caller:
            new = Caller()
            door.connected(new)
            return new

        await whole(hall, caller)

    virtual_time.run(opened())


def test_the_first_word_has_its_time() -> None:
    """A moment before it is over one may still sign up, and then stay for ever; a moment later not."""

    async def whole(hall: Hall, caller: Callable[[], Caller]) -> None:
        silent, slow = caller(), caller()
        await asyncio.sleep(FIRST_WORD - 0.1)
        assert not silent.closed
        slow.hello()
        await asyncio.sleep(0.2)
        assert silent.closed
        await asyncio.sleep(3600)
        assert not slow.closed
        assert hall.names == ["Ann"]

    at(whole)


@pytest.mark.parametrize(("key", "names"), [("secret", ["Ann"]), ("Secret", []), ("", []), (None, [])])
def test_only_the_right_key_opens(key: str | None, names: list[str]) -> None:
    """Whoever has another, or none, is told so and sent away."""

    async def whole(hall: Hall, caller: Callable[[], Caller]) -> None:
        one = caller()
        one.hello(key=key)
        assert hall.names == names
        assert one.closed != bool(names)
        assert [said["type"] for said in one.sent] == ([] if names else ["expelled"])

    at(whole, key="secret")


@pytest.mark.parametrize("name", ["referee", " Ann", "A\u200bnn", "A" * 33])
def test_a_name_that_does_not_fit_is_refused(name: str) -> None:
    """For the same reasons as in the lobby."""

    async def whole(hall: Hall, caller: Callable[[], Caller]) -> None:
        one = caller()
        one.hello(name)
        assert hall.names == []
        assert one.closed

    at(whole)


def test_another_protocol_is_refused() -> None:
    """There may be others some day, and they are not known here."""

    async def whole(hall: Hall, caller: Callable[[], Caller]) -> None:
        for protocol in (0, 2):
            one = caller()
            one.hello(protocol=protocol)
            assert one.closed
        assert hall.names == []

    at(whole)


@pytest.mark.parametrize("words", [{"key": "wrong"}, {"token": "wrong"}])
def test_an_address_that_failed_often_may_not_sign_up_for_a_minute(words: dict[str, str]) -> None:
    """Wrong keys and wrong tokens alike: nobody can try them all."""

    async def whole(hall: Hall, caller: Callable[[], Caller]) -> None:
        for _ in range(MOST_FAILURES):
            one = caller()
            assert not one.closed
            one.hello(**words)
            assert one.closed
        locked = caller()
        locked.hello(key="secret")
        assert locked.closed
        back = caller()
        back.hello(token="right")
        assert not back.closed, "a valid token opens whatever came from its address"
        await asyncio.sleep(61)
        late = caller()
        late.hello(key="secret")
        assert hall.names == ["Ann"]

    at(whole, key="secret")


def test_a_token_needs_no_key_and_no_name() -> None:
    """Whoever has a seat comes back to it."""

    async def whole(hall: Hall, caller: Callable[[], Caller]) -> None:
        one = caller()
        one.hello(token="right")
        assert not one.closed
        assert (hall.tokens, hall.names) == (["right"], [])

    at(whole, key="secret")


def test_only_so_many_from_one_address() -> None:
    """Those who have not signed up count, and the oldest is given up; who has, or has gone, makes room."""

    async def whole(hall: Hall, caller: Callable[[], Caller]) -> None:
        first, second, third = caller(), caller(), caller()
        assert [one.closed for one in (first, second, third)] == [True, False, False]
        second.hello()
        third.fail("lost", "hung up")
        more = [caller() for _ in range(3)]
        assert [one.closed for one in more] == [True, False, False]
        assert not second.closed

    at(whole, most_per_address=2)

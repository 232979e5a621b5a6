"""The door: who says the right first word in time is a guest, and nobody else."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rooms import SMALL, Caller, guest, hello, room, run, seated, until
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.dialects import native
from touchline.dialects.base import Refusal
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth
from touchline.server import sign_up as door_file
from touchline.server.sign_up import MOST_FAILURES, NOTHING_SAID, Door, Guest, Listen
from touchline.transports import tcp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from touchline.core.rules import Game
    from touchline.transports.base import Connection

GAMES: dict[str, Game] = {"fish": Fish(rows=4, cols=4), "hexapawn": SMALL, "labyrinth": Labyrinth()}
OTHERS = [name for name in registry.dialects() if name != "native"]
NAMES: dict[str, Any] = {
    "fish-course": "Ann",
    "labyrinth-course": "ann1",
    "seed-000": "Ann the 1st",
    "seed-001": "Ann the 1st",
    "seed-002": b"'Ann the 1st'\n",
    "seed-003": "ann1",
    "seed-004": ["Signup", ["ann1"]],
}
"""The right first word in each dialect."""
GARBAGE = [
    b"\n7 \n",
    b"{}\n",
    b"null\n",
    b"]\n",
    b'"\xff"\n',
    b'"\\ud800"\n',
    b"[" * 5000 + b"]" * 5000 + b"\n",
    b"GET / HTTP/1.1\r\n",
]


class Porch:
    """Lets everybody in."""

    def __init__(self) -> None:
        self.guests: list[Guest] = []
        self.left: list[Guest] = []
        self.url = ""

    def welcome(self, guest: Guest) -> None:
        guest.gone = lambda: self.left.append(guest)
        guest.connection.listen(guest)
        self.guests.append(guest)

    def returned(self, token: str, connection: Connection) -> bool:
        return False


@asynccontextmanager
async def porch(dialect: str = "native", **options: Any) -> AsyncIterator[tuple[Porch, Door]]:
    """A door at which one dialect is spoken, on a free port."""
    host, module = Porch(), registry.dialect(dialect)
    game = GAMES[(*module.DIALECT.games, "hexapawn")[0]]
    door = Door(host, game, module, **options)
    socket = await tcp.listening("127.0.0.1", 0, module.DIALECT.framing, door.connected)
    host.url = f"tcp://127.0.0.1:{socket.sockets[0].getsockname()[1]}/{dialect}"
    try:
        yield host, door
    finally:
        socket.close()
        for one in host.guests:
            one.connection.close(at_once=True)


def refusal(dialect: str, why: str) -> list[Any]:
    """What one hears in this dialect that is not let in."""
    words: dict[str, list[Any]] = {
        "native": [{"type": "expelled", "reason": why}],
        "seed-000": [["terminate", []]],
        "seed-001": [["notifyBanned", [why]]],
    }
    return words.get(dialect, [])


# -- where one listens ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("tcp://127.0.0.1:4500/native", Listen("tcp", "127.0.0.1", 4500, "native")),
        ("tcp://127.0.0.1:4500", Listen("tcp", "127.0.0.1", 4500, "native")),
        ("ws://localhost:0/seed-001/", Listen("ws", "localhost", 0, "seed-001")),
        ("tcp://[::1]:65535/seed-004", Listen("tcp", "::1", 65535, "seed-004")),
    ],
)
def test_where_one_listens(url: str, read: Listen) -> None:
    """A URL is read, and what is written of it is read as the same."""
    assert Listen.read(url) == read
    assert Listen.read(read.url(read.port)) == read
    assert read.here


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.0.1", "example.org", "localhost.evil.org", "127.0.0.1.org"]
)
def test_elsewhere(host: str) -> None:
    """All that is not surely this machine alone can be reached from elsewhere."""
    assert not Listen("tcp", host, 1, "native").here


@pytest.mark.parametrize(
    "url",
    [
        "", "native", "tcp://", "tcp://:4500/native", "tcp://host/native", "tcp://host:x/native", "http://host:1/x",
        "tcp://host:65536/native", "tcp://host:-1/native", "tcp:/host:1/native", "tcp://a..b:1/native",
        f"tcp://{'a' * 64}:1/native", "tcp://[]:1/native", "tcp://host:1.5/native",
    ],
)  # fmt: skip
def test_where_nobody_can_listen(url: str) -> None:
    """What is wrong with a URL is said with how one is written."""
    with pytest.raises(BadOptions, match="tcp://HOST:PORT/DIALECT"):
        Listen.read(url)


@given(st.text(max_size=40))
def test_any_text_is_a_url_or_is_refused(text: str) -> None:
    """Nothing but BadOptions comes of it."""
    for url in (text, f"tcp://{text}", f"ws://{text}:1/x"):
        try:
            Listen.read(url)
        except BadOptions:
            continue


# -- the first word ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", registry.dialects())
def test_who_says_nothing_is_dropped(dialect: str) -> None:
    """After so many seconds, and the place is free for somebody else."""

    async def whole() -> None:
        async with porch(dialect, first_word=0.1, most_per_address=1) as (host, _):
            start = asyncio.get_running_loop().time()
            silent = await Caller.at(host.url)
            assert await silent.rest() == refusal(dialect, NOTHING_SAID)
            assert asyncio.get_running_loop().time() - start >= 0.09
            await silent.gone()
            honest = await Caller.at(host.url, NAMES.get(dialect, hello("ann")))
            await until(lambda: len(host.guests) == 1)
            await honest.gone()

    run(whole())


@pytest.mark.parametrize("dialect", ["native", "seed-004"])
def test_a_byte_now_and_then_is_no_word(dialect: str) -> None:
    """Bytes that trickle in do not put off the moment at which the word must be complete."""

    async def whole() -> None:
        async with porch(dialect, first_word=0.3) as (host, _):
            start = asyncio.get_running_loop().time()
            slow = await Caller.at(host.url)
            closed = asyncio.create_task(slow.rest())
            for byte in b'["' + b"x" * 1000:
                slow.say(bytes([byte]))
                if (await asyncio.wait((closed,), timeout=0.02))[0]:
                    break
            assert await closed == refusal(dialect, NOTHING_SAID)
            assert asyncio.get_running_loop().time() - start < 5, "it took its bytes 20 s to trickle in"
            assert host.guests == []
            await slow.gone()

    run(whole())


@pytest.mark.parametrize("dialect", OTHERS)
def test_sign_up_in_each_dialect(dialect: str) -> None:
    """The right word makes a guest, who hears nothing yet."""

    async def whole() -> None:
        async with porch(dialect) as (host, _):
            caller = await Caller.at(host.url, NAMES[dialect])
            await until(lambda: len(host.guests) == 1)
            assert host.guests[0].name.lower().startswith("ann")
            assert host.guests[0].dialect.name == dialect
            host.guests[0].connection.close()
            assert await caller.rest() == []
            await caller.gone()

    run(whole())


def test_who_has_signed_up_may_be_silent() -> None:
    """For longer than the first word may take."""

    async def whole() -> None:
        async with porch(first_word=0.1) as (host, door):
            caller = await Caller.at(host.url, hello("ann"))
            await until(lambda: len(host.guests) == 1)
            await asyncio.sleep(0.2)
            host.guests[0].connection.send(b'"still here"')
            assert await caller.hear() == "still here"
            assert door._from.total() == 0
            await caller.gone()

    run(whole())


@pytest.mark.parametrize("dialect", OTHERS)
def test_garbage_is_refused(dialect: str) -> None:
    """Where a note has a word for it the player hears that it is out; then the connection is closed."""

    async def whole() -> None:
        for garbage in GARBAGE:
            if (dialect, garbage) == ("seed-002", b"null\n"):
                continue  # an atom like any other
            async with porch(dialect) as (host, _):
                caller = await Caller.at(host.url, garbage)
                words = await caller.rest()
                assert [word[0] for word in words] == [word[0] for word in refusal(dialect, "")]
                assert host.guests == []
                await caller.gone()

    run(whole())


@pytest.mark.parametrize(
    ("words", "why"),
    [
        *((garbage, "") for garbage in GARBAGE),
        ({"type": "ready"}, "hello was expected"),
        ({**hello("ann"), "protocol": 2}, "protocol 2 is not known here: 1 is"),
        ({**hello("ann"), "protocol": True}, "hello was expected"),
        ({**hello("ann"), "colour": "red"}, "hello was expected"),
        ({"type": "hello", "protocol": 1}, "hello was expected"),
        (hello("x" * 33), "hello was expected"),
        (hello(""), "hello was expected"),
        (hello(" ann"), "no blanks around it"),
        (hello("re\u202egor"), "no invisible characters"),
        (hello("Referee"), "nobody may be called Referee"),
        (hello("ann", token="0" * 32), "no seat has this token"),
        (hello("ann", token=""), "no seat has this token"),
    ],
)
def test_a_native_refusal_says_why(words: Any, why: str) -> None:
    """One word, `expelled`, then the connection is closed."""

    async def whole() -> None:
        async with porch() as (host, _):
            caller = await Caller.at(host.url, words)
            (refusal,) = await caller.rest()
            assert refusal["type"] == "expelled"
            assert why in refusal["reason"]
            assert refusal["reason"].isprintable()
            assert host.guests == []
            await caller.gone()

    run(whole())


def test_a_first_word_without_end() -> None:
    """Is cut off where it is too long, not when the time is up."""

    async def whole() -> None:
        async with porch(first_word=60) as (host, _):
            caller = await Caller.at(host.url, b"[" * (128 << 10))
            assert await caller.rest() == []
            await caller.gone()

    run(whole())


@pytest.mark.parametrize("words", [{"type": "ready"}, hello("ann"), b"x\n"])
def test_who_waits_has_nothing_to_say(words: Any) -> None:
    """A second word while it waits, also in the same packet as the first, costs it its place."""

    async def whole() -> None:
        async with porch() as (host, _):
            caller = await Caller.at(host.url, hello("ann"))
            caller.say(words)
            why = "ann said more than its name before its match began"
            assert await caller.rest() == refusal("native", why)
            await until(lambda: len(host.left) == 1)
            assert host.left == host.guests
            await caller.gone()

    run(whole())


@pytest.mark.parametrize(
    "call", [["setup", []], ["TakeTurn", [{}]], ["ProposeBoard", [7, 7]], ["Signup", []]]
)
def test_any_other_call_during_sign_up(call: Any) -> None:
    """ "It will not accept other API calls at this time": neither before `Signup` nor after it."""

    async def whole() -> None:
        async with porch("seed-004") as (host, _):
            before = await Caller.at(host.url, call)
            assert await before.rest() == []
            assert host.guests == []
            after = await Caller.at(host.url, NAMES["seed-004"])
            await until(lambda: len(host.guests) == 1)
            after.say(call)
            assert await after.rest() == []
            assert host.left == host.guests
            await before.gone()
            await after.gone()

    run(whole())


# -- keys and caps -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [None, "", "wrong", "clé", "the keY", "the key "])
def test_a_key_is_needed_where_there_is_one(key: str | None) -> None:
    """The right one and no other, in any script."""

    async def whole() -> None:
        async with porch(key="the key") as (host, _):
            wrong = await Caller.at(host.url, hello("ann", key=key))
            (refusal,) = await wrong.rest()
            assert refusal == {"type": "expelled", "reason": "a seat here needs the organiser's key"}
            right = await Caller.at(host.url, hello("ann", key="the key"))
            await until(lambda: len(host.guests) == 1)
            await wrong.gone()
            await right.gone()

    run(whole())


def test_so_many_from_one_address() -> None:
    """One more is closed at once; as soon as one has signed up or gone, there is room again."""

    async def whole() -> None:
        async with porch(most_per_address=2) as (host, _):
            callers = [await Caller.at(host.url) for _ in range(2)]
            third = await Caller.at(host.url, hello("cyd"))
            assert await third.rest() == []
            assert host.guests == []
            callers[0].say(hello("ann"))
            await until(lambda: len(host.guests) == 1)
            callers.append(await Caller.at(host.url, hello("bob")))
            await until(lambda: len(host.guests) == 2)
            for caller in (*callers, third):
                await caller.gone()

    run(whole())


def test_so_many_altogether(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cap on all connections that have not signed up holds whatever an address may have."""
    monkeypatch.setattr(door_file, "MOST_CONNECTIONS", 3)

    async def whole() -> None:
        async with porch() as (host, _):
            callers = [await Caller.at(host.url) for _ in range(3)]
            fourth = await Caller.at(host.url, hello("dan"))
            assert await fourth.rest() == []
            for caller in (*callers, fourth):
                await caller.gone()

    run(whole())


def test_too_many_refusals() -> None:
    """After so many an address is not even listened to."""

    async def whole() -> None:
        async with porch() as (host, _):
            for _ in range(MOST_FAILURES):
                caller = await Caller.at(host.url, hello("ann", token="guess"))
                (refusal,) = await caller.rest()
                assert refusal["reason"] == "no seat has this token"
                await caller.gone()
            caller = await Caller.at(host.url, hello("ann"))
            assert await caller.rest() == []
            assert host.guests == []
            await caller.gone()

    run(whole())


def test_refusals_are_forgiven() -> None:
    """Each after a minute of its own."""
    timers = []

    class Loop:
        def call_later(self, delay: float, do: Callable[..., None], *args: Any) -> None:
            timers.append((delay, do, args))

    closed: list[bool] = []
    knock = SimpleNamespace(
        where="10.0.0.1:99", close=lambda at_once: closed.append(at_once), listen=lambda one: None
    )
    door = Door(Porch(), SMALL, native)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "get_running_loop", Loop)
        for _ in range(MOST_FAILURES):
            door.failed("10.0.0.1")
        door.connected(knock)
        assert closed == [True]
        seconds, do, args = timers[0]
        assert seconds == 60
        do(*args)
        patch.setattr(door_file, "_Knock", lambda *args: None)
        door.connected(knock)
        assert closed == [True], "one less than too many"


def test_refused_by_the_host() -> None:
    """What the host says about a name is what the player hears."""

    async def whole() -> None:
        async with porch() as (host, _):

            def welcome(guest: Guest) -> None:
                raise Refusal("not today")

            host.welcome = welcome  # type: ignore[method-assign]
            caller = await Caller.at(host.url, hello("ann"))
            assert await caller.rest() == [{"type": "expelled", "reason": "not today"}]
            await caller.gone()

    run(whole())


@pytest.mark.parametrize("dialect", registry.dialects())
def test_a_door_that_is_shut(dialect: str) -> None:
    """Who knocks, or had knocked before, is sent away, with a word if there is one. That is no offence."""

    async def whole() -> None:
        async with porch(dialect) as (host, door):
            word = NAMES.get(dialect, hello("ann"))
            early = await Caller.at(host.url)
            await until(lambda: door._from.total() == 1)
            door.shut()
            for caller in (early, *[await Caller.at(host.url) for _ in range(MOST_FAILURES + 1)]):
                caller.say(word)
                assert await caller.rest() == refusal(dialect, "it is too late to sign up")
                await caller.gone()
            assert host.guests == []

    run(whole())


# -- names at a server ---------------------------------------------------------------------------------


def test_look_alikes_among_those_who_wait() -> None:
    """Nobody waits whose name can be mistaken for another's; at another table it may."""

    async def whole() -> None:
        async with room() as here:
            ann = await guest(here.url, "Ann")
            for name in ("Ann", "ann", "ＡＮＮ", "\u0410nn"):
                twin = await Caller.at(here.url, hello(name))
                (refusal,) = await twin.rest()
                assert refusal["reason"] == f"somebody who waits is called {name}"
                await twin.gone()
            bob = await guest(here.url, "bob")
            await seated(ann, bob)
            again = await guest(here.url, "ann")
            for caller in (ann, bob, again):
                await caller.gone()

    run(whole())


def test_a_name_of_the_house() -> None:
    """A guest cannot be called as the house player at its table is."""

    async def whole() -> None:
        async with room(house=[("random", lambda: SimpleNamespace(choose=None))]) as here:
            caller = await Caller.at(here.url, hello("Random"))
            (refusal,) = await caller.rest()
            assert refusal["reason"] == "a player of the house is called Random"
            await caller.gone()

    run(whole())


def test_a_name_is_unique_in_seed_004() -> None:
    """A second sign-up under the same name is refused, silently, and the place stays free."""

    async def whole() -> None:
        async with room(GAMES["labyrinth"], 2, ("tcp://127.0.0.1:0/seed-004",)) as here:
            first = await Caller.at(here.url, NAMES["seed-004"])
            twin = await Caller.at(here.url, NAMES["seed-004"])
            await twin.gone()
            other = await Caller.at(here.url, ["Signup", ["somebodyelse"]])
            for player in (first, other):
                assert await player.hear() == ["ProposeBoard", [7, 7]]
            for player in (first, other):
                await player.gone()

    run(whole())


@pytest.mark.parametrize("dialect", [other for other in OTHERS if other != "seed-004"])
def test_the_same_name_in_the_other_dialects(dialect: str) -> None:
    """ "Several clients may sign up under the same name", and sit at one table."""
    game = GAMES[registry.dialect(dialect).DIALECT.games[0]]

    async def whole() -> None:
        async with room(game, 2, (f"tcp://127.0.0.1:0/{dialect}",)) as here:
            twins = [await Caller.at(here.url, NAMES[dialect]) for _ in range(2)]
            await until(lambda: here.events[0])
            first, second = here.begun().names
            assert first == second
            for twin in twins:
                await twin.gone()

    run(whole())

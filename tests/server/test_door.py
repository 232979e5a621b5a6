"""The door: who says the right first word in time is a guest, and nobody else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from server.porch import NAMES, OTHERS, porch, refusal
from server.rooms import Caller, hello, run, until
from touchline.core import registry
from touchline.server.sign_up import NOTHING_SAID

GARBAGE = [
    b"\n7 \n",
    b"{}\n",
    b"null\n",
    b"]\n",
    b'"\xff"\n',
    b'"\\ud800"\n',
    b"[" * 5000 + b"]" * 5000 + b"\n",
]


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
            slow = await Caller.at(host.url)
            closed = asyncio.create_task(slow.rest())
            for byte in b'["' + b"x" * 1000:
                slow.say(bytes([byte]))
                if (await asyncio.wait((closed,), timeout=0.02))[0]:
                    break
            else:
                pytest.fail("it was still listening after a thousand bytes, which take 20 s to trickle in")
            assert await closed == refusal(dialect, NOTHING_SAID)
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
            assert host.guests[0].spoken.name == dialect
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
            assert (await caller.hear())["type"] == "welcome"
            assert await caller.hear() == "still here"
            assert door.silent == 0
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
            welcome, *rest = await caller.rest()
            assert welcome["type"] == "welcome"
            assert rest == refusal("native", why)
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

"""The gate of a server: what is accepted when, and who makes room for whom."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import struct
from typing import Any

import pytest

from server.rooms import run, until
from touchline.transports.shared import descriptors, gate
from touchline.transports.shared.gate import ACCEPTS, GateRules, bound
from transports.gates import Opened, ended, opened

pytestmark = pytest.mark.usefixtures("both_loops")

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_head_is_handed_over_when_it_is_complete() -> None:
    """However it is cut; until then the connection has no protocol, and afterwards no byte is missing."""

    async def whole() -> None:
        async with opened(heads=True) as here:
            client, loop = await here.call(HEAD[:1]), asyncio.get_running_loop()
            for at in range(1, len(HEAD) - 1):
                await loop.sock_sendall(client, HEAD[at : at + 1])
                await asyncio.sleep(0)
            await until(lambda: here.silent == 1)
            assert here.heard == []
            await loop.sock_sendall(client, HEAD[-1:] + b"more")
            await until(lambda: here.heard and here.heard[0].data == HEAD + b"more")
            await loop.sock_sendall(client, b"!")
            await until(lambda: here.heard[0].data == HEAD + b"more!")
            assert here.silent == 0

    run(whole())


@pytest.mark.parametrize("begin", [b"", HEAD[:9]])
@pytest.mark.parametrize("reset", [False, True])
def test_who_hangs_up_before_its_head_is_complete_leaves_nothing_behind(begin: bytes, reset: bool) -> None:
    """Politely or by a reset, after some bytes or none; nothing is logged."""

    async def whole() -> None:
        async with opened(heads=True) as here:
            client = await here.call(begin)
            await until(lambda: here.silent == 1)
            if reset:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
            await until(lambda: here.silent == 0)
            assert here.heard == []

    run(whole())


def test_the_oldest_silent_connection_of_an_address_makes_room() -> None:
    """One more of the same address replaces it; other addresses have room of their own."""

    async def whole() -> None:
        async with opened(heads=True, most_silent=2) as here:
            other = await here.call(HEAD[:5], "127.0.0.7")
            first = await here.call(HEAD[:5])
            await until(lambda: here.silent == 2)
            second, third = await here.call(HEAD[:5]), await here.call(HEAD[:5])
            assert await ended(first)
            assert here.silent == 3
            for client in (other, second, third):
                await asyncio.get_running_loop().sock_sendall(client, HEAD[5:])
            await until(lambda: len(here.heard) == 3)

    run(whole())


def test_a_head_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that trickle in do not put the deadline off."""
    monkeypatch.setattr(gate, "HEAD_SECONDS", 0.1)

    async def whole() -> None:
        async with opened(heads=True) as here:
            slow = await here.call(HEAD[:5])
            await until(lambda: here.silent == 1)
            assert await ended(slow)
            assert (here.silent, here.heard) == (0, [])

    run(whole())


def test_what_cannot_be_a_request_is_not_waited_for() -> None:
    """A browser that speaks TLS here is closed at once; an empty line before a request is allowed."""

    async def whole() -> None:
        async with opened(heads=True) as here:
            assert await ended(await here.call(b"\x16\x03\x01\x02\x00\x01"))
            await here.call(b"\r\n" + HEAD)
            await until(lambda: here.heard)

    run(whole())


def test_only_so_many_are_accepted_at_once() -> None:
    """A crowd does not keep the loop from everybody else: it goes on between them."""

    async def whole() -> None:
        async with opened(heads=True) as here:
            here.gate.pause()
            for _ in range(3 * ACCEPTS):
                await here.call()
            here.gate._listen()
            most = before = 0
            while here.silent < 3 * ACCEPTS:
                await asyncio.sleep(0)
                most, before = max(most, here.silent - before), here.silent
            assert most <= ACCEPTS

    run(whole())


class Exhausted(socket.socket):
    """A listening socket that finds no descriptor for a while."""

    exhausted = True
    tries = 0

    def accept(self) -> tuple[socket.socket, Any]:
        self.tries += 1
        if self.exhausted:
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


def test_accepting_pauses_when_descriptors_run_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It does not try again before the pause is over, and says so in the log once a minute."""
    monkeypatch.setattr(gate, "PAUSE", 3600.0)

    async def whole() -> None:
        (sock,) = await bound("127.0.0.1", 0)
        listener = Exhausted(sock.family, sock.type, sock.proto, sock.detach())
        here = Opened([listener], GateRules())
        await here.call()
        await until(lambda: listener.tries)
        for _ in range(100):
            await asyncio.sleep(0)
        assert listener.tries == 1
        here.gate._listen()  # the pause is over, and nothing has changed
        await until(lambda: listener.tries == 2)
        listener.exhausted = False
        here.gate._listen()
        await until(lambda: here.heard)
        await here.close()

    with caplog.at_level(logging.WARNING):
        run(whole())
    assert len(caplog.records) == 1
    assert "ulimit -n" in caplog.text


@pytest.mark.parametrize("spares", [False, True])
def test_the_last_descriptors_are_kept_for_players(monkeypatch: pytest.MonkeyPatch, spares: bool) -> None:
    """The page closes what it gets from the reserve; a door for players takes it."""
    monkeypatch.setattr(descriptors, "is_reserved", lambda descriptor, parts: True)

    async def whole() -> None:
        async with opened(spares_reserve=spares) as here:
            client = await here.call()
            if spares:
                assert await ended(client)
            else:
                await until(lambda: here.heard)

    run(whole())

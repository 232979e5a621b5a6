"""Unix domain sockets: addresses, the socket's file, and a match."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from server.rooms import player, room
from touchline.core.errors import BadOptions
from touchline.players.address import ServerAddress
from touchline.transports.base import transport

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("url", "host", "dialect"),
    [
        ("unix:///tmp/fish.sock/seed-001", "/tmp/fish.sock", "seed-001"),
        ("unix:///tmp/fish.sock", "/tmp/fish.sock", "native"),
        ("unix:///tmp/fish.sock/", "/tmp/fish.sock", "native"),
    ],
)
def test_an_address_ends_in_sock(url: str, host: str, dialect: str) -> None:
    listen = ServerAddress.read(url)
    assert listen == ServerAddress("unix", host, 0, dialect)
    assert listen.is_local
    assert ServerAddress.read(listen.url(0)) == listen


@pytest.mark.parametrize(
    "url", ["unix://", "unix://tmp/x.sock/native", "unix:///tmp/x/native", "unix:///x.sock/a/b"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(BadOptions, match=r"use unix:///PATH.sock/DIALECT"):
        ServerAddress.read(url)


def test_a_match_over_a_unix_socket(tmp_path: Path) -> None:
    """The server removes the socket's file when it stops."""
    path = tmp_path / "it.sock"

    async def whole() -> None:
        async with room(listen=(f"unix://{path}/native",)) as here:
            assert here.url == f"unix://{path}/native"
            await asyncio.gather(player(here.url, "ann"), player(here.url, "bob"))
            assert (await here.result(0)).verdict == "finished"

    asyncio.run(whole())
    assert not path.exists()


def test_a_live_server_keeps_its_socket(tmp_path: Path) -> None:
    """A second server is refused; a file that a crashed server left is replaced."""
    path = str(tmp_path / "it.sock")

    async def whole() -> None:
        unix = transport("unix")
        first = await unix.listen(path, 0, lambda connection: connection.close(at_once=True))
        with pytest.raises(OSError, match="in use"):
            await unix.listen(path, 0, lambda connection: None)
        await asyncio.sleep(0.01)
        os.rename(path, f"{path}.moved")
        first.close()
        await asyncio.sleep(0)  # what was just accepted is attached first
        os.rename(f"{path}.moved", path)
        second = await unix.listen(path, 0, lambda connection: connection.close(at_once=True))
        (await unix.connect(path, 0)).close(at_once=True)
        await asyncio.sleep(0.01)
        second.close()
        await asyncio.sleep(0)

    asyncio.run(whole())

"""Helpers of the tests of matches at a server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from server.rooms import SMALL, Caller, guest, player, seated
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.rooms import Room
    from touchline.core.rules import Game

GAMES: dict[str, Game] = {
    "fish": Fish(rows=5, cols=5),
    "hexapawn": SMALL,
    "labyrinth": Labyrinth(rows=5, cols=7),
}
NAMES = ("ann", "bob", "cyd", "dan")
MAZE = Labyrinth(rows=5, cols=7)


def at(dialect: str, scheme: str = "tcp") -> str:
    return f"{scheme}://127.0.0.1:0/{dialect}"


async def all_play(here: Room, urls: Sequence[str], bot: Any = None) -> None:
    """Everybody plays to the end and hears it; nobody is blamed for anything; the record proves itself."""
    names = [chr(ord("a") + number) * 3 for number in range(len(urls))]
    faces = await asyncio.gather(*(player(url, name, bot) for url, name in zip(urls, names, strict=True)))
    result = await here.result()
    assert (result.verdict, result.faults) == ("finished", ())
    assert all(face.over for face in faces)
    assert sorted(here.begun().names) == names


async def two(here: Room) -> tuple[Caller, Caller]:
    """Two who sit; the first is about to be asked."""
    ann, bob = await guest(here.url, "ann"), await guest(here.url, "bob")
    await seated(ann, bob)
    return ann, bob

"""A door that lets everybody in."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from server.rooms import SMALL
from touchline.core import registry
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth
from touchline.server.sign_up import Door, Guest
from touchline.transports.base import transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from touchline.core.rules import Game

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


class Porch:
    """Lets everybody in."""

    def __init__(self) -> None:
        self.guests: list[Guest] = []
        self.left: list[Guest] = []
        self.url = ""

    def welcome(self, guest: Guest) -> None:
        guest.wait(lambda: self.left.append(guest))
        self.guests.append(guest)

    def seated(self, token: str) -> Guest | None:
        return None


@asynccontextmanager
async def porch(dialect: str = "native", **options: Any) -> AsyncIterator[tuple[Porch, Door]]:
    """A door at which one dialect is spoken, on a free port."""
    host, module = Porch(), registry.dialect(dialect)
    door = Door(host, module, **options)
    tcp = transport("tcp")
    socket = await tcp.listen("127.0.0.1", 0, door.connected, framing=module.framing)
    host.url = f"tcp://127.0.0.1:{socket.port}/{dialect}"
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

"""A small labyrinth written by hand, and matches of bots and rogues in any of the dialects of Labyrinth."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from touchline.bots.euclid import Euclid
from touchline.bots.random import Random as RandomBot
from touchline.bots.riemann import Riemann
from touchline.core.registry import CONDUCTS
from touchline.dialects.labyrinth_course import LabyrinthCourse
from touchline.dialects.labyrinth_remote import LabyrinthRemote
from touchline.dialects.labyrinth_tasks import LabyrinthByTasks
from touchline.dialects.notation.labyrinth import referee_state
from touchline.drivers.match import agreed
from touchline.games.labyrinth import Labyrinth, LabyrinthState, Slide
from touchline.testing.in_memory_match import Dialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from touchline.dialects.base import Dialect, Exchange
    from touchline.drivers.match import MatchSpec
    from touchline.testing.in_memory_match import Reply

DIALECTS = (LabyrinthByTasks, LabyrinthRemote, LabyrinthCourse)
CONNECTORS = ["│─┐└", "┌┘┬├", "┴┤┼│"]
NAMES = ("ada", "bob", "cyd")


def at(row: int, column: int) -> dict[str, int]:
    return {"row#": row, "column#": column}


def small(goals: list[dict[str, int]] | None = None) -> LabyrinthState:
    """Three rows of four tiles, and three players."""
    written = {
        "board": {
            "connectors": [list(row) for row in CONNECTORS],
            "treasures": [[[f"a{row}", f"b{column}"] for column in range(4)] for row in range(3)],
        },
        "spare": {"tilekey": "┴", "1-image": "c", "2-image": "d"},
        "plmt": [
            {"current": at(0, 0), "home": at(1, 1), "goto": at(1, 3), "color": "red"},
            {"current": at(2, 3), "home": at(1, 3), "goto": at(1, 1), "color": "blue"},
            {"current": at(0, 3), "home": at(2, 1), "goto": at(1, 1), "color": "pink"},
        ],
        "last": None,
        "goals": goals or [],
    }
    return referee_state(written, "small")


TO_GOAL = Slide(0, "LEFT", 90, (1, 3))
"""How the first player of `small` reaches its goal: it drops out on the left, and comes in on the right."""


def called(exchange: Exchange) -> Any:
    """The only call that was made, and nothing was said."""
    (frame,) = exchange.frames
    assert not exchange.said
    return msgspec.json.decode(frame)


def seekers(count: int = 3) -> list[Any]:
    return [Euclid() if seat % 2 else Riemann() for seat in range(count)]


def strays(count: int = 3) -> list[Any]:
    return [RandomBot(Random(seat)) for seat in range(count)]


def terms(module: type[Dialect], *, seed: int = 0, seats: int = 3, **options: Any) -> MatchSpec:
    """A match under the dialect's own conduct."""
    names = [f"player{seat}" for seat in range(seats)]
    conduct = CONDUCTS[module.conduct]
    turn_cap = options.pop("turn_cap", 20_000)
    return agreed(Labyrinth(**options), names, seed=seed, conduct=conduct, turn_cap=turn_cap)


class Rogue:
    """A face that answers something else at its so-manieth call."""

    def __init__(self, face: Any, call: int, instead: Callable[[int, bytes], Iterable[Reply]]) -> None:
        self._face, self._call, self._instead = face, call, instead
        self.heard: list[Any] = []

    def answer(self, seat: int, frame: bytes) -> Iterable[Reply]:
        self.heard.append(msgspec.json.decode(frame))
        replies: list[bytes] = self._face.hear(frame)
        return self._instead(seat, frame) if len(self.heard) == self._call else replies


def dialogue(
    module: type[Dialect],
    spec: MatchSpec,
    players: list[Any],
    *,
    seat: int = 0,
    call: int = 0,
    instead: Callable[[int, bytes], Iterable[Reply]] = lambda _seat, _frame: (),
) -> tuple[Dialogue, list[Any], list[Rogue]]:
    """A match in which everybody speaks this, and one does something else at one call, if it does."""
    faces = [module.face(player) for player in players]
    rogues = [Rogue(face, call if number == seat else 0, instead) for number, face in enumerate(faces)]
    dialects = [module(spec.game) for _ in faces]
    return Dialogue(spec, dialects, lambda number, frame: rogues[number].answer(number, frame)), faces, rogues

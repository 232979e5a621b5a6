"""Tables with rogues, in virtual time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from players.tables import Match, played, terms, tired
from touchline.conducts.course import CONDUCT as COURSE
from touchline.testing.rogues import ROGUES, Script, Scripted, legal, seated
from touchline.testing.scripts import Read, Sleep, Write

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.conduct import Conduct
    from touchline.core.rules import Game


def table_with(
    rogues: dict[int, str],
    game: Game,
    seats: int,
    conduct: Conduct = COURSE,
    rest: Callable[[], Script] = tired,
) -> Match:
    """A match with these rogues at these seats, and honest players at all others."""
    scripts = [ROGUES[rogues[seat]][0] if seat in rogues else rest for seat in range(seats)]
    return played(terms(game, seats, conduct), [Scripted(script, game) for script in scripts])


def thinker(seconds: float, parts: int = 1) -> Callable[[], Script]:
    """An honest player that thinks so long about every move."""

    def script() -> Script:
        game = yield from seated()
        while True:
            said = yield Read()
            if said["type"] == "your_turn":
                for _ in range(parts):
                    yield Sleep(seconds / parts)
                yield Write(legal(game, said))

    return script

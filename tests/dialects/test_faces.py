"""What holds for a player's side in all dialects: which methods it must have, and that it has its seat."""

from __future__ import annotations

import importlib
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from server.rooms import Last
from touchline.core import registry
from touchline.core.messages import Begin, Garbled, YourTurn
from touchline.drivers.match import agreed
from touchline.testing.in_memory_match import Dialogue

if TYPE_CHECKING:
    from touchline.core.rules import Game

GAMES: dict[str, Any] = {
    "fish": {"rows": 3, "cols": 3, "fish": 1},
    "hexapawn": {"rows": 3, "cols": 3},
    "labyrinth": {"rows": 3, "cols": 5},
}
REQUIRED = {
    "seed-000": ("get_placement", "get_movement"),
    "seed-001": ("notifyTurn", "updateGameState"),
    "seed-002": ("request",),
    "seed-003": ("RequestMove", "NotifyGameState"),
    "seed-004": ("TakeTurn",),
    "fish-course": ("setup", "take_turn"),
    "labyrinth-course": ("take_turn", "setup"),
    "native": ("choose",),
}
"""The methods that ask for something, and those that a player needs to know what to answer."""


def game_of(dialect: str) -> Game:
    games = registry.dialect(dialect).games
    name = games[0] if games else "hexapawn"
    return registry.game(name, GAMES[name])


def by_choice(dialect: str) -> Any:
    """The class that makes a player with the dialect's methods of a bot."""
    file = registry.dialect(dialect).__module__
    return importlib.import_module(file).ByChoice


class Bare:
    """A player with only these methods of another."""

    def __init__(self, player: Any, names: tuple[str, ...]) -> None:
        for name in names:
            setattr(self, name, getattr(player, name))
        if hasattr(player, "_players"):
            player._players = 2  # what it would have been told


@pytest.mark.parametrize("dialect", registry.dialects())
def test_other_methods_may_be_left_out(dialect: str) -> None:
    """A whole match, with a player that has only the methods that ask."""
    module, game = registry.dialect(dialect), game_of(dialect)
    bare = []
    for _ in range(2):
        player = Last() if dialect == "native" else by_choice(dialect)(Last())
        bare.append(Bare(player, REQUIRED[dialect]))
        if dialect == "seed-001":
            bare[-1].__class__ = type("Pushing", (Bare,), {"referee": _Passed(player)})
    faces = [module.face(player, rng=Random(0)) for player in bare]
    dialects = [module(game) for _ in faces]
    talk = Dialogue(
        agreed(game, ["ann", "bob"], seed=1), dialects, lambda seat, frame: faces[seat].hear(frame)
    )
    result = talk.run()
    assert result.verdict == "finished"
    assert not result.faults


class _Passed:
    """Hands what is set on one object to another."""

    def __init__(self, player: Any) -> None:
        self._player = player

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self._player.referee

    def __set__(self, instance: Any, value: Any) -> None:
        self._player.referee = value


@pytest.mark.parametrize("dialect", registry.dialects())
def test_a_program_that_signs_up(dialect: str) -> None:
    """One that says its name first is told that it has its seat."""
    module, game = registry.dialect(dialect), game_of(dialect)
    seated, state = module(game), game.start(2, Random(1))
    seated.say(Begin(0, ("ann", "bob"), state.view(0)))
    (frame,) = module.face(None).sign_up("ann") if dialect != "native" else [HELLO]
    if dialect == "seed-002":
        seated.say(YourTurn(0, state.view(0), None))
    (said,) = seated.hear(frame).said
    assert isinstance(said, Garbled)
    assert said.why.startswith("a sign-up, but the player has its seat")
    again = seated.hear(b'"void"').said
    assert not any("sign-up" in thing.why for thing in again if isinstance(thing, Garbled))


HELLO = b'{"type":"hello","protocol":1,"name":"ann"}'

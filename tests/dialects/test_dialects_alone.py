"""What each dialect says to the seat that is left when the others have gone, and the match ends."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from referee.dialogue import FISH, MAZE, Dialogue
from touchline.bots.random import Random as RandomBot
from touchline.conducts.standard import CONDUCT as STANDARD
from touchline.core import registry
from touchline.core.messages import Over, Resign

if TYPE_CHECKING:
    from touchline.core.rules import Game

LAST: dict[str, tuple[Game, list[Any]]] = {
    "seed-000": (FISH, []),
    "seed-001": (FISH, ["updateGameState", "notifyGameOver"]),
    "seed-003": (MAZE, ["NotifyGameState"]),
    "seed-004": (MAZE, []),
    "fish-course": (FISH, ["end"]),
    "labyrinth-course": (MAZE, ["win"]),
    "native": (FISH, ["over"]),
}
"""The game, and the first frames of the last word; seed 003 calls one by one, each after the last answer."""


@pytest.mark.parametrize("name", LAST)
def test_the_last_word(name: str) -> None:
    """It says that the match is over, as far as the dialect has words for it, and never fails."""
    game, words = LAST[name]
    kind, dialogue = registry.dialect(name), Dialogue(game, under=STANDARD)
    dialect, face = kind(game), kind.face(RandomBot(Random(1)))
    frames = [frame for message in dialogue.told(0) for frame in dialect.say(message).frames]
    while frames:
        answers = [answer for frame in frames for answer in face.hear(frame)]
        frames = [frame for answer in answers for frame in dialect.hear(answer, 0).frames]
    dialogue.seated().hear(1, Resign())
    (over,) = dialogue.told(0)
    assert isinstance(over, Over)
    said = [json.loads(frame) for frame in dialect.say(over).frames]
    assert [one["type"] if isinstance(one, dict) else one[0] for one in said] == words
    if name == "native":
        assert (said[0]["verdict"], said[0]["reason"]) == ("finished", "player 1 resigned")
        assert said[0]["outcome"]["winners"] == [0]

"""The player's side of native: a question that is repeated gets the same answer."""

from __future__ import annotations

from random import Random
from typing import Any

from touchline.core.messages import Begin, Rejected, YourTurn
from touchline.dialects.native import Face, Native
from touchline.games.hexapawn import Hexapawn


class Counting:
    """Plays another move each time it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, view: Any, turn: int) -> Any:
        self.asked += 1
        return view.legal_moves()[self.asked % len(view.legal_moves())]


def frames(*said: Any) -> list[bytes]:
    native = Native(Hexapawn())
    return [frame for message in said for frame in native.say(message).frames]


def test_a_repeated_question_gets_the_same_answer() -> None:
    """After a restart of the server the question is asked again; the player is not, until it is rejected."""
    state, player = Hexapawn().start(2, Random(0)), Counting()
    face = Face(player)
    begin, asked = frames(Begin(0, ("a", "b"), state), YourTurn(0, state, None))
    face.hear(begin)
    first = face.hear(asked)
    face.hear(begin)
    assert face.hear(asked) == first
    assert player.asked == 1
    face.hear(frames(Rejected(0, "no"))[0])
    assert face.hear(asked) != first
    assert player.asked == 2


def test_another_question_is_put_to_the_player() -> None:
    """Another turn, or another position in the same turn, is another question."""
    state, player = Hexapawn().start(2, Random(0)), Counting()
    face = Face(player)
    begin, asked = frames(Begin(0, ("a", "b"), state), YourTurn(0, state, None))
    face.hear(begin)
    face.hear(asked)
    face.hear(frames(YourTurn(2, state, None))[0])
    assert player.asked == 2
    later = state.play(state.legal_moves()[0]).play(state.play(state.legal_moves()[0]).legal_moves()[0])
    face.hear(frames(YourTurn(2, later, None))[0])
    assert player.asked == 3

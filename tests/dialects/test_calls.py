"""Calls, one at a time: each dialect of calls keeps to this, whatever its words are."""

from __future__ import annotations

import pytest

from touchline.core.messages import Act, Garbled, ToPlayer
from touchline.dialects.base import SILENCE, Exchange, Refusal, SignUp
from touchline.dialects.shared.calls import READY, Calls, answering, call, heard, moving
from touchline.games.hexapawn import Hexapawn

SMALL = Hexapawn(rows=3, cols=3)


class Talk(Calls):
    """A dialect of calls without words."""

    @classmethod
    def read_sign_up(cls, frame: bytes) -> SignUp:
        raise Refusal("nobody signs up here")

    def say(self, message: ToPlayer) -> Exchange:
        return SILENCE


def ask(turn: int) -> Talk:
    """A player that has been asked for a move."""
    calls = Talk(SMALL)
    assert calls.make(call("move", [turn], moving(turn, bytes.decode), turn)).frames
    return calls


def test_one_call_is_open_and_the_others_wait_in_order() -> None:
    """Each answer belongs to the call that is open, and lets the next one go."""
    calls = Talk(SMALL)
    made = calls.make(call("a", [], heard), call("b", [1], answering(READY)), call("c", [], heard))
    assert made.frames == [b'["a",[]]']
    assert calls.hear(b'"void"') == ([b'["b",[1]]'], ())
    assert calls.hear(b'"void"') == ([b'["c",[]]'], [READY])
    assert calls.owes
    assert calls.hear(b'"void"') == ([], ())
    assert not calls.owes


def test_what_nobody_asked_for_is_not_owed() -> None:
    """Nothing was asked, so nothing can be read."""
    assert Talk(SMALL).hear(b'"void"') == ((), [Garbled('received `"void"`, but nothing was asked')])


@pytest.mark.parametrize("answer", [b'"vold"', b"null", b"", b"\xff", b'"void" "void"'])
def test_an_answer_that_cannot_be_read_is_owed(answer: bytes) -> None:
    """It is told as such, and the call is over."""
    calls = Talk(SMALL)
    calls.make(call("a", [], heard), call("b", [], heard))
    frames, (said,) = calls.hear(answer)
    assert frames == [b'["b",[]]']
    assert isinstance(said, Garbled)
    assert (said.turn, said.owed) == (None, True)


def test_an_answer_has_the_number_of_its_question() -> None:
    """Also if it cannot be read."""
    assert ask(4).hear(b"north") == ([], [Act("north", 4)])
    _, (said,) = ask(4).hear(b"\xff")
    assert isinstance(said, Garbled)
    assert (said.turn, said.owed) == (4, True)


def test_a_question_that_stands_is_not_asked_again() -> None:
    """Who is asked again before it has answered hears nothing, and answers once."""
    calls = ask(4)
    again = call("move", [4], moving(4, bytes.decode), 4)
    assert calls.make(again).frames == []
    assert calls.hear(b"north") == ([], [Act("north", 4)])
    assert not calls.owes
    assert calls.make(again).frames == [b'["move",[4]]']


def test_a_question_that_waits_is_not_asked_twice() -> None:
    """The same holds while an earlier call is open; another turn is another question."""
    calls = Talk(SMALL)
    calls.make(call("a", [], heard), call("move", [4], moving(4, bytes.decode), 4))
    calls.make(call("move", [4], moving(4, bytes.decode), 4))
    calls.make(call("move", [5], moving(5, bytes.decode), 5))
    assert calls.hear(b'"void"').frames == [b'["move",[4]]']
    assert calls.hear(b"north").frames == [b'["move",[5]]']
    assert calls.hear(b"south").frames == []


def test_calls_that_wait_can_be_forgotten() -> None:
    """Nothing is awaited then, not even by the call that was open."""
    calls = Talk(SMALL)
    calls.make(call("a", [], heard), call("b", [], heard))
    calls.forget()
    assert not calls.owes
    assert calls.part() == []


def test_calls_that_wait_are_made_at_the_end() -> None:
    """Who does not answer still hears the rest, once; an answer to the open call is read as one."""
    calls = Talk(SMALL)
    calls.make(call("a", [], answering(READY)), call("b", [], heard), call("c", [], heard))
    assert calls.part() == [b'["b",[]]', b'["c",[]]']
    assert calls.part() == []
    assert calls.hear(b'"void"').said == [READY]


def test_questions_can_be_withdrawn() -> None:
    """When a match is over a move that was to be asked for is asked no more; news are told."""
    calls = Talk(SMALL)
    calls.make(call("a", [], heard), call("move", [], moving(3, bytes), 3), call("b", [], heard))
    calls.withdraw()
    assert calls.hear(b'"void"').frames == [b'["b",[]]']

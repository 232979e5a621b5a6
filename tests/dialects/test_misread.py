"""A frame that cannot be read is quoted, with what is wrong and what was expected."""

from __future__ import annotations

from random import Random

import pytest

from touchline.core import messages, registry
from touchline.core.messages import Garbled
from touchline.core.registry import DIALECTS
from touchline.dialects.shared.misread import MOST_REASON

ACT = '; an answer is like {"type":"act","turn":4,"move":{"from":[0,0],"to":[1,0]}}'
NATIVE = [
    (b"debug 3", "`debug 3` is not JSON. Did you print it to stdout? The protocol is there: print to stderr"),
    (b"null", f"received `null`: it is null, and must be an object{ACT}"),
    (b'{"turn":4}', f'received `{{"turn":4}}`: it has no field "type"{ACT}'),
    (
        b'{"type":"move","turn":4}',
        f'received `{{"type":"move","turn":4}}`: type is "move", which is not known{ACT}',
    ),
    (
        b'{"type":"act","turn":4,"move":null}',
        f'received `{{"type":"act","turn":4,"move":null}}`: move is null, and must be an object{ACT}',
    ),
    (
        b'{"type":"act","turn":4,"move":{"from":[0,0]}}',
        f'received `{{"type":"act","turn":4,"move":{{"from":[0,0]}}}}`: move has no field "to"{ACT}',
    ),
    (b"{", "`{` ends too early: write the whole answer on one line"),
    (
        b"{'type': 'ready'}",
        "`{'type': 'ready'}` is not JSON: texts stand in double quotes. In Python, write it with json.dumps",
    ),
    (b"{}{}", "`{}{}` is more than one JSON value: write each answer on a line of its own"),
]


@pytest.mark.parametrize(("frame", "why"), NATIVE)
def test_what_is_wrong_with_a_native_answer(frame: bytes, why: str) -> None:
    """The answer is quoted, and an example of a right one is given."""
    game = registry.game("hexapawn")
    dialect = registry.dialect("native")(game)
    dialect.say(messages.YourTurn(4, game.start(2, Random(0)), None))
    assert dialect.hear(frame).said == (Garbled(why),)


def test_the_answer_to_begin_is_given() -> None:
    """Before the first turn, what is missing is that the player is ready."""
    game = registry.game("hexapawn")
    dialect = registry.dialect("native")(game)
    dialect.say(messages.Begin(0, ("a", "b"), game.start(2, Random(0))))
    (said,) = dialect.hear(b'"hello"').said
    assert said == Garbled(
        'received `"hello"`: it is a text, and must be an object; the answer to begin is {"type":"ready"}'
    )


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("frame", [b"debug 3", b'{"debug":[3]}', b"\x1b[2J", b"[" * 60_000, b"x" * 60_000])
def test_every_dialect_quotes_what_it_cannot_read(name: str, frame: bytes) -> None:
    """The quote is printable and short, whatever was sent."""
    kind = registry.dialect(name)
    game = registry.game(next(iter(kind.games), "hexapawn"))
    dialect = kind(game)
    state = game.start(game.seats[0], Random(0))
    names = tuple(f"p{seat}" for seat in range(game.seats[0]))
    dialect.say(messages.Begin(0, names, state.view(0)))
    dialect.say(messages.YourTurn(0, state.view(0), None))
    (said,) = dialect.hear(frame).said
    assert isinstance(said, Garbled)
    assert f"`{frame[:1].decode() if frame[0] > 31 else chr(92)}" in said.why
    assert len(said.why) <= MOST_REASON
    assert said.why.isprintable()

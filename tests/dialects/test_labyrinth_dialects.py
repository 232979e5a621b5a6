"""What holds in every dialect of Labyrinth: whole matches, offences, and bytes from anybody."""

from __future__ import annotations

import contextlib
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialects.labyrinth_tables import (
    DIALECTS,
    NAMES,
    TO_GOAL,
    called,
    dialogue,
    seekers,
    small,
    strays,
    terms,
)
from touchline.core import messages
from touchline.core.conduct import Offence
from touchline.core.errors import BadInput
from touchline.core.events import Moved
from touchline.core.happenings import Failed, Lapsed
from touchline.core.messages import Act, Garbled, Ready
from touchline.core.rules import Outcome
from touchline.dialects import labyrinth_course, labyrinth_remote, labyrinth_tasks
from touchline.dialects.base import SILENCE, Refusal
from touchline.dialects.shared.labyrinth import LabyrinthFace
from touchline.drivers.match import opened, play_now
from touchline.games.labyrinth import PASS, Labyrinth, LabyrinthState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from touchline.dialects.base import Dialect
    from touchline.testing.in_memory_match import Reply

every_dialect = pytest.mark.parametrize("module", DIALECTS, ids=lambda module: module.name)


@every_dialect
@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("goals", [0, 2])
def test_seekers_as_by_the_rules(module: type[Dialect], seats: int, goals: int) -> None:
    """Riemann and Euclid play the same match in the dialect as without one."""
    for seed in range(5):
        spec = terms(module, seed=seed, seats=seats, goals=goals)
        moves: list[Any] = []
        want = play_now(spec, seekers(seats), [lambda event: moves.append(event)])  # noqa: B023
        talk, faces, _ = dialogue(module, spec, seekers(seats))
        assert talk.run() == want
        assert [event.move for event in talk.events if isinstance(event, Moved)] == [
            event.move for event in moves if isinstance(event, Moved)
        ]
        assert all(face.over for face in faces)


@every_dialect
def test_strays_as_by_the_rules(module: type[Dialect]) -> None:
    """Bots that play any legal move choose the same ones: they are shown the same maze, all of it."""
    spec = terms(module, rows=5, cols=4, seats=2, turn_cap=200)
    for seed in range(3):
        spec = msgspec.structs.replace(spec, seed=seed)
        want = play_now(spec, strays(2))
        talk, _, _ = dialogue(module, spec, strays(2))
        assert talk.run() == want


@every_dialect
def test_uneven_boards(module: type[Dialect]) -> None:
    """Rows are not mistaken for columns."""
    for rows, cols in ((3, 12), (12, 3)):
        spec = terms(module, rows=rows, cols=cols)
        talk, _, _ = dialogue(module, spec, seekers())
        assert talk.run() == play_now(spec, seekers())


class Watching:
    """A bot that plays a move and keeps the view."""

    def __init__(self) -> None:
        self.views: list[LabyrinthState] = []

    def choose(self, view: LabyrinthState, turn: int) -> Any:
        assert turn == len(self.views)
        self.views.append(view)
        return seekers(1)[0].choose(view, turn)


@every_dialect
def test_views(module: type[Dialect]) -> None:
    """A bot sees what the game lets its seat see; only rounds and its number at the table may differ."""
    spec = terms(module, seed=1)
    bots = [Watching() for _ in range(3)]
    talk, _, _ = dialogue(module, spec, bots)
    assert talk.run().turns > 6
    state: Any = opened(spec)
    for event in talk.events:
        if isinstance(event, Moved):
            assert_same(bots[event.seat].views.pop(0), state.view(event.seat), event.seat)
            state = state.play(event.move)


def assert_same(told: LabyrinthState, view: LabyrinthState, seat: int) -> None:
    assert told.to_move is not None
    shift = (told.to_move - seat) % 3
    order = [(number - shift) % 3 for number in range(3)]
    assert told.maze == view.maze
    assert told.last == view.last
    assert told.pool is None
    assert told.avatars == tuple(view.avatars[number] for number in order)
    assert told.seekers == tuple(view.seekers[number] for number in order)


def bad_move(_seat: int, frame: bytes) -> Iterable[Reply]:
    """A move that can be read in the dialect that asks, to a tile that is not there."""
    name, _ = msgspec.json.decode(frame)
    return [
        {
            "RequestMove": b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":0,"destination":[99,0]}',
            "TakeTurn": b'{"slide":{"direction":"LEFT","index":0,"rotations":0},"destination":[99,0]}',
            "take-turn": b'[0,"LEFT",0,{"row#":99,"column#":0}]',
        }[name]
    ]


OFFENCES: list[tuple[Callable[[int, bytes], Iterable[Reply]], Offence]] = [
    (bad_move, Offence.ILLEGAL),
    (lambda _seat, _frame: [b"{"], Offence.MALFORMED),
    (lambda _seat, _frame: [b'"void"'], Offence.MALFORMED),
    (lambda _seat, _frame: [b"-1"], Offence.MALFORMED),
    (lambda seat, _frame: [Lapsed(seat)], Offence.LATE),
    (lambda _seat, _frame: [], Offence.LATE),
    (lambda seat, _frame: [Failed(seat, Offence.GONE, "hung up")], Offence.GONE),
]
MOVES = {"RequestMove", "TakeTurn", "take-turn"}


@every_dialect
@pytest.mark.parametrize(("instead", "offence"), OFFENCES)
def test_offences(
    module: type[Dialect], instead: Callable[[int, bytes], Iterable[Reply]], offence: Offence
) -> None:
    """Whoever offends when asked for a move is kicked at once and hears nothing more; the rest play on."""
    spec = terms(module, seed=1)
    first_request = (
        3 if module is labyrinth_tasks.DIALECT else 2
    )  # the state was told twice: at the start, after a move
    talk, faces, rogues = dialogue(module, spec, seekers(), seat=1, call=first_request, instead=instead)
    result = talk.run()
    assert result.verdict == "finished"
    assert result.expelled == (1,)
    assert [fault.offence for fault in result.faults] == [offence]
    assert rogues[1].heard[-1][0] in MOVES
    assert len(rogues[1].heard) == first_request
    assert [face.over for face in faces] == [True, False, True]


@every_dialect
@pytest.mark.parametrize("answer", [b"null", b'"Void"', b"[]", b"{", b"", b"void", b'"void" 1'])
def test_not_void(module: type[Dialect], answer: bytes) -> None:
    """Any answer but "void" at the start gets one kicked, before the first turn."""
    spec = terms(module, seed=1)
    talk, _, rogues = dialogue(module, spec, seekers(), call=1, instead=lambda _seat, _frame: [answer])
    result = talk.run()
    assert [(fault.seat, fault.offence) for fault in result.faults] == [(0, Offence.MALFORMED)]
    assert len(rogues[0].heard) == 1
    assert result.verdict == "finished"


@every_dialect
@pytest.mark.parametrize("answer", [b' "void"\n', b" " * 2040 + b'"void" ', b'"\\u0076oid"'])
def test_bytes_may_arrive_anyhow(module: type[Dialect], answer: bytes) -> None:
    """Blanks before and after an answer, and escapes in it, mean nothing."""
    spec = terms(module, seed=1)
    talk, _, _ = dialogue(module, spec, seekers(), call=1, instead=lambda _seat, _frame: [answer])
    assert talk.run() == play_now(spec, seekers())


@every_dialect
def test_out_of_turn(module: type[Dialect]) -> None:
    """Nine words too many are passed over in silence; more in the same turn get one kicked."""
    spec = terms(module, seed=1)
    for many in (9, 10):
        noise = [b'"void"', *[b'"PASS"'] * many]
        talk, _, _ = dialogue(module, spec, seekers(), seat=2, call=1, instead=lambda _s, _f: noise)  # noqa: B023
        result = talk.run()
        assert result.expelled == ((2,) if many > 9 else ())
        assert {fault.offence for fault in result.faults} == {Offence.OUT_OF_TURN}


OVER = Outcome((1,), (2, 1, 2), (0, 0, 0), "everybody passed")


WORDLESS = (messages.Accepted, messages.Rejected, messages.Skipped, messages.Expelled)


def everything() -> list[messages.ToPlayer]:
    view, after = small().view(1), small().play(TO_GOAL).view(1)
    return [
        messages.YourTurn(0, view, 4_000_000),
        messages.YourTurn(1, view, None),
        messages.Accepted(0),
        messages.Rejected(0, "no"),
        messages.Update(1, after),
        messages.Onward(1, after),
        messages.Skipped(1, "no"),
        messages.Skipped(1, "no", Offence.LATE),
        messages.Expelled("no", Offence.ILLEGAL),
        messages.Expelled("no"),
        messages.Over(view, "finished", OVER, OVER.reason),
        messages.Over(view, "void", None, "broken"),
        messages.Over(view, "forfeited", OVER, "forfeits"),
    ]


@every_dialect
def test_everything_can_be_said(module: type[Dialect]) -> None:
    """Whatever the referee says is said, in words that a player understands or in none."""
    for message in everything():
        reader = module(Labyrinth())
        reader.say(messages.Begin(1, NAMES, small().view(1)))
        reader.hear(b'"void"')
        exchange = reader.say(message)
        for frame in exchange.frames:
            name, arguments = msgspec.json.decode(frame)
            face = module.face
            assert issubclass(face, LabyrinthFace)
            assert name in {*face.void, *face.asks}
            assert isinstance(arguments, list)
        assert not isinstance(message, WORDLESS) or exchange == SILENCE


@every_dialect
def test_never_seated(module: type[Dialect]) -> None:
    """A seat that was never greeted hears of no end either."""
    for message in (messages.Over(small().view(0), "void", None, "why"), messages.Expelled("why")):
        assert module(Labyrinth()).say(message) == SILENCE


@every_dialect
def test_one_call_at_a_time(module: type[Dialect]) -> None:
    """The next call waits for the answer, and who is kicked hears no call that waited."""
    for last_word in (None, messages.Expelled("kicked")):
        reader = module(Labyrinth())
        reader.say(messages.Begin(0, NAMES, small().view(0)))
        assert reader.owes
        assert not reader.say(messages.YourTurn(0, small().view(0), None)).frames
        if last_word is None:
            heard = reader.hear(b'"void"')
            assert msgspec.json.decode(heard.frames[0])[0] in MOVES
            assert isinstance(heard.said[0], Ready)
        else:
            assert reader.say(last_word) == SILENCE
            assert not reader.hear(b'"void"').frames


def asked(module: type[Dialect]) -> Any:
    """A dialect whose player has been asked for a move."""
    reader = module(Labyrinth())
    reader.say(messages.Begin(0, NAMES, small().view(0)))
    reader.hear(b'"void"')
    assert called(reader.say(messages.YourTurn(7, small().view(0), None)))[0] in MOVES
    return reader


VALID = [
    b'{"slide":{"type":"SlideRowLeft","index":0},"rotation":90,"destination":[1,3]}',
    b'{"slide":{"direction":"LEFT","index":0,"rotations":5},"destination":[1,3]}',
    b'[0,"LEFT",90,{"row#":1,"column#":3}]',
    b'"PASS"',
    b"null",
    b'"void"',
    b'["Signup",["ada"]]',
    b'[[{"pathways":["UP","DOWN"],"gems":["ruby","beryl"]}]]',
]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A valid frame with a few bytes taken out, put in, or doubled."""
    frame = bytearray(draw(st.sampled_from(VALID)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(frame)))
        kind = draw(st.integers(0, 2))
        if kind == 0:
            del frame[place : place + draw(st.integers(1, 5))]
        elif kind == 1:
            frame[place:place] = draw(
                st.sampled_from([b"-", b"1e9", b"true", b"[", b'"', b"\xff", b"9" * 400])
            )
        else:
            frame[place:place] = frame
    return bytes(frame)


@every_dialect
@given(frame=st.binary(max_size=60) | mutated() | st.sampled_from(VALID))
def test_fuzz(module: type[Dialect], frame: bytes) -> None:
    """Nothing that anybody sends raises: it is a move or cannot be read; a name or it is refused."""
    for reader in (asked(module), module(Labyrinth())):
        owed = reader.owes
        frames, (said,) = reader.hear(frame)
        assert not frames
        assert isinstance(said, Act | Garbled)
        assert said.turn == (7 if owed else None)
        if isinstance(said, Act):
            msgspec.json.decode(msgspec.json.encode(said.move), type=Labyrinth.Move)
    with contextlib.suppress(Refusal):
        assert module.read_sign_up(frame).name.isalnum()


@every_dialect
@pytest.mark.parametrize(
    "frame", [b"[" * 100_000, b'{"a":' * 100_000, b"9" * 1_000_000, b'"' + b"a" * 100_000]
)
def test_large_frames(module: type[Dialect], frame: bytes) -> None:
    """Depth and length harm nobody."""
    assert isinstance(asked(module).hear(frame).said[0], Garbled)
    with pytest.raises(Refusal):
        module.read_sign_up(frame)


def test_large_proposals() -> None:
    """Nor do they in a proposal."""
    for frame in (b"[" * 100_000, b"[" + b"[]," * 100_000 + b"[]]"):
        reader = labyrinth_remote.LabyrinthRemote(Labyrinth())
        reader.propose()
        assert isinstance(reader.hear(frame).said[0], Garbled | Ready)
        assert reader.proposal is None


@every_dialect
@pytest.mark.parametrize("frame", [b"", b"7", b'["setup"]', b'["nonsense",[]]', b'["choose",[]]', b"\xff"])
def test_strange_servers(module: type[Dialect], frame: bytes) -> None:
    """A player's side says what it cannot understand."""
    with pytest.raises(BadInput):
        module.face(seekers()[0]).hear(frame)


@every_dialect
def test_more_fields(module: type[Dialect]) -> None:
    """A player's side passes over fields that it does not know."""

    def more(value: Any) -> Any:
        if isinstance(value, dict):
            return {"more": [1], **{key: more(inner) for key, inner in value.items()}}
        return [more(inner) for inner in value] if isinstance(value, list) else value

    spec = terms(module, seed=1)
    talk, faces, _ = dialogue(module, spec, seekers())
    talk._answer = lambda seat, frame: faces[seat].hear(msgspec.json.encode(more(msgspec.json.decode(frame))))
    assert talk.run() == play_now(spec, seekers())


@every_dialect
def test_players_that_raise(module: type[Dialect]) -> None:
    """What a player raises is not hidden."""

    class Raises:
        def choose(self, view: Any, turn: int) -> Any:
            raise ZeroDivisionError

    talk, _, _ = dialogue(module, terms(module), [Raises()] * 3)
    with pytest.raises(ZeroDivisionError):
        talk.run()


@every_dialect
def test_everybody_passes(module: type[Dialect]) -> None:
    """A pass has its own word in each of them, and the end too."""

    class Passes:
        def choose(self, view: Any, turn: int) -> Any:
            return PASS

    talk, faces, _ = dialogue(module, terms(module), [Passes() for _ in range(3)])
    result = talk.run()
    assert (result.reason, result.turns) == ("everybody passed", 3)
    assert all(face.over for face in faces)


@pytest.mark.parametrize("module", [labyrinth_tasks.DIALECT, labyrinth_course.DIALECT])
def test_name_alone(module: type[Dialect]) -> None:
    """A name is 1 to 20 letters or digits, with perhaps a newline after it."""
    (frame,) = module.face(Random()).sign_up("Ada99")
    assert frame == b'"Ada99"'
    for good in (frame, b' "Ada99"\n', b'"Ada99\\n"', b'"\\u0041da99"'):
        assert module.read_sign_up(good).name == "Ada99"
    assert module.read_sign_up(b'"%s"' % (b"x" * 20)).name == "x" * 20
    for bad in (
        b'""',
        b'"\\n"',
        b'"a b"',
        b'"a\\n\\n"',
        b'"%s"' % (b"x" * 21),
        '"é"'.encode(),
        b"7",
        b'["a"]',
    ):
        with pytest.raises(Refusal):
            module.read_sign_up(bad)

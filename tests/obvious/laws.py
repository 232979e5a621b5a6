"""What holds of every state of every game, whatever its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import strategies as st

from touchline.core.rules import IllegalMove
from touchline.games import fish, hexapawn, labyrinth

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from touchline.core.rules import Game, State


def judged_legal(state: State, move: Any) -> bool:
    """What `check()` says; it may raise nothing but IllegalMove, and says why."""
    try:
        state.check(move)
    except IllegalMove as no:
        objection = str(no)
    else:
        return True
    assert objection.strip()
    return False


def assert_judges(state: State, moves: Iterable[Any]) -> None:
    """`check()` accepts just the members of `legal_moves()` among these moves."""
    legal = set(state.legal_moves())
    for move in moves:
        assert judged_legal(state, move) == (move in legal), move


def assert_survives(state: State, value: Any) -> None:
    """`check()` accepts no value that is not a legal move, and raises nothing but IllegalMove."""
    assert not judged_legal(state, value) or value in state.legal_moves()


def assert_refuses_lookalikes(state: State) -> None:
    """`check()` refuses legal moves whose places are lists, or whose numbers are floats or strings."""
    for move in state.legal_moves():
        fields = msgspec.structs.asdict(move)
        for disguise in (list, as_floats, as_strings):
            changed = {name: disguise(value) for name, value in fields.items() if isinstance(value, tuple)}
            if changed:
                assert not judged_legal(state, type(move)(**(fields | changed)))


def as_floats(cell: tuple[int, ...]) -> tuple[float, ...]:
    return tuple(map(float, cell))


def as_strings(cell: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, cell))


def assert_lawful(game: Game, state: State, seats: int, rng: Random) -> None:
    """The laws that bind every state of every game."""
    assert_ends_in_one_way(state)
    assert_moves_are_sound(game, state)
    assert_written_form_is_whole(game, state)
    for seat in (None, *range(seats)):
        assert_view_is_playable(state, seat, rng)


def assert_ends_in_one_way(state: State) -> None:
    over = state.outcome() is not None
    assert (state.to_move is None) == over
    assert (not state.legal_moves()) == over
    assert not over or state.passed_over == ()


def assert_moves_are_sound(game: Game, state: State) -> None:
    moves = list(state.legal_moves())
    assert len(set(moves)) == len(moves)
    assert moves == list(state.legal_moves())
    for move in moves:
        assert judged_legal(state, move)
    for move in moves[:3] + moves[-1:]:
        assert msgspec.json.decode(msgspec.json.encode(move), type=game.Move) == move


def assert_written_form_is_whole(game: Game, state: State) -> None:
    position = state.position()
    read = msgspec.json.decode(msgspec.json.encode(position), type=game.Position)
    assert read == position
    again = game.restore(read)
    assert again == state
    assert hash(again) == hash(state)
    assert again.position() == position


def assert_view_is_playable(state: State, seat: int | None, rng: Random) -> None:
    view = state.view(seat)
    assert view.view(seat) == view
    assert view.imagine(rng).view(seat) == view
    assert view.to_move == state.to_move
    assert view.legal_moves() == state.legal_moves()
    if state.outcome() is not None:
        assert view == state


HUGE = st.sampled_from([10**30, -(10**30), 2**63, 2**64, -(2**63)])
INTS = st.one_of(st.integers(-3, 12), HUGE)
PLACES = st.tuples(INTS, INTS)
WAYS: st.SearchStrategy[Any] = st.sampled_from(["LEFT", "RIGHT", "UP", "DOWN"])
TURNS: st.SearchStrategy[Any] = st.sampled_from([0, 90, 180, 270])

WILD = st.one_of(
    st.none(),
    st.text(max_size=5),
    st.binary(max_size=3),
    INTS,
    st.floats(),
    PLACES,
    st.lists(INTS, max_size=3),
    st.dictionaries(st.text(max_size=2), INTS, max_size=2),
    st.builds(object),
    st.builds(hexapawn.Step, PLACES, PLACES),
    st.builds(fish.Place, PLACES),
    st.builds(fish.Slide, PLACES, PLACES),
    st.builds(labyrinth.Slide, INTS, WAYS, TURNS, PLACES),
    st.builds(labyrinth.Pass),
)
"""Values that a careless player might hand in: no moves at all, another game's, or places off the board."""

JUNK: st.SearchStrategy[Any] = st.one_of(
    INTS,
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(max_size=3),
    st.lists(INTS, max_size=3),
    st.lists(INTS, max_size=3).map(tuple),
    st.tuples(INTS, st.one_of(st.none(), st.floats(), st.booleans(), st.text(max_size=2))),
    st.dictionaries(st.text(max_size=2), INTS, max_size=2),
)
MAYBE_PLACES: st.SearchStrategy[Any] = st.one_of(PLACES, JUNK)

MALFORMED = st.one_of(
    st.builds(hexapawn.Step, MAYBE_PLACES, MAYBE_PLACES),
    st.builds(fish.Place, MAYBE_PLACES),
    st.builds(fish.Slide, MAYBE_PLACES, MAYBE_PLACES),
    st.builds(
        labyrinth.Slide,
        st.one_of(INTS, JUNK),
        st.one_of(WAYS, st.sampled_from(["left", "NORTH"]), JUNK),
        st.one_of(TURNS, st.sampled_from([-90, 45, 360]), JUNK),
        MAYBE_PLACES,
    ),
)
"""Moves of the right type whose fields hold anything at all, as a player in our own process can make."""

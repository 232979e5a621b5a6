"""States show themselves in a notebook, and in one line of text; nothing else about them changes."""

from __future__ import annotations

import copy
from random import Random
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

import touchline
from touchline.core import registry
from touchline.draw.notebook import html_table

if TYPE_CHECKING:
    from collections.abc import Iterator


def states(name: str) -> Iterator[Any]:
    """Yield the states of a random game, and what seats and spectators see of them."""
    rng, game = Random(1), registry.game(name)
    state: Any = game.start(2, rng)
    while state.to_move is not None:
        yield from (state, state.view(0), state.view(None))
        state = state.play(rng.choice(state.legal_moves()))
    yield from (state, state.without(0), state.without(0).without(1))


@pytest.mark.parametrize("name", registry.GAMES.ours())
def test_a_state_is_one_short_line(name: str) -> None:
    """Every state of a game has a `repr` of one line, and says who is to move or who won."""
    for state in states(name):
        said = repr(state)
        assert "\n" not in said
        assert len(said) < 120
        assert ("to move" in said) == (state.to_move is not None)
        assert ("won" in said) == (state.to_move is None)


@pytest.mark.parametrize("name", registry.GAMES.ours())
def test_a_state_is_a_picture(name: str) -> None:
    """The SVG is well-formed, and says whose turn it is."""
    first, *_, last = states(name)
    ElementTree.fromstring(first._repr_svg_())
    assert "seat 0 to move" in first._repr_svg_()
    assert ">1</text>" in first._repr_svg_(), "rows and columns are numbered, as moves name them"
    ElementTree.fromstring(last._repr_svg_())


@pytest.mark.parametrize("name", registry.GAMES.ours())
def test_a_state_stays_a_plain_value(name: str) -> None:
    """The mixin adds no dictionary and no identity: copies are equal and hash alike."""
    state = next(states(name))
    assert not hasattr(state, "__dict__")
    assert copy.copy(state) == state
    assert hash(copy.copy(state)) == hash(state)


def test_tables_are_escaped() -> None:
    """Names of players are text, not markup."""
    assert "<script>" not in html_table([{"player": "<script>", "won": None}], "<b>")
    assert html_table([], "none") == "<table><caption>none</caption><tr></tr></table>"


def test_a_state_that_is_over_names_the_winners() -> None:
    """One winner, several, or none."""
    over = touchline.Hexapawn(rows=3, cols=3).start(2, Random(0)).without(0)
    assert repr(over) == "<HexapawnState 111/.../222, over, seat 1 won: opponent removed>"
    assert "nobody won" in repr(over.without(1))

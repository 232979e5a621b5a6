"""The options of `touchline serve`: where they stand, how long it serves, and the sign-up of a course."""

from __future__ import annotations

from typing import Any

import pytest

from cli.commands import refused, touchline
from touchline.cli.serve import _places, _table
from touchline.core.errors import BadOptions
from touchline.games.fish import Fish
from touchline.games.labyrinth import Labyrinth

GIVEN: dict[str, Any] = {"seats": None, "at_least": None, "window": None, "last_first": False, "house": ()}


def test_options_may_stand_before_the_game() -> None:
    """They count as if they stood behind it; `--for` ends the server with exit code 0."""
    done = touchline(
        "serve", "--no-page", "--for", "0.001", "--grace", "0",
        "hexapawn", "--listen", "tcp://127.0.0.1:0/native",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "hexapawn for 2 at tcp://127.0.0.1:" in done.stderr
    assert "the page is at" not in done.stderr


def test_an_option_behind_the_game_wins() -> None:
    """Of the same option before and behind it."""
    said = refused(
        "serve",
        "--page",
        "nonsense",
        "hexapawn",
        "--page",
        "127.0.0.1",
        "--listen",
        "tcp://127.0.0.1:0/native",
    )
    assert "'127.0.0.1' is not an address of a page" in said


def test_the_labyrinth_course_has_its_own_sign_up() -> None:
    """2 to 6 players in 20 s, the last to sign up moves first; also if the URL names the dialect."""
    places = _places((), "labyrinth-course", public=False)
    assert _table(Labyrinth(), places, GIVEN) == (6, 2, 20.0, True)
    places = _places(("tcp://127.0.0.1:0/labyrinth-course",), None, public=False)
    assert _table(Labyrinth(), places, GIVEN) == (6, 2, 20.0, True)


def test_whoever_sets_an_option_sets_them_all() -> None:
    """With `--seats`, or a second dialect, nothing of the course's sign-up holds."""
    places = _places((), "labyrinth-course", public=False)
    assert _table(Labyrinth(), places, {**GIVEN, "seats": 3}) == (3, None, None, False)
    both = ("tcp://127.0.0.1:0/labyrinth-course", "tcp://127.0.0.1:0/native")
    assert _table(Labyrinth(), _places(both, None, public=False), GIVEN) == (2, None, None, False)


def test_other_dialects_have_none() -> None:
    """The table takes the fewest players of the game."""
    assert _table(Fish(), _places((), "fish-course", public=False), GIVEN) == (2, None, None, False)


def test_one_of_dialect_and_listen() -> None:
    """The URL names the dialect already."""
    with pytest.raises(BadOptions, match="the URL names the dialect"):
        _places(("tcp://127.0.0.1:0/native",), "native", public=False)

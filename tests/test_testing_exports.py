"""`touchline.testing` exports a check for each kind of extension, and one for leaks."""

from __future__ import annotations

import pytest

import touchline.testing
from touchline.testing import (
    CheckFailed,
    check_bot,
    check_dialect,
    check_format,
    check_game,
    check_leaks,
    check_player,
    check_transport,
    playthrough,
)


def test_there_is_a_check_for_each_kind_of_extension() -> None:
    kinds = {"game", "bot", "player", "dialect", "transport", "format", "leaks"}
    checks = [check_game, check_bot, check_player, check_dialect, check_transport, check_format, check_leaks]
    assert {check.__name__ for check in checks} == {f"check_{kind}" for kind in kinds}
    assert {name for name in touchline.testing.__all__ if name.startswith("check_")} == {
        f"check_{kind}" for kind in kinds
    }
    assert issubclass(CheckFailed, Exception)
    assert callable(playthrough)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'check_weather'"):
        _ = touchline.testing.check_weather

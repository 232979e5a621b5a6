"""`touchline check leaks`: for games and dialects, in words and as JSON, with its exit codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cli.commands import refused, touchline
from leaks.planted_leaks import error_names_a_goal
from touchline.cli import _leaks
from touchline.cli.check import command
from touchline.core import registry

if TYPE_CHECKING:
    from typing import Any

SMALL = ("--seats", "2", "--rounds", "2")


def reports(*words: str, code: int = 0) -> list[dict[str, Any]]:
    done = CliRunner().invoke(command, ["leaks", *words, "--json"], standalone_mode=False)
    assert done.exception is None, done.exception
    assert done.return_value == code, done.output
    found: list[dict[str, Any]] = json.loads(done.output)
    return found


@pytest.mark.parametrize("game", ["hexapawn", "fish"])
def test_a_game_without_secrets_passes_because_its_views_are_its_states(game: str) -> None:
    """The report says that nothing is hidden, and how often a view was compared with the state."""
    (report,) = reports(game)
    assert report["game"] == game
    assert report["hidden"] is False
    assert report["leaks"] == []
    assert [*report["compared"].values()] != [0]


@pytest.mark.slow
def test_a_game_with_secrets_is_searched_in_all_its_dialects() -> None:
    """The report of labyrinth names what was redrawn, every channel, and what was not checked."""
    (report,) = reports("labyrinth", "--rows", "5", "--cols", "5", "--goals", "1", *SMALL)
    assert report["options"] == {"rows": 5, "cols": 5, "goals": 1}
    assert report["leaks"] == []
    kinds = {name: registry.dialect(name) for name in registry.names("dialects")}
    spoken = [name for name, kind in kinds.items() if not kind.games or "labyrinth" in kind.games]
    assert report["dialects"] == spoken
    assert {f"dialect {name}" for name in spoken} < set(report["compared"])
    assert all(count > 0 for count in report["compared"].values()), report["compared"]
    assert "seekers[].goal" in report["redrawn"]
    assert report["not_checked"]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", registry.names("dialects"))
def test_each_dialect_is_searched_in_its_games(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dialect is an argument too; each of its games is searched in this dialect alone."""
    monkeypatch.setitem(_leaks.USUAL, "labyrinth", {"rows": 5, "cols": 5, "goals": 1})  # quicker
    found = reports(dialect, *SMALL)
    games = registry.dialect(dialect).games or tuple(registry.names("games"))
    assert [report["game"] for report in found] == [*games]
    assert all(report["dialects"] == [dialect] for report in found)
    assert all(report["leaks"] == [] for report in found)


@pytest.mark.slow
def test_a_leak_is_one_line_and_exit_code_4(monkeypatch: pytest.MonkeyPatch) -> None:
    """A finding says who heard what, in which match, and shows a few bytes of both worlds."""
    error_names_a_goal(monkeypatch)
    small = ("--rows", "5", "--cols", "5", "--goals", "1", *SMALL)
    done = CliRunner().invoke(command, ["leaks", "labyrinth", *small], standalone_mode=False)
    assert done.return_value == 4
    lines = [line for line in done.output.splitlines() if line.startswith("LEAK: ")]
    assert any("seat 0 heard something else in dialect native: a match in which" in line for line in lines)
    assert all("differs at byte" in line and len(line) < 250 for line in lines)
    (report,) = reports("labyrinth", *small, code=4)
    assert report["leaks"][0]["text"] in done.output


def test_help_has_examples_and_an_unknown_name_is_refused() -> None:
    """`--help` shows how to call it; a name that is neither a game nor a dialect has exit code 2."""
    assert "touchline check leaks seed-003 --json" in touchline("check", "leaks", "--help").stdout
    assert "ludo" in refused("check", "leaks", "ludo")

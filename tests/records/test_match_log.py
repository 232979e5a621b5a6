"""The log of a match for people: names and colours, moves, faults and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import touchline
from touchline.core import registry
from touchline.games.labyrinth import Labyrinth
from touchline.records.match_log import MatchLog, log_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("game", ["hexapawn", "fish", "labyrinth"])
def test_a_live_log_and_that_of_the_record_say_the_same(game: str, tmp_path: Path) -> None:
    """Move by move; each move has its spots."""
    log = MatchLog(registry.game(game))
    played = touchline.play(
        game, ["random", "greedy"], seed=3, observers=[log.see], record=tmp_path / "m.jsonl"
    )
    again = log_of(touchline.read_record(tmp_path / "m.jsonl"))
    assert [entry.text for entry in log.entries] == [entry.text for entry in again.entries]
    assert [entry.keys for entry in log.entries] == [entry.keys for entry in again.entries]
    assert sum(bool(entry.keys) for entry in log.entries) == played.turns
    assert again.entries[-1].state.outcome() == played.outcome


def test_the_end_names_the_winner_and_the_scores() -> None:
    """In the third person, or for one of the players."""
    log = MatchLog(registry.game("fish"))
    played = touchline.play("fish", ["random", "greedy"], seed=3, observers=[log.see])
    random, greedy = played.scores
    assert log.ending() == (
        f"greedy (white) won: nobody can move. Scores: random (red) {random}, greedy (white) {greedy}"
    )
    assert log.ending(1) == f"you won: nobody can move. Scores: random (red) {random}, you {greedy}"


def test_the_end_names_who_came_home() -> None:
    """Here somebody else has won, with more treasures."""
    log = MatchLog(Labyrinth(goals=3))
    touchline.play(log.game, ["riemann", "euclid"], seed=3, observers=[log.see])
    assert log.ending().startswith("euclid (blue) won: riemann (red) came home. Scores: ")
    assert log.ending(0).startswith("euclid (blue) won: you came home. Scores: you ")


def test_what_happened_since_a_seat_moved() -> None:
    """The moves of the others, without its own and without the beginning."""
    log = MatchLog(registry.game("fish"))
    touchline.play("fish", ["random", "greedy", "random"], seed=3, observers=[log.see])
    moves = [entry for entry in log.entries if entry.keys]
    log.entries = log.entries[: log.entries.index(moves[5]) + 1]
    assert [entry.seat for entry in log.since(moves[3].seat or 0)] == [moves[4].seat, moves[5].seat]
    assert log.since(moves[5].seat or 0) == []


def test_names_and_reasons_are_printable() -> None:
    """A hostile name or reason is escaped, and stays in its line."""

    class Rude:
        def choose(self, view: Any, turn: int) -> Any:
            raise ValueError("\x1b[2Jgone\nnobody won")

    log = MatchLog(registry.game("hexapawn"))
    touchline.play("hexapawn", [Rude(), "random"], names=["\x1b[31mx\ny", "b"], observers=[log.see], seed=1)
    assert log.names[0] == r"\x1b[31mx\ny"
    assert all(entry.text.isprintable() for entry in log.entries)
    assert any(r"\x1b[2Jgone\nnobody won" in entry.text for entry in log.entries)

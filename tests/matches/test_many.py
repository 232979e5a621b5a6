"""`touchline.play_many`: seats change, rows are plain, totals add up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import touchline

if TYPE_CHECKING:
    from pathlib import Path

SMALL = touchline.Hexapawn(rows=3, cols=3)


def test_seats_change_and_seeds_count_up() -> None:
    """Match n has the seed n further, and everybody sits one seat further."""
    matches = touchline.play_many("fish", ["random", "greedy", "random"], games=4, seed=10)
    assert [match.seed for match in matches] == [10, 11, 12, 13]
    assert [match.players.index("greedy") for match in matches] == [1, 0, 2, 1]


def test_rows_are_plain_values() -> None:
    """A row per match and seat, that JSON and a data frame take as they are."""
    matches = touchline.play_many(SMALL, ["random", "random"], games=3, seed=1)
    rows = matches.rows()
    assert json.loads(json.dumps(rows)) == rows
    assert [(row["match"], row["seat"]) for row in rows] == [(n, seat) for n in range(3) for seat in (0, 1)]
    assert sum(row["won"] for row in rows) == 3


def test_totals() -> None:
    """They count by player, not by seat, also for players of the same name, and for a part of the matches."""
    matches = touchline.play_many(SMALL, ["random", "minimax:depth=4"], games=10, seed=1)
    ours, theirs = matches.totals()
    assert ours["won"] + theirs["won"] == ours["games"] == theirs["games"] == 10
    assert theirs["won"] > ours["won"]
    first, rest = matches[:5].totals(), matches[5:].totals()
    assert [a["won"] + b["won"] for a, b in zip(first, rest, strict=True)] == [ours["won"], theirs["won"]]
    assert repr(matches) == f"<Matches 10: random won {ours['won']}, minimax:depth=4 won {theirs['won']}>"
    assert "<td>minimax:depth=4</td>" in matches._repr_html_()


def test_a_tie_is_counted() -> None:
    """A game won together is a tie of all who won it."""
    game = touchline.Fish(rows=4, cols=3, fish=2)
    matches = touchline.play_many(game, ["random", "random"], games=20, seed=1)
    tied = sum(len(match.winners) > 1 for match in matches)
    assert tied
    assert [row["tied"] for row in matches.totals()] == [tied, tied]


@pytest.mark.parametrize("progress", [True, False])
def test_progress(progress: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """A bar is drawn only where people see it; a function is called after each match."""
    touchline.play_many(SMALL, ["random", "random"], games=2, seed=1, progress=progress)
    assert capsys.readouterr().out == ""
    told: list[tuple[int, int]] = []
    touchline.play_many(
        SMALL, ["random", "random"], games=2, seed=1, progress=lambda done, of: told.append((done, of))
    )
    assert told == [(1, 2), (2, 2)]


def test_records(tmp_path: Path) -> None:
    """Every match has a record of its own, and each verifies."""
    matches = touchline.play_many(SMALL, ["random", "random"], games=3, seed=1, record=tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "000000.jsonl", "000001.jsonl", "000002.jsonl",
    ]  # fmt: skip
    for match in matches:
        match.replay().verify()

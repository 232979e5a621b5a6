"""`touchline.play_many`: seats change, rows are plain, totals add up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import touchline
from touchline.matches.progress import Lines

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


def test_a_tie_is_no_win() -> None:
    """A game won together is a tie of all who won it: half a point for each of two, and nobody's win."""
    game = touchline.Fish(rows=4, cols=3, fish=2)
    matches = touchline.play_many(game, ["random", "random"], games=20, seed=1)
    tied = sum(len(match.winners) > 1 for match in matches)
    assert tied
    totals = matches.totals()
    assert [row["tied"] for row in totals] == [tied, tied]
    assert [row["won"] + row["tied"] + row["lost"] for row in totals] == [20, 20]
    assert totals[0]["won"] == totals[1]["lost"]
    assert [row["points"] for row in totals] == [row["won"] + tied / 2 for row in totals]
    assert (
        repr(matches)
        == f"<Matches 20: random won {totals[0]['won']}, random won {totals[1]['won']}, {tied} tied>"
    )
    shared = [row for row in matches.rows() if row["tied"]]
    assert len(shared) == 2 * tied
    assert not any(row["won"] or row["lost"] for row in shared)


def test_moves_and_thinking_time_are_counted() -> None:
    """Of each player: its own moves, and all moves together are the turns."""
    matches = touchline.play_many(SMALL, ["random", "minimax:depth=2"], games=3, seed=1)
    totals = matches.totals()
    assert sum(total["moves"] for total in totals) == sum(match.turns for match in matches)
    assert all(total["seconds"] >= 0 for total in totals)


def test_equal_games_have_equal_digests() -> None:
    """Times do not count: two that always play alike play the same game again; others do not."""
    alike = touchline.play_many(SMALL, ["minimax:depth=1", "minimax:depth=2"], games=6, seed=1)
    assert len({match.moves_digest for match in alike if match.players[0] == "minimax:depth=1"}) == 1
    assert len({match.moves_digest for match in touchline.play_many("fish", ["random"] * 2, games=6)}) == 6


@pytest.mark.parametrize("games", [0, -1, 10**21])
def test_a_number_of_games_that_cannot_be_played(games: int) -> None:
    """It is refused in one line, before the first game."""
    with pytest.raises(touchline.BadOptions, match="from 1 to 1,000,000"):
        touchline.play_many(SMALL, ["random", "random"], games=games)


def test_lines_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no bar can be drawn, a line now and then says how long the rest will take."""
    times = iter([0.0, 4.0, 12.0, 13.0, 30.0])
    lines = Lines(lambda: next(times))
    for done in range(1, 5):
        lines(done, 4)
    assert capsys.readouterr().err == "2 of 4 games, about 12 s left\n"


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

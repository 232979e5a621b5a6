"""Copies of a game: they are counted, they give points, and they prove nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from touchline.tournament.distinct import distinct_games
from touchline.tournament.ledger import Finished, open_ledger
from touchline.tournament.pairing import Pairing, Played
from touchline.tournament.ratings.bradley_terry import bradley_terry
from touchline.tournament.report.data import build_report
from tournament.cups import cup, played

if TYPE_CHECKING:
    from pathlib import Path


def game(number: int, first: str, second: str, winner: int, digest: str = "") -> Finished:
    ranks = (1, 2) if winner == 0 else (2, 1)
    done = Played(Pairing(number, 0, (first, second), number), "finished", (winner,), ranks)
    return Finished(
        played=done, result=b"{}", digest=digest or f"{first} {second}", worker="w", seconds=0.1,
        oversubscribed=False, at=0.0, voided=None,
    )  # fmt: skip


def copies(times: int) -> list[Finished]:
    """Four deterministic entrants: twelve distinct games, all won by the first seat, again and again."""
    names = ["a", "b", "c", "d"]
    pairs = [(one, other) for one in names for other in names if one != other]
    return [
        game(number, one, other, 0)
        for number, (one, other) in enumerate(pair for _ in range(times) for pair in pairs)
    ]


def test_twelve_distinct_games_of_1200() -> None:
    found = distinct_games(copies(100))
    assert (found.games, found.distinct) == (1200, 12)
    assert (found.note() or "").startswith("12 distinct games of 1,200: ")
    assert distinct_games(copies(1)).note() is None


def test_what_a_copy_is() -> None:
    """The same entrants on the same seats, and the same moves. A void game is no game."""
    first = game(0, "a", "b", 0, "moves")
    swapped, other_moves = game(1, "b", "a", 1, "moves"), game(2, "a", "b", 0, "other moves")
    voided = replace(game(3, "a", "b", 0, "new"), voided="the lights")
    void = replace(game(4, "a", "b", 0, "new"), played=Played(Pairing(4, 0, ("a", "b"), 4), "void"))
    found = distinct_games([first, swapped, other_moves, voided, void, replace(first, at=5.0)])
    assert (found.games, found.distinct) == (4, 3)
    assert found.evidence == [first.played, swapped.played, other_moves.played]


def test_copies_do_not_make_error_bars_shorter() -> None:
    """With a hundred copies of each game the bars hold what they held with one; all games are counted."""
    once, often = copies(1), copies(100)
    single = {rating.entrant: rating for rating in bradley_terry([one.played for one in once])}
    found = bradley_terry([one.played for one in often], evidence=distinct_games(often).evidence)
    naive = {rating.entrant: rating for rating in bradley_terry([one.played for one in often])}
    for rating in found:
        before = single[rating.entrant]
        assert rating.low <= before.low + 1
        assert rating.high >= before.high - 1
        assert rating.games == 600
        reach = naive[rating.entrant].high - naive[rating.entrant].low
        assert rating.high - rating.low > 4 * reach, "as independent games the copies would prove much more"


@pytest.mark.parametrize(("openings", "distinct"), [("[openings]\nmoves = 0", 2), ("", 12)])
def test_the_report_counts_distinct_games(openings: str, distinct: int, tmp_path: Path) -> None:
    made = cup(options=f"games = 12\n{openings}", ann="minimax:depth=2", bob="minimax:depth=1")
    played(made, str(tmp_path / "cup.db"), tmp_path)
    with open_ledger(str(tmp_path / "cup.db"), readonly=True) as ledger:
        found = build_report(ledger)
    assert (found.games, found.distinct) == (12, distinct)
    told = [note for note in found.notes if note.startswith(f"{distinct} distinct games of 12")]
    assert len(told) == (distinct < 12)
    assert found.standings[0].games == 12

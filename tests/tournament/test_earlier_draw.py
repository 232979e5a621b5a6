"""Cups that were begun by an earlier version: shown and verified as they were played, and not continued."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec import UNSET

from touchline.core.errors import BadInput
from touchline.testing.format_check import by_strength
from touchline.tournament.cup import unpacked
from touchline.tournament.executors.here import Here
from touchline.tournament.formats.swiss import Swiss
from touchline.tournament.ledger import open_ledger
from touchline.tournament.pairing import Pairing
from touchline.tournament.run import Run
from touchline.tournament.verify import verify
from tournament.cups import SALT, cup, played

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.tournament.cup import Cup

FIVE = dict.fromkeys(("ann", "bob", "cy", "di", "ed"), "random")


def earlier(made: Cup) -> Cup:
    """The same cup, begun before cups had a draw."""
    return msgspec.structs.replace(made, draw=UNSET)


def test_a_new_cup_says_by_which_rules_it_is_drawn() -> None:
    made = cup("swiss", "", **FIVE)
    assert unpacked(made.bytes()).draw == 2
    assert b"draw" not in earlier(made).bytes(), "the bytes of earlier cups stay as they are"
    assert not made.drawn_earlier
    assert earlier(made).drawn_earlier


def test_the_format_is_told_boards_and_draw() -> None:
    made = msgspec.structs.replace(cup("swiss", "", **FIVE), boards=({}, {}, {}))
    assert made.rules() == Swiss(boards=3)
    assert earlier(made).rules() == Swiss(draw=1)


def test_an_earlier_swiss_counts_as_it_was_played() -> None:
    """Its byes are worth a win in each game, nothing is drawn, and points decide."""
    rules, names = Swiss(draw=1, rounds=2), ["a", "b", "c", "d", "e"]
    pairs = [("a", "b"), ("c", "d")], [("a", "e"), ("b", "c")]
    games = [
        by_strength(Pairing(number, table, two, board))
        for board, (number, table, two) in enumerate(
            (number, table, two) for number, part in enumerate(pairs) for table, two in enumerate(part)
        )
    ]
    assert rules.due(names, games[:2]) == [], "it is not over"
    assert rules.due(names, games) is None
    table = rules.standings(names, games)
    assert rules.tiebreaks[0] == "points"
    assert {line.entrant: (line.points, line.byes) for line in table} == {
        "a": (2.0, 0), "b": (1.0, 0), "c": (1.0, 0), "d": (1.0, 1), "e": (1.0, 1),
    }  # fmt: skip
    assert table[0].tiebreaks[0] == 2.0


def test_a_cup_of_an_earlier_version_is_not_continued(tmp_path: Path) -> None:
    made, place = cup("swiss", "", **FIVE), str(tmp_path / "cup.db")
    with open_ledger(place, durable=False) as ledger:
        ledger.create(earlier(made).bytes())
        for one in (made, earlier(made)):
            with pytest.raises(BadInput, match=r"earlier version.* play it again with a new ledger"):
                Run(ledger, one, Here(), tmp_path, salt=SALT).go()


def test_the_schedule_of_an_earlier_cup_is_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is not shown is said: here nothing is wrong, and the schedule was not drawn again."""
    made, place = earlier(cup("swiss", "", **FIVE)), str(tmp_path / "cup.db")
    monkeypatch.setattr("touchline.tournament.run.refuse_unfinished", lambda *given: None)
    drawn = Swiss()
    monkeypatch.setattr("touchline.tournament.cup.Cup.rules", lambda self: drawn)
    assert played(made, place, tmp_path)[0]
    monkeypatch.undo()
    with open_ledger(place) as ledger:
        proven = verify(ledger)
        assert proven.wrong == ()
        assert proven.over
        assert any(
            "the schedule: the cup was drawn by an earlier version" in line for line in proven.not_checked
        )
        # A cup that is over is not continued, and can be run again to see its end.
        assert Run(ledger, made, Here(), tmp_path, salt=SALT).go()

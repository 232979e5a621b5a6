"""The league's TOML file: what is read, and what is wrong with a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from league.leagues import LEAGUE, league
from touchline.core.errors import BadInput
from touchline.league.league_file import load, parse
from touchline.tournament.cup import unpacked

EXAMPLE = Path(__file__).parents[2] / "examples" / "league" / "league.toml"


def test_the_example_is_a_league() -> None:
    """The example has boards, house players and quotas, and its cup survives the ledger."""
    made = load(EXAMPLE)
    assert (made.cup.name, made.seats, len(made.cup.boards)) == ("open league", 2, 2)
    assert unpacked(made.cup.bytes()) == made.cup


def test_a_league_without_house_players_has_two() -> None:
    assert league().cup.names == ("random", "greedy")


def test_a_league_is_not_run_as_a_cup() -> None:
    """The commands of tournaments say which command to use instead."""
    with pytest.raises(BadInput, match="touchline league"):
        league().cup.rules()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("[quotas]\nsubmissions = 0", "quotas"),
        ("[quotas]\nper_day = 3", "per_day"),
        ("[check]\nseconds = 0", "check"),
        ('[webhook]\nurl = "file:///etc/passwd"\nsecret = "s"', "http"),
        ('[[house]]\nname = "a"\nplayer = "random"', "needs 2 or more"),
        ("[[house]]\nname='a'\nplayer='a.py'\n[[house]]\nname='b'\nplayer='random'", "hand a program in"),
        ("[format]\nname = 'swiss'", "no format"),
        ("[[entrants]]\nname = 'a'\nplayer = 'random'", "no entrants"),
        ("[nonsense]", "nonsense"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(more: str, why: str) -> None:
    """Every mistake in the file is one sentence that names the key."""
    with pytest.raises(BadInput, match=why):
        league(more)


def test_a_league_has_a_clock() -> None:
    """Without one, a stranger's program could hold a worker for ever."""
    with pytest.raises(BadInput, match="needs a clock"):
        parse(LEAGUE.format(more="").replace("seconds = 2", "no_timeout = true"), "test")

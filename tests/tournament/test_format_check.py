"""`check_format` accepts our formats and the example in the README, and finds what is wrong with others."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from msgspec.structs import replace

import touchline.tournament.formats
from readmes import example, install_example
from touchline.core import registry
from touchline.testing.format_check import check_format
from touchline.testing.game_check import CheckFailed
from touchline.tournament.formats.round_robin import RoundRobin
from touchline.tournament.formats.swiss import Swiss
from touchline.tournament.ledger import open_ledger
from touchline.tournament.verify import verify
from tournament.cups import cup, played

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from touchline.tournament.pairing import Pairing, Played
    from touchline.tournament.standings import Standing


@pytest.mark.parametrize("name", registry.names("formats"))
def test_our_formats(name: str) -> None:
    check_format(registry.format(name))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("round_robin", {"seats": 3, "seed": 1}),
        ("gauntlet", {"challengers": 2}),
        ("knockout", {"seats": 4, "through": 2}),
        ("swiss", {"seats": 3, "games": 2}),
        ("ladder", {"rounds": 3, "paired": False}),
    ],
)
def test_our_formats_with_options(name: str, options: dict[str, Any]) -> None:
    check_format(registry.format(name, options), plays=1)


def test_the_example_in_the_readme() -> None:
    all_play = example(touchline.tournament.formats)["AllPlay"]
    check_format(all_play())
    check_format(all_play(games=5))


def test_other_packages_add_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = touchline.tournament.formats
    install_example(monkeypatch, tmp_path, room, "touchline.formats", "all_play", "AllPlay")
    made = cup("all_play", "games = 3", ann="random", bob="greedy")
    assert played(made, str(tmp_path / "cup.db"), tmp_path)[0]
    with open_ledger(str(tmp_path / "cup.db")) as ledger:
        assert verify(ledger).wrong == ()


def test_every_law_is_reported() -> None:
    laws: list[str] = []
    check_format(RoundRobin(), plays=1, balance=1, report=laws.append)
    assert "shares out the seats fairly" in laws
    assert len(laws) == 8


class Broken(RoundRobin, frozen=True, kw_only=True):
    """A round robin that one of the classes below breaks."""

    name: ClassVar[str] = "broken"

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        return self.spoil(super().due(entrants, played, out), [*played])

    def spoil(self, due: list[Pairing] | None, played: list[Played]) -> list[Pairing] | None:
        raise NotImplementedError


class Endless(Broken, frozen=True, kw_only=True):
    """It returns an empty list at the end."""

    def spoil(self, due: list[Pairing] | None, played: list[Played]) -> list[Pairing] | None:
        return due or []


class Moody(Broken, frozen=True, kw_only=True):
    """It draws other games each time it is asked."""

    def spoil(self, due: list[Pairing] | None, played: list[Played]) -> list[Pairing] | None:
        return due and [due[Random().randrange(len(due))]]


class Forgetful(Broken, frozen=True, kw_only=True):
    """It takes back the games that it asked for, once another has been played."""

    def spoil(self, due: list[Pairing] | None, played: list[Played]) -> list[Pairing] | None:
        return None if played else due


class Deaf(Broken, frozen=True, kw_only=True):
    """It asks for games that have been played."""

    def spoil(self, due: list[Pairing] | None, played: list[Played]) -> list[Pairing] | None:
        return due and [*due, *(game.pairing for game in played[:1])]


class Loyal(Broken, frozen=True, kw_only=True):
    """It does not let anybody withdraw."""

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        return RoundRobin().due(entrants, played)


class Boastful(RoundRobin, frozen=True, kw_only=True):
    """Its standings leave out the last entrant."""

    name: ClassVar[str] = "boastful"

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        return super().standings(entrants, played, out)[:-1]


class Crowded(Broken, frozen=True, kw_only=True):
    """All its games begin from the same position."""

    def spoil(self, due: list[Pairing] | None, played: list[Played]) -> list[Pairing] | None:
        return due and [replace(game, board=game.board % self.boards) for game in due]


class OneBoard(Broken, frozen=True, kw_only=True):
    """It plays on the first board only."""

    def spoil(self, due: list[Pairing] | None, played: list[Played]) -> list[Pairing] | None:
        return due and [replace(game, board=game.board // self.boards * self.boards) for game in due]


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (Endless(), "never an empty list"),
        (Moody(), "the same results give the same games"),
        (Forgetful(), "not over while a game is due"),
        (Deaf(), "a game that was played is not due again"),
        (Loyal(), "withdrawn entrants do not play"),
        (Boastful(), "the standings list every entrant once"),
        (Crowded(), "a match has positions of its own"),
        (OneBoard(), "every board is used"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_broken_formats(broken: Any, law: str) -> None:
    with pytest.raises(CheckFailed, match=law):
        check_format(broken)


def test_unfair_seats() -> None:
    check_format(Swiss(rounds=3), plays=1)
    with pytest.raises(CheckFailed, match="the seats are shared out fairly"):
        check_format(Swiss(rounds=3), plays=1, balance=0)

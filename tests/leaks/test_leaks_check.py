"""`check_leaks` in games of others: what it says of a game without `redraw()`, and of false declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from msgspec import Struct
from msgspec.structs import replace

from touchline.core.rules import IllegalMove, Outcome
from touchline.core.sketch import Sketch, Spot
from touchline.games.hexapawn import HexapawnState
from touchline.games.labyrinth import Labyrinth, LabyrinthState
from touchline.testing import CheckFailed, check_leaks
from touchline.testing.leaks_check import find_leaks

if TYPE_CHECKING:
    from random import Random


class Bid(Struct, frozen=True):
    stones: int


class HandState(Struct, frozen=True):
    """Each seat holds a secret number and bids; the sum of bids must not exceed the number of the bidder."""

    hands: tuple[int | None, ...]
    bids: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    passed_over: ClassVar[tuple[int, ...]] = ()

    @property
    def to_move(self) -> int | None:
        return None if self.outcome() else len(self.bids) % 2

    def legal_moves(self) -> list[Bid]:
        return [] if self.to_move is None else [Bid(1), Bid(2), Bid(3)]

    def check(self, move: Any) -> None:
        if move not in self.legal_moves():
            raise IllegalMove("bid 1, 2 or 3")

    def play(self, move: Bid) -> HandState:
        return replace(self, bids=(*self.bids, move.stones))

    def without(self, seat: int) -> HandState:
        return replace(self, gone=(*self.gone, seat))

    def view(self, seat: int | None) -> HandState:
        if self.outcome():
            return self
        return replace(self, hands=tuple(hand if at == seat else None for at, hand in enumerate(self.hands)))

    def imagine(self, rng: Random) -> HandState:
        return replace(self, hands=tuple(rng.randrange(9) if hand is None else hand for hand in self.hands))

    def outcome(self) -> Outcome | None:
        if len(self.bids) < 8 and not self.gone:
            return None
        return Outcome((), (None if 0 in self.gone else 2, None if 1 in self.gone else 2), (0, 0), "over")

    def position(self) -> HandState:
        return self

    def sketch(self) -> Sketch:
        spots = tuple(Spot(key=f"{n}", x=n, y=0, label=f"{n}") for n in (1, 2, 3))
        return Sketch(spots=spots, moves=tuple((f"{move.stones}",) for move in self.legal_moves()))


class Hands(Struct, frozen=True):
    """Bid on a secret number."""

    name: ClassVar[str] = "hands"
    seats: ClassVar[range] = range(2, 3)
    hidden: ClassVar[bool] = True
    Move: ClassVar[Any] = Bid
    Position: ClassVar[Any] = HandState
    Proposal: ClassVar[Any] = None

    def start(self, seats: int, rng: Random, proposals: Any = ()) -> HandState:
        return HandState((rng.randrange(9), rng.randrange(9)))

    def restore(self, position: HandState) -> HandState:
        return position

    def all_moves(self) -> list[Bid]:
        return [Bid(1), Bid(2), Bid(3)]


def test_a_game_without_redraw_is_checked_by_its_views_and_the_report_says_so() -> None:
    """What a seat may not see is then taken from view() and imagine(); the rest is compared as ever."""
    report = check_leaks(Hands())
    assert report.redrawn == ("hands",)
    assert report.compared["the position of view()"] > 0
    assert any("no method redraw(seat, rng)" in text for text in report.not_checked)
    assert any("hands is not installed" in text for text in report.not_checked)


def test_a_leak_besides_the_view_is_found_without_redraw(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reason that depends on another seat's hand is found in a game of somebody else."""

    def check(self: HandState, move: Any) -> None:
        if move not in self.legal_moves():
            raise IllegalMove(f"the hands have {sum(hand or 0 for hand in self.hands)}")

    monkeypatch.setattr(HandState, "check", check)
    assert {leak.channel for leak in find_leaks(Hands()).leaks} == {"the reasons of check()"}


def test_a_part_that_is_never_redrawn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """If redraw() forgets a part that the view hides, the report says that it was not checked."""
    redraw = LabyrinthState.redraw

    def forgetful(self: LabyrinthState, seat: int | None, rng: Random) -> LabyrinthState:
        return replace(redraw(self, seat, rng), pool=self.pool)

    monkeypatch.setattr(LabyrinthState, "redraw", forgetful)
    report = find_leaks(Labyrinth(rows=5, cols=5, goals=2), seats=2, rounds=2, dialects=[])
    assert any(text.startswith("pool: the view hides it") for text in report.not_checked)


def test_redraw_must_keep_what_the_seat_may_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """A redraw() that changes the round is an error of the game, not a leak."""
    redraw = LabyrinthState.redraw

    def meddling(self: LabyrinthState, seat: int | None, rng: Random) -> LabyrinthState:
        return replace(redraw(self, seat, rng), round=self.round + 1)

    monkeypatch.setattr(LabyrinthState, "redraw", meddling)
    with pytest.raises(CheckFailed, match=r"redraw\(\) of seat 0 .* look at: .*round"):
        check_leaks(Labyrinth(rows=5, cols=5))


def test_a_game_that_declares_no_secrets_must_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """`hidden = False` is checked, not believed."""

    def view(self: HexapawnState, seat: int | None) -> HexapawnState:
        return self if seat is not None else replace(self, pawns0=0)

    monkeypatch.setattr(HexapawnState, "view", view)
    with pytest.raises(CheckFailed, match=r"spectators .* hidden = False: turn 0, it differs in "):
        check_leaks("hexapawn")

"""`check_bot` accepts the house bots and refuses broken ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

import touchline.bots.kernels  # noqa: F401  # they are cached where they always are
from touchline.bots.base import HouseBot, Level, Thought
from touchline.core import registry
from touchline.games.fish import Fish
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth
from touchline.testing.bot_check import check_bot
from touchline.testing.game_check import CheckFailed

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from touchline.core.rules import Game

SMALL, FLOE, MAZE = Hexapawn(rows=3, cols=3), Fish(rows=3, cols=4), Labyrinth(rows=3, cols=5)
GAMES: dict[str, tuple[Game, ...]] = {
    "random": (SMALL, FLOE, MAZE),
    "greedy": (SMALL, FLOE, MAZE),
    "minimax:depth=1": (SMALL, FLOE, MAZE),
    "minimax:depth=2,others=maxn": (SMALL,),
    "mcts:playouts=5": (SMALL, FLOE, MAZE),
    "her": (SMALL,),
    "perfect": (SMALL,),
    "fish_course:depth=1": (FLOE,),
    "shark:nodes=200": (FLOE,),
    "riemann": (MAZE,),
    "euclid": (MAZE,),
    "minotaur:nodes=5": (MAZE,),
}


SLOW = ("perfect", "shark:nodes=200")
"""Bots that search for seconds, or load a tablebase for each new object."""


@pytest.mark.parametrize(
    ("word", "game"),
    [
        pytest.param(word, game, marks=[pytest.mark.slow] if word in SLOW else [])
        for word, games in GAMES.items()
        for game in games
    ],
)
def test_the_house_bots(word: str, game: Game, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each keeps the contract in each game that it plays."""
    monkeypatch.setenv("TOUCHLINE_CACHE", str(tmp_path))
    check_bot(word, game=game, turns=24)


def test_every_house_bot_is_checked() -> None:
    """A new bot must be added above."""
    assert {word.partition(":")[0] for word in GAMES} == set(registry.names("bots"))


def test_the_report_names_each_law() -> None:
    """What was checked can be shown."""
    said: list[str] = []
    check_bot("random", report=said.append)
    assert "plays the same moves from the same seed" in said
    assert any("with 2 seats" in law for law in said)


class First(HouseBot):
    """Play the first legal move."""

    def choose(self, view: Any, turn: int = 0) -> Any:
        return view.legal_moves()[0]


class Illegal(First):
    """Play a move that no rule allows."""

    def choose(self, view: Any, turn: int = 0) -> Any:
        return "pass"


class Forgetful(First):
    """Play by how many of its kind were made before."""

    made = 0

    def __init__(self) -> None:
        Forgetful.made += 1
        self.number = Forgetful.made

    def choose(self, view: Any, turn: int = 0) -> Any:
        moves = view.legal_moves()
        return moves[self.number % len(moves)]


class Unseeded(First):
    """Claim to need no generator, and take one."""

    def __init__(self, rng: Random | None = None) -> None:
        self.rng = rng


class Demanding(First):
    """Have an option without a default."""

    def __init__(self, depth: int) -> None:
        self.depth = depth


class Odd(First):
    """Have an option that cannot be written on a command line."""

    def __init__(self, weights: list[int] | None = None) -> None:
        self.weights = weights


class Unmade(First):
    """Offer a level with an option that it does not have."""

    levels: ClassVar[tuple[Level, ...]] = (Level(10, {"depth": 1}),)


class Godlike(First):
    """Claim more strength than there is."""

    levels: ClassVar[tuple[Level, ...]] = (Level(101),)


class Lonely(First):
    """Play with a number of seats that the game does not have."""

    seats: ClassVar[range | None] = range(7, 8)


class Contradictory(First):
    """Explain another move than the one it plays."""

    def think(self, view: Any) -> Thought:
        return Thought((0.5, 0.5), (view.legal_moves()[-1],), "because")


class Vague(First):
    """Give one value for two seats."""

    def think(self, view: Any) -> Thought:
        return Thought((0.5,), (view.legal_moves()[0],), "because")


class Boastful(First):
    """Expect more than a win."""

    def think(self, view: Any) -> Thought:
        return Thought((2.0, 0.0), (view.legal_moves()[0],), "because")


class Wordless(First):
    """Give no reason."""

    def think(self, view: Any) -> Thought:
        return Thought((0.5, 0.5), (view.legal_moves()[0],), "")


@pytest.mark.parametrize(
    ("bot", "law"),
    [
        (Illegal, "a bot plays legal moves"),
        (Forgetful, "the same seed gives the same moves"),
        (Unseeded, "a bot takes `rng` if, and only if, `chance` is True"),
        (Demanding, "an option has a default"),
        (Odd, "the type of an option is int, float or str"),
        (Unmade, "every level can be made: Unmade has no option 'depth'"),
        (Godlike, "a strength is from 0 to 100"),
        (Lonely, "plays hexapawn with some number of seats"),
        (Contradictory, "choose\\(\\) plays the first move of the line"),
        (Vague, "a thought has a value per seat"),
        (Boastful, "a value is from 0 to 1"),
        (Wordless, "a thought has a reason in one line"),
        (object, "a bot is derived from"),
    ],
)
def test_broken_bots_are_refused(bot: Any, law: str) -> None:
    """The message names the law that is broken."""
    with pytest.raises(CheckFailed, match=law):
        check_bot(bot)


def test_a_bot_that_changes_its_view_is_refused() -> None:
    """Rules are pure, so a changed view would be everybody's."""

    class State:
        """A view whose board is a list."""

        passed_over = ()

        def __init__(self) -> None:
            self.board, self.to_move = [0], 0

        def view(self, seat: int | None) -> State:
            return self

        def position(self) -> list[int]:
            return self.board

        def legal_moves(self) -> list[int]:
            return [1]

        def check(self, move: int) -> None:
            return None

    class Mutable:
        """A game of which only the start is needed."""

        name, seats, hidden = "mutable", range(1, 2), False

        def start(self, seats: int, rng: Random, proposals: Any = ()) -> State:
            return State()

    class Painter(First):
        """Write on the board."""

        def choose(self, view: Any, turn: int = 0) -> Any:
            view.board[0] += 1
            return 1

    game: Any = Mutable()
    with pytest.raises(CheckFailed, match="a bot never changes a view"):
        check_bot(Painter, game=game)


def test_a_bot_that_thinks_for_a_time_need_not_reproduce() -> None:
    """But all else is checked."""
    check_bot(Forgetful, deterministic=False)
    with pytest.raises(CheckFailed, match="a bot plays legal moves"):
        check_bot(Illegal, deterministic=False)

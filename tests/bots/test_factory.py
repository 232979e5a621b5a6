"""The factory of house bots: words, options, levels, and what it refuses."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from touchline.bots.base import Bot, HouseBot, Learner, LearningBot, Level, Thinker
from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions, UnknownName
from touchline.games.hexapawn import Hexapawn
from touchline.games.labyrinth import Labyrinth

if TYPE_CHECKING:
    from touchline.core.rules import Game

SMALL = Hexapawn(rows=3, cols=3)


class First(HouseBot):
    """Play the first legal move."""

    def choose(self, view: Any, turn: int = 0) -> Any:
        return view.legal_moves()[0]


class Expert(First):
    """Play hexapawn, and remember what it was prepared for."""

    game: ClassVar[str | None] = "hexapawn"
    hidden: ClassVar[bool] = False
    levels: ClassVar[tuple[Level, ...]] = (Level(99, {"depth": 9}),)

    def __init__(self, depth: int = 1, style: str = "calm") -> None:
        self.depth, self.style = depth, style
        self.prepared: list[Game] = []

    def prepare(self, game: Game) -> None:
        self.prepared.append(game)


class Cautious(First):
    """Play only games in which nothing is hidden."""

    hidden: ClassVar[bool] = False


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Replace the installed bots by these."""
    kinds: dict[str, Any] = {"first": First, "expert": Expert, "cautious": Cautious, "stranger": object}
    monkeypatch.setattr(registry, "names", lambda what: [*kinds])
    find = registry.find
    monkeypatch.setattr(
        registry, "find", lambda what, name: kinds[name] if what == "bots" else find(what, name)
    )
    return kinds


@pytest.mark.parametrize("name", registry.names("bots"))
def test_every_house_bot_keeps_the_contract(name: str) -> None:
    """Each is a HouseBot with a docstring and at least one level, and satisfies the protocols."""
    kind = factory.kind(name)
    assert kind.__doc__
    assert kind.levels
    assert kind.game is None or kind.game in registry.names("games")
    made = factory.make(name, kind.game)
    assert isinstance(made, Bot)
    assert isinstance(made, Thinker)
    assert isinstance(made, Learner)


@pytest.mark.parametrize("name", registry.names("bots"))
def test_every_level_can_be_made(name: str) -> None:
    """The options of a level are options of the bot, and its label names it again."""
    for level in factory.kind(name).levels:
        word = factory.label(name, level.options)
        assert factory.split(word) == (name, level.options)
        assert type(factory.make(word)) is factory.kind(name)


def test_a_word_with_options(installed: dict[str, Any]) -> None:
    """Numbers where the annotation is a number, text where it is `str`; further options win."""
    made = factory.make("expert:depth=3,style=7", options={"depth": 4})
    assert isinstance(made, Expert)
    assert (made.depth, made.style) == (4, "7")


def test_a_bot_is_prepared_for_a_game_but_not_for_its_name(installed: dict[str, Any]) -> None:
    """The name of a game is enough to check a word, which must stay cheap."""
    ready, checked = factory.make("expert", SMALL), factory.make("expert", "hexapawn")
    assert isinstance(ready, Expert)
    assert isinstance(checked, Expert)
    assert (ready.prepared, checked.prepared) == ([SMALL], [])


@pytest.mark.parametrize(
    ("word", "game", "message"),
    [
        ("expert", "fish", "expert plays hexapawn, not fish"),
        ("cautious", Labyrinth(), "cautious plays only games in which nothing is hidden, not labyrinth"),
        ("expert:depth", None, "expert: an option is written depth=VALUE"),
        ("expert:depth=deep", None, "expert: depth is a number, not 'deep'"),
        ("expert:width=1", None, "expert has no option 'width'; it has: depth, style"),
        ("first:width=1", None, "first has no option 'width'; it has none"),
        ("stranger", None, "is not a class derived from touchline.bots.base.HouseBot"),
    ],
)
def test_refused_words(installed: dict[str, Any], word: str, game: Any, message: str) -> None:
    """The message names the bot and says what is wrong."""
    with pytest.raises(BadOptions, match=message):
        factory.make(word, game)


def test_an_unknown_bot() -> None:
    """The message lists the known ones."""
    with pytest.raises(UnknownName, match=r"no bot is called 'nobody'; there are: .*random"):
        factory.make("nobody")


def test_a_stranger_gives_numbers_only() -> None:
    """A file name that came over the network must not reach a bot."""
    factory.check_numbers("minimax", {"depth": 2})
    for value in ("/etc/passwd", None, True, [1]):
        with pytest.raises(BadOptions, match="her: memory is a number"):
            factory.check_numbers("her", {"memory": value})


def test_the_seed_decides() -> None:
    """Equal seeds give equal moves, different seeds give different ones."""

    def moves(seed: object) -> list[Any]:
        bot, state = factory.make("random", SMALL, seed), SMALL.start(2, Random(0))
        return [bot.choose(state) for _ in range(20)]

    assert moves("a") == moves("a") != moves("b")


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("fish", "random greedy fish_course:depth=1 minimax:depth=2 fish_course:depth=2 "
                 "mcts:seconds=0.3 mcts:seconds=2.0 shark"),
        ("hexapawn", "random her greedy minimax:depth=2 mcts:seconds=0.3 mcts:seconds=2.0 perfect"),
        ("labyrinth", "random greedy riemann euclid mcts:seconds=0.3 mcts:seconds=2.0 minotaur"),
    ],
)  # fmt: skip
def test_opponents_are_listed_by_strength(game: str, expected: str) -> None:
    """The weakest first; a bot that takes minutes for a move is not offered."""
    offered = [factory.label(name, level.options) for name, level, _ in factory.opponents(game)]
    assert offered == expected.split()


def test_an_unrated_bot_is_not_the_strongest(
    installed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot whose author states no strength ranks in the middle."""
    del installed["stranger"]
    assert factory.strongest("hexapawn") == "expert"
    assert [name for name, _, _ in factory.opponents("hexapawn")][-1] == "expert"
    installed["generic"] = type("Generic", (First,), {"levels": (Level(80),)})
    assert factory.strongest("fish") == factory.strongest(None) == "generic"
    installed["champion"] = type("Champion", (First,), {"levels": (Level(99),)})
    assert factory.strongest("hexapawn") == "expert", "at equal strength the specialist is preferred"


def test_the_default_hooks() -> None:
    """Without hooks of its own a bot is still asked for its thoughts, prepared and told results."""
    bot, state = First(), SMALL.start(2, Random(0))
    thought = bot.think(state)
    assert thought.line == (state.legal_moves()[0],)
    assert len(thought.values) == 2
    bot.prepare(SMALL)
    assert not isinstance(bot, LearningBot)

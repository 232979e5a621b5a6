"""Levels: each game has its own, or those of generic players; each is stronger than the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import touchline
from touchline.bots.shared import factory
from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.web.levels import ORDER, for_people, level_of, levels_of

if TYPE_CHECKING:
    from pathlib import Path

GAMES = ("fish", "hexapawn", "labyrinth")


def won(game: str, options: dict[str, Any], weak: str, strong: str, games: int) -> float:
    """The points of the stronger player, who sits in each seat half of the time."""
    points = 0.0
    for number in range(games):
        players = [weak, strong] if number % 2 else [strong, weak]
        played = touchline.play(registry.game(game, options), players, seed=number)
        winners = played.result.outcome.winners if played.result.outcome else ()
        points += (number % 2 in winners) / max(1, len(winners))
    return points


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_levels_with_characters(game: str) -> None:
    """In order, with players that are offered for this game, and names of their own."""
    kind = registry.find("games", game)
    offers = levels_of(kind)
    assert tuple(offer.level for offer in offers) == ORDER[: len(offers)]
    assert len(offers) >= 3
    assert len({offer.name for offer in offers}) == len(offers)
    for offer in offers:
        factory.check_numbers(offer.player, offer.options)
        factory.check(offer.player, game, offer.options)
        assert offer.about.endswith(".")
    assert for_people(kind).title == game.capitalize()


def test_only_what_is_proved_is_called_unbeatable() -> None:
    """Perfect play in Hexapawn is; nobody has solved the other games."""
    kinds = [registry.find("games", game) for game in GAMES]
    assert [kind.name for kind in kinds if levels_of(kind)[-1].level == "unbeatable"] == ["hexapawn"]
    assert level_of("hexapawn", "unbeatable").player == "perfect"
    for seed in range(10):  # on three by three the second seat can hold a win
        played = touchline.play(
            registry.game("hexapawn", {"rows": 3, "cols": 3}), ["mcts", "perfect"], seed=seed
        )
        assert played.result.outcome is not None
        assert played.result.outcome.winners == (1,)
    with pytest.raises(BadOptions, match="fish has no level unbeatable; it has: easy, medium, hard"):
        level_of("fish", "unbeatable")


@pytest.mark.parametrize(
    ("game", "options", "weak", "strong"),
    [("fish", {}, "easy", "medium"), ("hexapawn", {}, "easy", "medium"), ("labyrinth", {}, "easy", "medium")],
)
def test_a_level_is_stronger_than_the_one_before(
    game: str, options: dict[str, Any], weak: str, strong: str
) -> None:
    """The quick ones play twenty games, the same in every run."""
    weaker, stronger = (
        factory.label(offer.player, offer.options) for offer in (level_of(game, weak), level_of(game, strong))
    )
    assert won(game, options, weaker, stronger, games=20) >= 13


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "weak", "strong"),
    [
        ("fish", "mcts:playouts=30", "shark:nodes=2000"),
        ("hexapawn", "minimax:depth=2", "mcts:playouts=200"),
        ("labyrinth", "euclid", "minotaur:nodes=200"),
    ],
)
def test_the_hard_ones_too(game: str, weak: str, strong: str) -> None:
    """With a number of nodes in place of their time, so that it is the same in every run."""
    assert won(game, {}, weak, strong, games=20) >= 14


def test_the_stated_strengths_agree() -> None:
    """What a bot says about itself does not contradict the order of the levels that name it as it is."""
    for game in GAMES:
        strengths = [
            factory.kind(offer.player).strength() for offer in levels_of(registry.find("games", game))
        ]
        assert strengths == sorted(strengths), game


def test_a_game_without_a_file_gets_generic_levels() -> None:
    """A game of another package, which hides something: only players that can play it are offered."""
    kind = type("MyGame", (), {"name": "my_game", "hidden": True, "__doc__": "Do something.\n\nMore."})
    said = for_people(kind)
    assert (said.title, said.tagline) == ("My game", "Do something.")
    assert [each.level for each in said.levels] == ["easy", "medium", "hard"][: len(said.levels)]
    assert said.levels[0].name == "Tuck"
    assert all(factory.kind(each.player).game is None for each in said.levels)


def test_a_broken_file_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And logged; the game is offered with generic levels."""
    file = tmp_path / "broken.toml"
    file.write_text('title = "Other"\n[[levels]]\nlevel = "godlike"\n')
    monkeypatch.setattr("touchline.web.levels.file_beside", lambda kind, suffix: file)
    kind = type("Broken", (), {"name": "broken", "hidden": False, "__doc__": ""})
    said = for_people(kind)
    assert (said.title, said.tagline) == ("Broken", "")
    assert said.levels[0].level == "easy"

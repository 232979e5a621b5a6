"""What an editor and mypy see: the types below are asserted when `mypy` checks this file."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, assert_type

import touchline
from touchline.games.fish import Fish, FishState, Place, Slide
from touchline.games.hexapawn import Hexapawn, HexapawnPosition, HexapawnState, Step
from touchline.games.labyrinth import Labyrinth, LabyrinthState, Pass
from touchline.games.labyrinth import Slide as Push

if TYPE_CHECKING:
    from touchline.core.rules import Game

RNG = Random(0)


def test_a_game_by_name_has_its_class() -> None:
    """A literal name gives the class of the game; any other string a game."""
    assert_type(touchline.game("fish"), Fish)
    assert_type(touchline.game("hexapawn", rows=3), Hexapawn)
    assert_type(touchline.game("labyrinth", {"rows": "7"}), Labyrinth)
    some: str = "fish"
    found: Game = touchline.game(some)
    assert found == touchline.Fish()


def test_moves_are_typed() -> None:
    """An editor completes the fields of a move."""
    fish = touchline.game("fish").start(2, RNG)
    assert_type(fish, FishState)
    assert_type(fish.legal_moves(), list[Place | Slide])
    pawns = touchline.Hexapawn().start(2, RNG)
    assert_type(pawns.play(pawns.legal_moves()[0]), HexapawnState)
    assert_type(pawns.legal_moves()[0], Step)
    assert_type(pawns.legal_moves()[0].origin, tuple[int, int])
    maze = touchline.Labyrinth().start(2, RNG)
    assert_type(maze.view(0), LabyrinthState)
    assert_type(maze.legal_moves(), list[Push | Pass])


def test_written_forms_are_typed() -> None:
    """A move and a position that a user makes from the game's own types are checked."""
    assert_type(touchline.Hexapawn.Move((0, 0), (1, 0)), Step)
    start = touchline.Hexapawn(rows=3, cols=3).start(2, RNG)
    assert_type(start.position(), HexapawnPosition)
    assert_type(touchline.Hexapawn.Position(start.position().board, 0), HexapawnPosition)
    assert_type(touchline.Fish().start(2, RNG).position().scores, tuple[int, ...])


def test_results_are_typed() -> None:
    """A match gives a typed result, also in the asyncio form."""
    match = touchline.play("hexapawn", ["random", "random"], seed=1)
    assert_type(match, touchline.MatchResult)
    assert_type(match.game, touchline.Game)
    assert_type(match.winners, tuple[str, ...])
    assert_type(match.outcome, touchline.Outcome | None)
    assert_type(match.faults, tuple[touchline.Fault, ...])
    matches = touchline.play_many("hexapawn", ["random", "random"], games=1, seed=1)
    assert_type(matches[0], touchline.MatchResult)
    assert_type(matches[:1], touchline.Matches)
    assert_type(matches.totals()[0]["won"], int)
    assert_type(touchline.list_bots("fish"), list[str])
    assert_type(touchline.bot("random"), touchline.Bot)


def test_every_game_and_state_fits_the_protocols() -> None:
    """mypy compares the classes with the protocols here."""
    games: list[touchline.Game] = [touchline.Fish(), touchline.Hexapawn(), touchline.Labyrinth()]
    states: list[touchline.State] = [game.start(2, RNG) for game in games]
    assert all(state.to_move == 0 for state in states)
    skippable: touchline.Skippable = touchline.Fish().start(2, RNG)
    assert skippable.skip().to_move == 1

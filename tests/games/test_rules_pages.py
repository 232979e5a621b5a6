"""The rules for people say what the rules do: every example, table and number on a page is tried."""

from __future__ import annotations

import json
import re
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from readmes import install_nim
from touchline.core import registry
from touchline.core.errors import BadInput
from touchline.draw.game_options import game_options
from touchline.draw.rules_page import Figure, RulesPage, rules_page, short_rules
from touchline.draw.words import typed
from touchline.games.boards.floe import DIRECTIONS
from touchline.games.boards.maze import CONNECTORS, DEGREES, DRAWN, turned
from touchline.games.fish import Fish
from touchline.games.hexapawn import BLOCKED, REACHED, Hexapawn
from touchline.games.labyrinth import ROUNDS, Labyrinth
from touchline.testing import CheckFailed, check_game

if TYPE_CHECKING:
    from pathlib import Path

    from touchline.core.rules import Game, State

OURS: list[type[Game]] = [Fish, Hexapawn, Labyrinth]
WIDE = 76
"""The most characters of a short line: it must fit in 80 columns with a bullet."""


def page_of(game: type[Game]) -> RulesPage:
    page = rules_page(game)
    assert page is not None
    return page


def figures(game: type[Game]) -> list[Figure]:
    return [part for part in page_of(game).parts if isinstance(part, Figure)]


def rows(game: type[Game], first: str) -> list[list[str]]:
    """Return the rows of the table whose first head is this one."""
    (table,) = re.findall(rf"^\| {first} \|.*\n((?:\|.*\n)+)", page_of(game).source, re.MULTILINE)
    lines = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in table.splitlines()]
    return [line for line in lines if set("".join(line)) - {"-", " "}]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("game", OURS)
def test_every_game_has_a_page(game: type[Game]) -> None:
    """A page has a title, a short version, all sections, and pictures whose moves were tried."""
    page = page_of(game)
    assert page.title.lower() == game.name
    for section in ("In short", "The board", "A turn", "The end", "Coordinates", "What a fault costs"):
        assert f"\n## {section}\n" in page.source
    shown = figures(game)
    assert sum(bool(figure.legal) for figure in shown) >= 1
    assert sum(bool(figure.illegal) for figure in shown) >= 1


@pytest.mark.parametrize("game", OURS)
def test_the_short_version_is_short(game: type[Game]) -> None:
    """At most five lines, each in 80 columns."""
    lines = short_rules(game)
    assert 3 <= len(lines) <= 5
    assert [line for line in lines if len(line) > WIDE or "\n" in line] == []


@pytest.mark.parametrize("game", OURS)
def test_a_picture_of_the_end_is_over(game: type[Game]) -> None:
    """A caption that says who has won is right, and other positions go on."""
    seats = {"red": 0, "white": 1, "seat 0": 0, "seat 1": 1}
    for figure in figures(game):
        outcome = figure.state.outcome()
        if figure.caption.startswith("Over"):
            assert outcome is not None
            named = [seat for word, seat in seats.items() if re.search(f"{word} has won", figure.caption)]
            named += [0] * ("it has won" in figure.caption)
            assert outcome.winners == tuple(named)
        else:
            assert outcome is None


def test_targets_are_marked() -> None:
    """The marks are on all tiles to which the penguin can go, and on no others."""
    (figure,) = [figure for figure in figures(Fish) if "every marked tile" in figure.caption]
    marked = {spot.key for spot in figure.sketch.spots if any(mark.glyph == "+" for mark in spot.marks)}
    moves: list[Any] = [*figure.state.legal_moves()]
    assert marked == {move.target for move in moves if move.origin == (4, 1)}


def test_the_numbers_of_fish() -> None:
    """Penguins for each number of players, and the tiles of the published game."""
    for seats, penguins in ((2, 4), (3, 3), (4, 2)):
        state, placed = Fish(rows=5, cols=5).start(seats, Random(1)), 0
        while state.placing:
            placed += state.to_move == 0
            state = state.play(state.legal_moves()[0])
        assert placed == penguins
        assert str(penguins) in page_of(Fish).short[0]
    board = Fish(rules="commercial").start(2, Random(1)).fish
    assert [board.count(fish) for fish in (1, 2, 3)] == [30, 20, 10]
    assert "60 tiles: 30 with one fish, 20 with two, 10 with three" in page_of(Fish).source
    assert Fish().size() == (5, 5)


def test_the_directions_of_fish() -> None:
    """The table has the steps of the rules, for even and for odd rows."""
    table = rows(Fish, "direction")
    assert [row[0] for row in table] == ["N", "NE", "SE", "S", "SW", "NW"]
    for parity in (0, 1):
        steps = [tuple(map(int, row[1 + parity].split(","))) for row in table]
        assert tuple(steps) == DIRECTIONS[parity]


def test_the_reasons_of_hexapawn() -> None:
    """The page quotes the two reasons for which a game ends."""
    for outcome in (REACHED[0], BLOCKED[0]):
        assert f"`{outcome.reason}`" in page_of(Hexapawn).source.replace("\n  ", " ")


def test_the_tiles_of_labyrinth() -> None:
    """The table has every connector, and turns as the rules do."""
    table = rows(Labyrinth, "shape")
    assert {letter for row in table for letter in row[1:]} == {*CONNECTORS}
    for _, *turns in table:
        ways = CONNECTORS[turns[0]]
        assert turns == [DRAWN[turned(ways, degree)] for degree in DEGREES]
    assert f"after {ROUNDS} rounds" in page_of(Labyrinth).source


@pytest.mark.parametrize("game", OURS)
def test_coordinates_are_understood(game: type[Game]) -> None:
    """Native moves of the table decode, and what it says to type is what the prompt calls these moves."""
    table = dict(rows(game, "where"))
    native = [msgspec.json.decode(code, type=game.Move) for code in codes(table["native JSON"])]
    prompt = codes(table["typed at the prompt"])
    starts: list[State] = [figure.state for figure in figures(game)]
    starts += [Labyrinth(rows=3, cols=5).start(2, Random(36))] * (game is Labyrinth)
    states = [next(state for state in starts if move in state.legal_moves()) for move in native]
    assert [typed(state)[words] for state, words in zip(states, prompt, strict=True)] == native


def test_the_options_are_the_fields() -> None:
    """Every field of a game is an option, with its range and its description."""
    for game in OURS:
        options = game_options(game)
        assert [option.name for option in options] == [*game.__struct_fields__]  # type: ignore[attr-defined]
        assert all(option.about and option.values for option in options)
    assert game_options(Fish)[0].values == "commercial or course"


NIM = """# Nim

Heaps of stones.

## In short

- Take stones from one heap,
  as many as you like.

```position
caption = "The start."
legal = [{heap = 0, count = 1}]
illegal = [{heap = 0, count = 2}]
```
"""


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the game of the README as somebody else's package; return the path of its rules file."""
    return install_nim(monkeypatch, tmp_path)


def test_a_third_partys_game_brings_its_rules(nim: Path) -> None:
    """A Markdown file beside the module is its page, and its examples are tried."""
    nim.write_text(NIM)
    page = page_of(registry.find("games", "nim"))
    assert page.short == ("Take stones from one heap, as many as you like.",)
    (figure,) = [part for part in page.parts if isinstance(part, Figure)]
    assert json.loads(figure.legal[0]) == {"heap": 0, "count": 1}
    assert figure.illegal[0][1] == "take at least one stone, from one heap, and no more than it has"


def test_a_game_without_a_rules_file_has_its_docstring(nim: Path) -> None:
    kind = registry.find("games", "nim")
    assert rules_page(kind) is None
    assert short_rules(kind) == ("Take stones from one heap; who takes the last stone wins.",)


def test_a_game_without_a_file_of_its_own_has_no_rules_file() -> None:
    """A game that is defined in a notebook or by exec() has its docstring."""
    names: dict[str, Any] = {"__name__": "no_such_module"}
    exec("class Chomp:\n    'Bite, and leave the last piece.'", names)
    assert rules_page(names["Chomp"]) is None
    assert short_rules(names["Chomp"]) == ("Bite, and leave the last piece.",)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "legal = [{heap = 0, count = 1}]\nill",
            "legal = [{heap = 0, count = 9}]\nill",
            "is illegal: take at",
        ),
        ("illegal = [{heap = 0, count = 2}]", "illegal = [{heap = 1, count = 2}]", "is legal"),
        ("caption", "capture", ", position 1: Object contains unknown field `capture`"),
        ("caption = ", "caption ", ", position 1: Expected '='"),
        ("## In short", "## Briefly", "has a list under `## In short`"),
        ("- Take", "- a\n- b\n- c\n- d\n- e\n- Take", "6 lines, more than 5"),
    ],
)
def test_a_page_that_is_wrong_is_refused(nim: Path, old: str, new: str, says: str) -> None:
    """A false claim and a malformed file are named, with the file and the block."""
    assert old in NIM
    nim.write_text(NIM.replace(old, new))
    kind = registry.find("games", "nim")
    with pytest.raises(BadInput, match=re.escape(says)) as caught:
        rules_page(kind)
    assert str(caught.value).startswith("nim_of_others.md")
    assert 1 <= len(short_rules(kind)) <= 5, "what a table shows does not fail"
    with pytest.raises(CheckFailed, match="the rules file fits the rules"):
        check_game(kind())

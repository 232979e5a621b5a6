"""The rules of a game for people: a Markdown file beside the game's module, `fish.md` beside `fish.py`.

A fenced block `position` names a position to draw, in TOML. It may list moves that are legal there and moves
that are not. Each is held against the rules when the page is read, so a page cannot claim what they deny.
The section "In short" is a list of at most five lines. `games/README.md` describes the file.
"""

from __future__ import annotations

import re
import tomllib
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from touchline.core.errors import BadInput
from touchline.core.rules import Cell, IllegalMove
from touchline.core.sketch import Piece
from touchline.draw.game_files import file_beside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import Game, State
    from touchline.core.sketch import Sketch

MOST_SHORT = 5
"""The lines of the short version: it is read in 20 seconds."""
TARGET = "+"
"""The mark of a place where a piece can go."""
_BLOCK = re.compile(r"^```position\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_SHORT = re.compile(r"^## In short\n+((?:- .*\n(?:  .*\n)*)+)", re.MULTILINE)


class Example(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """A fenced block `position`: how to reach it, and what is legal there."""

    caption: str
    options: dict[str, Any] = {}
    seats: int | None = None
    seed: int = 0
    position: dict[str, Any] | None = None
    """The position in its written form; otherwise the game starts from `options`, `seats` and `seed`."""
    moves: tuple[dict[str, Any], ...] = ()
    """Moves to make first."""
    view: int | None = None
    """Draw what this seat may see."""
    targets_of: Cell | None = None
    """Mark where the piece of this place can go."""
    targets: tuple[Cell, ...] = ()
    """Mark these places."""
    legal: tuple[dict[str, Any], ...] = ()
    illegal: tuple[dict[str, Any], ...] = ()


class Figure(NamedTuple):
    """A position of the rules, ready to draw."""

    caption: str
    state: State
    sketch: Sketch
    legal: tuple[str, ...]
    """Legal moves as JSON."""
    illegal: tuple[tuple[str, str], ...]
    """Illegal moves as JSON, each with the reason that the rules give."""


class RulesPage(NamedTuple):
    """The rules of a game for people."""

    title: str
    short: tuple[str, ...]
    """The 20-second version, a few lines of plain text."""
    parts: tuple[str | Figure, ...]
    """Markdown, and the positions to draw between its paragraphs."""
    source: str


def rules_page(game: type[Game]) -> RulesPage | None:
    """Return the rules of a game, or None if it has no rules file; BadInput names the block that is wrong.

    >>> from touchline.games.fish import Fish
    >>> page = rules_page(Fish)
    >>> page.title if page else None
    'Fish'
    """
    file = file_beside(game, ".md")
    if file is None:
        return None
    source = file.read_bytes().decode("utf-8", "replace")
    title, lines = re.match(r"# (.+)\n", source), _short(source)
    if title is None or not lines:
        raise BadInput("a rules file begins with `# Title` and has a list under `## In short`", file.name)
    if len(lines) > MOST_SHORT:
        raise BadInput(f"the list `In short` has {len(lines)} lines, more than {MOST_SHORT}", file.name)
    return RulesPage(title[1], lines, tuple(_parts(game, source, file.name)), source)


def short_rules(game: type[Game]) -> tuple[str, ...]:
    """Return the rules in at most five lines; a game without a rules file has the first of its docstring.

    >>> from touchline.games.hexapawn import Hexapawn
    >>> short_rules(Hexapawn)[0]
    'Each of you has a row of pawns that walk towards the other side.'
    """
    file = file_beside(game, ".md")
    lines = () if file is None else _short(file.read_bytes().decode("utf-8", "replace"))
    return lines[:MOST_SHORT] or (docstring(game).partition("\n")[0],)


def _short(source: str) -> tuple[str, ...]:
    found = _SHORT.search(source)
    items = re.split(r"^- ", found[1], flags=re.MULTILINE)[1:] if found else []
    return tuple(" ".join(item.replace("`", "").replace("**", "").split()) for item in items)


def docstring(game: type[Game]) -> str:
    """Return the docstring of a game up to its examples."""
    from inspect import cleandoc

    return cleandoc(game.__doc__ or "no rules are written down").partition(">>>")[0].strip()


def _parts(game: type[Game], source: str, name: str) -> Iterator[str | Figure]:
    pieces = _BLOCK.split(source)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            yield piece
            continue
        try:
            example = msgspec.convert(tomllib.loads(piece), Example)
            yield figure(game, example)
        except (ValueError, IllegalMove) as error:
            raise BadInput(str(error), f"{name}, position {number // 2 + 1}") from None


def figure(game: type[Game], example: Example) -> Figure:
    """Return a position with its sketch; ValueError if a move is not as legal or illegal as the text says."""
    rules = msgspec.convert(example.options, game)
    if example.position is not None:
        state = rules.restore(msgspec.convert(example.position, rules.Position))
    else:
        state = rules.start(example.seats or rules.seats[0], Random(example.seed))
    for move in example.moves:
        state = state.play(_checked(rules, state, move))
    for move in example.legal:
        _checked(rules, state, move)
    illegal = tuple((_json(move), _refusal(rules, state, move)) for move in example.illegal)
    if example.view is not None:
        state = state.view(example.view)
    sketch = _with_targets(state, example)
    return Figure(example.caption, state, sketch, tuple(map(_json, example.legal)), illegal)


def _json(move: dict[str, Any]) -> str:
    return msgspec.json.encode(move).decode()


def _checked(rules: Game, state: State, written: dict[str, Any]) -> Any:
    move = msgspec.convert(written, rules.Move)
    try:
        state.check(move)
    except IllegalMove as error:
        raise ValueError(f"{_json(written)} is illegal: {error}") from None
    return move


def _refusal(rules: Game, state: State, written: dict[str, Any]) -> str:
    try:
        state.check(msgspec.convert(written, rules.Move))
    except IllegalMove as error:
        return str(error)
    raise ValueError(f"{_json(written)} is legal")


def _with_targets(state: State, example: Example) -> Sketch:
    """Return the state's sketch with a mark on every target."""
    sketch = state.sketch()
    targets = set(example.targets)
    if example.targets_of is not None:
        targets |= {keys[-1] for keys in sketch.moves if keys[0] == example.targets_of}  # type: ignore[misc]
        if not targets:
            raise ValueError(f"no move begins at {example.targets_of}")
    mark = Piece(state.to_move or 0, TARGET)
    spots = tuple(
        replace(spot, marks=(*spot.marks, mark)) if spot.key in targets else spot for spot in sketch.spots
    )
    return replace(sketch, spots=spots)

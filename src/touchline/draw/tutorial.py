"""The tutorial of a game: a few positions, each with moves that go on, from the file beside its rules.

`fish.toml` beside `fish.py` has a table `[[tutorial]]` for each step. Every step is held against the rules
when the file is read: its moves are legal, and some legal move goes on. `games/README.md` describes the file.
"""

from __future__ import annotations

import tomllib
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core.errors import BadInput
from touchline.core.rules import IllegalMove
from touchline.draw.game_files import file_beside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import Game, State
    from touchline.core.sketch import Sketch

MOST_STEPS = 12


class WrittenStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step as the file has it. Without a start of its own, it begins as the step before it did."""

    title: str
    text: str
    """What to do, and why."""
    options: dict[str, Any] | None = None
    seats: int | None = None
    seed: int | None = None
    position: dict[str, Any] | None = None
    """The position in its written form, where a field that is left out is null; otherwise the game starts."""
    moves: tuple[dict[str, Any], ...] = ()
    """Moves to make first."""
    wanted: tuple[dict[str, Any], ...] = ()
    """The moves that go on: each a move in its JSON form, or some fields of it; none: any legal move."""
    right: str
    """What is said to a move that goes on."""
    wrong: str = "Not that one. Try again."

    def start(self) -> tuple[Any, ...] | None:
        own = (self.options or {}, self.seats, self.seed or 0, self.position)
        return own if own != ({}, None, 0, None) else None


class _Written(msgspec.Struct, frozen=True):
    tutorial: tuple[WrittenStep, ...] = ()


class TutorialStep(NamedTuple):
    """A step, ready to show to the seat to move."""

    title: str
    text: str
    seat: int
    state: State
    """The whole state, with what is hidden from the seat."""
    sketch: Sketch
    wanted: tuple[int, ...]
    """The numbers of the legal moves that go on."""
    right: str
    wrong: str

    def after(self, number: int) -> Sketch:
        """Return the drawing after a legal move, as the seat sees it."""
        return self.state.play(self.state.legal_moves()[number]).view(self.seat).sketch()


def tutorial(game: type[Game]) -> tuple[TutorialStep, ...]:
    """Return the steps of a game's tutorial; none without a file. BadInput names the step that is wrong.

    >>> from touchline.games.hexapawn import Hexapawn
    >>> [step.title for step in tutorial(Hexapawn)][0]
    'Step'
    """
    file = file_beside(game, ".toml")
    if file is None:
        return ()
    try:
        written = msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), _Written).tutorial
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadInput(str(error), file.name) from None
    if len(written) > MOST_STEPS:
        raise BadInput(f"the tutorial has {len(written)} steps, more than {MOST_STEPS}", file.name)
    return tuple(_steps(game, written, file.name))


def _steps(game: type[Game], written: tuple[WrittenStep, ...], name: str) -> Iterator[TutorialStep]:
    start: tuple[Any, ...] = ({}, None, 0, None)
    for number, step in enumerate(written, 1):
        start = step.start() or start
        try:
            yield _step(game, start, step)
        except (ValueError, IllegalMove) as error:
            raise BadInput(str(error), f"{name}, tutorial, step {number}") from None


def _step(game: type[Game], start: tuple[Any, ...], step: WrittenStep) -> TutorialStep:
    options, seats, seed, position = start
    rules = msgspec.convert(options, game)
    if position is not None:
        fields = msgspec.structs.fields(rules.Position)
        nulls = {field.encode_name: None for field in fields if field.required}  # TOML has no null
        state = rules.restore(msgspec.convert({**nulls, **position}, rules.Position))
    else:
        state = rules.start(seats or rules.seats[0], Random(seed))
    for written in step.moves:
        move = msgspec.convert(written, rules.Move)
        state.check(move)
        state = state.play(move)
    seat, moves = state.to_move, state.legal_moves()
    if seat is None:
        raise ValueError("the game is over before the step")
    wanted = _wanted(moves, step.wanted)
    sketch = state.view(seat).sketch()
    return TutorialStep(step.title, step.text, seat, state, sketch, wanted, step.right, step.wrong)


def _wanted(moves: Any, patterns: tuple[dict[str, Any], ...]) -> tuple[int, ...]:
    """Return the numbers of the moves that have all fields of one of the patterns."""
    written = [msgspec.json.decode(msgspec.json.encode(move)) for move in moves]
    for pattern in patterns:
        if not any(_has(move, pattern) for move in written):
            raise ValueError(f"no legal move has {msgspec.json.encode(pattern).decode()}")
    return tuple(
        number
        for number, move in enumerate(written)
        if not patterns or any(_has(move, pattern) for pattern in patterns)
    )


def _has(move: Any, pattern: dict[str, Any]) -> bool:
    return isinstance(move, dict) and all(move.get(name) == value for name, value in pattern.items())

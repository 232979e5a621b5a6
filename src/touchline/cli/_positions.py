"""What is to be thought about: a record, the position before a turn of one, or a written position."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core import registry
from touchline.core.errors import BadInput, BadOptions
from touchline.core.events import Event, Expelled, Moved, Resigned, Skipped
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.core.rules import Game, State


class Position(NamedTuple):
    """A position in which somebody is to move."""

    game: Game
    state: State
    names: tuple[str, ...] = ()
    turn: int | None = None


def read(word: str, game: str | None) -> Replay | Position:
    """A record, or a position if a turn or a position is named."""
    data, where, turn = _found(word)
    try:
        head = msgspec.json.decode(data.partition(b"\n")[0])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        head = None
    if isinstance(head, dict) and head.get("type") == "begun":
        replay = Replay(data, where)
        return replay if turn is None else before(replay, turn)
    if turn is not None:
        raise BadInput(f"is no record, so it has no turn {turn}", where)
    return _open(_written(data, where, game), where)


def _found(word: str) -> tuple[bytes, str, int | None]:
    """The bytes, where they come from, and the turn that is asked for."""
    file, at, turn = word.rpartition("@")
    if not (at and turn.isdecimal()) or os.path.exists(word):
        file, turn = word, ""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", file) from None
    return data, "standard input" if file == "-" else file, int(turn) if turn else None


def before(replay: Replay, turn: int | None) -> Position:
    """The position from which a turn was played; without a turn, the one in which the record stops."""
    state, last = replay.opening(), -1
    for event, after in replay.states():
        number = getattr(event, "turn", -1)
        if turn is not None and (number > turn or (number == turn and _ends_turn(event, state))):
            break
        state, last = after, max(last, number)
    else:
        if turn is not None and turn > last + 1:
            raise BadOptions(f"there are turns 0 to {last} in {replay.where}")
    if state.to_move is None and turn is None:
        raise BadOptions(f"the game in {replay.where} is over: name a turn, as in {replay.where}@{last}")
    return _open(Position(replay.game, state, replay.begun.names, turn), replay.where)


def _ends_turn(event: Event, state: State) -> bool:
    out = isinstance(event, Expelled | Resigned) and event.seat == state.to_move
    return out or isinstance(event, Moved | Skipped)


def _written(data: bytes, where: str, word: str | None) -> Position:
    """A position in JSON, which may say of which game it is."""
    try:
        value = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = "neither a record, whose first line says what was agreed, nor a position in JSON"
        raise BadInput(f"{what}: {error}", where) from None
    game = _game(value, where) if word is None else _named(word)
    try:
        state = game.restore(msgspec.convert(value.get("position", value), game.Position))
    except (msgspec.ValidationError, ValueError, IndexError) as error:
        raise BadInput(f"not a position of this {game.name}: {error}", where) from None
    return Position(game, state)


def _game(value: dict[str, Any], where: str) -> Game:
    name, options = value.get("game"), value.get("options", {})
    if not isinstance(name, str) or not isinstance(options, dict):
        raise BadInput("does not say which game it is of: add --game, as in --game fish:rows=4,cols=5", where)
    return registry.game(name, options)


def _named(word: str) -> Game:
    """A game on the command line.

    >>> _named("hexapawn:rows=3,cols=4")
    Hexapawn(rows=3, cols=4)
    """
    name, _, rest = word.partition(":")
    options = dict(part.partition("=")[::2] for part in rest.split(",") if part)
    return registry.game(name, options)


def _open(position: Position, where: str) -> Position:
    """The position, if there is something to think about, and whoever is to move can see it."""
    state, seat = position.state, position.state.to_move
    if seat is None:
        raise BadInput("the game is over: there is nothing to play", where)
    if position.game.hidden and state.view(seat) == state.view(None):
        raise BadInput(f"does not show what seat {seat}, whose turn it is, knows", where)
    return position

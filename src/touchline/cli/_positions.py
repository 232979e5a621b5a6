"""Read what `analyse`, `hint` and `solve` work on: a record, one position of it, or a position in JSON."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from touchline.core import registry
from touchline.core.errors import BadInput, BadOptions
from touchline.core.events import Event, Expelled, Moved, Resigned, Skipped, TakenBack
from touchline.records.replay import Replay

if TYPE_CHECKING:
    from touchline.core.rules import Game, State


class OpenPosition(NamedTuple):
    """A position in which a seat is to move."""

    game: Game
    state: State
    names: tuple[str, ...] = ()
    turn: int | None = None


def read(word: str, game: str | None) -> Replay | OpenPosition:
    """Read FILE or FILE@TURN; return the record, or a position if a turn or a position is given."""
    data, where, turn = _found(word)
    try:
        head = msgspec.json.decode(data.partition(b"\n")[0])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        head = None
    if isinstance(head, dict) and head.get("type") == "begun":
        replay = Replay(data, where)
        return replay if turn is None else before(replay, turn)
    if turn is not None:
        raise BadInput(f"@{turn} asks for a turn, but this is a position, not a record", where)
    return _open(_written(data, where, game), where)


def _found(word: str) -> tuple[bytes, str, int | None]:
    """Return the bytes of the file, its name, and the turn after the @, if there is one."""
    file, at, turn = word.rpartition("@")
    if not (at and turn.isdecimal()) or os.path.exists(word):
        file, turn = word, ""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise BadInput(f"cannot be read: {error.strerror}", file) from None
    return data, "standard input" if file == "-" else file, int(turn) if turn else None


def before(replay: Replay, turn: int | None) -> OpenPosition:
    """Return the position before a turn; without a turn, the last position of the record."""
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
    return _open(OpenPosition(replay.game, state, replay.begun.names, turn), replay.where)


def _ends_turn(event: Event, state: State) -> bool:
    out = isinstance(event, Expelled | Resigned) and event.seat == state.to_move
    return out or isinstance(event, Moved | Skipped | TakenBack)


def _written(data: bytes, where: str, word: str | None) -> OpenPosition:
    """Read a position in JSON; the game is `word`, or the one that the JSON names."""
    try:
        value = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = "neither a record (JSON Lines, the first of type begun) nor a position in JSON"
        raise BadInput(f"{what}: {error}", where) from None
    game = _game(value, where) if word is None else _named(word)
    try:
        state = game.restore(msgspec.convert(value.get("position", value), game.Position))
    except (msgspec.ValidationError, ValueError, IndexError) as error:
        raise BadInput(f"not a position of this {game.name}: {error}", where) from None
    return OpenPosition(game, state)


def _game(value: dict[str, Any], where: str) -> Game:
    name, options = value.get("game"), value.get("options", {})
    if not isinstance(name, str) or not isinstance(options, dict):
        raise BadInput(
            "this position does not name its game: add --game, as in --game fish:rows=4,cols=5", where
        )
    return registry.game(name, options)


def _named(word: str) -> Game:
    """Return a game from GAME:OPTION=VALUE,...

    >>> _named("hexapawn:rows=3,cols=4")
    Hexapawn(rows=3, cols=4)
    """
    name, _, rest = word.partition(":")
    options = dict(part.partition("=")[::2] for part in rest.split(",") if part)
    return registry.game(name, options)


def _open(position: OpenPosition, where: str) -> OpenPosition:
    """Return the position; raise BadInput if the game is over or the mover's secrets are missing."""
    state, seat = position.state, position.state.to_move
    if seat is None:
        raise BadInput("the game is over: there is no move to look for", where)
    if position.game.hidden and state.view(seat) == state.view(None):
        raise BadInput(f"this position lacks the secrets of seat {seat}, which is to move", where)
    return position

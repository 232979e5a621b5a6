"""Text of a random game, move by move, for people to read and for tests to compare."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec

from touchline.core.sketch import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.core.rules import Game, State


def playthrough(game: Game, seats: int, seed: int, *, most: int = 60, drawn: int = 6) -> str:
    """Return the first `most` turns of a random game, one line each, with a drawing every `drawn` turns."""
    return "\n".join(_lines(game, seats, seed, most, drawn)) + "\n"


def _lines(game: Game, seats: int, seed: int, most: int, drawn: int) -> Iterator[str]:
    rng = Random(seed)
    state = game.start(seats, rng)
    yield f"game     {game.name}"
    yield f"options  {_json(game)}"
    yield f"seats    {seats}"
    yield f"seed     {seed}"
    for turn in range(1, most + 1):
        if (turn - 1) % drawn == 0 or state.to_move is None:
            yield from _picture(state)
        if state.to_move is None:
            break
        moves = state.legal_moves()
        move = rng.choice(moves)
        yield f"{turn:>4}. seat {state.to_move}: {_json(move)}, one of {len(moves)}"
        state = state.play(move)
        if state.passed_over:
            yield f"      passed over: {_json(state.passed_over)}"
    outcome = state.outcome()
    yield f"outcome  {_json(outcome)}" if outcome else "and so on"


def _picture(state: State) -> Iterator[str]:
    yield ""
    for line in text(state.sketch()).splitlines():
        yield f"      {line}".rstrip()
    yield ""


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()

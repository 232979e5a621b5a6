"""Perft: count the sequences of legal moves, the surest way to compare two implementations of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import State

TABLE = 1 << 20
"""The largest number of cached positions, about a million, which bounds the memory of a count."""


def perft(state: State, depth: int, progress: Callable[[float], None] | None = None) -> list[int]:
    """Return the number of sequences of 1, 2, ... `depth` legal moves; a finished game has no further moves.

    `progress` is called with the share of the work that is done, from 0 to 1.
    """
    counts = [0] * depth
    if depth < 1:
        return counts
    table: dict[tuple[State, int], list[int]] = {}
    moves = state.legal_moves()
    counts[0] = len(moves)
    for done, move in enumerate(moves):
        if depth > 1:
            for ply, count in enumerate(_cached(state.play(move), depth - 1, table), 1):
                counts[ply] += count
        if progress is not None:
            progress((done + 1) / len(moves))
    return counts


def _cached(state: State, depth: int, table: dict[tuple[State, int], list[int]]) -> list[int]:
    """Return the counts from a state, from the cache if it has them."""
    key = (state, depth)
    if (known := table.get(key)) is not None:
        return known
    counts = [0] * depth
    moves = state.legal_moves()
    counts[0] = len(moves)
    if depth > 1:
        for move in moves:
            for ply, count in enumerate(_cached(state.play(move), depth - 1, table), 1):
                counts[ply] += count
        if len(table) < TABLE:
            table[key] = counts
    return counts

"""Perft: count the sequences of legal moves, the surest way to compare two implementations of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from touchline.core.rules import State

TABLE = 1 << 20
"""How many counted positions are remembered; equal ones are counted once."""


def perft(state: State, depth: int, progress: Callable[[float], None] | None = None) -> list[int]:
    """How many sequences of 1, 2, ... `depth` moves there are; a finished game is not continued.

    `progress` is told how much of the work is done, from 0 to 1.
    """
    counts = [0] * depth
    if depth < 1:
        return counts
    table: dict[tuple[State, int], list[int]] = {}
    moves = state.legal_moves()
    counts[0] = len(moves)
    for done, move in enumerate(moves):
        if depth > 1:
            for ply, count in enumerate(_below(state.play(move), depth - 1, table), 1):
                counts[ply] += count
        if progress is not None:
            progress((done + 1) / len(moves))
    return counts


def _below(state: State, depth: int, table: dict[tuple[State, int], list[int]]) -> list[int]:
    key = (state, depth)
    if (known := table.get(key)) is not None:
        return known
    counts = [0] * depth
    moves = state.legal_moves()
    counts[0] = len(moves)
    if depth > 1:
        for move in moves:
            for ply, count in enumerate(_below(state.play(move), depth - 1, table), 1):
                counts[ply] += count
        if len(table) < TABLE:
            table[key] = counts
    return counts

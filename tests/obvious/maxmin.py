"""The Fish course's house player, the obvious way: every line of play to its depth, nothing cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from touchline.games.fish import Slide, floating

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.core.rules import Cell, Seat
    from touchline.games.fish import FishState


def slides(state: FishState) -> list[Slide]:
    return [move for move in state.legal_moves() if isinstance(move, Slide)]


def worth(state: FishState, seat: Seat, turns: int) -> int:
    """The score a seat has after so many more turns of its own, all the others keeping it low."""
    if turns == 0 or state.to_move is None:
        return state.scores[seat]
    if state.to_move == seat:
        return max(worth(state.play(move), seat, turns - 1) for move in slides(state))
    return min(worth(state.play(move), seat, turns) for move in slides(state))


def best_slide(state: FishState, depth: int) -> Slide | None:
    """The move of greatest worth; of equals the smallest from-row, from-column, to-row, to-column."""
    seat = state.to_move
    assert seat is not None
    best: tuple[int, int, int, int, int] | None = None
    for move in slides(state):
        value = 0 if depth == 0 else worth(state.play(move), seat, depth - 1)
        candidate = (-value, *move.origin, *move.target)
        if best is None or candidate < best:
            best = candidate
    if best is None:
        return None
    _, from_row, from_col, to_row, to_col = best
    return Slide((from_row, from_col), (to_row, to_col))


def winners_of_game(rows: int, columns: int, fish: int, players: Sequence[tuple[str, int]]) -> list[str]:
    """What `xref` says: house players of these depths on a board with as many fish on every tile."""
    tiles = [(row, col) for row in range(rows) for col in range(columns)]
    places: dict[str, list[Cell]] = {name: [] for name, _ in players}
    for _ in range(6 - len(players)):
        for name, _ in players:
            if name not in places:
                continue
            taken = [cell for mine in places.values() for cell in mine]
            free = [cell for cell in tiles if cell not in taken]
            if free:
                places[name].append(free[0])
            else:
                del places[name]
    left = [(name, depth) for name, depth in players if name in places]
    if not left:
        return []
    state = floating([[fish] * columns] * rows, [places[name] for name, _ in left], [0] * len(left))
    if not state.legal_moves():
        state = state.skip()
    while state.to_move is not None:
        move = best_slide(state, left[state.to_move][1])
        assert move is not None
        state = state.play(move)
    most = max(state.scores)
    return sorted(name for (name, _), score in zip(left, state.scores, strict=True) if score == most)

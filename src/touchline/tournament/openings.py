"""Random openings: legal moves that are made for the seats before a game begins.

Two deterministic players play the same game each time they begin from the same position. Where a game has a
single start, a cup therefore begins its games from openings. An opening belongs to a board, so that each is
played from every seat.

Laws of this file: an opening leaves the game open. The game is not over after it, no seat has been passed
over to reach it, the seat to move cannot end the game at once, and it has a move after which the next seat
cannot either. No two openings of a book lead to the same position. The same key gives the same book.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from touchline.core import registry
from touchline.core.errors import BadOptions
from touchline.core.rules import Guiding
from touchline.dialects import DEFAULT
from touchline.players.by_name import spoken_by

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from touchline.core.rules import Game, State
    from touchline.tournament.cup import Cup, Entrant

ROUNDS = 2
"""The default length of an opening, in moves of each seat."""
MOST_MOVES = 40
STARTS = 8
"""The number of seeds whose starts are compared to see whether a game has a single one."""
MOST_LISTED = 2_000
"""The most openings that are listed; of more, a cup draws as many as it needs."""
MOST_LOOKED_AT = 4 * MOST_LISTED
"""The most positions that are looked at to list openings."""
MOST_DRAWS = 1_000
"""The most draws for one opening that is unlike those before it."""


class Opening(NamedTuple):
    """The moves of an opening, and the position after them."""

    moves: tuple[Any, ...]
    state: State


def has_single_start(game: Game, seats: int) -> bool:
    """Return whether the game begins from the same position whatever its seed."""
    first, *others = (game.start(seats, Random(seed)) for seed in range(STARTS))
    return all(other == first for other in others)


def is_open(state: State) -> bool:
    """Return whether a game may begin here: nobody can end it within two moves without the other's help.

    >>> from random import Random
    >>> from touchline.games.hexapawn import Hexapawn
    >>> is_open(Hexapawn(rows=4, cols=4).start(2, Random(0))), is_open(Hexapawn(rows=2).start(2, Random(0)))
    (True, False)
    """
    if state.to_move is None or state.passed_over or _reached(state):
        return False
    ahead = [state.play(move) for move in state.legal_moves()]
    return not any(after.to_move is None for after in ahead) and any(map(_is_safe, ahead))


def _is_safe(state: State) -> bool:
    """Return whether no move ends the game."""
    return all(state.play(move).to_move is not None for move in state.legal_moves())


def _reached(state: State) -> bool:
    return isinstance(state, Guiding) and state.reached is not None


class OpeningBook:
    """The openings of one game with a single start, in an order that follows from a key.

    When all openings have been used, they come again in another order.
    """

    def __init__(self, game: Game, seats: int, moves: int, key: bytes) -> None:
        self._key = key
        self._start = game.start(seats, Random(0))
        self.length, self._all = longest(self._start, moves)
        self._drawn: list[Opening] = []
        self._draws = self._distinct() if self._all is None else iter(())
        self._rounds: dict[int, list[Opening]] = {}

    @property
    def size(self) -> int | None:
        """The number of openings; None if there are more than are listed."""
        return None if self._all is None else len(self._all)

    def moves(self, number: int) -> tuple[Any, ...]:
        """Return the moves of an opening by its number, from 0; none if the game has no openings."""
        if self._all is not None:
            return self._of_round(*divmod(number, len(self._all))).moves if self._all else ()
        while len(self._drawn) <= number and (opening := next(self._draws, None)) is not None:
            self._drawn.append(opening)
        return self._drawn[number % len(self._drawn)].moves if self._drawn else ()

    def _of_round(self, again: int, number: int) -> Opening:
        if again not in self._rounds:
            self._rounds[again] = sorted(self._all or (), key=lambda one: self._place(again, one))
        return self._rounds[again][number]

    def _place(self, again: int, opening: Opening) -> bytes:
        written = msgspec.json.encode((again, opening.state.position()))
        return hashlib.sha256(self._key + written).digest()

    def _distinct(self) -> Iterator[Opening]:
        """Yield random openings, no two of the same position, until no new one can be found."""
        rng = Random(self._key)
        seen: set[State] = set()
        while (opening := drawn(self._start, self.length, rng, seen)) is not None:
            seen.add(opening.state)
            yield opening


def longest(start: State, moves: int) -> tuple[int, tuple[Opening, ...] | None]:
    """Return the length of a book's openings, up to `moves`, and the openings; None if they are too many.

    On a small board the game may be decided after a few moves: then openings are shorter, or there are none.
    """
    for length in range(moves, 0, -1):
        found = listed(start, length)
        if found is None or len(found) > 1:
            return length, found
    return 0, ()


def listed(start: State, moves: int) -> tuple[Opening, ...] | None:
    """Return every opening of this length, one for each position; None if there are too many."""
    layer: dict[State, tuple[Any, ...]] = {start: ()}
    for _ in range(moves):
        ahead: dict[State, tuple[Any, ...]] = {}
        for state, before in layer.items():
            for move in state.legal_moves():
                ahead.setdefault(state.play(move), (*before, move))
            if len(ahead) > MOST_LOOKED_AT:
                return None
        layer = ahead
    found = tuple(Opening(before, state) for state, before in layer.items() if is_open(state))
    return None if len(found) > MOST_LISTED else found


def drawn(start: State, moves: int, rng: Random, seen: Collection[State] = ()) -> Opening | None:
    """Draw a random opening from a start that leads to none of these positions; None if none is found."""
    for _ in range(MOST_DRAWS):
        state, made = start, list[Any]()
        while len(made) < moves and state.to_move is not None:
            made.append(rng.choice(state.legal_moves()))
            state = state.play(made[-1])
        if state not in seen and is_open(state):
            return Opening(tuple(made), state)
    return None


def moves_on_boards(cup: Cup, asked: int | None) -> tuple[int, ...] | UnsetType:
    """Return the length of the openings on each board of a cup; unset if there are none.

    Unless a length is asked for, there are openings on the boards with a single start, if every player can
    begin from one.
    """
    if asked is not None and not 0 <= asked <= MOST_MOVES:
        raise BadOptions(f"[openings] moves: 0 to {MOST_MOVES}, not {asked}")
    unable = sorted({word for word in map(_spoken, cup.entrants) if not begins_anywhere(word)})
    if asked and unable:
        raise BadOptions(
            f"[openings]: players of {', '.join(unable)} know their seat by the untouched board, so their "
            "games cannot begin from an opening; say `moves = 0`"
        )
    seats = cup.rules().seats
    if asked is not None:
        found = (asked,) * len(cup.boards)
    elif unable:
        found = (0,) * len(cup.boards)
    else:
        boards = map(cup.board, range(len(cup.boards)))
        found = tuple(ROUNDS * seats if has_single_start(board, seats) else 0 for board in boards)
    return found if any(found) else UNSET


def _spoken(entrant: Entrant) -> str:
    return spoken_by(entrant.player) or DEFAULT


def begins_anywhere(dialect: str) -> bool:
    """Return whether a match of a player of this dialect may begin from an opening."""
    found: bool = registry.dialect(dialect).begins_anywhere
    return found

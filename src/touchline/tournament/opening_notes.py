"""What an organiser should know about the openings of a cup, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Struct
from msgspec.structs import asdict

from touchline.tournament.openings import MOST_LISTED
from touchline.tournament.seeds import CupSeeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.tournament.cup import Cup


def unbalanced(cup: Cup) -> str | None:
    """Return a sentence if openings are not played from every seat by the same entrants; None if they are."""
    rules = cup.rules()
    if cup.openings is UNSET or not isinstance(rules, Struct):
        return None
    options = asdict(rules)  # a format need not have these two
    games, seats = options.get("games", 1), rules.seats
    if games % seats:
        return (
            f"each opening is not played from every seat: a table of {seats} plays {games} games; make "
            f"`games` a multiple of {seats}"
        )
    if not options.get("paired", True):
        return "each opening is not played from every seat: the format says `paired = false`"
    return None


def opening_notes(cup: Cup) -> Iterator[str]:
    """Yield how many openings each board has, and whether they are balanced."""
    if cup.openings is UNSET:
        return
    seats, seeds = cup.rules().seats, CupSeeds(cup, None)  # how many there are does not depend on the salt
    for board in range(len(cup.boards)):
        if not cup.opening_moves(board):
            continue
        where = f"board {board + 1}: " if len(cup.boards) > 1 else ""
        book = seeds.book(board, seats)
        if book is None:
            yield f"{where}games begin with {cup.opening_moves(board)} random moves from their own start"
        elif book.size == 0:
            yield f"{where}no openings: this board is decided after a few moves, so games will be copies"
        else:
            many = f"more than {MOST_LISTED:,}" if book.size is None else f"{book.size:,}"
            yield f"{where}games begin with {book.length} random moves; there are {many} such openings"
    if (why := unbalanced(cup)) is not None:
        yield why

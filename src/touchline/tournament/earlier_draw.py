"""Cups that were begun when rounds were drawn by earlier rules: they are shown and verified, not continued.

Law of this file: no game is added to a cup by other rules than those it began with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from touchline.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.cup import Cup
    from touchline.tournament.ledger.base import Ledger
    from touchline.tournament.pairing import Pairing

NOT_DRAWN_AGAIN = "the schedule: the cup was drawn by an earlier version, whose rules are not kept"
ADVICE = "finish it with that version, or play it again with a new ledger; show, report and verify work"


def refuse_changed_draw(ledger: Ledger, cup: Cup) -> None:
    """Raise BadInput if the ledger's cup is this one, begun by an earlier version."""
    if ledger.spec() == replace(cup, draw=UNSET).bytes() and not cup.drawn_earlier:
        raise BadInput(f"an earlier version began this cup, and drew rounds by other rules: {ADVICE}")


def refuse_unfinished(cup: Cup, due: Sequence[Pairing], scheduled: Iterable[Pairing] = ()) -> None:
    """Raise BadInput if games of a cup are due that this version would draw by other rules.

    Games that are `scheduled` in the ledger, such as one that was declared void, may be played.
    """
    if not cup.drawn_earlier:
        return
    known = {(game.round, game.table, game.entrants, game.board) for game in scheduled}
    if not due or any((game.round, game.table, game.entrants, game.board) not in known for game in due):
        raise BadInput(
            "this cup is not over, and was begun by an earlier version, which drew rounds by other rules: "
            f"{ADVICE}"
        )

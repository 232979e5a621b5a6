"""The games of a tournament: one that is due, and one that has been played.

Law of this file: a game is known by its round, its table and which attempt it is, never by when or where it
was played; so whoever works out the schedule again comes to the same games.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from touchline.core.rules import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable


class Pairing(Struct, frozen=True, order=True):
    """A game that is to be played."""

    round: int
    table: int
    """Counted from 0 within the round."""
    entrants: tuple[str, ...]
    """In the order of the seats."""
    board: int
    """Games of the same number begin from the same position."""
    attempt: int = 0
    """Counted up when a game was declared void and is played again."""

    @property
    def id(self) -> str:
        """
        >>> Pairing(round=2, table=11, entrants=("a", "b"), board=0).id
        'r0002-t0011'
        """
        again = f"-a{self.attempt}" if self.attempt else ""
        return f"r{self.round:04}-t{self.table:04}{again}"


class Played(Struct, frozen=True):
    """A game that has been played, and what of it counts for a table. It may have been declared void."""

    pairing: Pairing
    verdict: Literal["finished", "forfeited", "void"]
    winners: tuple[Seat, ...] = ()
    ranks: tuple[int | None, ...] = ()
    """A rank per seat, 1 the best, equal where tied; None for a seat that was removed. Empty if void."""
    scores: tuple[int, ...] = ()
    expelled: tuple[Seat, ...] = ()
    """The seats that lost by their own fault."""
    reason: str = ""


def alike(games: Iterable[Played]) -> list[tuple[Played, int]]:
    """One of each kind, and how many of them there are.

    Games between the same entrants on the same seats that ended in the same way count the same for every
    table. In a long tournament there are few kinds of them.

    >>> game = Played(Pairing(0, 0, ("a", "b"), 0), "finished", (0,), (1, 2), (1, 0))
    >>> [often for _, often in alike([game, game])]
    [2]
    """
    known = [*games]
    kinds = [(game.pairing.entrants, game.verdict, game.ranks, game.expelled, game.reason) for game in known]
    one = dict(zip(kinds, known, strict=True))
    return [(one[kind], often) for kind, often in Counter(kinds).items()]


class Thrift:
    """Makes games that share what they have in common: of a hundred thousand, most is the same."""

    def __init__(self) -> None:
        self._known: dict[object, Any] = {}

    def lean(self, played: Played) -> Played:
        """The same game, in less memory."""
        pairing, known = played.pairing, self._known.setdefault
        return Played(
            Pairing(
                pairing.round, pairing.table, known(pairing.entrants, pairing.entrants), pairing.board,
                pairing.attempt,
            ),
            known(played.verdict, played.verdict), known(played.winners, played.winners),
            known(played.ranks, played.ranks), known(played.scores, played.scores),
            known(played.expelled, played.expelled), known(played.reason, played.reason),
        )  # fmt: skip


def had(rank: int | None, other: int | None) -> float:
    """What a seat of one rank has against a seat of another: 1, a half if they tie, or nothing.

    Who was removed has nothing against anybody, also not against somebody else who was.

    >>> had(1, 2), had(2, 2), had(2, None), had(None, None)
    (1.0, 0.5, 1.0, 0.0)
    """
    if rank is None:
        return 0.0
    return 1.0 if other is None or rank < other else 0.5 if rank == other else 0.0


def points(played: Played) -> tuple[float, ...]:
    """For each seat the share of the others that it beat, a tie being half. A void game gives nothing.

    >>> game = Pairing(0, 0, ("a", "b", "c"), 0)
    >>> points(Played(game, "finished", (0,), (1, 2, 2), (9, 4, 4)))
    (1.0, 0.25, 0.25)
    """
    if played.verdict == "void":
        return (0.0,) * len(played.pairing.entrants)
    ranks = played.ranks
    others = len(ranks) - 1 or 1
    return tuple(
        sum(had(rank, other) for seat, other in enumerate(ranks) if seat != mine) / others
        for mine, rank in enumerate(ranks)
    )


def duelled(played: Played, entrant: str) -> float:
    """What a game of two says of who is better: 1, a half or 0. Two that were removed are equal."""
    first, second = points(played)
    lead = first - second if played.pairing.entrants[0] == entrant else second - first
    return (1 + lead) / 2

"""The games of a tournament: `Pairing`, a game to be played, and `Played`, a game with its result.

Law of this file: a game is identified by its round, its table and its attempt, never by when or where it was
played; so anybody who computes the schedule again gets the same games.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from touchline.core.points import points_of
from touchline.core.rules import Seat

if TYPE_CHECKING:
    from collections.abc import Iterable


class Pairing(Struct, frozen=True, order=True):
    """A game to be played."""

    round: int
    table: int
    """Counted from 0 within the round."""
    entrants: tuple[str, ...]
    """In the order of the seats."""
    board: int
    """Games with the same board number begin from the same position."""
    attempt: int = 0
    """0, and one more each time the game was void and is played again."""

    @property
    def id(self) -> str:
        """
        >>> Pairing(round=2, table=11, entrants=("a", "b"), board=0).id
        'r0002-t0011'
        """
        again = f"-a{self.attempt}" if self.attempt else ""
        return f"r{self.round:04}-t{self.table:04}{again}"


class Played(Struct, frozen=True):
    """A game with the part of its result that counts for the standings."""

    pairing: Pairing
    verdict: Literal["finished", "forfeited", "void"]
    winners: tuple[Seat, ...] = ()
    ranks: tuple[int | None, ...] = ()
    """A rank per seat, 1 the best, equal where tied; None for a removed seat. Empty if the game is void."""
    scores: tuple[int, ...] = ()
    expelled: tuple[Seat, ...] = ()
    """The seats that lost by an offence of their own."""
    reason: str = ""


def grouped(games: Iterable[Played]) -> list[tuple[Played, int]]:
    """Group games that count the same, and return one of each group with the size of its group.

    Games between the same entrants on the same seats that ended in the same way count the same. A long
    tournament has many games, but few such groups.

    >>> game = Played(Pairing(0, 0, ("a", "b"), 0), "finished", (0,), (1, 2), (1, 0))
    >>> [count for _, count in grouped([game, game])]
    [2]
    """
    known = [*games]
    kinds = [(game.pairing.entrants, game.verdict, game.ranks, game.expelled, game.reason) for game in known]
    one = dict(zip(kinds, known, strict=True))
    return [(one[kind], count) for kind, count in Counter(kinds).items()]


class Interner:
    """Shares equal parts between games: of a hundred thousand games, most parts are the same."""

    def __init__(self) -> None:
        self._known: dict[object, Any] = {}

    def intern(self, played: Played) -> Played:
        """Return an equal game that takes less memory."""
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


def points(played: Played) -> tuple[float, ...]:
    """Return for each seat the share of the others that it beat, a tie being half; 0 for a void game.

    >>> game = Pairing(0, 0, ("a", "b", "c"), 0)
    >>> points(Played(game, "finished", (0,), (1, 2, 2), (9, 4, 4)))
    (1.0, 0.25, 0.25)
    """
    if played.verdict == "void":
        return (0.0,) * len(played.pairing.entrants)
    return points_of(played.ranks)


def duel_score(played: Played, entrant: str) -> float:
    """Return the score of an entrant in a game of two: 1, ½ or 0; ½ if both were removed."""
    first, second = points(played)
    lead = first - second if played.pairing.entrants[0] == entrant else second - first
    return (1 + lead) / 2

"""Ratings for any number of seats, by openskill's Plackett-Luce model.

Law of this file: games are rated by round and table, not in the order in which they were finished; so the
same results give the same ratings. Another order would give slightly different ones, as with every online
rating. openskill comes with `pip install 'touchline[ratings]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from touchline.core.errors import TouchlineError
from touchline.tournament.ratings.base import SURE, Rating, places, rated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from touchline.tournament.pairing import Played


class NoOpenskill(TouchlineError):
    """The extra `ratings` is not installed."""

    def __init__(self) -> None:
        super().__init__("openskill is not installed; get it with: pip install 'touchline[ratings]'")


def plackett_luce(played: Iterable[Played], entrants: Sequence[str] = ()) -> list[Rating]:
    """Return the ratings of all who played and of the other entrants, the best first. 25 is average."""
    model = _model()
    unrated = model.rating()
    final = {entrant: _rating(entrant, unrated, 0) for entrant in entrants}
    for _, after in curve(played):
        final |= {rating.entrant: rating for rating in after}
    return sorted(final.values(), key=lambda rating: (-rating.value, rating.entrant))


def curve(played: Iterable[Played]) -> Iterator[tuple[str, list[Rating]]]:
    """Yield for each game its id, and the ratings of its players after it."""
    model = _model()
    ratings: dict[str, Any] = {}
    games: dict[str, int] = {}
    for game in rated(played):
        teams = [[ratings.get(entrant) or model.rating()] for entrant in game.pairing.entrants]
        after = model.rate(teams, ranks=[float(place) for place in places(game)])
        for entrant, (rating,) in zip(game.pairing.entrants, after, strict=True):
            ratings[entrant] = rating
            games[entrant] = games.get(entrant, 0) + 1
        yield game.pairing.id, [_rating(one, ratings[one], games[one]) for one in game.pairing.entrants]


def _rating(entrant: str, rating: Any, games: int) -> Rating:
    value, reach = rating.mu, SURE * rating.sigma
    return Rating(entrant, round(value, 6), round(value - reach, 6), round(value + reach, 6), games)


def _model() -> Any:
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise NoOpenskill from None
    return PlackettLuce()

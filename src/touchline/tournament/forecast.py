"""Forecast how long a cup takes, from the number of its games and the pace at which they are played.

Law of this file: it reads no clock and no ledger; whoever asks brings the numbers.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.tournament.pairing import Pairing, Played

if TYPE_CHECKING:
    from collections.abc import Sequence

    from touchline.tournament.formats.base import Format

MOST_ENTRANTS = 256
"""The most entrants of a dry run: drawing a Swiss round costs the square of their number."""
MOST_WORK = 100_000
"""The most games that a dry run looks at, counted anew for each round: a fraction of a second."""
SURE_GAMES, SURE_SECONDS = 8, 1.0
"""Games and seconds after which a pace is known; a single game is enough after `LONG_SECONDS`."""
LONG_SECONDS = 30.0
SAMPLES = 300
"""Seconds over which a pace is taken: a cup may have slower games later, or other workers."""


class Expected(Struct, frozen=True):
    """The number of games of a cup."""

    games: int
    whole: bool
    """Whether these are all; if not, later rounds are not counted."""


def expected_games(rules: Format, entrants: Sequence[str]) -> Expected:
    """Count the games of a cup by a dry run in which the entrant that is listed first always wins.

    Replays of ties are not in it, nor games that are void and played again.

    >>> from touchline.tournament.formats.swiss import Swiss
    >>> expected_games(Swiss(games=2), ["ann", "bob", "cy", "dan"])
    Expected(games=8, whole=True)
    """
    order = {entrant: place for place, entrant in enumerate(entrants)}
    played: list[Played] = []
    work = 0
    while due := rules.due(entrants, played):
        if not played and max(pairing.round for pairing in due) > 1:
            return Expected(len(due), whole=True)  # a third round that is due already waits for no result
        work += len(played) + len(due)
        played += [_won_by_order(pairing, order) for pairing in due]
        if work > MOST_WORK or len(entrants) > MOST_ENTRANTS:
            return Expected(len(played), whole=False)
    return Expected(len(played), whole=True)


def _won_by_order(pairing: Pairing, order: dict[str, int]) -> Played:
    ranking = sorted(pairing.entrants, key=order.__getitem__)
    ranks = tuple(1 + ranking.index(entrant) for entrant in pairing.entrants)
    return Played(pairing, "finished", (ranks.index(1),), ranks, tuple(-rank for rank in ranks))


class Pace:
    """Measures the games a second of a run. Time in which no game may be begun does not count.

    Nor does the time before the first result, in which workers start, unless games are as long as that.
    `past_seconds` are the seconds that a game took on average before this run; they hold until the run's own
    pace is known.
    """

    def __init__(self, workers: int, past_seconds: float = 0.0) -> None:
        self._past = workers / past_seconds if past_seconds > 0 else None
        self._active = self._seen = 0.0
        self._first = 0
        self._last: int | None = None
        self._samples: deque[tuple[float, int]] = deque(maxlen=SAMPLES)

    def see(self, now: float, played: int, *, idle: bool) -> None:
        """Take in the time and the number of games played."""
        if self._last is None:
            self._seen, self._first = now, played
            self._samples.append((0.0, played))
        if not idle:
            self._active += now - self._seen
        self._seen = now
        if self._last == self._first < played and self._active < LONG_SECONDS:
            self._samples.clear()
            self._samples.append((self._active, played))
        if self._active - self._samples[-1][0] >= 1.0:
            self._samples.append((self._active, played))
        self._last = played

    @property
    def per_second(self) -> float | None:
        """Games a second; None until that is known."""
        if self._last is None:
            return self._past
        since, before = self._samples[0]
        games, seconds = self._last - before, self._active - since
        sure = games >= SURE_GAMES and seconds >= SURE_SECONDS
        return games / seconds if sure or (games > 0 and seconds >= LONG_SECONDS) else self._past


class Forecast(Struct, frozen=True, kw_only=True):
    """How long a cup takes from now on."""

    played: int
    games: int
    """The games of the whole cup, or those that are known so far."""
    whole: bool
    workers: int
    per_second: float | None
    """Games a second; None while nobody knows."""
    seconds: float | None
    """Seconds until all these games are played; None while nobody knows."""

    def ahead(self) -> str:
        """Return what to expect, in one line.

        >>> forecast(0, Expected(1200, whole=True), 2, 1.7).ahead()
        'about 12 minutes: 1,200 games on 2 workers'
        """
        left = self.games - self.played
        games = f"{left:,} {'more ' if self.played else ''}game{'s' * (left != 1)}"
        work = f"{games} on {self.workers} worker{'s' * (self.workers != 1)}"
        more = "" if self.whole else ", and later rounds that are not counted yet"
        if self.seconds is None:
            return f"{work}{more}; the first ones will show how long that takes"
        return f"{duration(self.seconds)}: {work}{more}"

    def pace(self) -> str:
        """Return the games a second as text.

        >>> [forecast(0, Expected(9, True), 2, pace).pace() for pace in (1187.4, 0.0123)]
        ['1,187', '0.0123']
        """
        known = self.per_second or 0.0
        return f"{known:,.0f}" if known >= 100 else f"{known:.3g}"

    def left(self) -> str:
        """Return the time left, for a progress line; nothing while nobody knows."""
        if self.seconds is None or self.games <= self.played:
            return ""
        return f"{duration(self.seconds)} left" + ("" if self.whole else " of the rounds known so far")


def forecast(played: int, expected: Expected, workers: int, per_second: float | None) -> Forecast:
    """Forecast the rest of a cup."""
    left = max(0, expected.games - played)
    return Forecast(
        played=played, games=max(expected.games, played), whole=expected.whole, workers=workers,
        per_second=per_second, seconds=left / per_second if per_second else None,
    )  # fmt: skip


def duration(seconds: float) -> str:
    """Return a time in words, no more exact than a forecast is.

    >>> [duration(seconds).removeprefix("about ") for seconds in (0.4, 42, 100, 720, 7300, 200_000)]
    ['1 second', '42 seconds', '2 minutes', '12 minutes', '2 hours', '2 days']
    """
    for unit, size, most in (("second", 1, 90), ("minute", 60, 90), ("hour", 3600, 36)):
        count = max(1, round(seconds / size))
        if count < most:
            return f"about {count} {unit}{'s' * (count != 1)}"
    count = round(seconds / 86_400)
    return f"about {count} days"

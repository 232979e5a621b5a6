"""The bracket of a knock-out, as inline SVG: a column for each round, a line from each match to the next.

Law of this file: it is drawn from the games that were played, so it shows what happened, also if a result was
changed since. Names are escaped, and the bracket has a title in words.
"""

from __future__ import annotations

from collections import defaultdict
from html import escape
from typing import TYPE_CHECKING

from msgspec import Struct

from touchline.core.points import score_against
from touchline.tournament.report.rounds import ELIMINATING
from touchline.tournament.standings import format_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from touchline.tournament.report.data import Report
    from touchline.tournament.report.rounds import Round, RoundGame

WIDE, GAP, ROW, SPACE = 190, 44, 22, 14
"""In pixels: the width of a match, of the gap between rounds, the height of a name, and between matches."""
LETTERS = 20
"""The most letters of a name that fit."""
MOST_MATCHES = 600
"""The most matches that are drawn; a knock-out of 512 entrants has 511."""


class Match(Struct):
    """A match: all games of a round between the same entrants."""

    round: int
    points: dict[str, float]
    game: str
    """Its first game."""
    y: float = -1.0
    """The top of its box."""
    feeders: list[Match] = []

    @property
    def height(self) -> int:
        return ROW * len(self.points)


def bracket(found: Report) -> str:
    """Return the bracket of a knock-out; nothing for another format."""
    if found.format not in ELIMINATING or not found.rounds:
        return ""
    rounds = [_matches(part) for part in found.rounds]
    if sum(map(len, rounds)) > MOST_MATCHES:
        return f'<p class="lead">A bracket of more than {MOST_MATCHES} matches is not drawn.</p>'
    _connect(rounds)
    _lay_out(rounds)
    through = {
        (feeder.round, entrant)
        for match in _all(rounds)
        for feeder in match.feeders
        for entrant in feeder.points.keys() & match.points.keys()
    }
    if found.over:
        winners = {line.entrant for line in found.standings if line.rank == 1}
        through |= {(len(rounds) - 1, entrant) for entrant in winners}
    return _svg(rounds, through)


def _all(rounds: Iterable[Iterable[Match]]) -> list[Match]:
    return [match for part in rounds for match in part]


def _matches(part: Round) -> list[Match]:
    """Group the games of a round: a replay among some of a table belongs to the match of that table."""
    matches: list[Match] = []
    for game in part.games:
        if game.voided is not None:
            continue
        own = next((one for one in matches if one.points.keys() & {*game.entrants}), None)
        if own is None:
            own = Match(part.number - 1, {}, game.game, feeders=[])
            matches.append(own)
        for seat, entrant in enumerate(game.entrants):
            own.points[entrant] = own.points.get(entrant, 0.0) + _share(game, seat)
    return matches


def _share(game: RoundGame, seat: int) -> float:
    """Return the points of a seat: the share of the others that it beat."""
    if game.verdict == "void" or not game.ranks:
        return 0.0
    others = [rank for number, rank in enumerate(game.ranks) if number != seat]
    return sum(score_against(game.ranks[seat], rank) for rank in others) / max(1, len(others))


def _connect(rounds: Sequence[Sequence[Match]]) -> None:
    """Find for each match those that its entrants came from."""
    latest: dict[str, Match] = {}
    for part in rounds:
        for match in part:
            before = [latest[entrant] for entrant in match.points if entrant in latest]
            match.feeders = [one for at, one in enumerate(before) if one not in before[:at]]
        for match in part:
            latest.update(dict.fromkeys(match.points, match))


def _lay_out(rounds: Sequence[Sequence[Match]]) -> None:
    """Place each match beside the middle of those that feed it, and no two of a round on each other."""
    free: dict[int, float] = defaultdict(float)

    def place(match: Match) -> None:
        if match.y >= 0:
            return
        for feeder in match.feeders:
            place(feeder)
        middles = [feeder.y + feeder.height / 2 for feeder in match.feeders]
        wanted = sum(middles) / len(middles) - match.height / 2 if middles else free[match.round]
        match.y = max(wanted, free[match.round])
        free[match.round] = match.y + match.height + SPACE
        for before in range(match.round):  # a later leaf of an earlier round goes below this match
            if not match.feeders:
                free[before] = max(free[before], match.y + match.height + SPACE)

    for part in reversed(rounds):
        for match in part:
            place(match)


def _svg(rounds: Sequence[Sequence[Match]], through: set[tuple[int, str]]) -> str:
    wide = len(rounds) * (WIDE + GAP)
    high = max((match.y + match.height for match in _all(rounds)), default=0.0) + 30
    parts = [
        f'<text class="soft" x="{number * (WIDE + GAP)}" y="14">Round {number + 1}</text>'
        for number in range(len(rounds))
    ]
    for match in _all(rounds):
        for feeder in match.feeders:
            x1, y1 = feeder.round * (WIDE + GAP) + WIDE, feeder.y + feeder.height / 2 + 24
            x2, y2 = match.round * (WIDE + GAP), match.y + match.height / 2 + 24
            half = x2 - GAP / 2
            parts.append(f'<path class="tie" d="M{x1} {y1:.1f}H{half:.1f}V{y2:.1f}H{x2}"/>')
        parts.append(_box(match, through))
    return (
        f'<div class="scroll" tabindex="0"><svg class="bracket" viewBox="0 0 {wide} {high:.0f}" '
        f'width="{wide}" height="{high:.0f}" role="group"><title>The bracket: {len(rounds)} rounds</title>'
        + "".join(parts)
        + "</svg></div>"
    )


def _box(match: Match, through: set[tuple[int, str]]) -> str:
    x, y = match.round * (WIDE + GAP), match.y + 24
    parts = [f'<rect class="match" x="{x}" y="{y:.1f}" width="{WIDE}" height="{match.height}" rx="5"/>']
    for row, (entrant, points) in enumerate(match.points.items()):
        base, kind = y + ROW * row + 16, "on" if (match.round, entrant) in through else "gone"
        name = entrant if len(entrant) <= LETTERS else f"{entrant[: LETTERS - 1]}…"
        parts.append(
            f'<text class="{kind}" x="{x + 8}" y="{base:.1f}">{escape(name)}<title>{escape(entrant)}</title>'
            f'</text><text class="{kind}" x="{x + WIDE - 8}" y="{base:.1f}" text-anchor="end">'
            f"{format_points(points)}</text>"
        )
    return f'<a href="#{match.game}">{"".join(parts)}</a>'

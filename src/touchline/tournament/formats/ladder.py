"""Ladder: challenge the one above.

The entrants stand on a ladder, the first seed on top. In each round neighbours play, in the first, third and
so on from the top, in the others half a table further down; the better ones take the upper rungs of those
that they hold together, and who is level stays above. Who rests keeps its rung. Who has dropped out
and missed a game goes to the foot.

Tie-breaks: the rung, and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from math import fsum
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Meta, Struct

from touchline.tournament.formats.base import MOST_SEATS, Games, Paired, Seats, Seed, seeded, within
from touchline.tournament.formats.shared.seating import fewest, match
from touchline.tournament.formats.shared.story import Story, shares
from touchline.tournament.standings import Standing, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from touchline.tournament.pairing import Pairing, Played


class Ladder(Struct, frozen=True, kw_only=True):
    """Challenge the one above."""

    seats: Seats = 2
    rounds: Annotated[
        int,
        Meta(ge=0, le=1000, description="Rounds; 0 for as many as entrants: enough to climb to the top."),
    ] = 0
    games: Games = 1
    paired: Paired = True
    seed: Seed = 0

    name: ClassVar[str] = "ladder"
    tiebreaks: ClassVar[tuple[str, ...]] = ("rung",)

    def __post_init__(self) -> None:
        within(self.seats, 2, MOST_SEATS, "seats at a table")
        within(self.rounds, 0, 1000, "rounds")
        within(self.games, 1, 1000, "games at a table")

    def due(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Pairing] | None:
        story, _ = self._climbed(entrants, played, out)
        return story.due or None

    def standings(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str] = ()
    ) -> list[Standing]:
        story, ladder = self._climbed(entrants, played, out)
        rungs = {entrant: float(len(ladder) - index) for index, entrant in enumerate(ladder)}
        return Table(entrants, story.games, {}, out).ranked(rungs)

    def _climbed(
        self, entrants: Sequence[str], played: Sequence[Played], out: Collection[str]
    ) -> tuple[Story, list[str]]:
        """What has come of it, and the ladder as it stands, from the top."""
        ladder = seeded(entrants, self.seats, self.seed)
        story = Story(played, out, ladder, len(ladder) * self.games)
        for number in range(self.rounds or len(ladder)):
            standing = [entrant for entrant in ladder if entrant not in story.absent]
            if len(standing) < 2:
                break
            games = story.play_round(number, self._draw(number, standing, story, len(ladder)))
            if games is None:
                break
            _climb(ladder, games)
            ladder.sort(key=story.absent.__contains__)
        return story, ladder

    def _draw(self, number: int, standing: Sequence[str], story: Story, field: int) -> list[Pairing]:
        # Two have no other neighbours to turn to.
        shift = self.seats // 2 if number % 2 and len(standing) > self.seats else 0
        cuts = [*range(shift - self.seats if shift else 0, len(standing), self.seats)]
        sat, drawn = story.sat(), []
        for place, cut in enumerate(cuts):
            group = standing[max(0, cut) : cut + self.seats]
            if len(group) >= 2:
                drawn += match(number, place, fewest(group, sat), self.games, self.paired, field)
        return drawn


def _climb(ladder: list[str], games: Sequence[Played]) -> None:
    """Give those who played together the rungs that they held, in the order of their points."""
    scores: dict[frozenset[str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for game in games:
        table = scores[frozenset(game.pairing.entrants)]
        for entrant, share in zip(game.pairing.entrants, shares(game), strict=True):
            table[entrant].append(share)
    for table in scores.values():
        rungs = [rung for rung, entrant in enumerate(ladder) if entrant in table]
        ranking = sorted(
            (ladder[rung] for rung in rungs), key=lambda entrant: round(fsum(table[entrant]), 9), reverse=True
        )
        for rung, entrant in zip(rungs, ranking, strict=True):
            ladder[rung] = entrant

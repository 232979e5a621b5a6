"""Draw the rounds of a Swiss with two at a table.

Law of this file: nobody meets the same opponent twice while a schedule without that exists, a bye being an
opponent, too; no two meet who have both had the same seat more often; and no two whose boards do not fit. In
that order: the last one gives way first. In an even field the first two hold in every round, whatever the
results, because a round is drawn only if the rounds that are left can be completed.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from touchline.tournament.formats.shared.boards import excess_with
from touchline.tournament.formats.shared.factors import circle, completed
from touchline.tournament.formats.shared.matching import NOBODY, pair_off

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from touchline.tournament.formats.shared.schedule import Schedule

LARGEST_AHEAD = 32
"""The most entrants for which the rounds ahead are searched anew; larger fields keep to the circle method."""
FACTORS = 16
"""The rounds of the circle method among which the next one is chosen."""

SEATS, BOARDS = 1, 2
"""How strict a pairing is: seats fit; seats and boards fit. 0 is neither."""
Name = str | None
"""An entrant, or None for the bye."""


class PairDraw:
    """Draws one round after the other. It remembers how the rounds ahead can be completed."""

    def __init__(self, rounds: int, *, odd: bool, boards: int) -> None:
        """`odd` says whether a match has an odd number of games, so that it leaves the seats uneven."""
        self._rounds, self._odd, self._boards = rounds, odd, boards
        self._plan: list[dict[Name, Name]] = []

    def draw(
        self,
        number: int,
        ranking: Sequence[str],
        scores: Mapping[str, float],
        schedule: Schedule,
        ahead: Sequence[int],
    ) -> list[tuple[str, str]]:
        """Return the pairs of a round; where their seats are equally due, the first has the first seat."""
        field = _Field(ranking, scores, schedule, ahead, odd=self._odd)
        most = 0
        while (partner := self._partners(number, field, most)) is None:
            most += 1
        found = []
        for one, two in enumerate(partner):
            if one < two and None not in (names := (field.names[one], field.names[two])):
                found.append(names)
        follows = self._next(field, partner, most)
        return [*_seated(found, follows)]  # type: ignore[arg-type]

    def _partners(self, number: int, field: _Field, most: int) -> list[int] | None:
        """Return the partner of each, if nobody need have met more than `most` times."""
        taken = field.taken(most)
        before = max(used.bit_count() for used in taken)
        after = min(self._rounds - number, field.size - 1 - before) - 1
        # By Dirac's theorem a round can be drawn after any rounds that are fewer than half the field.
        tight = after > 0 and before + 1 + after > field.size // 2
        if tight:
            self._renew(field, taken, after + 1)
        if tight and self._plan and field.size > LARGEST_AHEAD:
            return self._planned(field)
        for strict in (BOARDS, SEATS, 0) if self._boards > 1 else (SEATS, 0):
            if tight and self._plan and strict == 0:
                break
            partner = field.paired(most, strict)
            if NOBODY in partner:
                continue
            if not (tight and self._plan):
                return partner
            if (left := completed(_with(taken, partner), after)) is not None:
                self._plan = [field.named(factor) for factor in left]
                return partner
        return self._planned(field) if tight and self._plan else None

    def _renew(self, field: _Field, taken: tuple[int, ...], rounds: int) -> None:
        """Make a plan, unless there is one that still holds."""
        if len(self._plan) >= rounds and field.fits(self._plan, taken):
            return
        factors: list[list[int]] | None = None
        if not any(taken):
            factors = circle(field.size)
        elif field.size <= LARGEST_AHEAD:
            factors = completed(taken, rounds)
        self._plan = [field.named(factor) for factor in factors or ()]

    def _planned(self, field: _Field) -> list[int]:
        """Take the round of the plan in which seats fit, and points are most alike."""
        best = min(self._plan[:FACTORS], key=lambda factor: field.cost(field.numbered(factor)))
        self._plan.remove(best)
        return field.numbered(best)

    def _next(self, field: _Field, partner: list[int], most: int) -> Mapping[Name, Name]:
        """Return a round that can follow, in which seats should fit; empty if any round will do."""
        if self._plan:
            return self._plan[0]
        taken = _with(field.taken(most), partner)
        # By Hall's theorem those who need one seat can be paired with those who need the other, for so long.
        if not self._odd or 4 * taken[0].bit_count() <= field.size:
            return {}
        found = completed(taken, 1)
        return field.named(found[0]) if found else {}


def _with(taken: Sequence[int], partner: Sequence[int]) -> tuple[int, ...]:
    return tuple(used | 1 << other for used, other in zip(taken, partner, strict=True))


def _seated(pairs: Sequence[tuple[str, str]], follows: Mapping[Name, Name]) -> Iterator[tuple[str, str]]:
    """Order each pair so that in the round that follows everybody can have the other seat.

    Pairs of both rounds in turn form cycles; along a cycle, the first seat is always on the same side.
    Without such a round, the higher one has the first seat at every other table.
    """
    if not follows:
        yield from (pair[::-1] if place % 2 else pair for place, pair in enumerate(pairs))
        return
    partner: dict[Name, Name] = {None: None}
    for one, two in pairs:
        partner[one], partner[two] = two, one
    first: dict[str, bool] = {}
    for start, _ in pairs:
        at: Name = start
        while at is not None and at not in first:
            first[at] = True
            if (other := partner.get(at)) is None:
                break
            first[other] = False
            at = follows.get(other)
    yield from (pair if first[pair[0]] else pair[::-1] for pair in pairs)


class _Field:
    """The entrants of a round by rank, and a bye if their number is odd, as numbers."""

    def __init__(
        self,
        ranking: Sequence[str],
        scores: Mapping[str, float],
        schedule: Schedule,
        ahead: Sequence[int],
        *,
        odd: bool,
    ) -> None:
        self.names: list[Name] = [*ranking, None] if len(ranking) % 2 else [*ranking]
        self.size = len(self.names)
        self._number = {name: number for number, name in enumerate(self.names)}
        self._scores = [-1.0 if name is None else scores.get(name, 0.0) for name in self.names]
        falling = [-score for score in self._scores]
        self._end = [bisect_right(falling, score) - 1 for score in falling]
        """The last one with the same points."""
        excess = schedule.seat_excess()
        self._balance = [0 if name is None or not odd else excess[name, 0] for name in self.names]
        self._met = [self._times_met(name, schedule) for name in self.names]
        self._boards = [_uneven(schedule, name, ahead) if ahead and name else () for name in self.names]
        self._clashes: dict[tuple[tuple[int, ...], tuple[int, ...]], bool] = {}
        self._least = min((max(uneven) for uneven in self._boards if uneven), default=0)
        """How far apart the numbers of games on two boards are at least, without this round's game."""

    def _times_met(self, name: Name, schedule: Schedule) -> dict[int, int]:
        if name is None:
            return {self._number[one]: times for one, times in schedule.byes.items() if one in self._number}
        found = {
            self._number[other]: times
            for other, times in schedule.opponents(name).items()
            if other in self._number
        }
        if None in self._number and schedule.byes[name]:
            found[self._number[None]] = schedule.byes[name]
        return found

    def taken(self, most: int) -> tuple[int, ...]:
        """Return for each those whom it has met more than `most` times, as bits."""
        return tuple(sum(1 << other for other, times in met.items() if times > most) for met in self._met)

    def paired(self, most: int, strict: int) -> list[int]:
        """Pair all: equals in points, the upper half with the lower half, as far as they may meet."""

        def may(one: int, other: int) -> bool:
            return self._met[one].get(other, 0) <= most and self._fit(one, other, strict)

        def choose(one: int, free: Sequence[int]) -> int:
            if self.names[one] is None:
                return next((other for other in reversed(free) if may(one, other)), NOBODY)
            for other in self._preferred(one, free):
                if may(one, other):
                    return other
            return NOBODY

        bye = self._number.get(None, 0)
        return pair_off(self.size, choose, may, first=bye)

    def _preferred(self, one: int, free: Sequence[int]) -> Iterator[int]:
        same = bisect_right(free, self._end[one])
        middle = (same + 1) // 2 - 1
        for step in range(same + 1):
            for at in {middle - step: None, middle + step: None}:
                if 0 <= at < same:
                    yield free[at]
        yield from free[same:]

    def _fit(self, one: int, other: int, strict: int) -> bool:
        """Return whether two can meet without that one has a seat or a board too often."""
        if strict >= SEATS and self._balance[one] * self._balance[other] > 0:
            return False
        return strict < BOARDS or not self._clash(self._boards[one], self._boards[other])

    def _clash(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        if not one or not other:  # one of them is the bye
            return max(*one, *other, 0, 0) > max(1, self._least)
        if (one, other) not in self._clashes:
            self._clashes[one, other] = all(
                excess_with(one, board) + excess_with(other, board) for board in range(len(one))
            )
        return self._clashes[one, other]

    def cost(self, partner: Sequence[int]) -> tuple[int, int, float]:
        """Return how ill a round fits: the pairs whose seats or boards clash, and how unequal all are."""
        pairs = [(one, two) for one, two in enumerate(partner) if one < two]
        return (
            sum(not self._fit(one, two, SEATS) for one, two in pairs),
            sum(not self._fit(one, two, BOARDS) for one, two in pairs),
            sum(abs(self._scores[one] - self._scores[two]) for one, two in pairs),
        )

    def fits(self, plan: Sequence[Mapping[Name, Name]], taken: Sequence[int]) -> bool:
        """Return whether a plan is for these entrants, and nobody in it has met yet."""
        if plan[0].keys() != self._number.keys():
            return False
        return not any(
            taken[one] >> two & 1 for factor in plan for one, two in enumerate(self.numbered(factor))
        )

    def named(self, partner: Sequence[int]) -> dict[Name, Name]:
        return {self.names[one]: self.names[two] for one, two in enumerate(partner)}

    def numbered(self, factor: Mapping[Name, Name]) -> list[int]:
        return [self._number[factor[name]] for name in self.names]


def _uneven(schedule: Schedule, name: str, ahead: Sequence[int]) -> tuple[int, ...]:
    counts = schedule.board_counts(name, ahead)
    least = min(counts)
    return tuple(count - least for count in counts)

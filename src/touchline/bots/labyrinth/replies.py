"""How another seat may answer a slide, by what it may be after: what Minotaur expects of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.bots.labyrinth.belief import DRAWN, Quest
from touchline.bots.labyrinth.ground import apart, bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.bots.labyrinth.belief import Belief

STAY = -1
"""The slide of a turn that is passed."""


class Answer(NamedTuple):
    """One way in which a seat may go on."""

    weight: float
    slide: int
    to: int
    quest: Quest
    """What it is after then."""


class Replier(NamedTuple):
    """A seat that is to move next."""

    cell: int
    home: int
    walks: list[int]
    """For each slide where it may walk."""
    kinds: int
    """How many turns of the spare differ."""
    cols: int

    def ways(self) -> int:
        """All tiles that it can get to."""
        found = 0
        for tiles in self.walks:
            found |= tiles
        return found

    def answers(self, belief: Belief, count: int) -> list[Answer]:
        """About so many answers, the likeliest first; none for what would end the game."""
        legal = [slide for slide, tiles in enumerate(self.walks) if tiles and slide & 3 < self.kinds]
        found: list[Answer] = []
        for quest, chance in belief.items():
            found += self._pursued(quest, chance, legal, max(1, round(count * chance)))
        return sorted(found, key=lambda answer: -answer.weight)

    def _pursued(self, quest: Quest, chance: float, legal: list[int], count: int) -> Iterator[Answer]:
        """Straight to the goal, if it can; else mostly as near to it as it can."""
        if not legal:
            yield Answer(chance, STAY, self.cell, quest)
            return
        straight = [slide for slide in legal if self.walks[slide] >> quest.goal & 1]
        if straight:
            if not quest.homeward:
                sent_home = Quest(self.home, True, quest.found + 1)
                for slide in (chosen := spread(straight, count)):
                    yield Answer(chance / len(chosen), slide, quest.goal, sent_home)
            return
        tile = self._nearest(self.ways(), quest.goal)
        near = [slide for slide in legal if self.walks[slide] >> tile & 1]
        near = spread(near, max(1, round(DRAWN * count)))
        others = spread(legal, count - len(near))
        drawn = DRAWN if others else 1.0
        for slide in near:
            yield Answer(chance * drawn / len(near), slide, tile, quest)
        for slide in others:
            to = self._nearest(self.walks[slide], quest.goal)
            yield Answer(chance * (1 - drawn) / len(others), slide, to, quest)

    def _nearest(self, tiles: int, goal: int) -> int:
        return min(bits(tiles), key=lambda cell: (apart(self.cols, cell, goal), cell))


def spread(slides: list[int], count: int) -> list[int]:
    """So many of these at most, evenly spread."""
    if len(slides) <= count:
        return slides
    return [slides[number * len(slides) // count] for number in range(count)]

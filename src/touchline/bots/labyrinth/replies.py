"""The replies that Minotaur expects of the next seat, by what that seat may be after."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from touchline.bots.labyrinth.boards import apart, bits
from touchline.bots.labyrinth.opponent_model import DRAWN, Quest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from touchline.bots.labyrinth.opponent_model import Belief

STAY = -1
"""The slide of a pass."""


class Reply(NamedTuple):
    """A turn that the next seat may play."""

    weight: float
    slide: int
    to: int
    quest: Quest
    """What the seat is after once it has played it."""


class Replier(NamedTuple):
    """The seat that moves next."""

    cell: int
    home: int
    walks: list[int]
    """For each slide the tiles to which it may walk."""
    kinds: int
    """How many rotations of the spare differ."""
    cols: int

    def ways(self) -> int:
        """Return all tiles that it can reach."""
        found = 0
        for tiles in self.walks:
            found |= tiles
        return found

    def replies(self, belief: Belief, count: int) -> list[Reply]:
        """Return about `count` replies, the likeliest first; none that would end the game."""
        legal = [slide for slide, tiles in enumerate(self.walks) if tiles and slide & 3 < self.kinds]
        found: list[Reply] = []
        for quest, chance in belief.items():
            found += self._pursued(quest, chance, legal, max(1, round(count * chance)))
        return sorted(found, key=lambda reply: -reply.weight)

    def _pursued(self, quest: Quest, chance: float, legal: list[int], count: int) -> Iterator[Reply]:
        """Yield replies for one quest: straight to the goal if possible, else mostly as near as possible."""
        if not legal:
            yield Reply(chance, STAY, self.cell, quest)
            return
        straight = [slide for slide in legal if self.walks[slide] >> quest.goal & 1]
        if straight:
            if not quest.homeward:
                sent_home = Quest(self.home, True, quest.found + 1)
                for slide in (chosen := spread(straight, count)):
                    yield Reply(chance / len(chosen), slide, quest.goal, sent_home)
            return
        tile = self._nearest(self.ways(), quest.goal)
        near = [slide for slide in legal if self.walks[slide] >> tile & 1]
        near = spread(near, max(1, round(DRAWN * count)))
        others = spread(legal, count - len(near))
        drawn = DRAWN if others else 1.0
        for slide in near:
            yield Reply(chance * drawn / len(near), slide, tile, quest)
        for slide in others:
            to = self._nearest(self.walks[slide], quest.goal)
            yield Reply(chance * (1 - drawn) / len(others), slide, to, quest)

    def _nearest(self, tiles: int, goal: int) -> int:
        return min(bits(tiles), key=lambda cell: (apart(self.cols, cell, goal), cell))


def spread(slides: list[int], count: int) -> list[int]:
    """Return at most `count` of these, evenly spread."""
    if len(slides) <= count:
        return slides
    return [slides[number * len(slides) // count] for number in range(count)]

"""Minotaur's search for a turn: every slide, the likely replies to it, and one's own next turn.

A glance at a slide computes where one may walk, which seats could end the game after it, and the tiles from
which the next target is one turn away. A look repeats that after each likely reply of the next seat, for all
tiles at once, and adds what the others could do after one's own next turn. Beyond that the game is a race:
each side has a number of targets to go, and in each turn a chance to reach one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from touchline.bots.labyrinth.boards import KernelBoards, Stakes, TrackNumbers, apart, bits, boards_of
from touchline.bots.labyrinth.opponent_model import Quest, in_turn
from touchline.bots.labyrinth.replies import STAY, Replier, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from touchline.bots.labyrinth.opponent_model import Belief
    from touchline.core.rules import Cell, Seat
    from touchline.games.labyrinth import LabyrinthState

WHOLE = 1 << 20
"""The value of a won game, in the integers of the kernels."""
MINE, THEIRS = 0.5, 0.4
"""The chance to reach a target in a turn beyond the search: one's own, and others', who are blocked."""
HARMLESS = 4
"""From this number of targets to go a rival is no threat."""
LATER = 0.7
"""The probability that a threat survives the pushes of other seats in between."""
KEPT, LUCKY = 0.7, 0.2
"""The chance to reach a target next turn, at a glance: if there is a way now, and if there is none."""
FEW, MANY, BEST = 8, 32, 6
"""Replies that are looked into for every slide, then for the best slides, and the number of those."""

ENOUGH = 0.5
"""From this chance of winning on the game is ended: waiting does not improve it."""
NOBODY = Quest(0, True, -1)
"""The quest of the next seat when all others are gone."""


@cache
def race(mine: int, theirs: int, my_turn: bool) -> float:
    """Return the chance to be home first, given the targets to go on both sides."""
    if mine <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    if theirs >= HARMLESS:
        return 1.0 - 0.02 * mine
    ahead = MINE * race(mine - 1, theirs, False)
    behind = THEIRS * race(mine, theirs - 1, True)
    value = (ahead + (1 - MINE) * behind) / (1 - (1 - MINE) * (1 - THEIRS))
    return value if my_turn else behind + (1 - THEIRS) * value


class Option(NamedTuple):
    """A slide and its consequences."""

    slide: int
    board: Any
    last: int
    reach: int
    """The tiles to which one may walk after it."""
    rivals: tuple[int, ...]
    """The tiles of the others after it."""
    next: Replier
    safety: float
    """The chance that no seat after the next one ends the game in its favour."""


class PlannedTurn(NamedTuple):
    """A complete turn and its value."""

    value: float
    chance: float
    """The chance to reach the next target in the turn after this."""
    slide: int
    to: int


class TurnSearch:
    """The search for one turn of one seat."""

    def __init__(self, view: LabyrinthState, seat: Seat, beliefs: Mapping[Seat, Belief]) -> None:
        grid = view.maze.grid
        self.view, self.cols = view, grid.cols
        self.lines, self.boards = TrackNumbers(grid), boards_of(grid)
        self.rivals = in_turn(view, seat)
        self.beliefs = [beliefs[rival] for rival in self.rivals] or [{NOBODY: 1.0}]
        self.homes = [self.number(view.seekers[rival].home) for rival in self.rivals]
        me, here = view.seekers[seat], view.avatars[seat]
        assert me.goal is not None, "a view shows its own seat's goal"
        assert here is not None, "a removed seat is never to move"
        self.here, self.goal, self.home = here, self.number(me.goal), self.number(me.home)
        self.homeward, self.found = bool(me.homeward), me.found or 0
        # a seat that found a treasure and was not sent home knows that there are further ones
        self.stages = 1 if self.homeward else 3 if self.found else 2
        self.last_pass = len(view.due) == 1 and not view.moved
        """Whether all others have passed in this round, so that a pass ends the game."""
        self.looked = 0
        """Replies that were looked into."""

    def number(self, cell: Cell) -> int:
        return cell[0] * self.cols + cell[1]

    def best(self, more: Callable[[int], bool]) -> PlannedTurn:
        """Return the best turn; `more` says whether the search may go on."""
        glances = [(self._glance(option), option) for option in self._options(more)]
        glances.sort(key=lambda pair: pair[0].value, reverse=True)
        ends = [glance for glance, _ in glances if self._ends(glance)]
        if not isinstance(self.boards, KernelBoards) or (ends and ends[0].value > ENOUGH):
            return ends[0] if ends and ends[0].value > ENOUGH else glances[0][0]
        looks = []
        for option in [option for glance, option in glances if not self._ends(glance)]:
            if not more(self.looked):
                break
            looks.append((self._look(option, FEW, self.boards, more), option))
        looks.sort(key=lambda pair: pair[0].value, reverse=True)
        found = [glance for glance in ends if glance.value > 0]  # an end that loses can wait
        for look, option in looks[:BEST]:
            found.append(self._look(option, MANY, self.boards, more) if more(self.looked) else look)
        return max(found or [glance for glance, _ in glances], key=lambda choice: choice.value)

    def replied(self, choice: PlannedTurn) -> Reply | None:
        """Return the likeliest reply to a choice, if it is a slide."""
        board = self.boards.pushed(self.boards.board(self.view.maze), choice.slide)
        option = self._option(choice.slide, board, choice.slide >> 2, 1 << choice.to)
        replies = option.next.replies(self.beliefs[0], FEW)
        return replies[0] if replies and replies[0].slide != STAY and not self._ends(choice) else None

    def _options(self, more: Callable[[int], bool]) -> Iterator[Option]:
        """Yield every slide that allows a walk, the nearest to the goal first, in time; then a pass."""
        board, last = self.boards.board(self.view.maze), self.lines.last(self.view.last)
        walks, kinds = self.boards.walks(board, last, self.here), self.boards.kinds(board)
        slides = [slide for slide, tiles in enumerate(walks) if tiles and slide & 3 < kinds]
        slides.sort(key=lambda slide: min(apart(self.cols, cell, self.goal) for cell in bits(walks[slide])))
        for number, slide in enumerate(slides):
            if number and not more(self.looked):
                return
            yield self._option(slide, self.boards.pushed(board, slide), slide >> 2, walks[slide])
        yield self._option(STAY, board, last, 1 << self.here)

    def _option(self, slide: int, board: Any, last: int, reach: int) -> Option:
        stand = (self.view.avatars[rival] for rival in self.rivals)
        cells = tuple(self.lines.carried(cell, slide) for cell in stand if cell is not None)
        kinds = self.boards.kinds(board)
        repliers = [
            Replier(cell, home, self.boards.walks(board, last, cell), kinds, self.cols)
            for cell, home in zip(cells, self.homes, strict=True)
        ]
        safety = 1.0
        for replier, belief in zip(repliers[1:], self.beliefs[1:], strict=True):
            safety *= 1 - LATER * self._threat(replier, belief)
        nobody = Replier(self.here, self.here, [], kinds, self.cols)
        return Option(slide, board, last, reach, cells, repliers[0] if repliers else nobody, safety)

    def _threat(self, replier: Replier, belief: Belief) -> float:
        """Return the chance that a seat can come home in its next turn and win by it."""
        ways = replier.ways()
        return sum(
            chance
            for quest, chance in belief.items()
            if quest.homeward and quest.found >= self.found and ways >> quest.goal & 1
        )

    def _ends(self, choice: PlannedTurn) -> bool:
        """Return whether a choice ends the game."""
        return self.last_pass if choice.slide == STAY else self.homeward and choice.to == self.goal

    def _standing(self, came_home: bool) -> float:
        """Return the chance to win if the game ends now.

        Most treasures win; among equals a seat that came home, else the one nearest to its target.
        """
        far, value = -1 if came_home else apart(self.cols, self.here, self.goal), 1.0
        for rival, belief in zip(self.rivals, self.beliefs, strict=False):
            ahead, cell = 0.0, self.view.avatars[rival]
            assert cell is not None
            for quest, chance in belief.items():
                mine, its = (self.found, -far), (quest.found, -apart(self.cols, cell, quest.goal))
                ahead += chance if mine > its else 0.0
                ahead += chance / 2 if mine == its else 0.0
            value *= ahead
        return value

    def _aims(self, option: Option) -> Iterator[tuple[int, int, int]]:
        """Yield sets of tiles to walk to, each with the next target from there and the targets to go."""
        goal = 1 << self.goal
        if option.slide == STAY or not option.reach & goal:
            yield option.reach, self.goal, self.stages
            return
        yield goal, self.home, self.stages - 1
        if option.reach != goal:
            yield option.reach ^ goal, self.goal, self.stages

    def _glance(self, option: Option) -> PlannedTurn:
        """Return the best tile to walk to without looking into replies."""
        if option.slide == STAY and self.last_pass:
            return PlannedTurn(self._standing(False), 0.0, STAY, self.here)
        choices = []
        homeward = sum(chance for quest, chance in self.beliefs[0].items() if quest.homeward)
        open_ = option.safety * (1 - self._threat(option.next, self.beliefs[0]))
        for tiles, target, stages in self._aims(option):
            if not stages:
                return PlannedTurn(self._standing(True), 1.0, option.slide, self.goal)
            near = self.boards.sources(option.board, option.last, target)
            for cell in bits(tiles):
                chance = KEPT if near >> cell & 1 else LUCKY
                value = sum(
                    share
                    * (chance * race(stages - 1, togo, False) + (1 - chance) * race(stages, togo, False))
                    for togo, share in ((1, homeward), (2, 1 - homeward))
                )
                value = open_ * value - 1e-4 * apart(self.cols, cell, target)
                choices.append(PlannedTurn(value, chance, option.slide, cell))
        return max(choices)

    def _look(
        self, option: Option, count: int, boards: KernelBoards, more: Callable[[int], bool]
    ) -> PlannedTurn:
        """Return the best tile to walk to by looking into replies."""
        replies = option.next.replies(self.beliefs[0], count)
        choices: list[PlannedTurn] = []
        for tiles, target, stages in self._aims(option):
            choices += self._weighed(option, replies, (tiles, target, stages), boards, more)
        return max(choices)

    def _weighed(
        self,
        option: Option,
        replies: list[Reply],
        aim: tuple[int, int, int],
        boards: KernelBoards,
        more: Callable[[int], bool],
    ) -> Iterator[PlannedTurn]:
        """Yield the value of walking to each of some tiles, on the way to a target."""
        tiles, target, stages = aim
        value, chance = dict.fromkeys(bits(tiles), 0.0), dict.fromkeys(bits(tiles), 0.0)
        whole, done = sum(reply.weight for reply in replies), 0.0
        for reply in replies:
            if done and not more(self.looked):
                break
            self.looked += 1
            done += reply.weight
            board = option.board if reply.slide == STAY else boards.pushed(option.board, reply.slide)
            last = option.last if reply.slide == STAY else reply.slide >> 2
            stand = [reply.to, *(self.lines.carried(cell, reply.slide) for cell in option.rivals[1:])]
            worth, near = boards.outlook(board, last, target, stand, self._stakes(reply.quest, stages))
            for cell in value:
                then = self.lines.carried(cell, reply.slide)
                value[cell] += reply.weight * worth[then]
                chance[cell] += reply.weight * (near >> then & 1)
        scale = whole / done if done else 0.0
        harmless = 1 - whole - self._threat(option.next, self.beliefs[0])
        for cell in value:
            expected = option.safety * (harmless + scale * value[cell] / WHOLE)
            slight = 1e-5 * apart(self.cols, cell, target)
            yield PlannedTurn(expected - slight, scale * chance[cell], option.slide, cell)

    def _stakes(self, quest: Quest, stages: int) -> Stakes:
        """Return the value of one's next turn, and what it loses if the others progress after it.

        Once the last target is reached nobody progresses any more.
        """
        costs = []
        for rival, belief in enumerate([{quest: 1.0}, *self.beliefs[1:]]):
            for other, chance in belief.items():
                togo, share = self._togo(other), WHOLE * chance * (LATER if rival else 1)
                if togo < HARMLESS:
                    lost = (
                        race(left, togo, True) - race(left, togo - 1, True) for left in (stages - 1, stages)
                    )
                    costs.append((rival, other.goal, *(int(share * part) for part in lost)))
        togo = self._togo(quest)
        found = self.found + (not self.homeward)
        won = race(stages - 1, togo, True) if stages > 1 or quest.found <= found else 0.0
        return Stakes(int(WHOLE * won), int(WHOLE * race(stages, togo, True)), tuple(costs))

    def _togo(self, quest: Quest) -> int:
        """Return the number of targets a seat has to go; HARMLESS if it cannot win by that."""
        if quest.homeward:
            return 1 if quest.found >= self.found else HARMLESS
        return 2
